// The commands that a person calls by name.
import * as vscode from 'vscode';
import snippets from '../snippets/cpz.json';
import { readOnly } from './readonly';
import type { Server } from './server';

/** The puzzle that is being looked at, or a sentence in its place. */
function editorOf(server: Server): vscode.TextEditor | undefined {
  // The walkthrough and the board may have the focus.
  const shown = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const editor = shown.find((e) => e?.document.languageId === 'cpz');
  if (!editor) {
    void vscode.window.showInformationMessage('cpz: open a .cpz file and put the cursor in a puzzle first.');
    return undefined;
  }
  if (!server.running) {
    const restart = 'Restart';
    void vscode.window
      .showWarningMessage(`cpz: ${server.status.what.replace(/\.$/, '')}.`, restart)
      .then((chosen) => (chosen === restart ? server.restart() : undefined));
    return undefined;
  }
  return editor;
}

/** Has the server write an answer, or all of a file. */
export async function insert(server: Server, command: 'cpz.insertAnswer' | 'cpz.insertAllAnswers'): Promise<void> {
  const editor = editorOf(server);
  if (!editor) {
    return;
  }
  const { document, selection } = editor;
  const { line, character } = selection.active;
  // The client's own command asks first whether the document can be changed.
  await vscode.commands.executeCommand(command, {
    uri: document.uri.toString(),
    version: document.version,
    position: { line, character },
  });
}

/** Writes the board under the cursor in another format. */
export async function convertBoard(server: Server): Promise<void> {
  const editor = editorOf(server);
  if (!editor) {
    return;
  }
  const { document, selection } = editor;
  const { version } = document;
  const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    document.uri,
    new vscode.Range(selection.active, selection.active),
    'refactor.rewrite.convert',
  );
  const actions = (found ?? []).filter((action) => action.edit && action.kind?.value === 'refactor.rewrite.convert');
  if (!actions.length) {
    void vscode.window.showInformationMessage('cpz: the cursor is in no puzzle whose board can be converted.');
    return;
  }
  const items = actions.map((action) => ({ label: action.title.replace(/^Convert the board to /, ''), action }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Write the board as…' });
  if (!chosen?.action.edit) {
    return;
  }
  const what = version === document.version ? await readOnly(document.uri) : 'the text has changed';
  if (what || !(await vscode.workspace.applyEdit(chosen.action.edit))) {
    void vscode.window.showWarningMessage(`cpz: nothing was converted, because ${what ?? 'the text has changed'}.`);
  }
}

/** Writes a puzzle to begin with behind the one under the cursor, or into a new document. */
export async function newPuzzle(): Promise<void> {
  const chosen = await vscode.window.showQuickPick(PUZZLES, {
    placeHolder: 'Which puzzle to begin with?',
    matchOnDescription: true,
  });
  if (!chosen) {
    return;
  }
  let editor = vscode.window.activeTextEditor;
  if (editor?.document.languageId !== 'cpz') {
    const document = await vscode.workspace.openTextDocument({ language: 'cpz', content: '' });
    editor = await vscode.window.showTextDocument(document);
  }
  const what = await readOnly(editor.document.uri);
  if (what) {
    void vscode.window.showWarningMessage(`cpz: nothing was written, because ${what}.`);
    return;
  }
  // Each with a name of its own, so that none is there twice.
  const known = editor.document.getText();
  let number = 1;
  while (known.includes(`"Puzzle ${number}"`)) {
    number++;
  }
  const snippet = chosen.snippet.replace('${1:name}', `\${1:Puzzle ${number}}`);
  const at = place(editor.document, editor.selection.active.line);
  const before = at.line > 0 && editor.document.lineAt(at.line - 1).text.trim() ? '\n' : '';
  const lead = at.character > 0 ? '\n\n' : before;
  const rest = editor.document.getText(new vscode.Range(at, editor.document.positionAt(Number.MAX_SAFE_INTEGER)));
  const tail = rest.trim() ? (/^\r?\n/.test(rest) ? '\n' : '\n\n') : rest ? '' : '\n';
  if (!(await editor.insertSnippet(new vscode.SnippetString(`${lead}${snippet}${tail}`), at))) {
    void vscode.window.showWarningMessage('cpz: nothing was written, because the editor did not take it.');
  }
}

/** The next place at or behind a line that is in no puzzle: a puzzle ends with the brace that opened it. */
function place(document: vscode.TextDocument, line: number): vscode.Position {
  let open = 0;
  for (let n = 0; n < document.lineCount; n++) {
    const text = document.lineAt(n).text;
    if (n >= line && open === 0 && !text.trim()) {
      return new vscode.Position(n, 0);
    }
    // What comes first counts: a string may hold slashes, and a comment quotes.
    const code = text.replace(/'[^']*'|"[^"]*"|\([^)]*\)|(?<=^|[\s[\]{}(),])\/\/.*$/g, '');
    open = Math.max(0, open + (code.match(/\{/g)?.length ?? 0) - (code.match(/\}/g)?.length ?? 0));
  }
  return document.lineAt(document.lineCount - 1).range.end;
}

/** The snippets that are whole puzzles, by their names. */
const PUZZLES = Object.entries(snippets)
  .map(([label, { description, body }]) => ({ label, description, snippet: body.join('\n') }))
  .filter(({ snippet }) => snippet.includes('{\n'));
