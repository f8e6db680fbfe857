// The hints of a board view: each one asked for gives away more than the one before.
import type { HintResult } from './protocol';

/** The questions that are answered with moves, so that a hint can be given. */
export const HAS_MOVES = /^(solve|capture|(stale)?mate in|[a-z]+mate in|((semi-|ser-|ser-h|h)?[rsh]?|ser-)[#=+xz]\w*\d)/;

export class Hints {
  /** The puzzle of the last hint, and its grade. */
  private last = { puzzle: '', grade: 0 };

  /** `request` asks the server for the hint of a grade. */
  constructor(private readonly request: (grade: number) => Promise<HintResult | null | undefined>) {}

  /** The next hint for a puzzle, or why there is none, as a sentence. `puzzle` is any name of it and of its text's version. */
  async next(puzzle: string): Promise<string | undefined> {
    const grade = this.last.puzzle === puzzle ? this.last.grade + 1 : 1;
    const found = await this.request(grade);
    if (!found?.hint) {
      return found?.refused ? `${found.refused}.` : undefined;
    }
    this.last = { puzzle, grade: Math.min(grade, found.grades - 1) };
    return `Hint ${Math.min(grade, found.grades)} of ${found.grades}: ${found.hint.replace(/[.!?]$/, '')}.`;
  }
}
