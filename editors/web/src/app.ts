// The page: the text, the board beside it, and what is around them.
import { snippet } from '@codemirror/autocomplete';
import { undo } from '@codemirror/commands';
import { EditorView } from '@codemirror/view';
import { type Answer, drawn, questionOf } from '../../board/choices';
import { placeFor, PUZZLES } from '../../board/templates';
import { sentenceOf } from './words';
import { BoardPanel, type BoardPlace } from './board/panel';
import { showActions } from './editor/actions';
import { snippetOf } from './editor/completion';
import { opened, SyncedDocument } from './editor/document';
import { createEditor, formatText } from './editor/editor';
import { Findings } from './editor/findings';
import { offsetAt } from './editor/positions';
import { refreshAll } from './editor/refresh';
import { exports, importer } from './exchange';
import { WELCOME } from './first';
import { GalleryWindow } from './gallery';
import { FileSession, sentence } from './files/session';
import { INITIALIZE } from './lsp/capabilities';
import { LanguageClient } from './lsp/client';
import type { Connection } from '../../worker/connection';
import type { CodeAction, Command, DocumentSymbol, Range, WorkspaceEdit } from './lsp/types';
import { type CallFunction, makeSheet, printSheet, ReadySheet, type SheetChoices } from './print';
import { askForSheet, lastChoices, withoutAnswers } from './printDialog';
import { ProblemList } from './problems';
import { answersIn, copyAlone, copyWithout, puzzleAt, puzzlesOf } from './solve/answers';
import { Solver } from './solve/solver';
import { choose, chooseBoard, showPage } from './ui/dialogs';
import { byId, isNarrow } from './ui/elements';
import { type Anchor, showMenu } from './ui/menu';
import { clearNews, joinSentences, tell, tellTrouble } from './ui/notices';
import { EXAMPLES } from './welcome';

/** The most puzzles in the menu of puzzles. */
const MAX_LISTED = 300;

/** The seed is in the name of an invented puzzle: it should not be long. */
const MAX_SEED = 100_000;

/** The puzzles that cpz invents. */
const INVENTED = [
  { label: 'A puzzle of Solitaire Chess', detail: 'with one solution', wanted: { game: 'solitaire', unique: true } },
  { label: 'A capture of draughts', detail: 'the only one there is', wanted: { game: 'draughts' } },
  { label: 'A mate on a cube', detail: 'in which no piece is idle', wanted: { game: 'chess3d' } },
];

/** The kind of the actions that sort the puzzles. */
const SORT_PUZZLES = 'source.sortPuzzles.cpz';

/** The views between which a narrow screen switches. */
type View = 'text' | 'board';

export class App {
  readonly client: LanguageClient;
  readonly document: SyncedDocument;
  readonly session: FileSession;
  private readonly findings: Findings;
  private readonly panel: BoardPanel;
  private readonly gallery: GalleryWindow;
  readonly solver: Solver;
  private readonly sheet: ReadySheet;
  private readonly call: CallFunction;

  /** `connect` starts a server that knows no text: one for the text, and one for the moves that a solver tries. */
  constructor(connect: () => Connection & { dispose?(): void }) {
    const connection = connect();
    connection.onSearch = (isSearching) => status(isSearching ? 'Searching…' : '');
    this.client = new LanguageClient(connection);
    this.document = new SyncedDocument(this.client);
    this.findings = new Findings(this.document, (action) => this.act(action));
    this.findings.onCheck = (isChecking) => status(isChecking ? 'Checking…' : '', 'Checking…');
    this.session = new FileSession(
      this.document,
      () => importer(this.document, () => this.session),
      (name) => {
        byId('file').textContent = name;
        window.document.title = `${name}: chess puzzles`;
      },
    );
    this.panel = new BoardPanel(byId<HTMLIFrameElement>('board'), this.document, {
      showText: () => this.view('text'),
      newPuzzle: () => this.newPuzzle(),
      tell,
    });
    this.gallery = new GalleryWindow(this.document, {
      name: () => this.session.fileName,
      findings: () => this.findings.all.map(({ diagnostic }) => diagnostic),
      show: (range) => this.goTo(range),
    });
    this.solver = new Solver(this.document, this.panel, {
      connect: () => {
        const own = connect();
        own.onSearch = (isSearching) => status(isSearching ? 'Searching…' : '');
        return own;
      },
      onChange: (isSolving) => this.showSolving(isSolving),
    });
    this.call = (call, text, signal) => connection.call(call, text, signal);
    this.sheet = new ReadySheet(this.document, this.call, () => withoutAnswers(lastChoices()), () => this.solver.isOn);
    this.session.onLink = () => (this.session.isForSolvers ? this.solver.enter() : this.solver.leave());
    new ProblemList(this.document, this.findings, () => this.view('text'), (code) => void this.explain(code));
  }

  async start(): Promise<void> {
    this.answerServer();
    this.client.onFailure = (why) => {
      status('Not checking');
      tellTrouble(`Nothing is checked: ${why} The text can still be edited and downloaded.`);
      this.solver.fail(why);
    };
    const started = this.client.start(INITIALIZE);
    // The user is told by `onFailure`.
    started.catch(() => undefined);
    const text = await this.session.first(WELCOME);
    const update = EditorView.updateListener.of(({ docChanged, transactions }) => {
      if (docChanged) {
        this.findings.changed();
        this.sheet.schedule();
        if (!transactions.some((transaction) => transaction.annotation(opened))) {
          this.findings.typed();
          this.session.changed();
        }
      }
    });
    const view = createEditor(byId('text'), text, {
      document: this.document,
      run: (command) => void this.run(command),
      actions: () => this.actions(),
      onUpdate: [update, this.panel.extension, this.gallery.extension, this.solver.extension],
    });
    view.dispatch({ selection: { anchor: firstPuzzle(text) } });
    if (this.session.isForSolvers) {
      this.solver.enter();
    }
    byId<HTMLIFrameElement>('board').src = 'board.html';
    try {
      await started;
    } catch {
      return;
    }
    status('');
    view.dispatch({ effects: refreshAll.of(null) });
    this.sheet.schedule();
  }

  // ---- What the server asks for

  private answerServer(): void {
    const { client, document } = this;
    client.on<{ type: number; message: string }>('window/showMessage', ({ type, message }) => tell(sentenceOf(message), [], type === 1));
    client.on<{ message: string; actions?: Answer[] }>('window/showMessageRequest', ({ message, actions = [] }) => this.answer(message, actions));
    client.on<{ edit: WorkspaceEdit }>('workspace/applyEdit', ({ edit }) => {
      const failureReason = document.apply(edit);
      return { applied: failureReason === undefined, failureReason };
    });
    client.on<{ selection?: Range }>('window/showDocument', ({ selection }) => {
      this.view('text');
      if (selection) {
        this.reveal(selection);
      }
      document.editor.focus();
      return { success: true };
    });
    const refresh = () => {
      document.editor.dispatch({ effects: refreshAll.of(null) });
      return null;
    };
    for (const method of ['workspace/inlayHint/refresh', 'workspace/codeLens/refresh', 'workspace/semanticTokens/refresh']) {
      client.on(method, refresh);
    }
    for (const method of ['client/registerCapability', 'client/unregisterCapability', 'window/workDoneProgress/create', 'window/logMessage']) {
      client.on(method, () => null);
    }
    client.on<{ value: { kind: string; title?: string; message?: string } }>('$/progress', ({ value }) => {
      status(value.kind === 'end' ? '' : [value.title, value.message].filter(Boolean).join(' '));
    });
  }

  /** Asks a question of the server: with boards if it is about changes of a puzzle. Returns the answer. */
  private async answer(message: string, answers: readonly Answer[]): Promise<{ title: string } | null> {
    const { document } = this;
    const choices = await drawn(this.client, answers, (uri, version) => {
      const { doc } = document.state;
      return uri === document.uri && version === document.version ? { text: doc.toString(), offsetAt: (position) => offsetAt(doc, position) } : undefined;
    }).catch(() => undefined);
    const words = answers.map(({ title }) => sentenceOf(title));
    const chosen = choices
      ? await chooseBoard(questionOf(sentenceOf(message)), choices.map((choice, number) => ({ ...choice, title: words[number] ?? choice.title })))
      : await choose(sentenceOf(message), words);
    const title = answers[chosen ?? -1]?.title;
    return title === undefined ? null : { title };
  }

  // ---- Commands of lenses and actions

  private act({ edit, command }: CodeAction): void {
    const failed = edit && this.document.apply(edit);
    if (failed) {
      tell(`Nothing was changed, because ${failed}.`);
    } else if (command) {
      void this.run(command);
    }
  }

  private async run({ command, arguments: given = [] }: Command): Promise<void> {
    const argument = given[0] as { code?: string } & BoardPlace;
    if (command === 'cpz.showBoard') {
      this.view('board');
      this.panel.show(argument);
    } else if (command === 'cpz.explain') {
      await this.explain(argument.code ?? '');
    } else {
      try {
        await this.client.request('workspace/executeCommand', { command, arguments: given });
      } catch (error) {
        tellTrouble(`This did not work: ${sentence(error)}.`);
      }
    }
  }

  /** Runs a command of the server for the puzzle at the cursor. */
  runAtCursor(command: string, more: object = {}): void {
    const { uri, version, state } = this.document;
    const head = state.selection.main.head;
    const line = state.doc.lineAt(head);
    void this.run({ title: '', command, arguments: [{ uri, version, position: { line: line.number - 1, character: head - line.from }, ...more }] });
  }

  private async explain(code: string): Promise<void> {
    try {
      const found = await this.client.request<{ title: string; markdown: string } | null>('cpz/explain', { code });
      if (found) {
        showPage(code, found.markdown.replace(/^# .*\n/, ''));
      }
    } catch {
      tell(`There is no page about ${code}.`);
    }
  }

  // ---- Commands of the page

  actions(anchor?: Anchor): void {
    void showActions(this.document, () => this.findings.all, (action) => this.act(action), anchor);
  }

  newPuzzle(anchor: Anchor = byId('new')): void {
    const items = PUZZLES.map(({ label, description, snippet: snippetFor }) => ({
      label,
      detail: description,
      run: () => this.insertPuzzle(snippetFor),
    }));
    const invented = INVENTED.map(({ label, detail, wanted }) => ({ label, detail, run: () => this.invent(wanted) }));
    showMenu('New puzzle', [{ title: 'Begin with', items }, { title: 'Have cpz invent', items: invented }], anchor);
  }

  /** Begins a text if an example is shown as it was: a link to the new puzzle would begin with the example. */
  private leaveExample(): void {
    const text = this.document.state.doc.toString();
    if (EXAMPLES.some((example) => example.text === text)) {
      this.session.show('puzzles.cpz', '');
    }
  }

  /** Has the server add a new puzzle: another one each time. */
  private invent(wanted: object): void {
    this.leaveExample();
    const [seed = 1] = crypto.getRandomValues(new Uint32Array(1));
    this.runAtCursor('cpz.generatePuzzle', { wanted: { ...wanted, seed: seed % MAX_SEED } });
  }

  private insertPuzzle(snippetFor: (text: string) => string): void {
    this.leaveExample();
    const { editor, state } = this.document;
    const text = state.doc.toString();
    const { line, character, before, after } = placeFor(text, state.doc.lineAt(state.selection.main.head).number - 1);
    const at = offsetAt(state.doc, { line, character });
    snippet(snippetOf(before + snippetFor(text) + after))(editor, null, at, at);
    editor.dispatch({ effects: EditorView.scrollIntoView(editor.state.selection.main.head, { y: 'center' }) });
    // On a phone, too: a new puzzle is there to be changed, and keys must not go to the button.
    editor.focus();
  }

  // ---- Solving

  /** Says in the header whether the answers are hidden, and removes what may speak of them. */
  private showSolving(isSolving: boolean): void {
    const button = byId('solve');
    button.textContent = isSolving ? 'Stop solving' : 'Solve';
    button.classList.toggle('main', isSolving);
    clearNews();
    if (!isSolving && this.session.isForSolvers) {
      // Loading the page again shows the text as it is now.
      this.session.isForSolvers = false;
      history.replaceState(null, '', location.href.replace(/&solve$/, ''));
    }
    if (!isSolving) {
      this.document.editor.requestMeasure();
    }
  }

  /** Copies a link to the text without its written answers, or to the puzzle at the cursor alone. */
  private async shareToSolve(isAlone = false): Promise<void> {
    const { doc, selection } = this.document.state;
    const puzzles = await puzzlesOf(this.document);
    const puzzle = isAlone && puzzles ? puzzleAt(puzzles, selection.main.head) : undefined;
    if (puzzles && isAlone && !puzzle) {
      tell('There is no puzzle with a question at the cursor, so no link was copied. Put the cursor into one.');
      return;
    }
    const { from, to } = puzzle ?? { from: 0, to: doc.length };
    const questions = puzzle?.questions ?? puzzles?.asking.flatMap((each) => each.questions) ?? [];
    const answers = puzzles && (await answersIn(this.document, from, to, questions));
    // What stands outside of all puzzles comes along with the one.
    const above = puzzle && answers && puzzles && (await answersIn(this.document, 0, puzzle.to, puzzles.asking.flatMap((each) => each.questions)));
    const stray = answers?.stray ?? above?.stray;
    const text = answers && (puzzle ? await copyAlone(this.document, puzzles, puzzle, answers.cuts) : copyWithout(doc, answers.cuts).text);
    if (text === undefined) {
      tell('The text has changed, so no link was copied. Copy it again.');
    } else if (stray !== undefined) {
      const line = doc.lineAt(stray).number;
      tellTrouble(`No link was copied: in line ${line} an answer is written that belongs to no question. Correct that first.`);
    } else {
      await this.session.shareToSolve(text, puzzle && `‘${puzzle.name}’`);
    }
  }

  examples(anchor: Anchor = byId('examples')): void {
    const items = EXAMPLES.map(({ label, detail, name, text }) => ({ label, detail, run: () => this.session.show(name, text) }));
    const kept = this.session.kept();
    showMenu('Examples and your texts', [{ title: 'Examples', items }, { title: 'Your texts in this browser', items: kept }], anchor);
  }

  private earlierTexts(anchor: Anchor): void {
    showMenu('Earlier texts', [{ title: 'Your texts in this browser', items: this.session.kept() }], anchor);
  }

  more(anchor: Anchor = byId('more')): void {
    const solving = {
      label: this.solver.isOn ? 'Stop solving' : 'Solve the puzzles',
      detail: this.solver.isOn ? 'shows the text and its answers' : 'hides the answers',
      key: 'Shift+Alt+S',
      run: () => this.solver.toggle(),
    };
    const linkToSolve = { label: 'Copy a link for solvers', detail: 'without the written answers', run: () => void this.shareToSolve() };
    const linkToOne = { label: 'Copy a link to this puzzle', detail: 'for solvers, without answers', run: () => void this.shareToSolve(true) };
    const help = [{ label: 'About this page', run: () => showPage('About this page', ABOUT) }];
    if (this.solver.isOn) {
      const print = { label: 'Print…', key: 'Control+P', run: () => this.print() };
      return showMenu('More', [{ items: [solving] }, { title: 'Puzzles', items: [print, linkToSolve, linkToOne] }, { items: help }], anchor);
    }
    const tidy = async () => {
      if (!(await formatText(this.document))) {
        tell('The text cannot be tidied up while a brace or a quotation mark is missing in it.');
      }
    };
    const kept = this.session.kept();
    const written = exports(this.document, this.session);
    const file = [
      { label: 'Open a file…', run: () => byId<HTMLInputElement>('chosen').click() },
      ...(kept.length ? [{ label: 'Earlier texts…', detail: 'kept in this browser', run: () => this.earlierTexts(anchor) }] : []),
      { label: 'Download', detail: this.session.fileName, run: () => this.session.save() },
      { label: 'Copy a link', detail: 'the text is inside the link', run: () => void this.session.share() },
      linkToSolve,
      linkToOne,
      { label: 'Print…', key: 'Control+P', run: () => this.print() },
      ...(written.length ? [{ label: 'Write for another program…', detail: 'Anki, PGN, JSON and more', run: () => showMenu('Write for another program', [{ title: 'Write for another program', items: written }], anchor) }] : []),
    ];
    const text = [
      { label: 'Fixes and changes', key: 'Control+.', run: () => this.actions() },
      { label: 'Insert all answers', run: () => this.runAtCursor('cpz.insertAllAnswers') },
      { label: 'Give me a hint', run: () => this.runAtCursor('cpz.showHint', { grade: 1 }) },
      { label: 'Sort the puzzles…', run: () => void this.sort(anchor) },
      { label: 'Tidy up the text', key: 'Shift+Alt+F', run: () => void tidy() },
      { label: 'Go to a puzzle…', run: () => void this.goToPuzzle(anchor) },
      { label: 'Browse the puzzles…', run: () => this.browse() },
      { label: 'Undo', key: 'Control+Z', run: () => undo(this.document.editor) },
    ];
    const copies = this.panel.copies();
    showMenu('More', [{ items: [solving] }, { title: 'File', items: file }, { title: 'Text', items: text }, { title: 'Board', items: copies }, { items: help }], anchor);
  }

  /** Offers the orders that the server sorts the puzzles by. */
  private async sort(anchor: Anchor): Promise<void> {
    const start = { line: 0, character: 0 };
    const actions = await this.document.ask<CodeAction[] | null>('textDocument/codeAction', { range: { start, end: start }, context: { diagnostics: [], only: [SORT_PUZZLES] } });
    const items = (actions ?? []).map((action) => ({ label: sentenceOf(action.title), run: () => this.act(action) }));
    showMenu('Sort the puzzles', [{ items }], anchor);
  }

  private async goToPuzzle(anchor: Anchor): Promise<void> {
    const symbols = (await this.document.ask<DocumentSymbol[] | null>('textDocument/documentSymbol')) ?? [];
    const items = symbols.slice(0, MAX_LISTED).map(({ name, detail, selectionRange }) => ({ label: name, detail, run: () => this.goTo(selectionRange) }));
    if (!items.length) {
      tell('There is no puzzle in this text yet.');
      return;
    }
    const more = symbols.length - items.length;
    showMenu('Puzzles', [{ title: more > 0 ? `The first ${items.length} puzzles of ${symbols.length}` : 'Puzzles', items }], anchor);
  }

  /** Shows all puzzles of the text as small boards. */
  browse(): void {
    void this.gallery.open();
  }

  /** Brings the text to the front at a place. */
  private goTo(range: Range): void {
    this.view('text');
    this.reveal(range);
    if (!isNarrow()) {
      this.document.editor.focus();
    }
  }

  /** Selects a place in the text, and scrolls to it. */
  private reveal({ start, end }: Range): void {
    const { editor, state } = this.document;
    const [anchor, head] = [offsetAt(state.doc, start), offsetAt(state.doc, end)];
    editor.dispatch({ selection: { anchor, head }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  }

  /** Asks how the sheet is to look, and prints it. The order is that of the gallery, if one was chosen there. */
  print(): void {
    const begin = lastChoices();
    const make = (choices: SheetChoices, signal: AbortSignal) => makeSheet(this.document, this.call, choices, signal);
    askForSheet({ ...begin, order: this.gallery.order ?? begin.order }, this.solver.isOn, make, (sheet) => {
      if (sheet.notes.length) {
        tell(joinSentences(sheet.notes));
      }
      printSheet(sheet);
    });
  }

  /** Shows one of the two views of a narrow screen. */
  view(view: View): void {
    window.document.body.dataset.view = view;
    for (const name of ['text', 'board'] as const) {
      byId(`show-${name}`).setAttribute('aria-pressed', `${name === view}`);
    }
    if (view === 'text') {
      this.document.editor.requestMeasure();
    }
  }
}

/** Says at the foot what the page is doing; with `instead`, only if that or nothing stands there. */
function status(what: string, instead?: string): void {
  const foot = byId('status');
  if (!instead || foot.textContent === instead || !foot.textContent) {
    foot.textContent = what;
  }
}

/** The offset of the first puzzle: the board shows it, and not the comment before. */
function firstPuzzle(text: string): number {
  return Math.max(0, /^(solitaire|chess3d|chess|draughts)\b/m.exec(text.replaceAll('\r\n', '\n'))?.index ?? 0);
}

const ABOUT = `cpz checks, solves and draws chess puzzles that are written as text: Solitaire Chess, moves and mates of chess, chess problems, checkmate on a cube, and captures of draughts.

Everything happens in this browser. No text is sent anywhere, and the page works without a network once it has been loaded. The texts that you change are kept in this browser alone: download what you want to be sure of.

**By keyboard**

- **Ctrl+Space** offers words and moves
- **Ctrl+.** fixes what is wrong and changes what is right
- **Ctrl+I** explains the word at the cursor
- **F8** goes to the next error
- **Tab** leaves the text; on the board the arrow keys go from square to square
- **Shift+Alt+F** tidies the text up
- **Shift+Alt+S** begins and ends solving
- **Ctrl+S**, **Ctrl+O** and **Ctrl+P** download, open and print
`;
