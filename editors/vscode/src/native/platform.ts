// VS Code on a computer: the server is a program, which speaks through its standard input and output.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import type { FoundServer, Platform, Remedy, ServerRun } from '../platform';
import { exportCollection, importFile, printCollection } from './exchange';
import { bundledServer, findProgram, type Program, serverSetting } from './find';
import { readOnly } from './readonly';

export function nativePlatform(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): Platform {
  return {
    exchange: { importFile, exportCollection, printCollection },
    home: vscode.Uri.file(homedir()),
    readsFiles: true,
    readOnly,
    findServer: async () => {
      const found = await findProgram(context);
      return typeof found === 'string' ? found : server(found, output);
    },
    remedies: () => remedies(context),
  };
}

function server({ path, from }: Program, output: vscode.LogOutputChannel): FoundServer {
  return {
    name: path,
    place: path,
    start: `starting ${path} lsp (from the ${from})`,
    connect: (options, run) => {
      const documentSelector = [{ language: 'cpz' }, { scheme: 'file', pattern: '**/cpz.toml' }];
      return new LanguageClient('cpz', 'cpz', () => start(path, output, run), { ...options, documentSelector });
    },
    whyNotStarted: (error) => {
      const { code } = error as NodeJS.ErrnoException;
      return typeof code === 'string' ?
          `${path} cannot be run (${code}).`
        : `${path} did not start as a cpz server. Check that the program is cpz.`;
    },
  };
}

function start(path: string, output: vscode.LogOutputChannel, run: ServerRun) {
  return new Promise<ReturnType<typeof spawn>>((done, failed) => {
    // Not in the workspace folder: it may have been deleted, or not be trusted.
    const child = spawn(path, ['lsp'], { cwd: homedir(), stdio: 'pipe' });
    child.once('spawn', () => done(child));
    child.once('error', failed);
    child.once('exit', (code, signal) => output.info(`the server ended (${signal ?? code})`));
    // Node reports a write to a server that has ended here. The client learns of the end by itself.
    child.stdin.on('error', () => undefined);
    run.started(() => child.kill('SIGKILL'));
  });
}

async function remedies(context: vscode.ExtensionContext): Promise<Remedy[]> {
  const overridesBundled = !!serverSetting() && !!(await bundledServer(context));
  const settings = () => vscode.commands.executeCommand('workbench.action.openSettings', '@ext:cpz.cpz server');
  return [
    ...(overridesBundled ? [{ title: 'Use the Bundled Server', run: useBundled }] : []),
    { title: 'Open Settings', run: settings },
  ];
}

/** Removes the setting wherever it is set; the change restarts the server. */
async function useBundled(): Promise<void> {
  const settings = vscode.workspace.getConfiguration('cpz');
  const inspected = settings.inspect('server.path');
  const places: [unknown, vscode.ConfigurationTarget][] = [
    [inspected?.workspaceFolderValue, vscode.ConfigurationTarget.WorkspaceFolder],
    [inspected?.workspaceValue, vscode.ConfigurationTarget.Workspace],
    [inspected?.globalValue, vscode.ConfigurationTarget.Global],
  ];
  try {
    for (const [value, target] of places) {
      if (value !== undefined) {
        await settings.update('server.path', undefined, target);
      }
    }
  } catch (error) {
    void vscode.window.showErrorMessage(`cpz: the setting cannot be changed: ${error}`);
  }
}
