// Colours of words, as the server's semantic tokens say.
import { type Extension, type Range as MarkRange, StateEffect, StateField, type Text } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import type { SyncedDocument } from './document';
import { offsetAt, rangeOf } from './positions';
import { refreshing } from './refresh';

const REFRESH_DELAY = 20;
/** The types of tokens, in the order of the server's legend. */
const TYPES = ['keyword', 'property', 'function', 'class', 'string', 'number', 'enumMember', 'comment', 'variable', 'operator', 'parameter'];

const setTokens = StateEffect.define<DecorationSet>();

const tokens = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(found, { changes, effects }) {
    const set = effects.find((effect) => effect.is(setTokens));
    return set ? (set.value as DecorationSet) : found.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const MARKS = TYPES.map((type) => Decoration.mark({ class: `tok-${type}` }));

export function highlighting(document: SyncedDocument): Extension {
  const refresh = async (view: EditorView) => {
    const { from, to } = view.viewport;
    const range = rangeOf(view.state.doc, from, to);
    const found = await document.ask<{ data: number[] } | null>('textDocument/semanticTokens/range', { range });
    if (found) {
      view.dispatch({ effects: setTokens.of(marks(view, found.data)) });
    }
  };
  return [tokens, refreshing(REFRESH_DELAY, true, (view) => void refresh(view))];
}

function marks({ state }: EditorView, data: number[]): DecorationSet {
  const found: MarkRange<Decoration>[] = [];
  for (const { from, to, type } of tokensOf(state.doc, data)) {
    const mark = MARKS[type];
    if (mark && to > from) {
      found.push(mark.range(from, to));
    }
  }
  return Decoration.set(found, true);
}

/** A token by its offsets; `type` is its index in the server's legend. */
export interface ColouredToken {
  from: number;
  to: number;
  type: number;
}

/** The types of `=>`, and of comments and remarks. */
export const [OPERATOR, COMMENT] = [TYPES.indexOf('operator'), TYPES.indexOf('comment')];

/** Five numbers for each token: lines and characters after the one before, length, type, modifiers. */
export function tokensOf(doc: Text, data: readonly number[]): ColouredToken[] {
  const found: ColouredToken[] = [];
  let [line, character] = [0, 0];
  for (let i = 0; i + 4 < data.length; i += 5) {
    const [lines = 0, characters = 0, length = 0, type = 0] = data.slice(i, i + 4);
    character = lines ? characters : character + characters;
    line += lines;
    const from = offsetAt(doc, { line, character });
    found.push({ from, to: Math.min(from + length, doc.length), type });
  }
  return found;
}
