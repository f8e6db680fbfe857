// VS Code for the Web: the server is the WebAssembly module inside the extension, which runs in workers.
import * as vscode from 'vscode';
import { LanguageClient, type StaticFeature } from 'vscode-languageclient/browser';
import { WorkerConnection } from '../../../worker/connection';
import { callInWorker } from '../../../worker/functions';
import { fileName } from '../files';
import type { FoundServer, Platform, ServerRun } from '../platform';
import { Collection } from './collection';
import { exchange } from './exchange';
import { Searching } from './searching';
import { ConnectionReader, ConnectionWriter } from './transport';

export function webPlatform(context: vscode.ExtensionContext, output: vscode.LogOutputChannel): Platform {
  let module: WebAssembly.Module | undefined;
  const file = (name: string) => vscode.Uri.joinPath(context.extensionUri, 'dist', name);
  const worker = () => file('worker.js').toString(true);
  const load = async () => (module ??= await compile(file('cpz.wasm')));
  return {
    exchange: exchange(async (call, text) => callInWorker(worker(), await load(), call, text)),
    home: undefined,
    readsFiles: false,
    readOnly,
    findServer: async () => {
      try {
        return server(worker(), await load(), output);
      } catch (error) {
        output.error(`${error}`);
        return 'the file with the checker could not be read. Load the page again.';
      }
    },
    remedies: () => Promise.resolve([]),
  };
}

/** Reads the module as VS Code reads files of extensions: the host of the extension may be of another origin. */
async function compile(uri: vscode.Uri): Promise<WebAssembly.Module> {
  const bytes = await vscode.workspace.fs.readFile(uri);
  return WebAssembly.compile(new Uint8Array(bytes));
}

function server(script: string, module: WebAssembly.Module, output: vscode.LogOutputChannel): FoundServer {
  return {
    name: 'the checker in this browser',
    place: 'in this browser',
    start: 'starting the checker in this browser',
    connect: (options, run) => {
      const client = new LanguageClient('cpz', 'cpz', () => connect(new WorkerConnection(script, module), output, run), options);
      client.registerFeature(pushed);
      return client;
    },
    whyNotStarted: () => 'the checker in this browser did not start. Load the page again.',
  };
}

function connect(connection: WorkerConnection, output: vscode.LogOutputChannel, run: ServerRun) {
  const searching = new Searching();
  const collection = new Collection((message) => connection.send(message), output);
  run.started(() => {
    collection.dispose();
    connection.dispose();
    searching.end();
  });
  connection.onFailure = (why) => run.failed(why);
  connection.onSearch = (isSearching) => (isSearching ? searching.begin() : searching.end());
  const folders = () => (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => `${uri}/`.replace(/\/\/$/, '/'));
  return Promise.resolve({ reader: new ConnectionReader(connection, folders), writer: new ConnectionWriter((message) => collection.pass(message)) });
}

/** Findings are pushed: of two servers, each would number those that it is asked for on its own. */
const pushed: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    delete capabilities.textDocument?.diagnostic;
    delete capabilities.workspace?.diagnostics;
  },
  initialize: () => undefined,
  getState: () => ({ kind: 'static' }),
  clear: () => undefined,
};

async function readOnly(uri: vscode.Uri): Promise<string | undefined> {
  if (uri.scheme === 'untitled') {
    return undefined;
  }
  if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) {
    return `${fileName(uri)} is in a place that cannot be written to`;
  }
  const found = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  const isReadOnly = ((found?.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0;
  return isReadOnly ? `${fileName(uri)} is read-only` : undefined;
}
