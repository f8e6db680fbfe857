// Files that the editor shows but keeps from extensions: the person should know why nothing is said in them.
import { basename } from 'node:path';
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
