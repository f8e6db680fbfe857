// The board panel in detail: buttons, commands, keys, accessibility and themes.
import assert from 'node:assert/strict';
import { someGames as text } from '../texts.mjs';
import { repeat } from '../vscode.mjs';

/** The board panel of a window. */
export class Panel {
  constructor(window, frame) {
    Object.assign(this, { window, frame });
  }

  static async open(window, line) {
    await window.at(line, 3);
    await window.command('Chess Puzzles: Show Board Beside');
    return new Panel(window, await window.webview('#board svg'));
  }

  $(selector) {
    return this.frame.locator(selector);
  }

  async shows(selector, pattern) {
    const now = async () => (await this.$(selector).textContent()).replace(/\s+/g, ' ').trim();
    await this.window.until(async () => pattern.test(await now()), async () => `${selector} like ${pattern}, not ${await now()}`);
  }

  step(frame, frames) {
    return this.shows('#step', new RegExp(frame ? `^step ${frame} of ${frames}$` : `^${frames} steps$`));
  }

  async pieces(count) {
    const now = () => this.$('#board svg .piece').count();
    await this.window.until(async () => (await now()) === count, async () => `${count} pieces, not ${await now()}`);
  }

  tab(title) {
    return this.window.page.locator('.tab', { hasText: title }).first().waitFor();
  }

  square(name) {
    return this.$(`#board svg [data-square="${name}"]`).first();
  }

  /** Clicks into the panel and waits until it has the focus: the status bar then shows no cursor. */
  async click(part) {
    const w = this.window;
    await repeat(async ms => {
      // A click before the panel has noticed its loss of focus would send no focus event.
      await w.focusEditor();
      await w.until(() => this.frame.evaluate(() => !document.hasFocus()), 'the panel without the focus', ms);
      await part.click({ timeout: ms });
      await w.page.locator('.statusbar-item', { hasText: 'Ln ' }).first().waitFor({ state: 'hidden', timeout: ms });
    }, 'the focus in the panel');
  }

  /** Clicks a part of the panel until the cursor is where it leads to. A click while the board is drawn is lost. */
  async selects(part, line, column, count) {
    await repeat(async ms => {
      await this.click(part);
      await this.window.focusEditor();
      await this.window.cursor(line, column, count, ms);
    }, `the cursor in line ${line}`);
  }
}

async function steps({ window, check }) {
  const w = await window({ 'a.cpz': text }, 'a.cpz');
  const panel = await Panel.open(w, 8);
  await check('a puzzle without a written answer shows the steps of its solution', () => panel.step(0, 2));
  await check('four buttons step through the line', async () => {
    for (const [button, step, pieces] of [['next', 1, 2], ['last', 2, 1], ['previous', 1, 2], ['first', 0, 3]]) {
      await panel.$(`#${button}`).click();
      await panel.step(step, 2);
      await panel.pieces(pieces);
    }
  });
  await check('four commands step through the line', async () => {
    await w.at(8, 4);
    for (const [title, step] of [['Next', 1], ['Last', 2], ['Previous', 1], ['First', 0]]) {
      await w.command(`Chess Puzzles: Board: ${title} Step`);
      await panel.step(step, 2);
    }
  });
  await check('Alt+Page Down and Alt+Page Up step once for each key press', async () => {
    await w.at(8, 4);
    await w.press('Alt+PageDown', 'Alt+PageDown');
    await panel.step(2, 2);
    await w.press('Alt+PageUp');
    await panel.step(1, 2);
  });
  await check('stepping does not change the text', async () => {
    assert.equal(await w.dirty(), false);
    assert.equal((await w.text()).includes('=>'), false);
  });
}

async function parts({ window, check, shot }) {
  const w = await window({ 'a.cpz': text }, 'a.cpz');
  const panel = await Panel.open(w, 8);
  await check('the panel shows the description of the puzzle', () => panel.shows('body', /this one is easy/));
  await check('each click on Hint gives away more, and the last one is the move', async () => {
    await panel.$('#hint').click();
    await panel.shows('#notice', /^Hint 1 of 3: the \S+ on \S+ begins\.$|^Hint 1 of 3: \d pieces can begin\.$/);
    await panel.$('#hint').click();
    await panel.shows('#notice', /^Hint 2 of 3: /);
    await panel.$('#hint').click();
    await panel.shows('#notice', /^Hint 3 of 3: the first move is \S+x\S+\.$/);
    await shot('panel-hint');
    await w.at(8, 3);
  });
  await check('the position is described in words for screen readers only', async () => {
    await panel.shows('#description', /knight.*d4/i);
    const seen = await panel.$('#description').evaluate(e => ({
      width: e.getBoundingClientRect().width,
      height: e.getBoundingClientRect().height,
      spoken: getComputedStyle(e).display !== 'none' && getComputedStyle(e).visibility !== 'hidden',
    }));
    assert.ok(seen.spoken && seen.width <= 2 && seen.height <= 2, JSON.stringify(seen));
  });
  await check('every square has a label with its piece', async () => {
    assert.match((await panel.square('b2').getAttribute('aria-label')) ?? '', /b2.*rook/);
    assert.match((await panel.square('a1').getAttribute('aria-label')) ?? '', /a1.*empty/);
  });
  await check('a click selects a cell of the text, even an empty one', async () => {
    await panel.selects(panel.square('b2'), 6, 8, 1);
    await panel.selects(panel.square('d2'), 6, 12, 1);
  });
  await check('typing after a click changes the text while the board is redrawn', async () => {
    for (const letter of 'QNB') {
      await w.type(letter);
      await panel.frame.locator(`[data-square="d2"][aria-label*="${{ Q: 'queen', N: 'knight', B: 'bishop' }[letter]}"]`).waitFor();
      await w.press('Backspace');
      await w.type('.');
      await panel.frame.locator('[data-square="d2"][aria-label*="empty"]').waitFor();
      await w.press('Shift+ArrowLeft');
    }
    await w.see('    . R . .');
  });
  await check('a puzzle with two queries has a button for each', async () => {
    await w.at(13, 4);
    await panel.tab('Board: Back rank');
    const buttons = panel.$('#queries button');
    await w.until(async () => (await buttons.count()) === 2, 'two buttons');
    assert.equal(await buttons.nth(0).getAttribute('aria-pressed'), 'true');
    await panel.selects(buttons.nth(1), 14, 3);
    await w.until(async () => (await buttons.nth(1).getAttribute('aria-pressed')) === 'true', 'the second button pressed');
  });
  await shot('board-two-questions');
  await check('levels are side by side and completely visible', async () => {
    await w.at(19, 4);
    await panel.tab('Board: Bottom level');
    await panel.pieces(7);
    const width = await panel.frame.evaluate(() => innerWidth);
    let last = 0;
    for (const level of ['III', 'II', 'I']) {
      const [left, right] = [await panel.square(`a1 (${level})`).boundingBox(), await panel.square(`c1 (${level})`).boundingBox()];
      const start = await panel.square(`a1 (${level})`).evaluate(e => e.getBoundingClientRect().left);
      const end = await panel.square(`c1 (${level})`).evaluate(e => e.getBoundingClientRect().right);
      assert.ok(left.width > 10 && right.width > 10, JSON.stringify({ left, right }));
      assert.ok(start > last && end <= width, `level ${level} from ${start} to ${end}, after ${last}, of ${width}`);
      last = end;
    }
  });
  await check('on a board in coordinates a click selects the entry', async () => {
    await w.at(24, 3);
    await panel.tab('Board: Long way');
    await panel.selects(panel.square('c3'), 23, 38, 13);
  });
  await shot('board-draughts');
  await check('the panel shows a message when the puzzle is deleted', async () => {
    await w.focusEditor();
    await w.press('Control+a', 'Delete');
    await w.until(async () => !(await panel.$('#board svg').isVisible()), 'no board');
    await panel.shows('#empty', /Type a puzzle/);
    await panel.$('#new').waitFor();
  });
  await shot('board-nothing');
}

const draft = `solitaire "Draft" {
  board
    . . . N
    . . R .
    . .
  solve
}
`;

async function typing({ window, check, shot }) {
  const w = await window({ 'a.cpz': draft }, 'a.cpz');
  await w.at(5, 8);
  await w.command('Chess Puzzles: Show Board Beside');
  const panel = new Panel(w, await w.webview('#board svg'));
  await check('a board that is typed is drawn with what it lacks, and is no error', async () => {
    await panel.pieces(2);
    await w.until(async () => (await panel.$('.square.missing').count()) === 2, 'two missing cells');
    await panel.$('#caption.draft').waitFor();
    assert.equal(await panel.$('.wrong:visible, #caption.failed').count(), 0);
  });
  await shot('board-draft');
  await check('cells that are typed fill it', async () => {
    await w.focusEditor();
    await w.type(' B .');
    await panel.pieces(3);
    await w.until(async () => (await panel.$('.square.missing').count()) === 0, 'no missing cell');
    await w.press('Control+z');
  });
  await check('it is an error when the cursor leaves it', async () => {
    await w.at(1, 3);
    await panel.$('#caption.failed').waitFor();
    assert.match(await panel.$('#description').textContent(), /row|cell/);
  });
}

/** The contrast ratio of two colours by the Web Content Accessibility Guidelines 2. */
function contrast(one, other) {
  const linear = c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
  return (a + 0.05) / (b + 0.05);
}

const rgb = colour => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
const hex = colour => colour.trim().match(/[0-9a-f]{2}/gi).slice(0, 3).map(h => parseInt(h, 16));

async function themes({ window, check, shot }) {
  const wrong = text.replace('  solve', '  solve => [[[2,0], [1,1]], [[1,1], [3,2]]]');
  const w = await window({ 'a.cpz': wrong }, 'a.cpz');
  const panel = await Panel.open(w, 8);
  await panel.$('#last').click();
  await panel.$('#caption.failed').waitFor();
  const all = [
    ['Default Light Modern', 'vscode-light'],
    ['Default Dark Modern', 'vscode-dark'],
    ['Default High Contrast', 'vscode-high-contrast'],
    ['Default High Contrast Light', 'vscode-high-contrast-light'],
  ];
  for (const [theme, kind] of all) {
    await check(`the caption of a failing step has enough contrast in ${theme}`, async () => {
      w.write({ '.vscode/settings.json': JSON.stringify({ 'workbench.colorTheme': theme }) });
      await w.until(
        () => panel.frame.evaluate(k => document.body.classList.contains(k), kind),
        async () => `a page of the class ${kind}, not ${await panel.frame.evaluate(() => document.body.className)}`,
      );
      const colours = () =>
        panel.frame.evaluate(() => [
          getComputedStyle(document.querySelector('#caption')).color,
          getComputedStyle(document.documentElement).getPropertyValue('--vscode-editor-background'),
        ]);
      await w.until(
        async () => {
          const [fore, back] = await colours();
          return contrast(rgb(fore), hex(back)) >= 4.5;
        },
        async () => `a contrast of 4.5: ${await colours()}`,
      );
    });
    await shot(`board-fails-${kind.replace('vscode-', '')}`);
  }
  await check('the content security policy blocked nothing', () => assert.deepEqual(w.policyErrors, []));
}

const three = 'chess3d {\n  board [###,n##,#rr],[#b#,###,###],[###,###,bRK]\n  mate\n}\n';
const ten = 'chess3d "Ten" {\n  size 10\n  board [["B","K",1,1,1],["W","Q",3,3,3],["W","R",1,1,10],["W","K",9,9,5]]\n  turn black\n  mate\n}\n';

async function cubes({ window, check, shot }) {
  const w = await window({ 'a.cpz': `${three}\n${ten}` }, 'a.cpz');
  const panel = await Panel.open(w, 3);
  const shown = () => panel.$('#board .level:visible').count();
  // The least height of the names of files and ranks, in pixels.
  const letters = () =>
    panel.frame.evaluate(() => {
      const picture = document.querySelector('#board svg');
      const scale = picture.getBoundingClientRect().width / picture.viewBox.baseVal.width;
      const written = [...picture.querySelectorAll('.written-name')].map((name) => Number(name.getAttribute('font-size')));
      return scale * (written.length ? Math.min(...written) : 12);
    });
  await check('all levels of a small cube are shown, and their names can be read', async () => {
    await w.until(async () => (await shown()) === 3, 'three levels');
    await w.until(async () => (await letters()) >= 9.9, async () => `names of 10 pixels, not ${await letters()}`);
    await shot('cube-small');
  });
  await check('of a large cube one level is shown, and the others are listed with their pieces', async () => {
    await w.at(8, 3);
    await w.until(async () => (await panel.$('#levels button').count()) === 10, 'ten levels');
    await w.until(async () => (await shown()) === 1, 'one level');
    await w.until(async () => (await letters()) >= 9.9, async () => `names of 10 pixels, not ${await letters()}`);
    const squares = panel.$('#board [data-square]:visible');
    assert.equal(await squares.count(), 100);
    await shot('cube-large');
  });
  await check('Page Up and Page Down go through the levels', async () => {
    await panel.$('#levels button[aria-checked=true]').click();
    const name = () => panel.$('#levels button[aria-checked=true]').getAttribute('aria-label');
    const before = await name();
    await w.press('PageUp');
    await w.until(async () => (await name()) !== before, 'the level above');
    await panel.$('#board [data-square]:visible').first().click();
    await w.press('PageDown');
    await w.until(async () => (await name()) === before, 'the level below');
  });
}

export default { 'board cubes': cubes, 'board typed': typing, 'board steps': steps, 'board parts': parts, 'board themes': themes };
