// The text of the page as a file: opened, dropped, kept in the browser, shared by a link, downloaded.
import type { SyncedDocument } from '../editor/document';
import { showToCopy } from '../ui/dialogs';
import { type MenuItem } from '../ui/menu';
import { joinSentences, tell, tellTrouble } from '../ui/notices';
import { fragmentOf, holdsText, isForSolvers, solversFragmentOf, textOf } from './link';
import { download, type OpenedFile, readFile } from './read';
import { TextStore, type Kept } from './store';

/** How long after a change the text is kept, in milliseconds. */
const KEEP_DELAY = 400;
/** Some programs cut longer links. */
const LONG_LINK = 8000;
/** The largest text that becomes a link, in characters. */
const MAX_LINK_TEXT = 1_000_000;

/** What reads a file of another program; undefined if the core has no such request. */
export type Import = ((file: OpenedFile) => Promise<void>) | undefined;

export class FileSession {
  private readonly store = new TextStore();
  private name = 'puzzles.cpz';
  /** The line end of the file, which the editor does not keep. */
  private lineEnd = '\n';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private hasToldRefusal = false;
  /** Whether the text came by a link for solvers. */
  isForSolvers = false;
  /** Is called when another link was opened in this tab, before its text is shown. */
  onLink: () => void = () => undefined;

  constructor(
    private readonly document: SyncedDocument,
    private readonly importer: () => Import,
    private readonly showName: (name: string) => void,
  ) {
    window.addEventListener('hashchange', () => void this.openLink());
    window.addEventListener('pagehide', () => this.keep());
    window.document.addEventListener('visibilitychange', () => this.keep());
  }

  /** The text to begin with: that of the link, or the one that this browser has kept, or `welcome`. */
  async first(welcome: string): Promise<string> {
    const linked = await this.linked(window.linked);
    if (linked !== undefined) {
      // The text that this tab had before stays in the list.
      this.store.begin();
      this.setName('puzzles.cpz');
      return linked;
    }
    const kept = this.store.restore();
    this.setName(kept?.name ?? 'first-steps.cpz');
    return kept?.text ?? welcome;
  }

  /** Notes that the user has changed the text. */
  changed(): void {
    if (holdsText(location.hash)) {
      // Loading the page again must not bring the text of the link back.
      history.replaceState(null, '', location.pathname + location.search);
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), KEEP_DELAY);
  }

  private keep(): void {
    if (!this.timer) {
      return;
    }
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.store.keep(this.name, this.text()) && !this.hasToldRefusal) {
      this.hasToldRefusal = true;
      const why = this.store.works ? 'has no room left to keep this text' : 'does not let this page keep your text';
      tell(`This browser ${why}. Download it before you close the page.`, [{ label: 'Download', run: () => this.save() }]);
    }
  }

  private text(): string {
    const text = this.document.state.doc.toString();
    return this.lineEnd === '\n' ? text : text.replaceAll('\n', this.lineEnd);
  }

  private setName(name: string): void {
    this.name = name;
    this.showName(name);
  }

  /**
   * Shows another text; the one before comes back with Undo, and stays in the list of texts. The new one is in the list when
   * it is changed. With `isKept` it is there at once, if that takes no older text from the list: that of an import is nowhere
   * else. The notices are told with it.
   */
  show(name: string, text: string, { isKept = false, notices = [] as string[] } = {}): void {
    this.keep();
    const [before, old] = [this.document.state.doc.toString(), this.name];
    this.store.begin();
    this.lineEnd = /\r\n/.test(text) && !/(^|[^\r])\n/.test(text) ? '\r\n' : '\n';
    this.setName(name);
    this.document.replace(text);
    if (isKept && this.store.hasRoom) {
      this.store.keep(name, this.text());
    }
    if (before.trim() || notices.length) {
      const back = { label: 'Go back', run: () => this.show(old, before) };
      tell([`${name} is open.`, joinSentences(notices)].join(' ').trim(), before.trim() ? [back] : []);
    }
  }

  /** Opens files that were chosen or dropped. */
  async open(files: readonly File[]): Promise<void> {
    const [file, ...more] = files;
    if (!file) {
      return;
    }
    try {
      const opened = await readFile(file);
      const importer = this.importer();
      if (/\.cpz$/i.test(opened.name)) {
        this.show(opened.name, opened.text);
      } else if (importer) {
        await importer(opened);
      } else {
        throw new Error(`${opened.name} is not a .cpz file. The program cpz makes one of it: cpz import.`);
      }
      if (more.length) {
        tell(`${file.name} is open. This page opens one file at a time; the others were left alone.`);
      }
    } catch (error) {
      tellTrouble(sentence(error));
    }
  }

  save(): void {
    download(this.name, this.text());
  }

  get fileName(): string {
    return this.name;
  }

  /** Puts a link with the text into the clipboard and the address bar. */
  async share(): Promise<void> {
    const text = this.document.state.doc.toString();
    if (!isTooLong(text)) {
      history.replaceState(null, '', await fragmentOf(text));
      await copyLink(location.href, 'It opens this text.');
    }
  }

  /** Puts a link to a text without answers into the clipboard; it opens the text to be solved. `what` is what it opens. */
  async shareToSolve(text: string, what = 'these puzzles'): Promise<void> {
    if (!isTooLong(text)) {
      const link = new URL(await solversFragmentOf(text), location.href).href;
      await copyLink(link, `It opens ${what} to be solved, and no answer is written in it.`);
    }
  }

  /** The text of the address, if `found` is not that; undefined if it has none, or a broken one, of which the user is told. */
  private async linked(found?: Promise<string>): Promise<string | undefined> {
    if (!holdsText(location.hash)) {
      return undefined;
    }
    try {
      const text = await (found ?? textOf(location.hash));
      this.isForSolvers = isForSolvers(location.hash);
      return text;
    } catch (error) {
      tellTrouble(sentence(error));
      history.replaceState(null, '', location.pathname + location.search);
      return undefined;
    }
  }

  /** Another link was opened in this tab. */
  private async openLink(): Promise<void> {
    const linked = await this.linked();
    if (linked === undefined) {
      return;
    }
    this.onLink();
    if (linked !== this.document.state.doc.toString()) {
      this.show('puzzles.cpz', linked);
    }
  }

  /** The texts that this browser keeps, for a menu. */
  kept(): MenuItem[] {
    const now = this.document.state.doc.toString();
    const resume = (kept: Kept) => {
      this.show(kept.name, kept.text);
      this.store.resume(kept);
    };
    const others = this.store.all().filter(({ text }) => text !== now && text !== this.text());
    return others.map((kept) => ({
      label: described(kept),
      detail: new Date(kept.time).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }),
      run: () => resume(kept),
    }));
  }
}

function isTooLong(text: string): boolean {
  if (text.length > MAX_LINK_TEXT) {
    tellTrouble('This text is too long for a link. Download it, and send the file.');
  }
  return text.length > MAX_LINK_TEXT;
}

/** Puts a link into the clipboard, or shows it, with a sentence about it. */
async function copyLink(link: string, about: string): Promise<void> {
  const long = link.length > LONG_LINK;
  const warning = long ? ` It has ${link.length.toLocaleString('en')} characters, and some programs cut long links: a file is safer.` : '';
  try {
    await navigator.clipboard.writeText(link);
    tell(`The link is in the clipboard. ${about}${warning}`, 'share' in navigator ? [{ label: 'Share…', run: () => void shareLink(link) }] : []);
  } catch {
    showToCopy(`Copy this link. ${about}${warning}`, link);
  }
}

/** Hands a link to the programs of the device, as far as its browser does that. */
async function shareLink(url: string): Promise<void> {
  try {
    await navigator.share({ title: document.title, url });
  } catch (error) {
    // The user may have chosen none.
    if (!(error instanceof DOMException && error.name === 'AbortError')) {
      tell('This browser did not share the link. It is in the clipboard: paste it where you want it.');
    }
  }
}

/** A kept text by its file and its first puzzle, since many have the name that the page gave them. */
function described({ name, text }: Kept): string {
  const first = /^(?:solitaire|chess3d|chess|draughts)\s+["'](.{1,40}?)["']/m.exec(text)?.[1];
  return first ? `${name}: ${first}` : name;
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
