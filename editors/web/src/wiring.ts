// Connects the buttons, keys and drops of the page with what they do.
import { redo, undo } from '@codemirror/commands';
import type { App } from './app';
import { byId } from './ui/elements';

export function wire(app: App): void {
  const click = (id: string, run: (button: HTMLElement) => void) => byId(id).addEventListener('click', () => run(byId(id)));
  click('new', (button) => app.newPuzzle(button));
  click('examples', (button) => app.examples(button));
  click('browse', () => app.browse());
  click('open', () => byId<HTMLInputElement>('chosen').click());
  click('download', () => app.session.save());
  click('share', () => void app.session.share());
  click('print', () => app.print());
  click('solve', () => app.solver.toggle());
  click('more', (button) => app.more(button));
  click('actions', (button) => app.actions(button));
  click('show-text', () => app.view('text'));
  click('show-board', () => app.view('board'));

  const chosen = byId<HTMLInputElement>('chosen');
  chosen.addEventListener('change', () => {
    void app.session.open([...(chosen.files ?? [])]);
    // The same file may be chosen again.
    chosen.value = '';
  });
  keys(app);
  const frame = byId<HTMLIFrameElement>('board');
  drops(app, window);
  frame.addEventListener('load', () => {
    const inner = frame.contentWindow;
    if (inner) {
      drops(app, inner);
      inner.addEventListener('keydown', (event) => onKey(app, event));
    }
  });
}

function keys(app: App): void {
  window.addEventListener('keydown', (event) => onKey(app, event));
}

function onKey(app: App, event: KeyboardEvent): void {
  const isUndo = (event.ctrlKey || event.metaKey) && /^[zy]$/i.test(event.key);
  if (isUndo && event.target === document.body && !app.solver.isOn) {
    // The element that had the focus is gone.
    (event.shiftKey || event.key === 'y' ? redo : undo)(app.document.editor);
    event.preventDefault();
  }
  if (event.altKey && event.shiftKey && !event.ctrlKey && !event.metaKey && (event.code === 'KeyS' || event.key.toLowerCase() === 's')) {
    app.solver.toggle();
    event.preventDefault();
    return;
  }
  const command = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  const run = command && { s: () => app.session.save(), o: () => byId<HTMLInputElement>('chosen').click(), p: () => app.print() }[event.key];
  if (run) {
    run();
    event.preventDefault();
  }
}

/** Opens files that are dropped on a window: that of the page, or that of the board. */
function drops(app: App, target: Window): void {
  const zone = byId('drop');
  const hasFiles = (event: DragEvent) => !!event.dataTransfer?.types.includes('Files');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hide = () => {
    zone.hidden = true;
  };
  target.addEventListener(
    'dragover',
    (event) => {
      if (hasFiles(event)) {
        event.preventDefault();
        zone.hidden = false;
        clearTimeout(timer);
        // Leaving is told for every element; that no more comes is sure.
        timer = setTimeout(hide, 300);
      }
    },
    true,
  );
  target.addEventListener(
    'drop',
    (event) => {
      if (hasFiles(event)) {
        event.preventDefault();
        event.stopPropagation();
        hide();
        void app.session.open([...(event.dataTransfer?.files ?? [])]);
      }
    },
    true,
  );
}
