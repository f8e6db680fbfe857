// Warnings about files that cpz can only partly support: too large, or not UTF-8.
import * as vscode from 'vscode';
import { fileName } from './files';
import type { Platform } from './platform';

/** Shows a message that begins with the name of the extension. */
export function say(kind: 'info' | 'warning' | 'error', text: string, ...buttons: string[]): Thenable<string | undefined> {
  const { showInformationMessage, showWarningMessage, showErrorMessage } = vscode.window;
  const show = { info: showInformationMessage, warning: showWarningMessage, error: showErrorMessage }[kind];
  return show(/^cpz\b/.test(text) ? text : `cpz: ${text}`, ...buttons);
}

/** VS Code gives no text above this size to extensions, in bytes. */
const MAX_BYTES = 50 * 1024 * 1024;

const READ = 'Its findings are in the Problems panel; all other features of cpz are off in this file.';
const UNREAD = 'All features of cpz are off in this file.';

export function noticeTooLarge(output: vscode.LogOutputChannel, { readsFiles }: Platform): vscode.Disposable {
  const warned = new Set<string>();
  const check = async () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (!(input instanceof vscode.TabInputText) || !input.uri.path.endsWith('.cpz') || warned.has(`${input.uri}`)) {
      return;
    }
    const { uri } = input;
    const size = await vscode.workspace.fs.stat(uri).then(
      (found) => found.size,
      () => 0,
    );
    if (size <= MAX_BYTES) {
      return;
    }
    warned.add(`${uri}`);
    const what = `${fileName(uri)} is ${Math.round(size / 1e6)} MB, and the editor gives no text above 50 MB to extensions. ${readsFiles ? READ : UNREAD}`;
    output.warn(what);
    void vscode.window.showWarningMessage(`cpz: ${what}`);
  };
  void check();
  return vscode.window.tabGroups.onDidChangeTabs(() => void check());
}

/** Warns of a document whose file is not UTF-8: the editor has replaced some of its characters. */
export function noticeEncoding(): vscode.Disposable {
  const warned = new Set<string>();
  const check = async (document: vscode.TextDocument) => {
    const { uri } = document;
    if (document.languageId !== 'cpz' || !document.getText().includes('\ufffd') || warned.has(`${uri}`)) {
      return;
    }
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(await vscode.workspace.fs.readFile(uri));
    } catch (error) {
      if (!(error instanceof TypeError)) {
        return;
      }
      warned.add(`${uri}`);
      const what = `cpz: ${fileName(uri)} is not UTF-8 text, so some characters cannot be shown. Saving the file now would lose them for good.`;
      const reopen = 'Reopen with Encoding…';
      if ((await vscode.window.showWarningMessage(what, reopen)) === reopen) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.editor.changeEncoding');
      }
    }
  };
  for (const document of vscode.workspace.textDocuments) {
    void check(document);
  }
  return vscode.workspace.onDidOpenTextDocument((document) => void check(document));
}
