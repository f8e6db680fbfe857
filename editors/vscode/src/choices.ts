// Changes of a puzzle that the server offers, such as repairs: shown as boards before and after, of which the user chooses one.
import * as vscode from 'vscode';
import { type BaseLanguageClient, MessageType, type ShowMessageRequestParams, type WorkspaceEdit } from 'vscode-languageclient';
import { drawn, type FromChoices, HOW_TO_CHOOSE, questionOf, type ToChoices } from '../../board/choices';
import { pageHtml } from './board';

/** Findings that a change of the board can correct. */
const REPAIRABLE = new Set(['unsolvable', 'not-unique', 'cook', 'short-solution', 'wrong-answer', 'wrong-solution']);
/** The beginnings of the titles of changes of a board. */
const CHANGE = /^(Make|Remove|Move|Add) .*: /;
/** Where a command was run. */
export interface CommandPlace {
  uri: string;
  version: number;
  position: { line: number; character: number };
}

type Item = { title: string; edit?: WorkspaceEdit };

export class Choices implements vscode.Disposable {
  private close: (() => void) | undefined;

  constructor(private readonly extensionUri: vscode.Uri) {}

  /** Asks a question of the server: with boards if it is about changes of a puzzle, or else with buttons. */
  async ask(client: BaseLanguageClient, { type, message, actions = [] }: ShowMessageRequestParams): Promise<Item | null> {
    const server = {
      request: <R>(method: string, params: object) => client.sendRequest<R>(method, params),
      notify: (method: string, params: object) => client.sendNotification(method, params),
    };
    let document: vscode.TextDocument | undefined;
    const choices = await drawn(server, actions as Item[], (uri, version) => {
      document = vscode.workspace.textDocuments.find((open) => open.uri.toString() === vscode.Uri.parse(uri).toString() && open.version === version);
      return document && { text: document.getText(), offsetAt: ({ line, character }) => document?.offsetAt(new vscode.Position(line, character)) ?? 0 };
    }).catch(() => undefined);
    if (document && choices) {
      const chosen = await this.choose(document, { question: questionOf(message), choices });
      return chosen === undefined ? null : ({ title: actions[chosen]?.title } as Item);
    }
    const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
    const show = type === MessageType.Error ? showErrorMessage : type === MessageType.Warning ? showWarningMessage : showInformationMessage;
    return (await show<Item>(message, ...(actions as Item[]))) ?? null;
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
      panel.webview.html = pageHtml(panel.webview, dist, 'choicesPanel', 'Choose a Change', MARKUP);
    });
  }

  dispose(): void {
    this.close?.();
  }
}

const MARKUP = `<main>
<h1 id="question">Changes</h1>
<p>${HOW_TO_CHOOSE}</p>
<ul id="choices" class="gallery-list choices" role="list"></ul>
<button id="none">Change Nothing</button>
</main>`;

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
