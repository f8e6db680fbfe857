// The solution of a question as the server shows it on the board of the text: lines, each with its positions. What a solver
// plays is compared with them, position by position.
import type { Board } from '../../../board/protocol';
import type { Move } from './scratch';

/** A position of a line. */
export interface Position {
  /** The position in words; equal positions have equal words. */
  words: string;
  /** The pieces by the names of their squares, in words. */
  pieces: Map<string, string>;
  /** The number of positions of its line. */
  count: number;
  /** Whether moves are chosen here: the defender has several replies. */
  branches: boolean;
  /** How it is shown. */
  board: Board;
}

/** The most lines that the server lists: with as many, there may be more. */
const MAX_LINES = 24;

export class SolutionTree {
  private readonly positions = new Map<string, Promise<Position | undefined>>();
  private readonly lines: Promise<{ labels: string[]; all: number[]; isWhole: boolean; caption: string }>;

  /** `ask` asks for a picture of the question in the text. */
  constructor(private readonly ask: (picture: { line: number; frame: number }) => Promise<Board | null | undefined>) {
    this.lines = ask({ line: 0, frame: 0 }).then((board) => {
      const labels = board?.lines ?? [];
      // What is no solution, and what has no moves.
      const all = [...labels.keys()].filter((line) => !/^(set play|tries$)/.test(labels[line] ?? '') && (board?.frames ?? 0) > 1);
      return { labels, all, isWhole: !!board?.whole && labels.length < MAX_LINES, caption: board?.caption ?? '' };
    });
  }

  /** The lines that are solutions. */
  async all(): Promise<number[]> {
    return (await this.lines).all;
  }

  /** The squares of each capture of draughts, by its line. */
  async captures(): Promise<string[][]> {
    return (await this.lines).labels.map((label) => label.split(':'));
  }

  /** Whether a move that is in no line is certainly no solution. */
  async isWhole(): Promise<boolean> {
    const { all, isWhole } = await this.lines;
    return isWhole && all.length > 0;
  }

  /** The first move of a solution. */
  async first(): Promise<Step | undefined> {
    const [line] = await this.all();
    const [now, next] = line === undefined ? [] : await Promise.all([this.position(line, 0), this.position(line, 1)]);
    return now && next && stepBetween(now, next);
  }

  /** What the question asks, if that is a sentence. */
  async sentence(): Promise<string | undefined> {
    const { caption } = await this.lines;
    return /^(White|Black) (mates|stalemates|gives|captures|moves|makes|forces)\b/.test(caption) ? caption : undefined;
  }

  /** A position of a line, 0 before its first move; undefined if the line is shorter, or a step of it is wrong. */
  position(line: number, frame: number): Promise<Position | undefined> {
    const key = `${line} ${frame}`;
    const known = this.positions.get(key);
    if (known) {
      return known;
    }
    const asked = this.ask({ line, frame }).then((board) => (board && board.frame === frame && board.line === line && !board.failed ? positionOf(board) : undefined));
    this.positions.set(key, asked);
    return asked;
  }

  /** The lines that have a position after some moves. */
  async withPosition(lines: readonly number[], frame: number, words: string): Promise<number[]> {
    const found = await Promise.all(lines.map(async (line) => ((await this.position(line, frame))?.words === words ? line : undefined)));
    return found.filter((line) => line !== undefined);
  }
}

/** The position that a board shows. */
export function positionOf(board: Board): Position {
  const { words, svg, frames, branch } = board;
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml');
  const squares = [...picture.querySelectorAll<SVGElement>('[data-square]')];
  const piece = (square: SVGElement) => [square.getAttribute('data-square') ?? '', square.getAttribute('aria-label')?.split(', ').at(-1) ?? 'empty'] as const;
  const pieces = new Map(squares.map(piece).filter(([, name]) => name !== 'empty'));
  return { words, pieces, count: frames, branches: !!branch, board };
}

/** The pieces of a board of chess as a FEN has them. */
export function placementOf({ pieces }: Position): string {
  const letters: Record<string, string> = { king: 'k', queen: 'q', rook: 'r', bishop: 'b', knight: 'n', pawn: 'p' };
  const letter = (name: string | undefined) => {
    const [side, kind = ''] = name?.split(' ') ?? [];
    const found = letters[kind] ?? '1';
    return side === 'white' ? found.toUpperCase() : found;
  };
  const ranks = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) => [...'abcdefgh'].map((file) => letter(pieces.get(`${file}${rank}`))).join(''));
  return ranks.join('/').replace(/1+/g, (empty) => `${empty.length}`);
}

/** A move between two positions: its squares, the piece, and what stands there after it. */
export interface Step extends Move {
  piece: string;
  becomes: string;
}

/** The move that leads from one position to the next. */
export function stepBetween(before: Position, after: Position): Step | undefined {
  const side = (piece: string) => piece.split(' ')[0];
  const left = [...before.pieces].filter(([square]) => !after.pieces.has(square));
  const reached = [...after.pieces].filter(([square, piece]) => before.pieces.get(square) !== piece);
  // Castling moves two: the king is the one that is moved.
  const [to, becomes] = reached.find(([, piece]) => piece.endsWith('king')) ?? reached[0] ?? [];
  const own = left.filter(([, piece]) => becomes !== undefined && side(piece) === side(becomes));
  const [from, piece] = own.find(([, name]) => name === becomes) ?? own[0] ?? left.find(([, name]) => name === becomes) ?? [];
  return from && to && piece && becomes ? { from, to, piece, becomes } : undefined;
}
