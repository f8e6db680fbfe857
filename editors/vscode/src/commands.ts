// The commands of the palette that change a text.
import * as vscode from 'vscode';
import snippets from '../snippets/cpz.json';
import { readOnly } from './readonly';
import type { Server } from './server';

/** The editor to work on; without one, or without a server, shows a message and returns undefined. */
function editorOf(server: Server): vscode.TextEditor | undefined {
  // The walkthrough or the board panel may have the focus.
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

/** Asks the server to insert one answer, or all answers of the file. */
export async function insertAnswers(server: Server, command: 'cpz.insertAnswer' | 'cpz.insertAllAnswers'): Promise<void> {
  const editor = editorOf(server);
  if (!editor) {
    return;
  }
  const { document, selection } = editor;
  const { line, character } = selection.active;
  // The client's command passes the middleware, which refuses read-only documents.
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
    void vscode.window.showInformationMessage('cpz: no board can be converted here. Put the cursor in a puzzle whose board has no errors.');
    return;
  }
  const items = actions.map((action) => ({ label: action.title.replace(/^Convert the board to /, ''), action }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Write the board as…' });
  if (!chosen?.action.edit) {
    return;
  }
  const what = version === document.version ? await readOnly(document.uri) : 'the text has changed in the meantime';
  if (what || !(await vscode.workspace.applyEdit(chosen.action.edit))) {
    void vscode.window.showWarningMessage(`cpz: nothing was converted, because ${what ?? 'the text has changed in the meantime'}.`);
  }
}

/** Inserts a template after the puzzle under the cursor, or into a new document. */
export async function newPuzzle(): Promise<void> {
  const chosen = await vscode.window.showQuickPick(PUZZLES, {
    placeHolder: 'Choose a puzzle to start from',
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
  // A name that the file does not have yet, so that cpz reports no duplicate name.
  const text = editor.document.getText();
  let number = 1;
  while (text.includes(`"Puzzle ${number}"`)) {
    number++;
  }
  const snippet = chosen.snippet.replace('${1:name}', `\${1:Puzzle ${number}}`);
  const at = insertPosition(editor.document, editor.selection.active.line);
  const before = at.line > 0 && editor.document.lineAt(at.line - 1).text.trim() ? '\n' : '';
  const lead = at.character > 0 ? '\n\n' : before;
  const rest = editor.document.getText(new vscode.Range(at, editor.document.positionAt(Number.MAX_SAFE_INTEGER)));
  const tail = rest.trim() ? (/^\r?\n/.test(rest) ? '\n' : '\n\n') : rest ? '' : '\n';
  if (!(await editor.insertSnippet(new vscode.SnippetString(`${lead}${snippet}${tail}`), at))) {
    void vscode.window.showWarningMessage('cpz: nothing was written, because the editor rejected the change.');
  }
}

/** The first empty line at or after `line` (0-based) that is outside of all braces; else the end of the document. */
function insertPosition(document: vscode.TextDocument, line: number): vscode.Position {
  let open = 0;
  for (let n = 0; n < document.lineCount; n++) {
    const text = document.lineAt(n).text;
    if (n >= line && open === 0 && !text.trim()) {
      return new vscode.Position(n, 0);
    }
    // Strings and remarks are removed in the order of their start: a string may contain slashes, a comment quotes.
    const code = text.replace(/'[^']*'|"[^"]*"|\([^)]*\)|(?<=^|[\s[\]{}(),])\/\/.*$/g, '');
    open = Math.max(0, open + (code.match(/\{/g)?.length ?? 0) - (code.match(/\}/g)?.length ?? 0));
  }
  return document.lineAt(document.lineCount - 1).range.end;
}

/** The snippets that contain a complete puzzle. */
const PUZZLES = Object.entries(snippets)
  .map(([label, { description, body }]) => ({ label, description, snippet: body.join('\n') }))
  .filter(({ snippet }) => snippet.includes('{\n'));
