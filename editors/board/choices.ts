// Changes of a puzzle to choose from, each with its board before and after.
import type { Board, Range } from './protocol';
import { plain } from './words';

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

/** What stands above the choices. */
export const HOW_TO_CHOOSE = 'Left as it is, right as it would be; below it the new solution. Nothing changes until you choose.';

/** The scheme of texts that are drawn and not kept. Nothing else opens or shows them. */
export const SCRATCH = 'cpz-scratch';

/** An answer to a question of the server, with the edit that it stands for. */
export interface Answer {
  title: string;
  edit?: { documentChanges?: readonly object[] };
}

/** The edits of one text in an edit of the protocol. */
interface TextChange {
  textDocument: { uri: string; version: number | null };
  edits: { range: Range; newText: string }[];
}

/** Asks the server, and tells it. */
export interface Server {
  request<R>(method: string, params: object): Promise<R>;
  notify(method: string, params: object): Promise<void> | void;
}

/** A text that is open. */
export interface Source {
  text: string;
  offsetAt(position: Range['start']): number;
}

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

/** A question of the server as a heading; behind a second sentence, its colon stays. */
export function questionOf(message: string): string {
  return plain(message).replace(/^cpz: /, '').replace(/^./, (first) => first.toUpperCase()).replace(/^([^.]*):$/, '$1');
}

/**
 * The answers to a question with the boards that they give. `open` returns the text with a URI, if it still has that version.
 * Returns undefined if no answer changes a board of such a text.
 */
export async function drawn(server: Server, answers: readonly Answer[], open: (uri: string, version: number | null) => Source | undefined): Promise<Choice[] | undefined> {
  const changes = answers.map(({ edit }) => edit?.documentChanges?.find(isTextChange));
  const { uri = '', version = null } = changes.find(Boolean)?.textDocument ?? {};
  const source = open(uri, version);
  if (!source) {
    return undefined;
  }
  const { text, offsetAt } = source;
  const edits = changes.map((change) => change?.edits.map(({ range, newText }) => ({ start: offsetAt(range.start), end: offsetAt(range.end), text: newText })));
  const symbols = (await server.request<Outlined[] | null>('textDocument/documentSymbol', { textDocument: { uri } })) ?? [];
  const at = edits.find((made) => made?.length)?.[0]?.start ?? -1;
  const puzzle = symbols.find(({ range }) => offsetAt(range.start) <= at && at <= offsetAt(range.end));
  if (!puzzle) {
    return undefined;
  }
  const boardWith = (made: readonly OffsetEdit[]) => picture(server, boardAlone(text, symbols, puzzle, made, offsetAt));
  const before = await boardWith([]);
  const choices: Choice[] = [];
  for (const [number, { title }] of answers.entries()) {
    const made = edits[number];
    const after = made && before && (await boardWith(made));
    choices.push(after ? { title, before, after } : { title });
  }
  return open(uri, version) && choices.some(({ after }) => after) ? choices : undefined;
}

function isTextChange(change: object): change is TextChange {
  return 'edits' in change;
}

let lastScratch = 0;

/** The drawing of the board at an offset of a text that the server has for this request alone. */
async function picture(server: Server, { text, offset }: { text: string; offset: number }): Promise<string | undefined> {
  const uri = `${SCRATCH}:/${++lastScratch}.cpz`;
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
  await server.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'cpz', version: 1, text } });
  try {
    const board = await server.request<Board | null>('cpz/board', { textDocument: { uri }, position, frame: 0, line: 0, wait: false });
    return board?.svg;
  } finally {
    await server.notify('textDocument/didClose', { textDocument: { uri } });
  }
}
