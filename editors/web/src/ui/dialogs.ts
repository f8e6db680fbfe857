// Windows within the page: the page about a finding, a question of the server, a link.
import { type Choice, HOW_TO_CHOOSE } from '../../../board/choices';
import { showChoices } from '../../../board/page/choices';
import { markdown } from '../editor/markdown';
import { element } from './elements';

/** Opens a window with a title, something to read or choose, and buttons below. */
export function open(title: string, content: (Node | string)[], buttons: HTMLElement[]): HTMLDialogElement {
  const dialog = element('dialog');
  const heading = element('h2', title);
  heading.id = 'dialog-title';
  dialog.setAttribute('aria-labelledby', heading.id);
  const body = element('div', '', 'body');
  body.append(...content);
  const foot = element('div', '', 'foot');
  foot.append(...buttons);
  dialog.append(heading, body, foot);
  // The browser gives the focus back, but not to what is in the frame of the board.
  const before = document.activeElement;
  const inFrame = before instanceof HTMLIFrameElement ? before.contentDocument?.activeElement : undefined;
  dialog.addEventListener('close', () => {
    dialog.remove();
    (inFrame as HTMLElement | SVGElement | undefined)?.focus({ preventScroll: true });
  });
  // A click beside it closes it.
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  // The first button has the focus now, which may be below what is to be read.
  dialog.scrollTop = 0;
  return dialog;
}

function closeButton(label = 'Close'): HTMLButtonElement {
  const close = element('button', label, 'main');
  close.addEventListener('click', () => close.closest('dialog')?.close());
  return close;
}

/** Shows a text in Markdown. */
export function showPage(title: string, source: string): void {
  const close = closeButton();
  open(title, [markdown(source)], [close]);
  close.focus({ preventScroll: true });
}

/** Asks which of several answers is meant. Returns its number; undefined if none. */
export function choose(question: string, answers: string[]): Promise<number | undefined> {
  return new Promise((done) => {
    const list = element('div', '', 'answers');
    let chosen: number | undefined;
    for (const [number, answer] of answers.entries()) {
      const button = element('button', answer);
      button.addEventListener('click', () => {
        chosen = number;
        dialog.close();
      });
      list.append(button);
    }
    const dialog = open(question, [list], [closeButton('Change nothing')]);
    dialog.addEventListener('close', () => done(chosen));
    list.querySelector('button')?.focus();
  });
}

/** Asks which of several changes is meant, each with its board before and after. Returns its number; undefined if none. */
export function chooseBoard(question: string, choices: readonly Choice[]): Promise<number | undefined> {
  return new Promise((done) => {
    const list = element('ul', '', 'gallery-list choices');
    list.setAttribute('role', 'list');
    let chosen: number | undefined;
    const dialog = open(question, [element('p', HOW_TO_CHOOSE), list], [closeButton('Change nothing')]);
    dialog.classList.add('wide');
    dialog.addEventListener('close', () => done(chosen));
    showChoices(list, choices, (choice) => {
      chosen = choice;
      dialog.close();
    });
    // The first choice has the focus; what is asked stays in view.
    dialog.scrollTop = 0;
  });
}

/** Shows a text that could not be put into the clipboard, to copy by hand. */
export function showToCopy(title: string, text: string): void {
  const field = element('textarea');
  field.readOnly = true;
  field.value = text;
  field.setAttribute('aria-label', title);
  open(title, [field], [closeButton()]);
  field.select();
}
