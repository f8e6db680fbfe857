// Starts the quick core before the rest of the page is there: the script of a worker is loaded by the page, which the rest keeps
// busy.
import { type EarlyWorker, QUICK } from '../../worker/connection';

declare global {
  interface Window {
    quick?: EarlyWorker;
  }
}

if (typeof WebAssembly === 'object' && typeof Worker === 'function') {
  const worker: EarlyWorker = new Worker('worker.js', { name: QUICK });
  worker.addEventListener('error', () => (worker.isBroken = true));
  window.quick = worker;
}
