// The texts of this browser: the one of this tab, and the last ones before it. They stay on this computer.

/** A text as it is kept. */
export interface Kept {
  id: string;
  name: string;
  /** When it was last changed, in milliseconds since 1970. */
  time: number;
  text: string;
}

/** How many texts are kept. */
const MAX_TEXTS = 12;
const PREFIX = 'cpz.text.';
const TAB = 'cpz.tab';

export class TextStore {
  private readonly storages = new Map<string, Storage | undefined>();
  private id = newId();
  private written = '';

  private get shared(): Storage | undefined {
    return this.storage('localStorage');
  }

  private get tab(): Storage | undefined {
    return this.storage('sessionStorage');
  }

  /** A storage, opened when it is first needed: that can take longer than the page takes to begin with the text of a link. */
  private storage(name: 'localStorage' | 'sessionStorage'): Storage | undefined {
    if (!this.storages.has(name)) {
      this.storages.set(name, storage(() => window[name]));
    }
    return this.storages.get(name);
  }

  /** Whether the browser lets the page keep anything. */
  get works(): boolean {
    return !!this.shared;
  }

  /** Whether one more text can be kept without the oldest being removed. */
  get hasRoom(): boolean {
    return this.all().length < MAX_TEXTS;
  }

  /** The text that this tab had before it was loaded again, or else the last one of any tab. */
  restore(): Kept | undefined {
    this.id = this.tab?.getItem(TAB) ?? this.id;
    const found = this.read(this.id) ?? this.all()[0];
    if (found) {
      this.id = found.id;
      this.written = found.text;
    }
    return found;
  }

  /** From now on another text is kept. The one before stays in the list. */
  begin(): void {
    this.id = newId();
    this.written = '';
  }

  /** Goes on with a text of the list. */
  resume(kept: Kept): void {
    this.id = kept.id;
    this.written = kept.text;
  }

  /** Keeps the text of this tab. Returns false if the browser refuses. */
  keep(name: string, text: string): boolean {
    const { shared, id } = this;
    if (!shared) {
      return false;
    }
    if (text === this.written) {
      return true;
    }
    const kept: Kept = { id, name, time: Date.now(), text };
    const oldest = this.all()
      .filter((other) => other.id !== id)
      .slice(MAX_TEXTS - 1);
    const remove = () => oldest.forEach((other) => shared.removeItem(PREFIX + other.id));
    const write = (...all: Kept[]) => isDone(() => all.forEach((one) => shared.setItem(PREFIX + one.id, JSON.stringify(one))));
    // The oldest go when the new one is there, or else to make room for it; if that is not enough they come back, as they may
    // be the only copy.
    if (!write(kept)) {
      remove();
      if (!write(kept)) {
        write(...oldest);
        return false;
      }
    }
    remove();
    isDone(() => this.tab?.setItem(TAB, id));
    this.written = text;
    return true;
  }

  /** The texts that are kept, the last first. */
  all(): Kept[] {
    const { shared } = this;
    if (!shared) {
      return [];
    }
    const keys = Array.from({ length: shared.length }, (_, i) => shared.key(i) ?? '').filter((key) => key.startsWith(PREFIX));
    const found = keys.map((key) => this.read(key.slice(PREFIX.length)));
    return found.filter((kept) => kept !== undefined).sort((a, b) => b.time - a.time);
  }

  private read(id: string): Kept | undefined {
    try {
      const kept = JSON.parse(this.shared?.getItem(PREFIX + id) ?? 'null') as Partial<Kept> | null;
      const isWhole = typeof kept?.text === 'string' && typeof kept.name === 'string' && typeof kept.time === 'number';
      return isWhole ? { id, name: kept.name ?? '', time: kept.time ?? 0, text: kept.text ?? '' } : undefined;
    } catch {
      return undefined;
    }
  }
}

/** A storage of the browser; undefined if it refuses, as some do for private windows. */
function storage(get: () => Storage): Storage | undefined {
  try {
    const found = get();
    found.setItem('cpz.try', '');
    found.removeItem('cpz.try');
    return found;
  } catch {
    return undefined;
  }
}

/** Acts; false if the storage has no room. */
function isDone(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join('');
}
