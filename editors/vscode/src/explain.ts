// Shows the page of the manual about the code of a finding, in a document that cannot be changed.
import * as vscode from 'vscode';
import { say } from './notices';
import type { Server } from './server';

const SCHEME = 'cpz-code';

/** The server's answer to `cpz/explain`. */
interface Explanation {
  code: string;
  severity: string;
  title: string;
  markdown: string;
}

export class Explanations implements vscode.Disposable {
  private readonly pages = new Map<string, string>();
  private readonly provider: vscode.Disposable;

  constructor(private readonly server: Server) {
    this.provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: async (uri) => {
        const code = uri.path.replace(/\.md$/, '');
        // A page that the last session has left open.
        return this.pages.get(code) ?? (await this.load(code)) ?? `cpz has no page about ${code}.`;
      },
    });
  }

  /** Opens the page of a code; without one, that of the finding under the cursor. */
  async show(given?: { code?: unknown }): Promise<void> {
    const code = typeof given?.code === 'string' ? given.code : codeAtCursor();
    if (!code) {
      void say('info', 'there is no finding here. Put the cursor on a word that is underlined.');
      return;
    }
    if (!(await this.load(code))) {
      void say('info', `there is no page about ${code}.`);
      return;
    }
    const page = vscode.Uri.from({ scheme: SCHEME, path: `${code}.md` });
    try {
      await vscode.commands.executeCommand('markdown.showPreviewToSide', page);
    } catch {
      // The extension that shows Markdown is off.
      await vscode.window.showTextDocument(page, { viewColumn: vscode.ViewColumn.Beside, preview: true });
    }
  }

  private async load(code: string): Promise<string | undefined> {
    try {
      const found = await this.server.running?.sendRequest<Explanation | null>('cpz/explain', { code });
      if (found) {
        this.pages.set(code, found.markdown);
      }
      return found?.markdown;
    } catch {
      // The code is unknown, or the server is older than this extension.
      return undefined;
    }
  }

  dispose(): void {
    this.provider.dispose();
  }
}

/** The code of the finding at the cursor; if there are several, of the worst. */
function codeAtCursor(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    return undefined;
  }
  const { document, selection } = editor;
  const here = vscode.languages.getDiagnostics(document.uri).filter((d) => d.source === 'cpz' && d.range.intersection(selection));
  const [worst] = here.sort((a, b) => a.severity - b.severity);
  const code = worst?.code;
  return code === undefined ? undefined : `${typeof code === 'object' ? code.value : code}`;
}
