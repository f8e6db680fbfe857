// Paper: the sheet that `cpz print` makes, as a part of the page that only a printer shows.
import type { FunctionCall } from '../../worker/functions';
import type { SyncedDocument } from './editor/document';
import { offsetAt } from './editor/positions';
import type { DocumentSymbol } from './lsp/types';
import { copyInOnePart } from './solve/answers';
import { byId, element } from './ui/elements';
import { sentenceOf } from './words';

/** The most puzzles on a sheet. */
const MAX_PUZZLES = 500;

/** Calls a function of the complete core with a text. */
export type CallFunction = <R>(call: FunctionCall, text: string, signal?: AbortSignal) => Promise<R>;

/** How a sheet looks, in the words of `cpz print` and, for the order, of `cpz sort`. */
export interface SheetChoices {
  order: 'text' | 'difficulty' | 'name';
  solutions: 'none' | 'apart' | 'below';
  /** With `added` puzzles without hints get some. */
  hints: 'none' | 'apart' | 'added';
  perPage: number;
  form: 'lesson' | 'magazine';
  difficulty: 'estimate' | 'written' | 'none';
  language: string;
  paper: 'a4' | 'letter';
  /** The title of a page of its own; empty for none. */
  title: string;
}

/** A sheet as a document, and sentences about what is not on it. */
interface Sheet {
  html: string;
  notes: string[];
}

/** The answer of `printText`. */
interface PrintedText {
  text: string;
  left_out: { reason: string }[];
}

const CHANGED = 'The text has changed, so nothing was printed. Print it again.';

/** Makes a sheet. Fails with a sentence if there is nothing to print. */
export async function makeSheet(document: SyncedDocument, call: CallFunction, choices: SheetChoices, signal?: AbortSignal): Promise<Sheet> {
  const { doc } = document.state;
  const symbols = await document.ask<DocumentSymbol[] | null>('textDocument/documentSymbol', {}, signal);
  const puzzles = (symbols ?? []).filter(({ children }) => children?.length);
  signal?.throwIfAborted();
  if (!symbols) {
    throw new Error(CHANGED);
  }
  if (!puzzles.length) {
    throw new Error('There is no puzzle to print. A puzzle needs a board.');
  }
  const rest = puzzles[MAX_PUZZLES];
  const end = rest ? offsetAt(doc, rest.range.start) : doc.length;
  const { order, hints, title, ...same } = choices;
  const places = puzzles.map(({ range }) => ({ from: offsetAt(doc, range.start), to: offsetAt(doc, range.end) }));
  const text = order === 'text' ? doc.sliceString(0, end) : await copyInOnePart(document, places, end);
  if (text === undefined) {
    throw new Error(CHANGED);
  }
  const sorted = order === 'text' ? text : await call<string>({ function: 'sort', argument: order }, text, signal);
  const options = { ...same, hints: hints === 'none' ? hints : 'apart', addHints: hints === 'added', ...(title && { title }) };
  const made = await call<PrintedText>({ function: 'printText', options }, sorted, signal);
  return { html: made.text, notes: notesOf(made, puzzles.length) };
}

function notesOf({ left_out }: PrintedText, count: number): string[] {
  const notes = left_out.length ? [`${left_out.length === 1 ? '1 puzzle is' : `${left_out.length} puzzles are`} not on the sheet: ${sentenceOf(left_out[0]?.reason ?? '')}.`] : [];
  if (count > MAX_PUZZLES) {
    notes.push(`The sheet has the first ${MAX_PUZZLES} puzzles; ${count - MAX_PUZZLES} more are not on it. The program cpz prints them all.`);
  }
  return notes;
}

/** Puts a sheet where a printer shows it. It goes when it is printed. */
function fill({ html }: Sheet): void {
  const made = new DOMParser().parseFromString(html, 'text/html');
  const styles = [...made.querySelectorAll('style')];
  // On the screen, its rules would be those of the page.
  styles.forEach((style) => (style.media = 'print'));
  const sheet = byId('sheet');
  sheet.lang = made.documentElement.lang;
  sheet.replaceChildren(heading(), ...styles, ...made.body.children);
}

/** Prints a sheet. */
export function printSheet(sheet: Sheet): void {
  fill(sheet);
  window.print();
}

/** What the sheet is, for readers of a PDF who do not see it. */
const heading = () => element('h1', 'Chess puzzles', 'unseen');

/** How long the text has to stay as it is before its sheet is made, in milliseconds. */
const IDLE = 2000;
/** The longest text, in characters, whose sheet the page makes before it is asked to. */
const MAX_READY = 500_000;

/**
 * The sheet for the browser's own command, which does not wait. It is made when the window loses the pointer or the focus, as it
 * does on the way to that command; where there is no pointer, when the text has been left alone.
 */
export class ReadySheet {
  private made: (Sheet & { version: number; like: string }) | undefined;
  private running: AbortController | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly isTouched = matchMedia('(hover: none)').matches;

  constructor(
    private readonly document: SyncedDocument,
    private readonly call: CallFunction,
    /** How the sheet is to look; it has no solutions. */
    private readonly choices: () => SheetChoices,
    /** Whether the text may not be printed, because it has answers. */
    private readonly hidesText: () => boolean,
  ) {
    const sheet = byId('sheet');
    window.addEventListener('beforeprint', () => sheet.childElementCount || this.show());
    window.addEventListener('afterprint', () => sheet.replaceChildren());
    window.document.documentElement.addEventListener('mouseleave', () => void this.make());
    // The focus may have gone to the board.
    window.addEventListener('blur', () => window.document.hasFocus() || void this.make());
  }

  /** Makes the sheet of the text as soon as it stays as it is, where that cannot wait for the pointer. */
  schedule(): void {
    this.running?.abort();
    clearTimeout(this.timer);
    if (this.isTouched) {
      this.timer = setTimeout(() => void this.make(), IDLE);
    }
  }

  private get wanted() {
    return { version: this.document.version, like: JSON.stringify(this.choices()) };
  }

  private async make(): Promise<void> {
    const { attached } = this.document;
    const { version, like } = this.wanted;
    const isMade = this.made?.version === version && this.made.like === like;
    if (!attached || attached.state.doc.length > MAX_READY || isMade) {
      return;
    }
    this.running?.abort();
    const running = (this.running = new AbortController());
    // The text is printed where there is no sheet.
    const made = await makeSheet(this.document, this.call, this.choices(), running.signal).catch(() => undefined);
    if (made && !running.signal.aborted) {
      this.made = { ...made, version, like };
    }
  }

  /** Shows the sheet, or the text if the sheet is not made yet, and a line about that. */
  private show(): void {
    const { made } = this;
    if (made?.version === this.document.version) {
      fill(made);
      byId('sheet').querySelector('style')?.after(...made.notes.map((note) => element('p', note, 'note')));
      return;
    }
    const why = element('p', 'The sheet with the boards was not ready. Print again in a moment, or use Print on the page.', 'note');
    byId('sheet').replaceChildren(heading(), why, ...(this.hidesText() ? [] : [element('pre', this.document.state.doc.toString())]));
  }
}
