// The page in a browser, and what scenes do with it.
import assert from 'node:assert/strict';

/** The default timeout in milliseconds: a busy machine may take a while for a click. */
export const TIMEOUT = 20_000;

/** Waits until `get` returns a true value, and returns it; after the timeout throws an error with `what`. */
export async function until(get, what, ms = TIMEOUT) {
  const end = Date.now() + ms;
  for (;;) {
    const value = await get().catch(() => undefined);
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${ms / 1000} s: ${typeof what === 'function' ? await what() : what}`);
    await new Promise((done) => setTimeout(done, 40));
  }
}

export class Page {
  constructor(page, address) {
    Object.assign(this, { page, address, complaints: [], hosts: new Set() });
    page.setDefaultTimeout(TIMEOUT);
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(String(error.stack)));
    page.on('request', (request) => /^(blob|data):/.test(request.url()) || this.hosts.add(new URL(request.url()).host));
  }

  async load(fragment = '', waits = true) {
    await this.page.goto(this.address + fragment);
    if (waits) await this.ready();
    return this;
  }

  /** Waits for the core. */
  async ready() {
    await until(async () => (await this.locator('#status').textContent()) === '', 'the core is ready');
  }

  locator(selector, options) {
    return this.page.locator(selector, options);
  }

  get board() {
    return this.page.frameLocator('#board');
  }

  square(name) {
    return this.board.locator(`[data-square="${name}"]`);
  }

  /** The text; of a long one only the lines on the screen. */
  text() {
    return this.locator('.cm-content').evaluate((content) => content.cmTile?.view?.state.doc.toString() ?? content.cmView.view.state.doc.toString());
  }

  async has(expected) {
    const fits = (text) => (expected instanceof RegExp ? expected.test(text) : text.includes(expected));
    await until(async () => fits(await this.text()), async () => `${expected} in ${await this.text()}`);
  }

  async says(selector, pattern) {
    const read = () => (typeof selector === 'string' ? this.locator(selector) : selector).first().textContent();
    await until(async () => pattern.test(await read()), async () => `${selector} like ${pattern}, not ${await read().catch(String)}`);
  }

  /** Types at the place of an offset, like a person. */
  async at(offset) {
    await this.locator('.cm-content').evaluate((content, anchor) => {
      const view = content.cmTile?.view ?? content.cmView.view;
      view.dispatch({ selection: { anchor } });
      view.focus();
    }, offset);
  }

  async type(text, delay = 20) {
    for (const c of text) {
      await (c === '\n' ? this.page.keyboard.press('Enter') : this.page.keyboard.type(c));
      await this.page.waitForTimeout(delay);
    }
  }

  async press(...keys) {
    for (const key of keys) await this.page.keyboard.press(key);
  }

  /** Replaces the whole text as a paste does. */
  async write(text) {
    await this.locator('.cm-content').evaluate((content, insert) => {
      const view = content.cmTile?.view ?? content.cmView.view;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert }, selection: { anchor: 0 }, userEvent: 'input.paste' });
    }, text);
  }

  async menu(button, item) {
    await this.locator(button).click();
    await this.page.getByRole('menuitem', { name: item }).click();
  }

  async middle(square) {
    const box = await until(() => this.square(square).boundingBox(), square);
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async drag(from, to) {
    const [start, end] = [await this.middle(from), await this.middle(to)];
    await this.page.mouse.move(start.x, start.y);
    await this.page.mouse.down();
    await this.page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 4 });
    await this.page.mouse.move(end.x, end.y, { steps: 4 });
    await this.page.mouse.up();
  }

  /** Drops a file on the page, as a file manager does. */
  async drop(name, content) {
    const data = await this.page.evaluateHandle(
      ([file, text]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([text], file));
        return transfer;
      },
      [name, content],
    );
    for (const type of ['dragenter', 'dragover', 'drop']) await this.locator('#text').dispatchEvent(type, { dataTransfer: data });
  }

  quiet() {
    assert.deepEqual(this.complaints, []);
  }
}
