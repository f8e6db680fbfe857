// What the server can do at the cursor: fixes, answers, other ways to write a board.
import { EditorView } from '@codemirror/view';
import { sentenceOf } from '../words';
import type { CodeAction, DocumentSymbol, Range } from '../lsp/types';
import { showMenu, type Anchor, type MenuGroup } from '../ui/menu';
import { tell } from '../ui/notices';
import type { SyncedDocument } from './document';
import type { Finding } from './findings';
import { offsetAt, rangeOf } from './positions';

/** The groups of the menu, by the beginning of the kind of an action. */
const GROUPS: [kind: string, title: string][] = [
  ['quickfix', 'Fix'],
  ['refactor.inline', 'Answers'],
  ['refactor', 'Change'],
  ['source', 'The whole text'],
  ['', 'More'],
];

/** Shows the actions at the cursor in a menu. */
export async function showActions(document: SyncedDocument, findings: () => readonly Finding[], run: (action: CodeAction) => void, anchor?: Anchor): Promise<void> {
  const view = document.editor;
  const { from, to } = view.state.selection.main;
  const at = async (range: Range, only?: string[]) => (await document.ask<CodeAction[] | null>('textDocument/codeAction', { range, context: { diagnostics: [], only } })) ?? [];
  const around = await placeOfFixes(document, findings());
  const fixes = around ? await at(around, ['quickfix']) : [];
  const found = await at(rangeOf(view.state.doc, from, to));
  const all = [...fixes, ...(around ? found.filter(({ kind }) => !kind?.startsWith('quickfix')) : found)];
  const open = all.filter(({ disabled }) => !disabled);
  if (!open.length) {
    const goOn = { label: 'Next finding', run: () => showNext(document, findings, run) };
    tell('There is nothing to fix or change at the cursor. Put it into a puzzle, or on a word that is underlined.', findings().length ? [goOn] : []);
    return;
  }
  const groups: MenuGroup[] = GROUPS.map(([, title]) => ({ title, items: [] }));
  for (const action of open) {
    const group = GROUPS.findIndex(([kind]) => (action.kind ?? '').startsWith(kind));
    groups[group]?.items.push({ label: sentenceOf(action.title), run: () => run(action) });
  }
  showMenu('Fixes and changes', groups, anchor ?? placeOf(view));
}

/** Goes to the finding after the cursor, or else to the first one, and shows what can be done there. */
function showNext(document: SyncedDocument, findings: () => readonly Finding[], run: (action: CodeAction) => void): void {
  const { editor, state } = document;
  const starts = findings().map(({ diagnostic: { range } }) => offsetAt(state.doc, range.start));
  const anchor = starts.find((start) => start > state.selection.main.to) ?? starts[0];
  if (anchor !== undefined) {
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    void showActions(document, findings, run);
  }
}

/**
 * Where fixes are looked for if the selection touches no finding: its lines if they have one, or else the puzzle around it, which
 * has its findings further down.
 */
async function placeOfFixes(document: SyncedDocument, findings: readonly Finding[]): Promise<Range | undefined> {
  const { doc, selection } = document.state;
  const { from, to } = selection.main;
  const lines = { from: doc.lineAt(from).from, to: doc.lineAt(to).to };
  const touches = (place: { from: number; to: number }) =>
    findings.some(({ diagnostic: { range } }) => offsetAt(doc, range.start) <= place.to && place.from <= offsetAt(doc, range.end));
  if (touches({ from, to })) {
    return undefined;
  }
  if (touches(lines)) {
    return rangeOf(doc, lines.from, lines.to);
  }
  const symbols = (await document.ask<DocumentSymbol[] | null>('textDocument/documentSymbol')) ?? [];
  return symbols.find(({ range }) => offsetAt(doc, range.start) <= to && from <= offsetAt(doc, range.end))?.range;
}

function placeOf(view: EditorView): Anchor {
  const found = view.coordsAtPos(view.state.selection.main.head);
  return found ?? view.dom;
}
