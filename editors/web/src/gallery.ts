// The gallery of the text's puzzles, in a window within the page.
import { EditorView } from '@codemirror/view';
import { type Collection, type Entry, exported, type ExportedPuzzle, type OutlineEntry, outlined } from '../../board/gallery';
import { Gallery } from '../../board/page/gallery';
import type { Board } from '../../board/protocol';
import type { SyncedDocument } from './editor/document';
import { refreshAll } from './editor/refresh';
import type { Diagnostic, Range } from './lsp/types';
import { element } from './ui/elements';
import { boardInWords, sentenceOf } from './words';

/** Changes within this time are answered by one request, in milliseconds. */
const REFRESH_DELAY = 200;

export interface GalleryPage {
  /** The name of the text. */
  name(): string;
  /** The findings of the text. */
  findings(): readonly Diagnostic[];
  /** Shows a place in the text. */
  show(range: Range): void;
}

/** What was exported of a version of the text. */
interface Exported {
  version: number;
  puzzles: ExportedPuzzle[];
  open?: string | undefined;
}

export class GalleryWindow {
  /** Made when it is opened first. */
  private shown: { dialog: HTMLDialogElement; title: HTMLElement; gallery: Gallery } | undefined;
  private known: Exported | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The order that was chosen, in the words of `cpz sort`; undefined for that of the text. */
  order: 'difficulty' | 'name' | undefined;

  constructor(
    private readonly document: SyncedDocument,
    private readonly page: GalleryPage,
  ) {}

  private make() {
    const dialog = element('dialog');
    const title = element('h2');
    const close = element('button', 'Close');
    const head = element('div', '', 'head');
    const content = element('div');
    dialog.id = 'gallery';
    title.id = 'gallery-title';
    close.id = 'gallery-close';
    dialog.setAttribute('aria-labelledby', title.id);
    head.append(title, close);
    dialog.append(head, content);
    close.addEventListener('click', () => dialog.close());
    const gallery = new Gallery(content, {
      draw: (entry) => this.draw(entry),
      open: ({ range }) => {
        dialog.close();
        this.page.show({ start: range.start, end: range.start });
      },
      search: () => void this.refresh(true),
      remember: ({ order }) => (this.order = order === 'file' ? undefined : order === 'title' ? 'name' : order),
    });
    window.document.body.append(dialog);
    return { dialog, title, gallery };
  }

  get extension() {
    return EditorView.updateListener.of(({ docChanged, transactions }) => {
      const isAsked = transactions.some(({ effects }) => effects.some((effect) => effect.is(refreshAll)));
      if ((docChanged || isAsked) && this.shown?.dialog.open) {
        this.timer ??= setTimeout(() => {
          this.timer = undefined;
          void this.refresh();
        }, REFRESH_DELAY);
      }
    });
  }

  async open(): Promise<void> {
    this.shown ??= this.make();
    const { dialog, gallery } = this.shown;
    if (dialog.open) {
      return;
    }
    dialog.showModal();
    await this.refresh();
    gallery.focus();
  }

  private async refresh(solve = false): Promise<void> {
    const { version } = this.document;
    if (solve || this.known?.version !== version) {
      const made = await this.document.ask<{ text: string; open?: string }>('cpz/export', { to: 'json', solve });
      if (version !== this.document.version) {
        // The change asks again.
        return;
      }
      this.known = made && { version, puzzles: (JSON.parse(made.text) as { puzzles: ExportedPuzzle[] }).puzzles, open: made.open };
    }
    // Without the complete core there are places and names.
    const found = this.known ? exported(this.known.puzzles, this.findings(), sentenceOf) : await this.outline();
    if (found && this.shown && version === this.document.version) {
      this.shown.title.textContent = this.page.name();
      this.shown.gallery.show(this.collection(version, found));
    }
  }

  private collection(version: number, entries: Entry[]): Collection {
    const { doc, selection } = this.document.state;
    return { name: this.page.name(), version, entries, open: this.known?.open, line: doc.lineAt(selection.main.head).number - 1 };
  }

  private async outline(): Promise<Entry[] | undefined> {
    const symbols = await this.document.ask<OutlineEntry[] | null>('textDocument/documentSymbol');
    return symbols === undefined ? undefined : outlined(symbols ?? []);
  }

  private findings() {
    return this.page.findings().map(({ range, severity = 1, message }) => ({ range, severity, message }));
  }

  private async draw({ range }: Entry) {
    const board = await this.document.ask<Board | null>('cpz/board', { position: range.start, frame: 0, line: 0, wait: false });
    if (!board) {
      return board;
    }
    const { svg, state, whole, headline = '' } = boardInWords(board);
    return { svg, state, whole, headline };
  }
}
