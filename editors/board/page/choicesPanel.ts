// The page with changes to choose from in VS Code.
import type { FromChoices, ToChoices } from '../choices';
import { showChoices } from './choices';
import { byId } from './page';

declare function acquireVsCodeApi(): { postMessage(message: FromChoices): void };

const editor = acquireVsCodeApi();
const none = () => editor.postMessage({ kind: 'none' });

window.addEventListener('message', ({ data }: MessageEvent<ToChoices>) => {
  byId('question').textContent = data.question;
  showChoices(byId('choices'), data.choices, (choice) => editor.postMessage({ kind: 'chosen', choice }));
});
window.addEventListener('keydown', ({ key }) => key === 'Escape' && none());
byId('none').addEventListener('click', none);
editor.postMessage({ kind: 'ready' });
