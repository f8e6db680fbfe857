// The page that shows changes of a puzzle to choose from, each with its board before and after.
import type { Choice, FromChoices, ToChoices } from '../choices';
import { byId, element, svgOf } from './page';

declare function acquireVsCodeApi(): { postMessage(message: FromChoices): void };

const editor = acquireVsCodeApi();
const list = byId('choices');

window.addEventListener('message', ({ data }: MessageEvent<ToChoices>) => {
  byId('question').textContent = data.question;
  list.replaceChildren(...data.choices.map((choice, index) => item(choice, index)));
  list.querySelector('button')?.focus();
});
window.addEventListener('keydown', (event) => {
  const buttons = [...list.querySelectorAll('button')];
  const now = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const columns = getComputedStyle(list).gridTemplateColumns.split(' ').length;
  const by: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  const step = by[event.key];
  if (event.key === 'Escape') {
    editor.postMessage({ kind: 'none' });
  } else if (step !== undefined && now >= 0) {
    buttons[now + step]?.focus();
    event.preventDefault();
  }
});
byId('none').addEventListener('click', () => editor.postMessage({ kind: 'none' }));
editor.postMessage({ kind: 'ready' });

function item({ title, before, after }: Choice, index: number): HTMLElement {
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
  button.addEventListener('click', () => editor.postMessage({ kind: 'chosen', choice: index }));
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
