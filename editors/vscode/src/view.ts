// Keeps the cursor and the scroll position of an editor while a command of the server inserts answers.
import * as vscode from 'vscode';

/** How long an edit may come after the answer to its command, in milliseconds: a large file takes a while. */
const EDIT_TIMEOUT = 3000;
/** How long VS Code takes to move the cursor to an edit, in milliseconds. */
const CURSOR_DELAY = 60;

/** Runs a command that inserts answers. VS Code would put the cursor to the last of them and scroll there. */
export async function keepingView<T>(uri: vscode.Uri, run: () => Promise<T>): Promise<T> {
  const editor = vscode.window.visibleTextEditors.find((e) => e.document.uri.toString() === uri.toString());
  if (!editor) {
    return run();
  }
  const { selections } = editor;
  const top = editor.visibleRanges[0]?.start ?? new vscode.Position(0, 0);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const watchers: vscode.Disposable[] = [];
  const end = () => {
    clearTimeout(timer);
    vscode.Disposable.from(...watchers).dispose();
  };
  watchers.push(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (document !== editor.document || !contentChanges.length) {
        return;
      }
      if (!contentChanges.every(({ text }) => text.includes('=>'))) {
        // The user types: the cursor is where it belongs.
        return end();
      }
      const move = (at: vscode.Position) => shifted(at, contentChanges);
      const kept = selections.map((s) => new vscode.Selection(move(s.anchor), move(s.active)));
      clearTimeout(timer);
      timer = setTimeout(() => {
        end();
        editor.selections = kept;
        editor.revealRange(new vscode.Range(move(top), move(top)), vscode.TextEditorRevealType.AtTop);
      }, CURSOR_DELAY);
    }),
    vscode.window.onDidChangeTextEditorSelection(({ textEditor, kind }) => {
      if (textEditor === editor && (kind === vscode.TextEditorSelectionChangeKind.Keyboard || kind === vscode.TextEditorSelectionChangeKind.Mouse)) {
        // The user has gone elsewhere.
        end();
      }
    }),
  );
  try {
    return await run();
  } finally {
    timer ??= setTimeout(end, EDIT_TIMEOUT);
  }
}

/** A position after changes, all of them in coordinates of the text before. Text inserted at it comes behind it. */
function shifted(at: vscode.Position, changes: readonly vscode.TextDocumentContentChangeEvent[]): vscode.Position {
  let { line, character } = at;
  for (const { range, text } of changes) {
    if (range.end.isAfterOrEqual(at)) {
      continue;
    }
    const inserted = text.split('\n');
    if (range.end.line === at.line) {
      const last = inserted.at(-1)?.length ?? 0;
      character += last - range.end.character + (inserted.length === 1 ? range.start.character : 0);
    }
    line += inserted.length - 1 - (range.end.line - range.start.line);
  }
  return new vscode.Position(Math.max(0, line), Math.max(0, character));
}
