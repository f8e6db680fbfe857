// The board of the panel as something to touch: by mouse, finger, pen and keyboard. The page only says what was done; it
// draws what it is then told.
import type { Board, Edited, FromPage, Gesture, Mode, Touch } from '../protocol';
import { byId, element, svgOf } from './page';

/** A press that moves by more than this is a drag, in pixels. */
const DRAG = 5;
/** Gestures that wait for the one before: a stroke of the brush over a whole row. */
const MAX_WAITING = 64;

/** What the squares of the page can do for this file. */
export interface Squares {
  post(message: FromPage): void;
  find(name: string): SVGElement | null;
  /** Gives a square the keyboard focus. */
  focus(square: SVGElement): void;
  say(words: string): void;
}

export class TouchBoard {
  private mode: Mode = 'view';
  private touch: Touch | undefined;
  private version: number | null = null;
  /** The piece that is painted: a letter, `''` for the eraser. */
  private brush: string | undefined;
  /** The square whose piece is picked up. */
  private held: string | undefined;
  private targets: string[] = [];
  /** Whether a gesture is on its way. */
  private busy = false;
  private waiting: Gesture[] = [];
  /** The version that the edit of the last gesture made; the next gesture waits for its board. */
  private expected: number | undefined;
  private press: { from: string; x: number; y: number; id: number; stroke?: 'put' | 'remove'; letter?: string; ghost?: HTMLElement } | undefined;
  /** The gesture that was sent last: choices belong to it. */
  private sent: Gesture | undefined;

  constructor(
    private readonly board: HTMLElement,
    private readonly squares: Squares,
  ) {
    board.addEventListener('pointerdown', (event) => this.down(event));
    board.addEventListener('pointermove', (event) => this.move(event));
    board.addEventListener('pointerup', (event) => this.up(event));
    for (const end of ['pointercancel', 'lostpointercapture'] as const) {
      board.addEventListener(end, () => this.drop());
    }
    byId('clear').addEventListener('click', () => this.send({ kind: 'clear' }));
    byId('undo').addEventListener('click', () => squares.post({ kind: 'undo', redo: false }));
    for (const button of document.querySelectorAll<HTMLButtonElement>('#modes button')) {
      button.addEventListener('click', () => this.squares.post({ kind: 'mode', mode: button.dataset.mode as Mode }));
    }
    for (const button of document.querySelectorAll<HTMLButtonElement>('#side button')) {
      button.addEventListener('click', () => this.send({ kind: 'side', side: button.dataset.side as 'white' | 'black' }));
    }
    for (const id of ['columns', 'rows']) {
      byId(id).addEventListener('change', () => this.resize());
    }
  }

  get isActive(): boolean {
    return this.mode !== 'view' && !!this.touch && !this.touch.refused;
  }

  show(board: Board, mode: Mode): void {
    const isNew = mode !== this.mode;
    this.mode = mode;
    this.touch = board.touch ?? undefined;
    if (board.version !== this.version) {
      // The choices were those of another board.
      byId('choose').hidden = true;
    }
    this.version = board.version;
    this.arrive();
    if (isNew || !this.isActive) {
      this.forget();
    }
    for (const button of document.querySelectorAll('#modes button')) {
      button.setAttribute('aria-checked', `${(button as HTMLElement).dataset.mode === mode}`);
    }
    this.board.classList.toggle('touch', this.isActive);
    this.showVerdict();
    this.showLeft();
    this.showPalette();
    this.showTools();
    this.showHeld();
    this.next();
  }

  /** What became of a gesture. */
  edited({ words, verdict, refused, choices, version }: Edited): void {
    this.busy = false;
    this.expected = version ?? undefined;
    this.arrive();
    if (refused || choices?.length) {
      // What waits was meant for the board after it.
      this.waiting = [];
      this.expected = undefined;
      // What was chosen is not what the board has.
      this.showTools();
      this.askChoice(choices ?? [], refused);
    } else {
      this.squares.say([words, verdict].filter(Boolean).join(': '));
    }
    this.next();
  }

  showTargets(targets: string[], from: string): void {
    if (from === this.held) {
      this.targets = targets;
      this.showHeld();
      const count = targets.length === 1 ? '1 square' : `${targets.length} squares`;
      this.squares.say(targets.length ? `${from} can go to ${count}: ${targets.join(', ')}` : `The piece on ${from} cannot move.`);
    }
  }

  /** Handles a key on a square; whether it did something. */
  key(event: KeyboardEvent, square: string): boolean {
    if (!this.isActive) {
      return false;
    }
    if (event.key === 'Escape') {
      this.forget();
      this.showHeld();
      this.showPalette();
      return true;
    }
    if (event.key === 'Enter' || event.key === ' ') {
      this.pick(square);
      return true;
    }
    if (this.mode !== 'edit') {
      return false;
    }
    if (event.key === 'Delete' || event.key === 'Backspace') {
      this.send({ kind: 'remove', square });
      return true;
    }
    const letters = this.touch?.palette ?? [];
    const piece = letters.find(({ letter }) => letter === event.key) ?? letters.find(({ letter }) => this.touch?.side === null && letter.toLowerCase() === event.key);
    if (piece) {
      this.paint(square, piece.letter);
      return true;
    }
    return false;
  }

  // ---- Gestures

  /** Sends a gesture, or keeps it until the one before is finished. */
  private send(gesture: Gesture): void {
    if (this.waiting.length < MAX_WAITING) {
      this.waiting.push(gesture);
    }
    this.next();
  }

  /** Notes that the board of the last edit is shown. If it is a later one, what waits was meant for another text. */
  private arrive(): void {
    const [shown, expected] = [this.version ?? 0, this.expected];
    if (expected === undefined || shown < expected) {
      return;
    }
    this.expected = undefined;
    if (shown > expected && this.waiting.length) {
      this.waiting = [];
      this.squares.say('The text has changed since; the rest was not done.');
    }
  }

  /** Sends the next gesture, if the page shows the board that the one before made. */
  private next(): void {
    if (this.busy || !this.waiting.length) {
      return;
    }
    if (this.expected !== undefined) {
      return;
    }
    const gesture = this.waiting.shift();
    if (gesture) {
      this.busy = true;
      this.expected = undefined;
      this.sent = gesture;
      byId('choose').hidden = true;
      this.squares.post({ kind: 'gesture', version: this.version, gesture });
    }
  }

  /** Puts the piece of a letter on a square, or removes it if it stands there already. */
  private paint(square: string, letter: string): void {
    const name = this.nameOf(letter);
    this.send(letter && this.pieceOn(square) !== name ? { kind: 'put', square, piece: letter } : { kind: 'remove', square });
  }

  /** Picks up the piece of a square, or puts the held one down there. */
  private pick(square: string): void {
    if (this.brush !== undefined) {
      return this.paint(square, this.brush);
    }
    if (this.held && this.held !== square) {
      return this.release(this.held, square);
    }
    if (this.held === square) {
      this.held = undefined;
      this.targets = [];
    } else if (this.pieceOn(square)) {
      this.hold(square);
    } else {
      this.squares.say(`${square} is empty`);
    }
    this.showHeld();
  }

  private hold(square: string): void {
    this.held = square;
    this.targets = [];
    if (this.mode === 'record') {
      this.squares.post({ kind: 'targets', square });
    } else {
      this.squares.say(`${this.pieceOn(square)} on ${square} picked up`);
    }
    this.showHeld();
  }

  private release(from: string, to: string, choice?: string): void {
    this.held = undefined;
    this.targets = [];
    this.showHeld();
    this.send(this.mode === 'record' ? { kind: 'record', from, to, choice } : { kind: 'move', from, to });
  }

  /** Asks which move is meant, or offers what a refused one can be instead. */
  private askChoice(choices: NonNullable<Edited['choices']>, refused = ''): void {
    const list = byId('choose');
    const move = this.sent;
    this.squares.say(refused || 'Several moves are possible: choose one.');
    list.hidden = !choices.length;
    list.replaceChildren(
      ...choices.map(({ id, label }) => {
        const button = element('button', label);
        button.addEventListener('click', () => {
          list.hidden = true;
          if (move?.kind === 'record') {
            this.send({ ...move, choice: id });
            const target = this.squares.find(move.to);
            if (target) {
              this.squares.focus(target);
            }
          }
        });
        return button;
      }),
    );
    if (!refused) {
      list.querySelector('button')?.focus();
    }
  }

  private resize(): void {
    const [columns, rows] = [Number(byId<HTMLSelectElement>('columns').value), Number(byId<HTMLSelectElement>('rows').value)];
    const isCube = (this.touch?.levels ?? 1) > 1;
    this.send({ kind: 'size', columns, rows: isCube ? columns : rows });
  }

  private forget(): void {
    this.held = this.brush = this.sent = undefined;
    this.targets = [];
    this.waiting = [];
    byId('choose').hidden = true;
  }

  // ---- Mouse, finger and pen

  private down(event: PointerEvent): void {
    const square = squareAt(event);
    if (!this.isActive || !square || event.button !== 0) {
      return;
    }
    event.preventDefault();
    const found = this.squares.find(square);
    if (found) {
      this.squares.focus(found);
    }
    this.board.setPointerCapture(event.pointerId);
    this.press = { from: square, x: event.clientX, y: event.clientY, id: event.pointerId };
    if (this.mode === 'edit' && this.brush !== undefined) {
      // The first square decides what the whole stroke does.
      this.press.stroke = this.brush && this.pieceOn(square) !== this.nameOf(this.brush) ? 'put' : 'remove';
      this.paintStroke(square);
    }
  }

  private move(event: PointerEvent): void {
    const { press } = this;
    if (!press || press.id !== event.pointerId) {
      return;
    }
    const square = squareAt(event);
    if (press.stroke) {
      if (square && square !== press.from) {
        press.from = square;
        this.paintStroke(square);
      }
      return;
    }
    const isFar = Math.hypot(event.clientX - press.x, event.clientY - press.y) > DRAG;
    if (!press.ghost && isFar && (press.letter !== undefined || this.pieceOn(press.from))) {
      if (press.letter === undefined && this.held !== press.from) {
        this.hold(press.from);
      }
      press.ghost = this.ghost(press.letter === undefined ? this.letterOn(press.from) : press.letter);
    }
    if (press.ghost) {
      press.ghost.style.left = `${event.clientX}px`;
      press.ghost.style.top = `${event.clientY}px`;
      for (const old of this.board.querySelectorAll('.over')) {
        old.classList.remove('over');
      }
      if (square) {
        this.squares.find(square)?.classList.add('over');
      }
    }
  }

  private paintStroke(square: string): void {
    if (this.press?.stroke === 'put' && this.brush) {
      this.send({ kind: 'put', square, piece: this.brush });
    } else if (this.pieceOn(square)) {
      this.send({ kind: 'remove', square });
    }
  }

  private up(event: PointerEvent): void {
    const { press } = this;
    if (!press || press.id !== event.pointerId) {
      return;
    }
    const square = squareAt(event);
    const isDrag = !!press.ghost;
    this.drop();
    if (press.stroke) {
      return;
    }
    if (press.letter !== undefined) {
      if (isDrag && square) {
        this.send(press.letter ? { kind: 'put', square, piece: press.letter } : { kind: 'remove', square });
      }
    } else if (!isDrag) {
      this.pick(press.from);
    } else if (square && square !== press.from) {
      this.release(press.from, square);
    } else {
      this.held = undefined;
      this.targets = [];
      this.showHeld();
      if (!square && this.mode === 'edit') {
        this.send({ kind: 'remove', square: press.from });
      }
    }
  }

  /** Ends a press without doing anything. */
  private drop(): void {
    this.press?.ghost?.remove();
    this.press = undefined;
    for (const old of this.board.querySelectorAll('.over')) {
      old.classList.remove('over');
    }
  }

  /** The picture of a piece that follows the pointer. */
  private ghost(letter: string | undefined): HTMLElement {
    const ghost = document.createElement('div');
    ghost.id = 'dragged';
    const piece = this.touch?.palette.find((p) => p.letter === letter);
    if (piece) {
      ghost.append(svgOf(piece.svg));
    }
    const side = this.board.querySelector('.square > rect')?.getBoundingClientRect().width ?? 40;
    ghost.style.width = ghost.style.height = `${side}px`;
    document.body.append(ghost);
    return ghost;
  }

  // ---- What is shown

  private pieceOn(square: string): string | undefined {
    const label = this.squares.find(square)?.getAttribute('aria-label')?.split(', ').at(-1);
    return label === 'empty' ? undefined : label;
  }

  private letterOn(square: string): string | undefined {
    const name = this.pieceOn(square);
    return this.touch?.palette.find((p) => p.name === name)?.letter;
  }

  private nameOf(letter: string): string | undefined {
    return this.touch?.palette.find((p) => p.letter === letter)?.name;
  }

  private showVerdict(): void {
    const verdict = byId('verdict');
    const { touch } = this;
    const text = this.mode === 'view' ? '' : (touch?.refused ?? touch?.verdict ?? '');
    verdict.hidden = !text;
    const good = touch?.refused ? false : touch?.good;
    const mark = good === true ? '✓ ' : good === false ? '✗ ' : '';
    if (verdict.textContent !== mark + text) {
      verdict.textContent = mark + text;
    }
    verdict.className = good === true ? 'right' : good === false ? 'wrong' : '';
  }

  /** Offers the defences that are left in the solution that is recorded. */
  private showLeft(): void {
    const list = byId('left');
    const left = (this.isActive && this.mode === 'record' && this.touch?.left) || [];
    list.hidden = !left.length;
    const content = JSON.stringify(left);
    if (list.dataset.content === content) {
      return;
    }
    list.dataset.content = content;
    const button = ({ label, from, to, choice }: (typeof left)[number]) => {
      const made = element('button', label);
      made.addEventListener('click', () => {
        this.release(from, to, choice ?? undefined);
        // The answer is made on the board, and the button goes.
        const target = this.squares.find(to);
        if (target) {
          this.squares.focus(target);
        }
      });
      return made;
    };
    list.replaceChildren(element('span', 'Left:'), ...left.map(button));
  }

  private showPalette(): void {
    const palette = byId('palette');
    const pieces = this.isActive && this.mode === 'edit' ? (this.touch?.palette ?? []) : [];
    palette.hidden = !pieces.length;
    const content = pieces.map((p) => p.name).join();
    if (palette.dataset.content !== content) {
      palette.dataset.content = content;
      // One row for each colour, with the eraser at the end of the first.
      const columns = this.touch?.side ? pieces.length / 2 : pieces.length;
      const eraser = { letter: '', name: 'eraser', svg: '' };
      const all = [...pieces.slice(0, columns), eraser, ...pieces.slice(columns)];
      palette.style.setProperty('--columns', `${columns + 1}`);
      palette.replaceChildren(...all.map((piece) => this.paletteButton(piece)));
    }
    for (const button of palette.querySelectorAll('button')) {
      button.setAttribute('aria-pressed', `${button.dataset.letter === this.brush}`);
    }
  }

  private paletteButton({ letter, name, svg }: Touch['palette'][number]): HTMLButtonElement {
    const button = element('button', svg ? '' : '⌫');
    button.dataset.letter = letter;
    button.title = letter ? `${name} (${letter}): click squares to put it, or drag it` : 'Eraser (Delete): click squares to empty them';
    button.setAttribute('aria-label', name);
    if (svg) {
      button.append(svgOf(svg));
    }
    button.addEventListener('click', () => {
      this.brush = this.brush === letter ? undefined : letter;
      this.held = undefined;
      this.showHeld();
      this.showPalette();
      this.squares.say(this.brush === undefined ? 'No piece chosen' : `${name} chosen`);
    });
    button.addEventListener('pointerdown', (event) => {
      if (event.button === 0) {
        button.setPointerCapture(event.pointerId);
        this.press = { from: '', x: event.clientX, y: event.clientY, id: event.pointerId, letter };
      }
    });
    button.addEventListener('pointermove', (event) => this.move(event));
    button.addEventListener('pointerup', (event) => this.up(event));
    button.addEventListener('pointercancel', () => this.drop());
    return button;
  }

  private showTools(): void {
    const { touch } = this;
    const isEdit = this.isActive && this.mode === 'edit';
    byId('tools').hidden = this.mode === 'view';
    byId('clear').hidden = !isEdit;
    byId('side').hidden = !isEdit || !touch?.side;
    for (const button of document.querySelectorAll<HTMLElement>('#side button')) {
      button.setAttribute('aria-checked', `${button.dataset.side === touch?.side}`);
    }
    byId('sizes').hidden = !isEdit || !touch || touch.least === touch.greatest;
    if (touch) {
      const isCube = touch.levels > 1;
      byId('rows-label').hidden = isCube;
      for (const [id, value] of [['columns', touch.columns], ['rows', touch.rows]] as const) {
        showSizes(byId<HTMLSelectElement>(id), touch.least, touch.greatest, value);
      }
    }
    this.showCastling(isEdit ? (touch?.castling ?? undefined) : undefined);
  }

  private showCastling(rights: string | undefined): void {
    const group = byId('castling');
    group.hidden = rights === undefined;
    if (rights === undefined) {
      return;
    }
    if (!group.childElementCount) {
      const names = { K: 'White kingside', Q: 'White queenside', k: 'Black kingside', q: 'Black queenside' };
      for (const [letter, name] of Object.entries(names)) {
        const button = element('button', letter);
        button.title = `Castling: ${name}`;
        button.setAttribute('aria-label', `Castling: ${name}`);
        button.dataset.right = letter;
        button.addEventListener('click', () => {
          const now = this.touch?.castling ?? '-';
          const letters = [...'KQkq'].filter((l) => now.includes(l) !== (l === letter)).join('');
          this.send({ kind: 'castling', rights: letters || '-' });
        });
        group.append(button);
      }
    }
    for (const button of group.querySelectorAll<HTMLElement>('button')) {
      button.setAttribute('aria-pressed', `${rights.includes(button.dataset.right ?? '?')}`);
    }
  }

  /** Marks the held piece and where it can go. */
  private showHeld(): void {
    for (const old of this.board.querySelectorAll('.held, .reach')) {
      old.classList.remove('held', 'reach');
    }
    if (this.held) {
      this.squares.find(this.held)?.classList.add('held');
    }
    for (const target of this.targets) {
      this.squares.find(target)?.classList.add('reach');
    }
  }
}

/** The name of the square under a pointer. */
function squareAt({ clientX, clientY }: PointerEvent): string | undefined {
  return document.elementFromPoint(clientX, clientY)?.closest<SVGElement>('[data-square]')?.dataset.square;
}

/** Offers the sides from the least to the greatest; not a field to type in, which would have an undo of its own. */
function showSizes(list: HTMLSelectElement, least: number, greatest: number, value: number): void {
  if (list.options.length !== greatest - least + 1 || list.options[0]?.value !== `${least}`) {
    const sides = Array.from({ length: greatest - least + 1 }, (_, i) => element('option', `${least + i}`));
    list.replaceChildren(...sides);
  }
  list.value = `${value}`;
}
