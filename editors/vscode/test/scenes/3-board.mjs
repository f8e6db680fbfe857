// The board beside the text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const three = `// The box says that this one is easy.
solitaire "Starter" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve
}

chess "Back rank" {
  board 3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1
  mate
  move Kxd8
}

chess3d "Bottom level" {
  board [###,n##,#rr],[#b#,###,###],[###,###,bRK]
  mate
}

draughts "Long way" {
  board [["W","K",1,1], ["B","M",3,3], ["B","M",6,6]]
  capture
}
`;

/** The panel of a window, by what its page shows. */
class Panel {
  constructor(window, frame) {
    Object.assign(this, { window, frame });
  }

  static async open(window, line) {
    await window.at(line, 3);
    await window.command('cpz: Show Board Beside');
    const panel = new Panel(window, await window.webview('#board svg'));
    return panel;
  }

  $(selector) {
    return this.frame.locator(selector);
  }

  text(selector) {
    return this.$(selector).innerText();
  }

  async shows(selector, pattern) {
    const text = async () => (await this.$(selector).textContent()).replace(/\s+/g, ' ').trim();
    await this.window.until(
      async () => pattern.test(await text()),
      async () => `${selector} like ${pattern}, not ${await text()}`,
    );
  }

  /** What stands on the squares: names of squares with a piece. */
  occupied() {
    return this.frame.evaluate(() =>
      [...document.querySelectorAll('#board svg [data-square]')]
        .filter(square => square.matches('.piece, :has(.piece)'))
        .map(square => square.dataset.square)
        .sort(),
    );
  }

  async pieces(count) {
    const now = () => this.$('#board svg .piece').count();
    await this.window.until(async () => (await now()) === count, async () => `${count} pieces, not ${await now()}`);
  }

  async tab(title) {
    await this.window.page.locator('.tab', { hasText: title }).first().waitFor();
  }

  square(name) {
    return this.$(`#board svg [data-square="${name}"]`).first();
  }
}

/** The selection in the text: the status bar tells of it when the text has the focus. */
async function selection(window, line, column, count) {
  await window.focusEditor();
  await window.cursor(line, column, count);
}

async function follows({ window, check, shot }) {
  const w = await window({ 'a.cpz': three }, 'a.cpz');
  let panel;
  await check('the panel shows the puzzle at the cursor', async () => {
    panel = await Panel.open(w, 8);
    await panel.pieces(3);
    await panel.tab('Board: Starter');
  });
  await check('its picture has a size', async () => {
    const box = await panel.$('#board svg').boundingBox();
    assert.ok(box.width > 100 && box.height > 100, JSON.stringify(box));
  });
  await shot('board');
  await check('it follows the cursor to another puzzle', async () => {
    await w.at(13, 4);
    await panel.tab('Board: Back rank');
    await panel.pieces(6);
  });
  await check('it follows what is typed, before it is saved', async () => {
    await w.at(12, 9);
    await w.press('Delete');
    await w.type('2Q');
    await panel.pieces(7);
    await w.until(() => w.dirty(), 'an unsaved text');
  });
  await shot('board-typed');
  await check('a puzzle with two questions has a button for each', async () => {
    const buttons = panel.$('#queries button');
    await w.until(async () => (await buttons.count()) === 2, 'two buttons');
    await buttons.nth(1).click();
    await selection(w, 14, 3);
  });
  await check('where there is no puzzle, it says so', async () => {
    await w.at(2, 1);
    await w.press('Control+a', 'Delete');
    await w.until(async () => !(await panel.$('#board svg').isVisible()), 'no board');
    assert.match(await panel.text('body'), /no puzzle/);
  });
  await check('nothing broke the policy of the page', () => assert.deepEqual(w.complaints, []));
}

async function steps({ window, check, shot }) {
  const w = await window({ 'a.cpz': three }, 'a.cpz');
  const panel = await Panel.open(w, 8);
  await check('a solution has its steps', () => panel.shows('#step', /^0 \/ 2$/));
  await check('a button shows the next one, and what is done', async () => {
    await panel.$('#next').click();
    await panel.shows('#step', /^1 \/ 2$/);
    await panel.pieces(2);
    await panel.shows('#caption', /bishop.*c1.*b2/);
  });
  await shot();
  await check('the others go on, back, to the start and to the end', async () => {
    for (const [button, step, pieces] of [['last', 2, 1], ['previous', 1, 2], ['first', 0, 3], ['next', 1, 2]]) {
      await panel.$(`#${button}`).click();
      await panel.shows('#step', new RegExp(`^${step} / 2$`));
      await panel.pieces(pieces);
    }
  });
  await check('so do the arrow keys, Home and End', async () => {
    for (const [key, step] of [['ArrowRight', 2], ['ArrowLeft', 1], ['Home', 0], ['End', 2]]) {
      await w.press(key);
      await panel.shows('#step', new RegExp(`^${step} / 2$`));
    }
  });
  await check('so do the commands, with the cursor in the text', async () => {
    await w.at(8, 4);
    await panel.shows('#step', /^0 \/ 2$/);
    for (const [title, step] of [['Next', 1], ['Last', 2], ['Previous', 1], ['First', 0]]) {
      await w.command(`cpz: Board: ${title} Step`);
      await panel.shows('#step', new RegExp(`^${step} / 2$`));
    }
  });
  await check('and two keys in the text', async () => {
    await w.at(8, 4);
    await w.press('Alt+PageDown', 'Alt+PageDown');
    await panel.shows('#step', /^2 \/ 2$/);
    await w.press('Alt+PageUp');
    await panel.shows('#step', /^1 \/ 2$/);
    assert.equal(await w.dirty(), false);
  });
}

async function failing({ window, check, shot, root }) {
  const text = readFileSync(join(root, 'examples/mistakes/source002-printed-solution.cpz'), 'utf8');
  const line = text.slice(0, text.indexOf('solve')).split('\n').length;
  const w = await window({ 'printed.cpz': text }, 'printed.cpz');
  const panel = await Panel.open(w, line);
  await check('the step that fails can be shown', async () => {
    await panel.$('#last').click();
    await panel.shows('#step', /^5 \/ 5$/);
  });
  await check('it says why', () => panel.shows('#caption.failed', /pawn.*d2.*b4/));
  await check('its squares are marked', async () => {
    const names = await panel.frame.evaluate(() =>
      [...document.querySelectorAll('#board svg .failed')].map(e => e.closest('[data-square]')?.dataset.square),
    );
    assert.ok(names.includes('d2') && names.includes('b4'), `marked are ${names}`);
  });
  await check('in red', async () => {
    const colour = await panel.$('#caption.failed').evaluate(e => getComputedStyle(e).color);
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number);
    assert.ok(r > g + 60 && r > b + 60, colour);
  });
  await shot();
}

async function levels({ window, check, shot }) {
  const w = await window({ 'a.cpz': three }, 'a.cpz');
  const panel = await Panel.open(w, 19);
  await check('three levels stand side by side', async () => {
    await panel.pieces(7);
    const boxes = [];
    for (const level of ['I', 'II', 'III']) boxes.push(await panel.square(`a1 (${level})`).boundingBox());
    const [first, second, third] = boxes;
    const apart = (a, b) => Math.abs(a.x - b.x) > 2 * a.width;
    assert.ok(apart(first, second) && apart(second, third), JSON.stringify(boxes));
    assert.ok(Math.abs(first.y - third.y) < 2, JSON.stringify(boxes));
  });
  await check('each of them whole within the page', async () => {
    const width = await panel.frame.evaluate(() => innerWidth);
    for (const level of ['I', 'II', 'III'])
      for (const square of ['a1', 'c3']) {
        const { x, right } = await panel.square(`${square} (${level})`).evaluate(e => e.getBoundingClientRect().toJSON());
        assert.ok(x >= 0 && right <= width, `${square} (${level}) from ${x} to ${right} of ${width}`);
      }
  });
  await shot();
}

async function squares({ window, check, shot }) {
  const w = await window({ 'a.cpz': three }, 'a.cpz');
  let panel = await Panel.open(w, 8);
  await check('a click on a square selects its cell in the text', async () => {
    await panel.square('b2').click();
    await selection(w, 6, 8, 1);
  });
  await shot();
  await check('an empty square too', async () => {
    await panel.square('d2').click();
    await selection(w, 6, 12, 1);
  });
  await check('in coordinates the entry', async () => {
    await w.at(24, 3);
    await panel.tab('Board: Long way');
    await panel.square('c3').click();
    await selection(w, 23, 38, 13);
  });
  await check('the keyboard is enough', async () => {
    await w.at(8, 3);
    await panel.tab('Board: Starter');
    await w.press('Control+2');
    const focused = () => panel.frame.evaluate(() => document.activeElement?.closest('[data-square]')?.dataset.square);
    for (let n = 0; n < 12 && !(await focused()); n++) await w.press('Tab');
    const start = await focused();
    assert.ok(start, 'Tab reaches no square');
    const [file, rank] = [start.charCodeAt(0) - 97, +start[1]];
    for (let n = file; n < 2; n++) await w.press('ArrowRight');
    for (let n = file; n > 2; n--) await w.press('ArrowLeft');
    for (let n = rank; n < 4; n++) await w.press('ArrowUp');
    for (let n = 4; n > 1; n--) await w.press('ArrowDown');
    assert.equal(await focused(), 'c1');
    await w.press('Enter');
    await selection(w, 7, 10, 1);
  });
}

async function words({ window, check }) {
  const w = await window({ 'a.cpz': three }, 'a.cpz');
  const panel = await Panel.open(w, 8);
  await check('the position is there in words', async () => {
    await panel.shows('#description', /knight.*d4/i);
    await panel.shows('#description', /rook.*b2/i);
  });
  await check('hidden from eyes, but not from screen readers', async () => {
    const { width, height, hidden } = await panel.$('#description').evaluate(e => ({
      width: e.getBoundingClientRect().width,
      height: e.getBoundingClientRect().height,
      hidden: getComputedStyle(e).display === 'none' || getComputedStyle(e).visibility === 'hidden',
    }));
    assert.ok(!hidden && width <= 2 && height <= 2, JSON.stringify({ width, height, hidden }));
  });
  await check('every square says what stands on it', async () => {
    assert.match((await panel.square('b2').getAttribute('aria-label')) ?? '', /rook/i);
    assert.match((await panel.square('a1').getAttribute('aria-label')) ?? '', /empty/i);
  });
  await check('every button has a name', async () => {
    for (const id of ['first', 'previous', 'next', 'last'])
      assert.match((await panel.$(`#${id}`).getAttribute('aria-label')) ?? '', /step/i);
  });
  await check('what changes is told', async () => {
    assert.equal(await panel.$('#caption').getAttribute('aria-live'), 'polite');
    const before = await panel.$('#description').textContent();
    await panel.$('#next').click();
    await panel.shows('#caption', /bishop/);
    assert.notEqual(await panel.$('#description').textContent(), before);
  });
  await check('the description of the puzzle is shown', () => panel.shows('body', /easy/));
}

/** How far two colours are apart, as the guidelines for accessible content reckon it. */
function contrast(one, other) {
  const light = colour => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(c => c / 255).map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

async function themes({ window, check, shot, root }) {
  const text = readFileSync(join(root, 'examples/mistakes/source002-printed-solution.cpz'), 'utf8');
  const line = text.slice(0, text.indexOf('solve')).split('\n').length;
  const w = await window({ 'printed.cpz': text, 'b.cpz': three }, 'printed.cpz');
  const panel = await Panel.open(w, line);
  await panel.$('#last').click();
  await panel.shows('#caption.failed', /./);
  const all = [
    ['light', 'Light+'],
    ['dark', 'Dark+'],
    ['high-contrast', 'Dark High Contrast'],
    ['high-contrast-light', 'Light High Contrast'],
  ];
  for (const [name, title] of all) {
    await check(`${name}: the words are readable`, async () => {
      await w.command('Preferences: Color Theme');
      await w.fill(title);
      await w.pick(title);
      await w.widget.waitFor({ state: 'hidden' });
      const kind = { light: 'light', dark: 'dark', 'high-contrast': 'high-contrast', 'high-contrast-light': 'high-contrast' }[name];
      await w.until(() => panel.frame.evaluate(k => document.body.className.includes(`vscode-${k}`), kind), `a ${kind} page`);
      // The page takes the new colours up after its class.
      await w.until(async () => {
        const [fore, back] = await panel.frame.evaluate(() => [
          getComputedStyle(document.querySelector('#caption')).color,
          getComputedStyle(document.body).getPropertyValue('--vscode-editor-background'),
        ]);
        const [r, g, b] = back.match(/\w\w/g).map(h => parseInt(h, 16));
        return contrast(fore, `rgb(${r}, ${g}, ${b})`) >= 4.5;
      }, 'a caption with a contrast of 4.5');
    });
    await shot(`theme ${name}`);
  }
}

export default { follows, steps, failing, levels, squares, words, themes };
