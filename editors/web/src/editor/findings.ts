// What is wrong in the text: underlined, with the fixes that the server offers.
import { setDiagnostics, type Diagnostic as Shown } from '@codemirror/lint';
import type { EditorView } from '@codemirror/view';
import { PAUSE, unfinished } from '../../../board/unfinished';
import { sentenceOf } from '../words';
import type { CodeAction, Diagnostic } from '../lsp/types';
import type { SyncedDocument } from './document';
import { offsetAt } from './positions';
import { refreshAll } from './refresh';

/** A finding as the page shows it. */
export interface Finding {
  diagnostic: Diagnostic;
  severity: 'error' | 'warning' | 'info';
  /** The message in plain words, without the hints in its further lines. */
  message: string;
  /** Those hints. */
  more: string[];
}

/** After this time without findings the page says that it is checking, in milliseconds. */
const LATE = 500;
/** The most fixes that a finding shows; the menu has all of them. */
const MAX_FIXES = 4;

export class Findings {
  all: Finding[] = [];
  /** Is called when the findings change. */
  onChange: () => void = () => undefined;
  /** Is called when the findings of the text as it is now take long, and when they have come. */
  onCheck: (isChecking: boolean) => void = () => undefined;
  private published: { version: number | undefined; diagnostics: Diagnostic[] } = { version: 0, diagnostics: [] };
  private edited = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private late: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly document: SyncedDocument,
    private readonly run: (action: CodeAction) => void,
  ) {
    document.client.on<{ uri: string; version?: number; diagnostics: Diagnostic[] }>('textDocument/publishDiagnostics', ({ uri, version, diagnostics }) => {
      if (uri === document.uri) {
        this.published = { version, diagnostics };
        if (!this.isBehind) {
          clearTimeout(this.late);
          this.onCheck(false);
        }
        this.show(true);
      }
    });
  }

  /** Whether the findings of the text as it is now have not come yet. */
  private get isBehind(): boolean {
    const { version } = this.published;
    return version !== undefined && version !== null && version !== this.document.version;
  }

  /** Notes a change of the text. */
  changed(): void {
    clearTimeout(this.late);
    this.late = setTimeout(() => this.isBehind && this.onCheck(true), LATE);
  }

  /** Notes a key stroke: findings about unfinished text wait for a pause. */
  typed(): void {
    this.edited = Date.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.show(false), PAUSE);
  }

  private show(isNew: boolean): void {
    const { diagnostics } = this.published;
    if (this.isBehind) {
      return;
    }
    const view = this.document.editor;
    const { doc, selection } = view.state;
    const { head } = selection.main;
    const isTyped = view.hasFocus && Date.now() - this.edited < PAUSE - 100 && diagnostics.length > 0;
    const isUnfinished = isTyped ? unfinished(doc.toString(), head) : undefined;
    const line = doc.lineAt(head).number - 1;
    this.all = diagnostics
      .filter(({ code, range }) => {
        const [start, end] = [offsetAt(doc, range.start), offsetAt(doc, range.end)];
        return !isUnfinished?.({ code: code ?? '', start, end, isOnLine: range.end.line === line });
      })
      .map(finding);
    const shown = this.all.map((found) => this.underline(view, found));
    view.dispatch(setDiagnostics(view.state, shown));
    if (isNew) {
      // A search that has ended changes answers and lenses too.
      view.dispatch({ effects: refreshAll.of(null) });
    }
    this.onChange();
  }

  private underline({ state: { doc } }: EditorView, found: Finding): Shown {
    const { diagnostic, severity, message } = found;
    const [from, to] = [offsetAt(doc, diagnostic.range.start), offsetAt(doc, diagnostic.range.end)];
    return { from, to, severity, message, renderMessage: () => this.card(found, true) };
  }

  /** A finding in words, with its fixes as soon as they are known, and with its page where nothing else leads there. */
  card(found: Finding, explains: boolean): HTMLElement {
    const card = window.document.createElement('div');
    card.className = 'cpz-finding';
    const message = window.document.createElement('p');
    message.textContent = found.message;
    card.append(message);
    for (const hint of found.more) {
      const line = window.document.createElement('p');
      line.className = 'more';
      line.textContent = hint;
      card.append(line);
    }
    const fixes = window.document.createElement('div');
    fixes.className = 'fixes';
    card.append(fixes);
    void this.fixes(found).then((actions) => {
      fixes.append(
        ...actions.filter((action) => explains || !isPage(action)).slice(0, MAX_FIXES).map((action) => {
          const button = window.document.createElement('button');
          button.textContent = sentenceOf(action.title);
          button.addEventListener('click', () => this.run(action));
          return button;
        }),
      );
    });
    return card;
  }

  /** The fixes of a finding, those first that change the text. */
  async fixes({ diagnostic }: Finding): Promise<CodeAction[]> {
    const context = { diagnostics: [diagnostic], only: ['quickfix'] };
    const found = await this.document.ask<CodeAction[] | null>('textDocument/codeAction', { range: diagnostic.range, context });
    const rank = (action: CodeAction) => (isPage(action) ? 2 : action.title.startsWith('Allow') ? 1 : 0);
    return (found ?? []).filter(({ disabled }) => !disabled).sort((a, b) => rank(a) - rank(b));
  }
}

/** Whether an action shows the page about a code. */
function isPage({ command }: CodeAction): boolean {
  return command?.command === 'cpz.explain';
}

function finding(diagnostic: Diagnostic): Finding {
  const [message = '', ...more] = sentenceOf(diagnostic.message).split('\n');
  const severity = diagnostic.severity === 1 ? 'error' : diagnostic.severity === 2 ? 'warning' : 'info';
  return { diagnostic, severity, message, more };
}
