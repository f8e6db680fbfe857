// The page of the board panel: shows the boards that the extension sends, and posts clicks and keys back.
import { HAS_MOVES } from '../hints';
import type { Board, Branch, FromPage, Mode, Step, ToPage } from '../protocol';
import { flip, nameSquares } from './flip';
import { Levels } from './levels';
import { byId, element, svgOf } from './page';
import { pictureOf } from './picture';
import { TouchBoard } from './touch';
import { numbered } from '../words';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void; setState(state: unknown): void };

const editor = acquireVsCodeApi();
/** Whether the text has the focus for an undo, until the page has it again. */
let isUndoing = false;
const post = (message: FromPage) => {
  isUndoing ||= message.kind === 'undo';
  editor.postMessage(message);
};

const main = document.querySelector('main') as HTMLElement;
const [board, caption, empty] = [byId('board'), byId('caption'), byId('empty')];
const line = byId<HTMLSelectElement>('line');
const STEPS: Step[] = ['first', 'previous', 'next', 'last'];
/** The square that Tab reaches and from which the arrow keys move: a roving tabindex. */
let chosen: string | undefined;

/** Whether the focus of the page is on the board. */
let isOnBoard = false;
/** A square that is pressed or drawn again stays where it is, also if it is partly out of view: the pointer is on it. */
const STAY: FocusOptions = { preventScroll: true };
/** Whether the board is seen from the other side. */
let isFlipped = false;
let last: { board: Board; mode: Mode } | undefined;
const cube = new Levels(byId('levels'));
/** How many levels of a cube were asked for side by side. */
let across: number | undefined;

const touch = new TouchBoard(board, {
  post,
  find,
  focus: (square) => choose(square, true, STAY),
  say: (words) => say(words),
});

/** Says something below the board, and to a screen reader. */
function say(words: string): void {
  // Cleared first, so that a screen reader announces a repeated sentence again.
  byId('notice').textContent = '';
  byId('notice').textContent = words;
}

function show(shown: Board, mode: Mode): void {
  const isSame = last?.board.version === shown.version && last?.mode === mode;
  last = { board: shown, mode };
  main.hidden = false;
  const context = { webviewSection: 'board', cpzHasFen: !!shown.fen, cpzGame: shown.game, preventDefaultContextMenuItems: true };
  document.body.dataset.vscodeContext = JSON.stringify(context);
  byId('new').hidden = true;
  empty.textContent = '';
  const name = byId('name');
  name.textContent = name.title = shown.name ?? shown.game;
  showState(shown);
  const about = byId('about');
  about.replaceChildren(...shown.description.map((text) => element('p', text)));
  about.title = shown.description.join('\n');
  showQueries(shown.queries.length > 1 ? shown.queries : []);
  byId('lines').hidden = shown.lines.length < 2;
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
  if (mode === 'view' && !isSame) {
    byId('notice').textContent = '';
  }
  caption.hidden = !shown.caption;
  if (caption.textContent !== shown.caption) {
    caption.textContent = shown.caption;
  }
  caption.className = shown.draft ? 'draft' : shown.failed ? 'failed' : '';
  byId('description').textContent = shown.words;
  byId('steps').hidden = shown.frames < 2;
  byId('step').textContent = stepLabel(shown);
  const [before, after] = [shown.frame > 0, shown.frame + 1 < shown.frames];
  for (const [id, can] of Object.entries({ first: before, previous: before, next: after, last: after })) {
    // Not `disabled`: a disabled button loses the keyboard focus.
    byId(id).setAttribute('aria-disabled', `${!can}`);
  }
  draw(shown.svg, shown.words);
  showBranch(shown.branch ?? undefined);
  byId('lines').hidden ||= mode !== 'view';
  byId('hint').hidden = mode !== 'view' || isTrouble(shown) || !shown.queries.some(({ label }) => HAS_MOVES.test(label));
  if (mode === 'record' && !shown.touch?.refused) {
    // A solution that is being written stops short until its last move.
    byId('trouble').hidden = byId('state').hidden = true;
  }
  touch.show(shown, mode);
  returnFocus();
}

const isTrouble = ({ headline, trouble }: Board) => !!headline && !!trouble;

/** The state of the puzzle. If it is a trouble, it is a button that leads to its place in the text. */
function showState(shown: Board): void {
  const { state, headline, caption, draft } = shown;
  const text = headline || state;
  const [line, button] = [byId('state'), byId('trouble')];
  const kind = draft ? '' : text.startsWith('✗') ? 'wrong' : text.startsWith('✓') ? 'right' : '';
  // The caption may say the same.
  const isSaid = kind === 'wrong' && caption.includes(text.replace(/^✗\s*/, ''));
  line.hidden = isTrouble(shown) || isSaid;
  button.hidden = !isTrouble(shown) || isSaid;
  line.textContent = button.textContent = text;
  line.className = kind;
  button.className = `link ${kind}`;
}

/** Where the picture is in its line: `reason 3 of 9`; before the first step how many follow: `5 steps`. */
function stepLabel({ caption, queries, frame, frames }: Board): string {
  const counted = /^(step|reason|board) \d+ of \d+/i.exec(caption);
  if (counted) {
    return counted[0].toLowerCase();
  }
  const noun = queries.find(({ shown }) => shown)?.label.match(/^mate\b(?!\s+in\b)/) ? 'reason' : 'step';
  const last = frames - 1;
  return frame ? `${noun} ${frame} of ${last}` : `${last} ${noun}${last === 1 ? '' : 's'}`;
}

/** Shows one button a query. Unchanged buttons are kept, so that they keep the focus. */
function showQueries(queries: Board['queries']): void {
  const group = byId('queries');
  const buttons = [...group.querySelectorAll('button')];
  const labels = numbered(queries.map(({ label }) => label));
  if (buttons.map((b) => b.textContent).join('\n') !== labels.join('\n')) {
    const created = labels.map((label, number) => {
      const button = element('button', label);
      button.addEventListener('click', () => post({ kind: 'query', query: number }));
      return button;
    });
    group.replaceChildren(...created);
  }
  group.querySelectorAll('button').forEach((button, number) => {
    button.setAttribute('aria-pressed', `${queries[number]?.shown}`);
  });
}

/** Shows the moves that can be chosen, those with the same answer on one line. Unchanged buttons are kept, with the focus. */
function showBranch(branch: Branch | undefined): void {
  byId('branch').hidden = !branch;
  const list = byId('choices');
  const hadFocus = list.contains(document.activeElement);
  const { choices, chosen } = branch ?? { choices: [], chosen: 0 };
  if (branch) {
    // A heading is never empty: in a frame that is not shown, Firefox does not hide it from a screen reader.
    byId('branch-title').textContent = branch.title;
  }
  const content = JSON.stringify(choices);
  if (list.dataset.content !== content) {
    list.dataset.content = content;
    list.replaceChildren();
    choices.forEach((choice, number) => {
      if (number === 0 || choices[number - 1]?.group !== choice.group) {
        const group = element('div', '');
        group.append(element('span', choice.answer));
        list.append(group);
      }
      list.lastElementChild?.lastElementChild?.before(choiceButton(choice, number));
    });
  }
  list.querySelectorAll('button').forEach((button, number) => {
    button.setAttribute('aria-checked', `${number === chosen}`);
    button.tabIndex = number === chosen ? 0 : -1;
    if (number === chosen) {
      // Not scrollIntoView(), which would scroll the page too.
      const [top, bottom] = [button.offsetTop, button.offsetTop + button.offsetHeight];
      list.scrollTop = Math.max(Math.min(list.scrollTop, top), bottom - list.clientHeight);
      if (hadFocus) {
        button.focus({ preventScroll: true });
      }
    }
  });
}

function choiceButton({ label, answer, refutes }: Branch['choices'][number], number: number): HTMLButtonElement {
  const button = element('button', label);
  button.className = refutes ? 'refutes' : '';
  button.setAttribute('role', 'radio');
  button.setAttribute('aria-label', refutes ? `${label} refutes it` : answer ? `${label}, answered by ${answer}` : label);
  button.addEventListener('click', () => post({ kind: 'choose', choice: number }));
  return button;
}

/** Replaces the drawing, and gives the focus back to the square that had it. */
function draw(svg: string, words: string): void {
  const hadFocus = isOnBoard && document.hasFocus();
  if (!svg) {
    return board.replaceChildren();
  }
  const picture = svgOf(svg);
  picture.setAttribute('role', 'group');
  picture.setAttribute('aria-label', words);
  if (isFlipped) {
    flip(picture);
  }
  board.replaceChildren(picture);
  const levels = board.querySelectorAll('.level').length;
  cube.show(picture, byId('boards').clientWidth);
  askForLayout();
  board.className = levels > 1 ? 'levels' : board.querySelectorAll('[role="row"]').length < 6 ? 'small' : '';
  nameSquares(picture, isFlipped);
  const square = (chosen && find(chosen)) || board.querySelector<SVGElement>('[data-square]');
  if (square) {
    choose(square, hadFocus, STAY);
  }
}

/** Asks for as many levels of a cube side by side as can be read. */
function askForLayout(): void {
  const picture = board.querySelector('svg');
  const fitting = picture ? cube.across(picture, byId('boards').clientWidth) : undefined;
  const levels = board.querySelectorAll('.level').length;
  // No other drawing if it would look the same.
  if (fitting !== undefined && Math.min(fitting, levels) !== Math.min(across ?? 4, levels)) {
    across = fitting;
    post({ kind: 'layout', across });
  }
}

new ResizeObserver(() => askForLayout()).observe(byId('boards'));

function find(name: string): SVGElement | null {
  return board.querySelector<SVGElement>(`[data-square="${CSS.escape(name)}"]`);
}

function choose(square: SVGElement, focus: boolean, options?: FocusOptions): void {
  for (const other of board.querySelectorAll('[tabindex="0"]')) {
    other.setAttribute('tabindex', '-1');
  }
  square.setAttribute('tabindex', '0');
  chosen = square.dataset.square;
  if (focus) {
    cube.reveal(square.dataset.z);
    square.focus(options);
  }
}

function squareOf(event: Event): SVGElement | null {
  return event.target instanceof Element ? event.target.closest<SVGElement>('[data-square]') : null;
}

/** The next square in the direction of a key; Page Up and Page Down go to the level above and below. */
function neighbour(square: SVGElement, key: string): SVGElement | null {
  const [x, y, z] = [square.dataset.x, square.dataset.y, square.dataset.z].map(Number) as [number, number, number];
  const steps: Record<string, [number, number, number]> = {
    ArrowLeft: [-1, 0, 0],
    ArrowRight: [1, 0, 0],
    ArrowUp: [0, 1, 0],
    ArrowDown: [0, -1, 0],
    PageUp: [0, 0, 1],
    PageDown: [0, 0, -1],
  };
  const [right, up, dz] = steps[key] ?? [0, 0, 0];
  const [dx, dy] = isFlipped ? [-right, -up] : [right, up];
  return board.querySelector(`[data-x="${x + dx}"][data-y="${y + dy}"][data-z="${z + dz}"]`);
}

// While the text has the focus, as for an undo, the page remembers that its own focus was on the board.
document.addEventListener('focusin', ({ target }) => {
  if (target instanceof Element && target !== document.body) {
    isOnBoard = board.contains(target);
  }
});
window.addEventListener('focus', () => {
  isUndoing = false;
  returnFocus();
});

/** Gives the focus back to the square that had it, unless another element has got it. */
function returnFocus(): void {
  const isFree = !document.activeElement || document.activeElement === document.body;
  if (isOnBoard && chosen && isFree && document.hasFocus()) {
    find(chosen)?.focus(STAY);
  }
}

// However a square gets the focus, it keeps it when the board is drawn again.
board.addEventListener('focusin', (event) => {
  const square = squareOf(event);
  if (square && square.dataset.square !== chosen) {
    choose(square, false);
  }
});

board.addEventListener('click', (event) => {
  const square = touch.isActive ? null : squareOf(event);
  if (square?.dataset.square) {
    choose(square, true, STAY);
    post({ kind: 'square', square: square.dataset.square });
  }
});

document.addEventListener('keydown', (event) => {
  const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && /^[zy]$/i.test(event.key);
  if (isUndo) {
    post({ kind: 'undo', redo: event.shiftKey || event.key.toLowerCase() === 'y' });
    event.preventDefault();
    return;
  }
  if (event.altKey || event.ctrlKey || event.metaKey || event.target instanceof HTMLSelectElement) {
    return;
  }
  const square = squareOf(event);
  if (square?.dataset.square && touch.key(event, square.dataset.square)) {
    event.preventDefault();
    return;
  }
  if (square) {
    if (event.key === 'Enter' || event.key === ' ') {
      post({ kind: 'square', square: square.dataset.square ?? '' });
      event.preventDefault();
    } else if (event.key.startsWith('Arrow') || event.key.startsWith('Page')) {
      const next = neighbour(square, event.key);
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
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key] as 1 | -1 | undefined;
  if (by && !event.defaultPrevented && !byId('branch').hidden) {
    post({ kind: 'chooseNext', by });
    event.preventDefault();
  }
  const step = steps[event.key];
  if (step && !event.defaultPrevented) {
    post({ kind: 'step', step });
    event.preventDefault();
  }
});

for (const step of STEPS) {
  byId(step).addEventListener('click', () => post({ kind: 'step', step }));
}
byId('flip').addEventListener('click', () => {
  isFlipped = !isFlipped;
  byId('flip').setAttribute('aria-pressed', `${isFlipped}`);
  if (last) {
    show(last.board, last.mode);
  }
});
// The names of squares may have become too small to read.
window.addEventListener('resize', () => last && show(last.board, last.mode));
byId('trouble').addEventListener('click', () => post({ kind: 'trouble' }));
byId('hint').addEventListener('click', () => post({ kind: 'hint' }));
byId('new').addEventListener('click', () => post({ kind: 'newPuzzle' }));
line.addEventListener('change', () => post({ kind: 'line', line: Number(line.value) }));

window.addEventListener('message', ({ data }: MessageEvent<ToPage>) => {
  if ('board' in data) {
    show(data.board, data.mode);
    // A busy editor may give the text its focus after it has given the page the focus back.
    if (isUndoing && !document.hasFocus()) {
      post({ kind: 'focus' });
    }
    isUndoing = false;
  } else if ('notice' in data) {
    say(data.notice);
  } else if ('edited' in data) {
    touch.edited(data.edited);
  } else if ('targets' in data) {
    touch.showTargets(data.targets, data.from);
  } else if ('copyPicture' in data) {
    void copyPicture();
  } else {
    main.hidden = true;
    empty.textContent = data.empty;
    byId('new').hidden = !data.offersNew;
  }
});
/** Copies the board as a picture, or leaves it to the extension if the browser does not allow that. */
async function copyPicture(): Promise<void> {
  const svg = board.querySelector('svg');
  if (svg) {
    const { source, png } = pictureOf(svg);
    try {
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })]);
      post({ kind: 'picture', svg: source, copied: true });
    } catch {
      post({ kind: 'picture', svg: source, copied: false });
    }
  }
}

// VS Code restores a panel after a reload only if it has a state.
editor.setState({});
post({ kind: 'ready' });
