// A menu: of a button, or at the cursor. It is worked with arrow keys, letters, Enter and Escape, or by touch.
import { element } from './elements';
import { clearNews } from './notices';

export interface MenuItem {
  label: string;
  /** What stands beside it, in grey. */
  detail?: string;
  /** The key that does the same. */
  key?: string;
  run: () => void;
}

export interface MenuGroup {
  title?: string;
  items: MenuItem[];
}

/** Where a menu opens: below an element, or at a point of the window. */
export type Anchor = Element | { left: number; top: number; bottom: number };

/** The distance of a menu from the edges of the window, in pixels. */
const MARGIN = 8;

let close: (() => void) | undefined;

export function showMenu(label: string, groups: MenuGroup[], anchor: Anchor): void {
  close?.();
  clearNews();
  const before = document.activeElement;
  const menu = element('div', '', 'menu');
  menu.setAttribute('role', 'menu');
  menu.setAttribute('aria-label', label);
  const shown = groups.filter(({ items }) => items.length);
  for (const { title, items } of shown) {
    const group = element('div', '', 'group');
    group.setAttribute('role', 'group');
    if (title) {
      group.setAttribute('aria-label', title);
      const heading = element('div', title, 'title');
      heading.setAttribute('aria-hidden', 'true');
      group.append(heading);
    }
    group.append(...items.map((item) => entry(item, () => end(item))));
    menu.append(group);
  }
  const end = (chosen?: MenuItem) => {
    close?.();
    if (before instanceof HTMLElement && before.isConnected) {
      before.focus({ preventScroll: true });
    }
    chosen?.run();
  };
  const outside = (event: Event) => {
    if (!(event.target instanceof Node && menu.contains(event.target))) {
      close?.();
    }
  };
  close = () => {
    menu.remove();
    document.removeEventListener('pointerdown', outside, true);
    window.removeEventListener('blur', outside);
    window.removeEventListener('resize', outside);
    close = undefined;
  };
  menu.addEventListener('keydown', (event) => onKey(event, menu, end));
  (document.querySelector('main') ?? document.body).append(menu);
  place(menu, anchor);
  document.addEventListener('pointerdown', outside, true);
  // The focus goes into the frame of the board by a click there.
  window.addEventListener('blur', outside);
  window.addEventListener('resize', outside);
  menu.querySelector<HTMLElement>('[role="menuitem"]')?.focus({ preventScroll: true });
}

function entry({ label, detail, key }: MenuItem, run: () => void): HTMLElement {
  const button = element('button', '', 'item');
  button.setAttribute('role', 'menuitem');
  button.tabIndex = -1;
  button.append(element('span', label));
  if (detail) {
    button.append(element('small', detail));
  }
  if (key) {
    button.append(element('small', key.replace('Control', 'Ctrl'), 'key'));
    button.setAttribute('aria-keyshortcuts', key);
  }
  button.addEventListener('click', run);
  return button;
}

function onKey(event: KeyboardEvent, menu: HTMLElement, end: () => void): void {
  const items = [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const now = items.indexOf(document.activeElement as HTMLElement);
  const moves: Record<string, number> = { ArrowDown: now + 1, ArrowUp: now - 1, Home: 0, End: items.length - 1 };
  const next = moves[event.key];
  if (next !== undefined) {
    items[(next + items.length) % items.length]?.focus();
    event.preventDefault();
  } else if (event.key === 'Escape' || event.key === 'Tab') {
    end();
    event.preventDefault();
  } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && event.key !== ' ') {
    const letter = event.key.toLowerCase();
    const found = [...items.slice(now + 1), ...items.slice(0, now + 1)].find((item) => item.textContent?.toLowerCase().startsWith(letter));
    found?.focus();
  }
  event.stopPropagation();
}

function place(menu: HTMLElement, anchor: Anchor): void {
  const { left, top, bottom } = anchor instanceof Element ? anchor.getBoundingClientRect() : anchor;
  const { width, height } = menu.getBoundingClientRect();
  const [right, foot] = [innerWidth - MARGIN, innerHeight - MARGIN];
  menu.style.left = `${Math.max(MARGIN, Math.min(left, right - width))}px`;
  const isBelow = bottom + 4 + height <= foot || foot - bottom > top;
  menu.style.maxHeight = `${Math.max(120, isBelow ? foot - bottom - 4 : top - MARGIN - 4)}px`;
  menu.style.top = isBelow ? `${bottom + 4}px` : `${Math.max(MARGIN, top - 4 - Math.min(height, top - MARGIN - 4))}px`;
}
