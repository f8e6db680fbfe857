// The puzzles that New Puzzle offers, and where one is put into a text.
import templates from './templates.json';

/** Their names, what they are, and a function from the text that gets one to its text as a snippet with tab stops. */
export const PUZZLES = Object.entries(templates).map(([label, { description, body, boards }]) => ({
  label,
  description,
  snippet: (text: string) => {
    const all = boards.map((values) => filled(body.join('\n'), values));
    const own = all.find((snippet) => !hasBoard(text, snippet)) ?? all[0] ?? '';
    return own.replace('${1:name}', `\${1:${freeName(text)}}`);
  },
}));

/** A template with the values of a board from tab stop 2 on. */
function filled(body: string, values: readonly string[]): string {
  return values.reduce((snippet, value, i) => snippet.replace(`\${${i + 2}}`, () => `\${${i + 2}:${value}}`), body);
}

/** Whether a text has the board of a snippet, whatever space is between its cells: cpz would report a duplicate puzzle. */
function hasBoard(text: string, snippet: string): boolean {
  const plain = snippet.replace(/\$\{\d+:([^}]*)\}/g, '$1');
  const board = /\bboard\s([^]*?)\n\s*(?:solve|move|turn|mate|helpmate|capture)/.exec(plain)?.[1] ?? plain;
  return withoutSpace(text).includes(withoutSpace(board));
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '');

/** A name that the text does not have yet, so that cpz reports no duplicate name. */
function freeName(text: string): string {
  let number = 1;
  while (text.includes(`"Puzzle ${number}"`)) {
    number++;
  }
  return `Puzzle ${number}`;
}

/** A place for a new puzzle (0-based), and the line ends that part it from its neighbours. */
export interface Place {
  line: number;
  character: number;
  before: string;
  after: string;
}

/** The first empty line at or after `line` (0-based) that is outside of all braces; else the end of the text. */
export function placeFor(text: string, line: number): Place {
  const lines = text.split(/\r\n|\r|\n/);
  let open = 0;
  for (const [n, content] of lines.entries()) {
    if (n >= line && open === 0 && !content.trim()) {
      const before = n > 0 && lines[n - 1]?.trim() ? '\n' : '';
      const isLast = n === lines.length - 1;
      const hasMore = lines.slice(n).some((rest) => rest.trim());
      return { line: n, character: 0, before, after: hasMore || isLast ? '\n' : '' };
    }
    // Strings and remarks are removed in the order of their start: a string may contain slashes, a comment quotes.
    const code = content.replace(/'[^']*'|"[^"]*"|\([^)]*\)|(?<=^|[\s[\]{}(),])\/\/.*$/g, '');
    open = Math.max(0, open + (code.match(/\{/g)?.length ?? 0) - (code.match(/\}/g)?.length ?? 0));
  }
  const last = lines.length - 1;
  const character = lines[last]?.length ?? 0;
  return { line: last, character, before: character > 0 ? '\n\n' : '', after: '\n' };
}
