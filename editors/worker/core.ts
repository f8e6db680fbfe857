// The core of cpz as a WebAssembly module: a language server as a function from one message to messages.

/** A request, a notification or a response of JSON-RPC. */
export interface Message {
  jsonrpc: '2.0';
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
  /** Of a response: a core with slow searches may know more. */
  incomplete?: boolean;
}

/** The exports of the module. */
interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  start(slow: number): void;
  handle(buffer: number, length: number): number;
  work(): number;
  pending(): number;
  out(): number;
}

export interface CoreOptions {
  /** Whether `work` runs slow searches. Without them every answer is quick, and may be `incomplete`. */
  slow?: boolean;
}

/** The error of the protocol for a request that the core could not answer. */
const INTERNAL_ERROR = -32603;
/** `window/showMessage`: an error. */
const SHOW_ERROR = 1;

/**
 * The core. It never throws for a message: if the module traps, it is instantiated anew, the texts are opened again, and
 * the request that was the reason is answered by an error.
 */
export class Core {
  private exports: Exports;
  private readonly encoder = new TextEncoder();
  private readonly decoder = new TextDecoder();
  private readonly session = new SessionRecord();

  private constructor(
    private readonly module: WebAssembly.Module,
    private readonly options: CoreOptions,
  ) {
    this.exports = this.instantiate();
  }

  /** A core from the bytes of the module, or from a module that is compiled already. */
  static async create(source: BufferSource | WebAssembly.Module, options: CoreOptions = {}): Promise<Core> {
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    return new Core(module, options);
  }

  /** Takes a message of the client and returns the messages for it, in order. */
  handle(message: Message): Message[] {
    this.session.record(message);
    try {
      return this.call(message);
    } catch (trap) {
      return [...this.recover(trap), ...answerFailed(message)];
    }
  }

  /** Runs one slow search, if any waits, and returns the messages for the client. This may take seconds. */
  work(): Message[] {
    try {
      return this.messages(this.exports.work());
    } catch (trap) {
      return this.recover(trap);
    }
  }

  /** How many slow searches wait. */
  get pending(): number {
    return this.exports.pending();
  }

  private instantiate(): Exports {
    const { exports } = new WebAssembly.Instance(this.module, {});
    const core = exports as unknown as Exports;
    if (this.options.slow) {
      core.start(1);
    }
    return core;
  }

  private call(message: Message): Message[] {
    const bytes = this.encoder.encode(JSON.stringify(message));
    const buffer = this.exports.alloc(bytes.length);
    new Uint8Array(this.exports.memory.buffer, buffer, bytes.length).set(bytes);
    return this.messages(this.exports.handle(buffer, bytes.length));
  }

  private messages(length: number): Message[] {
    const bytes = new Uint8Array(this.exports.memory.buffer, this.exports.out(), length);
    return JSON.parse(this.decoder.decode(bytes)) as Message[];
  }

  /** Begins anew with the same settings and texts. A text that makes the module trap again is left out. */
  private recover(trap: unknown): Message[] {
    const messages: Message[] = [];
    this.exports = this.instantiate();
    for (const message of this.session.replay()) {
      try {
        // What was answered before is not answered again, and nothing is asked again.
        messages.push(...this.call(message).filter((m) => m.method === 'textDocument/publishDiagnostics'));
      } catch {
        const { uri } = (message.params as { textDocument?: { uri?: string } }).textDocument ?? {};
        this.session.forget(uri);
        messages.push(showError(`cpz cannot read ${uri ?? 'a text'}: it has a defect; please report it.`));
        this.exports = this.instantiate();
        return [...messages, ...this.recover(trap)];
      }
    }
    const why = trap instanceof Error ? trap.message : String(trap);
    console.error(`cpz begins anew: ${why}`);
    return messages;
  }
}

/** Loads a module, and compiles it meanwhile if the host names its type. */
export async function loadModule(address: string): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${response.status} ${response.statusText}`.trim());
  }
  const isNamed = response.headers.get('Content-Type') === 'application/wasm';
  return isNamed ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

function showError(message: string): Message {
  return { jsonrpc: '2.0', method: 'window/showMessage', params: { type: SHOW_ERROR, message } };
}

function answerFailed({ id, method }: Message): Message[] {
  if (id === undefined || method === undefined) {
    return [];
  }
  return [{ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: 'Internal error' } }];
}

/** A call with more arguments may not fit on the stack. */
const MAX_ARGUMENTS = 10_000;

interface Position {
  line: number;
  character: number;
}

interface Change {
  range?: { start: Position; end: Position };
  text: string;
}

interface TextMessage {
  textDocument: { uri: string; version: number; languageId?: string; text: string };
  contentChanges: Change[];
}

/** What a session needs to begin anew: how it was initialized, its settings, and the texts as they are now. */
export class SessionRecord {
  private initialize: Message | undefined;
  private initialized: Message | undefined;
  private settings: Message | undefined;
  private readonly texts = new Map<string, OpenText>();

  /** Keeps what a message changes. */
  record(message: Message): void {
    const params = message.params as TextMessage;
    switch (message.method) {
      case 'initialize':
        this.initialize = message;
        break;
      case 'initialized':
        this.initialized = message;
        break;
      case 'workspace/didChangeConfiguration':
        this.settings = message;
        break;
      case 'textDocument/didOpen':
        this.texts.set(params.textDocument.uri, new OpenText(params.textDocument));
        break;
      case 'textDocument/didChange':
        this.texts.get(params.textDocument.uri)?.change(params.textDocument.version, params.contentChanges);
        break;
      case 'textDocument/didClose':
        this.texts.delete(params.textDocument.uri);
        break;
    }
  }

  /** Leaves a text out from now on. */
  forget(uri: string | undefined): void {
    this.texts.delete(uri ?? '');
  }

  /** The messages that lead to the present session. */
  replay(): Message[] {
    const start = [this.initialize, this.initialized, this.settings].filter((m) => m !== undefined);
    const open = [...this.texts.values()].map((text): Message => ({
      jsonrpc: '2.0',
      method: 'textDocument/didOpen',
      params: { textDocument: text.item() },
    }));
    return [...start, ...open];
  }
}

/** A text as lines, so that an edit costs as much as the lines that it touches. Columns count UTF-16 units. */
export class OpenText {
  private lines: string[];
  private version: number;

  constructor(private readonly opened: TextMessage['textDocument']) {
    this.lines = splitLines(opened.text);
    this.version = opened.version;
  }

  change(version: number, changes: Change[]): void {
    this.version = version;
    for (const { range, text } of changes) {
      if (range === undefined) {
        this.lines = splitLines(text);
      } else {
        this.replace(range.start, range.end, text);
      }
    }
  }

  item(): TextMessage['textDocument'] {
    return { ...this.opened, version: this.version, text: this.lines.join('') };
  }

  private replace(start: Position, end: Position, text: string): void {
    const last = this.lines.length - 1;
    const [head, tail] = [this.until(start), this.from(end)];
    // A line break may come together at either end, so the lines next to the edit are split again with it.
    const first = Math.max(0, Math.min(start.line, last) - 1);
    const after = Math.min(end.line, last) + 1;
    const before = start.line > 0 ? (this.lines[first] ?? '') : '';
    const edited = (first < Math.min(start.line, last) ? before : '') + head + text + tail + (this.lines[after] ?? '');
    const made = splitLines(edited, after >= last + 1);
    if (made.length < MAX_ARGUMENTS) {
      this.lines.splice(first, after - first + 1, ...made);
    } else {
      this.lines = this.lines.slice(0, first).concat(made, this.lines.slice(after + 1));
    }
  }

  private until({ line, character }: Position): string {
    const last = this.lines.length - 1;
    return line > last ? (this.lines[last] ?? '') : content(this.lines[line] ?? '').slice(0, character);
  }

  private from({ line, character }: Position): string {
    const text = this.lines[line] ?? '';
    return text.slice(Math.min(character, content(text).length));
  }
}

/** A line without its line break. */
function content(line: string): string {
  return line.replace(/\r?\n$|\r$/, '');
}

/** The lines of a text with their line breaks. The last line of a text has none, and may be empty. */
function splitLines(text: string, isEnd = true): string[] {
  const lines: string[] = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  if (isEnd && (lines.length === 0 || /[\r\n]$/.test(lines[lines.length - 1] ?? ''))) {
    lines.push('');
  }
  return lines;
}
