// Which program serves: the one that a person named, the one in the extension, or one on PATH.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import * as vscode from 'vscode';

/** A program, and where it was found: what is said of a failure depends on it. */
export interface Found {
  path: string;
  from: 'setting' | 'extension' | 'PATH';
}

const PROGRAM = process.platform === 'win32' ? 'cpz.exe' : 'cpz';

/** The program to run, or a sentence that says why there is none. */
export async function findServer(context: vscode.ExtensionContext): Promise<Found | string> {
  const named = serverSetting();
  if (named) {
    const path = expand(named);
    const wrong = await whyNot(path);
    return wrong ? `the program of the setting cpz.server.path cannot be run: ${path} ${wrong}.` : { path, from: 'setting' };
  }
  const bundled = context.asAbsolutePath(join('server', PROGRAM));
  if (!(await whyNot(bundled))) {
    return { path: bundled, from: 'extension' };
  }
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    // A relative folder would be looked for in whatever is open.
    if (isAbsolute(folder) && !(await whyNot(join(folder, PROGRAM)))) {
      return { path: join(folder, PROGRAM), from: 'PATH' };
    }
  }
  return 'this extension comes without a server for this platform, and there is no cpz on PATH.';
}

/** What the person set; of a workspace that is not trusted its own value does not get here. */
export function serverSetting(): string | undefined {
  return vscode.workspace.getConfiguration('cpz').get<string | null>('server.path')?.trim() || undefined;
}

function expand(path: string): string {
  const home = path.replace(/^~(?=$|[/\\])/, homedir());
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const below = folder?.scheme === 'file' ? folder.fsPath : homedir();
  return resolve(below, home.replaceAll('${workspaceFolder}', below).replaceAll('${userHome}', homedir()));
}

async function whyNot(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).isDirectory()) {
      return 'is a folder';
    }
    await access(path, constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'is not a program that may be run';
  }
}
