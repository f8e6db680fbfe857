// Elements of the page.

export function byId<T extends Element = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) {
    throw new Error(`the page has no #${id}`);
  }
  return found as unknown as T;
}

export function element<K extends keyof HTMLElementTagNameMap>(tag: K, text: string): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  created.textContent = text;
  return created;
}

/** A drawing of the server as an element of the page. */
export function svgOf(svg: string): SVGElement {
  const picture = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  return document.importNode(picture, true) as unknown as SVGElement;
}
