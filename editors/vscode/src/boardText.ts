// A document as the text of a board.
import * as vscode from 'vscode';
import type { BoardText as Text } from '../../board/edit';
import type { EditResult, Range } from '../../board/protocol';

export class BoardText implements Text {
  readonly uri: string;
  readonly version: number;

  constructor(
    readonly document: vscode.TextDocument,
    readonly at: vscode.Position,
  ) {
    this.uri = document.uri.toString();
    this.version = document.version;
  }

  offsetAt({ line, character }: Range['start']): number {
    return this.document.offsetAt(new vscode.Position(line, character));
  }

  async apply(edits: EditResult['edits']): Promise<number | undefined> {
    const { document } = this;
    const edit = new vscode.WorkspaceEdit();
    edit.set(
      document.uri,
      edits.map(({ range, newText }) => new vscode.TextEdit(toRange(range), newText)),
    );
    // VS Code refuses the edit if the text of this version has changed.
    return (await vscode.workspace.applyEdit(edit)) ? document.version : undefined;
  }
}

function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
