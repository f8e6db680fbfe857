// The indentation of files that were open before the extension.
import * as vscode from 'vscode';

/**
 * Gives the visible `.cpz` files the configured indentation. VS Code keeps that of plain text for a file that it opened
 * before it knew the language.
 */
export function applyIndentation(): void {
  for (const editor of vscode.window.visibleTextEditors) {
    const { languageId, uri } = editor.document;
    const settings = vscode.workspace.getConfiguration('editor', { languageId, uri });
    if (languageId !== 'cpz' || settings.get('detectIndentation')) {
      continue;
    }
    editor.options = { tabSize: settings.get('tabSize'), insertSpaces: settings.get('insertSpaces') };
  }
}
