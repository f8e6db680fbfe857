// Changes of a puzzle to choose from, each with its board before and after.
import type { Range } from './protocol';

/** A change to choose. */
export interface Choice {
  title: string;
  /** The drawings; absent where the edit is not known. */
  before?: string;
  after?: string;
}

/** From an extension to the page with the choices. */
export interface ToChoices {
  question: string;
  choices: Choice[];
}

/** From that page to the extension: the number of a choice, or that nothing is chosen. */
export type FromChoices = { kind: 'ready' } | { kind: 'chosen'; choice: number } | { kind: 'none' };

/** An edit of a text, by offsets. */
export interface OffsetEdit {
  start: number;
  end: number;
  text: string;
}

/** What an editor's outline says of a puzzle: its parts are boards and queries, of which boards have this name. */
export interface Outlined {
  range: Range;
  selectionRange: Range;
  children: { name: string; range: Range }[];
}

/**
 * A text with the board of one puzzle alone, after some edits of it: no name, no id, no question, and no other puzzle, so that
 * nothing in it is the same as something else. What stands outside of puzzles is kept, since defaults say how a board is read.
 * Returns the text, and the offset of the puzzle.
 */
export function boardAlone(
  text: string,
  symbols: readonly Outlined[],
  puzzle: Outlined,
  edits: readonly OffsetEdit[],
  offsetAt: (position: Range['start']) => number,
): { text: string; offset: number } {
  const cut = ({ start, end }: Range, kept = ''): OffsetEdit => ({ start: offsetAt(start), end: offsetAt(end), text: kept });
  const [, game = ''] = /^(\w+)/.exec(text.slice(offsetAt(puzzle.range.start))) ?? [];
  const questions = puzzle.children.filter(({ name }) => name !== 'board').map(({ range }) => cut(range));
  const isOutside = ({ start, end }: OffsetEdit) => questions.every((question) => end <= question.start || start >= question.end);
  const all = [
    ...symbols.filter((symbol) => symbol !== puzzle).map(({ range }) => cut(range)),
    cut(puzzle.selectionRange, game),
    ...questions,
    ...edits.filter(isOutside),
  ].sort((a, b) => b.start - a.start);
  let made = text;
  let offset = offsetAt(puzzle.range.start);
  const begin = offset;
  for (const { start, end, text: inserted } of all) {
    made = made.slice(0, start) + inserted + made.slice(end);
    offset += end <= begin ? inserted.length - (end - start) : 0;
  }
  // The rest of the puzzle: an id is that of one puzzle.
  const [own, rest] = [made.slice(0, offset), made.slice(offset)];
  return { text: own + rest.replace(/^(\s*)id\s+("[^"\n]*"|\S+)/m, '$1'), offset };
}
