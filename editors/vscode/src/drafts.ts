// Holds back the findings of what is being typed: a word that is not finished, a brace that is not closed yet, a board
// that is not complete. They appear when the typing pauses.
import * as vscode from 'vscode';

/** How long after the last key the findings appear, in milliseconds. */
const PAUSE = 3000;
/** Findings that another word or row may remove. */
const UNFINISHED = new Set(['syntax', 'unknown-keyword']);
const UNFINISHED_BOARD = new Set(['missing-board', 'board-shape']);

export class Drafts implements vscode.Disposable {
  private readonly edited = new WeakMap<vscode.TextDocument, number>();
  private timer: NodeJS.Timeout | undefined;
  private readonly subscriptions: vscode.Disposable;

  /** `refresh` requests the findings again. */
  constructor(refresh: () => void) {
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
    // Only at the end of the text: what is behind the cursor cannot be what is missing.
    const { line } = editor.selection.active;
    const cursor = document.offsetAt(editor.selection.active);
    const text = document.getText();
    const written = text.slice(0, cursor).trimEnd();
    if (text.slice(cursor).trim() || written.endsWith('}')) {
      return found;
    }
    return found.filter(({ code, range }) => {
      const name = `${code && typeof code === 'object' ? code.value : code}`;
      const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
      const isOpen = !text.slice(end, cursor).includes('}');
      const isLast = end >= written.length || range.end.line === line || text.slice(start, end) === '{';
      return !(isOpen && (UNFINISHED_BOARD.has(name) || (UNFINISHED.has(name) && isLast)));
    });
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.subscriptions.dispose();
  }
}
