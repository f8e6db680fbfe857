// Cubes: how many levels are side by side, and one level by itself where all of them would be too small to read.
import { element } from './page';

/** The least side of a square beside others, and what a level takes besides its squares, in pixels. */
const LEAST_SIDE = 26;
const AROUND = 50;
const MOST_ACROSS = 4;
/** The margin of a level for the names of its files and ranks, in units of the drawing. */
const MARGIN = 20;

const levelsOf = (picture: SVGElement) => [...picture.querySelectorAll<SVGElement>('.level')];
const squaresOf = (level: Element) => [...level.querySelectorAll<SVGElement>('[data-square]')];
const heightOf = (level: Element) => level.querySelector<SVGElement>('[data-z]')?.dataset.z;

export class Levels {
  /** The `data-z` of the level that is shown by itself. */
  private shown: string | undefined;
  private picture: SVGElement | undefined;
  /** Which squares were marked: where others are, their level is shown. */
  private marks = '';

  /** `list` gets a button for each level. */
  constructor(private readonly list: HTMLElement) {
    list.addEventListener('keydown', (event) => {
      const by = { ArrowUp: -1, PageUp: -1, ArrowDown: 1, PageDown: 1 }[event.key];
      const buttons = [...list.querySelectorAll('button')];
      const at = buttons.findIndex((b) => b === document.activeElement);
      const next = by === undefined ? undefined : buttons[at + by];
      if (at >= 0 && by !== undefined) {
        event.preventDefault();
        event.stopPropagation();
        next?.click();
        next?.focus();
      }
    });
  }

  /** How many levels of a cube with a number of columns fit side by side; undefined for a flat board. */
  across(picture: SVGElement, width: number): number | undefined {
    const levels = levelsOf(picture);
    const first = levels[0];
    if (!first || levels.length < 2 || width <= 0) {
      return undefined;
    }
    const columns = first.querySelector('[role="row"]')?.childElementCount ?? 1;
    return Math.min(MOST_ACROSS, Math.max(1, Math.floor(width / (columns * LEAST_SIDE + AROUND))));
  }

  /** Shows a drawing: one level by itself if so many levels would be too small, or far apart. */
  show(picture: SVGElement, width: number): void {
    const levels = levelsOf(picture);
    const across = this.across(picture, width) ?? 1;
    const isSingle = levels.length > 2 * MOST_ACROSS || (levels.length > MOST_ACROSS && across < MOST_ACROSS);
    this.picture = isSingle ? picture : undefined;
    this.list.hidden = !isSingle;
    picture.classList.toggle('single', isSingle);
    if (!isSingle) {
      return;
    }
    const marked = levels.find((level) => level.querySelector('.failed, .target')) ?? levels.find((level) => level.querySelector('.marked'));
    const marks = [...picture.querySelectorAll<SVGElement>('.marked')].map((square) => square.dataset.square).join();
    const known = levels.find((level) => heightOf(level) === this.shown);
    const hasMoved = marks !== this.marks && !known?.querySelector('.marked');
    this.marks = marks;
    const inhabited = levels.find((level) => pieces(level) > 0);
    const shown = (hasMoved && marked) || known || marked || inhabited || levels[0];
    this.list.replaceChildren(...levels.map((level) => this.button(level)));
    this.reveal(shown && heightOf(shown));
  }

  /** Shows the level of a square, if one level is shown by itself. */
  reveal(z: string | undefined): void {
    const { picture } = this;
    if (!picture || z === undefined) {
      return;
    }
    this.shown = z;
    levelsOf(picture).forEach((level, number) => {
      const isShown = heightOf(level) === z;
      level.style.display = isShown ? '' : 'none';
      const button = this.list.children[number] as HTMLElement | undefined;
      button?.setAttribute('aria-checked', `${isShown}`);
      button?.setAttribute('tabindex', isShown ? '0' : '-1');
      if (isShown) {
        crop(picture, level);
      }
    });
  }

  private button(level: SVGElement): HTMLButtonElement {
    const name = (level.getAttribute('aria-label') ?? '').replace(/^level /, '');
    const count = pieces(level);
    const button = element('button', count ? `${name}: ${count}` : name);
    button.setAttribute('role', 'radio');
    button.setAttribute('aria-label', `Level ${name}, ${count === 0 ? 'empty' : count === 1 ? '1 piece' : `${count} pieces`}`);
    button.title = button.getAttribute('aria-label') ?? '';
    button.classList.toggle('empty', count === 0);
    button.classList.toggle('has-marks', !!level.querySelector('.marked'));
    button.addEventListener('click', () => this.reveal(heightOf(level)));
    return button;
  }
}

function pieces(level: Element): number {
  return level.querySelectorAll('[data-square] .piece').length;
}

/** Makes a drawing show one of its levels. */
function crop(picture: SVGElement, level: Element): void {
  const rects = squaresOf(level).flatMap((square) => square.querySelector('rect') ?? []);
  const of = (name: string) => rects.map((rect) => Number(rect.getAttribute(name)));
  const side = Number(rects[0]?.getAttribute('width'));
  const [left, top] = [Math.min(...of('x')) - MARGIN, Math.min(...of('y')) - MARGIN];
  const [width, height] = [Math.max(...of('x')) + side + MARGIN - left, Math.max(...of('y')) + side + MARGIN - top];
  picture.setAttribute('viewBox', `${left} ${top} ${width} ${height}`);
  picture.setAttribute('width', `${width}`);
  picture.setAttribute('height', `${height}`);
}
