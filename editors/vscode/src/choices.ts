// Changes of a puzzle that the server offers, such as repairs: shown as boards before and after, of which the user chooses one.
import * as vscode from 'vscode';
import { type BaseLanguageClient, type CodeAction, MessageType, type ShowMessageRequestParams, type TextEdit, type WorkspaceEdit } from 'vscode-languageclient';
import { boardAlone, type Choice, type FromChoices, type OffsetEdit, type Outlined, type ToChoices } from '../../board/choices';
import type { Board } from '../../board/protocol';
import { plain } from '../../board/words';
import { pageHtml } from './board';

/** The commands of the server that end in a choice between changes. */
export const CHOOSING = new Set(['cpz.repair', 'cpz.makeUnique', 'cpz.shorten', 'cpz.removeNeedless']);
/** Findings that a change of the board can correct. */
const REPAIRABLE = new Set(['unsolvable', 'not-unique', 'cook', 'short-solution', 'wrong-answer', 'wrong-solution']);
/** The beginnings of the titles of changes of a board. */
const CHANGE = /^(Make|Remove|Move|Add) .*: /;
/** The scheme of texts that are drawn and not kept. Nothing else opens or shows them. */
export const SCRATCH = 'cpz-scratch';

/** Where a command was run. */
export interface CommandPlace {
  uri: string;
  version: number;
  position: { line: number; character: number };
}

type Item = { title: string; edit?: WorkspaceEdit };

export class Choices implements vscode.Disposable {
  /** The last command that may end in a choice. */
  private last: CommandPlace | undefined;
  private close: (() => void) | undefined;
  private number = 0;

  constructor(private readonly extensionUri: vscode.Uri) {}

  /** Notes that a command is run whose answer may be a question. */
  begin(place: CommandPlace): void {
    this.last = place;
  }

  /** Asks a question of the server: with boards if it is about changes of a puzzle, or else with buttons. */
  async ask(client: BaseLanguageClient, { type, message, actions = [] }: ShowMessageRequestParams): Promise<Item | null> {
    const place = this.last;
    this.last = undefined;
    const document = place && vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === vscode.Uri.parse(place.uri).toString());
    if (document && document.version === place.version && actions.length > 0) {
      const choices = await this.draw(client, document, place, actions).catch(() => undefined);
      if (choices?.some(({ after }) => after) && document.version === place.version) {
        const chosen = await this.choose(document, { question: plain(message).replace(/^cpz: /, '').replace(/^./, (c) => c.toUpperCase()).replace(/:$/, ''), choices });
        return chosen === undefined ? null : ({ title: actions[chosen]?.title } as Item);
      }
    }
    const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
    const show = type === MessageType.Error ? showErrorMessage : type === MessageType.Warning ? showWarningMessage : showInformationMessage;
    return (await show<Item>(message, ...actions)) ?? null;
  }

  /** The changes with their boards, as far as their edits are known. */
  private async draw(client: BaseLanguageClient, document: vscode.TextDocument, place: CommandPlace, actions: readonly Item[]): Promise<Choice[]> {
    const textDocument = { uri: place.uri };
    const range = { start: place.position, end: place.position };
    const isMissing = actions.some(({ edit }) => !edit);
    const context = { diagnostics: [], only: ['quickfix'], triggerKind: 1 };
    const offered = isMissing ? await client.sendRequest<CodeAction[] | null>('textDocument/codeAction', { textDocument, range, context }) : [];
    const symbols = (await client.sendRequest<Outlined[] | null>('textDocument/documentSymbol', { textDocument })) ?? [];
    const at = document.offsetAt(new vscode.Position(place.position.line, place.position.character));
    const offsetAt = ({ line, character }: CommandPlace['position']) => document.offsetAt(new vscode.Position(line, character));
    const puzzle = symbols.find((symbol) => offsetAt(symbol.range.start) <= at && at <= offsetAt(symbol.range.end));
    if (!puzzle) {
      return [];
    }
    const boardOf = async (edits: readonly OffsetEdit[]) => this.picture(client, boardAlone(document.getText(), symbols, puzzle, edits, offsetAt));
    const before = await boardOf([]);
    const choices: Choice[] = [];
    for (const { title, edit } of actions) {
      const known = edit ?? offered?.find((action) => action.title === title)?.edit;
      const edits = known && editsOf(known, place.uri).map(({ range: { start, end }, newText }) => ({ start: offsetAt(start), end: offsetAt(end), text: newText }));
      const after = edits?.length ? await boardOf(edits) : undefined;
      choices.push(before && after ? { title, before, after } : { title });
    }
    return choices;
  }

  /** The drawing of the board in a text that the server has for this request alone. */
  private async picture(client: BaseLanguageClient, { text, offset }: { text: string; offset: number }): Promise<string | undefined> {
    const uri = `${SCRATCH}:/${++this.number}.cpz`;
    const before = text.slice(0, offset).split(/\r\n|\r|\n/);
    const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
    await client.sendNotification('textDocument/didOpen', { textDocument: { uri, languageId: 'cpz', version: 1, text } });
    try {
      const board = await client.sendRequest<Board | null>('cpz/board', { textDocument: { uri }, position, frame: 0, line: 0, wait: false });
      return board?.svg;
    } finally {
      await client.sendNotification('textDocument/didClose', { textDocument: { uri } });
    }
  }

  /** Shows choices beside the text. Returns the number of the chosen one; undefined if there is none, or the text has changed. */
  private choose(document: vscode.TextDocument, shown: ToChoices): Promise<number | undefined> {
    this.close?.();
    const dist = vscode.Uri.joinPath(this.extensionUri, 'dist');
    const options = { enableScripts: true, localResourceRoots: [dist] };
    const editor = vscode.window.visibleTextEditors.find((e) => e.document === document);
    const panel = vscode.window.createWebviewPanel('cpz.choices', 'Choose a Change', vscode.ViewColumn.Beside, options);
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'images', 'file-light.svg');
    return new Promise((resolve) => {
      const end = (chosen?: number) => {
        resolve(chosen);
        vscode.Disposable.from(...watchers).dispose();
        this.close = undefined;
        panel.dispose();
        if (editor) {
          void vscode.window.showTextDocument(document, { viewColumn: editor.viewColumn, selection: editor.selection });
        }
      };
      const watchers = [
        panel.onDidDispose(() => end()),
        vscode.workspace.onDidChangeTextDocument((change) => change.document === document && change.contentChanges.length > 0 && end()),
        panel.webview.onDidReceiveMessage((message: FromChoices) => {
          if (message.kind === 'ready') {
            void panel.webview.postMessage(shown);
          } else {
            end(message.kind === 'chosen' ? message.choice : undefined);
          }
        }),
      ];
      this.close = end;
      panel.webview.html = pageHtml(panel.webview, dist, 'choices', 'Choose a Change', MARKUP);
    });
  }

  dispose(): void {
    this.close?.();
  }
}

const MARKUP = `<main>
<h1 id="question"></h1>
<p>Left as it is, right as it would be; below it the new solution. Nothing changes until you choose.</p>
<ul id="choices" class="gallery-list" role="list"></ul>
<button id="none">Change Nothing</button>
</main>`;

function editsOf({ documentChanges, changes }: WorkspaceEdit, uri: string): TextEdit[] {
  const found = documentChanges?.flatMap((change) => ('edits' in change && change.textDocument.uri === uri ? change.edits : []));
  return (found ?? changes?.[uri] ?? []) as TextEdit[];
}

/** An action that shows the repairs among some actions as boards; undefined if there are none, or one that looks for them. */
export function comparing(document: vscode.TextDocument, found: readonly (vscode.Command | vscode.CodeAction)[], diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction | undefined {
  const codeOf = ({ code }: vscode.Diagnostic) => String(typeof code === 'object' ? code.value : code);
  const finding = diagnostics.find((diagnostic) => REPAIRABLE.has(codeOf(diagnostic)));
  const actions = found.filter((action): action is vscode.CodeAction => 'edit' in action || typeof action.command !== 'string');
  const looks = actions.some(({ command }) => command?.command === 'cpz.repair');
  if (!finding || looks || !actions.some(({ title, edit }) => edit && CHANGE.test(title))) {
    return undefined;
  }
  const { line, character } = finding.range.start;
  const action = new vscode.CodeAction('Compare the repairs as boards…', vscode.CodeActionKind.QuickFix);
  action.diagnostics = [finding];
  const place: CommandPlace = { uri: document.uri.toString(), version: document.version, position: { line, character } };
  action.command = { title: action.title, command: 'cpz.repair', arguments: [place] };
  return action;
}
