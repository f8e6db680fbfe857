// Holds back the findings of what is being typed until the typing pauses.
import * as vscode from 'vscode';
import { PAUSE, unfinished } from '../../board/unfinished';

/** How long VS Code may take to tell the position of the cursor after an edit, in milliseconds. */
const CURSOR_DELAY = 50;

type Show = (uri: vscode.Uri, found: vscode.Diagnostic[]) => void;

export class Drafts implements vscode.Disposable {
  private readonly edited = new WeakMap<vscode.TextDocument, number>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** For the documents that have pushed findings held back, by URI: shows what is to be shown now. */
  private readonly pushed = new Map<string, { again: () => void; timer: ReturnType<typeof setTimeout> }>();
  private readonly subscriptions: vscode.Disposable;

  /** `pull` requests the findings of servers that do not push them. */
  constructor(pull: () => void) {
    const refresh = () => {
      pull();
      [...this.pushed.values()].forEach(({ again }) => again());
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

  private isTyped(document: vscode.TextDocument): boolean {
    const edited = this.edited.get(document) ?? 0;
    return vscode.window.activeTextEditor?.document === document && Date.now() - edited < PAUSE - 100;
  }

  /** The findings that are shown now. */
  shown(document: vscode.TextDocument, found: vscode.Diagnostic[]): vscode.Diagnostic[] {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !found.length || !this.isTyped(document)) {
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
  push(uri: vscode.Uri, found: vscode.Diagnostic[], show: Show): void {
    const key = uri.toString();
    clearTimeout(this.pushed.get(key)?.timer);
    this.pushed.delete(key);
    const document = found.length ? vscode.workspace.textDocuments.find((d) => d.uri.toString() === key) : undefined;
    if (!document || !this.isTyped(document)) {
      return show(uri, found);
    }
    const again = () => {
      const shown = this.shown(document, found);
      show(uri, shown);
      if (shown.length === found.length) {
        this.pushed.delete(key);
      }
    };
    // A quick server answers before VS Code tells where the cursor is after the edit.
    this.pushed.set(key, { again, timer: setTimeout(again, CURSOR_DELAY) });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.pushed.forEach(({ timer }) => clearTimeout(timer));
    this.subscriptions.dispose();
  }
}
