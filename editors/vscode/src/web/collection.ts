// Checks the files of the workspace that are in no editor: opens them in the core, one after the other.
import * as vscode from 'vscode';
import type { Message } from '../../../worker/core';

/** At most so many files are checked, and so many folders are searched for them. */
const MAX_FILES = 500;
const MAX_FOLDERS = 1000;
/** The most bytes of one file, and of all of them. */
const MAX_FILE = 256 << 10;
const MAX_BYTES = 2 << 20;
/**
 * The pause after a text, in milliseconds, and in bytes for one more: twice the time that the core takes for it, so that a
 * key stroke never waits for more than one file.
 */
const MIN_PAUSE = 5;
const BYTES_PER_PAUSE = 500;

interface DocumentParams {
  textDocument: { uri: string };
}

/** A file that the core has, although no editor has it. */
interface Opened {
  version: number;
  bytes: number;
}

export class Collection implements vscode.Disposable {
  private readonly opened = new Map<string, Opened>();
  private readonly inEditor = new Set<string>();
  private readonly queue = new Map<string, vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[] = [];
  private isWorking = false;
  private isDisposed = false;
  private isFull = false;

  constructor(
    private readonly send: (message: Message) => void,
    private readonly output: vscode.LogOutputChannel,
  ) {}

  /** Passes a message of the client on. A text is open in the core once: as the editor has it, or as the file is. */
  pass(message: Message): void {
    const { uri } = (message.params as Partial<DocumentParams> | undefined)?.textDocument ?? {};
    if (message.method === 'textDocument/didOpen' && uri) {
      this.inEditor.add(uri);
      this.close(uri);
    }
    this.send(message);
    if (message.method === 'textDocument/didClose' && uri) {
      this.inEditor.delete(uri);
      this.load(vscode.Uri.parse(uri));
    } else if (message.method === 'initialized') {
      this.start();
    }
  }

  private start(): void {
    const watcher = vscode.workspace.createFileSystemWatcher('**/*.cpz');
    const scan = () => void this.scan();
    this.subscriptions.push(
      watcher,
      watcher.onDidCreate((uri) => this.load(uri)),
      watcher.onDidChange((uri) => this.load(uri)),
      watcher.onDidDelete((uri) => this.load(uri)),
      vscode.workspace.onDidChangeWorkspaceFolders(scan),
      // A watcher does not tell of the files in a folder that is gone.
      vscode.workspace.onDidDeleteFiles(scan),
      vscode.workspace.onDidRenameFiles(scan),
    );
    scan();
  }

  /** Loads all files of the workspace, and those that may be gone. */
  private async scan(): Promise<void> {
    [...this.opened.keys()].forEach((uri) => this.load(vscode.Uri.parse(uri)));
    const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    let files = 0;
    // Not by `findFiles`: it never answers where nothing searches the file system.
    for (let searched = 0; folders.length && searched < MAX_FOLDERS && files < MAX_FILES; searched++) {
      const folder = folders.shift() as vscode.Uri;
      const found = await vscode.workspace.fs.readDirectory(folder).then(undefined, () => []);
      for (const [name, type] of found.sort(([a], [b]) => (a < b ? -1 : 1))) {
        if (type === vscode.FileType.Directory && !name.startsWith('.') && name !== 'node_modules') {
          folders.push(vscode.Uri.joinPath(folder, name));
        } else if (type === vscode.FileType.File && name.endsWith('.cpz')) {
          files++;
          this.load(vscode.Uri.joinPath(folder, name));
        }
      }
    }
  }

  private load(uri: vscode.Uri): void {
    this.queue.set(uri.toString(), uri);
    void this.work();
  }

  private async work(): Promise<void> {
    if (this.isWorking) {
      return;
    }
    this.isWorking = true;
    for (let next = this.next(); next && !this.isDisposed; next = this.next()) {
      const bytes = await this.read(next);
      await new Promise((done) => setTimeout(done, MIN_PAUSE + bytes / BYTES_PER_PAUSE));
    }
    this.isWorking = false;
  }

  private next(): vscode.Uri | undefined {
    const [first] = this.queue;
    this.queue.delete(first?.[0] ?? '');
    return first?.[1];
  }

  /** Gives the core a file as it is now, and returns its length in bytes. */
  private async read(uri: vscode.Uri): Promise<number> {
    const key = uri.toString();
    if (this.inEditor.has(key)) {
      return 0;
    }
    const isWanted = uri.path.endsWith('.cpz') && !!vscode.workspace.getWorkspaceFolder(uri);
    const content = isWanted ? await vscode.workspace.fs.readFile(uri).then(undefined, () => undefined) : undefined;
    if (this.isDisposed || this.inEditor.has(key)) {
      return 0;
    }
    if (!content || !this.hasSpace(uri, content.length)) {
      this.close(key);
      return 0;
    }
    this.show(key, new TextDecoder().decode(content), content.length);
    return content.length;
  }

  private hasSpace(uri: vscode.Uri, bytes: number): boolean {
    const others = [...this.opened].filter(([key]) => key !== uri.toString()).map(([, opened]) => opened.bytes);
    if (bytes > MAX_FILE) {
      this.output.info(`${uri.path} is checked only when it is open, because it is longer than ${MAX_FILE >> 10} KiB`);
      return false;
    }
    const fits = others.length < MAX_FILES && others.reduce((sum, size) => sum + size, bytes) <= MAX_BYTES;
    if (!fits && !this.isFull) {
      this.isFull = true;
      this.output.warn(`more than ${MAX_FILES} files, or more than ${MAX_BYTES >> 20} MiB: the others are checked only when they are open`);
    }
    return fits;
  }

  private show(uri: string, text: string, bytes: number): void {
    const known = this.opened.get(uri);
    const version = (known?.version ?? 0) + 1;
    this.opened.set(uri, { version, bytes });
    if (known) {
      this.notify('didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
    } else {
      this.notify('didOpen', { textDocument: { uri, languageId: 'cpz', version, text } });
    }
  }

  private close(uri: string): void {
    if (this.opened.delete(uri)) {
      this.notify('didClose', { textDocument: { uri } });
    }
  }

  private notify(what: string, params: unknown): void {
    this.send({ jsonrpc: '2.0', method: `textDocument/${what}`, params });
  }

  dispose(): void {
    this.isDisposed = true;
    vscode.Disposable.from(...this.subscriptions).dispose();
  }
}
