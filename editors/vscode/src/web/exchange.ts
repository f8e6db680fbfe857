// The commands that read files of other programs and write them, by requests of the server.
import * as vscode from 'vscode';
import { bytesOf, type Exchanged, exportParams, EXPORTS } from '../../../board/exports';
import { plain } from '../../../board/words';
import { fileName, withoutExtension } from '../files';
import { say } from '../notices';
import type { ExchangeCommands } from '../platform';
import type { Server } from '../server';
import { askForSheet } from '../sheets';
import type { FunctionCall } from '../../../worker/functions';

/** The extensions of the files that can be imported. The program also reads compressed ones. */
const IMPORTS = ['pgn', 'epd', 'fen', 'csv', 'olv', 'yaml', 'yml', 'inp', 'pdn', 'json', 'jsonl', 'txt'];

/** A sentence about a request that failed. */
function reason(error: unknown): string {
  return plain(error instanceof Error ? error.message : `${error}`);
}

/** Writes the sentences to the output, and returns the first with the number of the others. */
function summary(notices: string[], output: vscode.LogOutputChannel): string {
  notices.forEach((notice) => output.info(notice));
  const [first = '', ...more] = notices.map((notice) => plain(notice).replace(/\.$/, ''));
  const others = more.length ? ` (and ${more.length} more, in the output)` : '';
  return first && ` ${first.charAt(0).toUpperCase()}${first.slice(1)}${others}.`;
}

/** Writes a new file. */
async function write(uri: vscode.Uri, content: string | Uint8Array): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, typeof content === 'string' ? new TextEncoder().encode(content) : content);
}

function exists(uri: vscode.Uri): PromiseLike<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

/** Opens a collection beside the file that it was made of; where there is such a file already, as a new document. */
async function show(source: vscode.Uri, text: string): Promise<void> {
  const target = vscode.Uri.joinPath(source, '..', `${withoutExtension(fileName(source))}.cpz`);
  const isWritable = vscode.workspace.fs.isWritableFileSystem(source.scheme) === true;
  if (isWritable && vscode.workspace.getWorkspaceFolder(target) && !(await exists(target))) {
    await write(target, text);
    await vscode.window.showTextDocument(target);
  } else {
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'cpz', content: text }));
  }
}

async function importFile(server: Server, output: vscode.LogOutputChannel, given?: vscode.Uri): Promise<void> {
  const chosen = given ? [given] : await vscode.window.showOpenDialog({
    filters: { 'Files of other programs': IMPORTS, 'All files': ['*'] },
    title: 'Import chess puzzles',
    openLabel: 'Import',
  });
  const source = chosen?.[0];
  if (!source) {
    return;
  }
  const name = fileName(source);
  try {
    const client = server.running;
    if (!client) {
      throw new Error(server.status.what);
    }
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(source));
    const made = await client.sendRequest<Exchanged>('cpz/import', { name, text });
    await show(source, made.text);
    const told = summary(made.notices, output);
    void say(told ? 'warning' : 'info', `${name} is imported.${told}`);
  } catch (error) {
    void say('error', `${name} was not imported: ${reason(error)}`);
  }
}

/** The document to export: the one in the editor, or one that is visible. */
function collection(): vscode.TextDocument | undefined {
  const shown = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors];
  const document = shown.find((editor) => editor?.document.languageId === 'cpz')?.document;
  if (!document) {
    void say('info', 'open a .cpz file first. In the browser, one file is exported or printed at a time.');
  }
  return document;
}

/** Asks where a file that is made of a document is written. */
function askWhere(document: vscode.TextDocument, label: string, extension: string, title: string): Thenable<vscode.Uri | undefined> {
  const name = `${withoutExtension(fileName(document.uri))}.${extension}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const defaultUri = document.isUntitled ? folder && vscode.Uri.joinPath(folder, name) : vscode.Uri.joinPath(document.uri, '..', name);
  return vscode.window.showSaveDialog({ defaultUri, filters: { [label]: [extension] }, title });
}

async function exportCollection(server: Server, output: vscode.LogOutputChannel): Promise<void> {
  const document = collection();
  const items = EXPORTS.map(([format, label, extension]) => ({ label, description: `.${extension}`, format, extension }));
  const chosen = document && (await vscode.window.showQuickPick(items, { placeHolder: 'The format to export to' }));
  if (!document || !chosen) {
    return;
  }
  const textDocument = { uri: document.uri.toString() };
  const make = (solve: boolean) =>
    Promise.resolve(server.running?.sendRequest<Exchanged | null>('cpz/export', { textDocument, ...exportParams(chosen.format, solve) }));
  const failed = () => say('warning', server.running ? 'nothing was written, because the text has changed.' : server.status.what);
  try {
    let made = await make(false);
    if (!made) {
      void failed();
      return;
    }
    const to = await askWhere(document, chosen.label, chosen.extension, 'Export chess puzzles');
    if (!to) {
      return;
    }
    const open = 'Open';
    const solve = 'Solve and Write Again';
    let answer: string | undefined;
    do {
      const bytes = bytesOf(made);
      await write(to, bytes ?? made.text);
      const told = summary([...made.notices, ...(made.open ? [made.open] : [])], output);
      answer = await say('info', `${fileName(to)} is written.${told}`, ...(bytes ? [] : [open]), ...(made.open ? [solve] : []));
      if (answer === solve) {
        const progress = { location: vscode.ProgressLocation.Notification, title: 'Solving' };
        made = await vscode.window.withProgress(progress, () => make(true));
        if (!made) {
          void failed();
          return;
        }
      }
    } while (answer === solve);
    if (answer === open) {
      await vscode.window.showTextDocument(to);
    }
  } catch (error) {
    void say('error', `nothing was written: ${reason(error)}`);
  }
}

/** Calls a function of the module with a text. */
export type CallFunction = <R>(call: FunctionCall, text: string) => Promise<R>;

/** Makes a sheet of the file in the editor, which any browser prints. */
async function printCollection(call: CallFunction, output: vscode.LogOutputChannel): Promise<void> {
  const document = collection();
  const options = document && (await askForSheet());
  const to = document && options && (await askWhere(document, 'HTML', 'html', 'Print chess puzzles'));
  if (!document || !options || !to) {
    return;
  }
  try {
    const { perPage, form, language, title } = options;
    const request = { function: 'printText', options: { perPage, form, language, ...(title && { title }) } };
    const progress = { location: vscode.ProgressLocation.Notification, title: 'Making the sheet' };
    const made = await vscode.window.withProgress(progress, () => call<{ text: string; left_out: { line: number; reason: string }[] }>(request, document.getText()));
    await write(to, made.text);
    const told = summary(made.left_out.map(({ line, reason }) => `line ${line}: not printed: ${reason}`), output);
    await say('info', `${fileName(to)} is written. Open it in a browser and print it there.${told}`);
  } catch (error) {
    void say('error', `nothing was printed: ${reason(error)}`);
  }
}

/** The commands; `call` calls a function of the module. */
export function exchange(call: CallFunction): ExchangeCommands {
  return { importFile, exportCollection, printCollection: (_, output) => printCollection(call, output) };
}
