// The panel beside the editor: it shows what the server draws of the puzzle under the cursor.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Board, FromPage, Range, Step, ToPage } from './protocol';
import type { Server } from './server';

const VIEW = 'cpz.board';
/** How long typing may go on before the board follows, in milliseconds. */
const PAUSE = 40;

export class BoardPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private board: Board | undefined;
  /** The text that is looked at, and where: the panel itself may have the focus. */
  private place: { document: vscode.TextDocument; at: vscode.Position } | undefined;
  /** What of it is wanted; nothing follows the cursor. */
  private wanted: { line?: number; frame?: number } = {};
  /** A selection that was made from here and is no movement of the person's. */
  private made: vscode.Selection | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asking: vscode.CancellationTokenSource | undefined;
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly good = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.wordHighlightStrongBackground'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  private readonly bad = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('inputValidation.errorBackground'),
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    this.subscriptions.push(
      this.good,
      this.bad,
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections, kind }) => {
        const selection = selections[0];
        if (kind === undefined && textEditor !== vscode.window.activeTextEditor && !this.made) {
          // It only gave way to what was typed elsewhere.
          return;
        }
        if (selection && this.made?.isEqual(selection)) {
          this.made = undefined;
          return;
        }
        this.follow(textEditor);
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => editor && this.follow(editor)),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === this.place?.document) {
          this.wanted = {};
          this.soon();
        }
      }),
      vscode.workspace.onDidCloseTextDocument((document) => {
        if (document === this.place?.document) {
          this.place = undefined;
          this.soon();
        }
      }),
      // Configurations change what is wrong, and so does a search that has come to its end.
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (uris.some((uri) => uri.toString() === this.place?.document.uri.toString())) {
          this.soon();
        }
      }),
      vscode.workspace.onDidChangeConfiguration((change) => change.affectsConfiguration('cpz') && this.soon()),
      server.onStatus(() => this.soon()),
      vscode.window.registerWebviewPanelSerializer(VIEW, {
        deserializeWebviewPanel: async (panel) => this.take(panel),
      }),
    );
  }

  /** Opens the panel beside the text, which keeps the focus. */
  show(): void {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId === 'cpz') {
      this.place = { document: editor.document, at: editor.selection.active };
      this.wanted = {};
    }
    if (this.panel) {
      this.panel.reveal(undefined, true);
      this.soon();
      return;
    }
    const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.take(vscode.window.createWebviewPanel(VIEW, 'Board', column, { retainContextWhenHidden: false }));
  }

  private take(panel: vscode.WebviewPanel): void {
    this.panel?.dispose();
    this.panel = panel;
    const dist = vscode.Uri.joinPath(this.context.extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    panel.iconPath = vscode.Uri.joinPath(this.context.extensionUri, 'images', 'file-light.svg');
    panel.webview.onDidReceiveMessage((message: FromPage) => this.hear(message));
    panel.onDidChangeViewState(() => panel.visible && this.soon());
    panel.onDidDispose(() => {
      if (this.panel === panel) {
        this.panel = this.board = undefined;
        this.decorate();
        void vscode.commands.executeCommand('setContext', 'cpz.boardOpen', false);
      }
    });
    panel.webview.html = page(panel.webview, dist);
    void vscode.commands.executeCommand('setContext', 'cpz.boardOpen', true);
    if (!this.place) {
      const shown = vscode.window.visibleTextEditors.find((e) => e.document.languageId === 'cpz');
      this.place = shown && { document: shown.document, at: shown.selection.active };
    }
  }

  private follow(editor: vscode.TextEditor): void {
    if (editor.document.languageId === 'cpz') {
      this.place = { document: editor.document, at: editor.selection.active };
      this.wanted = {};
      this.soon();
    }
  }

  /** Asks a moment later, once for whatever happens until then. */
  private soon(): void {
    if (!this.panel) {
      return;
    }
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      void this.ask(false);
    }, PAUSE);
  }

  private async ask(wait: boolean): Promise<void> {
    this.asking?.cancel();
    const asking = new vscode.CancellationTokenSource();
    this.asking = asking;
    const { place, server } = this;
    const client = server.running;
    if (place && !client && this.board && server.status.kind === 'starting') {
      // It comes back in a moment.
      return;
    }
    if (!place || !client) {
      this.board = undefined;
      this.decorate();
      return this.tell({
        nothing: client ? 'Put the cursor in a puzzle to see its board.' : `There is no board: ${server.status.what}`,
      });
    }
    let board: Board | null;
    try {
      board = await client.sendRequest<Board | null>(
        'cpz/board',
        { ...where(place), ...this.wanted, wait },
        asking.token,
      );
    } catch {
      // The text has changed since, or the server ended: both are followed by another question.
      return;
    }
    if (asking.token.isCancellationRequested || place !== this.place) {
      return;
    }
    this.board = board ?? undefined;
    this.decorate();
    if (!board) {
      if (this.panel) {
        this.panel.title = 'Board';
      }
      return this.tell({ nothing: 'There is no board here: no puzzle, or one of a game that cpz does not know.' });
    }
    if (this.panel) {
      this.panel.title = board.name ? `Board: ${board.name}` : 'Board';
    }
    this.tell({ board });
    if (!board.whole && !wait) {
      await this.ask(true);
    }
  }

  private tell(message: ToPage): void {
    void this.panel?.webview.postMessage(message);
  }

  /** Colours the step that is shown where it is written. */
  private decorate(): void {
    const { board } = this;
    for (const editor of vscode.window.visibleTextEditors.filter((e) => e.document.languageId === 'cpz')) {
      const here = editor.document === this.place?.document && this.panel && board?.step;
      const ranges = here ? [range(here)] : [];
      if (here && this.wanted.frame !== undefined) {
        // Up and down alone: lines wrap, and who does not want that keeps their place in them.
        const line = new vscode.Position(here.start.line, 0);
        editor.revealRange(new vscode.Range(line, line), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
      }
      editor.setDecorations(this.good, board?.failed ? [] : ranges);
      editor.setDecorations(this.bad, board?.failed ? ranges : []);
    }
  }

  step(step: Step): void {
    const { board } = this;
    if (!board) {
      return;
    }
    const last = board.frames - 1;
    const frame = { first: 0, previous: board.frame - 1, next: board.frame + 1, last }[step];
    this.wanted = { line: board.line, frame: Math.min(Math.max(frame, 0), last) };
    // Two presses may come before the answer to the first.
    this.board = { ...board, frame: this.wanted.frame ?? 0 };
    void this.ask(true);
  }

  private async hear(message: FromPage): Promise<void> {
    switch (message.kind) {
      case 'ready':
        return this.ask(false);
      case 'step':
        return this.step(message.step);
      case 'line':
        this.wanted = { line: message.line, frame: 0 };
        return this.ask(true);
      case 'query': {
        const query = this.board?.queries[message.query];
        const start = query && range(query.range).start;
        return start && this.select(new vscode.Range(start, start), true);
      }
      case 'square':
        return this.square(message.square);
    }
  }

  /** Selects a square where the text has it. */
  private async square(square: string): Promise<void> {
    const { place } = this;
    if (!place) {
      return;
    }
    try {
      const found = await this.server.running?.sendRequest<Range | null>('cpz/square', { ...where(place), square });
      if (found) {
        await this.select(range(found), false);
      } else {
        this.tell({ say: `${square} is empty, and the text does not write it.` });
      }
    } catch {
      // The text has changed since.
    }
  }

  private async select(wanted: vscode.Range, follow: boolean): Promise<void> {
    const { place } = this;
    if (!place) {
      return;
    }
    const uri = place.document.uri.toString();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const tab = tabs.find((t) => t.input instanceof vscode.TabInputText && t.input.uri.toString() === uri);
    const other = this.panel?.viewColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
    let editor: vscode.TextEditor;
    try {
      editor = await vscode.window.showTextDocument(place.document, {
        viewColumn: tab?.group.viewColumn ?? other,
        preserveFocus: true,
      });
    } catch (error) {
      return this.tell({ say: `The text cannot be shown: ${error instanceof Error ? error.message : error}` });
    }
    const selection = new vscode.Selection(wanted.start, wanted.end);
    // What the panel shows stays, unless the person chose what to show.
    this.made = editor.selection.isEqual(selection) ? undefined : selection;
    editor.selection = selection;
    if (follow) {
      this.follow(editor);
    }
    editor.revealRange(wanted, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.asking?.cancel();
    this.panel?.dispose();
    vscode.Disposable.from(...this.subscriptions).dispose();
  }
}

function where({ document, at }: { document: vscode.TextDocument; at: vscode.Position }) {
  return { textDocument: { uri: document.uri.toString() }, position: { line: at.line, character: at.character } };
}

function range({ start, end }: Range): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

/** The page: nothing of it comes from elsewhere, and nothing in it runs but its one script. */
function page(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name));
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${file('board.css')}">
<title>Board</title>
</head>
<body>
<main hidden>
<header>
<h1 id="name"></h1>
<p id="state"></p>
</header>
<div id="about"></div>
<div id="queries" role="group" aria-label="What is asked"></div>
<label id="ways"><span>Shown:</span> <select id="line"></select></label>
<p id="caption" aria-live="polite"></p>
<p id="say" role="status"></p>
<div id="board"></div>
<div id="steps" role="group" aria-label="Steps">
<button id="first" title="First step (Home)" aria-label="First step">|◂</button>
<button id="previous" title="Previous step (Left)" aria-label="Previous step">◂</button>
<span id="step"></span>
<button id="next" title="Next step (Right)" aria-label="Next step">▸</button>
<button id="last" title="Last step (End)" aria-label="Last step">▸|</button>
</div>
<p id="description"></p>
</main>
<p id="nothing" role="status"></p>
<script nonce="${nonce}" src="${file('board.js')}"></script>
</body>
</html>`;
}
