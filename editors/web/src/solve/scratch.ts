// A text of one puzzle without its answer, in a server of its own: moves that are tried are written there, so that the server
// says whether they are legal and right, and the reader's text stays as it is.
import { ChangeSet, Text } from '@codemirror/state';
import type { Connection } from '../../../worker/connection';
import type { Board, EditResult, Mode } from '../../../board/protocol';
import { changesOf, offsetAt, positionAt } from '../editor/positions';
import { INITIALIZE } from '../lsp/capabilities';
import { LanguageClient } from '../lsp/client';
import type { Position } from '../lsp/types';

const URI = 'untitled:solving.cpz';

/** A move on a board, and which of several with its squares. */
export interface Move {
  from: string;
  to: string;
  choice?: string;
}

export class Scratch {
  private readonly client: LanguageClient;
  private doc = Text.empty;
  /** The offset of the question that is solved. */
  private at = 0;
  version = 0;

  constructor(connection: Connection, onFailure: (why: string) => void) {
    this.client = new LanguageClient(connection);
    this.client.onFailure = onFailure;
    void this.client.start(INITIALIZE).catch(() => undefined);
  }

  /** Shows a text, and says where its question is. */
  set(text: string, at: number): void {
    this.doc = Text.of(text.split('\n'));
    this.at = at;
    this.version++;
    if (this.version === 1) {
      return this.client.notify('textDocument/didOpen', { textDocument: { uri: URI, languageId: 'cpz', version: 1, text } });
    }
    this.client.notify('textDocument/didChange', { textDocument: { uri: URI, version: this.version }, contentChanges: [{ text }] });
  }

  get text(): string {
    return this.doc.toString();
  }

  /** The place of the question. Edits are behind it. */
  get position(): Position {
    return positionAt(this.doc, this.at);
  }

  /** The board after the moves; undefined if the text has changed meanwhile. With `wait`, the verdict on it may take a search. */
  board(mode: Exclude<Mode, 'view'>, more: { wait?: boolean; across?: number } = {}): Promise<Board | null | undefined> {
    return this.ask<Board | null>('cpz/board', { mode, wait: false, ...more });
  }

  /** What a move would come to. */
  move(move: Move): Promise<EditResult | null | undefined> {
    return this.ask<EditResult | null>('cpz/edit', { gesture: { kind: 'record', ...move } });
  }

  /** Writes a move that was tried. */
  write({ edits }: EditResult): void {
    const changed = ChangeSet.of(changesOf(this.doc, edits), this.doc.length).apply(this.doc);
    const at = offsetAt(this.doc, this.position);
    this.set(changed.toString(), at);
  }

  /** Takes back what was written since the text was this one. */
  goBack(text: string): void {
    this.set(text, this.at);
  }

  /** The squares that the piece on a square can go to. */
  async targets(square: string): Promise<string[]> {
    return (await this.ask<{ targets: string[] } | null>('cpz/targets', { square }))?.targets ?? [];
  }

  private async ask<R>(method: string, params: object): Promise<R | undefined> {
    const { version } = this;
    try {
      const found = await this.client.request<R>(method, { textDocument: { uri: URI, version }, position: this.position, ...params });
      return version === this.version ? found : undefined;
    } catch {
      return undefined;
    }
  }
}
