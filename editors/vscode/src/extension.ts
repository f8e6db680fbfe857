// Creates the parts of the extension and registers its commands. No network access.
import * as vscode from 'vscode';
import { showHint, sortPuzzles } from './authoring';
import { BoardPanel, type BoardPlace } from './board';
import { convertBoard, insertAnswers, newPuzzle } from './commands';
import { Explanations } from './explain';
import { GalleryPanel } from './gallery';
import { applyIndentation } from './indentation';
import { noticeEncoding, noticeTooLarge } from './notices';
import { offerBoard } from './offer';
import type { Platform } from './platform';
import { Server } from './server';
import { showMenu, statusBar } from './status';

/** Starts the extension on the platform that `make` makes, and returns its server. */
export function start(
  context: vscode.ExtensionContext,
  make: (context: vscode.ExtensionContext, output: vscode.LogOutputChannel) => Platform,
): Server {
  const output = vscode.window.createOutputChannel('cpz', { log: true });
  const platform = make(context, output);
  const running = new Server(context, output, platform);
  const { importFile, exportCollection, printCollection } = platform.exchange;
  const boards = new BoardPanel(context, running);
  const explanations = new Explanations(running);
  const gallery = new GalleryPanel(context, running);
  const on = (command: string, run: (...given: never[]) => unknown) => vscode.commands.registerCommand(command, run);
  context.subscriptions.push(
    output,
    statusBar(running),
    boards,
    explanations,
    gallery,
    offerBoard(context, running, boards),
    noticeTooLarge(output, platform),
    noticeEncoding(),
    on('cpz.restartServer', () => running.restart()),
    on('cpz.showOutput', () => output.show()),
    on('cpz.showMenu', () => showMenu(running)),
    on('cpz.insertSolution', () => insertAnswers(running, 'cpz.insertAnswer')),
    on('cpz.insertAnswers', () => insertAnswers(running, 'cpz.insertAllAnswers')),
    on('cpz.convertBoard', () => convertBoard(running)),
    on('cpz.import', () => importFile(running, output)),
    on('cpz.importFile', (file?: vscode.Uri) => importFile(running, output, file)),
    on('cpz.export', () => exportCollection(running, output)),
    on('cpz.print', () => printCollection(running, output)),
    on('cpz.newPuzzle', () => newPuzzle(running, () => boards.show())),
    on('cpz.hint', () => showHint(running)),
    on('cpz.sort', () => sortPuzzles(running)),
    on('cpz.showBoard', (place?: BoardPlace) => boards.show(place)),
    on('cpz.browseCollection', () => gallery.show()),
    on('cpz.explain', (finding?: { code?: unknown }) => explanations.show(finding)),
    on('cpz.board.copyPicture', () => boards.copy('picture')),
    on('cpz.board.copyFen', () => boards.copy('fen')),
    on('cpz.board.copyText', () => boards.copy('text')),
    on('cpz.board.first', () => boards.step('first')),
    on('cpz.board.previous', () => boards.step('previous')),
    on('cpz.board.next', () => boards.step('next')),
    on('cpz.board.last', () => boards.step('last')),
    on('cpz.openWalkthrough', () =>
      vscode.commands.executeCommand('workbench.action.openWalkthrough', `${context.extension.id}#start`, false),
    ),
  );
  applyIndentation();
  // Not awaited: the activation must not wait for the server, which reports its own failures.
  void running.start();
  return running;
}
