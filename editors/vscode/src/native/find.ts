// Finds the server program: the setting `cpz.server.path`, else the server in the extension, else PATH.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, join, relative, resolve } from 'node:path';
import * as vscode from 'vscode';

/** A program, and where it was found. */
export interface Program {
  path: string;
  from: 'setting' | 'extension' | 'PATH';
}

const PROGRAM = process.platform === 'win32' ? 'cpz.exe' : 'cpz';

/** The program to run, or a message that says why there is none. */
export async function findProgram(context: vscode.ExtensionContext): Promise<Program | string> {
  const named = serverSetting();
  if (named) {
    const setting = `the program in the setting cpz.server.path cannot be run: ${named}`;
    if (!/[/\\]/.test(named) && named !== '~') {
      const path = await onPath(named);
      return path ? { path, from: 'setting' } : `${setting} is not on PATH.`;
    }
    const path = expand(named);
    if (path === undefined) {
      return `${setting} is inside the workspace, which is not trusted.`;
    }
    const reason = await whyNotRunnable(path);
    return reason ? `${setting} ${reason}.` : { path, from: 'setting' };
  }
  const bundled = await bundledServer(context);
  if (bundled) {
    return { path: bundled, from: 'extension' };
  }
  const path = await onPath(PROGRAM);
  return path
    ? { path, from: 'PATH' }
    : 'this extension has no server for this platform, and there is no cpz program on PATH. Install cpz, or name it in the setting cpz.server.path.';
}

/** The server in the extension, if it has one. */
export async function bundledServer(context: vscode.ExtensionContext): Promise<string | undefined> {
  const path = context.asAbsolutePath(join('server', PROGRAM));
  return (await whyNotRunnable(path)) ? undefined : path;
}

async function onPath(name: string): Promise<string | undefined> {
  const names = process.platform === 'win32' && !/\.exe$/i.test(name) ? [`${name}.exe`] : [name];
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const path of names.map((n) => join(folder, n))) {
      // Skip relative entries of PATH: they would be resolved against an arbitrary working folder.
      if (isAbsolute(folder) && (vscode.workspace.isTrusted || !isInside(path)) && !(await whyNotRunnable(path))) {
        return path;
      }
    }
  }
  return undefined;
}

/** The value of the setting. VS Code hides the value of an untrusted workspace: the setting is restricted. */
export function serverSetting(): string | undefined {
  return vscode.workspace.getConfiguration('cpz').get<string | null>('server.path')?.trim() || undefined;
}

/** The absolute path; undefined if it is inside a workspace that is not trusted. */
function expand(path: string): string | undefined {
  const folder = vscode.workspace.workspaceFolders?.find((f) => f.uri.scheme === 'file')?.uri.fsPath;
  const base = folder ?? homedir();
  const home = path.replace(/^~(?=$|[/\\])/, homedir()).replaceAll('${userHome}', homedir());
  const absolute = resolve(base, home.replaceAll('${workspaceFolder}', base));
  return vscode.workspace.isTrusted || !isInside(absolute) ? absolute : undefined;
}

function isInside(path: string): boolean {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((f) => f.uri.scheme === 'file');
  return folders.some((f) => {
    const below = relative(f.uri.fsPath, path);
    return !below.startsWith('..') && !isAbsolute(below);
  });
}

/** Why a program cannot be run, as the end of a sentence; undefined if it can. */
async function whyNotRunnable(path: string): Promise<string | undefined> {
  try {
    if ((await stat(path)).isDirectory()) {
      return 'is a folder';
    }
    await access(path, constants.X_OK);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'is not a program that can be run';
  }
}
