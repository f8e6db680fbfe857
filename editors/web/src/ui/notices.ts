// Sentences that the page tells its user, at the foot of the window and to screen readers.
import { byId, element } from './elements';

/** How long a sentence stays, in milliseconds; twice as long with buttons. One about a trouble stays until it is closed. */
const SHOWN = 6000;
const MAX_NOTICES = 3;

export interface Choice {
  label: string;
  run: () => void;
}

export function tell(text: string, choices: Choice[] = [], isTrouble = false): void {
  const place = byId('notices');
  const notice = element('div', '', isTrouble ? 'notice trouble' : 'notice');
  notice.dataset.kind = isTrouble ? 'trouble' : 'news';
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
    // News replace news: only troubles are worth more than one.
    const isNews = old instanceof HTMLElement && old.dataset.kind === 'news' && !isTrouble;
    if (isNews || old.firstElementChild?.textContent === text || place.childElementCount >= MAX_NOTICES) {
      old.remove();
    }
  }
  place.append(notice);
  if (!isTrouble && !choices.length) {
    setTimeout(() => notice.remove(), SHOWN);
  } else if (!isTrouble) {
    setTimeout(() => notice.remove(), 2 * SHOWN);
  }
}

/** The most sentences that are told together. */
const MAX_SENTENCES = 3;

/** The first of some sentences, and how many more there are. */
export function joinSentences(sentences: readonly string[]): string {
  const more = sentences.length - MAX_SENTENCES;
  const ended = sentences.map((text) => text.slice(0, 1).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? '' : '.'));
  return [...ended.slice(0, MAX_SENTENCES), ...(more > 0 ? [`(And ${more} more.)`] : [])].join(' ');
}

/** Tells of something that went wrong. */
export function tellTrouble(text: string, choices: Choice[] = []): void {
  tell(text, choices, true);
}

/** Removes sentences that are no longer news. */
export function clearNews(): void {
  byId('notices').querySelectorAll('[data-kind="news"]').forEach((notice) => notice.remove());
}
