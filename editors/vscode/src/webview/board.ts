// The page of the board panel. It shows what it is sent, and tells what is pressed.
import type { Board, FromPage, Step, ToPage } from '../protocol';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void; setState(state: unknown): void };

const editor = acquireVsCodeApi();
const tell = (message: FromPage) => editor.postMessage(message);

function part<T extends Element = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`the page has no #${id}`);
  }
  return found as unknown as T;
}

const main = document.querySelector('main') as HTMLElement;
const [board, caption, nothing] = [part('board'), part('caption'), part('nothing')];
const line = part<HTMLSelectElement>('line');
const STEPS: Step[] = ['first', 'previous', 'next', 'last'];
/** The square that Tab goes to; the arrows go on from it. */
let chosen: string | undefined;

function show(shown: Board): void {
  main.hidden = false;
  nothing.textContent = '';
  part('name').textContent = shown.name ?? shown.game;
  const state = part('state');
  state.textContent = shown.state;
  state.className = shown.state.startsWith('✗') ? 'wrong' : shown.state.startsWith('✓') ? 'right' : '';
  part('about').replaceChildren(...shown.description.map((text) => element('p', text)));
  ask(shown.queries.length > 1 ? shown.queries : []);
  part('ways').hidden = shown.lines.length < 2;
  if ([...line.options].map((o) => o.text).join('\n') !== shown.lines.join('\n')) {
    line.replaceChildren(
      ...shown.lines.map((text, i) => {
        const option = element('option', text);
        option.value = `${i}`;
        return option;
      }),
    );
  }
  line.value = `${shown.line}`;
  part('say').textContent = '';
  if (caption.textContent !== shown.caption) {
    caption.textContent = shown.caption;
  }
  caption.className = shown.failed ? 'failed' : '';
  part('description').textContent = shown.words;
  part('steps').hidden = shown.frames < 2;
  part('step').textContent = `${shown.frame} / ${shown.frames - 1}`;
  const [before, after] = [shown.frame > 0, shown.frame + 1 < shown.frames];
  for (const [id, can] of Object.entries({ first: before, previous: before, next: after, last: after })) {
    // Not `disabled`: who presses it with the keyboard would lose their place.
    part(id).setAttribute('aria-disabled', `${!can}`);
  }
  draw(shown.svg, shown.words);
}

function element<K extends keyof HTMLElementTagNameMap>(tag: K, text: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

/** The buttons of the queries; those that stay the same stay, and so does the focus. */
function ask(queries: Board['queries']): void {
  const place = part('queries');
  const buttons = [...place.querySelectorAll('button')];
  if (buttons.map((b) => b.textContent).join('\n') !== queries.map((q) => q.label).join('\n')) {
    const made = queries.map(({ label }, number) => {
      const button = element('button', label);
      button.addEventListener('click', () => tell({ kind: 'query', query: number }));
      return button;
    });
    place.replaceChildren(...made);
  }
  place.querySelectorAll('button').forEach((button, number) => {
    button.setAttribute('aria-pressed', `${queries[number]?.shown}`);
  });
}

/** Puts the picture in, keeping the place of who goes through its squares with the keyboard. */
function draw(svg: string, words: string): void {
  const focused = board.contains(document.activeElement);
  if (!svg) {
    return board.replaceChildren();
  }
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  picture.setAttribute('role', 'group');
  picture.setAttribute('aria-label', words);
  board.replaceChildren(document.importNode(picture, true));
  const levels = board.querySelectorAll('.level').length;
  board.className = levels > 1 ? 'levels' : board.querySelectorAll('[role="row"]').length < 6 ? 'small' : '';
  const square = (chosen && find(chosen)) || board.querySelector<SVGElement>('[data-square]');
  if (square) {
    choose(square, focused);
  }
}

function find(name: string): SVGElement | null {
  return board.querySelector<SVGElement>(`[data-square="${CSS.escape(name)}"]`);
}

function choose(square: SVGElement, focus: boolean): void {
  for (const other of board.querySelectorAll('[tabindex="0"]')) {
    other.setAttribute('tabindex', '-1');
  }
  square.setAttribute('tabindex', '0');
  chosen = square.dataset.square;
  if (focus) {
    square.focus();
  }
}

function squareOf(event: Event): SVGElement | null {
  return event.target instanceof Element ? event.target.closest<SVGElement>('[data-square]') : null;
}

/** The square beside one; Page Up and Page Down go to the level above and below. */
function beside(square: SVGElement, key: string): SVGElement | null {
  const [x, y, z] = [square.dataset.x, square.dataset.y, square.dataset.z].map(Number) as [number, number, number];
  const steps: Record<string, [number, number, number]> = {
    ArrowLeft: [-1, 0, 0],
    ArrowRight: [1, 0, 0],
    ArrowUp: [0, 1, 0],
    ArrowDown: [0, -1, 0],
    PageUp: [0, 0, 1],
    PageDown: [0, 0, -1],
  };
  const [dx, dy, dz] = steps[key] ?? [0, 0, 0];
  return board.querySelector(`[data-x="${x + dx}"][data-y="${y + dy}"][data-z="${z + dz}"]`);
}

board.addEventListener('click', (event) => {
  const square = squareOf(event);
  if (square?.dataset.square) {
    choose(square, true);
    tell({ kind: 'square', square: square.dataset.square });
  }
});

document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target === line) {
    return;
  }
  const square = squareOf(event);
  if (square) {
    if (event.key === 'Enter' || event.key === ' ') {
      tell({ kind: 'square', square: square.dataset.square ?? '' });
      event.preventDefault();
    } else if (event.key.startsWith('Arrow') || event.key.startsWith('Page')) {
      const next = beside(square, event.key);
      if (next) {
        choose(next, true);
      }
      event.preventDefault();
    }
  }
  const steps: Record<string, Step> = {
    ArrowLeft: 'previous',
    ArrowRight: 'next',
    Home: 'first',
    End: 'last',
  };
  const step = steps[event.key];
  if (step && !event.defaultPrevented) {
    tell({ kind: 'step', step });
    event.preventDefault();
  }
});

for (const step of STEPS) {
  part(step).addEventListener('click', () => tell({ kind: 'step', step }));
}
line.addEventListener('change', () => tell({ kind: 'line', line: Number(line.value) }));

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if ('board' in data) {
    show(data.board);
  } else if ('say' in data) {
    // Emptied first, so that the same sentence is read aloud again.
    part('say').textContent = '';
    part('say').textContent = data.say;
  } else {
    main.hidden = true;
    nothing.textContent = data.nothing;
  }
});
// Enough for the panel to be opened again with the window.
editor.setState({});
tell({ kind: 'ready' });
