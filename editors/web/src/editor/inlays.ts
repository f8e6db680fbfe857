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
  private readonly isButton: boolean;

  constructor(
    { label, tooltip, textEdits }: InlayHint,
    private readonly insert: (shown: HTMLElement) => void,
  ) {
    super();
    this.label = typeof label === 'string' ? label : label.map(({ value }) => value).join('');
    this.tooltip = typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? '');
    this.isButton = !!textEdits;
  }

  // What is shown stays while the text around it changes: a click asks for the hint of then.
  override eq(other: InlayWidget): boolean {
    return other.label === this.label && other.tooltip === this.tooltip && other.isButton === this.isButton;
  }

  override toDOM(): HTMLElement {
    const shown = window.document.createElement(this.isButton ? 'button' : 'span');
    shown.className = 'cpz-inlay';
    shown.textContent = this.label;
    shown.title = this.tooltip;
    if (this.isButton) {
      shown.title = `${this.tooltip}\nClick to write it into the text`;
      shown.tabIndex = -1;
      shown.addEventListener('click', () => this.insert(shown));
    }
    return shown;
  }
}

export function inlayHints(document: SyncedDocument): Extension {
  /** The hints of a version, by offset. */
  let hints = new Map<number, InlayHint>();
  let version = 0;

  const insert = (shown: HTMLElement) => {
    const edits = hints.get(document.editor.posAtDOM(shown))?.textEdits;
    if (edits && version === document.version) {
      document.edit(edits);
    }
    returnFocus();
  };
  const refresh = async (view: EditorView) => {
    const { from, to } = view.viewport;
    const range = rangeOf(view.state.doc, from, to);
    const found = await document.ask<InlayHint[] | null>('textDocument/inlayHint', { range });
    if (found === undefined) {
      return;
    }
    version = document.version;
    hints = new Map((found ?? []).map((hint) => [offsetAt(view.state.doc, hint.position), hint]));
    const widgets = [...hints].map(([at, hint]) => Decoration.widget({ widget: new InlayWidget(hint, insert), side: 1 }).range(at));
    view.dispatch({ effects: setInlays.of(Decoration.set(widgets, true)) });
  };
  return [inlays, refreshing(REFRESH_DELAY, true, (view) => void refresh(view))];
}
