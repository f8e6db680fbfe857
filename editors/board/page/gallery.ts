// A collection as small boards, to look through and to choose from. Boards are asked for when they scroll into view.
import { chosen, type Collection, counts, type Details, type Drawing, type Entry, EVERYTHING, type Filter, type GalleryHost, type Order, refined, type Status, STATUSES } from '../gallery';
import { element, svgOf } from './page';

/** The most requests for boards at a time. */
const MAX_ASKED = 4;
/** The most boards that are kept; those that are out of sight the longest go. */
const MAX_DRAWN = 240;
/** How far outside of the view boards are asked for. */
const MARGIN = '240px 0px';

const ORDERS: [Order, string][] = [
  ['file', 'As in the file'],
  ['difficulty', 'Difficulty'],
  ['title', 'Title'],
];

const WORDS: Record<Status, string> = { findings: 'With findings', solved: 'Solved', undecided: 'Undecided', none: 'No question' };

/** A puzzle on the page. */
interface Card {
  entry: Entry;
  readonly item: HTMLLIElement;
  readonly button: HTMLButtonElement;
  readonly picture: HTMLElement;
  readonly words: HTMLElement;
  /** The version of the text whose board was asked for last. */
  asked: number;
  /** What came with the board of that version. */
  drawing?: Drawing | undefined;
  /** Whether it is in view. */
  isSeen: boolean;
}

export class Gallery {
  private collection: Collection | undefined;
  /** All cards by the title and how many of that title come before. */
  private cards = new Map<string, Card>();
  /** Those that fit the filter, in their order. */
  private shown: Card[] = [];
  private readonly byItem = new WeakMap<Element, Card>();
  /** Cards with a board, the latest last. */
  private readonly drawn = new Set<Card>();
  private asking = 0;
  /** Whether there are puzzles of more than one game. */
  private hasGames = false;

  private readonly text = field('search', 'Title, author or tag');
  private readonly game = document.createElement('select');
  private readonly kind = document.createElement('select');
  private readonly status = document.createElement('select');
  private readonly order = document.createElement('select');
  private readonly count = element('p', '');
  private readonly open = element('p', '');
  private readonly list = document.createElement('ul');
  private readonly none = element('p', '');
  private readonly scroller = element('div', '');
  private readonly observer: IntersectionObserver;

  constructor(
    root: HTMLElement,
    private readonly host: GalleryHost,
    private filter: Filter = { ...EVERYTHING },
  ) {
    root.classList.add('gallery');
    const tools = element('div', '');
    tools.className = 'gallery-tools';
    tools.setAttribute('role', 'search');
    tools.append(
      labelled('Find', this.text),
      labelled('Game', this.game),
      labelled('Question', this.kind),
      labelled('Status', this.status),
      labelled('Sort by', this.order),
    );
    this.order.append(...ORDERS.map(([value, label]) => new Option(label, value)));
    for (const control of [this.text, this.game, this.kind, this.status, this.order]) {
      control.addEventListener('input', () => this.onFilter());
    }
    this.count.className = 'gallery-count';
    this.count.setAttribute('role', 'status');
    this.open.className = 'gallery-open';
    const about = element('div', '');
    about.className = 'gallery-about';
    about.append(this.count, this.open);
    this.list.className = 'gallery-list';
    // Without its bullets, a list is none for some screen readers.
    this.list.setAttribute('role', 'list');
    this.list.setAttribute('aria-label', 'Puzzles');
    this.list.addEventListener('click', ({ target }) => this.choose(target));
    this.list.addEventListener('keydown', (event) => this.onKey(event));
    this.list.addEventListener('focusin', ({ target }) => this.rove(this.cardOf(target)));
    this.none.className = 'gallery-none';
    const all = element('button', 'Show all');
    all.addEventListener('click', () => {
      this.reset();
      this.text.focus();
    });
    this.none.append(element('span', 'No puzzle fits. '), all);
    this.scroller.className = 'gallery-scroller';
    // Firefox stops at what can be scrolled: here at the boards in it, which the keys scroll.
    this.scroller.tabIndex = -1;
    this.scroller.append(this.list, this.none);
    root.append(tools, about, this.scroller);
    this.observer = new IntersectionObserver((changes) => this.onSight(changes), { root: this.scroller, rootMargin: MARGIN });
  }

  /** Shows a collection, or another version of it. What is typed, chosen and focused stays. */
  show(collection: Collection): void {
    const before = this.collection;
    if (before && (before.uri ?? before.name) !== (collection.uri ?? collection.name)) {
      this.observer.disconnect();
      this.cards.clear();
      this.drawn.clear();
      this.filter = { ...EVERYTHING };
    }
    this.collection = collection;
    const found = new Map<string, Card>();
    const titles = new Map<string, number>();
    for (const entry of collection.entries) {
      const nth = titles.get(entry.title) ?? 0;
      titles.set(entry.title, nth + 1);
      const key = `${nth} ${entry.title}`;
      const card = this.cards.get(key) ?? this.card(entry);
      const isDrawn = card.drawing && card.asked === collection.version;
      card.entry = isDrawn && card.drawing && entry.details ? { ...entry, details: refined(entry.details, card.drawing) } : entry;
      found.set(key, card);
    }
    for (const [key, card] of this.cards) {
      if (!found.has(key)) {
        this.observer.unobserve(card.item);
        this.drawn.delete(card);
      }
    }
    this.cards = found;
    this.hasGames = new Set(collection.entries.map(({ details }) => details?.game)).size > 1;
    for (const card of found.values()) {
      this.write(card);
    }
    this.mark(collection.line);
    this.fillChoices();
    this.say(this.open, collection.open ? `${collection.open}.` : '', collection.open && { label: 'Search', run: () => this.host.search() });
    this.arrange();
    this.ask();
  }

  /** Says that nothing can be shown, and why. */
  showNothing(why: string): void {
    this.observer.disconnect();
    this.cards.clear();
    this.drawn.clear();
    this.collection = undefined;
    this.say(this.open, '');
    this.arrange();
    this.say(this.count, why);
  }

  /** Marks the puzzle at a line of the text. */
  mark(line: number | undefined): void {
    for (const { entry, button } of this.cards.values()) {
      const { start, end } = entry.range;
      if (line !== undefined && start.line <= line && line <= end.line) {
        button.setAttribute('aria-current', 'true');
      } else {
        button.removeAttribute('aria-current');
      }
    }
  }

  /** Gives the focus to the marked puzzle, or to the first one. */
  focus(): void {
    const card = this.shown.find(({ button }) => button.hasAttribute('aria-current')) ?? this.shown[0];
    if (card) {
      card.button.focus({ preventScroll: true });
      // Below the middle of a low window, the first one would be cut off.
      card === this.shown[0] ? (this.scroller.scrollTop = 0) : card.item.scrollIntoView({ block: 'center' });
    } else {
      this.text.focus();
    }
  }

  // ---- The filter

  private onFilter(): void {
    const [game, kind, status] = [this.game.value, this.kind.value, this.status.value];
    this.filter = { text: this.text.value, game, kind, status, order: this.order.value as Order };
    this.host.remember?.(this.filter);
    this.arrange();
    this.scroller.scrollTop = 0;
  }

  private reset(): void {
    this.filter = { ...EVERYTHING, order: this.filter.order };
    this.host.remember?.(this.filter);
    this.fillChoices();
    this.arrange();
  }

  /** Fills the lists of choices with what there is, and chooses in them what the filter says. */
  private fillChoices(): void {
    const entries = this.entries();
    const { text, game, kind, status, order } = this.filter;
    const statuses = new Map(counts(entries, (details) => [details.status]));
    fill(this.game, 'All games', counts(entries, (details) => [details.game]).map(([name, n]) => [name, name, n]), game);
    fill(this.kind, 'All questions', counts(entries, ({ kinds }) => kinds).map(([name, n]) => [name, name.replaceAll('-', ' '), n]), kind);
    fill(this.status, 'Any status', STATUSES.map((name) => [name, WORDS[name], statuses.get(name) ?? 0]), status);
    if (this.text.value !== text) {
      this.text.value = text;
    }
    this.order.value = order;
    // Where there is one of a kind, there is nothing to choose.
    for (const [select, chosen] of [[this.game, game], [this.kind, kind]] as const) {
      (select.parentElement as HTMLElement).hidden = select.options.length <= 2 && !chosen;
    }
  }

  private entries(): Entry[] {
    return [...this.cards.values()].map(({ entry }) => entry);
  }

  /** Puts the cards that fit into the list. */
  private arrange(): void {
    const byEntry = new Map([...this.cards.values()].map((card) => [card.entry, card]));
    const focused = this.cardOf(document.activeElement);
    const before = this.shown;
    this.shown = chosen([...byEntry.keys()], this.filter).flatMap((entry) => byEntry.get(entry) ?? []);
    const [all, n] = [byEntry.size, this.shown.length];
    if (before.length !== n || this.shown.some((card, index) => card !== before[index])) {
      this.list.replaceChildren(...this.shown.map(({ item }) => item));
    }
    this.none.hidden = n > 0 || all === 0;
    this.say(this.count, all === 0 ? 'There is no puzzle in this text yet.' : n === all ? counted(all) : `${n} of ${counted(all)}`);
    const current = this.shown.find(({ button }) => button.hasAttribute('aria-current'));
    const kept = focused && this.shown.includes(focused) ? focused : undefined;
    this.rove(kept ?? current ?? this.shown[0]);
    if (kept) {
      kept.button.focus({ preventScroll: true });
    } else if (focused) {
      this.text.focus();
    }
  }

  /** Writes a sentence, with a button if there is something to do; the same one is not said again. */
  private say(place: HTMLElement, sentence: string, action?: { label: string; run: () => void } | '' | undefined): void {
    place.hidden = !sentence;
    if (place.firstChild?.textContent !== sentence) {
      place.replaceChildren(...(sentence ? [sentence] : []));
    }
    place.querySelector('button')?.remove();
    if (sentence && action) {
      const button = element('button', action.label);
      button.addEventListener('click', () => {
        this.open.replaceChildren('Searching…');
        action.run();
      });
      place.append(button);
    }
  }

  // ---- Cards

  private card(entry: Entry): Card {
    const item = document.createElement('li');
    const button = document.createElement('button');
    const picture = element('span', '');
    const words = element('span', '');
    button.tabIndex = -1;
    picture.className = 'gallery-picture';
    picture.setAttribute('aria-hidden', 'true');
    words.className = 'gallery-words';
    button.append(picture, words);
    item.append(button);
    const card: Card = { entry, item, button, picture, words, asked: -1, isSeen: false };
    this.byItem.set(item, card);
    this.observer.observe(item);
    return card;
  }

  /** Writes what is known of a puzzle below its board. */
  private write({ entry, button, words }: Card): void {
    const { number, title, details } = entry;
    const name = element('span', '');
    name.className = 'gallery-title';
    const place = element('span', `${number}. `);
    place.className = 'gallery-number';
    name.append(place, title || 'No name');
    const parts = [name];
    if (details) {
      const about = element('span', [this.hasGames && details.game, details.asked].filter(Boolean).join(', '));
      about.className = 'gallery-about-puzzle';
      const foot = element('span', '');
      foot.className = 'gallery-foot';
      foot.append(stateOf(details), ...(details.difficulty === undefined ? [] : [difficultyOf(details.difficulty)]));
      parts.push(about, foot);
    }
    if (words.textContent !== parts.map((part) => part.textContent).join('') || button.dataset.status !== (details?.status ?? '')) {
      words.replaceChildren(...parts);
      button.dataset.status = details?.status ?? '';
      button.title = details?.trouble?.message ?? '';
    }
  }

  private onSight(changes: IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of changes) {
      const card = this.byItem.get(target);
      if (card) {
        card.isSeen = isIntersecting;
      }
    }
    this.ask();
  }

  /** Asks for the boards that are in view and not of this version, some at a time. */
  private ask(): void {
    const { collection } = this;
    if (!collection) {
      return;
    }
    const { version } = collection;
    for (const card of this.shown) {
      if (this.asking >= MAX_ASKED) {
        return;
      }
      if (card.isSeen && card.asked !== version) {
        card.asked = version;
        card.drawing = undefined;
        this.asking++;
        void this.draw(card).finally(() => {
          this.asking--;
          this.ask();
        });
      }
    }
  }

  private async draw(card: Card): Promise<void> {
    const { entry, asked } = card;
    const drawing = await this.host.draw(entry).catch(() => undefined);
    // A board of another version is asked for again.
    if (drawing === undefined || card.asked !== this.collection?.version || card.asked !== asked) {
      return;
    }
    card.item.dataset.version = `${asked}`;
    if (!drawing?.svg) {
      card.picture.replaceChildren(element('span', 'No board'));
      return;
    }
    const svg = svgOf(drawing.svg);
    // The squares are no places to go to here.
    svg.querySelectorAll('[tabindex]').forEach((square) => square.removeAttribute('tabindex'));
    card.picture.replaceChildren(svg);
    card.drawing = { ...drawing, svg: '' };
    if (card.entry.details) {
      card.entry = { ...card.entry, details: refined(card.entry.details, drawing) };
      this.write(card);
    }
    this.keep(card);
  }

  /** Keeps the board of a card, and forgets one that is long out of sight. */
  private keep(card: Card): void {
    this.drawn.delete(card);
    this.drawn.add(card);
    for (const old of this.drawn) {
      if (this.drawn.size <= MAX_DRAWN) {
        return;
      }
      if (!old.isSeen) {
        this.drawn.delete(old);
        old.picture.replaceChildren();
        old.asked = -1;
      }
    }
  }

  // ---- Keys

  private cardOf(target: EventTarget | null): Card | undefined {
    const item = target instanceof Element ? target.closest('.gallery-list > li') : null;
    return item ? this.byItem.get(item) : undefined;
  }

  private choose(target: EventTarget | null): void {
    const card = this.cardOf(target);
    if (card) {
      this.host.open(card.entry);
    }
  }

  /** Lets Tab lead to one card; the arrow keys go on from there. */
  private rove(card: Card | undefined): void {
    for (const { button } of this.shown) {
      if (button.tabIndex === 0 && button !== card?.button) {
        button.tabIndex = -1;
      }
    }
    if (card) {
      card.button.tabIndex = 0;
    }
  }

  private onKey(event: KeyboardEvent): void {
    const card = this.cardOf(event.target);
    if (!card || event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const columns = getComputedStyle(this.list).gridTemplateColumns.split(' ').length;
    const pages = Math.max(1, Math.floor(this.scroller.clientHeight / (card.item.offsetHeight || 1)));
    const [now, last] = [this.shown.indexOf(card), this.shown.length - 1];
    const to: Record<string, number> = {
      ArrowLeft: now - 1,
      ArrowRight: now + 1,
      ArrowUp: now - columns,
      ArrowDown: now + columns,
      PageUp: now - pages * columns,
      PageDown: now + pages * columns,
      Home: 0,
      End: last,
    };
    const wanted = to[event.key];
    if (wanted === undefined) {
      return;
    }
    event.preventDefault();
    const isPage = event.key.startsWith('Page');
    // Up and down stay in their column.
    const next = this.shown[isPage ? Math.min(Math.max(wanted, 0), last) : wanted];
    if (next) {
      next.button.focus({ preventScroll: true });
      next.item.scrollIntoView({ block: 'nearest' });
    }
  }
}

/** The state of a puzzle, with a mark that is not by colour alone. */
function stateOf({ status, trouble }: Details): HTMLElement {
  const isWarning = trouble?.isError === false;
  const mark = element('span', isWarning ? '!' : { findings: '✗', solved: '✓', undecided: '?', none: '–' }[status]);
  mark.setAttribute('aria-hidden', 'true');
  const shown = element('span', '');
  shown.className = `gallery-state ${isWarning ? 'warning' : status}`;
  shown.append(mark, ' ', ...(trouble ? [spoken(isWarning ? 'warning: ' : 'error: ')] : []), trouble?.message ?? WORDS[status]);
  return shown;
}

function difficultyOf(difficulty: number): HTMLElement {
  const shown = element('span', '');
  shown.className = 'gallery-difficulty';
  shown.title = 'Difficulty, 1 to 10, an estimate';
  shown.append(spoken('difficulty '), difficulty.toFixed(1));
  return shown;
}

/** Words for screen readers alone. */
function spoken(words: string): HTMLElement {
  const shown = element('span', words);
  shown.className = 'gallery-spoken';
  return shown;
}

function field(type: string, label: string): HTMLInputElement {
  const input = document.createElement('input');
  input.type = type;
  input.placeholder = label;
  input.spellcheck = false;
  return input;
}

function labelled(label: string, control: HTMLElement): HTMLElement {
  const shown = document.createElement('label');
  shown.append(element('span', label), control);
  return shown;
}

/** Fills a list of choices; the first one stands for all. A choice that there is no more stays until another one is made. */
function fill(select: HTMLSelectElement, all: string, choices: readonly [value: string, label: string, count: number][], wanted: string): void {
  const there = choices.filter(([value, , count]) => count > 0 || value === wanted);
  const kept = there.some(([value]) => value === wanted) || !wanted ? there : [...there, [wanted, wanted.replaceAll('-', ' '), 0] as const];
  const texts = [all, ...kept.map(([, label, count]) => `${label} (${count})`)];
  if (texts.join('\n') !== [...select.options].map(({ text }) => text).join('\n')) {
    select.replaceChildren(...texts.map((text, index) => new Option(text, index ? kept[index - 1]?.[0] : '')));
  }
  select.value = wanted;
}

function counted(number: number): string {
  return `${number} puzzle${number === 1 ? '' : 's'}`;
}
