// Which findings are about what is being typed: a word that is not finished, a brace that is not closed yet, a board that
// is not complete. An editor holds them back until the typing pauses.

/** How long after the last key they appear, in milliseconds. */
export const PAUSE = 3000;
/** Findings that another word or row may remove. */
const UNFINISHED = new Set(['syntax', 'unknown-keyword']);
const UNFINISHED_BOARD = new Set(['missing-board', 'board-shape']);

/** A finding, with its place as offsets. */
export interface Found {
  code: string;
  start: number;
  end: number;
  /** Whether it ends on the line of the cursor. */
  isOnLine: boolean;
}

/**
 * Returns a test for findings that are about what stands before the cursor; undefined unless the cursor is at the end of
 * the text: what is behind the cursor cannot be what is missing.
 */
export function unfinished(text: string, cursor: number): ((found: Found) => boolean) | undefined {
  const written = text.slice(0, cursor).trimEnd();
  if (text.slice(cursor).trim() || written.endsWith('}')) {
    return undefined;
  }
  return ({ code, start, end, isOnLine }) => {
    const isOpen = !text.slice(end, cursor).includes('}');
    const isLast = end >= written.length || isOnLine || text.slice(start, end) === '{';
    return isOpen && (UNFINISHED_BOARD.has(code) || (UNFINISHED.has(code) && isLast));
  };
}
