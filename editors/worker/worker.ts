// The worker in which a core runs. A quick core answers at once; a slow one runs the searches that it leaves, and is ended
// when they are no longer wanted.
import { Core, loadModule, type Message } from './core';
import { callFunction, type FunctionCall } from './functions';

/** The first message to a worker. */
export interface Start {
  slow: boolean;
  /** The module. Without it, the worker loads the small one from beside its script. */
  module?: WebAssembly.Module;
}

/** A function to call in a worker without a core. */
export interface Call {
  module: WebAssembly.Module;
  call: FunctionCall;
  text: string;
}

/** To a worker: how it is to begin, a message for its core, a number that it gives back when it has nothing to do, or a call. */
export type ToWorker = { start: Start } | { message: Message } | { when: number } | { call: Call };
/** From a worker: a message of its core, the number of a `when`, what a call gives, or why it cannot go on. */
export type FromWorker = { message: Message } | { idle: number } | { result: unknown } | { failed: string };

/** The module that a page begins with: it checks and shows a text, and leaves all else to the complete one. */
const MODULE = 'cpz.wasm';

const post = (message: FromWorker) => self.postMessage(message);
let core: Core | undefined;
let waiting: ToWorker[] = [];
let asked: number[] = [];
let isWorking = false;

self.onmessage = ({ data }: MessageEvent<ToWorker>) => receive(data);
// What `EarlyWorker` says first. VS Code for the Web gives workers names of its own.
if (self.name.startsWith('[')) {
  (JSON.parse(self.name) as ToWorker[]).forEach(receive);
}

function receive(data: ToWorker): void {
  if ('start' in data) {
    void begin(data.start);
  } else if ('call' in data) {
    run(data.call);
  } else if (core) {
    take(core, data);
  } else {
    waiting.push(data);
  }
}

async function begin({ slow, module }: Start): Promise<void> {
  try {
    core = await Core.create(module ?? (await loadModule(MODULE)), { slow });
    for (const message of waiting) {
      take(core, message);
    }
    waiting = [];
  } catch (error) {
    post({ failed: `the file ${MODULE} could not be loaded (${error instanceof Error ? error.message : String(error)}).` });
  }
}

function run({ module, call, text }: Call): void {
  try {
    post({ result: callFunction(module, call, text) });
  } catch (error) {
    post({ failed: error instanceof Error ? error.message : String(error) });
  }
}

function take(to: Core, data: ToWorker): void {
  if ('message' in data) {
    to.handle(data.message).forEach((message) => post({ message }));
  } else if ('when' in data) {
    asked.push(data.when);
  }
  work(to);
}

/** Runs one search at a time: a message that comes in the meantime is read after the one that runs. */
function work(from: Core): void {
  if (isWorking) {
    return;
  }
  if (from.pending > 0) {
    isWorking = true;
    setTimeout(() => {
      from.work().forEach((message) => post({ message }));
      isWorking = false;
      work(from);
    });
    return;
  }
  asked.forEach((idle) => post({ idle }));
  asked = [];
}
