// Sentences of the server in the words of this page.
import type { Board } from '../../board/protocol';
import { plain, withoutMarkdown } from '../../board/words';
import { URI } from './uri';

/** A sentence without Markdown; places in the text are lines, since there is one text, and there is no command line. */
export function sentenceOf(text: string): string {
  return plain(text).replaceAll(`${URI}:`, 'line ').replace(/^cpz: /, '').replace(/; ‘cpz \w+’ prints them all/, '');
}

/** A board with such sentences. */
export function boardInWords(board: Board): Board {
  const shown = withoutMarkdown(board);
  const { state, headline, caption } = shown;
  return { ...shown, state: sentenceOf(state), headline: sentenceOf(headline ?? ''), caption: sentenceOf(caption) };
}
