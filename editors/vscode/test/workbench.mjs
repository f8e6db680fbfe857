// A page object for one window of the workbench: what a user sees and types.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repeat, until } from './vscode.mjs';

/** Writes files into a folder; a name may contain folders. */
export function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Records the messages of a page: VS Code hides one after some seconds, in which a busy machine may not look at it. */
function recordMessages() {
  window.recordedMessages = [];
  const texts = new WeakMap();
  const shown = document.getElementsByClassName('notification-list-item-message');
  new MutationObserver(() => {
    for (const item of shown) {
      const text = item.textContent.replace(/\s+/g, ' ').trim();
      if (!text || texts.get(item) === text) continue;
      texts.set(item, text);
      window.recordedMessages.push(text);
    }
  }).observe(document, { childList: true, characterData: true, subtree: true });
}

export class Workbench {
  constructor(page, server, folder) {
    Object.assign(this, { page, server, folder, until, policyErrors: [], earlierServers: server.languageServers() });
    this.keyboard = page.keyboard;
    page.on('console', message => {
      if (/Content Security Policy|Refused to/i.test(message.text())) this.policyErrors.push(message.text());
    });
  }

  async load(file, { ready = true } = {}) {
    await this.page.addInitScript(recordMessages);
    await this.page.goto(this.server.url(this.folder, file));
    await this.page.locator('.monaco-workbench .statusbar').waitFor();
    if (file) await this.editor.locator('.view-line').first().waitFor();
    if (ready) await this.status.waitFor();
  }

  // ---- State

  get editor() {
    return this.page.locator('.editor-group-container.active .monaco-editor[role="code"]').first();
  }

  /** The status bar item of the extension. */
  get status() {
    return this.page.locator('.statusbar-item a[aria-label^="cpz"]').first();
  }

  get errors() {
    return this.editor.locator('.squiggly-error');
  }

  get lenses() {
    return this.page.locator('.codelens-decoration');
  }

  lens(title) {
    return this.page.locator('.codelens-decoration a', { hasText: title }).first();
  }

  /**
   * Clicks a lens until the effect is seen; `effect` gets the milliseconds that it may wait. VS Code makes the lenses
   * anew whenever the server tells that some have changed, and a click between two elements is lost.
   */
  async clickLens(title, effect) {
    const lens = this.lens(title);
    await lens.waitFor();
    return repeat(async ms => {
      // What the lens does may remove it.
      if (await lens.isVisible()) await lens.click({ timeout: ms });
      return effect(ms);
    }, `the effect of the lens ${title}`);
  }

  get widget() {
    return this.page.locator('.quick-input-widget');
  }

  /** The visible lines of the editor, with inlay hints. */
  async text() {
    const lines = await this.editor.locator('.view-line').evaluateAll(all =>
      all
        .map(line => [parseFloat(line.style.top), line.textContent])
        .sort((a, b) => a[0] - b[0])
        .map(([, text]) => text.replaceAll('\u00a0', ' ').replace(/[\u200b-\u200f\ufeff]/g, '')),
    );
    return lines.join('\n');
  }

  see(part, ms) {
    const has = async () => {
      const text = await this.text();
      return part instanceof RegExp ? part.test(text) : text.includes(part);
    };
    return until(has, async () => `the text has ${part}; it is now\n${await this.text()}`, ms);
  }

  /** Writes files into the folder from outside of VS Code. */
  write(files) {
    write(this.folder, files);
  }

  /** The text of a file on disk. */
  disk(file) {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  /** The notifications at the bottom right. */
  async messages() {
    const all = this.page.locator('.notifications-toasts .notification-list-item-message');
    return (await all.allInnerTexts()).map(t => t.replace(/\s+/g, ' ').trim());
  }

  /** Waits for a message, which may have been shown and hidden since the last one that was waited for. */
  async message(pattern, ms) {
    const recorded = () => this.page.evaluate(() => window.recordedMessages);
    const found = async () => [...(await this.messages()), ...(await recorded())].find(text => pattern.test(text));
    const text = await until(found, async () => `a message like ${pattern}; there were ${JSON.stringify(await recorded())}`, ms);
    await this.page.evaluate(text => (window.recordedMessages = window.recordedMessages.filter(other => other !== text)), text);
    return text;
  }

  button(title) {
    return this.page.locator('.notifications-toasts .monaco-button', { hasText: title }).first();
  }

  /** The rows of the Problems panel. */
  async problems() {
    const rows = await this.page.locator('.markers-panel .monaco-list-row').allInnerTexts();
    return rows.map(t => t.replace(/\s+/g, ' ').trim());
  }

  problem(pattern, ms) {
    const found = async () => (await this.problems()).find(text => pattern.test(text));
    return until(found, async () => `a problem like ${pattern}; there are ${JSON.stringify(await this.problems())}`, ms);
  }

  // ---- Actions

  press(...keys) {
    return keys.reduce((before, key) => before.then(() => this.keyboard.press(key)), Promise.resolve());
  }

  type(text) {
    return this.keyboard.type(text);
  }

  /** Puts the focus into the first editor group, which has the text. */
  async focusEditor() {
    const cursorItem = this.page.locator('.statusbar-item', { hasText: 'Ln ' }).first();
    // A click into a webview moves the focus with a delay, so the key may come too early.
    await repeat(async ms => {
      await this.press('Control+1');
      await cursorItem.waitFor({ timeout: ms });
      await this.focused(ms);
    }, 'the cursor in the text');
  }

  focused(ms) {
    const inside = () => this.page.evaluate(() => !!document.activeElement?.closest('.editor-group-container .monaco-editor'));
    return until(inside, 'the focus in the text', ms);
  }

  /** Waits for the cursor at a line and column, both from 1, with `count` characters selected. */
  async cursor(line, column, count, ms) {
    const expected = `Ln ${line}, Col ${column}${count ? ` (${count} selected)` : ''}`;
    const item = this.page.locator('.statusbar-item', { hasText: 'Ln ' });
    await until(
      async () => (await item.allInnerTexts()).some(text => text.trim() === expected),
      async () => `the cursor at ${expected}, not ${await item.allInnerTexts()}`,
      ms,
    );
  }

  /** Puts the cursor on a line and a column, both from 1. */
  async at(line, column = 1) {
    // A webview that has just been shown takes the focus with a delay, and with it the key that closes the box.
    await repeat(async ms => {
      await this.closeWidget(ms);
      await this.focusEditor();
      await this.press('Control+g');
      await this.fill(`:${line}:${column}`, ms);
      await this.press('Enter');
      await this.widget.waitFor({ state: 'hidden', timeout: ms });
      await this.cursor(line, column, 0, ms);
      await this.focused(ms);
    }, `the cursor at ${line}:${column}`);
  }

  async fill(text, ms) {
    await this.widget.waitFor({ timeout: ms });
    await this.widget.locator('.quick-input-filter input, .quick-input-box input').first().fill(text, { timeout: ms });
  }

  /** Closes the quick input that an attempt before has left open. */
  async closeWidget(ms) {
    if (!(await this.widget.isVisible())) return;
    await this.widget.locator('input').first().focus({ timeout: ms });
    await this.press('Escape');
    await this.widget.waitFor({ state: 'hidden', timeout: ms });
  }

  /** Runs a command by its title in the palette. */
  async command(title) {
    const filter = `>${title.replace('…', '')}`;
    const input = this.widget.locator('.quick-input-filter input').first();
    // A closing palette swallows the key that opens the next one, a view that the last command opened may take the focus
    // and close the palette, the palette may ignore a key while it searches, and lists the commands of an extension late.
    await repeat(async ms => {
      await this.press('F1');
      await input.fill('>', { timeout: ms });
      await input.fill(filter, { timeout: ms });
      await this.pick(title, ms);
      const isOpen = async () => (await this.widget.isVisible()) && (await input.inputValue({ timeout: ms })) === filter;
      await until(async () => !(await isOpen()), 'the palette closed', ms);
    }, () => `the command ${title}`);
  }

  /**
   * Chooses a row of the quick pick by keyboard, since the list moves while it fills. Returns the text of the row. `ms` is
   * what `repeat` gives.
   */
  async pick(label, ms) {
    const options = { timeout: ms };
    const rows = this.widget.locator('.monaco-list-row');
    const has = text => (label instanceof RegExp ? label.test(text) : text.includes(label));
    await until(
      async () => (await rows.allInnerTexts()).some(has),
      async () => `a row ${label}; there are ${JSON.stringify(await rows.allInnerTexts())}`,
      ms,
    );
    const focused = this.widget.locator('.monaco-list-row.focused');
    for (let n = 0; n < 30; n++) {
      await focused.waitFor(options);
      const text = await focused.innerText(options);
      if (has(text)) {
        await this.press('Enter');
        return text;
      }
      await this.press('ArrowDown');
    }
    throw new Error(`the keyboard does not reach ${label}; there are ${JSON.stringify(await rows.allInnerTexts())}`);
  }

  /** Runs a command until its quick pick has a row with `label`; returns all rows. */
  async quickPickRows(title, label) {
    const rows = this.widget.locator('.monaco-list-row');
    // A view that takes the focus while the palette closes also closes the list.
    await repeat(async ms => {
      await this.command(title);
      await rows.filter({ hasText: label }).first().waitFor({ timeout: ms });
    }, `${title} with ${label}`);
    return rows.allInnerTexts();
  }

  /** Stops the clock of the extension, where that is possible. */
  async stopClock() {}

  async save() {
    await this.press('Control+s');
    await until(async () => !(await this.dirty()), 'the file saved');
  }

  async dirty() {
    return (await this.page.locator('.editor-group-container.active .tab.active.dirty').count()) > 0;
  }

  /** Opens a file in the first editor group, which has the text. */
  async open(file) {
    const inside = this.page.locator('.editor-group-container').first().locator('.tab.active', { hasText: file });
    const beside = this.page.locator('.editor-group-container.active .tab.active', { hasText: file });
    await repeat(async ms => {
      await this.closeWidget(ms);
      await this.press('Control+1', 'Control+p');
      await this.fill(file, ms);
      await this.pick(file, ms);
      await inside.or(beside).first().waitFor({ timeout: ms });
      // A webview beside the text takes the focus with a delay, and the file then covers it.
      if (!(await inside.isVisible())) await this.press('Control+w');
      await inside.waitFor({ timeout: ms });
    }, `the tab of ${file}`);
    await this.editor.locator('.view-line').first().waitFor();
  }

  /** Asks for suggestions at the cursor until one has the text. */
  async suggestion(text) {
    const row = this.page.locator('.suggest-widget .monaco-list-row', { hasText: text }).first();
    // The request is dropped when the list of an earlier one, which opens while a word is typed, is closing. In an open
    // list the key shows more about the row.
    await repeat(async ms => {
      await this.press('Control+Space');
      await row.waitFor({ timeout: ms });
    }, `the suggestion ${text}`);
  }

  /** Opens the menu of actions at the cursor and returns its rows. */
  async actions() {
    const rows = this.page.locator('.action-widget .monaco-list-row');
    // VS Code drops a request for the menu when its own one for the light bulb, 250 ms after the cursor has moved,
    // overtakes it, and closes the menu when a lens moves the lines.
    await repeat(async ms => {
      await this.press('Control+.');
      await rows.first().waitFor({ timeout: ms });
    }, 'a menu of actions');
    // Until the mouse moves, the menu takes no clicks. Over the menu it would choose another row.
    await this.page.mouse.move(1100, 600);
    await this.page.mouse.move(1110, 610);
    return rows;
  }

  /** Shows the hover at the cursor by keyboard: the mouse would miss after a lens has moved the lines. */
  async hover() {
    const hover = this.page.locator('.monaco-hover:visible').first();
    // A lens that moves the lines closes the hover.
    await repeat(async ms => {
      await this.press('Control+k', 'Control+i');
      await hover.waitFor({ timeout: ms });
    }, 'a hover');
    return hover;
  }

  async showProblems() {
    await this.command('Problems: Focus on Problems View');
    await this.page.locator('.markers-panel').waitFor();
  }

  /** The frame of the webview that contains an element. */
  async webview(selector, ms) {
    const find = async () => {
      for (const frame of this.page.frames()) {
        if (frame === this.page.mainFrame()) continue;
        if (await frame.evaluate(s => !!document.querySelector(s), selector).catch(() => false)) return frame;
      }
    };
    return until(find, `a webview with ${selector}`, ms);
  }
}
