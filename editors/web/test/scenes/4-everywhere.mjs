// Phones, colours, the keyboard alone, screen readers, no network, no WebAssembly.
import assert from 'node:assert/strict';
import { violations } from '../axe.mjs';
import { repeat, until } from '../page.mjs';

async function phone({ open, check, shot, PHONE }) {
  const w = await open(PHONE);
  await w.says('.cpz-inlay', /d1xb2/);
  await shot('phone');
  const fits = async () => {
    const [width, wide] = await w.page.evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
    assert.ok(wide <= width, `${wide} in ${width}`);
    const [inner, innerWide] = await w.page.frame({ url: /board.html/ }).evaluate(() => [innerWidth, document.documentElement.scrollWidth]);
    assert.ok(innerWide <= inner, `the board: ${innerWide} in ${inner}`);
  };
  await check('nothing is wider than the screen', fits);
  await check('a puzzle is composed by touch', async () => {
    await w.locator('#new').tap();
    await shot('phone-new');
    await w.page.getByRole('menuitem', { name: /^Solitaire Chess/ }).tap();
    await w.has('"Puzzle 1"');
    await w.locator('#show-board').tap();
    await w.says(w.board.locator('#name'), /Puzzle 1/);
    await w.board.locator('[data-mode="edit"]').tap();
    await w.board.locator('#board.touch').waitFor();
    await shot('phone-edit');
    await w.board.locator('#clear').tap();
    await w.says(w.board.locator('#verdict'), /empty/);
    for (const [piece, square] of [['R', 'a1'], ['N', 'a3'], ['P', 'c2']]) {
      await w.board.locator(`#palette [data-letter="${piece}"]`).tap();
      await w.square(square).tap();
      await w.board.locator(`[data-square="${square}"]:not([aria-label$="empty"])`).waitFor();
      await w.board.locator(`#palette [data-letter="${piece}"]`).tap();
    }
    await w.has(/N \. \. \.\n\s*\. \. P \.\n\s*R \. \. \./);
    await fits();
    await shot('phone-composed');
  });
  await check('a finger drags a piece', async () => {
    const session = await w.page.context().newCDPSession(w.page);
    const [from, to] = [await w.middle('c2'), await w.middle('d4')];
    const touch = (type, point) => session.send('Input.dispatchTouchEvent', { type, touchPoints: point ? [point] : [] });
    await touch('touchStart', from);
    for (let i = 1; i <= 6; i++) await touch('touchMove', { x: from.x + ((to.x - from.x) * i) / 6, y: from.y + ((to.y - from.y) * i) / 6 });
    await touch('touchEnd');
    await w.has(/\. \. \. P\n/);
  });
  await check('errors are found and fixed by touch', async () => {
    // The browser ignores a tap that follows a fling at once.
    await repeat(async (ms) => {
      await w.locator('#show-text').tap({ timeout: ms });
      await w.locator('#text').waitFor({ timeout: ms });
    }, 'the text');
    await w.write('solitaire {\n  board NR..\n  solv\n}\n');
    await w.says('#problems-button', /1 error/);
    await w.locator('#problems-button').tap();
    await w.locator('#problems .fixes button').first().waitFor();
    await shot('phone-errors');
    await w.locator('#problems .fixes button').first().tap();
    await w.has('  solve\n');
    await w.locator('#problems-button').tap();
    await w.locator('#more').tap();
    await shot('phone-menu');
    await w.press('Escape');
  });
  w.quiet();
}

async function colours({ open, check, shot, PHONE, isFull }) {
  for (const [name, options] of [
    ['light', {}],
    ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
    ...(isFull ? [
      ['dark', { colorScheme: 'dark' }],
      ['tablet', { viewport: { width: 820, height: 1180 } }],
      ['forced', { forcedColors: 'active' }],
    ] : []),
  ]) {
    const w = await open(options);
    await w.menu('#examples', /Mistakes/);
    await w.says('#problems-button', /error/);
    await w.locator('#problems-button').click();
    await w.locator('#problems .fixes button').first().waitFor();
    await shot(`look-${name}`);
    await check(`axe-core finds nothing with errors, ${name}`, async () => assert.deepEqual(await violations(w), []));
    await w.locator('#problems-button').click();
    await w.menu('#examples', /First steps/);
    await w.locator('.cpz-inlay').waitFor();
    if (await w.locator('#show-board').isVisible()) await w.locator('#show-board').click();
    await w.board.locator('[data-mode="edit"]').click();
    await w.board.locator('#board.touch').waitFor();
    await shot(`edit-${name}`);
    await check(`axe-core finds nothing on the board, ${name}`, async () => assert.deepEqual(await violations(w), []));
    await w.locator('#more').click();
    await check(`axe-core finds nothing in a menu, ${name}`, async () => assert.deepEqual(await violations(w), []));
    await w.page.getByRole('menuitem', { name: /About/ }).click();
    await shot(`about-${name}`);
    await check(`axe-core finds nothing in a window, ${name}`, async () => assert.deepEqual(await violations(w), []));
    await w.press('Escape');
    if (await w.locator('#show-text').isVisible()) await w.locator('#show-text').click();
    await w.at((await w.text()).length);
    await w.type('\nsol', 60);
    await w.locator('.cm-tooltip-autocomplete li').first().waitFor();
    await shot(`completion-${name}`);
    await check(`axe-core finds nothing in completion, ${name}`, async () => assert.deepEqual(await violations(w), []));
    await w.press('Escape', 'Control+f');
    await w.type('solve');
    await shot(`search-${name}`);
    await check(`axe-core finds nothing in the search, ${name}`, async () => assert.deepEqual(await violations(w), []));
  }
}

async function keyboard({ open, check, shot }) {
  const w = await open();
  const focus = () => w.page.evaluate(() => {
    const outer = document.activeElement;
    const inner = outer?.contentDocument?.activeElement;
    return inner ? `board ${inner.id || inner.dataset.square || inner.dataset.mode}` : outer?.id || outer?.className || '';
  });
  const reach = async (wanted) => {
    for (let n = 0; n < 40; n++) {
      if (wanted.test(await focus())) return;
      await w.press('Tab');
    }
    assert.fail(`Tab does not reach ${wanted}, but ${await focus()}`);
  };
  await check('Tab reaches the commands, the text and the board', async () => {
    for (const wanted of [/^new$/, /^examples$/, /^more$/, /cm-content/, /^board edit$/, /^board a4$/]) await reach(wanted);
    await shot('keyboard');
  });
  await check('a menu is worked with arrows, and Escape gives the focus back', async () => {
    await w.page.locator('#examples').focus();
    await w.press('Enter', 'ArrowDown', 'Escape');
    assert.equal(await focus(), 'examples');
    await w.press('Enter', 'ArrowDown', 'Enter');
    await w.says('#file', /solitaire.cpz/);
  });
  await check('errors are fixed with Ctrl+.', async () => {
    await w.write('solitaire {\n  board NR..\n  solv\n}\n');
    await w.says('#problems-button', /1 error/);
    await w.locator('.cm-content').focus();
    await w.press('Control+Home', 'F8', 'Control+.');
    await w.page.getByRole('menuitem', { name: /Replace with/ }).waitFor();
    await w.press('Enter');
    await w.has('  solve\n');
  });
  await check('a key opens the list of findings and leads into it, and Escape back', async () => {
    await w.press('Control+z');
    await w.says('#problems-button', /1 error/);
    await w.locator('#problems-button').focus();
    await w.press('Enter');
    assert.match(await focus(), /^place/);
    await w.press('Escape');
    assert.equal(await focus(), 'problems-button');
    await w.locator('.cm-content').focus();
    await w.press('Control+y');
    await w.has('  solve\n');
  });
  await check('a window gives the focus back to the board', async () => {
    await w.board.locator('[data-mode="edit"]').focus();
    await w.press('Control+p', 'Escape');
    // The board is a document of its own, which takes the focus later.
    await until(async () => (await focus()) === 'board edit', 'the focus on the board');
  });
  await check('a window begins at its head in a low window', async () => {
    const size = w.page.viewportSize();
    await w.page.setViewportSize({ width: 320, height: 400 });
    await w.menu('#more', /^About/);
    const { top, scroll, end } = await w.locator('dialog').evaluate((e) => ({ scroll: e.scrollTop, top: e.querySelector('h2').getBoundingClientRect().top, end: e.querySelector('.foot').getBoundingClientRect().bottom }));
    assert.ok(scroll === 0 && top > 0 && end <= 400, `${scroll} ${top} ${end}`);
    await w.press('Escape');
    await w.page.setViewportSize(size);
  });
  await check('Ctrl+I says what is at the cursor', async () => {
    await w.at((await w.text()).indexOf('solve') + 1);
    await w.press('Control+i');
    await w.says('.cpz-hover', /solve/);
  });
  await check('a piece is set and moved by keys, and it is said', async () => {
    await w.board.locator('[data-mode="edit"]').focus();
    await w.press('Enter');
    await w.board.locator('#board.touch').waitFor();
    await w.square('a1').focus();
    await w.press('ArrowRight', 'q');
    await w.has('board NR.Q');
    await w.says(w.board.locator('#notice'), /queen on b1/);
    await w.press('Control+z');
    await w.has('board NR..');
  });
  w.quiet();
}

async function offline({ open, check, isNative }) {
  const w = await open();
  await check('the page opens without a network after the first load', async () => {
    await w.page.evaluate(() => navigator.serviceWorker.ready);
    await until(() => w.page.evaluate(async () => {
      const names = await caches.keys();
      return (await (await caches.open(names[0])).keys()).length > 6;
    }), 'the files are kept');
    await w.page.context().setOffline(true);
    await w.page.reload();
    await w.locator('.cm-content').waitFor();
    if (!isNative) {
      await w.ready();
      await w.says('.cpz-inlay', /d1xb2/);
      await w.square('a1').waitFor();
    }
    await w.page.context().setOffline(false);
  });
}

async function without({ open, check, shot }) {
  await check('no WebAssembly is told in a sentence, and the text can be edited', async () => {
    const w = await open({ before: (page) => page.addInitScript(() => delete window.WebAssembly), waits: false });
    await w.says('.notice.trouble', /this browser has no WebAssembly/);
    await w.at(0);
    await w.type('// typed\n');
    await w.has(/^\/\/ typed/);
    await shot('no-webassembly');
    await w.locator('#solve').click();
    await w.says('#solve-said', /^Nothing can be solved here: this browser has no WebAssembly/);
  });
}

export default { phone, colours, keyboard, offline, without };
