// A sheet for paper: every puzzle of the text with its board, its name and what is asked; the solutions on a page of their own.
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { svgOf } from '../../board/page/page';
import type { Board } from '../../board/protocol';
import type { SyncedDocument } from './editor/document';
import type { DocumentSymbol, Range } from './lsp/types';
import { byId, element } from './ui/elements';

/** The most puzzles on a sheet. */
const MAX_PUZZLES = 500;

/** What `cpz/export` writes of a puzzle as JSON, as far as the solutions need it. */
interface ExportedPuzzle {
  properties: { author?: string[]; source?: string[] };
  queries: { asked: string; answer_text: string | null }[];
  place: { range: { start: { line: number; character: number } } };
}

/** The answer to `cpz/captions`: what stands around a board. */
interface Captions {
  range: Range;
  authors: string;
  source: string;
  award: string;
  signs: string;
  men: string;
  asked: string[];
  below: string[];
}

/** The key of a place in the text. */
const key = ({ line, character }: { line: number; character: number }) => `${line}:${character}`;

/** What a sheet is made of, and a sentence if there is nothing to print, or not all of it. */
interface Sheet {
  figures: HTMLElement[];
  note?: string;
}

/** Fills the sheet, with solutions if they are wanted. Returns a sentence if there is nothing to print, or not all of it. */
export async function prepareSheet(document: SyncedDocument, hasSolutions: boolean): Promise<{ isFilled: boolean; note?: string }> {
  const { figures, note } = await makeSheet(document, { hasSolutions, hasCaptions: true });
  if (figures.length) {
    byId('sheet').replaceChildren(heading(), ...figures);
  }
  return { isFilled: figures.length > 0, note };
}

/** Makes a sheet. Captions and solutions need the complete core. */
async function makeSheet(document: SyncedDocument, { hasSolutions, hasCaptions }: { hasSolutions: boolean; hasCaptions: boolean }): Promise<Sheet> {
  const symbols = await document.ask<DocumentSymbol[] | null>('textDocument/documentSymbol');
  const puzzles = (symbols ?? []).filter(({ children }) => children?.length);
  if (!puzzles.length) {
    return { figures: [], note: 'There is no puzzle to print. A puzzle needs a board.' };
  }
  const captions = hasCaptions ? await document.ask<Captions[] | null>('cpz/captions') : null;
  const byPlace = new Map((captions ?? []).map((own) => [key(own.range.start), own]));
  const figures: HTMLElement[] = [];
  const numbered: DocumentSymbol[] = [];
  for (const puzzle of puzzles.slice(0, MAX_PUZZLES)) {
    const position = puzzle.selectionRange.start;
    const board = await document.ask<Board | null>('cpz/board', { position, frame: 0, line: 0, wait: false });
    if (board === undefined) {
      return { figures: [], note: 'The text has changed, so nothing was printed. Print it again.' };
    }
    if (board?.svg) {
      figures.push(figure(board, figures.length + 1, byPlace.get(key(puzzle.range.start))));
      numbered.push(puzzle);
    }
  }
  if (hasSolutions && figures.length) {
    const exported = await document.ask<{ text: string }>('cpz/export', { to: 'json', solve: true });
    if (!exported) {
      return { figures: [], note: 'The solutions could not be found, so nothing was printed. Print it again, or without solutions.' };
    }
    figures.push(solutions(numbered, (JSON.parse(exported.text) as { puzzles: ExportedPuzzle[] }).puzzles));
  }
  const more = puzzles.length - MAX_PUZZLES;
  const note = more > 0 ? `The sheet has the first ${MAX_PUZZLES} puzzles; ${more} more are not on it. The program cpz prints them all.` : undefined;
  return { figures, note };
}

/** How long the text has to stay as it is before its sheet is made, in milliseconds. */
const IDLE = 2000;
/** The longest text, in characters, whose sheet the page prepares while it is idle. */
const MAX_READY = 1_000_000;

/**
 * The sheet for the browser's own command, which does not wait: it is made when nothing else is to do. What stands around the
 * boards takes the complete core, so it is added when the pointer leaves the page, as it does on its way to that command.
 */
export class ReadySheet {
  private made: (Sheet & { version: number; hasCaptions: boolean }) | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly document: SyncedDocument,
    /** Whether the text may not be printed, because it has answers. */
    private readonly hidesText: () => boolean,
  ) {
    const sheet = byId('sheet');
    window.addEventListener('beforeprint', () => {
      if (!sheet.childElementCount) {
        sheet.append(heading(), ...this.content());
      }
    });
    window.addEventListener('afterprint', () => sheet.replaceChildren());
    window.document.documentElement.addEventListener('mouseleave', () => void this.make(true));
  }

  /** Makes the sheet of the text as soon as it stays as it is. */
  get extension(): Extension {
    return EditorView.updateListener.of(({ docChanged }) => docChanged && this.schedule());
  }

  schedule(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      const make = () => void this.make(false);
      // Safari does not tell when it is idle.
      'requestIdleCallback' in window ? requestIdleCallback(make) : make();
    }, IDLE);
  }

  private async make(hasCaptions: boolean): Promise<void> {
    const { version, attached } = this.document;
    if (!attached || attached.state.doc.length > MAX_READY) {
      return;
    }
    if (this.made?.version === version && (this.made.hasCaptions || !hasCaptions)) {
      return;
    }
    const sheet = await makeSheet(this.document, { hasSolutions: false, hasCaptions });
    if (version === this.document.version && (sheet.figures.length || !sheet.note?.startsWith('The text has changed'))) {
      this.made = { ...sheet, version, hasCaptions };
    }
  }

  /** The sheet, or the text if the sheet is not made yet, and a line about that. */
  private content(): HTMLElement[] {
    const { made } = this;
    const isCurrent = made?.version === this.document.version;
    if (isCurrent && made.figures.length) {
      return [...(made.note ? [element('p', made.note, 'note')] : []), ...made.figures.map((own) => own.cloneNode(true) as HTMLElement)];
    }
    const why = isCurrent ? [] : [element('p', 'The sheet with the boards was not ready. Print again in a moment, or use Print on the page.', 'note')];
    return [...why, ...(this.hidesText() ? [] : [element('pre', this.document.state.doc.toString())])];
  }
}

/** What the sheet is, for readers of a PDF who do not see it. */
const heading = () => element('h1', 'Chess puzzles');

function figure(board: Board, number: number, captions?: Captions): HTMLElement {
  const shown = element('figure');
  // Comments and written answers are left out: the sheet is for solving.
  const { name, svg, fen, queries, words } = board;
  const { authors = '', source = '', award = '', signs = '', men = '', asked = queries.map(({ label }) => label), below = [] } = captions ?? {};
  shown.append(element('h2', `${number}. ${name ?? ''}`));
  for (const [kind, text] of Object.entries({ author: authors, source, award })) {
    if (text) {
      shown.append(element('p', text, kind));
    }
  }
  const picture = svgOf(svg);
  picture.setAttribute('role', 'img');
  picture.setAttribute('aria-label', words);
  picture.querySelectorAll('[tabindex]').forEach((square) => square.removeAttribute('tabindex'));
  shown.append(picture as unknown as Node);
  const caption = element('figcaption');
  if (signs) {
    const line = element('p', '', 'signs');
    line.append(element('b', signs), element('span', men));
    caption.append(line);
  }
  const side = { w: 'White to move', b: 'Black to move' }[fen?.split(' ')[1] ?? ''];
  // A stipulation in signs says who begins.
  if (asked.length || !signs) {
    caption.append(element('p', [side, asked.join(', ')].filter(Boolean).join(': '), 'asked'));
  }
  caption.append(...below.map((text) => element('p', text)));
  shown.append(caption);
  return shown;
}

/** The answers of the puzzles on the sheet, with their authors and sources. */
function solutions(numbered: readonly DocumentSymbol[], exported: readonly ExportedPuzzle[]): HTMLElement {
  const byPlace = new Map(exported.map((puzzle) => [key(puzzle.place.range.start), puzzle]));
  const list = element('ol');
  for (const { name, range } of numbered) {
    const { properties = {}, queries = [] } = byPlace.get(key(range.start)) ?? {};
    const item = element('li');
    item.append(element('b', name));
    const from = [...(properties.author ?? []), ...(properties.source ?? [])].join(', ');
    const labels = labelsOf(queries.map(({ asked }) => asked));
    const answers = queries.map(({ answer_text }, nth) => `${labels[nth]} ${plainAnswer(answer_text)}`).join('; ');
    item.append([from && ` (${from})`, answers && `. ${answers}`].filter(Boolean).join(''));
    list.append(item);
  }
  const page = element('section', '', 'solutions');
  page.append(element('h2', 'Solutions'), list);
  return page;
}

/** What stands before each answer: what is asked, or the letter of a twin; the diagram of a problem with twins is a). */
function labelsOf(asked: readonly string[]): string[] {
  const letters = asked.map((text) => /^twin ([a-z])\b/.exec(text)?.[1]);
  const isFirst = letters.includes('b') && !letters.includes('a');
  return asked.map((text, nth) => {
    const letter = letters[nth] ?? (isFirst && nth === 0 ? 'a' : undefined);
    return letter ? `${letter})` : `${text}:`;
  });
}

/** A written answer without the quotes or brackets around it. */
const plainAnswer = (written: string | null) => written?.replace(/^\[([^[\]]*)\]$/, '$1').replace(/^"([^"]*)"$/, '$1') ?? 'not answered';

/** Prints the sheet, or the text where there is no sheet. */
export function printSheet(): void {
  window.print();
}
