// Entry point in VS Code on a computer.
import * as vscode from 'vscode';
import { start } from '../extension';
import type { Server } from '../server';
import { nativePlatform } from './platform';
import { tasks } from './tasks';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const started = start(context, nativePlatform);
  server = started;
  context.subscriptions.push(
    tasks(started),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('cpz.server.path')) {
        void started.restart();
      }
    }),
    // In a trusted workspace its own `cpz.server.path` applies.
    vscode.workspace.onDidGrantWorkspaceTrust(() => void started.restart()),
  );
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}
