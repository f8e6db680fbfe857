// A file system in memory. Its files at the start are in `seed.json` beside this file, and `changes` answers when
// something else writes files; what is written here is also sent to `written`, where the tests read it.
const vscode = require('vscode');

const { FileType, FileSystemError, FileChangeType } = vscode;

class Memory {
  files = new Map();
  changed = new vscode.EventEmitter();
  onDidChangeFile = this.changed.event;

  constructor(folder, files, send) {
    Object.assign(this, { folder, send });
    for (const [name, text] of Object.entries(files)) this.files.set(`${folder}/${name}`, new TextEncoder().encode(text));
  }

  watch() {
    return new vscode.Disposable(() => {});
  }

  below({ path }) {
    const start = path.endsWith('/') ? path : `${path}/`;
    return [...this.files.keys()].filter(name => name.startsWith(start)).map(name => name.slice(start.length));
  }

  stat(uri) {
    const file = this.files.get(uri.path);
    if (!file && uri.path !== this.folder && !this.below(uri).length) throw FileSystemError.FileNotFound(uri);
    return { type: file ? FileType.File : FileType.Directory, ctime: 0, mtime: file?.time ?? 0, size: file?.length ?? 0 };
  }

  readDirectory(uri) {
    const found = new Map();
    for (const name of this.below(uri)) {
      const [first, ...rest] = name.split('/');
      found.set(first, rest.length ? FileType.Directory : FileType.File);
    }
    return [...found];
  }

  readFile(uri) {
    const file = this.files.get(uri.path);
    if (!file) throw FileSystemError.FileNotFound(uri);
    return file;
  }

  async writeFile(uri, content) {
    const type = this.files.has(uri.path) ? FileChangeType.Changed : FileChangeType.Created;
    this.files.set(uri.path, Object.assign(content.slice(), { time: Date.now() }));
    this.changed.fire([{ type, uri }]);
    await this.send(uri.path, new TextDecoder().decode(content));
  }

  /** Takes a file that something else has written; null deletes it. */
  take(path, text) {
    const uri = vscode.Uri.from({ scheme: 'memory', path });
    const type = text === null ? FileChangeType.Deleted : this.files.has(path) ? FileChangeType.Changed : FileChangeType.Created;
    text === null ? this.files.delete(path) : this.files.set(path, Object.assign(new TextEncoder().encode(text), { time: Date.now() }));
    this.changed.fire([{ type, uri }]);
  }

  async delete(uri) {
    this.files.delete(uri.path);
    this.changed.fire([{ type: FileChangeType.Deleted, uri }]);
    await this.send(uri.path, null);
  }

  rename() {
    throw FileSystemError.Unavailable('rename');
  }

  createDirectory() {}
}

exports.activate = async ({ extensionUri, subscriptions }) => {
  const seed = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, 'seed.json'));
  const address = vscode.Uri.joinPath(extensionUri, 'written').toString(true);
  const { folder, files } = JSON.parse(new TextDecoder().decode(seed));
  const send = (path, text) => fetch(address, { method: 'POST', body: JSON.stringify([path.slice(folder.length + 1), text]) });
  const memory = new Memory(folder, files, send);
  const listen = async () => {
    for (;;) {
      const response = await fetch(vscode.Uri.joinPath(extensionUri, 'changes').toString(true));
      for (const [name, text] of Object.entries(await response.json())) memory.take(`${folder}/${name}`, text);
    }
  };
  void listen().catch(() => undefined);
  subscriptions.push(vscode.workspace.registerFileSystemProvider('memory', memory, { isCaseSensitive: true }));
};
