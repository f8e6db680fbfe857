// The commands for composers and collectors: generate a puzzle, show a hint, sort the puzzles.
import * as vscode from 'vscode';
import { editorOf } from './editor';
import type { Server } from './server';

type Choice<T> = vscode.QuickPickItem & { value: T };

/** Asks for one of some values; undefined if the user closes the list. */
async function choose<T>(title: string, choices: Choice<T>[]): Promise<T | undefined> {
  const chosen = await vscode.window.showQuickPick(choices, { title, placeHolder: choices[0]?.detail ?? title });
  return chosen?.value;
}

const SIZES = [4, 5, 6, 3];
const PIECES = [6, 4, 5, 7, 8, 9, 10, 12];
const DIFFICULTIES: Choice<[number, number] | null>[] = [
  { label: 'Any difficulty', value: null },
  { label: 'Easy', description: '1 to 3', value: [1, 3] },
  { label: 'Medium', description: '3 to 6', value: [3, 6] },
  { label: 'Hard', description: '6 to 10', value: [6, 10] },
];

/** Asks what kind of Solitaire Chess puzzle is wanted, and lets the server add one at the end of the text. */
export async function generatePuzzle(server: Server, editor: vscode.TextEditor, showBoard: () => void): Promise<void> {
  const title = 'Generate a Solitaire Chess puzzle';
  const pieces = await choose(`${title} (1/4): how many pieces?`, PIECES.map((n) => ({ label: `${n} pieces`, value: n })));
  if (!pieces) {
    return;
  }
  const sizes = SIZES.filter((side) => side * side > pieces).map((side) => ({ label: `${side}×${side}`, value: side }));
  const side = await choose(`${title} (2/4): which board?`, sizes);
  if (!side) {
    return;
  }
  const unique = await choose(`${title} (3/4): how many solutions?`, [
    { label: 'Exactly one solution', value: true },
    { label: 'One or more solutions', value: false },
  ]);
  if (unique === undefined) {
    return;
  }
  const difficulty = await choose(`${title} (4/4): how hard? (an estimate)`, DIFFICULTIES);
  if (difficulty === undefined) {
    return;
  }
  const { document } = editor;
  const what = server.running ? await server.platform.readOnly(document.uri) : 'the server is not running';
  if (what) {
    void vscode.window.showWarningMessage(`cpz: nothing was written, because ${what}.`);
    return;
  }
  const { version } = document;
  const changed = nextVersion(document);
  await vscode.commands.executeCommand('cpz.generatePuzzle', {
    uri: document.uri.toString(),
    version,
    position: { line: 0, character: 0 },
    wanted: {
      pieces,
      columns: side,
      rows: side,
      unique,
      ...(difficulty ? { difficulty } : {}),
      // Another puzzle each time; the text names it, so that the puzzle can be made again.
      seed: 1 + Math.floor(Math.random() * 999_999),
    },
  });
  // If nothing was found, the server has said so.
  if (await changed) {
    const text = document.getText();
    const at = document.positionAt(text.lastIndexOf('\nsolitaire') + 1);
    const shown = await vscode.window.showTextDocument(document, editor.viewColumn);
    shown.selection = new vscode.Selection(at, at);
    shown.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    showBoard();
  }
}

/** Whether a document changes within a time that is long for an edit. */
function nextVersion(document: vscode.TextDocument): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), 10_000);
    const listener = vscode.workspace.onDidChangeTextDocument((change) => change.document === document && end(true));
    const end = (hasChanged: boolean) => {
      clearTimeout(timer);
      listener.dispose();
      resolve(hasChanged);
    };
  });
}

/** Shows a hint for the puzzle under the cursor; a button of the message asks for the next one. */
export async function showHint(server: Server): Promise<void> {
  const editor = editorOf(server);
  if (editor) {
    await vscode.commands.executeCommand('cpz.showHint', place(editor));
  }
}

/** Asks by what to sort, and sorts the puzzles of the text with their comments. */
export async function sortPuzzles(server: Server): Promise<void> {
  const editor = editorOf(server);
  const by = editor && (await choose('Sort the puzzles of this file', [
    { label: 'By difficulty', description: 'easiest first; an estimate', value: 'difficulty' },
    { label: 'By number of pieces', value: 'pieces' },
    { label: 'By name', value: 'name' },
    { label: 'By id', value: 'id' },
  ]));
  if (editor && by) {
    await vscode.commands.executeCommand('cpz.sortPuzzles', { ...place(editor), by });
  }
}

/** The argument of the server's commands. */
function place({ document, selection }: vscode.TextEditor) {
  const { line, character } = selection.active;
  return { uri: document.uri.toString(), version: document.version, position: { line, character } };
}
