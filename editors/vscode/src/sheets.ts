// Asks how a sheet for paper is to look.
import * as vscode from 'vscode';

/** What is asked, in the words of `cpz print`. */
export interface SheetOptions {
  perPage: number;
  form: 'lesson' | 'magazine';
  language: string;
  /** Empty for a sheet without a title page. */
  title: string;
}

/** The languages that sheets are printed in. */
const LANGUAGES = ['en', 'de', 'fr', 'ru', 'es'];
/** The numbers of diagrams on a page that are offered. */
const PER_PAGE = [6, 1, 2, 4, 9, 12];
/** What stands below the diagrams, by the value of `--form`. */
const FORMS = [
  ['lesson', 'to be solved', 'Questions in words, with lines for the answers'],
  ['magazine', 'as in a magazine', 'Signs of composers alone, with the count of men'],
] as const;

/** The sheets that are offered. */
function sheets() {
  return FORMS.flatMap(([form, description, title]) => [
    { label: title, kind: vscode.QuickPickItemKind.Separator, form, count: 0 },
    ...PER_PAGE.map((count) => ({ label: count === 1 ? '1 diagram on a page' : `${count} diagrams on a page`, description, form, count })),
  ]);
}

/** Asks for the sheet and its title; undefined if the user leaves. */
export async function askForSheet(): Promise<SheetOptions | undefined> {
  const chosen = await vscode.window.showQuickPick(sheets(), { placeHolder: 'The size of the diagrams, and what stands below them', matchOnDescription: true });
  const title = chosen && (await vscode.window.showInputBox({ prompt: 'The title on a page of its own; leave it empty for none' }));
  const language = LANGUAGES.find((code) => vscode.env.language.startsWith(code)) ?? 'en';
  return chosen && title !== undefined ? { perPage: chosen.count, form: chosen.form, language, title } : undefined;
}
