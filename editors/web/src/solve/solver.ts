// The mode for people who solve: one puzzle, its board, and nothing that gives the answer away. Moves are tried on the board
// and never written into the text.
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { Connection } from '../../../worker/connection';
import type { Board, FromPage, HintResult } from '../../../board/protocol';
import { Hints } from '../../../board/hints';
import type { BoardPanel } from '../board/panel';
import type { SyncedDocument } from '../editor/document';
import { positionAt } from '../editor/positions';
import { boardInWords, sentenceOf } from '../words';
import { answersIn, copyWithout, type Cut, type Puzzle, puzzlesOf, type Question } from './answers';
import { type Asked, Attempt, hasMoves, hasOwnLine, isForBoth, isTree, lineFrom, type Tried, withoutAnswer } from './attempt';
import { Scratch } from './scratch';
import { SolutionTree } from './tree';
import { SolveView } from './view';

export interface SolverHost {
  /** A connection to a server that knows no text. */
  connect(): Connection & { dispose?(): void };
  /** Is called when the mode begins and ends. */
  onChange(isSolving: boolean): void;
}

export class Solver {
  private readonly view: SolveView;
  private scratch: Scratch | undefined;
  private connection: ReturnType<SolverHost['connect']> | undefined;
  private puzzles: Puzzle[] = [];
  /** All puzzles of the text, with those that ask nothing. */
  private all: { from: number; to: number }[] = [];
  private puzzle = 0;
  private question = 0;
  private asked: Asked = { game: '', label: '', main: '' };
  private attempt: Attempt | undefined;
  private tree: SolutionTree | undefined;
  /** The scratch text before the first move, and where its question is. */
  private start = { text: '', at: 0 };
  /** Counts the attempts: what belongs to an earlier one is ignored. */
  private run = 0;
  private across: number | undefined;
  private readonly solved = new Set<number>();
  private isSolutionShown = false;
  /** Why there is no server, if there is none. */
  private failure: string | undefined;
  private readonly hints = new Hints((grade) => this.hintOf(grade));

  constructor(
    private readonly document: SyncedDocument,
    private readonly panel: BoardPanel,
    private readonly host: SolverHost,
  ) {
    this.view = new SolveView({
      hint: () => void this.hint(),
      again: () => void this.begin(),
      solution: () => (this.isSolutionShown ? void this.begin() : this.showSolution()),
      puzzle: (number) => void this.go(number),
      ask: (number) => void this.go(this.puzzle, number),
    });
  }

  isOn = false;
  private readonly reading = new Compartment();

  /** Keeps the text as it is while the mode is on. */
  get extension(): Extension {
    return [
      this.reading.of(EditorState.readOnly.of(this.isOn)),
      EditorView.updateListener.of(({ docChanged }) => docChanged && this.changed()),
    ];
  }

  private keepText(isKept: boolean): void {
    this.document.attached?.dispatch({ effects: this.reading.reconfigure(EditorState.readOnly.of(isKept)) });
  }

  toggle(): void {
    if (this.isOn) {
      this.leave();
    } else {
      this.enter();
    }
  }

  /** Hides the text and its answers at once, and asks for the puzzle at the cursor. */
  enter(): void {
    if (this.isOn) {
      return void this.load();
    }
    this.isOn = true;
    this.keepText(true);
    this.view.show(true);
    this.host.onChange(true);
    void this.load();
  }

  leave(): void {
    if (!this.isOn) {
      return;
    }
    this.isOn = false;
    this.keepText(false);
    this.run++;
    this.attempt = this.tree = undefined;
    this.solved.clear();
    this.connection?.dispose?.();
    this.connection = this.scratch = undefined;
    this.view.show(false);
    this.panel.lend(undefined);
    this.host.onChange(false);
  }

  /** Another text is shown. */
  private changed(): void {
    if (this.isOn) {
      this.solved.clear();
      // The change is sent by another listener.
      queueMicrotask(() => void this.load());
    }
  }

  /** Notes that there is no server. */
  fail(why: string): void {
    this.failure = why;
    if (this.isOn) {
      this.view.empty(`Nothing can be solved here: ${sentenceOf(why)}`);
    }
  }

  /** Takes the frame of the board, and what the last puzzle has shown in it. */
  private takeFrame(): void {
    this.isSolutionShown = false;
    this.panel.lend((message) => void this.onMessage(message));
  }

  /** Reads the puzzles of the text. */
  private async load(): Promise<void> {
    const run = ++this.run;
    this.takeFrame();
    this.attempt = undefined;
    this.view.wait();
    if (this.failure !== undefined) {
      return this.fail(this.failure);
    }
    const found = await puzzlesOf(this.document);
    if (run !== this.run || !found) {
      // A change of the text asks again.
      return;
    }
    this.puzzles = found.asking;
    this.all = found.all;
    const { head } = this.document.state.selection.main;
    const at = this.puzzles.findIndex(({ to }) => head <= to);
    await this.go(at < 0 ? this.puzzles.length - 1 : at);
  }

  private async go(puzzle: number, question?: number): Promise<void> {
    const chosen = this.puzzles[puzzle];
    if (!chosen) {
      this.panel.post({ empty: '' });
      return this.view.empty('There is no puzzle to solve in this text. Stop solving to write one.');
    }
    const first = chosen.questions.findIndex(({ label }) => hasMoves(label));
    this.puzzle = puzzle;
    this.question = question ?? Math.max(0, first);
    // The puzzle is that of the text, too: the sheet, the menu and the end of the mode know where the reader is.
    this.document.editor.dispatch({ selection: { anchor: this.asking.from } });
    await this.begin();
  }

  private get asking(): Question {
    return this.puzzles[this.puzzle]?.questions[this.question] ?? { label: '', from: 0, to: 0 };
  }

  /** Begins an attempt at the question. */
  private async begin(): Promise<void> {
    const run = ++this.run;
    const isCurrent = () => run === this.run;
    this.attempt = undefined;
    const [puzzle, asking] = [this.puzzles[this.puzzle], this.asking];
    if (!puzzle) {
      return;
    }
    this.takeFrame();
    const answers = await answersIn(this.document, puzzle.from, puzzle.to, puzzle.questions);
    if (!answers || !isCurrent()) {
      return;
    }
    // The properties that hold for all puzzles stay; the other puzzles go, which would be duplicates and cost time.
    const others = this.all.filter(({ to }) => to <= puzzle.from).map(({ from, to }): Cut => ({ from, to, insert: '\n' }));
    const { text, moved } = copyWithout(this.document.state.doc, [...others, ...answers.cuts], puzzle.to);
    const at = moved(asking.from);
    // Record writes the tree of a problem, and takes its key and mates alone. What is tried is a line, before the question.
    this.start = { text: isTree(asking.label) ? `${text.slice(0, at)}line\n  ${text.slice(at)}` : text, at };
    this.connection ??= this.host.connect();
    this.scratch ??= new Scratch(this.connection, (why) => this.view.say('trouble', `Nothing can be tried: ${sentenceOf(why)}`));
    this.scratch.set(this.start.text, this.start.at);
    const position = positionAt(this.document.state.doc, asking.from);
    this.tree = new SolutionTree((picture) => this.document.ask<Board | null>('cpz/board', { position, ...picture, wait: true }));
    const asks = hasMoves(asking.label);
    const board = await this.scratch.board(asks ? 'record' : 'edit', { across: this.across });
    if (!board || !isCurrent()) {
      return;
    }
    const main = puzzle.questions.find(({ label }) => hasMoves(label) && !label.startsWith('twin '))?.label ?? '';
    this.asked = { game: board.game, label: asking.label, main };
    this.view.begin({ names: this.puzzles.map(({ name }) => name), puzzle: this.puzzle, solved: this.solved, questions: puzzle.questions.map(({ label }) => label), question: this.question });
    this.panel.post({ edited: {} });
    let refused = asks ? sentenceOf(board.touch?.refused ?? '') : undefined;
    if (refused === '' && hasOwnLine(this.asked)) {
      // Which side begins, the solution says; until it is found, the board is shown.
      this.view.ask(taskOf(this.asked, board), 'The page looks for the solution, to know whether your moves are right…');
      await this.draw(isCurrent, board);
      const first = await this.tree.first();
      if (!isCurrent()) {
        return;
      }
      if (first && board.fen) {
        const { text: line, at } = lineFrom(board.fen, first.piece);
        this.scratch.set(line, at);
      } else {
        refused = 'its solution is not known';
      }
    }
    this.attempt = new Attempt(this.scratch, this.tree, this.asked, refused === '', isCurrent);
    const why = refused === '' ? undefined : refused === undefined || board.game === 'chess3d' ? 'Decide, then look at the solution.' : `It cannot be tried here: ${refused}.`;
    this.view.ask(taskOf(this.asked, board), why);
    await this.draw(isCurrent);
    // What a problem asks in a sentence may take a search.
    const sentence = await this.tree.sentence();
    if (sentence && isCurrent()) {
      this.view.ask(`${sentence}.${forBoth(this.asked)}`, why);
    }
  }

  /** Shows the position of the attempt, or a board. */
  private async draw(isCurrent: () => boolean, still?: Board): Promise<void> {
    const board = still ? withoutAnswer(still) : await this.attempt?.board(this.across);
    if (board && isCurrent() && !this.isSolutionShown) {
      this.panel.post({ board: boardInWords(board), mode: !still && this.attempt?.isPlayable && !this.attempt.isSolved ? 'record' : 'view' });
    }
  }

  private async onMessage(message: FromPage): Promise<void> {
    const { run } = this;
    const isCurrent = () => run === this.run;
    switch (message.kind) {
      case 'ready':
        this.view.dressFrame();
        return this.draw(isCurrent);
      case 'layout':
        this.across = message.across;
        return this.draw(isCurrent);
      case 'targets':
        return this.panel.post({ targets: (await this.attempt?.targets(message.square)) ?? [], from: message.square });
      case 'gesture':
        return message.gesture.kind === 'record' ? this.try(message.gesture, message.version) : undefined;
    }
  }

  private async try({ from, to, choice }: { from: string; to: string; choice?: string }, version: number | null): Promise<void> {
    const { run, attempt, scratch } = this;
    if (!attempt || version !== scratch?.version) {
      return this.panel.post({ edited: { refused: 'The position has changed since; make the move again.' } });
    }
    this.view.busy(true);
    const tried = await attempt.try({ from, to, choice });
    if (run !== this.run) {
      return;
    }
    this.view.busy(false);
    if (tried.kind === 'choose') {
      this.view.say('nothing', 'Several moves are possible: choose one below the board.');
      return this.panel.post({ edited: { choices: tried.choices, version } });
    }
    this.tell(tried);
    if (attempt.isSolved) {
      this.solved.add(this.puzzle);
    }
    this.view.moved(attempt.moves, attempt.isSolved, this.solved);
    this.panel.post({ edited: {} });
    await this.draw(() => run === this.run);
  }

  /** Says what became of a move. */
  private tell(tried: Tried): void {
    switch (tried.kind) {
      case 'illegal':
        return this.view.say('illegal', tried.words);
      case 'wrong':
        return this.view.say('wrong', `${tried.words} Try another move.`);
      case 'jump':
        return this.view.say('legal', `${tried.move}: the capture goes on from there.`);
      case 'legal':
        return this.view.say('legal', `${tried.move} is legal. Whether it is right, the end will show.`);
      case 'right':
        return this.view.say('right', `${tried.move} is right.${tried.reply === undefined ? ' Go on.' : ` The reply is ${tried.reply}. Go on.`}`);
      case 'solved':
        return this.view.say('solved', `${tried.move}${tried.reply === undefined ? '' : ` ${tried.reply}`}: solved!`);
      default:
    }
  }

  // ---- Hints and the solution

  private async hint(): Promise<void> {
    const { run, attempt } = this;
    const notice = await this.hints.next(`${this.document.version} ${this.puzzle} ${this.question} ${attempt?.state}`);
    if (run === this.run) {
      const words = notice ? sentenceOf(notice) : 'There is no hint for this puzzle.';
      this.view.say('hint', words.charAt(0).toUpperCase() + words.slice(1));
    }
  }

  /** The author's own hints and those of the server are for the first move of the first question. */
  private async hintOf(grade: number): Promise<HintResult | null | undefined> {
    const { attempt, asked } = this;
    if (attempt && !attempt.state && !asked.label.startsWith('twin ') && asked.label !== 'line') {
      const position = positionAt(this.document.state.doc, this.asking.from);
      return this.document.ask<HintResult | null>('cpz/hint', { position, grade });
    }
    return attempt?.hint(grade);
  }

  /** Shows the solution of this question, step by step, on the board. */
  private showSolution(): void {
    this.run++;
    this.isSolutionShown = true;
    this.view.solution();
    this.panel.lend(undefined, this.view.task);
    this.panel.show({ position: positionAt(this.document.state.doc, this.asking.from), line: 0, frame: 0 });
  }
}

const forBoth = (asked: Asked) => (isForBoth(asked) ? ' You move for both sides.' : '');

/** What is asked, in words. */
function taskOf(asked: Asked, { fen }: Board): string {
  const { game, label } = asked;
  const black = game === 'draughts' ? fen?.startsWith('B') : fen?.split(' ')[1] === 'b';
  const side = fen && game !== 'chess3d' && !isForBoth(asked) ? `${black ? 'Black' : 'White'} to move: ` : '';
  if (game === 'solitaire' && label === 'solve') {
    return 'Every move captures. One piece must remain.';
  }
  if (label === 'capture') {
    return `${side}capture, jump by jump.`;
  }
  if (label === 'count') {
    return 'How many solutions are there?';
  }
  if (label === 'mate') {
    return side ? `${side}is this checkmate?` : 'Is this checkmate?';
  }
  if (label.startsWith('move ')) {
    return `${side}is ${label.slice(5)} legal?`;
  }
  if (label === 'line') {
    return `${side}find the moves.`;
  }
  return `${side}${label}.${forBoth(asked)}`;
}
