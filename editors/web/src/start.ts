// Starts the quick core before the rest of the page is there, with the text that the page begins with: when the page can show
// findings, they are known.
import { EarlyWorker } from '../../worker/early';
import { WELCOME } from './first';
import { holdsText, textOf } from './files/link';
import { TextStore } from './files/store';
import { INITIALIZE } from './lsp/capabilities';
import { FIRST_ID, INITIALIZED, initializeMessage, notification, openedText } from './lsp/opening';

declare global {
  interface Window {
    /** The core that was started; null when the page has begun. */
    early?: EarlyWorker | null;
    /** The text of the link with which the page was opened, if it has one. */
    linked?: Promise<string>;
  }
}

/** Starts a core with a text, or without one if there will be none. */
function start(text?: string): void {
  if (window.early !== null) {
    const opened = text === undefined ? [] : [notification('textDocument/didOpen', openedText(text.replace(/\r\n?/g, '\n')))];
    window.early = new EarlyWorker('worker.js', [initializeMessage(FIRST_ID, INITIALIZE), INITIALIZED, ...opened]);
  }
}

const canCheck = typeof WebAssembly === 'object' && typeof Worker === 'function';
if (holdsText(location.hash)) {
  window.linked = textOf(location.hash);
  // The page tells that a link is broken.
  window.linked.then(canCheck ? start : undefined, () => undefined);
} else if (canCheck) {
  start(new TextStore().restore()?.text ?? WELCOME);
}
