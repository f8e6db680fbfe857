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
const CAPTURES = [3, 2, 4, 5, 6];
const CUBES = [3, 4, 5];
const DIFFICULTIES: Choice<[number, number] | null>[] = [
  { label: 'Any difficulty', value: null },
  { label: 'Easy', description: '1 to 3', value: [1, 3] },
  { label: 'Medium', description: '3 to 6', value: [3, 6] },
  { label: 'Hard', description: '6 to 10', value: [6, 10] },
];

/** What kind of puzzle is wanted, as `cpz.generatePuzzle` takes it, without its seed. */
type Wanted = { game: string } & Record<string, unknown>;
/** Asks one question about a game; the next one has the next number. */
type Ask = <T>(question: string, choices: Choice<T>[]) => Promise<T | undefined>;

/** The questions about each game. Undefined if the user closes a list. */
const GAMES: Record<string, { label: string; detail: string; questions: number; ask(ask: Ask): Promise<object | undefined> }> = {
  solitaire: { label: 'Solitaire Chess', detail: 'every move captures, and one piece remains', questions: 4, ask: askSolitaire },
  draughts: {
    label: 'Draughts',
    detail: 'a capture, the only one there is',
    questions: 2,
    ask: async (ask) => {
      const captures = await ask('how many pieces are captured?', CAPTURES.map((n) => ({ label: `${n} pieces`, value: n })));
      return captures ? { captures } : undefined;
    },
  },
  chess3d: {
    label: 'Chess on a cube',
    detail: 'a mate in which no piece is idle',
    questions: 2,
    ask: async (ask) => {
      const side = await ask('which cube?', CUBES.map((n) => ({ label: `${n}×${n}×${n}`, value: n })));
      return side ? { side } : undefined;
    },
  },
};

async function askSolitaire(ask: Ask): Promise<object | undefined> {
  const pieces = await ask('how many pieces?', PIECES.map((n) => ({ label: `${n} pieces`, value: n })));
  if (!pieces) {
    return undefined;
  }
  const sizes = SIZES.filter((side) => side * side > pieces).map((side) => ({ label: `${side}×${side}`, value: side }));
  const side = await ask('which board?', sizes);
  const unique = side && (await ask('how many solutions?', [
    { label: 'Exactly one solution', value: true },
    { label: 'One or more solutions', value: false },
  ]));
  return unique === undefined ? undefined : { pieces, columns: side, rows: side, unique };
}

async function askWanted(): Promise<Wanted | undefined> {
  const games = Object.entries(GAMES).map(([value, { label, detail }]) => ({ label, description: detail, value }));
  const word = await choose('Generate a puzzle: of which game?', games);
  const game = word === undefined ? undefined : GAMES[word];
  if (word === undefined || !game) {
    return undefined;
  }
  let asked = 0;
  const ask: Ask = (question, choices) => choose(`${game.label} (${++asked}/${game.questions}): ${question}`, choices);
  const answers = await game.ask(ask);
  const difficulty = answers && (await ask('how hard? (an estimate)', DIFFICULTIES));
  return difficulty === undefined ? undefined : { game: word, ...answers, ...(difficulty ? { difficulty } : {}) };
}

/** Asks what kind of puzzle is wanted, and lets the server add one at the end of the text. */
export async function generatePuzzle(server: Server, editor: vscode.TextEditor, showBoard: () => void): Promise<void> {
  const wanted = await askWanted();
  if (!wanted) {
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
    // Another puzzle each time; the text names the seed, so that the puzzle can be made again.
    wanted: { ...wanted, seed: 1 + Math.floor(Math.random() * 999_999) },
  });
  // If nothing was found, the server has said so.
  if (await changed) {
    const text = document.getText();
    const at = document.positionAt(text.lastIndexOf(`\n${wanted.game}`) + 1);
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
