// Asks how a sheet is to look, and keeps the answers for the next one.
import type { SheetChoices } from './print';
import { open } from './ui/dialogs';
import { element } from './ui/elements';

/** Where the choices are kept in this browser. */
const KEY = 'cpz.print';
/** The regions in which paper is in inches. */
const LETTER = ['US', 'CA', 'MX', 'CL', 'CO', 'PH', 'VE'];

type Choice = Exclude<keyof SheetChoices, 'title'>;
type Field = [name: Choice, label: string, values: readonly (readonly [value: string, label: string])[]];

const LANGUAGES = [['en', 'English'], ['de', 'Deutsch'], ['fr', 'Français'], ['ru', 'Русский'], ['es', 'Español']] as const;

const FIELDS: readonly Field[] = [
  ['solutions', 'Solutions', [['none', 'None'], ['apart', 'On pages of their own'], ['below', 'Below each board']]],
  ['perPage', 'Boards on a page', [1, 2, 4, 6, 9, 12].map((count) => [`${count}`, `${count}`] as const)],
  ['order', 'Order', [['text', 'As in the text'], ['difficulty', 'Easiest first'], ['name', 'By name']]],
  ['language', 'Language', LANGUAGES],
];
const MORE_FIELDS: readonly Field[] = [
  ['hints', 'Hints', [['none', 'None'], ['apart', 'Those of the text'], ['added', 'For every puzzle']]],
  ['difficulty', 'Difficulty', [['estimate', 'As written, or estimated'], ['written', 'As written'], ['none', 'Not shown']]],
  ['form', 'Below the boards', [['lesson', 'Questions, and lines for answers'], ['magazine', 'Signs of composers, as in magazines']]],
  ['paper', 'Paper', [['a4', 'A4'], ['letter', 'US Letter']]],
];
/** What may give an answer away. */
const SECRETS: readonly Choice[] = ['solutions', 'hints'];

/** What is printed without the answers. */
export const withoutAnswers = (choices: SheetChoices): SheetChoices => ({ ...choices, solutions: 'none', hints: 'none', title: '' });

/** The choices that were made last, or else those that fit the language of the browser. */
export function lastChoices(): SheetChoices {
  const { language, region } = new Intl.Locale(navigator.language).maximize();
  const chosen: SheetChoices = {
    order: 'text',
    solutions: 'none',
    hints: 'none',
    perPage: 6,
    form: 'lesson',
    difficulty: 'estimate',
    language: LANGUAGES.find(([code]) => code === language)?.[0] ?? 'en',
    paper: LETTER.includes(region ?? '') ? 'letter' : 'a4',
    title: '',
  };
  return { ...chosen, ...kept() };
}

/** What is kept and still known. */
function kept(): Partial<SheetChoices> {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, unknown>;
    const known = [...FIELDS, ...MORE_FIELDS].filter(([name, , values]) => values.some(([value]) => value === `${found[name]}`));
    return Object.fromEntries(known.map(([name]) => [name, found[name]]));
  } catch {
    return {};
  }
}

function keep({ title: _, ...chosen }: SheetChoices): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(chosen));
  } catch {
    // The next sheet begins with the usual choices.
  }
}

/**
 * Asks for the choices of a sheet, beginning with some. `make` makes it and fails with a sentence; `print` is called with it when
 * the dialog is gone. With `hidesAnswers` nothing is offered that gives answers away.
 */
export function askForSheet<S>(begin: SheetChoices, hidesAnswers: boolean, make: (choices: SheetChoices, signal: AbortSignal) => Promise<S>, print: (sheet: S) => void): void {
  const running = new AbortController();
  const chosen: Record<string, string | number> = { ...begin };
  const field = ([name, label, values]: Field) => {
    const row = element('label', label);
    const select = element('select');
    select.append(...values.map(([value, text]) => new Option(text, value, false, `${begin[name]}` === value)));
    select.addEventListener('change', () => (chosen[name] = name === 'perPage' ? Number(select.value) : select.value));
    row.append(select);
    return row;
  };
  const fields = (given: readonly Field[]) => given.filter(([name]) => !hidesAnswers || !SECRETS.includes(name)).map(field);
  const titled = element('label', 'Title page');
  const title = element('input');
  title.placeholder = 'None';
  titled.append(title);
  const more = element('details');
  more.append(element('summary', 'More choices'), ...fields(MORE_FIELDS));
  const said = element('p', '', 'said');
  said.setAttribute('role', 'status');
  const [cancel, start] = [element('button', 'Cancel'), element('button', 'Print', 'main')];
  const dialog = open('Print', [...fields(FIELDS), titled, more, said], [cancel, start]);
  dialog.id = 'print-dialog';
  cancel.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => running.abort());
  const run = async () => {
    if (start.getAttribute('aria-disabled') === 'true') {
      return;
    }
    // Not `disabled`: a disabled button loses the keyboard focus.
    start.setAttribute('aria-disabled', 'true');
    said.textContent = 'Making the sheet…';
    const choices = { ...(chosen as unknown as SheetChoices), title: title.value.trim() };
    try {
      const sheet = await make(hidesAnswers ? { ...withoutAnswers(choices), title: choices.title } : choices, running.signal);
      // The dialog hides the choices of answers while somebody solves, so it keeps the earlier ones.
      keep(choices);
      dialog.close();
      print(sheet);
    } catch (error) {
      if (!running.signal.aborted) {
        said.textContent = error instanceof Error ? error.message : String(error);
        start.removeAttribute('aria-disabled');
      }
    }
  };
  start.addEventListener('click', () => void run());
  title.addEventListener('keydown', (event) => event.key === 'Enter' && void run());
  start.focus();
}
