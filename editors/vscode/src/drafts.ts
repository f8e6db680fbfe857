// Holds back the findings of what is being typed until the typing pauses.
import * as vscode from 'vscode';
import { PAUSE, unfinished } from '../../board/unfinished';

/** How long VS Code may take to tell the position of the cursor after an edit, in milliseconds. */
const CURSOR_DELAY = 50;

/** The last edit of a document. */
interface Edit {
  /** When it was, in milliseconds. */
  time: number;
  /** The offset behind it, which is where the cursor is after a key. VS Code tells the cursor later than the text. */
  end: number;
}

type Show = (uri: vscode.Uri, found: vscode.Diagnostic[]) => void;

export class Drafts implements vscode.Disposable {
  private readonly edited = new WeakMap<vscode.TextDocument, Edit>();
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
        const end = Math.max(...contentChanges.map(({ rangeOffset, text }) => rangeOffset + text.length));
        this.edited.set(document, { time: Date.now(), end });
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
    const time = this.edited.get(document)?.time ?? 0;
    return vscode.window.activeTextEditor?.document === document && Date.now() - time < PAUSE - 100;
  }

  /** The findings that are shown now. */
  shown(document: vscode.TextDocument, found: vscode.Diagnostic[]): vscode.Diagnostic[] {
    const editor = vscode.window.activeTextEditor;
    if (!editor || !found.length || !this.isTyped(document)) {
      return found;
    }
    const told = document.offsetAt(editor.selection.active);
    // The cursor may still be told where it was before the edit.
    const cursors = [told, this.edited.get(document)?.end ?? told].map((cursor) => ({
      line: document.positionAt(cursor).line,
      isUnfinished: unfinished(document.getText(), cursor),
    }));
    return found.filter(({ code, range }) => {
      const name = `${code && typeof code === 'object' ? code.value : code}`;
      const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
      return !cursors.some(({ line, isUnfinished }) => isUnfinished?.({ code: name, start, end, isOnLine: range.end.line === line }));
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
