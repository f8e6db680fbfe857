// The connection to the core: messages of the language server protocol, in both directions. A quick core answers at once.
// Where its answer is not all that can be known, a slow core in a second worker searches on; it is ended when the text
// changes.
import { SCRATCH } from '../board/choices';
import { loadModule, type Message, SessionRecord } from './core';
import type { EarlyWorker } from './early';
import { callInWorker, type FunctionCall } from './functions';
import { post, QuickCore } from './quick';
import type { FromWorker, Start } from './worker';

/** The core takes messages in their order, so nothing needs to wait for the answer to `initialize`. */
export interface Connection {
  send(message: Message): void;
  onMessage: (message: Message) => void;
  /** Is called once, with a sentence, if no more messages will come. */
  onFailure: (why: string) => void;
  /** Is called when a search begins and ends. */
  onSearch: (isSearching: boolean) => void;
  /** Calls a function of the complete module. Fails with a sentence, or with the signal's reason. */
  call<R>(call: FunctionCall, text: string, signal?: AbortSignal): Promise<R>;
}

/** How long the text has to stay as it is before slow searches begin, in milliseconds. */
const SEARCH_DELAY = 400;
/** The error of the protocol for an answer that the text has outrun. */
const CONTENT_MODIFIED = -32801;
/** The error of the protocol for a defect. */
const INTERNAL_ERROR = -32603;
/** `window/showMessage`: a warning. */
const WARNING = 2;
/** How long a page works with the small module before the complete one is loaded, in milliseconds: not while it loads itself. */
const COMPLETE_DELAY = 1000;
/** The module that leaves nothing out. */
const COMPLETE = 'cpz-complete.wasm';
/** Marks the ids of what the slow core asks. */
const SLOW = 'slow/';

/** Requests whose quick answer is shown at once; they are asked again when a search has ended. */
const SHOWN_AT_ONCE = new Set([
  'textDocument/inlayHint',
  'textDocument/codeLens',
  'codeLens/resolve',
  'textDocument/documentSymbol',
  'textDocument/semanticTokens/range',
  'textDocument/hover',
]);

/** The complete module, from when it is first needed. All connections share it. */
let complete: Promise<WebAssembly.Module> | undefined;

/** A connection to cores in workers that run a script, which is `worker.ts` as JavaScript. */
export class WorkerConnection implements Connection {
  onMessage: (message: Message) => void = () => undefined;
  onFailure: (why: string) => void = () => undefined;
  onSearch: (isSearching: boolean) => void = () => undefined;

  private readonly session = new SessionRecord();
  private readonly quick: QuickCore;
  private slow: SlowWorker | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private loading: ReturnType<typeof setTimeout> | undefined;
  /** Requests without an answer, by id, each with the number of changes before it. */
  private readonly open = new Map<Message['id'], { request: Message; changes: number }>();
  /** Requests that wait for the slow core, and requests that it has. */
  private left: Message[] = [];
  private readonly taken = new Set<Message['id']>();
  /** Whether something is shown that the slow core knows better. */
  private isStale = false;

  /** How often a text has changed, and for each document which of the changes was its last. */
  private changes = 0;
  private readonly changed = new Map<string | undefined, number>();
  /** Whether the user knows that the complete module is missing. */
  private isMissingTold = false;

  /**
   * Both cores run `module`, which is a complete one. Without it, the quick core begins with the small one beside the script, and
   * the complete one is loaded soon after, or when it is needed. `early` is a worker for the quick core that runs the script
   * already; what it was sent must be what is sent first.
   */
  constructor(
    private readonly script: string,
    module?: WebAssembly.Module,
    early?: EarlyWorker,
  ) {
    complete = module ? Promise.resolve(module) : complete;
    this.quick = new QuickCore(script, module, early);
    this.quick.onFailure = (why) => this.onFailure(why);
    this.quick.onMessage = (message) => this.fromQuick(message);
    this.quick.onLeftOut = () => void this.loadComplete();
    if (!module) {
      // If it cannot be loaded, who needs it is told.
      this.loading = setTimeout(() => void this.compiled().catch(() => undefined), COMPLETE_DELAY);
    }
  }

  send(message: Message): void {
    const { id, method } = message;
    const isRequest = method !== undefined && id !== undefined && id !== null;
    if (!method) {
      // An answer belongs to the core that asked.
      const text = String(id);
      return text.startsWith(SLOW) ? this.slow?.send({ ...message, id: text.slice(SLOW.length) }) : this.quick.send(message);
    }
    if (documentOf(message)?.startsWith(`${SCRATCH}:`)) {
      // What is only drawn needs no search, and ends none.
      return this.quick.send(message);
    }
    this.session.record(message);
    if (isRequest) {
      this.open.set(id, { request: message, changes: this.changes });
      return this.slow?.isCurrent ? this.ask(this.slow, message) : this.quick.send(message);
    }
    this.quick.send(message);
    if (method.startsWith('textDocument/did') || method.startsWith('workspace/did')) {
      this.change(message);
    }
  }

  /** Passes a change on to the slow core, or ends it if it is searching: nothing else interrupts a search. */
  private change(message: Message): void {
    this.changes += 1;
    this.changed.set(documentOf(message), this.changes);
    this.drop(this.left.map(({ id }) => id));
    this.left = [];
    clearTimeout(this.timer);
    this.timer = undefined;
    this.isStale = false;
    if (this.slow?.isIdle) {
      this.slow.change(message);
    } else {
      this.end();
    }
  }

  private end(): void {
    if (this.slow) {
      this.slow.end();
      this.slow = undefined;
      this.drop([...this.taken]);
    }
    this.onSearch(false);
  }

  async call<R>(call: FunctionCall, text: string, signal?: AbortSignal): Promise<R> {
    let module;
    try {
      module = await this.compiled();
    } catch (error) {
      throw new Error(missing(error));
    }
    return callInWorker<R>(this.script, module, call, text, signal);
  }

  /** Ends both workers. */
  dispose(): void {
    clearTimeout(this.timer);
    clearTimeout(this.loading);
    this.quick.dispose();
    this.slow?.end();
  }

  /** Answers requests whose search has ended. */
  private drop(ids: Message['id'][], error = { code: CONTENT_MODIFIED, message: 'the text has changed' }): void {
    for (const id of ids) {
      this.answer({ jsonrpc: '2.0', id, error });
    }
  }

  private ask(slow: SlowWorker, request: Message): void {
    this.taken.add(request.id);
    slow.send(request);
  }

  private answer(message: Message): void {
    this.open.delete(message.id);
    this.taken.delete(message.id);
    this.onMessage(message);
  }

  private fromQuick(message: Message): void {
    const asked = message.method ? undefined : this.open.get(message.id);
    if (asked && message.incomplete) {
      this.search(asked.request, message, this.isOutdated(asked));
    } else if (message.method) {
      this.onMessage(message);
    } else {
      this.answer(message);
    }
  }

  /** Whether the document of a request has changed since: the change has ended the searches for it. */
  private isOutdated({ request, changes }: { request: Message; changes: number }): boolean {
    const document = documentOf(request);
    return document !== undefined && (this.changed.get(document) ?? 0) > changes;
  }

  /** A quick answer is not all that can be known. Nothing is searched for a text that is no longer there. */
  private search(request: Message, answer: Message, isOutdated: boolean): void {
    const params = request.params as { wait?: boolean } | undefined;
    if (SHOWN_AT_ONCE.has(request.method ?? '') || params?.wait === false) {
      this.isStale ||= !isOutdated;
      this.answer(answer);
    } else if (isOutdated) {
      this.drop([request.id]);
    } else {
      this.left.push(request);
    }
    if (isOutdated) {
      return;
    }
    if (this.slow) {
      this.flush();
      this.slow.check();
      this.onSearch(true);
    } else {
      this.timer ??= setTimeout(() => void this.startSearch(), SEARCH_DELAY);
    }
  }

  private async startSearch(): Promise<void> {
    this.timer = undefined;
    this.onSearch(true);
    const { changes } = this;
    const module = await this.loadComplete();
    if (!module || this.slow || changes !== this.changes) {
      return;
    }
    const slow = new SlowWorker(this.script, { slow: true, module });
    this.slow = slow;
    slow.onMessage = (message) => {
      if (slow === this.slow) {
        this.fromSlow(message);
      }
    };
    slow.onIdle = () => {
      if (slow === this.slow) {
        this.onSearch(false);
        if (this.isStale) {
          this.isStale = false;
          this.onMessage({ jsonrpc: '2.0', method: 'workspace/codeLens/refresh' });
        }
      }
    };
    this.session.replay().forEach((message) => slow.send(message));
    this.flush();
  }

  /** The complete module. If it cannot be loaded, what waits for it is refused; the next search tries again. */
  private async loadComplete(): Promise<WebAssembly.Module | undefined> {
    try {
      return await this.compiled();
    } catch (error) {
      const message = missing(error);
      const refusal = { code: INTERNAL_ERROR, message };
      this.quick.refuse(refusal);
      this.drop(this.left.splice(0).map(({ id }) => id), refusal);
      this.onSearch(false);
      if (!this.isMissingTold) {
        this.isMissingTold = true;
        this.onMessage({ jsonrpc: '2.0', method: 'window/showMessage', params: { type: WARNING, message: `cpz: ${message}` } });
      }
      return undefined;
    }
  }

  /** The complete module, which both cores have from then on. If it cannot be loaded, the next call tries again. */
  private async compiled(): Promise<WebAssembly.Module> {
    const loading = (complete ??= loadModule(new URL(COMPLETE, new URL(this.script, location.href)).href));
    try {
      const module = await loading;
      await this.quick.complete(module);
      return module;
    } catch (error) {
      complete = undefined;
      throw error;
    }
  }

  private flush(): void {
    const { slow } = this;
    if (slow) {
      this.left.forEach((request) => this.ask(slow, request));
      this.left = [];
    }
  }

  private fromSlow(message: Message): void {
    if (message.method === 'workspace/applyEdit') {
      // The oldest command has done its work. Its edit changes the text, which may end this core before it answers.
      const command = [...this.taken].find((id) => this.open.get(id)?.request.method === 'workspace/executeCommand');
      if (command !== undefined) {
        this.answer({ jsonrpc: '2.0', id: command, result: null });
      }
    }
    if (message.method === 'client/registerCapability') {
      // The quick core has asked for the same already.
      this.slow?.send({ jsonrpc: '2.0', id: message.id, result: null });
    } else if (message.method) {
      const id = message.id === undefined || message.id === null ? message.id : SLOW + message.id;
      this.onMessage({ ...message, id });
    } else if (this.open.has(message.id)) {
      // The answer to `initialize` of the slow core is for nothing.
      this.answer(message);
    }
  }
}

/** A slow core in a worker of its own. */
class SlowWorker {
  onMessage: (message: Message) => void = () => undefined;
  onIdle: () => void = () => undefined;
  private readonly worker: Worker;
  /** Whether it has searched the text as it is now: then it has better answers than the quick core. */
  isCurrent = false;
  private asked = 0;
  private answered = 0;

  constructor(script: string, start: Start) {
    this.worker = new Worker(script);
    this.worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if ('message' in data) {
        this.onMessage(data.message);
      } else if ('idle' in data) {
        this.answered = data.idle;
        if (this.isIdle) {
          this.isCurrent = true;
          this.onIdle();
        }
      }
    });
    post(this.worker, { start });
  }

  /** Sends a message. What it begins has ended when the worker is idle again. */
  send(message: Message): void {
    post(this.worker, { message });
    this.check();
  }

  /** Sends a change of the text. */
  change(message: Message): void {
    this.isCurrent = false;
    this.send(message);
  }

  /** Asks to be told when there is nothing to do. */
  check(): void {
    post(this.worker, { when: ++this.asked });
  }

  /** Whether it has done all that it was asked for. */
  get isIdle(): boolean {
    return this.answered === this.asked;
  }

  end(): void {
    this.worker.terminate();
  }
}

/** Says that the complete module could not be loaded. */
function missing(error: unknown): string {
  const why = error instanceof Error ? error.message : String(error);
  return `the file ${COMPLETE} could not be loaded (${why}). Without it, puzzles are checked with quick searches only. Nothing is completed, mended, moved on the board, imported, exported or printed.`;
}

/** The document that a message is about, if it names one. */
function documentOf(message: Message): string | undefined {
  return (message.params as { textDocument?: { uri?: string } } | undefined)?.textDocument?.uri;
}
