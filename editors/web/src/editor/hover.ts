// What the server says about the word under the pointer, or under the cursor.
import { forEachDiagnostic } from '@codemirror/lint';
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

function isFinding({ state }: EditorView, at: number): boolean {
  let found = false;
  forEachDiagnostic(state, (_finding, from, to) => (found ||= from <= at && at <= to));
  return found;
}

export function hover(document: SyncedDocument): Extension {
  // On a finding the hover would say the same twice.
  return hoverTooltip((view, at) => (isFinding(view, at) ? null : hoverAt(document, view, at)), { hideOnChange: true });
}
