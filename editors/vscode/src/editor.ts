// The editor that a command of the palette works on.
import * as vscode from 'vscode';
import type { Server } from './server';

/** The editor to work on; without one, or without a server, shows a message and returns undefined. */
export function editorOf(server: Server): vscode.TextEditor | undefined {
  // The walkthrough or the board panel may have the focus.
  const shown = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const editor = shown.find((e) => e?.document.languageId === 'cpz');
  if (!editor) {
    void vscode.window.showInformationMessage('cpz: open a .cpz file and put the cursor in a puzzle first.');
    return undefined;
  }
  if (!server.running) {
    const restart = 'Restart';
    void vscode.window
      .showWarningMessage(`cpz: ${server.status.what.replace(/\.$/, '')}.`, restart)
      .then((chosen) => (chosen === restart ? server.restart() : undefined));
    return undefined;
  }
  return editor;
}
