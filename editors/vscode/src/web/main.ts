// Entry point in VS Code for the Web.
import * as vscode from 'vscode';
import { start } from '../extension';
import type { Server } from '../server';
import { webPlatform } from './platform';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  // Menus leave out what needs the program. `isWeb` also holds where a browser shows VS Code of another computer.
  void vscode.commands.executeCommand('setContext', 'cpz.inBrowser', true);
  server = start(context, webPlatform);
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}
