// Elements of the page.

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`the page has no #${id}`);
  }
  return found as T;
}

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, text = '', className = ''): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  created.textContent = text;
  if (className) {
    created.className = className;
  }
  return created;
}

/** Whether text and board share the screen by turns. */
export function isNarrow(): boolean {
  return matchMedia('(max-width: 760px)').matches;
}
