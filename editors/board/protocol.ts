// Messages between the board panel, the extension and the server.

export interface Range {
  start: { line: number; character: number };
  end: { line: number; character: number };
}

/** The server's answer to `cpz/board`. */
export interface Board {
  version: number | null;
  range: Range;
  name: string | null;
  game: string;
  description: string[];
  state: string;
  queries: { label: string; range: Range; shown: boolean }[];
  lines: string[];
  line: number;
  frames: number;
  frame: number;
  svg: string;
  words: string;
  caption: string;
  failed: boolean;
  step: Range | null;
  whole: boolean;
  /** Whether the board is still being typed: its rows are drawn as they stand, and the caption is no error. */
  draft?: boolean;
  /** The state if it speaks of an error or a warning, else empty; and the place of that. */
  headline?: string;
  trouble?: Range | null;
  /** The moves that can be chosen at the picture, in a chess problem. */
  branch?: Branch | null;
  /** The board that can be touched, if a mode was asked for. */
  touch?: Touch | null;
  /** The position that the puzzle begins with: as a FEN or PDN where the game has one, and as text. */
  fen?: string | null;
  text?: string;
}

/** What gestures on the board do: nothing, change the position, or make moves. */
export type Mode = 'view' | 'edit' | 'record';

/** A board that can be touched. */
export interface Touch {
  /** Why it cannot. */
  refused: string | null;
  palette: { letter: string; name: string; svg: string }[];
  side: 'white' | 'black' | null;
  castling: string | null;
  columns: number;
  rows: number;
  levels: number;
  /** The least and the greatest side; equal if boards have one size. */
  least: number;
  greatest: number;
  verdict: string;
  good: boolean | null;
  /** The defences of a chess problem that have no answer yet and can be recorded now. */
  left?: { label: string; from: string; to: string; choice: string | null }[];
}

/** What was done on a board. */
export type Gesture =
  | { kind: 'put'; square: string; piece: string }
  | { kind: 'remove'; square: string }
  | { kind: 'move'; from: string; to: string }
  | { kind: 'clear' }
  | { kind: 'size'; columns: number; rows: number }
  | { kind: 'side'; side: 'white' | 'black' }
  | { kind: 'castling'; rights: string }
  | { kind: 'record'; from: string; to: string; choice?: string };

/** The server's answer to `cpz/edit`. */
export interface EditResult {
  version: number | null;
  edits: { range: Range; newText: string }[];
  words: string;
  verdict: string;
  refused: string | null;
  choices: { id: string; label: string }[];
}

/** The server's answer to `cpz/hint`. */
export interface HintResult {
  hint: string | null;
  refused: string | null;
  grades: number;
}

/** What became of a gesture. */
export interface Edited {
  words?: string;
  verdict?: string;
  refused?: string;
  choices?: { id: string; label: string }[];
  /** The version of the text after the edit. */
  version?: number | null;
}

/** Moves of which one is played. */
export interface Branch {
  title: string;
  /** Moves of one group are consecutive; they have the same answer. */
  choices: { label: string; answer: string; group: number; refutes: boolean }[];
  chosen: number;
  /** What is chosen at the branches before. */
  before: number[];
  /** The picture after the chosen move. */
  frame: number;
}

export type Step = 'first' | 'previous' | 'next' | 'last';

/** From the extension to the page. */
export type ToPage =
  | { board: Board; mode: Mode }
  | { empty: string; offersNew?: boolean }
  | { notice: string }
  | { edited: Edited }
  | { targets: string[]; from: string }
  | { copyPicture: true };

/** From the page to the extension. */
export type FromPage =
  | { kind: 'ready' }
  | { kind: 'step'; step: Step }
  | { kind: 'line'; line: number }
  | { kind: 'choose'; choice: number }
  | { kind: 'chooseNext'; by: 1 | -1 }
  | { kind: 'query'; query: number }
  | { kind: 'trouble' }
  | { kind: 'newPuzzle' }
  | { kind: 'hint' }
  /** How many levels of a cube fit side by side. */
  | { kind: 'layout'; across: number }
  | { kind: 'mode'; mode: Mode }
  | { kind: 'gesture'; version: number | null; gesture: Gesture }
  | { kind: 'targets'; square: string }
  | { kind: 'undo'; redo: boolean }
  /** The page has not got the focus back after an undo in the text. */
  | { kind: 'focus' }
  | { kind: 'picture'; svg: string; copied: boolean }
  | { kind: 'square'; square: string };
