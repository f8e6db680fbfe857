// A sheet for paper: every puzzle of the text with its board, its name and what is asked; the solutions on a page of their own.
import { svgOf } from '../../board/page/page';
import type { Board } from '../../board/protocol';
import type { SyncedDocument } from './editor/document';
import type { DocumentSymbol } from './lsp/types';
import { byId, element } from './ui/elements';

/** The most puzzles on a sheet. */
const MAX_PUZZLES = 500;

/** What `cpz/export` writes of a puzzle as JSON, as far as the solutions need it. */
interface ExportedPuzzle {
  properties: { author?: string[]; source?: string[] };
  queries: { asked: string; answer_text: string | null }[];
  place: { range: { start: { line: number; character: number } } };
}

/** Fills the sheet, with solutions if they are wanted. Returns a sentence if there is nothing to print, or not all of it. */
export async function prepareSheet(document: SyncedDocument, hasSolutions: boolean): Promise<{ isFilled: boolean; note?: string }> {
  const sheet = byId('sheet');
  const symbols = await document.ask<DocumentSymbol[] | null>('textDocument/documentSymbol');
  const puzzles = (symbols ?? []).filter(({ children }) => children?.length);
  if (!puzzles.length) {
    return { isFilled: false, note: 'There is no puzzle to print. A puzzle needs a board.' };
  }
  const figures: HTMLElement[] = [];
  const numbered: DocumentSymbol[] = [];
  for (const puzzle of puzzles.slice(0, MAX_PUZZLES)) {
    const position = puzzle.selectionRange.start;
    const board = await document.ask<Board | null>('cpz/board', { position, frame: 0, line: 0, wait: false });
    if (board === undefined) {
      return { isFilled: false, note: 'The text has changed, so nothing was printed. Print it again.' };
    }
    if (board?.svg) {
      figures.push(figure(board, figures.length + 1));
      numbered.push(puzzle);
    }
  }
  if (hasSolutions && figures.length) {
    const exported = await document.ask<{ text: string }>('cpz/export', { to: 'json' });
    if (!exported) {
      return { isFilled: false, note: 'The solutions could not be found, so nothing was printed. Print it again, or without solutions.' };
    }
    figures.push(solutions(numbered, (JSON.parse(exported.text) as { puzzles: ExportedPuzzle[] }).puzzles));
  }
  sheet.replaceChildren(...figures);
  const more = puzzles.length - MAX_PUZZLES;
  const note = more > 0 ? `The sheet has the first ${MAX_PUZZLES} puzzles; ${more} more are not on it. The program cpz prints them all.` : undefined;
  return { isFilled: figures.length > 0, note };
}

function figure(board: Board, number: number): HTMLElement {
  const shown = element('figure');
  // Comments and written answers are left out: the sheet is for solving.
  const { name, queries, svg, fen } = board;
  shown.append(element('h2', `${number}. ${name ?? ''}`));
  const picture = svgOf(svg);
  picture.querySelectorAll('[tabindex]').forEach((square) => square.removeAttribute('tabindex'));
  shown.append(picture as unknown as Node);
  const asked = queries.map(({ label }) => label.replace(/\s*=>.*$/, '')).join(', ');
  const side = { w: 'White to move', b: 'Black to move' }[fen?.split(' ')[1] ?? ''];
  shown.append(element('figcaption', [side, asked].filter(Boolean).join(': ')));
  return shown;
}

/** The answers of the puzzles on the sheet, with their authors and sources. */
function solutions(numbered: readonly DocumentSymbol[], exported: readonly ExportedPuzzle[]): HTMLElement {
  const key = ({ line, character }: { line: number; character: number }) => `${line}:${character}`;
  const byPlace = new Map(exported.map((puzzle) => [key(puzzle.place.range.start), puzzle]));
  const list = element('ol');
  for (const { name, range } of numbered) {
    const { properties = {}, queries = [] } = byPlace.get(key(range.start)) ?? {};
    const item = element('li');
    item.append(element('b', name));
    const from = [...(properties.author ?? []), ...(properties.source ?? [])].join(', ');
    const answers = queries.map(({ asked, answer_text }) => `${asked}: ${answer_text?.replace(/^\[([^[\]]*)\]$/, '$1') ?? 'not answered'}`).join('; ');
    item.append([from && ` (${from})`, answers && `. ${answers}`].filter(Boolean).join(''));
    list.append(item);
  }
  const page = element('section', '', 'solutions');
  page.append(element('h2', 'Solutions'), list);
  return page;
}

/** Prints the sheet, or the text where there is no sheet. */
export function printSheet(): void {
  window.print();
}
