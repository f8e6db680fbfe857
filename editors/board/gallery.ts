// The puzzles of a collection as a gallery shows them: what is known of each, which of them fit a filter, and their order.
import type { Board, Range } from './protocol';

type Position = Range['start'];

/** A puzzle is in one of these groups; `findings` if it has an error or a warning. */
export type Status = 'findings' | 'solved' | 'undecided' | 'none';

/** The groups, in the order of the filter. */
export const STATUSES: readonly Status[] = ['findings', 'solved', 'undecided', 'none'];

/** What is known of a puzzle beyond its place and its name. */
export interface Details {
  game: string;
  authors: string[];
  tags: string[];
  /** The verbs of its queries, each once. */
  kinds: string[];
  /** Its first query as it is written; empty if it has none. */
  asked: string;
  status: Status;
  /** The first error, or else the first warning, in words. */
  trouble?: { isError: boolean; message: string };
  /** The estimate, 1 to 10; undefined if it is not known. */
  difficulty?: number;
}

/** A puzzle of a collection. */
export interface Entry {
  /** Counted from 1, as in the file. */
  number: number;
  /** Empty if the puzzle has no name. */
  title: string;
  range: Range;
  /** Undefined until the server has told. */
  details?: Details;
}

/** A text as a gallery shows it. */
export interface Collection {
  name: string;
  /** Names the text where names may be the same. */
  uri?: string;
  /** The version of the text. Boards of another one are drawn anew. */
  version: number;
  entries: Entry[];
  /** How many answers need a longer search, as the server says it; undefined if none does. */
  open?: string;
  /** The line of the cursor: the puzzle there is marked. */
  line?: number;
}

/** What a gallery shows of the server's answer to `cpz/board`. */
export type Drawing = Pick<Board, 'svg' | 'state' | 'whole'> & { headline: string };

/** How a gallery is asked about, and what it asks. */
export interface GalleryHost {
  /** The board of a puzzle; null if it has none, undefined if the text has changed. */
  draw(entry: Entry): Promise<Drawing | null | undefined>;
  /** Shows a puzzle in the text. */
  open(entry: Entry): void;
  /** Has the searches done that take long. */
  search(): void;
  /** Is told what is shown, for a page that is made anew. */
  remember?(filter: Filter): void;
}

/** From an extension to the page with its gallery. */
export type ToGallery =
  | { show: Collection }
  /** Why there is nothing to show. */
  | { nothing: string }
  | { line: number }
  /** The board that was asked for with a number; absent if the text has changed. */
  | { drawn: number; drawing?: Drawing | null };

/** From that page to the extension. */
export type FromGallery =
  | { kind: 'ready' }
  | { kind: 'draw'; id: number; version: number; range: Range }
  | { kind: 'open'; version: number; range: Range }
  | { kind: 'search' };

/** What VS Code keeps of that page. */
export interface GalleryState {
  /** The text, as a URI. */
  uri?: string;
  filter?: Filter;
}

/** What an editor's outline says of a puzzle. */
export interface OutlineEntry {
  name: string;
  range: Range;
}

/** A finding of an editor. The severity is that of the protocol: 1 is an error, 2 a warning. */
export interface EditorFinding {
  range: Range;
  severity: number;
  message: string;
}

/** What `cpz/export` writes of a puzzle as JSON, as far as a gallery needs it. */
export interface ExportedPuzzle {
  name: string | null;
  game: string;
  properties: { author?: string[] };
  difficulty: { estimate?: number | null };
  tags: string[];
  queries: { verb: string | null; asked: string; verdict: string; findings: ExportedFinding[] }[];
  findings: ExportedFinding[];
  place: { range: Range };
}

interface ExportedFinding {
  severity: string;
  message: string;
  range: Range;
}

/** The puzzles of an outline, of which nothing more is known yet. */
export function outlined(symbols: readonly OutlineEntry[]): Entry[] {
  return symbols.map(({ name, range }, index) => ({ number: index + 1, title: name, range }));
}

/**
 * The puzzles of an export, with the findings that the editor shows: it knows those that depend on other puzzles and on long
 * searches. `inWords` makes a message of the server a sentence of the editor.
 */
export function exported(puzzles: readonly ExportedPuzzle[], findings: readonly EditorFinding[], inWords: (message: string) => string): Entry[] {
  const shown = findings.filter(({ severity }) => severity <= 2).sort((a, b) => before(a.range.start, b.range.start));
  let next = 0;
  return puzzles.map((puzzle, index) => {
    const { range } = puzzle.place;
    while (shown[next] && before((shown[next] as EditorFinding).range.start, range.start) < 0) {
      next++;
    }
    const own: EditorFinding[] = [];
    for (let at = next; shown[at] && before((shown[at] as EditorFinding).range.start, range.end) < 0; at++) {
      own.push(shown[at] as EditorFinding);
    }
    return { number: index + 1, title: puzzle.name ?? '', range, details: detailsOf(puzzle, own, inWords) };
  });
}

function detailsOf(puzzle: ExportedPuzzle, own: readonly EditorFinding[], inWords: (message: string) => string): Details {
  const { game, properties, difficulty, tags, queries } = puzzle;
  const written = [...puzzle.findings, ...queries.flatMap((query) => query.findings)];
  const all = [
    ...own.map(({ range, severity, message }) => ({ range, isError: severity === 1, message })),
    ...written.map(({ range, severity, message }) => ({ range, isError: severity === 'error', message })),
  ].sort((a, b) => Number(b.isError) - Number(a.isError) || before(a.range.start, b.range.start));
  const first = all[0];
  const isOpen = queries.some(({ verdict }) => verdict === 'undecided' || verdict === 'error');
  return {
    game,
    authors: properties.author ?? [],
    tags,
    kinds: [...new Set(queries.map(({ verb }) => verb ?? 'unknown'))],
    asked: queries[0]?.asked ?? '',
    status: first ? 'findings' : !queries.length ? 'none' : isOpen ? 'undecided' : 'solved',
    trouble: first && { isError: first.isError, message: withoutName(inWords(first.message), puzzle.name) },
    difficulty: difficulty.estimate ?? undefined,
  };
}

/** The first line of a message of an editor, without the name of the puzzle, which stands above it already. */
function withoutName(message: string, name: string | null): string {
  const [first = ''] = message.split('\n');
  const start = `“${name}”: `;
  return first.startsWith(start) ? first.slice(start.length) : first;
}

function before(a: Position, b: Position): number {
  return a.line - b.line || a.character - b.character;
}

/** What a drawing tells of a puzzle that a short search has left undecided: the editor may have searched on. */
export function refined(details: Details, { state, headline, whole }: Drawing): Details {
  if (details.status !== 'undecided' || !whole) {
    return details;
  }
  if (headline) {
    return { ...details, status: 'findings', trouble: { isError: headline.startsWith('✗'), message: headline.replace(/^[✗⚠] /, '') } };
  }
  return state.startsWith('✓') ? { ...details, status: 'solved' } : details;
}

export type Order = 'file' | 'difficulty' | 'title';

/** What is shown of a collection. An empty text stands for everything. */
export interface Filter {
  text: string;
  game: string;
  kind: string;
  status: string;
  order: Order;
}

export const EVERYTHING: Filter = { text: '', game: '', kind: '', status: '', order: 'file' };

/** The puzzles that fit a filter, in its order. */
export function chosen(entries: readonly Entry[], { text, game, kind, status, order }: Filter): Entry[] {
  const words = folded(text).split(/\s+/).filter(Boolean);
  const fits = ({ title, details }: Entry) => {
    const { authors = [], tags = [] } = details ?? {};
    const own = folded([title, ...authors, ...tags].join('\n'));
    return (
      words.every((word) => own.includes(word)) &&
      (!game || details?.game === game) &&
      (!kind || !!details?.kinds.includes(kind)) &&
      (!status || details?.status === status)
    );
  };
  const found = entries.filter(fits);
  if (order === 'difficulty') {
    const hard = ({ details }: Entry) => details?.difficulty ?? Infinity;
    // Of two that are not known, the difference is no number.
    found.sort((a, b) => (hard(a) === hard(b) ? 0 : hard(a) - hard(b)));
  } else if (order === 'title') {
    const { compare } = new Intl.Collator(undefined, { numeric: true });
    found.sort((a, b) => Number(!a.title) - Number(!b.title) || compare(a.title, b.title));
  }
  return found;
}

/** A text without case and accents, so that `benko` finds `Benkő`. */
function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** How often each value occurs, the most frequent first. */
export function counts(entries: readonly Entry[], values: (details: Details) => readonly string[]): [value: string, count: number][] {
  const found = new Map<string, number>();
  for (const { details } of entries) {
    for (const value of details ? values(details) : []) {
      found.set(value, (found.get(value) ?? 0) + 1);
    }
  }
  return [...found].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
}
