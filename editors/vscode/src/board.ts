// The board panel: shows the server's drawing of the puzzle under the cursor, and steps through its answer.
import * as vscode from 'vscode';
import { BoardEditor } from '../../board/edit';
import { Hints } from '../../board/hints';
import { MARKUP } from '../../board/markup';
import { Navigation } from '../../board/navigation';
import type { Board, FromPage, HintResult, Range, Step, ToPage } from '../../board/protocol';
import { withoutMarkdown } from '../../board/words';
import { BoardText } from './boardText';
import { newPuzzle } from './commands';
import type { Server } from './server';

const VIEW = 'cpz.board';
/** Events within this time are answered by one request, in milliseconds. */
const REFRESH_DELAY = 40;
/** The longest name of a puzzle in the tab of the panel, in characters: a longer one hides the button that closes it. */
const MAX_TITLE = 30;

/** Where a lens or a code action wants the board: a puzzle or query, and the frame of its first line of play. */
export interface BoardPlace {
  uri: string;
  position: Range['start'];
  line?: number;
  frame?: number | 'next';
}

export class BoardPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  /** The document and position that the panel shows; not the active editor, because the panel may have the focus. */
  private cursor: { document: vscode.TextDocument; at: vscode.Position } | undefined;
  private readonly shown = new Navigation();
  private readonly editor: BoardEditor<BoardText>;
  private readonly hints = new Hints(async (grade) =>
    this.cursor && this.server.running?.sendRequest<HintResult | null>('cpz/hint', { ...positionParams(this.cursor), grade }),
  );
  /** The selection that the panel set itself; its event must not move the board. */
  private ownSelection: vscode.Selection | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pending: vscode.CancellationTokenSource | undefined;
  private readonly opened = new vscode.EventEmitter<void>();
  readonly onOpen = this.opened.event;
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly stepDecoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.wordHighlightStrongBackground'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly failedStepDecoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('inputValidation.errorBackground'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    this.editor = new BoardEditor({
      get request() {
        const client = server.running;
        return client && (<R>(method: string, params: unknown) => client.sendRequest<R>(method, params));
      },
      post: (message) => this.post(message),
      current: ({ document, at }) => new BoardText(document, new vscode.Position(at.line, at.character)),
    });
    this.subscriptions.push(
      this.opened,
      this.stepDecoration,
      this.failedStepDecoration,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections, kind }) => {
        const selection = selections[0];
        if (kind === undefined && textEditor !== vscode.window.activeTextEditor && !this.ownSelection) {
          // An edit in another editor of the document shifted this selection.
          return;
        }
        if (selection && this.ownSelection?.isEqual(selection)) {
          this.ownSelection = undefined;
          return;
        }
        this.followCursor(textEditor);
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.followCursor(editor)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.cursor?.document) {
          this.shown.requested = {};
          this.scheduleRefresh();
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.cursor?.document) {
          this.cursor = undefined;
          this.scheduleRefresh();
        }
      }),
      // A new configuration or a finished search changes the findings, and with them the board.
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((uri) => uri.toString() === this.cursor?.document.uri.toString())) {
          this.scheduleRefresh();
        }
      }),
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('cpz') && this.scheduleRefresh()),
      server.onStatus(() => this.scheduleRefresh()),
      vscode.window.registerWebviewPanelSerializer(VIEW, {
        deserializeWebviewPanel: async (panel) => this.adopt(panel),
      }),
    );
  }

  get isOpen(): boolean {
    return !!this.panel;
  }

  /** Opens the panel beside the editor, which keeps the focus; for the puzzle under the cursor, or for a place. */
  async show(place?: BoardPlace): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (place?.uri && place.position) {
      if (place.frame === 'next' && this.shows(place)) {
        return this.step('next');
      }
      const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(place.uri));
      const at = new vscode.Position(place.position.line, place.position.character);
      this.cursor = { document, at };
      this.shown.requested = { line: place.line, frame: place.frame === 'next' ? 1 : place.frame };
    } else if (editor?.document.languageId === 'cpz') {
      this.cursor = { document: editor.document, at: editor.selection.active };
      this.shown.requested = {};
    }
    if (this.panel) {
      this.panel.reveal(undefined, true);
      this.scheduleRefresh();
      return;
    }
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.adopt(vscode.window.createWebviewPanel(VIEW, 'Board', column, { retainContextWhenHidden: false }));
  }

  /** Whether the panel shows the query at a place, or the first one of the puzzle there. */
  private shows({ uri, position, line }: BoardPlace): boolean {
    const { cursor, shown: { board } } = this;
    if (!this.panel?.visible || !board || cursor?.document.uri.toString() !== vscode.Uri.parse(uri).toString()) {
      return false;
    }
    const at = new vscode.Position(position.line, position.character);
    const asked = board.queries.find(({ range }) => toRange(range).contains(at)) ?? board.queries[0];
    return toRange(board.range).contains(at) && !!asked?.shown && (line === undefined || line === board.line);
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.panel?.dispose();
    this.panel = panel;
    const dist = vscode.Uri.joinPath(this.context.extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    panel.iconPath = vscode.Uri.joinPath(this.context.extensionUri, 'images', 'file-light.svg');
    panel.webview.onDidReceiveMessage((message: FromPage) => this.onMessage(message));
    panel.onDidChangeViewState(() => panel.visible && this.scheduleRefresh());
    panel.onDidDispose(() => {
      if (this.panel === panel) {
        this.panel = this.shown.board = undefined;
        this.decorate();
        void vscode.commands.executeCommand('setContext', 'cpz.boardOpen', false);
      }
    });
    panel.webview.html = pageHtml(panel.webview, dist, 'board', 'Board', MARKUP);
    void vscode.commands.executeCommand('setContext', 'cpz.boardOpen', true);
    this.opened.fire();
    if (!this.cursor) {
      const shown = vscode.window.visibleTextEditors.find((e) => e.document.languageId === 'cpz');
      this.cursor = shown && { document: shown.document, at: shown.selection.active };
    }
  }

  private followCursor(editor: vscode.TextEditor): void {
    if (editor.document.languageId === 'cpz') {
      this.cursor = { document: editor.document, at: editor.selection.active };
      this.shown.requested = {};
      this.scheduleRefresh();
    }
  }

  /** Schedules one refresh for all events of the next REFRESH_DELAY milliseconds. */
  private scheduleRefresh(): void {
    if (!this.panel) {
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.refresh(false);
    }, REFRESH_DELAY);
  }

  private async refresh(wait: boolean): Promise<void> {
    this.pending?.cancel();
    const pending = new vscode.CancellationTokenSource();
    this.pending = pending;
    const { cursor, server } = this;
    const client = server.running;
    if (cursor && !client && this.shown.board && server.status.kind === 'starting') {
      // Keep the last board: the server is being restarted.
      return;
    }
    if (!cursor || !client) {
      this.shown.board = undefined;
      this.decorate();
      this.setTitle();
      return this.post({
        empty: client ? 'Put the cursor in a puzzle to see its board.' : `The board cannot be shown: ${server.status.what}`,
      });
    }
    let board: Board | null;
    try {
      board = await client.sendRequest<Board | null>(
        'cpz/board',
        { ...positionParams(cursor), ...this.shown.params, wait },
        pending.token,
      );
    } catch {
      // The text changed or the server ended: either event schedules another refresh.
      return;
    }
    if (pending.token.isCancellationRequested || cursor !== this.cursor) {
      return;
    }
    this.shown.board = board ?? undefined;
    this.decorate();
    this.setTitle(board?.name);
    if (!board) {
      const isEmpty = !cursor.document.getText().trim();
      const empty = isEmpty ? 'Type a puzzle, or begin with a template:' : 'There is no puzzle at the cursor, or cpz does not know its game.';
      return this.post({ empty, offersNew: isEmpty });
    }
    this.post({ board: withoutMarkdown(board), mode: this.shown.mode });
    if (!board.whole && !wait) {
      await this.refresh(true);
    }
  }

  private setTitle(name?: string | null): void {
    if (this.panel) {
      const letters = [...(name ?? '')];
      const short = letters.length > MAX_TITLE ? `${letters.slice(0, MAX_TITLE - 1).join('').trimEnd()}…` : name;
      this.panel.title = short ? `Board: ${short}` : 'Board';
    }
  }

  private post(message: ToPage): void {
    void this.panel?.webview.postMessage(message);
  }

  /** Highlights the shown step in the text. */
  private decorate(): void {
    const { board } = this.shown;
    for (const editor of vscode.window.visibleTextEditors.filter((e) => e.document.languageId === 'cpz')) {
      const step = editor.document === this.cursor?.document && this.panel && board?.step;
      const ranges = step ? [toRange(step)] : [];
      if (step && this.shown.requested.frame !== undefined) {
        // Reveal column 0, so that the editor scrolls vertically only.
        const line = new vscode.Position(step.start.line, 0);
        editor.revealRange(new vscode.Range(line, line), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
      editor.setDecorations(this.stepDecoration, board?.failed ? [] : ranges);
      editor.setDecorations(this.failedStepDecoration, board?.failed ? ranges : []);
    }
  }

  step(step: Step): void {
    if (this.shown.isLast(step)) {
      this.post({ notice: 'That was the last step.' });
    }
    if (this.shown.step(step)) {
      void this.refresh(true);
    }
  }

  private async onMessage(message: FromPage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        return this.refresh(false);
      case 'step':
        return this.step(message.step);
      case 'line':
        this.shown.requested = { line: message.line, frame: 0 };
        return this.refresh(true);
      case 'choose':
        return this.shown.choose(message.choice) ? this.refresh(true) : undefined;
      case 'chooseNext':
        return this.shown.chooseNext(message.by) ? this.refresh(true) : undefined;
      case 'query': {
        const query = this.shown.board?.queries[message.query];
        const start = query && toRange(query.range).start;
        return start && this.select(new vscode.Range(start, start), true);
      }
      case 'trouble': {
        const trouble = this.shown.board?.trouble;
        return trouble ? this.select(toRange(trouble), true) : undefined;
      }
      case 'layout':
        this.shown.across = message.across;
        return this.refresh(false);
      case 'hint':
        return this.hint();
      case 'newPuzzle':
        return newPuzzle(this.server, () => void this.show(), this.cursor?.document);
      case 'square':
        return this.square(message.square);
      case 'mode':
        this.shown.mode = message.mode;
        this.shown.requested = {};
        return this.refresh(false);
      case 'gesture': {
        const { cursor } = this;
        const text = cursor && new BoardText(cursor.document, cursor.at);
        const moved = await this.editor.edit(text, message.version, message.gesture);
        if (cursor && moved !== undefined && this.cursor === cursor) {
          this.cursor = { document: cursor.document, at: cursor.document.positionAt(moved) };
          this.scheduleRefresh();
        }
        return;
      }
      case 'targets':
        return this.editor.targets(this.cursor && new BoardText(this.cursor.document, this.cursor.at), message.square);
      case 'undo':
        return this.undo(message.redo);
      case 'focus':
        return this.panel?.reveal(this.panel.viewColumn, false);
      case 'picture':
        if (!message.copied) {
          await vscode.env.clipboard.writeText(message.svg);
        }
        return this.post({ notice: message.copied ? 'The picture is in the clipboard.' : 'The picture is in the clipboard, as SVG.' });
    }
  }

  /** Shows a hint below the board; asked again for the same puzzle, one that gives away more. */
  private async hint(): Promise<void> {
    const { cursor } = this;
    const { board } = this.shown;
    if (!board || !cursor) {
      return;
    }
    const { uri, version } = cursor.document;
    const { line, character } = board.range.start;
    try {
      const notice = await this.hints.next(`${uri} ${version} ${line}:${character}`);
      if (notice) {
        this.post({ notice });
      }
    } catch {
      // The text changed; the next click asks for the new puzzle.
    }
  }

  /** Undoes or redoes in the text, and comes back to the board. */
  private async undo(redo: boolean): Promise<void> {
    const { cursor, panel } = this;
    if (!cursor || !panel) {
      return;
    }
    await vscode.window.showTextDocument(cursor.document, { viewColumn: this.columnOf(cursor.document), preserveFocus: false });
    await vscode.commands.executeCommand(redo ? 'redo' : 'undo');
    panel.reveal(panel.viewColumn, false);
  }

  /** Copies the board that is shown: as a picture, as a FEN or PDN, or as text. */
  async copy(what: 'picture' | 'fen' | 'text'): Promise<void> {
    const { board } = this.shown;
    if (!board) {
      return;
    }
    if (what === 'picture') {
      return this.post({ copyPicture: true });
    }
    const text = what === 'fen' ? board.fen : board.text;
    if (text) {
      await vscode.env.clipboard.writeText(text);
      this.post({ notice: `In the clipboard: ${what === 'fen' ? text : 'the board as text'}` });
    }
  }

  /** The column that shows a document, or another one than that of the panel. */
  private columnOf(document: vscode.TextDocument): vscode.ViewColumn {
    return columnOf(document.uri) ?? (this.panel?.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One);
  }

  /** Selects a square's cell or entry in the text. */
  private async square(square: string): Promise<void> {
    const { cursor } = this;
    if (!cursor) {
      return;
    }
    try {
      const found = await this.server.running?.sendRequest<Range | null>('cpz/square', { ...positionParams(cursor), square });
      if (found) {
        await this.select(toRange(found), false);
      } else {
        this.post({ notice: `${square} is empty: the text has nothing to select for it.` });
      }
    } catch {
      // The text changed; the click refers to an old board.
    }
  }

  private async select(target: vscode.Range, follow: boolean): Promise<void> {
    const { cursor } = this;
    if (!cursor) {
      return;
    }
    let editor: vscode.TextEditor;
    try {
      editor = await vscode.window.showTextDocument(cursor.document, {
        viewColumn: this.columnOf(cursor.document),
        preserveFocus: true,
      });
    } catch (error) {
      return this.post({ notice: `The text cannot be shown: ${error instanceof Error ? error.message : error}` });
    }
    const selection = new vscode.Selection(target.start, target.end);
    // The board must not follow this selection, unless the user chose another query.
    this.ownSelection = editor.selection.isEqual(selection) ? undefined : selection;
    editor.selection = selection;
    if (follow) {
      this.followCursor(editor);
    }
    editor.revealRange(target, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.pending?.cancel();
    this.panel?.dispose();
    vscode.Disposable.from(...this.subscriptions).dispose();
  }
}

/** The column that has the tab of a document. */
export function columnOf(uri: vscode.Uri): vscode.ViewColumn | undefined {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.find(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString())?.group.viewColumn;
}

function positionParams({ document, at }: { document: vscode.TextDocument; at: vscode.Position }) {
  return { textDocument: { uri: document.uri.toString() }, position: { line: at.line, character: at.character } };
}

function toRange({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** The HTML of a panel with the script and the style of a name. Its policy allows no network access and no other script. */
export function pageHtml(webview: vscode.Webview, dist: vscode.Uri, name: string, title: string, markup: string): string {
  const nonce = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(16))));
  const file = (part: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, part));
  const policy = `default-src 'none'; style-src ${webview.cspSource}; img-src data:; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file(`${name}.css`)}">
<title>${title}</title>
</head>
<body>
${markup}
<script nonce="${nonce}" src="${file(`${name}.js`)}"></script>
</body>
</html>`;
}
