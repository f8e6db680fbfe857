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
];
