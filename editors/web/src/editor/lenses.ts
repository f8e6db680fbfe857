// The line above each puzzle: its state, its board, and what can be inserted. The lines are reserved at once and filled
// when they are on the screen, because a title may need a search.
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { sentenceOf } from '../words';
import type { CodeLens, Command } from '../lsp/types';
import type { SyncedDocument } from './document';
import { offsetAt } from './positions';
import { returnFocus } from './focus';
import { refreshAll, refreshing } from './refresh';

const REFRESH_DELAY = 60;

/** A lens, with the command of an earlier version of the text until its own is known. */
interface Lens {
  lens: CodeLens;
  command: Command | undefined;
  isResolved: boolean;
}

const setLenses = StateEffect.define<DecorationSet>();

const lensLines = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects }) {
    const set = effects.find((effect) => effect.is(setLenses));
    return set ? (set.value as DecorationSet) : shown.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

class LensWidget extends WidgetType {
  /** As they are now: the line changes when titles come. */
  readonly commands: (Command | undefined)[];
  private readonly titles: string;

  constructor(
    line: Lens[],
    private readonly press: (shown: HTMLElement, lens: number) => void,
  ) {
    super();
    this.commands = line.map(({ command }) => command);
    this.titles = this.commands.map((command) => `${command?.command} ${command?.title}`).join('\n');
  }

  // What is shown stays while the text around it changes: a click asks for the command of then.
  override eq(other: LensWidget): boolean {
    return other.titles === this.titles;
  }

  override get estimatedHeight(): number {
    return 22;
  }

  override toDOM(): HTMLElement {
    const shown = window.document.createElement('div');
    shown.className = 'cpz-lenses';
    for (const [number, command] of this.commands.entries()) {
      if (!command) {
        continue;
      }
      const text = sentenceOf(command.title);
      const lens = window.document.createElement(command.command ? 'button' : 'span');
      lens.textContent = text;
      lens.className = text.startsWith('✗') ? 'wrong' : text.startsWith('✓') ? 'right' : '';
      if (command.command) {
        // Lenses are reached by Ctrl+. as well; Tab leaves the text.
        lens.tabIndex = -1;
        lens.addEventListener('click', () => this.press(shown, number));
      }
      shown.append(lens);
    }
    return shown;
  }
}

export function codeLenses(document: SyncedDocument, run: (command: Command) => void): Extension {
  /** The lenses of the last answer, by the offset of their line. */
  let lines = new Map<number, Lens[]>();
  let version = 0;

  const press = (shown: HTMLElement, lens: number) => {
    returnFocus();
    const { editor, state } = document;
    const command = lines.get(state.doc.lineAt(editor.posAtDOM(shown)).from)?.[lens]?.command;
    if (command) {
      run(command);
    }
  };

  const draw = (view: EditorView) => {
    if (version !== document.version) {
      // The offsets are those of another text.
      return;
    }
    const widgets = [...lines].map(([from, line]) =>
      Decoration.widget({ widget: new LensWidget(line, press), block: true, side: -1 }).range(from),
    );
    view.dispatch({ effects: setLenses.of(Decoration.set(widgets, true)) });
  };

  const resolve = async (lens: Lens) => {
    const asked = version;
    const { range, data } = lens.lens;
    const found = await document.ask<CodeLens>('codeLens/resolve', { range, data });
    if (found?.command && asked === version) {
      lens.isResolved = true;
      const isNew = JSON.stringify(found.command) !== JSON.stringify(lens.command);
      lens.command = found.command;
      return isNew;
    }
    return false;
  };

  /** Draws the lenses as they are known, and again with each group of titles that has come. */
  const refresh = async (view: EditorView) => {
    if (version !== document.version) {
      const asked = document.version;
      const found = await document.ask<CodeLens[] | null>('textDocument/codeLens');
      if (found === undefined) {
        return;
      }
      lines = grouped(view, found ?? []);
      version = asked;
      draw(view);
    }
    const { from, to } = view.viewport;
    const visible = [...lines].filter(([at]) => at >= from && at <= to).flatMap(([, line]) => line);
    let timer: ReturnType<typeof setTimeout> | undefined;
    for (const lens of visible.filter(({ isResolved }) => !isResolved)) {
      void resolve(lens).then((isNew) => {
        if (isNew) {
          timer ??= setTimeout(() => {
            timer = undefined;
            draw(view);
          });
        }
      });
    }
  };
  // A search that has ended changes the titles, but not the text.
  const again = StateField.define<null>({
    create: () => null,
    update(value, { effects }) {
      if (effects.some((effect) => effect.is(refreshAll))) {
        [...lines.values()].flat().forEach((lens) => (lens.isResolved = false));
      }
      return value;
    },
  });
  return [lensLines, again, refreshing(REFRESH_DELAY, true, (view) => void refresh(view))];
}

/** Lenses by line. A line that had as many lenses before shows their titles until it has its own. */
function grouped({ state }: EditorView, lenses: CodeLens[]): Map<number, Lens[]> {
  const lines = new Map<number, Lens[]>();
  for (const lens of lenses) {
    const from = state.doc.lineAt(offsetAt(state.doc, lens.range.start)).from;
    const line = lines.get(from) ?? [];
    line.push({ lens, command: lens.command, isResolved: lens.data === undefined });
    lines.set(from, line);
  }
  state.field(lensLines).between(0, state.doc.length, (from, _to, { spec }) => {
    const before = (spec.widget as LensWidget).commands;
    const line = lines.get(from);
    if (line?.length === before.length) {
      line.forEach((lens, i) => (lens.command ??= before[i]));
    }
  });
  return lines;
}
