// Which line of play, step and variation of a puzzle is shown.
import type { Board, Mode, Step } from './protocol';

/** What is asked of the server besides the place; empty: it decides by the cursor. */
export interface Requested {
  line?: number;
  frame?: number;
  /** The moves at branches that the user chose. */
  choices?: number[];
}

export class Navigation {
  board: Board | undefined;
  requested: Requested = {};
  mode: Mode = 'view';
  /** How many levels of a cube are drawn side by side; the server's choice if undefined. */
  across: number | undefined;

  /** What a request for the board says of the picture that is wanted. */
  get params(): Requested & { mode?: Mode; across?: number } {
    return { ...this.requested, mode: this.mode === 'view' ? undefined : this.mode, across: this.across };
  }

  /** Whether a step would go beyond the last picture. */
  isLast(step: Step): boolean {
    const last = (this.board?.frames ?? 1) - 1;
    return step === 'next' && last > 0 && (this.board?.frame ?? 0) >= last;
  }

  /** Asks for another step. Returns false if there is no board. */
  step(step: Step): boolean {
    const { board } = this;
    if (!board) {
      return false;
    }
    const last = board.frames - 1;
    const frame = { first: 0, previous: board.frame - 1, next: board.frame + 1, last }[step];
    const { choices } = this.requested;
    this.requested = { line: board.line, frame: Math.min(Math.max(frame, 0), last), choices };
    // A second key press may come before the answer to the first: count from the requested frame.
    this.board = { ...board, frame: this.requested.frame ?? 0 };
    return true;
  }

  /** Asks for another move where the variations branch. Returns false if there is no such move. */
  choose(choice: number): boolean {
    const { board } = this;
    const branch = board?.branch;
    if (!board || !branch?.choices[choice]) {
      return false;
    }
    this.requested = { line: board.line, frame: branch.frame, choices: [...branch.before, choice] };
    // As in `step`: the next key press counts from this move.
    this.board = { ...board, frame: branch.frame, branch: { ...branch, chosen: choice } };
    return true;
  }

  /** Asks for the move before or after the chosen one. */
  chooseNext(by: 1 | -1): boolean {
    return this.choose((this.board?.branch?.chosen ?? 0) + by);
  }
}
