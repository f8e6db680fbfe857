// Where the puzzles of the text and their written answers are, as the server reads them.
import type { Text } from '@codemirror/state';
import type { SyncedDocument } from '../editor/document';
import { COMMENT, type ColouredToken, OPERATOR, tokensOf } from '../editor/highlighting';
import { offsetAt, rangeOf } from '../editor/positions';
import type { DocumentSymbol } from '../lsp/types';

/** What a puzzle asks, by its offsets. The answer is within them, behind the words of the question. */
export interface Question {
  label: string;
  from: number;
  to: number;
}

/** A puzzle that asks something. */
export interface Puzzle {
  name: string;
  from: number;
  to: number;
  questions: Question[];
}

/** A part of the text that a copy does not have, and what the copy has there. */
export interface Cut {
  from: number;
  to: number;
  insert: string;
}

/** `SymbolKind` of the protocol: a puzzle is a class with methods. */
const METHOD = 6;

/** The puzzles of a text that ask something, and the ranges of all. */
export interface Puzzles {
  asking: Puzzle[];
  all: { from: number; to: number }[];
}

/** The puzzles of the text; undefined if the text has changed meanwhile. */
export async function puzzlesOf(document: SyncedDocument): Promise<Puzzles | undefined> {
  const symbols = await document.ask<DocumentSymbol[] | null>('textDocument/documentSymbol');
  if (symbols === undefined) {
    return undefined;
  }
  const { doc } = document.state;
  const span = ({ range: { start, end } }: DocumentSymbol) => ({ from: offsetAt(doc, start), to: offsetAt(doc, end) });
  const puzzle = (symbol: DocumentSymbol): Puzzle => {
    const questions = (symbol.children ?? []).filter(({ kind }) => kind === METHOD);
    return { name: symbol.name, ...span(symbol), questions: questions.map((question) => ({ label: question.name, ...span(question) })) };
  };
  const all = (symbols ?? []).map(puzzle);
  return { asking: all.filter(({ questions }) => questions.length), all };
}

/** The most puzzles that the server lists. */
const MAX_PUZZLES = 5_000;

/** The puzzle at an offset, or the next one, or else the last one; undefined if that asks nothing, or is not listed. */
export function puzzleAt({ asking, all }: Puzzles, offset: number): Puzzle | undefined {
  if (all.length >= MAX_PUZZLES && offset > (all.at(-1)?.to ?? 0)) {
    return undefined;
  }
  const { from } = all.find(({ to }) => offset <= to) ?? all.at(-1) ?? {};
  return asking.find((puzzle) => puzzle.from === from);
}

/** Where the answers of questions are: from the arrow to the end, with a remark behind it. */
export interface Answers {
  cuts: Cut[];
  /** The offset of the first arrow that belongs to no question: the end of its answer is not known. */
  stray?: number;
}

/** The most tokens that the server gives in one answer. */
const MAX_TOKENS = 100_000;

/** The tokens from one offset to another; undefined if the text has changed meanwhile. */
async function tokensIn(document: SyncedDocument, from: number, to: number): Promise<ColouredToken[] | undefined> {
  const { doc } = document.state;
  const tokens: ColouredToken[] = [];
  for (let start = from; ; ) {
    const found = await document.ask<{ data: number[] } | null>('textDocument/semanticTokens/range', { range: rangeOf(doc, start, to) });
    if (found === undefined) {
      return undefined;
    }
    const more = tokensOf(doc, found?.data ?? []);
    tokens.push(...more.filter((token) => token.from >= start && token.to <= to));
    const last = tokens.at(-1);
    if (more.length < MAX_TOKENS || !last || last.to <= start) {
      return tokens;
    }
    start = last.to;
  }
}

/** The written answers of questions, which are in order, from one offset to another; undefined if the text has changed meanwhile. */
export async function answersIn(document: SyncedDocument, from: number, to: number, questions: readonly Question[]): Promise<Answers | undefined> {
  const { doc } = document.state;
  const tokens = await tokensIn(document, from, to);
  if (!tokens) {
    return undefined;
  }
  const answers: Answers = { cuts: [] };
  let [at, cut] = [0, 0];
  for (const [n, { from: arrow, to: end, type }] of tokens.entries()) {
    if (type !== OPERATOR || arrow < cut) {
      continue;
    }
    while ((questions[at]?.to ?? Infinity) < end) {
      at++;
    }
    const question = questions[at];
    if (!question || question.from > arrow) {
      answers.stray ??= arrow;
    } else {
      cut = endWithRemark(doc, tokens, n, question.to);
      answers.cuts.push(cutOf(doc, arrow, cut));
    }
  }
  return answers;
}

/** The end of an answer with the remark behind it; `n` is the token of the arrow. Comments are no remarks. */
function endWithRemark(doc: Text, tokens: readonly ColouredToken[], n: number, end: number): number {
  let next = n;
  while ((tokens[next]?.from ?? end) < end) {
    next++;
  }
  const remark = tokens[next];
  const isRemark = remark?.type === COMMENT && !doc.sliceString(end, remark.from).trim() && doc.sliceString(remark.from, remark.from + 2) !== '//';
  return isRemark ? remark.to : end;
}

/** The answer from an arrow to its end, with the blanks before it; words on both sides stay apart. */
function cutOf(doc: Text, arrow: number, to: number): Cut {
  const line = doc.lineAt(arrow);
  const before = doc.sliceString(line.from, arrow);
  const from = arrow - (before.length - before.trimEnd().length);
  const [last, next] = [doc.sliceString(from - 1, from), doc.sliceString(to, to + 1)];
  return { from, to, insert: /\S/.test(last) && /\S/.test(next) ? ' ' : '' };
}

/** A part of a text without some parts of it, which are in order, and what becomes of its offsets. */
export function copyWithout(doc: Text, cuts: readonly Cut[], end = doc.length): { text: string; moved: (offset: number) => number } {
  let [text, at] = ['', 0];
  for (const { from, to, insert } of cuts) {
    text += doc.sliceString(at, from) + insert;
    at = to;
  }
  text += doc.sliceString(at, end);
  const moved = (offset: number) => {
    const before = cuts.filter(({ to }) => to <= offset);
    return before.reduce((moving, { from, to, insert }) => moving + insert.length - (to - from), offset);
  };
  return { text, moved };
}

/**
 * The text of one puzzle without some parts of it: before it stands what holds for all puzzles, and the comment right above it.
 * Other comments may be about other puzzles. Undefined if the text has changed meanwhile.
 */
export async function copyAlone(document: SyncedDocument, { all }: Puzzles, puzzle: Puzzle, cuts: readonly Cut[]): Promise<string | undefined> {
  const { doc } = document.state;
  const tokens = await tokensIn(document, 0, puzzle.from);
  if (!tokens) {
    return undefined;
  }
  let first = doc.lineAt(puzzle.from);
  while (first.number > 1 && doc.line(first.number - 1).text.trimStart().startsWith('//')) {
    first = doc.line(first.number - 1);
  }
  const others = all.filter(({ to }) => to <= puzzle.from).map(({ from, to }): Cut => ({ from, to, insert: '\n' }));
  // A puzzle may begin on the line on which another ends.
  const at = Math.max(first.from, others.at(-1)?.to ?? 0);
  const isOutside = ({ from, to }: { from: number; to: number }) => to <= at && !others.some((other) => from >= other.from && to <= other.to);
  const comments = tokens.filter((token) => token.type === COMMENT && isOutside(token)).map(({ from, to }): Cut => ({ from, to, insert: '' }));
  const before = [...others, ...comments].sort((a, b) => a.from - b.from);
  const { text, moved } = copyWithout(doc, [...before, ...cuts], puzzle.to);
  const start = moved(at);
  const settings = text.slice(0, start).replace(/^\s*\n/gm, '').trimEnd();
  return `${settings && `${settings}\n\n`}${text.slice(start).trimStart()}\n`;
}

/** The text up to an offset, without the comments outside of puzzles, which divide it into parts; undefined if it has changed meanwhile. */
export async function copyInOnePart(document: SyncedDocument, puzzles: readonly { from: number; to: number }[], end: number): Promise<string | undefined> {
  const { doc } = document.state;
  const tokens = await tokensIn(document, 0, end);
  let at = 0;
  const outside = tokens?.filter(({ type, from, to }) => {
    while ((puzzles[at]?.to ?? Infinity) < from) {
      at++;
    }
    return type === COMMENT && to <= (puzzles[at]?.from ?? Infinity);
  });
  return outside && copyWithout(doc, outside.map(({ from, to }) => ({ from, to, insert: '' })), end).text;
}
