// Changes of a puzzle to choose from, each with its board before and after.
import type { Choice } from '../choices';
import { element, svgOf } from './page';

/** Fills a list with the changes. `choose` is called with the number of the one that is chosen. */
export function showChoices(list: HTMLElement, choices: readonly Choice[], choose: (choice: number) => void): void {
  list.replaceChildren(...choices.map((choice, index) => item(choice, () => choose(index))));
  list.addEventListener('keydown', (event) => {
    const buttons = [...list.querySelectorAll('button')];
    const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const columns = getComputedStyle(list).gridTemplateColumns.split(' ').length;
    const by: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
    const step = by[event.key];
    if (step !== undefined && now >= 0) {
      buttons[now + step]?.focus();
      event.preventDefault();
    }
  });
  list.querySelector('button')?.focus();
}

function item({ title, before, after }: Choice, choose: () => void): HTMLElement {
  const shown = document.createElement('li');
  const button = document.createElement('button');
  if (before && after) {
    const pair = element('span', '');
    pair.className = 'pair';
    pair.setAttribute('aria-hidden', 'true');
    const [old, made] = [svgOf(before), svgOf(after)];
    mark(old, made);
    pair.append(old, element('span', '→'), made);
    button.append(pair);
  }
  // Behind the change stands the solution that it gives.
  const [, change = title, solution] = /^(.*?): (.*)$/s.exec(title) ?? [];
  const name = element('span', change);
  name.className = 'gallery-title';
  button.append(name);
  if (solution) {
    const moves = element('span', solution);
    moves.className = 'solution';
    button.append(' ', moves);
  }
  button.addEventListener('click', choose);
  shown.append(button);
  return shown;
}

/** Marks the squares that are not the same on two boards. */
function mark(old: SVGElement, made: SVGElement): void {
  for (const board of [old, made]) {
    board.querySelectorAll('[tabindex]').forEach((square) => square.removeAttribute('tabindex'));
  }
  for (const square of old.querySelectorAll('[data-square]')) {
    const other = made.querySelector(`[data-square="${CSS.escape(square.getAttribute('data-square') ?? '')}"]`);
    if (other && other.getAttribute('aria-label') !== square.getAttribute('aria-label')) {
      square.classList.add('seen');
      other.classList.add('seen');
    }
  }
}
