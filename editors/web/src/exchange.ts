// Files of other programs, read and written by the core. The entries of the menu are there if it has the requests.
import { bytesOf, type Exchanged, exportParams, EXPORTS } from '../../board/exports';
import type { SyncedDocument } from './editor/document';
import { sentenceOf } from './words';
import { download, type OpenedFile } from './files/read';
import type { FileSession } from './files/session';
import type { MenuItem } from './ui/menu';
import { joinSentences, tell } from './ui/notices';

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

/** Writes the puzzles for another program. Unless the user wants them `solved`, answers that take long are left out, and the user
 * is offered to wait for them. */
async function exportAs(document: SyncedDocument, session: FileSession, [format, label, extension]: (typeof EXPORTS)[number], solve: boolean) {
  const made = await document.ask<Exchanged>('cpz/export', exportParams(format, solve));
  if (!made) {
    tell('Nothing was written: the text has changed, or has errors.');
    return;
  }
  download(`${session.fileName.replace(/\.[^.]*$/, '')}.${extension}`, bytesOf(made) ?? made.text);
  // The first sentences say which puzzles are left out.
  const sentences = [...made.notices.map(sentenceOf), ...(made.open ? [made.open] : [])];
  const again = { label: 'Solve and write again', run: () => void exportAs(document, session, [format, label, extension], true) };
  tell(sentences.length ? joinSentences(sentences) : `The puzzles are written as ${label}.`, made.open ? [again] : []);
}

/** The entries of the menu that write the puzzles for other programs. */
export function exports(document: SyncedDocument, session: FileSession): MenuItem[] {
  if (!document.client.offers('cpz/export')) {
    return [];
  }
  return EXPORTS.map((chosen) => ({
    label: chosen[1],
    detail: `.${chosen[2]}`,
    run: () => void exportAs(document, session, chosen, false),
  }));
}
