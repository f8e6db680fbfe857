// The status bar item and its menu.
import * as vscode from 'vscode';
import type { Server, Status } from './server';

export function statusBar(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('cpz.status', vscode.StatusBarAlignment.Right, 50);
  item.name = 'cpz';
  item.command = 'cpz.showMenu';
  const show = (status: Status) => {
    const icon = { starting: '$(sync~spin)', ready: '$(check)', stopped: '$(error)' }[status.kind];
    item.text = `${icon} cpz`;
    item.tooltip = status.what;
    item.accessibilityInformation = { label: `cpz, ${status.what}`, role: 'button' };
    const stopped = status.kind === 'stopped';
    item.backgroundColor = stopped ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.show();
  };
  show(server.status);
  return vscode.Disposable.from(item, server.onStatus(show));
}

export async function showMenu(server: Server): Promise<void> {
  const items: (vscode.QuickPickItem & { command: string; argument?: string })[] = [
    { label: '$(preview) Show Board Beside', command: 'cpz.showBoard' },
    { label: '$(new-file) New Puzzle…', command: 'cpz.newPuzzle' },
    { label: '$(mortar-board) Walkthrough', command: 'cpz.openWalkthrough' },
    { label: '$(gear) Settings', command: 'workbench.action.openSettings', argument: '@ext:cpz.cpz' },
    { label: '$(debug-restart) Restart Server', command: 'cpz.restartServer' },
    { label: '$(output) Show Output', command: 'cpz.showOutput' },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: `cpz: ${server.status.what}`, placeHolder: 'Choose a command' });
  if (chosen) {
    await vscode.commands.executeCommand(chosen.command, ...(chosen.argument ? [chosen.argument] : []));
  }
}
