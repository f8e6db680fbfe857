// What the extension needs from where it runs: VS Code on a computer, or VS Code for the Web.
import type * as vscode from 'vscode';
import type { BaseLanguageClient, LanguageClientOptions } from 'vscode-languageclient';
import type { Server } from './server';

/** A server that can be started. */
export interface FoundServer {
  /** What it is called in messages, such as the path of the program. */
  readonly name: string;
  /** Where it is, for the status bar. */
  readonly place: string;
  /** What the log says when it is started. */
  readonly start: string;
  connect(options: LanguageClientOptions, run: ServerRun): BaseLanguageClient;
  /** Why it did not start, as a sentence. */
  whyNotStarted(error: unknown): string;
}

/** One run of a server. */
export interface ServerRun {
  /** Whether no later run has begun. */
  isCurrent(): boolean;
  /** Is called with the function that ends the server at once. */
  started(kill: () => void): void;
  /** Is called with a sentence if the server cannot go on, and starting it again would not help. */
  failed(why: string): void;
}

/** A button of the message about a server that does not run. */
export interface Remedy {
  title: string;
  run(): PromiseLike<unknown>;
}

/** The commands for files of other programs and for paper. */
export interface ExchangeCommands {
  /** Makes a collection of a file of another program; without `file`, asks for one. */
  importFile(server: Server, output: vscode.LogOutputChannel, file?: vscode.Uri): Promise<void>;
  /** Writes the puzzles of a collection as a file of another program. */
  exportCollection(server: Server, output: vscode.LogOutputChannel): Promise<void>;
  /** Makes a sheet of a collection. */
  printCollection(server: Server, output: vscode.LogOutputChannel): Promise<void>;
}

export interface Platform {
  readonly exchange: ExchangeCommands;
  /** The folder of a new document where there is no workspace. */
  readonly home: vscode.Uri | undefined;
  /** Whether the server reads files that VS Code gives to no extension. */
  readonly readsFiles: boolean;
  /** A server to start, or a sentence that says why there is none. */
  findServer(): Promise<FoundServer | string>;
  remedies(): Promise<Remedy[]>;
  /** Why a document cannot be changed, as the end of a sentence; undefined if it can. */
  readOnly(uri: vscode.Uri): Promise<string | undefined>;
}
