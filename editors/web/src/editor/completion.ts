// Completion, as the server offers it. Enter takes an entry only if that changes the text as one expects.
import { acceptCompletion, autocompletion, closeCompletion, completionStatus, moveCompletionSelection, selectedCompletion, snippet, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { type Extension, Prec } from '@codemirror/state';
import { type EditorView, keymap } from '@codemirror/view';
import type { CompletionItem } from '../lsp/types';
import type { SyncedDocument } from './document';
import { markdown } from './markdown';
import { offsetAt, positionAt } from './positions';

/** The kinds of the protocol, as the names of icons. */
const KINDS: Record<number, string> = { 3: 'function', 5: 'property', 10: 'property', 12: 'constant', 14: 'keyword', 15: 'text', 20: 'constant', 21: 'constant' };

export function completion(document: SyncedDocument): Extension {
  return [
    autocompletion({
      override: [(context) => complete(document, context)],
      defaultKeymap: false,
      icons: false,
      activateOnTypingDelay: 50,
    }),
    Prec.highest(
      keymap.of([
        { key: 'Tab', run: acceptCompletion },
        { key: 'Enter', run: (view) => isWanted(view) && acceptCompletion(view) },
        { key: 'ArrowDown', run: moveCompletionSelection(true) },
        { key: 'ArrowUp', run: moveCompletionSelection(false) },
        { key: 'PageDown', run: moveCompletionSelection(true, 'page') },
        { key: 'PageUp', run: moveCompletionSelection(false, 'page') },
        { key: 'Escape', run: closeCompletion },
      ]),
    ),
  ];
}

/** Whether Enter means the selected entry: not if it stands in the text already, and not before anything is typed. */
function isWanted(view: EditorView): boolean {
  const selected = selectedCompletion(view.state);
  if (completionStatus(view.state) !== 'active' || !selected) {
    return false;
  }
  const { head } = view.state.selection.main;
  const before = view.state.sliceDoc(view.state.doc.lineAt(head).from, head);
  const typed = /\S*$/.exec(before)?.[0] ?? '';
  return typed !== '' && typed !== selected.label && !before.endsWith(selected.label);
}

async function complete(document: SyncedDocument, context: CompletionContext): Promise<CompletionResult | null> {
  const { state, pos } = context;
  const typed = state.sliceDoc(Math.max(0, pos - 1), pos);
  const trigger = !context.explicit && /[ [,]/.test(typed) ? typed : undefined;
  if (!context.explicit && !trigger && !/[\p{L}\p{N}=#+]/u.test(typed)) {
    return null;
  }
  const params = {
    position: positionAt(state.doc, pos),
    context: trigger ? { triggerKind: 2, triggerCharacter: trigger } : { triggerKind: 1 },
  };
  const abort = new AbortController();
  // An answer for an older text is of no use: the next key asks again.
  context.addEventListener('abort', () => abort.abort(), { onDocChange: true });
  const found = await document.ask<{ items: CompletionItem[] } | null>('textDocument/completion', params, abort.signal);
  if (!found?.items.length || context.aborted) {
    return null;
  }
  const starts = found.items.map(({ textEdit }) => (textEdit ? offsetAt(state.doc, textEdit.range.start) : pos));
  const from = Math.min(...starts);
  return {
    from,
    options: found.items.map((item, i) => entry(item, i, state.sliceDoc(from, pos))),
    // The server decides what fits and in which order.
    filter: false,
  };
}

function entry(item: CompletionItem, rank: number, typed: string): Completion {
  const { label, labelDetails, detail, documentation, textEdit, insertTextFormat } = item;
  const text = textEdit?.newText ?? label;
  const words = typeof documentation === 'string' ? documentation : documentation?.value;
  return {
    label,
    detail: labelDetails?.description ?? detail,
    type: KINDS[item.kind ?? 0],
    boost: -rank,
    info: words ? () => card(words) : undefined,
    apply: insertTextFormat === 2 ? snippet(snippetOf(text)) : item.filterText === typed && text === typed ? () => undefined : text,
  };
}

function card(words: string): HTMLElement {
  const shown = window.document.createElement('div');
  shown.append(markdown(words));
  return shown;
}

/** A snippet of the protocol in the notation of the editor: `$0` and choices become fields. */
export function snippetOf(text: string): string {
  return text.replace(/\$\{(\d+)\|([^,|]*)[^}]*\|\}/g, '$${$1:$2}').replace(/\$(\d+)/g, (_, n: string) => `\${${n === '0' ? 99 : n}:}`);
}
