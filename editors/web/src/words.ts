// Sentences of the server in the words of this page.
import type { Board } from '../../board/protocol';
import { plain, withoutMarkdown } from '../../board/words';
import { URI } from './uri';

/** A sentence without Markdown; places in the text are lines, since there is one text. */
export function sentenceOf(text: string): string {
  return plain(text).replaceAll(`${URI}:`, 'line ').replace(/^cpz: /, '');
}

/** A board with such sentences. */
export function boardInWords(board: Board): Board {
  const shown = withoutMarkdown(board);
  const { state, headline, caption } = shown;
  return { ...shown, state: sentenceOf(state), headline: sentenceOf(headline ?? ''), caption: sentenceOf(caption) };
}
