// The page in a browser, and what scenes do with it.
import assert from 'node:assert/strict';

/**
 * The limit of every wait, in milliseconds. A wait ends by what it waits for, which takes as long as a slow machine needs;
 * what has not come after this time does not come.
 */
export const HUNG = 600_000;

/** Waits until `get` returns a true value, and returns it. What it hung on is told with `what`; `ms` is what `repeat` gives. */
export async function until(get, what, ms = HUNG) {
  // The clock is read for the limit alone.
  const end = Date.now() + ms;
  for (;;) {
    const value = await get().catch((error) => {
      // There is no page to wait for any more.
      if (/has been closed|crashed/i.test(error.message)) throw error;
    });
    if (value) return value;
    if (Date.now() > end) throw Object.assign(new Error(`hung on ${typeof what === 'function' ? await what() : what}`), { name: 'TimeoutError' });
    // The pause between two looks.
    await new Promise((done) => setTimeout(done, 40));
  }
}

/**
 * Acts again until the effect is there. `act` gets the milliseconds that it may wait for the effect, twice as many each time,
 * so that a slow machine is not interrupted for ever.
 */
export async function repeat(act, what) {
  for (let ms = 1000, all = 0; ; all += ms, ms *= 2) {
    try {
      return await act(ms);
    } catch (error) {
      if (error.name !== 'TimeoutError') throw error;
      if (all > HUNG) throw new Error(`hung on ${what} (${error.message.split('\n')[0]})`);
    }
  }
}

/**
 * Runs in the page before its scripts, so that nothing depends on how quick the machine is. Sentences stay until they are
 * closed. `time.stop()` stops the clock of the page's pauses, such as that after a key; `time.go()` lets a minute pass.
 * `checked` has the versions of the text that were sent and answered, and the number of findings; `asked` the requests that
 * have no answer yet. Texts that are only drawn do not count.
 */
function prepare() {
  const SENTENCE = 5000;
  const PAUSE = 1000;
  const [now, later, forget] = [Date.now.bind(Date), setTimeout.bind(window), clearTimeout.bind(window)];
  const held = new Map();
  let [stopped, ahead, last] = [undefined, 0, 0];
  Date.now = () => stopped ?? now() + ahead;
  window.setTimeout = (act, ms = 0, ...given) => {
    if (ms < PAUSE || (ms < SENTENCE && stopped === undefined)) return later(act, ms, ...given);
    if (ms < SENTENCE) held.set(--last, () => act(...given));
    return ms < SENTENCE ? last : 0;
  };
  window.clearTimeout = (id) => (held.delete(id) ? undefined : forget(id));
  window.time = {
    stop: () => (stopped = Date.now()),
    go: () => {
      [stopped, ahead] = [undefined, ahead + 60_000];
      const all = [...held.values()];
      held.clear();
      all.forEach((act) => act());
    },
  };
  const isText = ({ uri }) => !uri.startsWith('cpz-scratch:');
  window.checked = { sent: 0, answered: -1, findings: 0 };
  window.asked = new Set();
  if (!window.Worker) return;
  const note = ({ id, method, params } = {}) => {
    if (method && id !== undefined) window.asked.add(id);
    const { textDocument } = params ?? {};
    if (textDocument?.version && isText(textDocument)) window.checked.sent = textDocument.version;
  };
  window.Worker = class extends window.Worker {
    sent = new Set();

    constructor(...given) {
      super(...given);
      // What an `EarlyWorker` is told.
      JSON.parse(given[1]?.name ?? '[]').forEach(({ message }) => note(message));
      this.addEventListener('message', ({ data }) => {
        const { id, method, params, incomplete, error } = (this.isEnded ? undefined : data.message) ?? {};
        // What a core leaves out, a later one answers.
        if (!method && !(incomplete && error)) [window.asked, this.sent].forEach((ids) => ids.delete(id));
        if (method === 'textDocument/publishDiagnostics' && isText(params)) Object.assign(window.checked, { answered: params.version, findings: params.diagnostics.length });
      });
    }

    postMessage(data, ...more) {
      note(data.message);
      if (data.message?.method) this.sent.add(data.message.id);
      super.postMessage(data, ...more);
    }

    /** The page itself answers what a core has that it ends. */
    terminate() {
      this.isEnded = true;
      this.sent.forEach((id) => window.asked.delete(id));
      super.terminate();
    }
  };
}

export class Page {
  constructor(page, address) {
    Object.assign(this, { page, address, complaints: [], hosts: new Set() });
    page.on('console', (message) => message.type() === 'error' && this.complaints.push(message.text()));
    page.on('pageerror', (error) => this.complaints.push(String(error.stack)));
    page.on('request', (request) => /^(blob|data):/.test(request.url()) || this.hosts.add(new URL(request.url()).host));
  }

  async load(fragment = '', waits = true) {
    await this.page.addInitScript(prepare);
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

  /** Puts the cursor at an offset of the text. */
  async at(offset) {
    await this.locator('.cm-content').evaluate((content, anchor) => {
      const view = content.cmTile?.view ?? content.cmView.view;
      view.dispatch({ selection: { anchor } });
      view.focus();
    }, offset);
  }

  /**
   * Types; `pace` is the pause after each key in milliseconds. It chooses what the page has done when the next key comes; the
   * text must be the same whatever it has done.
   */
  async type(text, pace = 0) {
    for (const c of text) {
      await (c === '\n' ? this.page.keyboard.press('Enter') : this.page.keyboard.type(c));
      if (pace) await this.page.waitForTimeout(pace);
    }
  }

  /** Stops the clock of the pauses in the page, or lets them end. */
  async stopTime() {
    await this.page.evaluate(() => window.time.stop());
  }

  async letTimePass() {
    await this.page.evaluate(() => window.time.go());
  }

  /** Waits for the findings of the text as it is now, and returns their number, whether they are shown or not. */
  async checked() {
    const read = () => this.page.evaluate(() => window.checked);
    await until(async () => (await read()).answered === (await read()).sent, async () => `the findings of the last text, not ${JSON.stringify(await read())}`);
    return (await read()).findings;
  }

  /** Waits until the server has answered everything. */
  async answered() {
    await until(() => this.page.evaluate(() => !window.asked.size), 'the answers to all requests');
  }

  /** Waits until the browser has kept a text with `part`. */
  async kept(part) {
    await until(() => this.page.evaluate((p) => Object.values(localStorage).some((text) => text.includes(p)), part), `${part} in the storage`);
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

  /** Prints a sheet with what is chosen in the dialog, by its labels. `window.print` must count in `printed`. */
  async print(choices = {}) {
    const before = await this.page.evaluate(() => window.printed ?? 0);
    await this.locator('#print').click();
    const dialog = this.locator('#print-dialog');
    await dialog.locator('summary').click();
    for (const [label, value] of Object.entries(choices)) {
      const isTitle = label === 'Title page';
      const field = dialog.getByRole(isTitle ? 'textbox' : 'combobox', { name: label, exact: true });
      await (isTitle ? field.fill(value) : field.selectOption(value));
    }
    await dialog.getByRole('button', { name: 'Print' }).click();
    await until(() => this.page.evaluate((count) => window.printed > count, before), async () => `the sheet, not ${await dialog.textContent()}`);
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
