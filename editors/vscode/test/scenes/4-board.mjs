// The board panel: drawing, steps, and the link between board and text.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const sample = (root, name) => readFileSync(join(root, 'examples', name), 'utf8');

async function show(w, line, column = 3) {
  await w.at(line, column);
  await w.command('Chess Puzzles: Show Board Beside');
  return w.webview('#board svg');
}

const text = (frame, selector) => frame.locator(selector).innerText();
const shows = (w, frame, selector, pattern, ms) =>
  w.until(async () => pattern.test(await text(frame, selector)), async () => `${selector} like ${pattern}, not ${await text(frame, selector)}`, ms);

async function board({ window, check, shot, root }) {
  const files = { 'a.cpz': sample(root, 'mistakes/source002-printed-solution.cpz'), 'b.cpz': sample(root, 'collection/chess3d-sources.cpz') };
  const w = await window(files, 'a.cpz');
  let frame;
  await check('the panel draws the board of the puzzle under the cursor', async () => {
    frame = await show(w, 11);
    await shows(w, frame, '#name', /Six pieces/);
    assert.equal(await frame.locator('.piece').count(), 6);
    await w.page.locator('.tab', { hasText: 'Board: Six pieces' }).waitFor();
  });
  await check('the text keeps the focus when the panel opens', async () => {
    await w.page.locator('.statusbar-item', { hasText: 'Ln 11' }).first().waitFor();
  });
  await check('the button Next goes to the next step', async () => {
    await frame.locator('#next').click();
    await shows(w, frame, '#step', /step 1 of 5/);
    await shows(w, frame, '#caption', /Step 1 of 5: the pawn on c1 captures the bishop on d2/);
    assert.equal(await frame.locator('.piece').count(), 5);
  });
  await check('arrow keys, Home and End step through the line', async () => {
    await w.press('ArrowRight', 'ArrowRight');
    await shows(w, frame, '#step', /step 3 of 5/);
    await w.press('ArrowLeft');
    await shows(w, frame, '#step', /step 2 of 5/);
    await w.press('Home');
    await shows(w, frame, '#step', /^5 steps/);
    await w.press('End');
    await shows(w, frame, '#step', /step 5 of 5/);
  });
  await check('a failing step is red', async () => {
    await frame.locator('#caption.failed').waitFor();
    await shows(w, frame, '#caption', /Step 5 of 5 fails/);
    assert.deepEqual(await frame.locator('.square.failed').evaluateAll((all) => all.map((s) => s.dataset.square)), ['b4', 'd2']);
    const colour = await frame.locator('.square.failed > rect').first().evaluate((r) => getComputedStyle(r).fill);
    const [red, green, blue] = colour.match(/\d+/g).map(Number);
    assert.ok(red > 180 && red > 2 * green && red > 2 * blue, colour);
  });
  await shot('board-failing-step');
  await check('a correct solution can be chosen as another line', async () => {
    await frame.locator('#line').selectOption({ label: 'a solution that works' });
    await frame.locator('#last').click();
    await w.until(async () => (await frame.locator('.piece').count()) === 1, 'one piece left');
  });
  await check('a click on a square selects it in the text', async () => {
    await frame.locator('[data-square="c1"]').click();
    await w.until(() => frame.evaluate(() => document.activeElement.dataset.square === 'c1'), 'the square with the focus');
    await shows(w, frame, '#step', /step 5 of 5/);
    // The status bar shows the cursor only while an editor has the focus.
    await w.page.locator('.statusbar-item', { hasText: 'Ln ' }).first().waitFor({ state: 'hidden' });
    await w.focusEditor();
    await w.page.locator('.statusbar-item', { hasText: 'Ln 10, Col 10 (1 selected)' }).first().waitFor();
  });
  await check('the board follows edits of the text', async () => {
    await w.type('Q');
    await frame.locator('[data-square="c1"][aria-label="c1, queen"]').waitFor();
    await w.press('Control+z');
    await frame.locator('[data-square="c1"][aria-label="c1, pawn"]').waitFor();
  });
  await check('the board follows the cursor onto a step', async () => {
    await w.at(11, 35);
    await shows(w, frame, '#step', /step 2 of 5/);
  });
  await check('the board follows to another file and draws levels side by side', async () => {
    await w.open('b.cpz');
    await shows(w, frame, '#name', /Mate through the floors/);
    const boxes = await frame.locator('.level').evaluateAll((all) => all.map((l) => l.getBoundingClientRect().toJSON()));
    assert.equal(boxes.length, 3);
    assert.ok(boxes[0].right < boxes[1].left + 1 && boxes[1].right < boxes[2].left + 1);
    assert.ok(Math.abs(boxes[0].top - boxes[2].top) < 2);
  });
  await check('a mate can be stepped through escape by escape', async () => {
    await w.at(10, 4);
    await shows(w, frame, '#caption', /White is checkmated/);
    await frame.locator('#next').click();
    await shows(w, frame, '#caption', /is in check from the rook on c1 \(III\)/);
    await frame.locator('#next').click();
    await shows(w, frame, '#caption', /guarded|occupied/);
    await frame.locator('.arrow').waitFor();
  });
  await shot('board-levels');
  await check('the content security policy blocked nothing', () => assert.deepEqual(w.policyErrors, []));
}

async function keyboard({ window, check, shot, root }) {
  const w = await window({ 'a.cpz': sample(root, 'mistakes/source002-printed-solution.cpz') }, 'a.cpz');
  const frame = await show(w, 11);
  const focus = () => frame.evaluate(() => document.activeElement.dataset?.square ?? document.activeElement.id);
  const reach = async (wanted) => {
    for (let n = 0; n < 12; n++) {
      await w.press('Tab');
      if (wanted.test(await focus())) return;
    }
    assert.fail(`Tab does not reach ${wanted}, but ${await focus()}`);
  };
  await check('keyboard: Tab reaches the board, arrow keys reach a square', async () => {
    await w.press('Control+2');
    await reach(/^a4$/);
    await w.press('ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight');
    assert.equal(await focus(), 'c1');
  });
  await check('keyboard: Enter on a square selects it in the text', async () => {
    await w.press('Enter');
    assert.equal(await focus(), 'c1');
    await shot('board-keyboard');
    await w.focusEditor();
    await w.page.locator('.statusbar-item', { hasText: 'Ln 10, Col 10 (1 selected)' }).first().waitFor();
    await w.press('Control+2');
  });
  await check('keyboard: Tab reaches the buttons, Enter and Space press them', async () => {
    await reach(/^next$/);
    await w.press('Enter');
    await shows(w, frame, '#step', /step 1 of 5/);
    assert.equal(await focus(), 'next');
    await w.press('Space');
    await shows(w, frame, '#step', /step 2 of 5/);
  });
  await check('screen readers: caption, description and grid have ARIA attributes', async () => {
    assert.equal(await frame.locator('#caption').getAttribute('aria-live'), 'polite');
    assert.match(await frame.locator('#description').textContent(), /^A board of 4×4 squares: .*pawn/);
    assert.match(await frame.locator('#board svg').getAttribute('aria-label'), /^A board of/);
    assert.equal(await frame.locator('[role="grid"] [role="row"] [role="gridcell"]').count(), 16);
    const named = (buttons) => buttons.every((b) => b.offsetParent === null || b.ariaLabel || b.textContent.trim());
    assert.ok(await frame.locator('button').evaluateAll(named), 'every button has a name');
  });
  await check('Alt+Page Down in the text goes to the next step', async () => {
    await w.focusEditor();
    await w.press('Alt+PageDown');
    await shows(w, frame, '#step', /step [13] of 5/);
  });
}

const two = `solitaire "Open" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve
}

chess "Wrong" {
  board 4k3/8/8/8/8/8/8/4K1N1
  move Ne4
}
`;

/** Chooses an action of the menu at the cursor. */
async function action(w, title) {
  await (await w.actions()).filter({ hasText: title }).first().click();
}

async function fromText({ window, check, shot }) {
  const w = await window({ 'a.cpz': two }, 'a.cpz');
  let frame;
  await check('the lens Board shows the board of its puzzle', async () => {
    // VS Code may show the lens of another puzzle first.
    frame = await w.clickLens(/^Board$/, async ms => {
      const shown = await w.webview('#board svg', ms);
      await shows(w, shown, '#name', /Open/, ms);
      return shown;
    });
  });
  await check('Show the next move steps the board, and again', async () => {
    await w.at(7, 4);
    for (const step of ['step 1 of 2', 'step 2 of 2']) {
      await action(w, 'Show the next move');
      await shows(w, frame, '#step', new RegExp(step));
    }
    assert.equal(await w.dirty(), false);
  });
  await check('the lens of a puzzle with an error leads to it', async () => {
    const there = async () => (await w.page.locator('.statusbar-item', { hasText: 'Ln 12' }).count()) > 0;
    await w.clickLens(/✗/, ms => w.until(there, 'the cursor in line 12', ms));
    await shows(w, frame, '#name', /Wrong/);
  });
  await shot('board-from-lens');
  await check('Explain opens the page of the code, which cannot be changed', async () => {
    await w.at(12, 8);
    await action(w, 'Explain illegal-move');
    const page = await w.webview('.markdown-body, .vscode-body h1');
    await w.until(async () => /illegal/i.test(await page.locator('body').innerText()), 'the page');
  });
  await shot('explanation');
}

async function empty({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  const frame = await (async () => {
    await w.focusEditor();
    await w.command('Chess Puzzles: Show Board Beside');
    return w.webview('#new');
  })();
  await check('the panel of an empty file offers New Puzzle, which writes into the file', async () => {
    await shows(w, frame, '#empty', /Type a puzzle/);
    await frame.locator('#new').click();
    await w.pick('Solitaire Chess');
    await frame.locator('#board svg').waitFor();
    await w.see(/solitaire "Puzzle 1"/);
    assert.equal(await w.page.locator('.tab', { hasText: 'a.cpz' }).count(), 1);
  });
  await check('the tab has no name after the text is closed', async () => {
    await w.page.locator('.tab', { hasText: 'Board: Puzzle 1' }).waitFor();
    await w.focusEditor();
    await w.press('Escape', 'Escape', 'Control+z', 'Control+z', 'Control+z');
    await w.page.locator('.tab', { hasText: /^Board$/ }).waitFor();
  });
  await shot('board-empty-file');
}

export default { 'board from text': fromText, 'board of empty file': empty, board, 'board by keyboard': keyboard };
