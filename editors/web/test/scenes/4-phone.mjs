// A phone in the hands of somebody: what is tapped, read and shared.
import assert from 'node:assert/strict';
import { violations } from '../axe.mjs';
import { until } from '../page.mjs';

/** A phone of today, in pixels of CSS. */
const TALL = { width: 390, height: 844 };

/** A touch of the pointer on an element of the page. */
const tap = (w, selector) => w.locator(selector).tap();
const choose = async (w, button, item) => {
  await tap(w, button);
  await w.page.getByRole('menuitem', { name: item }).tap();
};
/** The place of an element on the screen. */
const box = (w, selector) => until(() => w.locator(selector).first().boundingBox(), selector);

async function newByTouch({ open, check, shot, PHONE }) {
  const w = await open({ ...PHONE, viewport: TALL });
  const focus = () => w.page.evaluate(() => document.activeElement.className || document.activeElement.id);
  await w.says('.cpz-inlay', /d1xb2/);
  await check('New begins a text, and leaves the example as it was', async () => {
    await choose(w, '#new', /^Chess mate/);
    await w.has(/^chess "Puzzle 1" \{/);
    assert.equal(await w.locator('#file').textContent(), 'puzzles.cpz');
    await w.locator('#notices button', { hasText: 'Go back' }).tap();
    await w.has('"First steps"');
  });
  await check('after New by touch keys go into the new puzzle', async () => {
    await choose(w, '#new', /^Chess mate/);
    await w.has('"Puzzle 1"');
    assert.match(await focus(), /cm-content/);
    await w.type('Mine');
    await w.has('chess "Mine" {');
    await shot('phone-new-puzzle');
  });
  await check('a tap into a field of the template gives the text the focus again', async () => {
    await tap(w, '#show-board');
    await tap(w, '#show-text');
    assert.equal(await focus(), 'show-text');
    // Right of the words, where the field ends.
    await w.locator('.cm-line', { hasText: /^ *mate/ }).last().tap({ position: { x: 280, y: 8 } });
    await until(async () => /cm-content/.test(await focus()), focus);
  });
  await check('New adds to a text that is no example', async () => {
    await choose(w, '#new', /^Mate in 2/);
    await w.has(/chess "Mine"[^]*chess "Puzzle 1" \{\n {2}board \S+\n {2}mate in 2\n/);
    assert.equal(await w.checked(), 0);
  });
  w.quiet();
}

async function reading({ open, check, shot, PHONE }) {
  const w = await open({ ...PHONE, viewport: TALL });
  await choose(w, '#examples', /^Mistakes/);
  await w.says('#problems-button', /9 errors, 3 warnings/);
  await w.says('.cpz-lenses .wrong', /no first move forces mate in 2/);
  await check('the lines are as wide as the screen, whatever stands above a puzzle', async () => {
    const [shown, all] = await w.locator('.cm-scroller').evaluate((scroller) => [scroller.clientWidth, scroller.scrollWidth]);
    assert.ok(all <= shown, `${all} in ${shown}`);
    const line = await box(w, '.cpz-lenses .wrong');
    assert.ok(line.x + line.width <= TALL.width, JSON.stringify(line));
  });
  await check('the numbers of findings stand in one line at the foot', async () => {
    const foot = await box(w, '#problems-button');
    const one = await box(w, '#show-board');
    assert.ok(foot.height <= one.height + 4, `${foot.height}, a button has ${one.height}`);
    assert.equal(await w.page.getByRole('button', { name: /^9 errors ?, ?3 warnings$/ }).count(), 1);
  });
  await check('a message stands above the foot, and covers neither the list of findings nor the board', async () => {
    await tap(w, '#problems-button');
    await w.locator('#problems .fixes button').first().waitFor();
    const above = async (selector) => {
      const [notice, part] = [await box(w, '.notice'), await box(w, selector)];
      assert.ok(part.y + part.height <= notice.y, `${selector} ends at ${part.y + part.height}, the message begins at ${notice.y}`);
    };
    await above('#problems');
    await shot('phone-findings');
    assert.deepEqual(await violations(w), []);
    await tap(w, '#problems-button');
    await tap(w, '#show-board');
    await above('#board');
    await shot('phone-message');
    await tap(w, '#show-text');
  });
  await check('Fix… leads to the next finding where nothing is to fix', async () => {
    await tap(w, '#actions');
    await w.locator('#notices button', { hasText: 'Next finding' }).tap();
    await w.page.getByRole('menuitem', { name: /^Make it ‘mate in 3’/ }).waitFor();
    await shot('phone-next-finding');
    await w.press('Escape');
  });
  await check('questions with the same words have numbers', async () => {
    await w.write('draughts "Two" {\n  board [["W","K",1,1], ["B","M",3,3]]\n  capture\n}\n\ndraughts "Three" {\n  board [["W","K",1,1], ["B","M",3,3]]\n  capture => a1:d4\n  capture\n  line\n}\n');
    await w.at((await w.text()).indexOf('"Three"'));
    await tap(w, '#show-board');
    await w.says(w.board.locator('#name'), /Three/);
    await until(async () => (await w.board.locator('#queries button').allTextContents()).join() === 'capture 1,capture 2,line', () => w.board.locator('#queries').textContent());
    await shot('phone-questions');
  });
  w.quiet();
}

const MANY = `// About all of them.
tags [lesson]

// Ra6 solves the first.
chess "One" {
  board kbK5/pp6/1P6/8/8/8/8/R7
  mate in 2 => Ra6
} // that was the first

// For the club.
// The queen is pinned.
chess "Two" {
  board 6k1/5ppp/8/8/8/8/8/R6K
  mate in 1 => Ra8#
}

// Not this one.
chess "Three" {
  board 4k3/8/8/8/8/8/8/R3K3
  move Ra8+
}
`;

async function sharing({ open, check, shot, PHONE }) {
  const w = await open({ ...PHONE, viewport: TALL, before: (page) => page.addInitScript(() => {
    navigator.share = async (given) => {
      window.shared = given;
    };
  }) });
  await w.write(MANY);
  const copied = async (item) => {
    await w.page.evaluate(() => navigator.clipboard.writeText(''));
    await choose(w, '#more', item);
    return until(() => w.page.evaluate(() => navigator.clipboard.readText()), 'a link');
  };
  await check('the menu shows where it goes on, and leads to other formats and orders', async () => {
    await tap(w, '#more');
    await shot('phone-more');
    const [shown, all] = await w.locator('.menu').evaluate((menu) => [menu.clientHeight, menu.scrollHeight]);
    assert.ok(all > shown, 'this menu is to be scrolled');
    assert.deepEqual(await violations(w), []);
    await w.page.getByRole('menuitem', { name: /^Write for another program/ }).tap();
    await w.page.getByRole('menuitem', { name: /^Popeye/ }).waitFor();
    await shot('phone-write');
    await w.press('Escape');
    await choose(w, '#more', /^Sort the puzzles/);
    await w.page.getByRole('menuitem', { name: /^Sort the puzzles by name/ }).tap();
    await w.has(/"One"[^]*"Three"[^]*"Two"/);
    await w.write(MANY);
  });
  await check('a link to one puzzle has that alone, without its answer and what is said of others', async () => {
    await w.at((await w.text()).indexOf('6k1/'));
    const link = await copied(/^Copy a link to this puzzle/);
    await w.says('.notice', /^The link is in the clipboard\. It opens ‘Two’ to be solved/);
    await shot('phone-link');
    const other = await open({ ...PHONE, viewport: TALL, fragment: new URL(link).hash });
    await other.says('#solve-puzzle', /Two/);
    assert.equal(await other.text(), 'tags [lesson]\n\n// For the club.\n// The queen is pinned.\nchess "Two" {\n  board 6k1/5ppp/8/8/8/8/8/R6K\n  mate in 1\n}\n');
    await other.says('#solve-said', /^Drag a piece/);
    await check('a move that is no mate in one is told so', async () => {
      await other.square('a1').tap();
      await other.square('a7').tap();
      await other.says('#solve-said', /^✗ Ra7 is wrong: it is no mate\./);
      await shot('phone-no-mate');
    });
  });
  await check('the link is shared with what the phone has for that', async () => {
    await w.locator('#notices button', { hasText: 'Share…' }).tap();
    const { url } = await until(() => w.page.evaluate(() => window.shared), 'it is shared');
    assert.equal(url, await w.page.evaluate(() => navigator.clipboard.readText()));
  });
  w.quiet();
}

export default { 'new by touch': newByTouch, 'reading on a phone': reading, 'sharing on a phone': sharing };
