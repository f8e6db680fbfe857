// The editor of the text.
import { defaultKeymap, history, historyKeymap, toggleComment } from '@codemirror/commands';
import { nextDiagnostic, previousDiagnostic, lintKeymap } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { drawSelection, dropCursor, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, showTooltip, type Tooltip } from '@codemirror/view';
import { StateEffect, StateField } from '@codemirror/state';
import type { Command, TextEdit } from '../lsp/types';
import { completion } from './completion';
import type { SyncedDocument } from './document';
import { highlighting } from './highlighting';
import { hover, hoverAt } from './hover';
import { inlayHints } from './inlays';
import { codeLenses } from './lenses';
import { positionAt } from './positions';

export interface EditorOptions {
  document: SyncedDocument;
  run: (command: Command) => void;
  actions: () => void;
  onUpdate: Extension;
}

export function createEditor(parent: HTMLElement, text: string, { document, run, actions, onUpdate }: EditorOptions): EditorView {
  const extensions = [
    lineNumbers(),
    highlightActiveLine(),
    highlightSpecialChars(),
    search({ top: true }),
    highlightSelectionMatches({ minSelectionLength: 2 }),
    history(),
    drawSelection(),
    dropCursor(),
    EditorView.lineWrapping,
    EditorState.tabSize.of(2),
    // The server reads `//` as a comment.
    EditorState.languageData.of(() => [{ commentTokens: { line: '//' } }]),
    EditorView.contentAttributes.of({ 'aria-label': 'The puzzles as text', spellcheck: 'false', autocapitalize: 'off', autocorrect: 'off' }),
    document.extension,
    highlighting(document),
    codeLenses(document, run),
    inlayHints(document),
    completion(document),
    hover(document),
    pinned,
    focusByClick,
    formatOnType(document),
    Prec.high(
      keymap.of([
        { key: 'Mod-.', run: () => (actions(), true) },
        { key: 'F8', run: nextDiagnostic },
        { key: 'Shift-F8', run: previousDiagnostic },
        { key: 'Mod-/', run: toggleComment },
        { key: 'Shift-Alt-f', run: () => (void formatText(document), true) },
        { key: 'Mod-i', run: (view) => (void showHover(document, view), true) },
        { key: 'Escape', run: hidePinned },
      ]),
    ),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, ...lintKeymap]),
    onUpdate,
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: text, extensions }) });
  document.attach(view);
  return view;
}

/** A click into a field of a template moves the cursor there, and takes the focus from no other element. */
const focusByClick = EditorView.domEventHandlers({
  click: (_, view) => {
    if (!view.hasFocus) {
      view.focus();
    }
    return false;
  },
});

// ---- Formatting

const OPTIONS = { tabSize: 2, insertSpaces: true };

/** Tidies the text up. */
export async function formatText(document: SyncedDocument): Promise<boolean> {
  const edits = await document.ask<TextEdit[] | null>('textDocument/formatting', { options: OPTIONS });
  if (edits?.length) {
    document.edit(edits);
  }
  return !!edits;
}

/** Indents what is typed after Enter and a closing brace. */
function formatOnType(document: SyncedDocument): Extension {
  return EditorView.updateListener.of(({ transactions, state, docChanged }) => {
    const typed = docChanged && transactions.some((transaction) => transaction.isUserEvent('input'));
    const { head, empty } = state.selection.main;
    const line = state.doc.lineAt(head);
    const before = state.sliceDoc(line.from, head);
    const isEnter = !before.trim() && transactions.some((t) => t.isUserEvent('input') && insertsLine(t.changes));
    const ch = isEnter ? '\n' : before.endsWith('}') ? '}' : undefined;
    if (!typed || !empty || !ch) {
      return;
    }
    const params = { position: positionAt(state.doc, head), ch, options: OPTIONS };
    void document.ask<TextEdit[] | null>('textDocument/onTypeFormatting', params).then((edits) => {
      if (edits?.length) {
        indent(document, edits);
      }
    });
  });
}

/** Applies the edits of on-type formatting; the cursor stays behind an indentation that is inserted at it. */
function indent({ editor, state }: SyncedDocument, edits: TextEdit[]): void {
  const changes = state.changes(
    edits.map(({ range: { start, end }, newText }) => {
      const [first, last] = [state.doc.line(start.line + 1), state.doc.line(end.line + 1)];
      return { from: Math.min(first.from + start.character, first.to), to: Math.min(last.from + end.character, last.to), insert: newText };
    }),
  );
  editor.dispatch({ changes, selection: { anchor: changes.mapPos(state.selection.main.head, 1) }, userEvent: 'input.indent' });
}

function insertsLine(changes: { iterChanges: (f: (a: number, b: number, c: number, d: number, inserted: { lines: number }) => void) => void }): boolean {
  let found = false;
  changes.iterChanges((_a, _b, _c, _d, inserted) => (found ||= inserted.lines > 1));
  return found;
}

// ---- The word at the cursor, by keyboard

const setPinned = StateEffect.define<Tooltip | null>();

const pinned = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, { effects, docChanged, selection }) {
    const set = effects.find((effect) => effect.is(setPinned));
    return set ? (set.value as Tooltip | null) : docChanged || selection ? null : shown;
  },
  provide: (field) => showTooltip.from(field),
});

async function showHover(document: SyncedDocument, view: EditorView): Promise<void> {
  const found = await hoverAt(document, view, view.state.selection.main.head);
  view.dispatch({ effects: setPinned.of(found) });
}

function hidePinned(view: EditorView): boolean {
  if (!view.state.field(pinned)) {
    return false;
  }
  view.dispatch({ effects: setPinned.of(null) });
  return true;
}
