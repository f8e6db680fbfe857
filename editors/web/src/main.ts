// Starts the page.
import { App } from './app';
import { type Connection, WorkerConnection } from '../../worker/connection';
import { wire } from './wiring';

/** Takes the place of the core where there can be none. */
class NoConnection implements Connection {
  onMessage = () => undefined;
  onFailure: (why: string) => void = () => undefined;
  onSearch = () => undefined;

  send(): void {
    queueMicrotask(() => this.onFailure('this browser has no WebAssembly, or it is turned off.'));
  }
}

const canCheck = typeof WebAssembly === 'object' && typeof Worker === 'function';
const app = new App(() => (canCheck ? new WorkerConnection('worker.js') : new NoConnection()));
wire(app);
void app.start();
// Browsers have none on insecure hosts, and some settings refuse it.
if (navigator.serviceWorker as ServiceWorkerContainer | undefined) {
  // Without it the page works, but not offline.
  navigator.serviceWorker.register('sw.js').catch(() => undefined);
}
