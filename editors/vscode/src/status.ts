// The status bar item and its menu.
import * as vscode from 'vscode';
import { fileName } from './files';
import type { Server } from './server';

export function statusBar(server: Server): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('cpz.status', vscode.StatusBarAlignment.Right, 50);
  item.name = 'cpz';
  item.command = 'cpz.showMenu';
  const show = () => {
    const { status } = server;
    const icon = { starting: '$(sync~spin)', ready: '$(check)', stopped: '$(error)' }[status.kind];
    item.text = `${icon} cpz`;
    const document = status.kind === 'ready' ? activeDocument() : undefined;
    const found = document && findings(document.uri);
    item.tooltip = found ? `${fileName(document.uri)}: ${found}\n${status.what}` : status.what;
    item.accessibilityInformation = { label: `cpz, ${status.what}${found ? `, ${found}` : ''}`, role: 'button' };
    const stopped = status.kind === 'stopped';
    item.backgroundColor = stopped ? new vscode.ThemeColor('statusBarItem.errorBackground') : undefined;
    item.show();
  };
  show();
  return vscode.Disposable.from(
    item,
    server.onStatus(show),
    vscode.window.onDidChangeActiveTextEditor(show),
    vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const shown = activeDocument()?.uri.toString();
      if (shown && uris.some((uri) => uri.toString() === shown)) {
        show();
      }
    }),
  );
}

function activeDocument(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document?.languageId === 'cpz' ? document : undefined;
}

/** The number of findings in a document: `8 errors, 3 warnings`. */
function findings(uri: vscode.Uri): string {
  const all = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'cpz');
  const count = (severity: vscode.DiagnosticSeverity) => all.filter((d) => d.severity === severity).length;
  const [errors, warnings] = [count(vscode.DiagnosticSeverity.Error), count(vscode.DiagnosticSeverity.Warning)];
  // The server shows the worst findings of a large file, and says how many there are besides.
  const more = all.map(({ message }) => /^(\d+) more findings are not shown/.exec(message)?.[1]).find(Boolean);
  const parts = [errors && counted(errors, 'error'), warnings && counted(warnings, 'warning'), more && `${more} more findings`];
  return parts.filter(Boolean).join(', ') || 'no errors';
}

function counted(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** What the menu is about: `60 puzzles, 8 errors`; without a text the state of the server. */
async function summary(server: Server): Promise<string> {
  const document = server.running && activeDocument();
  if (!document) {
    return server.status.kind === 'ready' ? `cpz ${server.status.version}` : `cpz: ${server.status.what}`;
  }
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[]>('vscode.executeDocumentSymbolProvider', document.uri);
  const puzzles = symbols?.length ?? 0;
  // The outline ends after 5,000 puzzles.
  return `${puzzles < 5000 ? counted(puzzles, 'puzzle') : 'more than 5000 puzzles'}, ${findings(document.uri)}`;
}

export async function showMenu(server: Server): Promise<void> {
  const place = server.found?.place;
  const items: (vscode.QuickPickItem & { command: string; argument?: string })[] = [
    { label: '$(preview) Show Board Beside', command: 'cpz.showBoard' },
    { label: '$(library) Browse Collection', command: 'cpz.browseCollection' },
    { label: '$(new-file) New Puzzle…', command: 'cpz.newPuzzle' },
    { label: '$(mortar-board) Walkthrough', command: 'cpz.openWalkthrough' },
    { label: '$(gear) Settings', command: 'workbench.action.openSettings', argument: '@ext:cpz.cpz' },
    { label: '$(debug-restart) Restart Server', command: 'cpz.restartServer', ...(place ? { description: place } : {}) },
    { label: '$(output) Show Output', command: 'cpz.showOutput' },
  ];
  const chosen = await vscode.window.showQuickPick(items, { title: await summary(server), placeHolder: 'Choose a command' });
  if (chosen) {
    await vscode.commands.executeCommand(chosen.command, ...(chosen.argument ? [chosen.argument] : []));
  }
}
