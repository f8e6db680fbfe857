// Places in a text: offsets of the editor, positions of the protocol.
import type { ChangeSet, ChangeSpec, Text } from '@codemirror/state';
import type { Position, Range, TextEdit } from '../lsp/types';

export function positionAt(doc: Text, offset: number): Position {
  const line = doc.lineAt(offset);
  return { line: line.number - 1, character: offset - line.from };
}

/** The offset of a position; of the nearest place if the text has no such position. */
export function offsetAt(doc: Text, { line, character }: Position): number {
  if (line >= doc.lines) {
    return doc.length;
  }
  const found = doc.line(Math.max(0, line) + 1);
  return Math.min(found.from + Math.max(0, character), found.to);
}

export function rangeOf(doc: Text, from: number, to: number): Range {
  return { start: positionAt(doc, from), end: positionAt(doc, to) };
}

/** The edits of the server as changes of the editor. */
export function changesOf(doc: Text, edits: readonly TextEdit[]): ChangeSpec[] {
  return edits.map(({ range, newText }) => ({ from: offsetAt(doc, range.start), to: offsetAt(doc, range.end), insert: newText }));
}

/** Changes of the editor for the server, the last first: each is in coordinates of the text before all of them. */
export function contentChanges(before: Text, changes: ChangeSet): { range: Range; text: string }[] {
  const found: { range: Range; text: string }[] = [];
  changes.iterChanges((from, to, _fromNew, _toNew, inserted) => {
    found.push({ range: rangeOf(before, from, to), text: inserted.toString() });
  });
  return found.reverse();
}
