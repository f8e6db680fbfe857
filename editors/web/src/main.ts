// Starts the page.
import { App } from './app';
import { type Connection, WorkerConnection } from '../../worker/connection';
import { wire } from './wiring';
import { tellTrouble } from './ui/notices';

const failing: Connection = {
  send: () => undefined,
  onMessage: () => undefined,
  onFailure: () => undefined,
  onSearch: () => undefined,
};

const canCheck = typeof WebAssembly === 'object' && typeof Worker === 'function';
const app = new App(() => (canCheck ? new WorkerConnection('worker.js') : failing));
if (!canCheck) {
  document.getElementById('status')?.replaceChildren('Not checking');
  tellTrouble('Nothing is checked here: this browser has no WebAssembly, or it is turned off. The text can still be edited and downloaded.');
}
wire(app);
void app.start();
// Browsers have none on insecure hosts, and some settings refuse it.
if (navigator.serviceWorker as ServiceWorkerContainer | undefined) {
  // Without it the page works, but not offline.
  navigator.serviceWorker.register('sw.js').catch(() => undefined);
}
