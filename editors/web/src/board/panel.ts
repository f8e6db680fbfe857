// The board beside the text: a frame with the page that the extension for VS Code shows too.
import { redo, undo } from '@codemirror/commands';
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, type ViewUpdate } from '@codemirror/view';
import { BoardEditor, type BoardText } from '../../../board/edit';
import { Hints } from '../../../board/hints';
import { Navigation } from '../../../board/navigation';
import type { Board, EditResult, FromPage, HintResult, Range, ToPage } from '../../../board/protocol';
import type { SyncedDocument } from '../editor/document';
import { offsetAt, positionAt } from '../editor/positions';
import { refreshAll } from '../editor/refresh';
import type { Position } from '../lsp/types';
import { showToCopy } from '../ui/dialogs';
import type { MenuItem } from '../ui/menu';
import { boardInWords, sentenceOf } from '../words';

/** Events within this time are answered by one request, in milliseconds. */
const REFRESH_DELAY = 40;

/** Where a lens or an action wants the board: a puzzle or query, and the frame of its first line of play. */
export interface BoardPlace {
  position: Position;
  line?: number;
  frame?: number | 'next';
}

/** The text as it is now, with the cursor of the board. */
class PageText implements BoardText {
  readonly uri: string;
  readonly version: number;
  readonly at: Position;

  constructor(
    private readonly document: SyncedDocument,
    cursor: number,
  ) {
    [this.uri, this.version] = [document.uri, document.version];
    this.at = positionAt(document.state.doc, cursor);
  }

  offsetAt(position: Position): number {
    return offsetAt(this.document.state.doc, position);
  }

  apply(edits: EditResult['edits']): Promise<number | undefined> {
    if (this.document.version !== this.version) {
      return Promise.resolve(undefined);
    }
    this.document.edit(edits);
    return Promise.resolve(this.document.version);
  }
}

const setStep = StateEffect.define<{ range: Range; isWrong: boolean } | null>();

/** The shown step in the text. */
const step = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { changes, effects, state }) {
    const set = effects.find((effect) => effect.is(setStep))?.value;
    if (set === undefined) {
      return shown.map(changes);
    }
    const { range, isWrong } = set ?? {};
    const [from, to] = range ? [offsetAt(state.doc, range.start), offsetAt(state.doc, range.end)] : [0, 0];
    return from < to ? Decoration.set(Decoration.mark({ class: isWrong ? 'cpz-step wrong' : 'cpz-step' }).range(from, to)) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface PanelHost {
  /** Brings the text to the front, on a narrow screen. */
  showText(): void;
  newPuzzle(): void;
  tell(sentence: string): void;
}

export class BoardPanel {
  private readonly shown = new Navigation();
  private readonly edits: BoardEditor<PageText>;
  private readonly hints = new Hints((grade) => this.document.ask<HintResult | null>('cpz/hint', { position: this.text().at, grade }));
  /** The offset whose puzzle is shown. */
  private cursor = 0;
  /** The puzzle whose board is drawn, by its offsets in the text as it is now, and whether it is the same there. */
  private drawn: { version: number | null; from: number; to: number; cursor: number; isSame: boolean } | undefined;
  /** Whether the selection is being set for the board, which must not follow it. */
  private isOwnSelection = false;
  private isReady = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pending = new AbortController();
  /** What stands beside the frame. */
  private said = '';
  /** What gets the messages of the frame while it is lent. */
  private guest: ((message: FromPage) => void) | undefined;

  constructor(
    private readonly frame: HTMLIFrameElement,
    private readonly document: SyncedDocument,
    private readonly host: PanelHost,
  ) {
    const { client } = document;
    this.edits = new BoardEditor({
      request: (method, params) => client.request(method, params),
      post: (message) => this.post(message),
      current: () => this.drawnText(),
      isUnchanged: (version) => !!this.drawn?.isSame && this.drawn.version === version,
    });
    window.addEventListener('message', ({ data, source }: MessageEvent<FromPage>) => {
      if (source === frame.contentWindow) {
        void this.onMessage(data);
      }
    });
  }

  get extension() {
    return [step, EditorView.updateListener.of((update) => this.onUpdate(update))];
  }

  private onUpdate(update: ViewUpdate): void {
    const { docChanged, selectionSet, transactions, state } = update;
    if (docChanged) {
      this.cursor = update.changes.mapPos(this.cursor, 1);
      this.shown.requested = {};
      this.moveDrawn(update.changes);
    }
    if (selectionSet && !this.isOwnSelection) {
      this.cursor = state.selection.main.head;
      this.shown.requested = {};
    }
    const isAsked = transactions.some(({ effects }) => effects.some((effect) => effect.is(refreshAll)));
    if (docChanged || isAsked || (selectionSet && !this.isOwnSelection)) {
      this.scheduleRefresh();
    }
  }

  private moveDrawn(changes: ViewUpdate['changes']): void {
    const { drawn } = this;
    if (drawn) {
      drawn.isSame &&= !changes.touchesRange(drawn.from, drawn.to);
      [drawn.from, drawn.to, drawn.cursor] = [changes.mapPos(drawn.from, 1), changes.mapPos(drawn.to, -1), changes.mapPos(drawn.cursor, 1)];
    }
  }

  /** Shows the board of a place. */
  show({ position, line, frame }: BoardPlace): void {
    this.cursor = offsetAt(this.document.state.doc, position);
    if (frame === 'next' && this.shown.board && contains(this.shown.board.range, position)) {
      return void this.step('next');
    }
    this.shown.requested = { line, frame: frame === 'next' ? 1 : frame };
    this.scheduleRefresh();
  }

  private text(): PageText {
    return new PageText(this.document, Math.min(this.cursor, this.document.state.doc.length));
  }

  /** The text, with the cursor in the puzzle whose board is drawn. */
  private drawnText(): PageText {
    return this.drawn ? new PageText(this.document, this.drawn.cursor) : this.text();
  }

  /**
   * Lends the frame to another part of the page, or takes it back. Nothing is shown in a frame that is lent but what is posted.
   * `said` stands beside the frame already: no caption says the same.
   */
  lend(guest: ((message: FromPage) => void) | undefined, said = ''): void {
    this.guest = guest;
    this.said = said;
    this.pending.abort();
    this.shown.mode = 'view';
    this.shown.requested = {};
    this.scheduleRefresh();
  }

  post(message: ToPage): void {
    this.frame.contentWindow?.postMessage(message, location.origin);
  }

  private scheduleRefresh(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refresh(false);
    }, REFRESH_DELAY);
  }

  private async refresh(wait: boolean): Promise<void> {
    if (!this.isReady || this.guest) {
      return;
    }
    this.pending.abort();
    const pending = (this.pending = new AbortController());
    const { at: position } = this.text();
    const { cursor } = this;
    const board = await this.document.ask<Board | null>('cpz/board', { position, ...this.shown.params, wait }, pending.signal);
    if (board === undefined || pending.signal.aborted) {
      // The text changed: its change asks again.
      return;
    }
    this.shown.board = board ?? undefined;
    this.decorate();
    if (!board) {
      const isEmpty = !/\S/.test(this.document.state.sliceDoc(0, 10_000));
      const empty = isEmpty ? 'Type a puzzle, or begin with a template:' : 'There is no puzzle at the cursor, or cpz does not know its game.';
      return this.post({ empty, offersNew: isEmpty });
    }
    const { doc } = this.document.state;
    this.drawn = { version: board.version, from: offsetAt(doc, board.range.start), to: offsetAt(doc, board.range.end), cursor, isSame: true };
    const shown = boardInWords(board);
    // A blank keeps its line, so that the board stays in its place.
    const caption = shown.caption && this.said.startsWith(`${shown.caption}.`) ? '\u00a0' : shown.caption;
    this.post({ board: { ...shown, caption }, mode: this.shown.mode });
    if (!board.whole && !wait) {
      await this.refresh(true);
    }
  }

  /** Marks the shown step in the text. */
  private decorate(): void {
    const { board, requested } = this.shown;
    const range = board?.step;
    const view = this.document.editor;
    const effects: StateEffect<unknown>[] = [setStep.of(range ? { range, isWrong: !!board?.failed } : null)];
    if (range && requested.frame !== undefined) {
      effects.push(EditorView.scrollIntoView(offsetAt(view.state.doc, range.start), { y: 'nearest', yMargin: 40 }));
    }
    view.dispatch({ effects });
  }

  private async step(to: 'first' | 'previous' | 'next' | 'last'): Promise<void> {
    if (this.shown.isLast(to)) {
      this.post({ notice: 'That was the last step.' });
    }
    if (this.shown.step(to)) {
      await this.refresh(true);
    }
  }

  private async onMessage(message: FromPage): Promise<void> {
    const { shown, guest } = this;
    this.isReady = true;
    if (guest) {
      return guest(message);
    }
    switch (message.kind) {
      case 'ready':
        return this.refresh(false);
      case 'step':
        return this.step(message.step);
      case 'line':
        shown.requested = { line: message.line, frame: 0 };
        return this.refresh(true);
      case 'choose':
        return shown.choose(message.choice) ? this.refresh(true) : undefined;
      case 'chooseNext':
        return shown.chooseNext(message.by) ? this.refresh(true) : undefined;
      case 'query': {
        const range = shown.board?.queries[message.query]?.range;
        return range && this.select({ start: range.start, end: range.start }, true);
      }
      case 'trouble': {
        const trouble = shown.board?.trouble;
        this.host.showText();
        return trouble ? this.select(trouble, true) : undefined;
      }
      case 'layout':
        shown.across = message.across;
        return this.refresh(false);
      case 'hint':
        return this.hint();
      case 'newPuzzle':
        return this.host.newPuzzle();
      case 'square':
        return this.square(message.square);
      case 'mode':
        shown.mode = message.mode;
        shown.requested = {};
        return this.refresh(false);
      case 'gesture': {
        const offset = await this.edits.edit(this.drawnText(), message.version, message.gesture);
        if (offset !== undefined) {
          this.cursor = offset;
          this.scheduleRefresh();
        }
        return;
      }
      case 'targets':
        return this.edits.targets(this.drawnText(), message.square);
      case 'undo':
        (message.redo ? redo : undo)(this.document.editor);
        return;
      case 'picture':
        return message.copied ? this.host.tell('The picture is in the clipboard.') : this.copyText(message.svg, 'The picture, as SVG');
    }
  }

  /** Shows a hint below the board; asked again for the same puzzle, one that gives away more. */
  private async hint(): Promise<void> {
    const { board } = this.shown;
    if (board) {
      const { line, character } = board.range.start;
      const notice = await this.hints.next(`${this.document.version} ${line}:${character}`);
      this.post({ notice: notice ? sentenceOf(notice) : 'There is no hint for this puzzle.' });
    }
  }

  /** The entries of the menu that copy the board. */
  copies(): MenuItem[] {
    const { board } = this.shown;
    if (!board) {
      return [];
    }
    const { fen, text } = board;
    return [
      { label: 'Copy as a picture', run: () => this.post({ copyPicture: true }) },
      ...(fen ? [{ label: board.game === 'draughts' ? 'Copy as PDN' : 'Copy as FEN', run: () => void this.copyText(fen, 'The position') }] : []),
      ...(text ? [{ label: 'Copy as text', run: () => void this.copyText(text, 'The board as text') }] : []),
    ];
  }

  private async copyText(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      this.host.tell(`${what} is in the clipboard.`);
    } catch {
      showToCopy('Copy this', text);
    }
  }

  /** Selects a square's cell or entry in the text. */
  private async square(square: string): Promise<void> {
    const found = await this.document.ask<Range | null>('cpz/square', { position: this.text().at, square });
    if (found) {
      this.select(found, false);
    } else if (found === null) {
      this.post({ notice: `${square} is empty: the text has nothing to select for it.` });
    }
  }

  private select({ start, end }: Range, follow: boolean): void {
    const view = this.document.editor;
    const selection = { anchor: offsetAt(view.state.doc, start), head: offsetAt(view.state.doc, end) };
    // The board must not follow this selection, unless the user chose another query.
    this.isOwnSelection = !follow;
    view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: 'nearest', yMargin: 40 }) });
    this.isOwnSelection = false;
  }
}

function contains({ start, end }: Range, { line }: Position): boolean {
  return line >= start.line && line <= end.line;
}
