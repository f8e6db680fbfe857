// Starts the page.
import { App } from './app';
import { type Connection, WorkerConnection } from '../../worker/connection';
import { wire } from './wiring';

/** The files for offline use are loaded after this time, in milliseconds: not while the page itself loads. */
const OFFLINE_DELAY = 1000;

/** Takes the place of the core where there can be none. */
class NoConnection implements Connection {
  onMessage = () => undefined;
  onFailure: (why: string) => void = () => undefined;
  onSearch = () => undefined;

  call(): Promise<never> {
    return Promise.reject(new Error('Nothing can be printed: this browser has no WebAssembly, or it is turned off.'));
  }

  send(): void {
    queueMicrotask(() => this.onFailure('this browser has no WebAssembly, or it is turned off.'));
  }
}

const canCheck = typeof WebAssembly === 'object' && typeof Worker === 'function';
/** The first connection gets the worker that `start.ts` has started. */
const connect = () => {
  const early = window.early ?? undefined;
  window.early = null;
  return new WorkerConnection('worker.js', undefined, early);
};
const app = new App(() => (canCheck ? connect() : new NoConnection()));
wire(app);
void app.start();
// Browsers have none on insecure hosts, and some settings refuse it.
if (navigator.serviceWorker as ServiceWorkerContainer | undefined) {
  // Without it the page works, but not offline.
  setTimeout(() => navigator.serviceWorker.register('sw.js').catch(() => undefined), OFFLINE_DELAY);
}
