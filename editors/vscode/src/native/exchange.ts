// The commands that read files of other programs, and write files for them or for paper. The program does the work.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { EXPORTS } from '../../../board/exports';
import { plain } from '../../../board/words';
import { withoutExtension } from '../files';
import type { Server } from '../server';
import { askForSheet } from '../sheets';

/** What a run of the program left behind. */
interface Run {
  code: number;
  /** The lines on standard error. */
  told: string[];
}

/** Runs the program in a folder, so that its messages name the files there without their path. */
function run(server: Server, args: string[], output: vscode.LogOutputChannel, cwd: string): Promise<Run> {
  const program = server.found?.name ?? 'cpz';
  return new Promise((resolve) => {
    execFile(program, args, { cwd, maxBuffer: 1 << 26 }, (error, _, stderr) => {
      const told = stderr.split(/\r?\n/).filter((line) => line !== '').map((line) => line.replace(/(^| )\.\//g, '$1'));
      told.forEach((line) => output.info(line));
      const code = error ? (typeof error.code === 'number' ? error.code : 2) : 0;
      resolve({ code, told: told.length || !error ? told : [error.message] });
    });
  });
}

/** Shows the last line that the program told, and a way to the others. */
async function tell({ code, told }: Run, output: vscode.LogOutputChannel): Promise<void> {
  const last = plain((told.at(-1) ?? '').replace(/^cpz: /, ''));
  const show = 'Show Details';
  const details = told.length > 1 ? [show] : [];
  const shown =
    code === 2 ? vscode.window.showErrorMessage(`cpz: ${last}`, ...details)
    : code === 1 ? vscode.window.showWarningMessage(`cpz: ${last}`, ...details)
    : vscode.window.showInformationMessage(`cpz: ${last}`, ...details);
  if ((await shown) === show) {
    output.show();
  }
}

/** A new file beside another, or the one that the user chooses if there is one of that name. */
async function target(source: string, extension: string): Promise<{ path: string; replace: boolean } | undefined> {
  const path = join(dirname(source), `${withoutExtension(basename(source))}.${extension}`);
  if (!existsSync(path)) {
    return { path, replace: false };
  }
  const chosen = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(path),
    filters: { [extension]: [extension] },
    title: `${basename(path)} exists: choose a name`,
  });
  // The dialog asks before a file is replaced.
  return chosen && { path: chosen.fsPath, replace: existsSync(chosen.fsPath) };
}

/** Makes a collection of a file of another program. */
export async function importFile(server: Server, output: vscode.LogOutputChannel, given?: vscode.Uri): Promise<void> {
  const extensions = ['pgn', 'epd', 'fen', 'csv', 'zst', 'olv', 'yaml', 'yml', 'inp', 'pdn', 'json', 'jsonl', 'txt'];
  const chosen = given ? [given] : await vscode.window.showOpenDialog({
    filters: { 'Files of other programs': extensions, 'All files': ['*'] },
    title: 'Import chess puzzles',
    openLabel: 'Import',
  });
  const source = chosen?.[0];
  const to = source && (await target(source.fsPath, 'cpz'));
  if (!source || !to) {
    return;
  }
  const folder = dirname(source.fsPath);
  const args = ['import', `./${basename(source.fsPath)}`, '-o', to.path, ...(to.replace ? ['--force'] : [])];
  const progress = { location: vscode.ProgressLocation.Notification, title: `Importing ${basename(source.fsPath)}` };
  const result = await vscode.window.withProgress(progress, () => run(server, args, output, folder));
  if (result.code !== 2) {
    await vscode.window.showTextDocument(vscode.Uri.file(to.path));
  }
  await tell(result, output);
}

/** The collection to work on: the file in the editor, saved, or the folder of the workspace. */
async function collection(): Promise<string | undefined> {
  const editor = [vscode.window.activeTextEditor, ...vscode.window.visibleTextEditors].find((e) => e?.document.languageId === 'cpz');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (editor && !editor.document.isUntitled) {
    return (await editor.document.save()) ? editor.document.uri.fsPath : undefined;
  }
  if (!folder) {
    void vscode.window.showInformationMessage('cpz: open a .cpz file, or a folder with puzzles, first.');
  }
  return folder;
}

/** Writes the puzzles of a collection as a file of another program. */
export async function exportCollection(server: Server, output: vscode.LogOutputChannel): Promise<void> {
  const source = await collection();
  const items = EXPORTS.map(([format, label, extension]) => ({ label, description: `.${extension}`, format, extension }));
  const format = source && (await vscode.window.showQuickPick(items, { placeHolder: 'The format to export to' }));
  if (!source || !format) {
    return;
  }
  const name = join(source.endsWith('.cpz') ? dirname(source) : source, `${basename(source, '.cpz')}.${format.extension}`);
  const filters = { [format.label]: [format.extension] };
  const to = await vscode.window.showSaveDialog({ defaultUri: vscode.Uri.file(name), filters, title: 'Export chess puzzles' });
  if (!to) {
    return;
  }
  const write = (options: string[]) =>
    run(server, ['export', '--to', format.format, source, '-o', to.fsPath, ...options], output, dirname(to.fsPath));
  const open = 'Open';
  const solve = 'Solve and Write Again';
  let result = await write(existsSync(to.fsPath) ? ['--force'] : []);
  let answer: string | undefined;
  do {
    if (answer === solve) {
      const progress = { location: vscode.ProgressLocation.Notification, title: 'Solving' };
      result = await vscode.window.withProgress(progress, () => write(['--solve', '--force']));
    }
    if (result.code === 2) {
      await tell(result, output);
      return;
    }
    // The program names its option, for which there is a button here.
    const needsSearch = result.told.find((line) => line.includes('; `--solve`'));
    const told = (needsSearch ?? result.told.at(-1) ?? '').replace(/^cpz: /, '').replace(/; `--solve`.*$/, '.');
    const left = told && ` ${plain(told)}`;
    // A package for Anki is no text.
    const buttons = [...(format.format === 'anki' ? [] : [open]), ...(needsSearch ? [solve] : [])];
    answer = await vscode.window.showInformationMessage(`cpz: ${basename(to.fsPath)} is written.${left}`, ...buttons);
  } while (answer === solve);
  if (answer === open) {
    await vscode.window.showTextDocument(to);
  }
}

/** Where a sheet is written. A browser on another machine cannot open a file here, so there the user names one. */
async function sheetTarget(source: string): Promise<{ path: string; opens: boolean } | undefined> {
  const name = `${basename(source, '.cpz')}.html`;
  if (!vscode.env.remoteName && vscode.env.uiKind === vscode.UIKind.Desktop) {
    return { path: join(mkdtempSync(join(tmpdir(), 'cpz-')), name), opens: true };
  }
  const folder = source.endsWith('.cpz') ? dirname(source) : source;
  const defaultUri = vscode.Uri.file(join(folder, name));
  const to = await vscode.window.showSaveDialog({ defaultUri, filters: { HTML: ['html'] }, title: 'Print chess puzzles' });
  return to && { path: to.fsPath, opens: false };
}

/** Makes a sheet of a collection and opens it in the browser, from which it is printed. */
export async function printCollection(server: Server, output: vscode.LogOutputChannel): Promise<void> {
  const source = await collection();
  if (!source) {
    return;
  }
  const chosen = await askForSheet();
  const to = chosen && (await sheetTarget(source));
  if (!chosen || !to) {
    return;
  }
  const { perPage, form, language, title } = chosen;
  const options = ['--per-page', String(perPage), '--form', form, '--language', language, ...(title ? ['--title', title] : [])];
  const replace = existsSync(to.path) ? ['--force'] : [];
  const result = await run(server, ['print', source, '-o', `./${basename(to.path)}`, ...options, ...replace], output, dirname(to.path));
  if (result.code === 2 || !to.opens || !(await vscode.env.openExternal(vscode.Uri.file(to.path)))) {
    await tell(result, output);
  }
}
