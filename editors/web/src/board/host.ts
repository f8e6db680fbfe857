// Runs in the frame before the page of the board: what VS Code gives that page, given by the page around it.
import { MARKUP } from '../../../board/markup';

declare global {
  interface Window {
    acquireVsCodeApi(): { postMessage(message: unknown): void; setState(): void };
  }
}

window.acquireVsCodeApi = () => ({
  postMessage: (message) => window.parent.postMessage(message, location.origin),
  setState: () => undefined,
});
// The page of the board hears only the page around it.
window.addEventListener(
  'message',
  (event) => {
    if (event.source !== window.parent || event.origin !== location.origin) {
      event.stopImmediatePropagation();
    }
  },
  true,
);
// The markup is a constant of the program.
document.body.append(...new DOMParser().parseFromString(MARKUP, 'text/html').body.childNodes);
// The class by which VS Code tells its theme.
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.body.classList.toggle('vscode-dark', dark.matches);
dark.addEventListener('change', follow);
follow();
