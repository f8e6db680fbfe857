// The panel beside the board in the mode for people who solve.
import { numbered } from '../../../board/words';
import { byId, element } from '../ui/elements';

/** What the panel can be asked for. */
export interface SolveCommands {
  hint(): void;
  again(): void;
  /** Shows the solution, or hides it. */
  solution(): void;
  /** Goes to a puzzle, or to a question of this one, by its number from 0. */
  puzzle(number: number): void;
  ask(number: number): void;
}

/** What is said about: it decides the mark before the words. */
export type Said = 'illegal' | 'wrong' | 'legal' | 'right' | 'solved' | 'hint' | 'trouble' | 'nothing' | 'begin';

const MARKS: Record<Said, string> = { illegal: '', wrong: '✗ ', legal: '', right: '✓ ', solved: '✓ ', hint: '', trouble: '', nothing: '', begin: '' };
/** How long a verdict may take before the panel says that it is being looked for, in milliseconds. */
const LATE = 300;

export class SolveView {
  private readonly panel = byId('solving');
  private readonly said = byId('solve-said');
  private readonly names = byId<HTMLSelectElement>('solve-puzzle');
  private readonly questions = byId<HTMLSelectElement>('solve-question');
  private late: ReturnType<typeof setTimeout> | undefined;
  private puzzle = 0;

  constructor(commands: SolveCommands) {
    const click = (id: string, run: () => void) => byId(id).addEventListener('click', run);
    click('solve-hint', commands.hint);
    click('solve-again', commands.again);
    click('solve-solution', commands.solution);
    click('solve-previous', () => this.puzzle > 0 && commands.puzzle(this.puzzle - 1));
    for (const next of ['solve-next', 'solve-continue']) {
      click(next, () => this.hasNext && commands.puzzle(this.puzzle + 1));
    }
    this.names.addEventListener('change', () => commands.puzzle(Number(this.names.value)));
    this.questions.addEventListener('change', () => commands.ask(Number(this.questions.value)));
  }

  private get hasNext(): boolean {
    return this.puzzle + 1 < this.names.options.length;
  }

  /** Shows the panel in place of the text. */
  show(isSolving: boolean): void {
    this.panel.hidden = !isSolving;
    document.body.classList.toggle('solving', isSolving);
    this.dressFrame();
  }

  /** Hides in the frame what belongs to writing. */
  dressFrame(isSolution = false): void {
    const page = byId<HTMLIFrameElement>('board').contentDocument?.body;
    const isSolving = !this.panel.hidden;
    page?.classList.toggle('solving', isSolving);
    page?.classList.toggle('solution', isSolving && isSolution);
  }

  /** The puzzles are being read. */
  wait(): void {
    this.say('nothing', 'Reading the puzzles…');
    this.offer([]);
  }

  /** There is nothing to solve. */
  empty(why: string): void {
    this.names.replaceChildren();
    byId('solve-choose').hidden = true;
    byId('solve-asked').hidden = true;
    byId('solve-task').textContent = '';
    byId('solve-moves').textContent = '';
    this.offer([]);
    this.say('nothing', why);
  }

  begin({ names, puzzle, solved, questions, question }: { names: readonly string[]; puzzle: number; solved: ReadonlySet<number>; questions: readonly string[]; question: number }): void {
    this.puzzle = puzzle;
    const labels = names.map((name, number) => `${number + 1}. ${name}`);
    if (this.names.options.length !== names.length || labels.some((label, number) => this.names.options[number]?.dataset.name !== label)) {
      this.names.replaceChildren(...labels.map((label, number) => option(label, number)));
    }
    this.names.value = `${puzzle}`;
    this.mark(solved);
    this.questions.replaceChildren(...numbered(questions).map(option));
    this.questions.value = `${question}`;
    byId('solve-choose').hidden = false;
    byId('solve-asked').hidden = questions.length < 2;
    // Not `disabled`: a disabled button loses the keyboard focus.
    byId('solve-previous').setAttribute('aria-disabled', `${puzzle === 0}`);
    byId('solve-next').setAttribute('aria-disabled', `${!this.hasNext}`);
    this.dressFrame();
    this.busy(false);
    this.moved([], false, solved);
    byId('solve-solution').textContent = 'Show solution';
    this.say('nothing', '');
  }

  /** Says what is asked, and why no move can be tried, if none can. */
  ask(task: string, why: string | undefined): void {
    byId('solve-task').textContent = task;
    this.offer(why === undefined ? ['solve-hint', 'solve-again', 'solve-solution'] : ['solve-solution']);
    if (!this.said.textContent || this.said.dataset.kind === 'begin') {
      this.say('begin', why ?? 'Drag a piece, or choose it and then its square.');
    }
  }

  /** What is asked, as the panel says it. */
  get task(): string {
    return byId('solve-task').textContent ?? '';
  }

  private offer(buttons: readonly string[]): void {
    for (const id of ['solve-hint', 'solve-again', 'solve-solution']) {
      byId(id).hidden = !buttons.includes(id);
    }
  }

  /** Shows the moves that stand on the board. */
  moved(moves: readonly string[], isSolved: boolean, solved: ReadonlySet<number>): void {
    byId('solve-moves').textContent = moves.length ? `Moves: ${moves.join(' ')}` : '';
    byId('solve-again').setAttribute('aria-disabled', `${!moves.length}`);
    byId('solve-hint').hidden ||= isSolved;
    byId('solve-continue').hidden = !(isSolved && this.hasNext);
    this.mark(solved);
  }

  /** Marks the puzzles that are solved. */
  private mark(solved: ReadonlySet<number>): void {
    for (const [number, option] of [...this.names.options].entries()) {
      const text = `${solved.has(number) ? '✓ ' : ''}${option.dataset.name}`;
      if (option.textContent !== text) {
        option.textContent = text;
      }
    }
  }

  /** A verdict is being looked for. */
  busy(isBusy: boolean): void {
    clearTimeout(this.late);
    if (isBusy) {
      this.late = setTimeout(() => this.say('nothing', 'Checking the move…'), LATE);
    }
  }

  say(kind: Said, words: string): void {
    clearTimeout(this.late);
    this.said.dataset.kind = kind;
    // Cleared first, so that a screen reader announces a repeated sentence again.
    this.said.textContent = '';
    this.said.textContent = MARKS[kind] + words;
  }

  /** The solution is on the board. */
  solution(): void {
    this.dressFrame(true);
    this.busy(false);
    this.offer(['solve-solution']);
    byId('solve-solution').textContent = 'Hide the solution';
    byId('solve-moves').textContent = '';
    this.say('nothing', 'The solution is on the board. Step through it with the arrows below it.');
  }
}

function option(label: string, number: number): HTMLOptionElement {
  const created = element('option', label);
  created.value = `${number}`;
  created.dataset.name = label;
  return created;
}
