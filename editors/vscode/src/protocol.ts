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
export type ToPage = { board: Board } | { empty: string; offersNew?: boolean } | { notice: string };

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
  | { kind: 'square'; square: string };
