// The keyboard focus after a click on what is no text.

/** Gives the focus to the text, except on a phone, where that would open the keyboard. */
export function returnFocus(): void {
  if (matchMedia('(pointer: fine)').matches) {
    document.querySelector<HTMLElement>('.cm-content')?.focus({ preventScroll: true });
  }
}
