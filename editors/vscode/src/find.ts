// Which program serves: the one that a person named, the one in the extension, or one on PATH.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, relative, resolve } from 'node:path';
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
    const setting = `the program of the setting cpz.server.path cannot be run: ${named}`;
    if (!/[/\\]/.test(named) && named !== '~') {
      const path = await onPath(named);
      return path ? { path, from: 'setting' } : `${setting} is not on PATH.`;
    }
    const path = expand(named);
    if (path === undefined) {
      return `${setting} lies in the workspace, which is not trusted.`;
    }
    const wrong = await whyNot(path);
    return wrong ? `${setting} ${wrong}.` : { path, from: 'setting' };
  }
  const bundled = await bundledServer(context);
  if (bundled) {
    return { path: bundled, from: 'extension' };
  }
  const path = await onPath(PROGRAM);
  return path
    ? { path, from: 'PATH' }
    : 'this extension comes without a server for this platform, and there is no cpz on PATH.';
}

/** The server in the extension, if it has one. */
export async function bundledServer(context: vscode.ExtensionContext): Promise<string | undefined> {
  const path = context.asAbsolutePath(join('server', PROGRAM));
  return (await whyNot(path)) ? undefined : path;
}

async function onPath(name: string): Promise<string | undefined> {
  const names = process.platform === 'win32' && !/\.exe$/i.test(name) ? [`${name}.exe`] : [name];
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const path of names.map((n) => join(folder, n))) {
      // A relative folder would be looked for in whatever is open.
      if (isAbsolute(folder) && (vscode.workspace.isTrusted || !isInside(path)) && !(await whyNot(path))) {
        return path;
      }
    }
  }
  return undefined;
}

/** What the person set; of a workspace that is not trusted its own value does not get here. */
export function serverSetting(): string | undefined {
  return vscode.workspace.getConfiguration('cpz').get<string | null>('server.path')?.trim() || undefined;
}

/** The path that is meant; nothing if only a workspace that is not trusted would tell. */
function expand(path: string): string | undefined {
  const folder = vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file')?.uri.fsPath;
  const below = folder ?? homedir();
  const home = path.replace(/^~(?=$|[/\\])/, homedir()).replaceAll('${userHome}', homedir());
  const whole = resolve(below, home.replaceAll('${workspaceFolder}', below));
  return vscode.workspace.isTrusted || !isInside(whole) ? whole : undefined;
}

function isInside(path: string): boolean {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === 'file');
  return folders.some((f) => {
    const way = relative(f.uri.fsPath, path);
    return !way.startsWith('..') && !isAbsolute(way);
  });
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
