// Puzzles with their answers hidden: moves that are tried, hints, the solution, and links for solvers.
import assert from 'node:assert/strict';
import { violations } from '../axe.mjs';
import { until } from '../page.mjs';

const ANSWER = 'd1xb2 a2xb2 b2xb3';
const first = `solitaire "First" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve => ${ANSWER}
}
`;
const mate = 'chess "Zugzwang" {\n  board kbK5/pp6/1P6/8/8/8/8/R7\n  mate in 2 => Ra6 (the key)\n}\n';
const slowPawn = 'chess "Promotion" {\n  board 7k/4P3/5K2/8/8/8/8/8\n  mate in 3\n}\n';
const help = 'chess "Help" {\n  board 8/8/5n2/1N1Rrk2/8/3KB3/8/8\n  helpmate in 2 => "1. Nxd5 Ke2 2. Ke4 Nd6#"\n  twin b: e3 to f2 => "1. Rxd5+ Nd4+ 2. Ke5 Bg3#"\n}\n';
const line = 'chess "Line" {\n  board 4k3/8/8/8/8/8/8/R3K2R w KQ -\n  line => "1. O-O Kd7 2. Rad1+"\n}\n';
const legal = 'chess "Legal" {\n  board 4k3/8/8/8/8/8/8/R3K3\n  move Ra8+ => legal\n}\n';
const king = 'draughts "King" {\n  board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]]\n  capture => a1:d4:g7\n}\n';
const all = [first, mate, slowPawn, help, line, legal, king].join('\n');

const said = (w, pattern) => w.says('#solve-said', pattern);
/** Begins to solve a puzzle of the text, and waits for its board. */
const choose = async (w, name) => {
  const option = w.locator('#solve-puzzle option', { hasText: name });
  await option.waitFor({ state: 'attached' });
  await w.locator('#solve-puzzle').selectOption(await option.getAttribute('value'));
  await said(w, /^(Drag a piece|Decide)/);
};
/** What a reader can see and hear: of the page, and of the frame of the board. */
const shown = async (w) => {
  const read = () => [...document.querySelectorAll('body, select, [aria-label], [title]')].filter((e) => e.checkVisibility()).flatMap((e) => [e.innerText, e.getAttribute('aria-label'), e.title]).join('\n');
  return (await Promise.all(w.page.frames().map((frame) => frame.evaluate(read)))).join('\n');
};

async function solve({ open, check, shot }) {
  const w = await open();
  await w.write(all);
  await check('the mode hides the text and every answer', async () => {
    await w.locator('#solve').click();
    await w.square('d1').waitFor();
    await said(w, /^Drag a piece/);
    await w.answered();
    const text = await shown(w);
    assert.match(text, /One piece must remain/);
    for (const answer of ['=>', 'd1xb2', 'verified', 'Step 1', 'Insert']) assert.ok(!text.includes(answer), `${answer} in ${text}`);
    await shot('solve');
  });
  await check('a wrong move and an illegal one are told apart, and the board stays', async () => {
    await w.drag('a2', 'b2');
    await said(w, /^✗ a2xb2 is wrong: there is no solution any more\. Try another move\.$/);
    await w.board.locator('[data-square="a2"][aria-label$="rook"]').waitFor();
    await shot('solve-wrong');
    await w.drag('d1', 'a2');
    await said(w, /^Not legal: the knight on d1 cannot capture on a2\.$/);
    await w.board.locator('[data-square="d1"][aria-label$="knight"]').waitFor();
  });
  await check('there are three hints, each gives away more', async () => {
    for (const hint of ['1 of 3: the knight on d1 begins', '2 of 3: the knight on d1 goes to b2', '3 of 3: the first move is d1xb2']) {
      await w.locator('#solve-hint').click();
      await said(w, new RegExp(`^Hint ${hint}`));
    }
    await shot('solve-hint');
  });
  await check('right moves stay, and the last one solves it', async () => {
    for (const [from, to, words] of [['d1', 'b2', /d1xb2 is right/], ['a2', 'b2', /a2xb2 is right/], ['b2', 'b3', /b2xb3: solved!/]]) {
      await w.drag(from, to);
      await said(w, words);
      await w.board.locator(`[data-square="${from}"][aria-label$="empty"]`).waitFor();
    }
    await w.says('#solve-puzzle option >> nth=0', /^✓ 1\. First$/);
    await shot('solve-solved');
  });
  await check('the other side replies as the solution has it', async () => {
    await w.locator('#solve-continue').click();
    await w.says('#solve-task', /^White mates in 2 moves, whatever Black plays\.$/);
    await w.drag('a1', 'a2');
    await said(w, /^✗ Ra2 is wrong: it loses the mate in 2\./);
    await w.drag('a1', 'a6');
    await said(w, /^✓ Ra6 is right\. The reply is bxa6\./);
    await w.board.locator('[data-square="a6"][aria-label$="black pawn"]').waitFor();
    await shot('solve-reply');
    await w.locator('#solve-hint').click();
    await said(w, /^Hint 1 of 3: the next piece to move is a white pawn/);
    await w.drag('b6', 'b7');
    await said(w, /^✓ b7#: solved!/);
  });
  await check('a pawn becomes what the reader chooses', async () => {
    await choose(w, 'Promotion');
    await w.drag('e7', 'e8');
    await w.board.locator('#choose button', { hasText: 'bishop' }).click();
    await said(w, /^✗ e8=B is wrong/);
    await w.drag('e7', 'e8');
    await w.board.locator('#choose button', { hasText: 'queen' }).click();
    await said(w, /^✓ e8=Q\+ is right\. The reply is Kh7/);
  });
  await check('in help play the reader moves for both sides, and twins are questions of their own', async () => {
    await choose(w, 'Help');
    await w.says('#solve-task', /^Black moves first, .* You move for both sides\.$/);
    await w.drag('f6', 'h7');
    await said(w, /^✗ Nh7 is not the solution\./);
    for (const [from, to] of [['f6', 'd5'], ['d3', 'e2'], ['f5', 'e4']]) {
      await w.drag(from, to);
      await said(w, /is right\. Go on\./);
      await w.board.locator(`[data-square="${from}"][aria-label$="empty"]`).waitFor();
    }
    await w.drag('b5', 'd6');
    await said(w, /^✓ Nd6#: solved!/);
    await w.locator('#solve-question').selectOption({ label: 'twin b: e3 to f2' });
    await w.board.locator('[data-square="f2"][aria-label$="white bishop"]').waitFor();
    await said(w, /^Drag a piece/);
    await w.drag('e5', 'd5');
    await said(w, /^✓ Rxd5\+ is right/);
  });
  await check('a written line is compared move by move', async () => {
    await choose(w, 'Line');
    await w.drag('e1', 'f1');
    await said(w, /^✗ Kf1 is not the solution\./);
    await w.drag('e1', 'g1');
    await said(w, /^✓ O-O is right\. The reply is Kd7\./);
    await w.drag('a1', 'd1');
    await said(w, /^✓ Rad1\+: solved!/);
  });
  await check('a capture of draughts is made jump by jump', async () => {
    await choose(w, 'King');
    await w.drag('a1', 'c1');
    await said(w, /^Not legal: this is no capture\.$/);
    await w.drag('a1', 'd4');
    await said(w, /^a1:d4: the capture goes on/);
    await w.board.locator('[data-square="d4"][aria-label$="white king"]').waitFor();
    await w.drag('d4', 'h8');
    await said(w, /^✓ a1:d4:h8: solved!/);
  });
  await check('a question without moves has its answer behind a button', async () => {
    await choose(w, 'Legal');
    await w.says('#solve-task', /^White to move: is Ra8\+ legal\?$/);
    assert.doesNotMatch(await shown(w), /is legal/);
    await w.locator('#solve-solution').click();
    await w.says(w.board.locator('#caption'), /^Ra8\+ is legal/);
    await w.board.locator('#next').click();
    await w.board.locator('[data-square="a8"][aria-label$="white rook"]').waitFor();
    await shot('solve-solution');
    await w.locator('#solve-solution').click();
    await w.board.locator('[data-square="a1"][aria-label$="white rook"]').waitFor();
    assert.doesNotMatch(await shown(w), /is legal/);
  });
  await check('the text is as it was, and is shown again', async () => {
    await w.square('a1').focus();
    await w.press('Control+z');
    await w.locator('#solve-solution').click();
    await w.board.locator('#next').focus();
    await w.press('Control+z', 'Control+Shift+f');
    await w.locator('#solve').click();
    await w.locator('.cm-content').waitFor();
    assert.equal(await w.text(), all);
    // The cursor is at the puzzle that was solved last.
    await w.says(w.board.locator('#name'), /Legal/);
    await w.board.locator('[data-mode="edit"]').waitFor();
    await w.at(0);
    await w.type('// typed\n');
    await w.has(/^\/\/ typed/);
  });
  w.quiet();
  assert.equal(w.hosts.size, 1);
}

async function keys({ open, check, shot }) {
  const w = await open();
  await w.write(first);
  const place = () => w.page.evaluate(() => {
    const outer = document.activeElement;
    const inner = outer?.contentDocument?.activeElement;
    return inner ? `board ${inner.dataset.square ?? inner.id}` : outer?.id;
  });
  // Not past the end of the page: behind it are the buttons of some browsers, which keep the focus.
  const reach = async (wanted, key = 'Tab') => {
    for (let n = 0; n < 20 && (await place()) !== wanted; n++) await w.press(key);
    assert.equal(await place(), wanted);
  };
  const move = async (...pressed) => {
    for (const key of pressed) {
      await w.press(key);
      if (key.startsWith('Arrow')) continue;
      await w.answered();
    }
  };
  await check('by keys alone a puzzle is begun, tried, solved, and left', async () => {
    await w.locator('.cm-content').focus();
    await w.press('Shift+Alt+S');
    await said(w, /^Drag a piece/);
    await reach('solve', 'Shift+Tab');
    await reach('board a4');
    await move('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    assert.equal(await place(), 'board d1');
    await move('Enter');
    await w.board.locator('[data-square="b2"].reach').waitFor();
    await shot('solve-keys');
    await move('ArrowLeft', 'ArrowLeft', 'ArrowUp', 'Enter');
    await said(w, /^✓ d1xb2 is right/);
    await w.board.locator('[data-square="b2"][aria-label$="knight"]').waitFor();
    assert.equal(await place(), 'board b2');
    await reach('solve-hint');
    await w.press('Enter');
    await said(w, /^Hint 1 of 3/);
    await reach('solve-again');
    await w.press('Enter');
    await w.board.locator('[data-square="d1"][aria-label$="knight"]').waitFor();
    await reach('solve-solution');
    await w.press('Enter');
    await w.says(w.board.locator('#caption'), /^The start/);
    await w.press('Shift+Alt+S');
    await w.locator('.cm-content').waitFor();
    assert.equal(await w.text(), first);
  });
  w.quiet();
}

const tricky = `// solve => nothing; this comment stays.
solitaire "a => b" {
  note "=> d1xb2"
  board .....B..RP.....N
  solve => d1xb2 a2xb2 b2xb3 (the one) count => 1 // => stays
  hint "=> first"
}
chess "Two" {
  board 8/8/5n2/1N1Rrk2/8/3KB3/8/8
  helpmate in 2=>"1. Nxd5 Ke2 2. Ke4 Nd6#" twin b: e3 to f2 => "1. Rxd5+ Nd4+ 2. Ke5 Bg3#"
  line
    => ["1. Kd2", // inside
        "Kg4"]
  mate =>none
}
`;
const withoutAnswers = `// solve => nothing; this comment stays.
solitaire "a => b" {
  note "=> d1xb2"
  board .....B..RP.....N
  solve count // => stays
  hint "=> first"
}
chess "Two" {
  board 8/8/5n2/1N1Rrk2/8/3KB3/8/8
  helpmate in 2 twin b: e3 to f2
  line

  mate
}
`;

async function links({ open, check, shot }) {
  const w = await open();
  await w.write(tricky);
  let link;
  await check('a link for solvers has no written answer, and all else', async () => {
    await w.menu('#more', 'Copy a link for solvers');
    await w.says('.notice', /The link is in the clipboard\. It opens these puzzles to be solved/);
    link = await w.page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#z=[\w-]+&solve$/);
    assert.equal(await w.text(), tricky);
    assert.equal(await w.page.evaluate(() => location.hash), '');
  });
  await check('it opens in the mode, without having shown the text', async () => {
    const other = await open({ fragment: new URL(link).hash, before: (page) => page.addInitScript(() => {
      new MutationObserver(() => {
        const text = document.querySelector('.cm-content');
        if (text?.checkVisibility()) window.hasShown = true;
      }).observe(document, { childList: true, subtree: true });
    }) });
    await other.square('d1').waitFor();
    assert.equal(await other.text(), withoutAnswers);
    assert.equal(await other.page.evaluate(() => window.hasShown), undefined);
    await other.says('#solve', /Stop solving/);
    await check('and the mode is left for the text', async () => {
      await other.locator('#solve').click();
      await other.locator('.cm-content').waitFor();
      assert.doesNotMatch(await other.page.evaluate(() => location.hash), /solve/);
    });
  });
  await check('answers in such a link are hidden', async () => {
    await w.write(first);
    await w.locator('#share').click();
    await w.says('.notice', /It opens this text/);
    const plain = await w.page.evaluate(() => navigator.clipboard.readText());
    const other = await open({ fragment: `${new URL(plain).hash}&solve` });
    await other.square('d1').waitFor();
    assert.equal(await other.text(), first);
    assert.ok(!(await shown(other)).includes('d1xb2'));
    await shot('solve-link');
    await other.page.evaluate((hash) => (location.hash = hash), new URL(plain).hash);
    await other.locator('.cm-content').waitFor();
  });
  await check('an answer that belongs to no question is told, and nothing is copied', async () => {
    await w.write(`${first}=> d1xb2\n`);
    await w.menu('#more', 'Copy a link for solvers');
    await w.says('.notice.trouble', /No link was copied: in line 9 an answer is written/);
  });
}

async function looks({ open, check, shot, PHONE, isFull }) {
  for (const [name, options] of [
    ['light', {}],
    ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
    ['forced', { forcedColors: 'active' }],
    ...(isFull ? [['dark', { colorScheme: 'dark' }], ['phone', PHONE]] : []),
  ]) {
    const w = await open(options);
    const press = (on) => (options.hasTouch ? on.tap() : on.click());
    await w.write(mate);
    await press(w.locator('#more'));
    await shot(`solve-menu-${name}`);
    await press(w.page.getByRole('menuitem', { name: /^Solve the puzzles/ }));
    await w.says('#solve-task', /^White mates in 2/);
    await press(w.square('a1'));
    await w.board.locator('[data-square="a6"].reach').waitFor();
    await press(w.square('a6'));
    await said(w, /^✓ Ra6 is right/);
    await w.board.locator('[data-square="a6"][aria-label$="black pawn"]').waitFor();
    await shot(`solve-${name}`);
    await check(`axe-core finds nothing while solving, ${name}`, async () => assert.deepEqual(await violations(w), []));
    await check(`nothing is wider than the screen, ${name}`, async () => {
      for (const frame of w.page.frames()) {
        const [width, wide] = await frame.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
        assert.ok(wide <= width, `${frame.url()}: ${wide} in ${width}`);
      }
    });
    await press(w.locator('#solve-solution'));
    // The task, which stands in the panel, is not said twice.
    await w.says(w.board.locator('#caption'), /^\s$/);
    await press(w.board.locator('#next'));
    await w.says(w.board.locator('#caption'), /^1\.Ra6!/);
    await shot(`solve-solution-${name}`);
    await check(`axe-core finds nothing in the solution, ${name}`, async () => assert.deepEqual(await violations(w), []));
    await press(w.locator('#solve'));
    if (await w.locator('#show-board').isVisible()) await press(w.locator('#show-board'));
    await w.board.locator('[data-mode="record"]').click();
    await w.board.locator('#board.touch').waitFor();
    // The key is written, its defences are not.
    await w.says(w.board.locator('#verdict'), /defences are left/);
    await shot(`record-${name}`);
    await check(`axe-core finds nothing in recording, ${name}`, async () => assert.deepEqual(await violations(w), []));
    w.quiet();
  }
}

export default { solve, 'solve by keys': keys, 'solve links': links, 'solve looks': looks };
