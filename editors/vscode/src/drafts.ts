// Holds back the findings of what is being typed until the typing pauses.
import * as vscode from 'vscode';
import { PAUSE, unfinished } from '../../board/unfinished';

export class Drafts implements vscode.Disposable {
  private readonly edited = new WeakMap<vscode.TextDocument, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Shows the pushed findings of a document again, for those that have some held back; by URI. */
  private readonly held = new Map<string, () => void>();
  private readonly subscriptions: vscode.Disposable;

  /** `pull` requests the findings of servers that do not push them. */
  constructor(pull: () => void) {
    const refresh = () => {
      pull();
      [...this.held.values()].forEach((show) => show());
    };
    this.subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (document.languageId !== 'cpz' || !contentChanges.length) {
          return;
        }
        this.edited.set(document, Date.now());
        clearTimeout(this.timer);
        this.timer = setTimeout(refresh, PAUSE);
      }),
      vscode.workspace.onDidSaveTextDocument((document) => {
        if (this.edited.delete(document)) {
          refresh();
        }
      }),
    );
  }

  /** The findings that are shown now. */
  shown(document: vscode.TextDocument, found: vscode.Diagnostic[]): vscode.Diagnostic[] {
    const editor = vscode.window.activeTextEditor;
    const isTyped = editor?.document === document && Date.now() - (this.edited.get(document) ?? 0) < PAUSE - 100;
    if (!isTyped || !found.length) {
      return found;
    }
    const { line } = editor.selection.active;
    const isUnfinished = unfinished(document.getText(), document.offsetAt(editor.selection.active));
    return found.filter(({ code, range }) => {
      const name = `${code && typeof code === 'object' ? code.value : code}`;
      const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
      return !isUnfinished?.({ code: name, start, end, isOnLine: range.end.line === line });
    });
  }

  /** Shows the findings of a document that the server has pushed: now those that are not held back, and then all. */
  push(uri: vscode.Uri, found: vscode.Diagnostic[], show: (uri: vscode.Uri, found: vscode.Diagnostic[]) => void): void {
    const key = uri.toString();
    const document = found.length ? vscode.workspace.textDocuments.find((d) => d.uri.toString() === key) : undefined;
    const shown = document ? this.shown(document, found) : found;
    if (shown.length < found.length) {
      this.held.set(key, () => this.push(uri, found, show));
    } else {
      this.held.delete(key);
    }
    show(uri, shown);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
  }
}
