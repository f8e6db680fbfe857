// The board beside the text.
import assert from 'node:assert/strict';
import { until } from '../page.mjs';

const sample = `// A sample.
solitaire "Sample" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve
}
`;
const twins = `chess "Twins" {
  board 8/8/5n2/1N1Rrk2/8/3KB3/8/8
  helpmate in 2 => "1. Nxd5 Ke2 2. Ke4 Nd6#"
  twin b: e3 to f2 => "1. Rxd5+ Nd4+ 2. Ke5 Bg3#"
}
`;
const rows = async (w) => (await w.text()).split('\n').slice(3, 7).map((line) => line.trim()).join('/');
const has = (w, expected) => until(async () => (await rows(w)) === expected, async () => `the rows ${expected}, not ${await rows(w)}`);

async function board({ open, check, shot }) {
  const w = await open();
  await w.write(sample);
  await w.at(sample.indexOf('. B'));
  await check('it steps through the answer', async () => {
    await w.board.locator('#next').click();
    await w.says(w.board.locator('#caption'), /step 1 of 3/i);
    await w.board.locator('#next').click();
    await w.says(w.board.locator('#caption'), /step 2 of 3/i);
    await shot('board-step');
  });
  await check('a click on a square selects its cell in the text', async () => {
    await w.board.locator('#first').click();
    await w.square('b3').click();
    await until(() => w.page.evaluate(() => {
      const { state } = document.querySelector('.cm-content').cmTile.view;
      return state.sliceDoc(state.selection.main.from, state.selection.main.to) === 'B';
    }), 'B selected');
  });
  await check('the square under the pointer has another frame than the one with the focus', async () => {
    const frame = (square) => w.square(square).locator('rect').first().evaluate((rect) => getComputedStyle(rect).stroke);
    await w.square('a1').hover();
    await until(async () => (await frame('a1')) !== 'none', 'a frame');
    assert.notEqual(await frame('a1'), await frame('b3'));
  });
  await check('a piece is dragged, and the text follows', async () => {
    await w.board.locator('[data-mode="edit"]').click();
    await w.board.locator('#board.touch').waitFor();
    await shot('board-edit');
    await w.drag('b3', 'c4');
    await has(w, '. . B ./. . . ./R P . ./. . . N');
    await w.says(w.board.locator('#verdict'), /No solution|solution/);
    await w.board.locator('#undo').click();
    await has(w, '. . . ./. B . ./R P . ./. . . N');
  });
  await check('many gestures in a row are all carried out', async () => {
    await w.board.locator('#palette [data-letter="Q"]').click();
    await w.drag('a4', 'd4');
    await has(w, 'Q Q Q Q/. B . ./R P . ./. . . N');
    await w.board.locator('#palette [data-letter="Q"]').click();
  });
  await check('a solution is recorded move by move', async () => {
    await w.write(sample);
    await w.at(sample.indexOf('. B'));
    await w.board.locator('[data-mode="record"]').click();
    await w.board.locator('#board.touch').waitFor();
    for (const [from, to] of [['d1', 'b2'], ['a2', 'b2'], ['b2', 'b3']]) {
      const before = await w.text();
      await w.drag(from, to);
      await until(async () => (await w.text()) !== before, `${from} to ${to}`);
      await w.board.locator(`[data-square="${from}"][aria-label$="empty"]`).waitFor();
    }
    await w.has('solve => d1xb2 a2xb2 b2xb3');
    await shot('board-record');
  });
  await check('a first move that one reply refutes is offered as a try', async () => {
    const problem = 'chess {\n  board kbK5/pp6/1P6/8/8/8/8/R7\n  mate in 2\n}\n';
    await w.write(problem);
    await w.at(problem.indexOf('mate'));
    await w.says(w.board.locator('#verdict'), /White plays the key/);
    await w.drag('a1', 'a5');
    await w.says(w.board.locator('#notice'), /1\.Ra5 does not force mate in 2: 1\.\.\.a6/);
    const choice = w.board.locator('#choose button', { hasText: 'Write the try 1.Ra5? a6!' });
    await choice.waitFor();
    await shot('board-try');
    await choice.click();
    await w.has('mate in 2 => "1. Ra5? a6!"');
    await choice.waitFor({ state: 'hidden' });
  });
  await check('the lens shows the board of its puzzle', async () => {
    await w.board.locator('[data-mode="view"]').click();
    await w.write(`${sample}\nchess "Other" {\n  board R3k3/8/4K3/8/8/8/8/8\n  turn black\n  mate\n}\n`);
    // The lens of the second puzzle comes some time after its text.
    await w.locator('.cpz-lenses button', { hasText: 'Board' }).nth(1).click();
    await w.says(w.board.locator('#name'), /Other/);
  });
  await check('the board is copied as FEN and as a picture', async () => {
    await w.menu('#more', 'Copy as FEN');
    await w.says('.notice', /The position is in the clipboard/);
    assert.match(await w.page.evaluate(() => navigator.clipboard.readText()), /^R3k3\/8\/4K3/);
    await w.menu('#more', 'Copy as a picture');
    await w.says('.notice', /The picture/);
  });
  await check('the menu goes to a puzzle', async () => {
    await w.menu('#more', 'Go to a puzzle…');
    await shot('puzzles');
    await w.page.getByRole('menuitem', { name: /^Sample/ }).click();
    await w.says(w.board.locator('#name'), /Sample/);
  });
  await check('an empty text offers templates', async () => {
    await w.write('');
    await w.board.locator('#new').click();
    await w.page.getByRole('menuitem', { name: /Solitaire Chess/ }).first().click();
    await w.has('solitaire "Puzzle 1"');
    await w.square('a1').waitFor();
  });
  w.quiet();
  assert.equal(w.hosts.size, 1);
}

async function twin({ open, check, shot }) {
  // The whole board is visible.
  const w = await open({ viewport: { width: 1280, height: 1000 } });
  await w.write(twins);
  await w.at(twins.indexOf('helpmate'));
  const becomes = (words) => until(async () => (await w.text()).trimEnd() === twins.replace('e3 to f2', words).trimEnd(), async () => `the words ${words} in ${await w.text()}`);
  const isShown = () => w.says(w.board.locator('#queries [aria-pressed="true"]'), /^twin b/);
  await check('a twin is chosen, and its board is edited', async () => {
    await w.board.locator('[data-mode="edit"]').click();
    await w.board.locator('#queries button', { hasText: 'twin b' }).click();
    await isShown();
    await w.board.locator('[data-square="f2"][aria-label="f2, white bishop"]').waitFor();
    await shot('twin-edit');
  });
  for (const [from, to, words] of [['b5', 'c3', 'e3 to f2, b5 to c3'], ['f2', 'g1', 'e3 to g1, b5 to c3'], ['g1', 'e3', 'b5 to c3'], ['c3', 'd5', 'b5 to d5']]) {
    await check(`${from} is dragged to ${to}: only the words of the twin change`, async () => {
      await w.drag(from, to);
      await becomes(words);
      await isShown();
      await w.board.locator(`[data-square="${from}"][aria-label$="empty"]`).waitFor();
    });
  }
  await shot('twin-edited');
  await check('Undo takes back one step, and the twin stays chosen', async () => {
    await w.board.locator('#undo').click();
    await becomes('b5 to c3');
    await isShown();
    await w.board.locator('[data-square="c3"][aria-label="c3, white knight"]').waitFor();
  });
  await check('the last change of a twin is not taken back', async () => {
    await w.drag('c3', 'b5');
    await w.says(w.board.locator('#notice'), /would be the same as the diagram/);
    await becomes('b5 to c3');
  });
  w.quiet();
}

const corner = (rows) => `chess "Cut" {\n  board ${rows}\n  h#2\n}\n`;

async function cut({ open, check, shot }) {
  const viewport = { width: 1280, height: 1000 };
  const w = await open({ viewport });
  await w.write(corner('8/8/8/8/8/8/8/4K2k'));
  await w.at(30);
  await w.board.locator('[data-mode="edit"]').click();
  await w.board.locator('#board.touch').waitFor();
  const place = async () => {
    const [frame, square] = [await w.locator('#board').boundingBox(), await w.square('e1').boundingBox()];
    return { square, seen: (frame.y + frame.height - square.y) / square.height };
  };
  await check('a piece on a square that is mostly out of view goes where it is dropped', async () => {
    // The board becomes smaller with the window, down to a least size.
    await until(async () => {
      const { square, seen } = await place();
      if (seen > 0.15 && seen < 0.4) return true;
      viewport.height -= Math.round((seen - 0.28) * square.height);
      await w.page.setViewportSize(viewport);
    }, 'a window that ends within rank 1');
    const [{ square }, end] = [await place(), await w.middle('e3')];
    await w.page.mouse.move(square.x + square.width / 2, square.y + square.height / 10);
    await w.page.mouse.down();
    await shot('board-cut');
    await w.page.mouse.move(end.x, end.y - 20, { steps: 4 });
    await w.page.mouse.move(end.x, end.y, { steps: 4 });
    await w.page.mouse.up();
    await until(async () => (await w.text()) !== corner('8/8/8/8/8/8/8/4K2k'), 'another text');
    assert.equal(await w.text(), corner('8/8/8/8/8/4K3/8/7k'));
  });
  w.quiet();
}

const numbered = (i) => sample.replace('// A sample.\n', '').replace('Sample', `P${i}`).replace('P . .', `P . ${'NBRQK'[i % 5]}`);

/** A text of many puzzles that is typed in while its board is touched. */
async function meanwhile({ open, check }) {
  const w = await open();
  await w.write(`// \n${Array.from({ length: 2000 }, (_, i) => numbered(i)).join('\n')}`);
  await w.at(20);
  await w.board.locator('[data-mode="edit"]').click();
  await w.board.locator('#board.touch').waitFor();
  const start = async () => (await w.text()).slice(0, 90).replace(/\s+/g, '');
  const begins = (expected) => until(async () => (await start()).startsWith(expected), async () => `${expected}, not ${await start()}`);
  /** Types a letter at an offset and puts a queen on d4, before anything is drawn again. */
  const both = (at) => w.page.evaluate((from) => {
    const square = document.querySelector('#board').contentDocument.querySelector('[data-square="d4"]');
    square.focus();
    document.querySelector('.cm-content').cmTile.view.dispatch({ changes: { from, insert: 'x' }, userEvent: 'input.type' });
    square.dispatchEvent(new square.ownerDocument.defaultView.KeyboardEvent('keydown', { key: 'q', bubbles: true }));
  }, at);
  await check('a gesture right after a key elsewhere is carried out in the text of then', async () => {
    await both(3);
    await begins('//xsolitaire"P0"{board...Q.B..RP.N...N');
    await w.board.locator('[data-square="d4"][aria-label$="queen"]').waitFor();
  });
  await check('so is a drag', async () => {
    const [from, to] = [await w.middle('b3'), await w.middle('c3')];
    await w.page.mouse.move(from.x, from.y);
    await w.page.mouse.down();
    await w.page.mouse.move(to.x, to.y, { steps: 4 });
    await w.page.evaluate(() => document.querySelector('.cm-content').cmTile.view.dispatch({ changes: { from: 3, insert: 'y' }, userEvent: 'input.type' }));
    await w.page.mouse.up();
    await begins('//yxsolitaire"P0"{board...Q..B.RP.N...N');
    await w.board.locator('[data-square="c3"][aria-label$="bishop"]').waitFor();
  });
  await check('a gesture right after a key in the same puzzle is refused: it was meant for another one', async () => {
    const before = await start();
    await both((await w.text()).indexOf('P0') + 1);
    await w.says(w.board.locator('#notice'), /^The text has changed since; nothing was done\.$/);
    await begins(before.replace('P0', 'Px0'));
  });
  w.quiet();
}

export default { board, 'a board while typing': meanwhile, 'the board of a twin': twin, 'a board that is cut': cut };
