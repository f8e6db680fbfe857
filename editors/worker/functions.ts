// The functions of the package for npm, which the complete module has beside the server.
import type { FromWorker, ToWorker } from './worker';

/** A call of a function, by its name in JavaScript. The text goes with it. */
export interface FunctionCall {
  function: string;
  /** What stands beside the text, such as the key to sort by. */
  argument?: string;
  options?: Record<string, unknown>;
}

/** The exports of the complete module that the functions need. */
interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  call(request: number, requestLength: number, file: number, fileLength: number): number;
  out(): number;
}

/** Calls a function in an instance of its own. Throws an error with a sentence if it refuses, or the module traps. */
export function callFunction(module: WebAssembly.Module, call: FunctionCall, text: string): unknown {
  const encoder = new TextEncoder();
  const { memory, alloc, call: run, out } = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
  const given = [JSON.stringify(call), text].flatMap((part) => {
    const bytes = encoder.encode(part);
    const buffer = alloc(bytes.length);
    new Uint8Array(memory.buffer, buffer, bytes.length).set(bytes);
    return [buffer, bytes.length];
  }) as [number, number, number, number];
  let length;
  try {
    length = run(...given);
  } catch (cause) {
    throw new Error('it needs more memory than there is, or cpz has a defect', { cause });
  }
  const response = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, out(), length))) as { ok?: unknown; error?: { message: string } };
  if (response.error) {
    throw new Error(response.error.message);
  }
  return response.ok;
}

/**
 * Calls a function in a worker, which ends with it or with the signal. `script` is `worker.ts` as JavaScript, `module` the
 * complete module. Fails with a sentence, or with the signal's reason.
 */
export function callInWorker<R>(script: string, module: WebAssembly.Module, call: FunctionCall, text: string, signal?: AbortSignal): Promise<R> {
  return new Promise<R>((done, failed) => {
    if (signal?.aborted) {
      return failed(signal.reason);
    }
    const worker = new Worker(script);
    const end = () => worker.terminate();
    signal?.addEventListener('abort', () => {
      end();
      failed(signal.reason);
    });
    worker.addEventListener('error', (event) => {
      event.preventDefault();
      end();
      failed(new Error('a part of cpz could not be loaded'));
    });
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      end();
      'result' in data ? done(data.result as R) : failed(new Error('failed' in data ? data.failed : ''));
    });
    worker.postMessage({ call: { module, call, text } } satisfies ToWorker);
  });
}
