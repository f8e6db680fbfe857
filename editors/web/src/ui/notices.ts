// Sentences that the page tells its user, at the foot of the window and to screen readers.
import { byId, element } from './elements';

/** How long a sentence stays, in milliseconds. One with buttons or about a failure stays until it is closed. */
const SHOWN = 6000;
const MAX_NOTICES = 3;

export interface Choice {
  label: string;
  run: () => void;
}

export function tell(text: string, choices: Choice[] = [], isTrouble = false): void {
  const place = byId('notices');
  const notice = element('div', '', isTrouble ? 'notice trouble' : 'notice');
  const words = element('p', text);
  const close = element('button', '×', 'close');
  close.setAttribute('aria-label', 'Close this message');
  close.addEventListener('click', () => notice.remove());
  notice.append(words);
  for (const { label, run } of choices) {
    const button = element('button', label);
    button.addEventListener('click', () => {
      notice.remove();
      run();
    });
    notice.append(button);
  }
  notice.append(close);
  for (const old of [...place.children]) {
    if (old.firstElementChild?.textContent === text || place.childElementCount >= MAX_NOTICES) {
      old.remove();
    }
  }
  place.append(notice);
  if (!isTrouble && !choices.length) {
    setTimeout(() => notice.remove(), SHOWN);
  } else if (!isTrouble) {
    setTimeout(() => notice.remove(), 3 * SHOWN);
  }
}

/** Tells of something that went wrong. */
export function tellTrouble(text: string, choices: Choice[] = []): void {
  tell(text, choices, true);
}
