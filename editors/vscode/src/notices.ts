// Files in which cpz cannot do what it does elsewhere: the person should know why.
import { basename } from 'node:path';
import { TextDecoder } from 'node:util';
import * as vscode from 'vscode';

/** Above this the editor hands no text to extensions, in bytes. */
const MOST = 50 * 1024 * 1024;

export function noticeTooLarge(output: vscode.LogOutputChannel): vscode.Disposable {
  const told = new Set<string>();
  const look = async () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (!(input instanceof vscode.TabInputText) || !input.uri.path.endsWith('.cpz') || told.has(`${input.uri}`)) {
      return;
    }
    const { uri } = input;
    const size = await vscode.workspace.fs.stat(uri).then(
      (found) => found.size,
      () => 0,
    );
    if (size <= MOST) {
      return;
    }
    told.add(`${uri}`);
    const what = `${basename(uri.path)} is ${Math.round(size / 1e6)} MB, and the editor keeps texts above 50 MB from extensions: its findings are in the Problems panel, and nothing else of cpz is in the text.`;
    output.warn(what);
    void vscode.window.showWarningMessage(`cpz: ${what}`);
  };
  void look();
  return vscode.window.tabGroups.onDidChangeTabs(() => void look());
}

/** Says of a document that was made of bytes that are no UTF-8: what they stood for is lost in it. */
export function noticeEncoding(): vscode.Disposable {
  const told = new Set<string>();
  const look = async (document: vscode.TextDocument) => {
    const { uri } = document;
    if (document.languageId !== 'cpz' || !document.getText().includes('\ufffd') || told.has(`${uri}`)) {
      return;
    }
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(await vscode.workspace.fs.readFile(uri));
    } catch (error) {
      if (!(error instanceof TypeError)) {
        return;
      }
      told.add(`${uri}`);
      const what = `cpz: ${basename(uri.path)} is not UTF-8, so some of its characters are lost here; saving it would lose them for good.`;
      const reopen = 'Reopen with Encoding…';
      if ((await vscode.window.showWarningMessage(what, reopen)) === reopen) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.editor.changeEncoding');
      }
    }
  };
  for (const document of vscode.workspace.textDocuments) {
    void look(document);
  }
  return vscode.workspace.onDidOpenTextDocument((document) => void look(document));
}
