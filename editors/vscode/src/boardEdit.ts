// What is done on the board of the panel: the server makes edits for one version of the text, which are applied to it.
import * as vscode from 'vscode';
import { plain } from './notices';
import type { EditResult, Gesture, Range, ToPage } from './protocol';
import type { Server } from './server';

/** A document and a place in the puzzle whose board is shown. */
export interface BoardCursor {
  document: vscode.TextDocument;
  at: vscode.Position;
}

const STALE = 'The text has changed since; nothing was done.';

export class BoardEditor {
  /** Whether a gesture is being carried out: the next one has to wait. */
  private busy = false;

  constructor(
    private readonly server: Server,
    private readonly post: (message: ToPage) => void,
  ) {}

  /**
   * Carries out a gesture on the board of a version of the text, and tells the page what became of it. Returns the cursor
   * behind the edit.
   */
  async edit(cursor: BoardCursor | undefined, version: number | null, gesture: Gesture): Promise<BoardCursor | undefined> {
    if (!cursor || this.busy) {
      this.post({ edited: { refused: 'The last change is not finished yet.' } });
      return undefined;
    }
    this.busy = true;
    try {
      return await this.apply(cursor, version, gesture);
    } finally {
      this.busy = false;
    }
  }

  private async apply(cursor: BoardCursor, version: number | null, gesture: Gesture): Promise<BoardCursor | undefined> {
    const { document, at } = cursor;
    const client = this.server.running;
    if (!client || document.version !== version) {
      this.post({ edited: { refused: client ? STALE : 'The server is not running.' } });
      return undefined;
    }
    let result: EditResult | null;
    try {
      const textDocument = { uri: document.uri.toString(), version };
      const position = { line: at.line, character: at.character };
      result = await client.sendRequest<EditResult | null>('cpz/edit', { textDocument, position, gesture });
    } catch {
      result = null;
    }
    if (!result || document.version !== version) {
      this.post({ edited: { refused: STALE } });
      return undefined;
    }
    const { edits, words, verdict, refused, choices } = result;
    if (refused || choices.length || !edits.length) {
      this.post({ edited: { refused: refused ? plain(refused) : undefined, choices, words, version } });
      return undefined;
    }
    const offset = moved(document, document.offsetAt(at), edits);
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      edits.map(({ range, newText }) => new vscode.TextEdit(toRange(range), newText)),
    );
    // VS Code refuses the edit if the text of this version has changed.
    const applied = await vscode.workspace.applyEdit(edit);
    if (!applied) {
      this.post({ edited: { refused: STALE } });
      return undefined;
    }
    this.post({ edited: { words, verdict: plain(verdict), version: document.version } });
    return { document, at: document.positionAt(offset) };
  }

  /** The squares that the piece on a square can go to as a recorded move. */
  async targets(cursor: BoardCursor | undefined, square: string): Promise<void> {
    if (!cursor) {
      return;
    }
    const { document, at } = cursor;
    const params = { textDocument: { uri: document.uri.toString() }, position: { line: at.line, character: at.character }, square };
    try {
      const found = await this.server.running?.sendRequest<{ targets: string[]; refused: string | null } | null>('cpz/targets', params);
      this.post({ targets: found?.targets ?? [], from: square });
    } catch {
      // The text changed; the square refers to an old board.
    }
  }
}

/** Where an offset is after edits of the text before it. */
function moved(document: vscode.TextDocument, offset: number, edits: EditResult['edits']): number {
  let shift = 0;
  for (const { range, newText } of edits) {
    const [start, end] = [document.offsetAt(toRange(range).start), document.offsetAt(toRange(range).end)];
    if (end <= offset && start < offset) {
      shift += newText.length - (end - start);
    } else if (start < offset) {
      shift += start - offset;
    }
  }
  return Math.max(0, offset + shift);
}

function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
