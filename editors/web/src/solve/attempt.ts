// One attempt at a question: moves are tried on a scratch text, judged by the server, and answered where the solution has an
// answer.
import { HAS_MOVES } from '../../../board/hints';
import type { Board, EditResult, HintResult } from '../../../board/protocol';
import { sentenceOf } from '../words';
import type { Move, Scratch } from './scratch';
import { placementOf, type Position, positionOf, type SolutionTree, type Step, stepBetween } from './tree';

/** What became of a move that was tried. */
export type Tried =
  /** Nothing, because the attempt has ended meanwhile. */
  | { kind: 'nothing' }
  /** Several moves have these squares. */
  | { kind: 'choose'; choices: EditResult['choices'] }
  /** A capture of draughts goes on from here. */
  | { kind: 'jump'; move: string }
  | { kind: 'illegal' | 'wrong'; words: string }
  /** It stands on the board. `reply` is the other side's move after it. */
  | { kind: 'right' | 'legal' | 'solved'; move: string; reply?: string };

/** A question that is tried. */
export interface Asked {
  game: string;
  label: string;
  /** The question of the diagram, if this one is that of a twin of it. */
  main: string;
}

/** Whether a question is answered with moves. */
export function hasMoves(label: string): boolean {
  return HAS_MOVES.test(label) || /^(line$|twin )/.test(label);
}

/** Whether the solver moves for both sides. */
export function isForBoth({ label, main }: Asked): boolean {
  return /^(h|ser)/.test(label.startsWith('twin ') ? main : label);
}

/** Whether the moves of a question are written as a line of their own: those of help and series play of a diagram. */
export function hasOwnLine(asked: Asked): boolean {
  return isForBoth(asked) && !asked.label.startsWith('twin ');
}

/** Whether the answer of a question is a tree: that of a problem of a diagram in which the sides play against each other. */
export function isTree(label: string): boolean {
  return HAS_MOVES.test(label) && !/^(solve|count|capture|h|ser|twin )/.test(label);
}

/** A puzzle whose line a side begins, and the offset of the line. */
export function lineFrom(fen: string, side: string): { text: string; at: number } {
  const [pieces = '', turn = 'w', castling = '-', enPassant = '-'] = fen.split(' ');
  const first = side.startsWith('b') ? 'b' : 'w';
  const head = `chess {\n  board ${pieces} ${first} ${castling} ${first === turn ? enPassant : '-'} 0 1\n  `;
  return { text: `${head}line\n}\n`, at: head.length };
}

export class Attempt {
  /** The moves on the board. */
  readonly moves: string[] = [];
  isSolved = false;
  /** The lines of the solution that begin with these moves; none if the moves are right and in no line. */
  private lines: number[] | undefined;
  /** The squares of a capture of draughts that goes on. */
  private path: string[] = [];

  constructor(
    private readonly scratch: Scratch,
    private readonly tree: SolutionTree,
    private readonly asked: Asked,
    /** Whether the server takes moves for it. */
    readonly isPlayable: boolean,
    /** Whether no other attempt has begun since: then this one changes nothing any more. */
    private readonly isCurrent: () => boolean,
  ) {}

  /** The moves on the board and the jumps of a capture that goes on; empty at the start. */
  get state(): string {
    return [...this.moves, ...this.path].join(' ');
  }

  /** Tries a move. It stays on the board unless it is wrong. */
  async try(made: Move): Promise<Tried> {
    const { scratch } = this;
    const move = await this.whole(made);
    if (!this.isCurrent() || !move) {
      return move ? { kind: 'nothing' } : { kind: 'jump', move: this.path.join(':') };
    }
    const found = await scratch.move(move);
    if (!found || !this.isCurrent()) {
      return { kind: 'nothing' };
    }
    if (found.refused && / does not force /.test(found.refused)) {
      return { kind: 'wrong', words: `${sentenceOf(found.refused)}.` };
    }
    if (found.refused) {
      return { kind: 'illegal', words: this.refusal(found.refused) };
    }
    if (found.choices.length) {
      return { kind: 'choose', choices: found.choices };
    }
    const known = wrongness(found.verdict);
    if (known !== undefined) {
      return { kind: 'wrong', words: `${found.words} is wrong: ${known}.` };
    }
    const before = scratch.text;
    scratch.write(found);
    const back = (words: string): Tried => {
      scratch.goBack(before);
      return { kind: 'wrong', words };
    };
    // A verdict that takes a search comes with the board.
    const board = await scratch.board('record', { wait: !found.verdict && this.hasVerdicts });
    if (!board || !this.isCurrent()) {
      return { kind: 'nothing' };
    }
    const verdict = found.verdict || (/; the last one: (.*)$/.exec(board.touch?.verdict ?? '')?.[1] ?? '');
    const late = wrongness(verdict);
    if (late !== undefined) {
      return back(`${found.words} is wrong: ${late}.`);
    }
    const played = this.moves.length + 1;
    // A solitaire needs no line: its verdict says all.
    const isJudged = /^(keeps|solved)/.test(verdict);
    const lines = this.asked.game === 'solitaire' && isJudged ? [] : await this.tree.withPosition(this.lines ?? (await this.tree.all()), played, positionOf(board).words);
    if (!this.isCurrent()) {
      return { kind: 'nothing' };
    }
    const isCapture = this.asked.label === 'capture';
    const isMate = verdict === 'mate' && /^(mate in|#)/.test(this.question);
    const isRight = isJudged || isCapture || isMate || lines.length > 0;
    if (!isRight && this.asked.game !== 'solitaire' && (await this.tree.isWhole())) {
      return this.isCurrent() ? back(`${found.words} is not the solution.`) : { kind: 'nothing' };
    }
    this.lines = lines;
    this.moves.push(found.words);
    if (/^ser/.test(this.asked.label) && board.fen) {
      await this.continueSeries(positionOf(board));
    }
    this.isSolved = verdict === 'solved' || isCapture || isMate || (await this.isAtEnd(isJudged));
    if (this.isSolved) {
      return { kind: 'solved', move: found.words };
    }
    const reply = isRight ? await this.reply() : undefined;
    // A selfmate ends with the other side's move.
    this.isSolved = reply !== undefined && lines.length > 0 && (await this.isAtEnd(false));
    if (!this.isCurrent()) {
      return { kind: 'nothing' };
    }
    return { kind: this.isSolved ? 'solved' : isRight ? 'right' : 'legal', move: found.words, reply };
  }

  /** The whole capture that ends with a jump; undefined if it goes on. Any other move is itself. */
  private async whole(move: Move): Promise<Move | undefined> {
    if (this.asked.label !== 'capture') {
      return move;
    }
    const path = this.path.at(-1) === move.from ? [...this.path, move.to] : [move.from, move.to];
    const key = path.join(':');
    const lines = (await this.tree.captures()).filter((squares) => squares.join(':').startsWith(key));
    if (lines.some((squares) => squares.length === path.length)) {
      return { from: path[0] ?? '', to: move.to, choice: key };
    }
    if (!lines.length || !this.isCurrent()) {
      return this.path.length ? { from: this.path[0] ?? '', to: move.to } : move;
    }
    this.path = path;
    return undefined;
  }

  /** The squares that the piece on a square can go to. */
  async targets(square: string): Promise<string[]> {
    if (!this.path.length) {
      return this.scratch.targets(square);
    }
    const lines = (await this.tree.captures()).filter((squares) => squares.join(':').startsWith(`${this.path.join(':')}:`));
    return this.path.at(-1) === square ? [...new Set(lines.flatMap((squares) => squares[this.path.length] ?? []))] : [];
  }

  private get question(): string {
    const { label, main } = this.asked;
    return label.startsWith('twin ') ? main : label;
  }

  /** Whether the server judges the moves of this question: those of a written line and of help play are compared with it. */
  private get hasVerdicts(): boolean {
    const { label } = this.asked;
    return label.startsWith('twin ') || !(label === 'line' || isForBoth(this.asked));
  }

  /** Lets the same side move on, until the solution has the other side's move. */
  private async continueSeries(now: Position): Promise<void> {
    const [line] = this.lines ?? [];
    const next = line === undefined ? undefined : await this.tree.position(line, this.moves.length + 1);
    const step = next && stepBetween(now, next);
    if (step && this.isCurrent()) {
      const { text, at } = lineFrom(`${placementOf(now)} w - -`, step.piece);
      this.scratch.set(text, at);
    }
  }

  /** Whether the solution ends here. */
  private async isAtEnd(isJudged: boolean): Promise<boolean> {
    const played = this.moves.length;
    const [line] = this.lines ?? [];
    if (this.asked.label.startsWith('twin ') && !isForBoth(this.asked)) {
      // The key of a twin is its whole answer.
      return true;
    }
    if (line !== undefined) {
      return (await this.tree.position(line, played))?.count === played + 1;
    }
    if (!isJudged || this.asked.game !== 'chess') {
      return false;
    }
    // The goal is reached with the last move.
    const length = Number(/\d+/.exec(this.question.replace(/z[a-h]\d/, ''))?.[0] ?? 0);
    return Math.ceil(played / 2) >= length;
  }

  /** Makes the other side's move: that of the solution, or any, since a right move holds against all. */
  private async reply(): Promise<string | undefined> {
    if (this.asked.game === 'solitaire' || isForBoth(this.asked) || this.asked.label.startsWith('twin ')) {
      return undefined;
    }
    const played = this.moves.length;
    const [line] = this.lines ?? [];
    const [now, next] = line === undefined ? [] : await Promise.all([this.tree.position(line, played), this.tree.position(line, played + 1)]);
    const step = now && next && stepBetween(now, next);
    if (!this.isCurrent()) {
      return undefined;
    }
    const name = step ? await this.make(step, step.becomes) : await this.anyMove();
    if (name !== undefined && this.lines?.length) {
      const board = await this.scratch.board('record');
      this.lines = board ? await this.tree.withPosition(this.lines, played + 1, positionOf(board).words) : [];
    }
    return name;
  }

  /** Makes a move, of several with its squares that to a piece with a name. */
  private async make({ from, to }: Move, becomes = ''): Promise<string | undefined> {
    let found = await this.scratch.move({ from, to });
    if (found?.choices.length) {
      const choice = found.choices.find(({ label }) => becomes.endsWith(label)) ?? found.choices[0];
      found = await this.scratch.move({ from, to, choice: choice?.id });
    }
    if (!found?.edits.length || !this.isCurrent()) {
      return undefined;
    }
    this.scratch.write(found);
    this.moves.push(found.words);
    return found.words;
  }

  /** A move of the side that is to move. */
  private async anyMove(): Promise<string | undefined> {
    const board = await this.scratch.board('record');
    for (const from of board ? positionOf(board).pieces.keys() : []) {
      const [to] = await this.scratch.targets(from);
      if (to && this.isCurrent()) {
        return this.make({ from, to });
      }
    }
    return undefined;
  }

  /** Why a move is not legal. An example in the sentence would give the answer away. */
  private refusal(why: string): string {
    const words = sentenceOf(why).replace(/, such as .*$/, '');
    const isPart = this.asked.game === 'draughts' && words.endsWith('must capture');
    return isPart ? 'Not legal: this is no capture.' : `Not legal: ${words}.`;
  }

  /** A hint for the next move, worked out from the solution; `grade` is from 1 to 3. */
  async hint(grade: number): Promise<HintResult> {
    const step = await this.nextStep();
    if (!step) {
      return { hint: null, refused: 'There is no hint for this position; start again for one', grades: 3 };
    }
    const { piece, from, to, becomes } = step;
    const change = becomes === piece ? '' : ` and becomes a ${becomes}`;
    const hints = [`the next piece to move is a ${piece}`, `the ${piece} on ${from} moves`, `the ${piece} on ${from} goes to ${to}${change}`];
    return { hint: hints[Math.min(grade, hints.length) - 1] ?? null, refused: null, grades: hints.length };
  }

  /** The next move of the solution. */
  private async nextStep(): Promise<Step | undefined> {
    const { path } = this;
    const played = path.length ? path.length - 1 : this.moves.length;
    const captures = path.length ? await this.tree.captures() : [];
    const lines = this.lines ?? (await this.tree.all());
    const line = path.length ? captures.findIndex((squares) => squares.join(':').startsWith(`${path.join(':')}:`)) : lines[0];
    if (line !== undefined) {
      const [now, next] = await Promise.all([this.tree.position(line, played), this.tree.position(line, played + 1)]);
      return now && next && stepBetween(now, next);
    }
    const board = this.asked.game === 'solitaire' ? await this.scratch.board('record') : undefined;
    for (const [from, piece] of board ? positionOf(board).pieces : []) {
      for (const to of await this.scratch.targets(from)) {
        const found = await this.scratch.move({ from, to });
        if (found && /^(keeps|solved)/.test(found.verdict)) {
          return { from, to, piece, becomes: piece };
        }
      }
    }
    return undefined;
  }

  /** The board to show, without anything that gives the answer away. */
  async board(across: number | undefined): Promise<Board | undefined> {
    if (this.path.length && !this.isSolved) {
      return this.boardOfPath();
    }
    const board = await this.scratch.board(this.isPlayable ? 'record' : 'edit', { across });
    return board ? withoutAnswer(board) : undefined;
  }

  /** The board of a capture that goes on: that of a line which begins so, as a board for moves. */
  private async boardOfPath(): Promise<Board | undefined> {
    const line = (await this.tree.captures()).findIndex((squares) => squares.join(':').startsWith(`${this.path.join(':')}:`));
    const [shown, board] = await Promise.all([this.tree.position(line, this.path.length - 1), this.scratch.board('record')]);
    return shown && board ? withoutAnswer({ ...board, svg: shown.board.svg, words: shown.words }) : undefined;
  }
}

/** Why a move is wrong, from the server's verdict on it; undefined if it does not say so. */
function wrongness(verdict: string): string | undefined {
  const why = /^loses:? (.*)$/.exec(verdict)?.[1];
  if (why === 'the mate in 1') {
    return 'it is no mate';
  }
  return why === undefined ? undefined : verdict.startsWith('loses:') ? why : `it loses ${why}`;
}

/** A board with its position alone. */
export function withoutAnswer(board: Board): Board {
  const touch = board.touch && { ...board.touch, verdict: '', good: null };
  return { ...board, touch, state: '', headline: '', trouble: null, description: [], queries: [], lines: [], line: 0, frames: 1, frame: 0, caption: '', failed: false, branch: null, step: null };
}
