// Calls a function when what it shows may have changed: the text, the lines on the screen, the findings.
import { type Extension, StateEffect } from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';

/** Asks every feature to ask the server again. */
export const refreshAll = StateEffect.define<null>();

/** A feature that asks the server when the text or the view changes, at most once in `delay` milliseconds. */
export function refreshing(delay: number, needsView: boolean, refresh: (view: EditorView) => void): Extension {
  return ViewPlugin.define((view) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const schedule = () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        refresh(view);
      }, delay);
    };
    schedule();
    return {
      update({ docChanged, viewportChanged, transactions }: ViewUpdate) {
        const isAsked = transactions.some(({ effects }) => effects.some((effect) => effect.is(refreshAll)));
        if (docChanged || isAsked || (needsView && viewportChanged)) {
          schedule();
        }
      },
      destroy: () => clearTimeout(timer),
    };
  });
}
