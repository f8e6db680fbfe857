// Entry point in VS Code for the Web.
import type * as vscode from 'vscode';
import { start } from '../extension';
import type { Server } from '../server';
import { webPlatform } from './platform';

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): void {
  server = start(context, webPlatform);
}

export async function deactivate(): Promise<void> {
  await server?.dispose();
}
