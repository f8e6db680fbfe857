// Files of other programs, read and written by the core. The entries of the menu are there if it has the requests.
import type { SyncedDocument } from './editor/document';
import { sentenceOf } from './words';
import { download, type OpenedFile } from './files/read';
import type { FileSession } from './files/session';
import type { MenuItem } from './ui/menu';
import { tell } from './ui/notices';

/** The answer to `cpz/import`: a collection, and what was not read of the file. */
interface Imported {
  text: string;
  notices: string[];
}

/** The answer to `cpz/export`: the file, and what it has no place for. */
interface Exported {
  text: string;
  notices: string[];
}

/** The formats that are offered, with their extensions. */
const EXPORTS: [format: string, label: string, extension: string][] = [
  ['json', 'JSON, for apps', 'json'],
  ['csv', 'CSV, one row for each query', 'csv'],
  ['pgn', 'PGN, games with a position', 'pgn'],
  ['epd', 'EPD', 'epd'],
  ['fen', 'FEN, one a line', 'fen'],
  ['pdn', 'PDN, draughts', 'pdn'],
  ['popeye', 'Popeye', 'inp'],
  ['olv', 'Olive and YACPDB', 'olv'],
  ['markdown', 'Markdown', 'md'],
];

/** Opens a file of another program as a collection. */
export function importer(document: SyncedDocument, session: () => FileSession) {
  if (!document.client.offers('cpz/import')) {
    return undefined;
  }
  return async ({ name, text }: OpenedFile) => {
    const { text: made, notices } = await document.client.request<Imported>('cpz/import', { name, text });
    session().show(`${name.replace(/(\.csv)?\.[^.]*$/, '')}.cpz`, made);
    if (notices.length) {
      const [first = '', ...more] = notices.map(sentenceOf);
      tell(more.length ? `${first} (and ${more.length} more)` : first);
    }
  };
}

/** The entries of the menu that write the puzzles for other programs. */
export function exports(document: SyncedDocument, session: FileSession): MenuItem[] {
  if (!document.client.offers('cpz/export')) {
    return [];
  }
  return EXPORTS.map(([format, label, extension]) => ({
    label,
    detail: `.${extension}`,
    run: () => {
      void document.ask<Exported>('cpz/export', { to: format }).then((made) => {
        if (made) {
          download(`${session.fileName.replace(/\.[^.]*$/, '')}.${extension}`, made.text);
          const last = made.notices.at(-1);
          tell(last ? sentenceOf(last) : `The puzzles are written as ${label}.`);
        } else {
          tell('Nothing was written: the text has changed, or has errors.');
        }
      });
    },
  }));
}
