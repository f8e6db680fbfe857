// Sentences of the server as plain text: messages, menus and the board show no Markdown.
import type { Board } from './protocol';

/** A text with ‘none’ for `none`. */
export function plain(text: string): string {
  return text.replace(/`([^`\n]+)`/g, '‘$1’');
}

/** The words of questions, with numbers where two have the same: `capture 1`, `capture 2`. */
export function numbered(labels: readonly string[]): string[] {
  return labels.map((label, at) => {
    const isAlone = labels.indexOf(label) === labels.lastIndexOf(label);
    return isAlone ? label : `${label} ${labels.slice(0, at + 1).filter((other) => other === label).length}`;
  });
}

/** A board whose sentences are plain. */
export function withoutMarkdown(board: Board): Board {
  return {
    ...board,
    state: plain(board.state),
    headline: plain(board.headline ?? ''),
    lines: board.lines.map(plain),
    words: plain(board.words),
    caption: plain(board.caption),
    touch: board.touch && { ...board.touch, refused: board.touch.refused && plain(board.touch.refused), verdict: plain(board.touch.verdict) },
  };
}
