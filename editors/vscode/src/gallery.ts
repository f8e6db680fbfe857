// The gallery: all puzzles of a file as small boards.
import * as vscode from 'vscode';
import { type EditorFinding, exported, type ExportedPuzzle, type FromGallery, type GalleryState, type OutlineEntry, outlined, type ToGallery } from '../../board/gallery';
import type { Board, Range } from '../../board/protocol';
import { plain, withoutMarkdown } from '../../board/words';
import { columnOf, pageHtml } from './board';
import { editorOf } from './editor';
import { fileName } from './files';
import type { Server } from './server';

const VIEW = 'cpz.gallery';
/** Events within this time are answered by one request, in milliseconds. */
const REFRESH_DELAY = 200;

/** What was exported of a version of a text. */
interface Exported {
  uri: string;
  version: number;
  puzzles: ExportedPuzzle[];
  open?: string | undefined;
}

export class GalleryPanel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private uri: vscode.Uri | undefined;
  /** The line of the cursor. The gallery may hide the editor, which VS Code then gives to no extension. */
  private line: number | undefined;
  private isReady = false;
  private known: Exported | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pending: vscode.CancellationTokenSource | undefined;
  private readonly subscriptions: vscode.Disposable[];

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly server: Server,
  ) {
    const isShown = (uri: vscode.Uri) => uri.toString() === this.uri?.toString();
    this.subscriptions = [
      vscode.workspace.onDidChangeTextDocument(({ document }) => isShown(document.uri) && this.scheduleRefresh()),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => uris.some(isShown) && this.scheduleRefresh()),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor, selections }) => {
        const [selection] = selections;
        if (selection && isShown(textEditor.document.uri)) {
          this.line = selection.active.line;
          this.post({ line: this.line });
        }
      }),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration('cpz')) {
          this.known = undefined;
          this.scheduleRefresh();
        }
      }),
      server.onStatus(() => this.scheduleRefresh()),
      vscode.window.registerWebviewPanelSerializer(VIEW, {
        deserializeWebviewPanel: async (panel, state: GalleryState | undefined) => {
          this.uri = state?.uri ? vscode.Uri.parse(state.uri) : undefined;
          this.adopt(panel);
        },
      }),
    ];
  }

  /** Shows the puzzles of the text in the editor. */
  show(): void {
    const editor = editorOf(this.server);
    if (!editor) {
      return;
    }
    this.uri = editor.document.uri;
    this.line = editor.selection.active.line;
    if (this.panel) {
      this.panel.reveal(undefined, false);
      return this.scheduleRefresh();
    }
    this.adopt(vscode.window.createWebviewPanel(VIEW, 'Collection', vscode.ViewColumn.Active, { retainContextWhenHidden: false }));
  }

  private adopt(panel: vscode.WebviewPanel): void {
    this.panel?.dispose();
    this.panel = panel;
    this.isReady = false;
    const dist = vscode.Uri.joinPath(this.context.extensionUri, 'dist');
    panel.webview.options = { enableScripts: true, localResourceRoots: [dist] };
    panel.iconPath = vscode.Uri.joinPath(this.context.extensionUri, 'images', 'file-light.svg');
    panel.webview.onDidReceiveMessage((message: FromGallery) => this.onMessage(message));
    panel.onDidDispose(() => {
      if (this.panel === panel) {
        this.panel = undefined;
        this.pending?.cancel();
      }
    });
    panel.webview.html = pageHtml(panel.webview, dist, 'galleryPanel', 'Collection', '<main><h1>Collection</h1><div id="gallery"></div></main>');
  }

  private post(message: ToGallery): void {
    if (this.isReady) {
      void this.panel?.webview.postMessage(message);
    }
  }

  private scheduleRefresh(): void {
    if (this.panel?.visible) {
      this.timer ??= setTimeout(() => {
        this.timer = undefined;
        void this.refresh();
      }, REFRESH_DELAY);
    }
  }

  /** Shows the text as it is now. With `solve`, the searches that take long are done first. */
  private async refresh(solve = false): Promise<void> {
    const { uri, server, panel } = this;
    const client = server.running;
    if (uri && !client && this.known && server.status.kind === 'starting') {
      // Keep what is shown: the server is being restarted.
      return;
    }
    if (!uri || !client || !panel) {
      return this.post({ nothing: client || !uri ? 'Open a .cpz file and run the command Browse Collection again.' : `The puzzles cannot be shown: ${server.status.what}` });
    }
    panel.title = `Collection: ${fileName(uri)}`;
    let document: vscode.TextDocument;
    try {
      // The server knows open texts alone.
      document = await vscode.workspace.openTextDocument(uri);
    } catch (error) {
      return this.post({ nothing: `The file cannot be read: ${error instanceof Error ? error.message : error}` });
    }
    const { version } = document;
    const isKnown = () => this.known?.version === version && this.known.uri === uri.toString();
    const textDocument = { uri: uri.toString() };
    if (solve || !isKnown()) {
      this.pending?.cancel();
      const pending = (this.pending = new vscode.CancellationTokenSource());
      try {
        const made = await client.sendRequest<{ text: string; open?: string } | null>('cpz/export', { textDocument, to: 'json', solve }, pending.token);
        if (made && !pending.token.isCancellationRequested && version === document.version) {
          this.known = { uri: uri.toString(), version, puzzles: (JSON.parse(made.text) as { puzzles: ExportedPuzzle[] }).puzzles, open: made.open };
        }
      } catch {
        // The text changed or the server ended, and either asks again. If not, there are places and names.
      }
      if (pending.token.isCancellationRequested || version !== document.version) {
        return;
      }
    }
    const found = this.known && isKnown() ? exported(this.known.puzzles, findings(uri), plain) : outlined(await outline(uri));
    const open = isKnown() ? this.known?.open : undefined;
    this.post({ show: { name: fileName(uri), uri: uri.toString(), version, entries: found, open, line: this.line } });
  }

  private async onMessage(message: FromGallery): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.isReady = true;
        return this.refresh();
      case 'search':
        return this.refresh(true);
      case 'draw':
        return this.draw(message);
      case 'open':
        return this.open(message.range);
    }
  }

  private async draw({ id, version, range }: Extract<FromGallery, { kind: 'draw' }>): Promise<void> {
    const { uri, server } = this;
    try {
      const document = uri && (await vscode.workspace.openTextDocument(uri));
      if (!document || document.version !== version) {
        return this.post({ drawn: id });
      }
      const params = { textDocument: { uri: document.uri.toString() }, position: range.start, frame: 0, line: 0, wait: false };
      const board = await server.running?.sendRequest<Board | null>('cpz/board', params);
      if (!board) {
        return this.post({ drawn: id, drawing: board });
      }
      const { svg, state, whole, headline = '' } = withoutMarkdown(board);
      this.post({ drawn: id, drawing: { svg, state, whole, headline } });
    } catch {
      // The text changed or the server ended: either asks again.
      this.post({ drawn: id });
    }
  }

  /** Shows a puzzle in the text: where the text has a tab, or in front of the gallery. */
  private async open({ start }: Range): Promise<void> {
    const { uri, panel } = this;
    if (!uri || !panel) {
      return;
    }
    const at = new vscode.Position(start.line, start.character);
    try {
      const viewColumn = columnOf(uri) ?? panel.viewColumn;
      const editor = await vscode.window.showTextDocument(uri, { viewColumn, preserveFocus: false, selection: new vscode.Range(at, at) });
      editor.revealRange(new vscode.Range(at, at), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    } catch (error) {
      void vscode.window.showWarningMessage(`cpz: the text cannot be shown: ${error instanceof Error ? error.message : error}`);
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.pending?.cancel();
    this.panel?.dispose();
    vscode.Disposable.from(...this.subscriptions).dispose();
  }
}

/** The findings that the editor shows for a text. */
function findings(uri: vscode.Uri): EditorFinding[] {
  const own = vscode.languages.getDiagnostics(uri).filter(({ source }) => source === 'cpz');
  return own.map(({ range: { start, end }, severity, message }) => ({ range: { start, end }, severity: severity + 1, message }));
}

async function outline(uri: vscode.Uri): Promise<OutlineEntry[]> {
  const symbols = await vscode.commands.executeCommand<vscode.DocumentSymbol[] | undefined>('vscode.executeDocumentSymbolProvider', uri);
  return (symbols ?? []).map(({ name, range: { start, end } }) => ({ name, range: { start, end } }));
}
