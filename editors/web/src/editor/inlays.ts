// The answers behind queries: a click on one writes it into the text.
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { InlayHint } from '../lsp/types';
import type { SyncedDocument } from './document';
import { returnFocus } from './focus';
import { offsetAt, rangeOf } from './positions';
import { refreshing } from './refresh';

const REFRESH_DELAY = 40;

const setInlays = StateEffect.define<DecorationSet>();

const inlays = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects }) {
    const set = effects.find((effect) => effect.is(setInlays));
    return set ? (set.value as DecorationSet) : shown.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

class InlayWidget extends WidgetType {
  private readonly label: string;
  private readonly tooltip: string;

  constructor(
    private readonly hint: InlayHint,
    private readonly document: SyncedDocument,
    private readonly version: number,
  ) {
    super();
    const { label, tooltip } = hint;
    this.label = typeof label === 'string' ? label : label.map(({ value }) => value).join('');
    this.tooltip = typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? '');
  }

  // The widget of an older version is not kept: its edits are for that version.
  override eq(other: InlayWidget): boolean {
    return other.label === this.label && other.tooltip === this.tooltip && other.version === this.version;
  }

  override toDOM(): HTMLElement {
    const { textEdits } = this.hint;
    const shown = window.document.createElement(textEdits ? 'button' : 'span');
    shown.className = 'cpz-inlay';
    shown.textContent = this.label;
    if (textEdits) {
      shown.title = `${this.tooltip}\nClick to write it into the text`;
      shown.tabIndex = -1;
      shown.addEventListener('click', () => {
        if (this.version === this.document.version) {
          this.document.edit(textEdits);
        }
        returnFocus();
      });
    } else {
      shown.title = this.tooltip;
    }
    return shown;
  }
}

export function inlayHints(document: SyncedDocument): Extension {
  const refresh = async (view: EditorView) => {
    const { from, to } = view.viewport;
    const range = rangeOf(view.state.doc, from, to);
    const found = await document.ask<InlayHint[] | null>('textDocument/inlayHint', { range });
    if (found === undefined) {
      return;
    }
    const widgets = (found ?? []).map((hint) => {
      const widget = new InlayWidget(hint, document, document.version);
      return Decoration.widget({ widget, side: 1 }).range(offsetAt(view.state.doc, hint.position));
    });
    view.dispatch({ effects: setInlays.of(Decoration.set(widgets, true)) });
  };
  return [inlays, refreshing(REFRESH_DELAY, true, (view) => void refresh(view))];
}
