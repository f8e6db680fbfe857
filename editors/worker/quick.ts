// The quick core, which answers at once. A page begins with a small module that knows only what is asked while a text is first
// shown. When the complete module is loaded, a core with that one takes its place.
import { SessionRecord, type Message } from './core';
import type { EarlyWorker } from './early';
import type { FromWorker, ToWorker } from './worker';

/** The error of the protocol for what a core does not know. */
const METHOD_NOT_FOUND = -32601;
const FINDINGS = 'textDocument/publishDiagnostics';

export class QuickCore {
  onMessage: (message: Message) => void = () => undefined;
  onFailure: (why: string) => void = () => undefined;
  /** Is called when a request waits for the complete module. */
  onLeftOut: () => void = () => undefined;

  private readonly session = new SessionRecord();
  /** Requests without an answer, by id, and those of them that the small module has left out. */
  private readonly open = new Map<Message['id'], Message>();
  private readonly leftOut = new Set<Message['id']>();
  /** For each text the version whose findings were told last. */
  private readonly told = new Map<string, number>();
  private worker: Worker;
  /** A core with the complete module that is getting ready. */
  private next: Worker | undefined;
  private taken: Promise<void> | undefined;

  /**
   * A core in a worker that runs a script, which is `worker.ts` as JavaScript. Without `module` it begins with the small one
   * beside the script. `early` is a worker that runs the script already; what it was sent must be what is sent first.
   */
  constructor(
    private readonly script: string,
    module?: WebAssembly.Module,
    private early?: EarlyWorker,
  ) {
    this.taken = module && Promise.resolve();
    this.worker = early?.worker ?? new Worker(script);
    const fail = () => this.onFailure('the part that checks puzzles could not be loaded. Load the page again.');
    this.worker.addEventListener('error', (event) => {
      event.preventDefault();
      fail();
    });
    if (!early) {
      this.listen(this.worker);
      post(this.worker, { start: { slow: false, module } });
    } else if (early.isBroken) {
      // Who makes the core listens to it afterwards.
      queueMicrotask(fail);
    }
  }

  /** Sends a message, if it was not sent early. */
  send(message: Message): void {
    const { early } = this;
    this.session.record(message);
    if (message.method && hasId(message)) {
      // The next core gets the requests that are open when it takes over.
      this.open.set(message.id, message);
    } else if (this.next && !hasId(message)) {
      post(this.next, { message });
    }
    if (message.method === 'textDocument/didOpen') {
      this.told.clear();
    }
    const known = early?.sent.shift();
    if (!known || JSON.stringify(known) !== JSON.stringify(message)) {
      post(this.worker, { message });
    }
    if (early && known && !early.sent.length) {
      // All is said that it has answered.
      queueMicrotask(() => early.listen((data) => this.take(data)));
    }
  }

  /** Goes on with the complete module. Returns when its core has taken over, and fails with an error if it cannot. */
  complete(module: WebAssembly.Module): Promise<void> {
    return (this.taken ??= new Promise((done, failed) => this.replace(module, done, failed)));
  }

  /** Answers the requests that wait for the complete module. */
  refuse(error: { code: number; message: string }): void {
    for (const id of this.leftOut) {
      this.take({ message: { jsonrpc: '2.0', id, error } });
    }
  }

  dispose(): void {
    this.worker.terminate();
    this.next?.terminate();
  }

  private replace(module: WebAssembly.Module, done: () => void, failed: (error: Error) => void): void {
    const next = new Worker(this.script);
    this.next = next;
    next.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if ('failed' in data) {
        // The small module goes on.
        next.terminate();
        this.next = this.taken = undefined;
        failed(new Error(data.failed));
      } else if ('idle' in data) {
        this.takeOver(next);
        done();
      } else if ('message' in data && data.message.method === FINDINGS) {
        // All else the core before it has said.
        this.take(data);
      }
    };
    post(next, { start: { slow: false, module } });
    this.session.replay().forEach((message) => post(next, { message }));
    post(next, { when: 1 });
  }

  private takeOver(next: Worker): void {
    // What it has said last may still be on its way.
    this.worker.onmessage = null;
    this.worker.terminate();
    this.early = undefined;
    this.worker = next;
    this.next = undefined;
    this.listen(next);
    this.leftOut.clear();
    this.open.forEach((message) => post(next, { message }));
  }

  private listen(worker: Worker): void {
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.take(data);
  }

  private take(data: FromWorker): void {
    if ('failed' in data) {
      this.onFailure(data.failed);
    } else if ('message' in data && !this.isOld(data.message)) {
      const { message } = data;
      if (message.incomplete && message.error?.code === METHOD_NOT_FOUND) {
        this.leftOut.add(message.id);
        this.onLeftOut();
      } else {
        this.open.delete(message.id);
        this.leftOut.delete(message.id);
        this.onMessage(message);
      }
    }
  }

  /** Whether these are findings of a version when those of a later one were told: for a while two cores tell them. */
  private isOld({ method, params }: Message): boolean {
    if (method !== FINDINGS) {
      return false;
    }
    const { uri, version = 0 } = params as { uri: string; version?: number };
    if (version < (this.told.get(uri) ?? 0)) {
      return true;
    }
    this.told.set(uri, version);
    return false;
  }
}

function hasId({ id }: Message): boolean {
  return id !== undefined && id !== null;
}

/** Sends a message to the script `worker.ts`. */
export function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}
