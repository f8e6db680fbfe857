// The board of the panel as something to touch: pieces set, moved and removed, moves recorded.
import assert from 'node:assert/strict';
import { repeat } from '../vscode.mjs';

const puzzle = `// A sample.
solitaire "Touched" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve
}
`;
const chess = `chess "Promotes" {
  board 7k/4P3/5K2/8/8/8/8/8 w - - 0 1
  mate in 3
}
`;

const twins = `chess "Twins" {
  board 8/8/5n2/1N1Rrk2/8/3KB3/8/8
  helpmate in 2 => "1. Nxd5 Ke2 2. Ke4 Nd6#"
  twin b: e3 to f2 => "1. Rxd5+ Nd4+ 2. Ke5 Bg3#"
}
`;

const says = (w, frame, selector, pattern) =>
  w.until(
    async () => pattern.test(await frame.locator(selector).textContent()),
    async () => `${selector} like ${pattern}, not ${await frame.locator(selector).textContent()}`,
  );

async function show(w, line, mode) {
  await w.at(line, 3);
  await w.command('Chess Puzzles: Show Board Beside');
  const frame = await w.webview('#board svg');
  if (mode) {
    await frame.locator(`#modes [data-mode="${mode}"]`).click();
    await frame.locator(`#board.touch`).waitFor();
  }
  return frame;
}

const piece = (frame, square, name) => frame.locator(`[data-square="${square}"][aria-label="${square}, ${name}"]`).waitFor();
/** The text beside the panel, which has the focus: `Workbench.text` reads the active editor. */
async function text(w) {
  const lines = await w.page.locator('.monaco-editor[role="code"] .view-lines').first().locator('.view-line').evaluateAll((all) =>
    all
      .map((line) => [parseFloat(line.style.top), line.textContent])
      .sort((a, b) => a[0] - b[0])
      .map(([, text]) => text.replaceAll('\u00a0', ' ').replace(/[\u200b-\u200f\ufeff]/g, '')),
  );
  return lines.join('\n');
}
const sees = (w, part) =>
  w.until(async () => (part instanceof RegExp ? part.test(await text(w)) : (await text(w)).includes(part)), async () => `${part} in ${await text(w)}`);
const rows = (w) => text(w).then((all) => all.split('\n').slice(3, 7).map((line) => line.trim()));
const has = (w, expected, ms) =>
  w.until(async () => (await rows(w)).join('/') === expected, async () => `the rows ${expected}, not ${(await rows(w)).join('/')}`, ms);

/** Drags with the mouse from one element to another, or by an offset. */
async function drag(w, from, to) {
  const middle = async (locator) => {
    // The board may be drawn anew at this moment.
    const box = await w.until(() => locator.boundingBox(), 'a place on the page');
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const start = await middle(from);
  const end = Array.isArray(to) ? [start[0] + to[0], start[1] + to[1]] : await middle(to);
  await w.page.mouse.move(...start);
  await w.page.mouse.down();
  await w.page.mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, { steps: 4 });
  await w.page.mouse.move(...end, { steps: 4 });
  await w.page.mouse.up();
}

async function mouse({ window, check, shot }) {
  const w = await window({ 'a.cpz': puzzle }, 'a.cpz');
  const frame = await show(w, 4, 'edit');
  const square = (name) => frame.locator(`[data-square="${name}"]`);
  await check('the verdict and the pieces of the game are beside the board', async () => {
    await says(w, frame, '#verdict', /✓ One solution/);
    assert.equal(await frame.locator('#palette button').count(), 7);
  });
  await shot('touch-edit');
  await check('a piece is dragged to another square', async () => {
    await drag(w, square('b3'), square('c4'));
    await has(w, '. . B ./. . . ./R P . ./. . . N');
    await piece(frame, 'c4', 'bishop');
    await says(w, frame, '#notice', /bishop from b3 to c4/);
  });
  await check('click, click moves as well', async () => {
    await square('c4').click();
    await frame.locator('.held').waitFor();
    await square('b3').click();
    await has(w, '. . . ./. B . ./R P . ./. . . N');
    await says(w, frame, '#verdict', /✓ One solution/);
  });
  await check('a piece that is dragged off the board is removed', async () => {
    await drag(w, square('b2'), [0, 330]);
    await has(w, '. . . ./. B . ./R . . ./. . . N');
    await says(w, frame, '#verdict', /✗ No solution/);
  });
  await check('a piece is dragged from the palette', async () => {
    await drag(w, frame.locator('#palette [data-letter="P"]'), square('b2'));
    await has(w, '. . . ./. B . ./R P . ./. . . N');
  });
  await check('a chosen piece is painted over squares, and the same piece again erases', async () => {
    await frame.locator('#palette [data-letter="Q"]').click();
    await drag(w, square('a4'), square('d4'));
    await has(w, 'Q Q Q Q/. B . ./R P . ./. . . N');
    await square('c4').click();
    await has(w, 'Q Q . Q/. B . ./R P . ./. . . N');
    await shot('touch-painted');
    await drag(w, square('a4'), square('d4'));
    await has(w, '. . . ./. B . ./R P . ./. . . N');
    await frame.locator('#palette [data-letter="Q"]').click();
  });
  await check('the board grows and shrinks, but not below its pieces', async () => {
    await frame.locator('#columns').selectOption('5');
    await has(w, '. . . . ./. B . . ./R P . . ./. . . N .');
    await frame.locator('#columns').selectOption('3');
    await says(w, frame, '#notice', /knight on d1 would be lost/);
    assert.equal(await frame.locator('#columns').inputValue(), '5');
    await frame.locator('#columns').selectOption('4');
    await has(w, '. . . ./. B . ./R P . ./. . . N');
  });
  await check('Flip shows the board from the other side, and the text stays', async () => {
    const before = await w.until(() => square('a1').locator('rect').boundingBox(), 'a1');
    await frame.locator('#flip').click();
    const after = await w.until(() => square('a1').locator('rect').boundingBox(), 'a1');
    assert.ok(after.x > before.x + 50 && after.y < before.y - 50, JSON.stringify([before, after]));
    await shot('touch-flipped');
    await frame.locator('#flip').click();
    await has(w, '. . . ./. B . ./R P . ./. . . N');
  });
  await check('Clear empties the board, and Ctrl+Z in the page brings the pieces back in one step', async () => {
    await frame.locator('#clear').click();
    await has(w, '. . . ./. . . ./. . . ./. . . .');
    await says(w, frame, '#verdict', /board is empty/);
    await square('a1').focus();
    await w.press('Control+z');
    await has(w, '. . . ./. B . ./R P . ./. . . N');
    const focus = () => frame.evaluate(() => `${document.hasFocus()} ${document.activeElement.dataset?.square ?? document.activeElement.outerHTML.slice(0, 60)}`);
    await w.until(async () => (await focus()) === 'true a1', async () => `the focus on a1, not ${await focus()}`);
    await says(w, frame, '#verdict', /✓ One solution/);
  });
  await check('nothing else in the text has changed', async () => {
    assert.ok((await text(w)).startsWith('// A sample.\nsolitaire "Touched" {\n  board\n'), await text(w));
  });
  await check('the content security policy blocked nothing', () => assert.deepEqual(w.policyErrors, []));
}

async function keyboard({ window, check, shot }) {
  const w = await window({ 'a.cpz': puzzle }, 'a.cpz');
  const frame = await show(w, 4);
  const focus = () => frame.evaluate(() => document.activeElement.dataset?.square ?? document.activeElement.dataset?.mode ?? document.activeElement.id);
  const hasFocus = () => frame.evaluate(() => document.hasFocus());
  const reach = async (wanted) => {
    for (let n = 0; n < 30; n++) {
      if (wanted.test(await focus())) return;
      await w.press('Tab');
    }
    assert.fail(`Tab does not reach ${wanted}, but ${await focus()}`);
  };
  await check('touch by keyboard: a letter sets a piece, Delete removes it', async () => {
    await repeat(async ms => {
      await w.press('Control+2');
      await w.until(hasFocus, 'the focus on the page', ms);
    }, 'the focus on the page');
    await reach(/^edit$/);
    await w.press('Enter');
    await frame.locator('#board.touch').waitFor();
    await reach(/^a4$/);
    await w.press('ArrowRight', 'n');
    await has(w, '. N . ./. B . ./R P . ./. . . N');
    await says(w, frame, '#notice', /knight on b4/);
    assert.equal(await focus(), 'b4');
    await w.press('Delete');
    await has(w, '. . . ./. B . ./R P . ./. . . N');
    await says(w, frame, '#notice', /b4 is empty/);
  });
  await check('touch by keyboard: Enter picks up and puts down, and it is said', async () => {
    await w.press('ArrowDown', 'Enter');
    await says(w, frame, '#notice', /bishop on b3 picked up/);
    await shot('touch-keyboard');
    await w.press('ArrowRight', 'Enter');
    await has(w, '. . . ./. . B ./R P . ./. . . N');
    await says(w, frame, '#notice', /bishop from b3 to c3/);
    assert.equal(await frame.locator('#notice').getAttribute('role'), 'status');
    assert.equal(await focus(), 'c3');
  });
  await check('touch by keyboard: Ctrl+Z and Ctrl+Y', async () => {
    const [before, after] = ['. . . ./. B . ./R P . ./. . . N', '. . . ./. . B ./R P . ./. . . N'];
    // VS Code undoes where its focus is, which comes to the text and back to the page with a delay: a key may be lost.
    const undo = (wanted, key, back) =>
      repeat(async ms => {
        await w.until(hasFocus, 'the focus on the page', ms);
        const now = (await rows(w)).join('/');
        // A key that came late and a second one have undone more.
        if (now !== wanted) await w.press([before, after].includes(now) ? key : back);
        await has(w, wanted, ms);
      }, `the rows ${wanted}`);
    await undo(before, 'Control+z', 'Control+y');
    await undo(after, 'Control+y', 'Control+y');
  });
}

async function together({ window, check }) {
  const w = await window({ 'a.cpz': puzzle }, 'a.cpz');
  const frame = await show(w, 8, 'edit');
  await check('typing and editing at the same time loses nothing', async () => {
    await w.at(8, 8);
    // The page is told what to do while the keys arrive in the text.
    const press = (square, key) =>
      frame.locator(`[data-square="${square}"]`).evaluate((s, k) => s.dispatchEvent(new KeyboardEvent('keydown', { key: k, bubbles: true, cancelable: true })), key);
    const squares = ['a4', 'b4', 'c4', 'd4', 'a3', 'c3'];
    const typing = w.page.keyboard.type(' // 123456');
    for (const square of squares) await press(square, 'k');
    await typing;
    await sees(w, /solve.* \/\/ 123456/);
    // A gesture that was made after the others is carried out after them.
    await repeat(async ms => {
      await press('d3', 'k');
      await w.until(async () => (await rows(w))[1]?.at(-1) === 'K', 'the king on d3', ms);
    }, 'the king on d3');
    // Each edit either took place where it was meant to, or was refused as a whole.
    const found = await text(w);
    const cells = (await rows(w)).join('').replaceAll(' ', '');
    const expected = [...'.....B..RP.....N'].map((c, i) => (c !== '.' ? [c] : ['.', 'K']));
    assert.equal(cells.length, 16, found);
    [...cells].forEach((c, i) => assert.ok(expected[i].includes(c), found));
    assert.equal(found.split('\n').length, 10, found);
  });
  await check('a gesture on an older version of the text is refused and said', async () => {
    const before = await rows(w);
    await frame.evaluate(() => document.querySelector('[data-square="d2"]').dispatchEvent(new KeyboardEvent('keydown', { key: 'k', bubbles: true })));
    await w.until(async () => (await rows(w)).join() !== before.join(), 'the king on d2');
  });
}

async function finger({ window, check, shot }) {
  const w = await window({ 'a.cpz': puzzle }, 'a.cpz');
  const frame = await show(w, 4, 'edit');
  await check('a finger drags a piece', async () => {
    const session = await w.page.context().newCDPSession(w.page);
    const middle = async (square) => {
      const box = await w.until(() => frame.locator(`[data-square="${square}"]`).boundingBox(), square);
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    const [from, to] = [await middle('b3'), await middle('d4')];
    const touch = (type, point) => session.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
    await touch('touchStart', from);
    for (let i = 1; i <= 6; i++) {
      await touch('touchMove', { x: from.x + ((to.x - from.x) * i) / 6, y: from.y + ((to.y - from.y) * i) / 6 });
    }
    await touch('touchEnd');
    await has(w, '. . . B/. . . ./R P . ./. . . N');
  });
  await shot('touch-finger');
}

async function record({ window, check, shot }) {
  const w = await window({ 'a.cpz': puzzle, 'b.cpz': chess }, 'a.cpz');
  let frame = await show(w, 8, 'record');
  const square = (name) => frame.locator(`[data-square="${name}"]`);
  await check('a solution is recorded move by move, each with its verdict', async () => {
    await square('d1').click();
    await frame.locator('.reach[data-square="b2"]').waitFor();
    await shot('record-targets');
    await square('b2').click();
    await sees(w, 'solve => d1xb2');
    await says(w, frame, '#verdict', /✓ 1 move written; the last one: keeps it solvable/);
    await drag(w, square('a2'), square('b2'));
    await sees(w, 'solve => d1xb2 a2xb2');
    await drag(w, square('b2'), square('b3'));
    await sees(w, 'solve => d1xb2 a2xb2 b2xb3');
    await says(w, frame, '#verdict', /solved/);
  });
  await shot('record-solved');
  await check('an illegal move is refused with the reason, and the text stays', async () => {
    await w.press('Control+z');
    await sees(w, /a2xb2$/m);
    await piece(frame, 'b2', 'rook');
    await drag(w, square('b2'), square('d4'));
    await says(w, frame, '#notice', /nothing to capture on d4/);
    assert.match(await text(w), /solve => d1xb2 a2xb2$/m);
  });
  await check('a promotion is asked back, and the line is written', async () => {
    await w.focusEditor();
    await w.open('b.cpz');
    await w.until(async () => (await frame.locator('#name').textContent()) === 'Promotes', 'the other puzzle');
    await drag(w, square('e7'), square('e8'));
    await frame.locator('#choose button', { hasText: 'queen' }).waitFor();
    await shot('record-promotion');
    await frame.locator('#choose button', { hasText: 'queen' }).click();
    await sees(w, 'mate in 3 => e8=Q+');
    await says(w, frame, '#notice', /keeps the mate in 3/);
  });
}

const morphy = `chess "Morphy" {
  board kbK5/pp6/1P6/8/8/8/8/R7
  mate in 2
}
`;
const cube = `chess3d "A knight to the rescue" {
  board [b#b,###,###], [###,###,RNR], [#q#,###,#K#]
  mate => check
}
`;

async function recordTree({ window, check, shot }) {
  const w = await window({ 'a.cpz': morphy, 'b.cpz': cube }, 'a.cpz');
  let frame = await show(w, 3, 'record');
  const square = (name) => frame.locator(`[data-square="${name}"]`);
  // A long line is wrapped, also within a move.
  const withoutBlanks = (all) => all.replace(/\s+/g, '');
  const records = (part) => w.until(async () => withoutBlanks(await text(w)).includes(withoutBlanks(part)), async () => `${part} in ${await text(w)}`);
  const left = () => frame.locator('#left button').allTextContents();
  await check('a move that is no key is refused with its refutation', async () => {
    await says(w, frame, '#verdict', /^White plays the key$/);
    await drag(w, square('a1'), square('b1'));
    await says(w, frame, '#notice', /1\.Rb1 does not force mate in 2: 1\.\.\./);
    assert.match(await text(w), /mate in 2(?! =>)/);
  });
  await check('after the key the defences are offered', async () => {
    await drag(w, square('a1'), square('a6'));
    await records('mate in 2 => Ra6');
    await says(w, frame, '#notice', /Ra6: keeps the mate in 2/);
    await says(w, frame, '#verdict', /^1 move written\. Black replies to 1\.Ra6; \d defences are left: /);
    assert.ok((await left()).includes('1...bxa6'), `${await left()}`);
  });
  await shot('record-tree-defences');
  await check('a defence by its button, its mate on the board, and back to the next defence', async () => {
    await frame.locator('#left button', { hasText: '1...bxa6' }).click();
    await records('=> "1. Ra6 bxa6"');
    await says(w, frame, '#verdict', /^2 moves written\. White answers 1\.\.\.bxa6$/);
    await drag(w, square('b6'), square('b7'));
    await records('=> "1. Ra6 bxa6 2. b7#"');
    await says(w, frame, '#verdict', /^3 moves written\. Black replies to 1\.Ra6; /);
    await piece(frame, 'a6', 'white rook');
    await piece(frame, 'b7', 'black pawn');
  });
  await shot('record-tree-next');
  await check('the same by keyboard, to the end', async () => {
    await frame.locator('#left button', { hasText: '1...Bc7' }).focus();
    await w.press('Enter');
    await records('=> "1. Ra6 bxa6 (1... Bc7) 2. b7#"');
    await says(w, frame, '#verdict', /White answers 1\.\.\.Bc7$/);
    const focus = () => frame.evaluate(() => document.activeElement.dataset?.square);
    await w.until(async () => (await focus()) === 'c7', async () => `the focus on c7, not ${await focus()}`);
    await w.press('ArrowLeft', 'ArrowLeft', 'ArrowDown', 'Enter');
    await frame.locator('.reach[data-square="a7"]').waitFor();
    await w.press('ArrowUp', 'Enter');
    await records('=> "1. Ra6 bxa6 (1... Bc7 2. Rxa7#) 2. b7#"');
    await says(w, frame, '#verdict', /^✓ 5 moves written\. The solution is complete\. /);
    assert.deepEqual(await left(), []);
  });
  await shot('record-tree-complete');
  await check('a first move that one reply refutes is written as a try, if that is chosen', async () => {
    await piece(frame, 'a1', 'white rook');
    await drag(w, square('a1'), square('a5'));
    await says(w, frame, '#notice', /1\.Ra5 does not force mate in 2: 1\.\.\.a6/);
    const choice = frame.locator('#choose button', { hasText: 'Write the try 1.Ra5? a6!' });
    await choice.waitFor();
    await shot('record-try');
    assert.ok(!(await text(w)).includes('Ra5'));
    await choice.click();
    await records('=> "1. Ra6 (1. Ra5? a6!) 1... bxa6 (1... Bc7 2. Rxa7#) 2. b7#"');
    await says(w, frame, '#verdict', /^✓ 7 moves written\. The solution is complete\. /);
    await frame.locator('#undo').click();
    await records('=> "1. Ra6 bxa6 (1... Bc7 2. Rxa7#) 2. b7#"');
    await says(w, frame, '#verdict', /^✓ 5 moves written\. /);
  });
  await check('Undo takes back one half-move', async () => {
    await frame.locator('#undo').click();
    await records('=> "1. Ra6 bxa6 (1... Bc7) 2. b7#"');
    await says(w, frame, '#verdict', /White answers 1\.\.\.Bc7$/);
    await frame.locator('#undo').click();
    await records('=> "1. Ra6 bxa6 2. b7#"');
    await says(w, frame, '#verdict', /Black replies to 1\.Ra6; /);
  });
  await check('moves on a cube are recorded as a line', async () => {
    await w.focusEditor();
    await w.open('b.cpz');
    await w.until(async () => {
      // VS Code may load the page of the panel again for another text.
      frame = await w.webview('#board svg');
      return (await frame.locator('#name').textContent()) === 'A knight to the rescue';
    }, 'the cube');
    await says(w, frame, '#verdict', /Make the first move/);
    await square('b1 (II)').click();
    await frame.locator('.reach[data-square="b3 (I)"]').waitFor();
    await shot('record-cube');
    await square('b3 (I)').click();
    await records('line => "1. Nb1(II)xb3(I)"');
    // The text comes before the board: a drag on the board before that would end when it is drawn again.
    await says(w, frame, '#verdict', /1 move written/);
    await drag(w, square('b1 (I)'), square('a1 (I)'));
    await says(w, frame, '#notice', /it is black's move/);
    await drag(w, square('a3 (III)'), square('b2 (II)'));
    await records('line => "1. Nb1(II)xb3(I) Ba3(III)-b2(II)"');
    await says(w, frame, '#verdict', /2 moves written/);
  });
  await check('the content security policy blocked nothing', () => assert.deepEqual(w.policyErrors, []));
}

/** What is done on the board of a twin, and the words of the twin after it. */
const ofTwin = [
  ['a man of the diagram is dragged', (w, square) => drag(w, square('b5'), square('c3')), 'e3 to f2, b5 to c3'],
  ['a man that was moved already is dragged on', (w, square) => drag(w, square('f2'), square('g1')), 'e3 to g1, b5 to c3'],
  ['a man is dragged onto another one', (w, square) => drag(w, square('c3'), square('d5')), 'e3 to g1, b5 to d5'],
  ['a man is dragged back', (w, square) => drag(w, square('g1'), square('e3')), 'b5 to d5'],
  ['a man is dragged off the board', (w, square) => drag(w, square('f6'), [0, 600]), 'b5 to d5, remove f6'],
  ['a man is dragged from the palette', (w, square, frame) => drag(w, frame.locator('#palette [data-letter="q"]'), square('a1')), 'b5 to d5, remove f6, add black queen a1'],
  ['another side begins', (w, square, frame) => frame.locator('#side [data-side="white"]').click(), 'b5 to d5, remove f6, add black queen a1, turn white'],
];

async function twin({ window, check, shot }) {
  const w = await window({ 'a.cpz': twins }, 'a.cpz');
  const frame = await show(w, 3, 'edit');
  const square = (name) => frame.locator(`[data-square="${name}"]`);
  const shown = () => frame.locator('#queries [aria-pressed="true"]').textContent();
  const isShown = () => w.until(async () => /^twin b/.test(await shown()), async () => `twin b, not ${await shown()}`);
  // A long line is wrapped, also within a move, and hints stand behind the lines.
  const withoutBlanks = (all) => all.replace(/\s+/g, '');
  const becomes = (words) =>
    w.until(
      async () => {
        const found = withoutBlanks(await text(w));
        return twins.replace('e3 to f2', words).split('\n').every((line) => found.includes(withoutBlanks(line)));
      },
      async () => `the words ${words} in ${await text(w)}`,
    );
  await check('a twin is chosen in the panel, and its board is edited', async () => {
    await frame.locator('#queries button', { hasText: 'twin b' }).click();
    await isShown();
    await piece(frame, 'f2', 'white bishop');
    await says(w, frame, '#verdict', /twin b: 1\. Rxd5\+ Nd4\+ 2\. Ke5 Bg3#/);
  });
  await shot('touch-twin');
  for (const [what, act, words] of ofTwin) {
    await check(`${what}: only the words of the twin change`, async () => {
      await act(w, square, frame);
      await becomes(words);
      await isShown();
    });
  }
  await shot('touch-twin-edited');
  await check('Ctrl+Z and Ctrl+Y in the panel, and the twin stays chosen', async () => {
    await square('h8').focus();
    await w.press('Control+z');
    await becomes(ofTwin.at(-2)[2]);
    await isShown();
    await w.until(() => frame.evaluate(() => document.hasFocus()), 'the focus on the page');
    await w.press('Control+z');
    await becomes(ofTwin.at(-3)[2]);
    await w.until(() => frame.evaluate(() => document.hasFocus()), 'the focus on the page');
    await w.press('Control+y');
    await becomes(ofTwin.at(-2)[2]);
    await isShown();
    await piece(frame, 'a1', 'black queen');
  });
  await check('the last change of a twin is not taken back', async () => {
    await drag(w, square('a1'), [-400, 0]);
    await becomes(ofTwin.at(-3)[2]);
    await frame.locator('#palette [data-letter="n"]').click();
    await square('f6').click();
    await becomes('b5 to d5');
    await frame.locator('#palette [data-letter="n"]').click();
    // The rook that the knight took stays away.
    await drag(w, square('d5'), square('b5'));
    await becomes('remove d5');
    await frame.locator('#palette [data-letter="R"]').click();
    await square('d5').click();
    await says(w, frame, '#notice', /would be the same as the diagram/);
    await becomes('remove d5');
  });
  await check('moves are recorded as the answer of the twin', async () => {
    await w.focusEditor();
    await w.page.keyboard.press('Control+a');
    await w.page.keyboard.insertText(twins.replace(/(twin.*) =>.*/, '$1'));
    await frame.locator('#modes [data-mode="record"]').click();
    await frame.locator('#queries button', { hasText: 'twin b' }).click();
    await piece(frame, 'f2', 'white bishop');
    await square('e5').click();
    await frame.locator('.reach[data-square="d5"]').waitFor();
    await square('d5').click();
    await sees(w, 'twin b: e3 to f2 => "1. Rxd5+"');
    await says(w, frame, '#verdict', /keeps the helpmate in 2/);
  });
  await shot('record-twin');
  await check('the content security policy blocked nothing', () => assert.deepEqual(w.policyErrors, []));
}

async function looks({ window, check, shot }) {
  const files = { 'b.cpz': chess, '.vscode/settings.json': '{}' };
  const w = await window(files, 'b.cpz');
  const frame = await show(w, 2, 'edit');
  const themes = [
    ['Default Dark Modern', 'vscode-dark'],
    ['Default Light Modern', 'vscode-light'],
    ['Default High Contrast', 'vscode-high-contrast'],
    ['Default High Contrast Light', 'vscode-high-contrast-light'],
  ];
  for (const [theme, kind] of themes) {
    await check(`the tools are readable in ${theme}`, async () => {
      w.write({ '.vscode/settings.json': JSON.stringify({ 'workbench.colorTheme': theme }) });
      await w.until(() => frame.evaluate((k) => document.body.classList.contains(k), kind), `a page of the class ${kind}`);
      const sizes = () => frame.evaluate(() => [...document.querySelectorAll('main *')].filter((e) => e.childElementCount === 0 && e.textContent.trim() && e.getClientRects().length).map((e) => parseFloat(getComputedStyle(e).fontSize)));
      await w.until(async () => Math.min(...(await sizes())) >= 10, async () => `letters of 10 pixels, not ${Math.min(...(await sizes()))}`);
    });
    await shot(`touch-${theme.toLowerCase()}`);
  }
  await check('the tools fit into a narrow panel', async () => {
    const width = () => frame.evaluate(() => innerWidth);
    const before = await width();
    await w.page.setViewportSize({ width: 760, height: 900 });
    await w.until(async () => (await width()) < before, 'a narrower panel');
    const over = () => frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await w.until(async () => (await over()) <= 0, async () => `tools that fit: they are ${await over()} pixels too wide`);
  });
  await shot('touch-narrow');
}

async function menu({ window, check }) {
  const w = await window({ 'b.cpz': chess }, 'b.cpz');
  const frame = await show(w, 2);
  const copied = async (title, pattern) => {
    await w.command(`Chess Puzzles: ${title}`);
    await says(w, frame, '#notice', pattern);
  };
  await check('the position is copied as FEN, as text and as a picture', async () => {
    await copied('Copy FEN of the Board', /7k\/4P3\/5K2\/8\/8\/8\/8\/8 w - - 0 1/);
    await copied('Copy Board as Text', /the board as text/);
    await copied('Copy Picture of the Board', /picture is in the clipboard/);
  });
  await check('the menu of the right mouse button has these commands', async () => {
    await frame.locator('[data-square="e4"]').click({ button: 'right' });
    const rows = w.page.locator('.monaco-menu .action-label');
    await w.until(async () => (await rows.allInnerTexts()).join().includes('Copy FEN'), async () => `Copy FEN in ${await rows.allInnerTexts()}`);
    await w.press('Escape');
  });
  await check('the content security policy blocked nothing', () => assert.deepEqual(w.policyErrors, []));
}

export default {
  'touch menu': menu,
  'touch by mouse': mouse,
  'touch by keyboard': keyboard,
  'touch while typing': together,
  'touch by finger': finger,
  'touch records moves': record,
  'touch records a solution': recordTree,
  'touch a twin': twin,
  'touch looks': looks,
};
