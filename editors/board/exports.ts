/** The formats that `cpz export` writes, with their extensions. */
export const EXPORTS: [format: string, label: string, extension: string][] = [
  ['json', 'JSON, for apps', 'json'],
  ['jsonl', 'JSON lines, one puzzle a line', 'jsonl'],
  ['csv', 'CSV, one row for each query', 'csv'],
  ['pgn', 'PGN, games with a position', 'pgn'],
  ['epd', 'EPD', 'epd'],
  ['fen', 'FEN, one a line', 'fen'],
  ['pdn', 'PDN, draughts', 'pdn'],
  ['popeye', 'Popeye', 'inp'],
  ['olv', 'Olive and YACPDB', 'olv'],
  ['markdown', 'Markdown', 'md'],
  ['anki', 'Anki, flash cards', 'apkg'],
];

/** The answer to `cpz/import` or `cpz/export`: a file, and a sentence for each thing that it does not hold of the first one. */
export interface Exchanged {
  text: string;
  /** The bytes of a file that is no text, in base64. */
  data?: string;
  notices: string[];
  /** How many answers need a longer search, in words. */
  open?: string;
}

/** The parameters of `cpz/export` besides the text. Anki replaces its cards by those of a newer package alone. */
export function exportParams(to: string, solve: boolean) {
  return { to, solve, time: Math.floor(Date.now() / 1000) };
}

/** The bytes of a file that is no text; undefined where it is one. */
export function bytesOf({ data }: Exchanged): Uint8Array<ArrayBuffer> | undefined {
  return data === undefined ? undefined : Uint8Array.from(atob(data), (char) => char.charCodeAt(0));
}
