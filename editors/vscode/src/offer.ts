// Offers the board panel once, when the first puzzle is opened: nothing else shows that there is one.
import * as vscode from 'vscode';
import type { BoardPanel } from './board';
import { say } from './notices';
import type { Server } from './server';

const OFFERED = 'boardOffered';
/** How long a text is open before the offer, in milliseconds: its own findings come first. */
const DELAY = 2500;

export function offerBoard({ globalState }: vscode.ExtensionContext, server: Server, boards: BoardPanel): vscode.Disposable {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const offer = async () => {
    const { activeTextEditor: editor } = vscode.window;
    if (globalState.get(OFFERED) || editor?.document.languageId !== 'cpz' || !server.running) {
      return;
    }
    // Before the answer: a message that is closed or ignored does not come again.
    await globalState.update(OFFERED, true);
    const show = 'Show Board';
    if (!boards.isOpen && (await say('info', 'the board of each puzzle can be shown beside its text.', show)) === show) {
      boards.show();
    }
  };
  const soon = () => {
    clearTimeout(timer);
    if (!globalState.get(OFFERED) && vscode.window.activeTextEditor?.document.languageId === 'cpz') {
      timer = setTimeout(() => void offer(), DELAY);
    }
  };
  soon();
  return vscode.Disposable.from(
    vscode.window.onDidChangeActiveTextEditor(soon),
    server.onStatus(soon),
    boards.onOpen(() => void globalState.update(OFFERED, true)),
    new vscode.Disposable(() => clearTimeout(timer)),
  );
}
