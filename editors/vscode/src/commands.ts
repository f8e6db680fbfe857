// The commands of the palette that change a text.
import * as vscode from 'vscode';
import type { Board } from '../../board/protocol';
import { placeFor, PUZZLES } from '../../board/templates';
import { plain } from '../../board/words';
import { generatePuzzle } from './authoring';
import { editorOf } from './editor';
import { say } from './notices';
import type { Server } from './server';

/** Codes of written answers that are wrong. */
const WRONG_ANSWERS = new Set(['wrong-solution', 'wrong-answer']);

/** Asks the server to insert one answer, or all answers of the file. */
export async function insertAnswers(server: Server, command: 'cpz.insertAnswer' | 'cpz.insertAllAnswers'): Promise<void> {
  const editor = editorOf(server);
  if (!editor) {
    return;
  }
  const { document, selection } = editor;
  const { line, character } = selection.active;
  if (command === 'cpz.insertAnswer' && (await offerReplacement(server, editor))) {
    return;
  }
  // The client's command passes the middleware, which refuses read-only documents.
  await vscode.commands.executeCommand(command, {
    uri: document.uri.toString(),
    version: document.version,
    position: { line, character },
  });
}

/**
 * If the query under the cursor has a wrong answer, asks whether to replace it. Returns false if there is none, or no
 * fix for it.
 */
async function offerReplacement(server: Server, { document, selection }: vscode.TextEditor): Promise<boolean> {
  const { version } = document;
  const { line, character } = selection.active;
  const params = { textDocument: { uri: document.uri.toString() }, position: { line, character }, wait: true };
  const board = await server.running?.sendRequest<Board | null>('cpz/board', params).then(undefined, () => null);
  const query = board?.queries.find(({ shown }) => shown);
  if (!query) {
    return false;
  }
  const { start, end } = query.range;
  const range = new vscode.Range(start.line, start.character, end.line, end.character);
  const isWrong = ({ code }: vscode.Diagnostic) => WRONG_ANSWERS.has(`${code && typeof code === 'object' ? code.value : code}`);
  const wrong = vscode.languages.getDiagnostics(document.uri).find((d) => isWrong(d) && range.contains(d.range));
  if (!wrong) {
    return false;
  }
  const actions = await codeActions(server, document, wrong.range, vscode.CodeActionKind.QuickFix);
  const edit = actions.find((action) => action.edit && /^Replace (the answer )?with/.test(action.title))?.edit;
  if (!edit) {
    return false;
  }
  const replace = 'Replace It';
  // Without the name of the puzzle, and without the hints in the lines behind the first.
  const [why = ''] = plain(wrong.message).replace(/^“[^”\n]*”: /, '').split('\n', 1);
  const question = `the written answer is wrong: ${why}. Replace it with one that is right? If the board is what is wrong, keep the answer.`;
  if ((await say('warning', question, replace, 'Keep It')) !== replace) {
    return true;
  }
  const what = version === document.version ? await server.platform.readOnly(document.uri) : 'the text has changed in the meantime';
  if (what || !(await vscode.workspace.applyEdit(edit))) {
    void say('warning', `nothing was replaced, because ${what ?? 'the text has changed in the meantime'}.`);
  }
  return true;
}

/**
 * The actions of the server for a range. VS Code is not asked for them: it cancels `vscode.executeCodeActionProvider` when
 * any extension registers actions in the meantime, as many do while a window opens.
 */
async function codeActions(
  server: Server,
  document: vscode.TextDocument,
  range: vscode.Range,
  only: vscode.CodeActionKind,
): Promise<vscode.CodeAction[]> {
  const provider = server.running?.getFeature('textDocument/codeAction').getProvider(document);
  const diagnostics = vscode.languages.getDiagnostics(document.uri).filter((d) => range.intersection(d.range));
  const context = { diagnostics, only, triggerKind: vscode.CodeActionTriggerKind.Invoke };
  const found = await provider?.provideCodeActions(document, range, context, new vscode.CancellationTokenSource().token);
  return (found ?? []).filter((action) => action instanceof vscode.CodeAction);
}

/** Writes the board under the cursor in another format. */
export async function convertBoard(server: Server): Promise<void> {
  const editor = editorOf(server);
  if (!editor) {
    return;
  }
  const { document, selection } = editor;
  const { version } = document;
  const kind = vscode.CodeActionKind.RefactorRewrite.append('convert');
  const found = await codeActions(server, document, new vscode.Range(selection.active, selection.active), kind);
  const actions = found.filter((action) => action.edit && action.kind?.value === kind.value);
  if (!actions.length) {
    void vscode.window.showInformationMessage('cpz: no board can be converted here. Put the cursor in a puzzle whose board has no errors.');
    return;
  }
  // How the board will be written: the longest text of the edit, in one line.
  const sample = ({ edit }: vscode.CodeAction) => {
    const texts = edit?.get(document.uri).map(({ newText }) => newText) ?? [];
    const board = texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '');
    const rows = board.trim().replace(/^board\s+/, '').split(/\s*\n\s*/);
    const line = rows.join(board.includes('[') ? ' ' : ' / ');
    return line.length > 60 ? `${line.slice(0, 59)}…` : line;
  };
  const items = actions.map((action) => ({
    label: plain(action.title.replace(/^Convert the board to /, '')),
    description: sample(action),
    action,
  }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Write the board as…' });
  if (!chosen?.action.edit) {
    return;
  }
  const what = version === document.version ? await server.platform.readOnly(document.uri) : 'the text has changed in the meantime';
  if (what || !(await vscode.workspace.applyEdit(chosen.action.edit))) {
    void vscode.window.showWarningMessage(`cpz: nothing was converted, because ${what ?? 'the text has changed in the meantime'}.`);
  }
}

/**
 * Inserts a template after the puzzle under the cursor, or into a new document, and shows its board. `given` is the
 * document of the board panel that asks for it.
 */
export async function newPuzzle(server: Server, showBoard: () => void, given?: vscode.TextDocument): Promise<void> {
  const chosen = await vscode.window.showQuickPick([...PUZZLES, GENERATED], {
    placeHolder: 'Choose a puzzle to start from',
    matchOnDescription: true,
  });
  if (!chosen) {
    return;
  }
  let editor = vscode.window.activeTextEditor;
  if (given && !given.isClosed) {
    const shown = vscode.window.visibleTextEditors.find((e) => e.document === given);
    editor = await vscode.window.showTextDocument(given, shown?.viewColumn ?? vscode.ViewColumn.One);
  } else if (editor?.document.languageId !== 'cpz') {
    editor = await vscode.window.showTextDocument(await untitled(server.platform.home));
  }
  const what = await server.platform.readOnly(editor.document.uri);
  if (what) {
    void vscode.window.showWarningMessage(`cpz: nothing was written, because ${what}.`);
    return;
  }
  if (chosen === GENERATED) {
    return generatePuzzle(server, editor, showBoard);
  }
  const text = editor.document.getText();
  const { line, character, before, after } = placeFor(text, editor.selection.active.line);
  const at = new vscode.Position(line, character);
  if (!(await editor.insertSnippet(new vscode.SnippetString(`${before}${chosen.snippet(text)}${after}`), at))) {
    void vscode.window.showWarningMessage('cpz: nothing was written, because the editor rejected the change.');
    return;
  }
  showBoard();
}

/**
 * A new document that is saved as `puzzles.cpz` in the workspace folder, or in the home folder if there is none; with a
 * number if that file exists. Without a path, VS Code would propose the first line of the text as the file's name.
 */
async function untitled(home: vscode.Uri | undefined): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? home;
  if (folder?.scheme !== 'file') {
    return vscode.workspace.openTextDocument({ language: 'cpz', content: '' });
  }
  for (let number = 1; ; number++) {
    const file = vscode.Uri.joinPath(folder, number === 1 ? 'puzzles.cpz' : `puzzles-${number}.cpz`);
    const uri = file.with({ scheme: 'untitled' });
    const isOpen = vscode.workspace.textDocuments.some((d) => !d.isClosed && d.uri.path === uri.path);
    const exists = await vscode.workspace.fs.stat(file).then(
      () => true,
      () => false,
    );
    if (!isOpen && !exists) {
      return vscode.workspace.openTextDocument(uri);
    }
  }
}

/** What New Puzzle offers besides. */
const GENERATED = { label: 'Generated puzzle…', description: 'Made by cpz: you choose the game, what it has, and how hard it is', snippet: () => '' };
