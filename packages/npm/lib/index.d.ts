// The functions of the package. `../types.mjs` adds the types of the documents, which it makes of the JSON schemas.

/** What tells how a text is searched and read. */
export interface ReadOptions {
  /** The node budget of one search, 1 to 100,000,000; without one that of `config`, by default 4,000,000. */
  budget?: number | undefined;
  /** The text of the `cpz.toml` that applies. */
  config?: string | undefined;
}

/** The name of a text. */
export interface PathOption {
  /** The name of the text in the result and in messages, by default `<stdin>`. */
  path?: string | undefined;
}

export interface CheckOptions extends ReadOptions, PathOption {
  /** Whether hints are found too. */
  hints?: boolean | undefined;
}

export interface SolveOptions extends ReadOptions, PathOption {
  /** Whether the answers of chess problems have their variations, tries and set play. */
  tree?: boolean | undefined;
}

export type BoardFormat = 'text' | 'list' | 'numbers' | 'coordinates' | 'fen';

export interface ConvertOptions {
  /** The text of the `cpz.toml` that applies. */
  config?: string | undefined;
}

/** A text with its boards in another format. */
export interface Converted {
  text: string;
  /** The boards that are as they were: the line of the puzzle, from 1, and why. */
  unchanged: { line: number; reason: string }[];
}

export type ImportFormat = 'fen' | 'epd' | 'pgn' | 'lichess' | 'json' | 'olv' | 'popeye' | 'pdn' | 'solitaire';

export interface ImportOptions {
  /** The format; without one it is recognised. */
  fromFormat?: ImportFormat | undefined;
  /** The name of the file, whose ending helps to recognise the format. */
  path?: string | undefined;
  /** The language of the piece letters of a text board. */
  letters?: 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pl' | 'ru' | 'popeye' | undefined;
  /** Whether the first row of a text board is the lowest. */
  bottomUp?: boolean | undefined;
  /** Whether a line of PGN of at most four moves that ends in mate asks for that mate. */
  mates?: boolean | undefined;
}

/** The puzzles of a file of another program. */
export interface Imported {
  /** The puzzles as a text of cpz. */
  text: string;
  /** How many there are. */
  puzzles: number;
  /** The format of the file. */
  format: ImportFormat;
  /** What was not read, or read with a fault: the line in the file, from 1, why, and whether a puzzle was made. */
  notices: { line: number; reason: string; imported: boolean }[];
}

export type ExportFormat = 'json' | 'jsonl' | 'csv' | 'fen' | 'epd' | 'pgn' | 'pdn' | 'popeye' | 'olv' | 'markdown';

export type Game = 'solitaire' | 'chess' | 'chess3d' | 'draughts';

/** Which puzzles are meant: those that fit all of these. */
export interface ChoiceOptions {
  /** Only puzzles whose id, name or number fits one of these patterns, such as `mate-*`. */
  only?: readonly string[] | undefined;
  /** Only puzzles with one of these tags. */
  tags?: readonly string[] | undefined;
  /** Only puzzles of these games. */
  games?: readonly Game[] | undefined;
}

export interface ExportOptions extends ReadOptions, PathOption, ChoiceOptions {
  /** Solve every puzzle. Otherwise, and without a budget, only moves are verified. */
  solve?: boolean | undefined;
  /** When an Anki package was written, in seconds since 1970; by default now. Anki updates notes only by newer ones. */
  time?: number | undefined;
}

/** A package of cards. */
export interface ExportedPackage {
  /** The file. */
  bytes: Uint8Array;
  /** How many puzzles it has. */
  puzzles: number;
  /** What the format has no place for, in sentences. */
  notes: string[];
}

/** Puzzles in the format of another program. */
export interface Exported {
  /** The file. */
  text: string;
  /** How many puzzles it has. */
  puzzles: number;
  /** What the format has no place for, in sentences. */
  notes: string[];
}

export interface DrawOptions extends ReadOptions {
  /** The puzzle, by a pattern for its id, name or number; without one the text must have one puzzle. */
  only?: string | undefined;
  /** The format. The program `cpz` draws PNG too. */
  to?: 'svg' | undefined;
  /** The longer side in pixels, 16 to 4096, by default 400. */
  size?: number | undefined;
  /** The colours, by default `wood`. */
  theme?: 'wood' | 'grey' | 'print' | undefined;
  /** Whether files and ranks are named, by default true. */
  coordinates?: boolean | undefined;
  /** The position after so many steps of the solution, with an arrow for the last one. */
  step?: number | undefined;
  /** Whether there are arrows for the solution. */
  solution?: boolean | undefined;
}

/** A text with the safe fixes of its findings. */
export interface Fixed {
  text: string;
  /** How many fixes were applied. */
  fixed: number;
}

/** At most one of `unique`, `shorten` and `minimal`; without any, puzzles are made sound. */
export interface RepairOptions extends ReadOptions, PathOption, ChoiceOptions {
  /** Make each solution the only one, also where the puzzle does not say `unique`. */
  unique?: boolean | undefined;
  /** Make smaller puzzles that are as sound. */
  shorten?: boolean | undefined;
  /** Take away pieces that the solution does not need. */
  minimal?: boolean | undefined;
  /** The most repairs of each puzzle in the document, by default all of them. */
  max?: number | undefined;
}

export type Placement = 'apart' | 'below' | 'none';

export interface PrintOptions extends ReadOptions, ChoiceOptions {
  /** The format, by default `html`. */
  to?: 'html' | 'typst' | 'latex' | undefined;
  /** The colours, by default `print`. */
  theme?: 'wood' | 'grey' | 'print' | undefined;
  /** Whether files and ranks are named; by default they are in the form `lesson`. */
  coordinates?: boolean | undefined;
  /** The size of the paper, by default `a4`. */
  paper?: 'a4' | 'letter' | undefined;
  /** How many diagrams a page has at most, 1 to 12, by default 6. */
  perPage?: number | undefined;
  /** What stands below chess problems, by default `magazine` for LaTeX, else `lesson`. */
  form?: 'lesson' | 'magazine' | undefined;
  /** Where the solutions are, by default `apart`. */
  solutions?: Placement | undefined;
  /** Where the hints are, by default `apart`. */
  hints?: Placement | undefined;
  /** Whether puzzles without hints get those of `hint`. */
  addHints?: boolean | undefined;
  /** Which difficulty is shown, by default `written`. */
  difficulty?: 'written' | 'estimate' | 'none' | undefined;
  /** The language of the sheet, by default `en`. */
  language?: 'en' | 'de' | 'fr' | 'ru' | 'es' | undefined;
  /** The title of a title page. */
  title?: string | undefined;
}

/** A sheet of diagrams. */
export interface Printed {
  /** The sheet. */
  text: string;
  /** How many puzzles it has. */
  puzzles: number;
  /** The puzzles that are not on it: the line, from 1, and why. */
  left_out: { line: number; reason: string }[];
}

export interface RateOptions extends ReadOptions, PathOption, ChoiceOptions {}

export interface HintOptions extends ReadOptions, PathOption, ChoiceOptions {
  /** How much the hint gives away: 1, which is the default, which piece begins, 2 where it goes, 3 the move. */
  grade?: 1 | 2 | 3 | undefined;
}

export type SortKey = 'difficulty' | 'pieces' | 'name' | 'id';

export type Severity = 'error' | 'warning' | 'hint';

/** What a diagnostic code or a keyword means. */
export interface Explanation {
  /** The code or the keyword. */
  name: string;
  /** Null for a keyword. */
  severity: Severity | null;
  /** Null for a keyword. */
  title: string | null;
  /** Markdown with examples of a code, plain text of a keyword. */
  text: string;
}

/** A diagnostic code. */
export interface Code {
  code: string;
  /** Its severity, if the configuration says nothing else. */
  severity: Severity;
  /** What it means, in a few words. */
  title: string;
}

export type SchemaName = 'check' | 'solve' | 'repair' | 'rate' | 'hint' | 'stats' | 'diff' | 'export' | 'lines' | 'config' | 'baseline';

/** The name and the configuration are those of both texts. */
export interface DiffOptions extends ReadOptions, PathOption {}

export interface DiffMarkdownOptions extends DiffOptions {
  /** How many puzzles are described at most; by default all. */
  max?: number | undefined;
}

export interface GenerateOptions {
  /** How many puzzles, 1 to 100,000, by default 1. */
  count?: number | undefined;
  /** The same seed makes the same puzzles; by default 1. */
  seed?: number | undefined;
  /** The number of pieces, 1 to 64; without one 6 in solitaire, three more than are taken in draughts, and any in chess. */
  pieces?: number | undefined;
  /** Solitaire: columns and rows, by default `4x4`. Chess3d: the side of the cube, 3 to 8, by default `3`. */
  size?: string | undefined;
  /** Solitaire: the rules. */
  rules?: 'default' | 'ranger' | 'solo' | undefined;
  /** The kinds of pieces, each with its weight behind it, such as `KQR2B2N2P3`, or `M5K` in draughts; not in chess. */
  kinds?: string | undefined;
  /** Solitaire: only boards with one solution, in any order. */
  unique?: boolean | undefined;
  /** The least and the largest estimate of difficulty, 1 to 10, such as `3-4.5`. */
  difficulty?: string | undefined;
  /** Draughts: how many pieces the one capture takes, 1 to 12, by default 3. */
  captures?: number | undefined;
  /** Chess: mate in so many moves, 1 to 5, with one key. */
  mate?: number | undefined;
  /** Chess: a text of cpz with the positions to change. */
  positions?: string | undefined;
  /** A text of cpz with puzzles from which the new ones must differ. */
  known?: string | undefined;
  /** The node budget of each puzzle, 1 to 100,000,000, by default 4,000,000. */
  budget?: number | undefined;
}

/** New puzzles. */
export interface Generated {
  /** The puzzles as a text of cpz. */
  text: string;
  /** How many were found. Fewer than wanted: the budget was used up. */
  puzzles: number;
}

export interface AnswerLineOptions {
  /** The number of the line, from 1, by default 1. */
  number?: number | undefined;
  /** The node budget of one search, 1 to 100,000,000, by default 4,000,000. */
  budget?: number | undefined;
}

/**
 * Loads the module. The functions do that by themselves; call this to load it earlier, or from another place: `source` has
 * its bytes, or is a `WebAssembly.Module`, what `fetch` gives, or a promise of one of these.
 */
export function init(source?: object): Promise<void>;

/** Checks the puzzles of a text, as `cpz check --format json` does. */
export function check(text: string, options?: CheckOptions): Promise<CheckDocument>;

/** Answers the queries of a text, as `cpz solve --format json` does. */
export function solve(text: string, options?: SolveOptions): Promise<SolveDocument>;

/** Applies the safe fixes of a text, as `cpz check --fix` does. */
export function fix(text: string, options?: ReadOptions): Promise<Fixed>;

/** Finds changes that make unsound puzzles sound, as `cpz repair --format json` does. */
export function repair(text: string, options?: RepairOptions): Promise<RepairDocument>;

/** Formats a text as `cpz fmt` does; only white space changes. */
export function format(text: string): Promise<string>;

/** Writes the boards of a text in another format, as `cpz convert` does. */
export function convert(text: string, to: BoardFormat, options?: ConvertOptions): Promise<Converted>;

/** Makes puzzles of a file of another program, as `cpz import` does. Give a file that may not be UTF-8 as bytes. */
export function importText(file: string | ArrayBuffer | ArrayBufferView, options?: ImportOptions): Promise<Imported>;

/** Writes the puzzles of a text in the format of another program, as `cpz export` does. */
export function exportText(text: string, to: ExportFormat, options?: ExportOptions): Promise<Exported>;

/** Makes a package of cards for Anki of the puzzles of a text, as `cpz export` does. */
export function exportText(text: string, to: 'anki', options?: ExportOptions): Promise<ExportedPackage>;

/** Draws the board of one puzzle as an SVG, as `cpz draw` does. */
export function draw(text: string, options?: DrawOptions): Promise<string>;

/** Makes a sheet of diagrams for paper, as `cpz print` does. */
export function printText(text: string, options?: PrintOptions): Promise<Printed>;

/** Says what has changed between two versions of a text, puzzle by puzzle, as `cpz diff --format json` does. */
export function diff(old: string, changed: string, options?: DiffOptions): Promise<DiffDocument>;

/** Says the same in Markdown, as `cpz diff --format markdown` does. */
export function diffMarkdown(old: string, changed: string, options?: DiffMarkdownOptions): Promise<string>;

/** Says the same on an HTML page with pictures of the boards, as `cpz diff --format html` does. */
export function diffHtml(old: string, changed: string, options?: DiffMarkdownOptions): Promise<string>;

/** Makes new puzzles, as `cpz generate` does. */
export function generate(game: Game, options?: GenerateOptions): Promise<Generated>;

/**
 * Answers a line with one puzzle, a JSON object or a text of cpz, by a line of JSON, as `cpz lines` does: a `LinesDocument`. A
 * line that is no puzzle is answered too.
 */
export function answerLine(line: string | ArrayBuffer | ArrayBufferView, options?: AnswerLineOptions): Promise<string>;

/** Says how hard the puzzles of a text are, as `cpz rate --format json` does. */
export function rate(text: string, options?: RateOptions): Promise<RateDocument>;

/** Gives a hint for each puzzle of a text, as `cpz hint --format json` does. */
export function hint(text: string, options?: HintOptions): Promise<HintDocument>;

/** Sorts the puzzles of a text, as `cpz sort` does. */
export function sort(text: string, by: SortKey, options?: ReadOptions): Promise<string>;

/** Counts the puzzles of a text, as `cpz stats --format json` does. */
export function stats(text: string, options?: ReadOptions): Promise<StatsDocument>;

/** Draws a plot of the difficulty and the pieces of the puzzles of a text as an SVG, as `cpz stats --format svg` does. */
export function plot(text: string, options?: ReadOptions): Promise<string>;

/** Explains a diagnostic code or a keyword, as `cpz explain` does. */
export function explain(name: string): Promise<Explanation>;

/** All diagnostic codes, as `cpz explain --list` prints them. */
export function codes(): Promise<Code[]>;

/** The JSON schema of a document, as `cpz schema` prints it. */
export function schema(of: SchemaName): Promise<Record<string, unknown>>;
