// Files of other programs, read and written by the core. The entries of the menu are there if it has the requests.
import { EXPORTS } from '../../board/exports';
import type { SyncedDocument } from './editor/document';
import { sentenceOf } from './words';
import { download, type OpenedFile } from './files/read';
import type { FileSession } from './files/session';
import type { MenuItem } from './ui/menu';
import { joinSentences, tell } from './ui/notices';

/** The answer to `cpz/import` or `cpz/export`: a text, and what it does not hold of the first one. */
interface Exchanged {
  text: string;
  notices: string[];
}

/** Opens a file of another program as a collection. */
export function importer(document: SyncedDocument, session: () => FileSession) {
  if (!document.client.offers('cpz/import')) {
    return undefined;
  }
  return async ({ name, text }: OpenedFile) => {
    const { text: made, notices } = await document.client.request<Exchanged>('cpz/import', { name, text });
    session().show(`${name.replace(/(\.csv)?\.[^.]*$/, '')}.cpz`, made, { isKept: true, notices: notices.map(sentenceOf) });
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
      void document.ask<Exchanged>('cpz/export', { to: format }).then((made) => {
        if (made) {
          download(`${session.fileName.replace(/\.[^.]*$/, '')}.${extension}`, made.text);
          // The first sentences say which puzzles are left out.
          tell(made.notices.length ? joinSentences(made.notices.map(sentenceOf)) : `The puzzles are written as ${label}.`);
        } else {
          tell('Nothing was written: the text has changed, or has errors.');
        }
      });
    },
  }));
}
