// What the server can do at the cursor: fixes, answers, other ways to write a board.
import type { EditorView } from '@codemirror/view';
import { sentenceOf } from '../words';
import type { CodeAction } from '../lsp/types';
import { showMenu, type Anchor, type MenuGroup } from '../ui/menu';
import { tell } from '../ui/notices';
import type { SyncedDocument } from './document';
import { rangeOf } from './positions';

/** The groups of the menu, by the beginning of the kind of an action. */
const GROUPS: [kind: string, title: string][] = [
  ['quickfix', 'Fix'],
  ['refactor.inline', 'Answers'],
  ['refactor', 'Change'],
  ['source', 'The whole text'],
  ['', 'More'],
];

/** Shows the actions at the cursor in a menu. */
export async function showActions(document: SyncedDocument, run: (action: CodeAction) => void, anchor?: Anchor): Promise<void> {
  const view = document.editor;
  const { from, to } = view.state.selection.main;
  const params = { range: rangeOf(view.state.doc, from, to), context: { diagnostics: [] } };
  const found = await document.ask<CodeAction[] | null>('textDocument/codeAction', params);
  const open = (found ?? []).filter(({ disabled }) => !disabled);
  if (!open.length) {
    tell('There is nothing to fix or change at the cursor. Put it into a puzzle, or on a word that is underlined.');
    return;
  }
  const groups: MenuGroup[] = GROUPS.map(([, title]) => ({ title, items: [] }));
  for (const action of open) {
    const group = GROUPS.findIndex(([kind]) => (action.kind ?? '').startsWith(kind));
    groups[group]?.items.push({ label: sentenceOf(action.title), run: () => run(action) });
  }
  showMenu('Fixes and changes', groups, anchor ?? placeOf(view));
}

function placeOf(view: EditorView): Anchor {
  const found = view.coordsAtPos(view.state.selection.main.head);
  return found ?? view.dom;
}
