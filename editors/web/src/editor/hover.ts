// What the server says about the word under the pointer, or under the cursor.
import type { Extension } from '@codemirror/state';
import { hoverTooltip, type EditorView, type Tooltip } from '@codemirror/view';
import type { Hover } from '../lsp/types';
import type { SyncedDocument } from './document';
import { markdown } from './markdown';
import { offsetAt, positionAt } from './positions';

export async function hoverAt(document: SyncedDocument, view: EditorView, at: number): Promise<Tooltip | null> {
  const found = await document.ask<Hover | null>('textDocument/hover', { position: positionAt(view.state.doc, at) });
  if (!found?.contents.value) {
    return null;
  }
  const { doc } = view.state;
  const [pos, end] = found.range ? [offsetAt(doc, found.range.start), offsetAt(doc, found.range.end)] : [at, at];
  return {
    pos,
    end,
    above: true,
    create: () => {
      const dom = window.document.createElement('div');
      dom.className = 'cpz-hover';
      dom.append(markdown(found.contents.value));
      return { dom };
    },
  };
}

export function hover(document: SyncedDocument): Extension {
  return hoverTooltip((view, at) => hoverAt(document, view, at), { hideOnChange: true });
}
