// What is done on a board: the server makes edits for one version of the text, which are applied to it.
import type { EditResult, Gesture, Range, ToPage } from './protocol';
import { plain } from './words';

type Position = Range['start'];

/** A text in an editor, and a place in the puzzle whose board is shown. */
export interface BoardText {
  readonly uri: string;
  readonly version: number;
  readonly at: Position;
  offsetAt(position: Position): number;
  /** Applies edits, unless the text of this version has changed since. Returns the new version. */
  apply(edits: EditResult['edits']): Promise<number | undefined>;
}

export interface EditHost<T extends BoardText> {
  /** Sends a request; undefined if there is no server. Fails if the server refuses it. */
  readonly request: (<R>(method: string, params: unknown) => Promise<R>) | undefined;
  post(message: ToPage): void;
  /** The text as it is now, for one of an earlier version. */
  current(text: T): T;
  /** Whether the puzzle whose board was drawn for a version is the same in the text as it is now. */
  isUnchanged?(version: number | null): boolean;
}

const STALE = 'The text has changed since; nothing was done.';

export class BoardEditor<T extends BoardText> {
  /** Whether a gesture is being carried out: the next one has to wait. */
  private busy = false;

  constructor(private readonly host: EditHost<T>) {}

  /**
   * Carries out a gesture on the board of a version of the text, and tells the page what became of it. Returns the offset
   * of the place behind the edit.
   */
  async edit(text: T | undefined, version: number | null, gesture: Gesture): Promise<number | undefined> {
    if (!text || this.busy) {
      this.host.post({ edited: { refused: 'The last change is not finished yet.' } });
      return undefined;
    }
    this.busy = true;
    try {
      return await this.apply(text, version, gesture);
    } finally {
      this.busy = false;
    }
  }

  private async apply(text: T, version: number | null, gesture: Gesture): Promise<number | undefined> {
    const { host } = this;
    const { request } = host;
    const isMeant = (now: T) => now.version === version || !!host.isUnchanged?.(version);
    if (!request || !isMeant(text)) {
      host.post({ edited: { refused: request ? STALE : 'The server is not running.' } });
      return undefined;
    }
    let result: EditResult | null;
    try {
      result = await request<EditResult | null>('cpz/edit', { textDocument: { uri: text.uri, version: text.version }, position: text.at, gesture });
    } catch {
      result = null;
    }
    const now = host.current(text);
    if (now.version !== text.version && isMeant(now)) {
      // The text has changed elsewhere, as by a key: the gesture means the same there.
      return this.apply(now, version, gesture);
    }
    if (!result || now.version !== text.version) {
      host.post({ edited: { refused: STALE } });
      return undefined;
    }
    const { edits, words, verdict, refused, choices } = result;
    if (refused || choices.length || !edits.length) {
      host.post({ edited: { refused: refused ? plain(refused) : undefined, choices, words, version: text.version } });
      return undefined;
    }
    const offset = moved(text, text.offsetAt(text.at), edits);
    const applied = await text.apply(edits);
    if (applied === undefined) {
      host.post({ edited: { refused: STALE } });
      return undefined;
    }
    host.post({ edited: { words, verdict: plain(verdict), version: applied } });
    return offset;
  }

  /** The squares that the piece on a square can go to as a recorded move. */
  async targets(text: T | undefined, square: string): Promise<void> {
    if (!text) {
      return;
    }
    const params = { textDocument: { uri: text.uri }, position: text.at, square };
    try {
      const found = await this.host.request?.<{ targets: string[] } | null>('cpz/targets', params);
      this.host.post({ targets: found?.targets ?? [], from: square });
    } catch {
      // The text changed; the square refers to an old board.
    }
  }
}

/** Where an offset is after edits of the text before it. */
function moved(text: BoardText, offset: number, edits: EditResult['edits']): number {
  let shift = 0;
  for (const { range, newText } of edits) {
    const [start, end] = [text.offsetAt(range.start), text.offsetAt(range.end)];
    if (end <= offset && start < offset) {
      shift += newText.length - (end - start);
    } else if (start < offset) {
      shift += start - offset;
    }
  }
  return Math.max(0, offset + shift);
}
