// The gallery: all puzzles of a text as small boards, found, sorted and chosen; by mouse, by touch and by keys alone.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { violations } from '../axe.mjs';
import { until } from '../page.mjs';
import { magazine } from '../../../vscode/test/texts.mjs';

const example = (name) => readFileSync(new URL(`../../../../examples/${name}.cpz`, import.meta.url), 'utf8');
const alone = 'chess "A position alone" {\n  board 8/8/4k3/8/8/4K3/4P3/8\n}\n';
const mixed = [example('collection/helpmates'), alone, magazine, example('mistakes/answers')].join('\n');

const cards = (w) => w.locator('.gallery-list li');
const titles = (w) => w.locator('.gallery-title').allTextContents();
const control = (w, name) => w.page.getByRole(name === 'Find' ? 'searchbox' : 'combobox', { name });
const counted = (w, pattern) => w.says('.gallery-count', pattern);

async function browse(w) {
  if (await w.locator('#browse').isVisible()) await w.locator('#browse').click();
  else await w.menu('#more', /^Browse the puzzles/);
  await w.locator('.gallery-picture svg').first().waitFor();
}

async function gallery({ open, check, shot }) {
  const w = await open();
  await w.write(mixed);
  await w.checked();
  await check('the gallery shows each puzzle with its board, title, question, state and difficulty', async () => {
    await browse(w);
    await counted(w, /^29 puzzles$/);
    await w.says(cards(w), /^1\. .*chess, helpmate in 1✓ Solveddifficulty 4\.4$/);
    assert.equal(await cards(w).first().locator('svg .square').count(), 64);
    await w.says(cards(w).filter({ hasText: 'Miscounted' }), /✗ error: .*difficulty 3\.5$/);
    await w.says(cards(w).filter({ hasText: 'A position alone' }), /– No question/);
  });
  await shot('gallery');
  await check('axe-core finds nothing in the gallery', async () => assert.deepEqual(await violations(w), []));
  await check('a word finds titles, authors and tags, whatever their accents', async () => {
    await control(w, 'Find').fill('benko');
    await counted(w, /^1 of 29 puzzles$/);
    assert.deepEqual(await titles(w), ['14. Four corners']);
    await control(w, 'Find').fill('nothing of that');
    await counted(w, /^0 of 29 puzzles$/);
    await shot('gallery-none');
    await w.page.getByRole('button', { name: 'Show all' }).click();
    await counted(w, /^29 puzzles$/);
  });
  await check('game, question and status choose together', async () => {
    await control(w, 'Game').selectOption('solitaire');
    await counted(w, /^7 of 29/);
    await control(w, 'Question').selectOption('count');
    assert.deepEqual(await titles(w), ['20. Miscounted']);
    await control(w, 'Question').selectOption('');
    await control(w, 'Game').selectOption('');
    await control(w, 'Status').selectOption('none');
    assert.deepEqual(await titles(w), ['13. A position alone']);
    await control(w, 'Status').selectOption('findings');
    await counted(w, /^15 of 29/);
    await control(w, 'Status').selectOption('');
  });
  await check('the searches that take long are done when they are asked for', async () => {
    await w.says('.gallery-open', /^\d answers need a longer search\./);
    await control(w, 'Status').selectOption('undecided');
    await until(async () => (await cards(w).count()) > 0, 'what is undecided');
    await w.page.getByRole('button', { name: 'Search' }).click();
    await counted(w, /^0 of 29/);
    await control(w, 'Status').selectOption('');
  });
  await check('the puzzles are sorted by difficulty and by title', async () => {
    await control(w, 'Sort by').selectOption('difficulty');
    const known = (await w.locator('.gallery-difficulty').allTextContents()).map((text) => Number(text.slice('difficulty '.length)));
    assert.ok(known.length > 10);
    assert.deepEqual(known, [...known].sort((a, b) => a - b));
    // Those whose difficulty is not known come last.
    assert.equal(await cards(w).nth(known.length - 1).locator('.gallery-difficulty').count(), 1);
    await control(w, 'Sort by').selectOption('title');
    assert.deepEqual((await titles(w)).slice(0, 2), ['10. A bishop steps back', '6. A harmless rook']);
    await control(w, 'Sort by').selectOption('file');
  });
  await check('a change of the text changes what is seen, and the filter stays', async () => {
    await control(w, 'Find').fill('corners');
    await counted(w, /^1 of 29/);
    await w.write(mixed.replace('p1pP2bP/krr5', 'p1pP2bP/k1r5').replace('"To the fifth rank"', '"Corners of another board"'));
    await until(async () => (await titles(w)).join() === '1. Corners of another board,14. Four corners', async () => `two titles, not ${await titles(w)}`);
    await cards(w).last().locator('[data-square="b1"]:not(:has(use))').waitFor({ state: 'attached' });
  });
  await check('a click shows the puzzle in the text, and its board', async () => {
    await cards(w).last().click();
    await w.locator('#gallery').waitFor({ state: 'hidden' });
    await w.says('.cm-activeLine', /chess "Four corners"/);
    await w.says(w.board.locator('#name'), /Four corners/);
  });
  w.quiet();
}

async function keys({ open, check, shot }) {
  const w = await open({ viewport: { width: 900, height: 700 }, colorScheme: 'dark' });
  const focused = () => w.page.evaluate(() => document.activeElement?.querySelector('.gallery-title')?.textContent ?? document.activeElement?.localName);
  const reaches = (title) => until(async () => (await focused()) === title, async () => `the focus on ${title}, not on ${await focused()}`);
  await w.write(mixed);
  await w.at(mixed.indexOf('chess "A position alone"') + 10);
  await w.checked();
  await check('the gallery opens at the puzzle of the cursor', async () => {
    await w.locator('#browse').focus();
    await w.press('Enter');
    await reaches('13. A position alone');
    assert.equal(await w.locator('[aria-current]').count(), 1);
  });
  await shot('gallery-keys');
  await check('arrow keys, Home and End go through the boards, line by line', async () => {
    const columns = await w.locator('.gallery-list').evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length);
    assert.ok(columns > 2);
    await w.press('ArrowRight');
    await reaches('14. Four corners');
    await w.press('ArrowDown', 'ArrowUp', 'ArrowUp');
    await until(async () => (await focused()).startsWith(`${14 - columns}. `), `the puzzle ${columns} before`);
    await w.press('End');
    await reaches('29. A line that fails');
    await cards(w).last().locator('svg').waitFor();
    await w.press('Home');
    await until(async () => (await focused()).startsWith('1. '), 'the first one');
  });
  await check('Tab leads to one board, and before it to what finds and sorts', async () => {
    for (const wanted of ['select', 'select', 'select', 'select', 'input']) {
      await w.press('Shift+Tab');
      if ((await focused()) === 'button') await w.press('Shift+Tab');
      await reaches(wanted);
    }
    await w.page.keyboard.type('fails');
    await counted(w, /^1 of 29/);
    for (let n = 0; n < 8 && !(await focused()).includes('A line that fails'); n++) await w.press('Tab');
    await reaches('29. A line that fails');
  });
  await check('Enter shows the puzzle in the text', async () => {
    await w.press('Enter');
    await w.locator('#gallery').waitFor({ state: 'hidden' });
    await w.says('.cm-activeLine', /"A line that fails"/);
    await until(() => w.page.evaluate(() => !!document.activeElement?.closest('.cm-content')), 'the focus in the text');
  });
  await check('Escape closes the gallery and gives the focus back', async () => {
    await w.locator('#browse').focus();
    await w.press('Enter');
    await reaches('29. A line that fails');
    await w.press('Escape');
    await w.locator('#gallery').waitFor({ state: 'hidden' });
    await until(() => w.page.evaluate(() => document.activeElement?.id === 'browse'), 'the focus on the button');
  });
  await check('a screen reader hears a list and its buttons by name', async () => {
    await w.press('Enter');
    await reaches('29. A line that fails');
    const list = w.page.getByRole('list', { name: 'Puzzles' });
    await list.getByRole('listitem').nth(0).waitFor();
    assert.match(await cards(w).last().getByRole('button').ariaSnapshot(), /button "29\. A line that fails chess, line error: /);
    assert.match(await w.locator('.gallery-tools').ariaSnapshot(), /^- search:/);
  });
  await check('axe-core finds nothing, dark', async () => assert.deepEqual(await violations(w), []));
  w.quiet();
}

async function phone({ open, check, shot, PHONE, isFull }) {
  for (const [name, options] of [
    ['phone', PHONE],
    ...(isFull ? [
      ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
      ['forced', { forcedColors: 'active' }],
    ] : []),
  ]) {
    const w = await open(options);
    await w.write(mixed);
    await w.checked();
    await check(`the gallery fits the screen, and a tap opens a puzzle, ${name}`, async () => {
      await browse(w);
      await counted(w, /^29/);
      await w.answered();
      await shot(`gallery-${name}`);
      const [width, wide] = await w.page.evaluate(() => [innerWidth, document.querySelector('#gallery').scrollWidth]);
      assert.ok(wide <= width, `${wide} in ${width}`);
      assert.deepEqual(await violations(w), []);
      await cards(w).nth(1).click();
      await w.locator('#gallery').waitFor({ state: 'hidden' });
      await w.says('.cm-activeLine', /"On the back rank"/);
    });
    w.quiet();
  }
}

/** Puzzles of solitaire, each with another board: a rook that takes a pawn after the other. */
const many = (count) => Array.from({ length: count }, (_, n) => {
  const cells = Array.from({ length: 12 }, (_, bit) => ((n + 1) >> bit) & 1 ? 'P' : '.');
  return `solitaire "Number ${n + 1}" {\n  board R${cells.slice(0, 3).join('')}${cells.slice(3).join('')}...\n  solve\n}\n`;
}).join('\n');

/** Whether there are boards in view, and all of them are drawn. */
const seenAreDrawn = (w) => w.page.evaluate(() => {
  const { top: from, bottom } = document.querySelector('.gallery-scroller').getBoundingClientRect();
  const isSeen = (item) => item.getBoundingClientRect().bottom > from && item.getBoundingClientRect().top < bottom;
  const seen = [...document.querySelectorAll('.gallery-list li')].filter(isSeen);
  return seen.length > 0 && seen.every((item) => item.querySelector('svg'));
});

async function large({ open, check, shot }) {
  const w = await open();
  await w.write(many(2000));
  await check('of 2,000 puzzles the boards in view alone are drawn', async () => {
    await browse(w);
    await counted(w, /^2000 puzzles$/);
    const drawn = () => cards(w).locator('.gallery-picture svg').count();
    await until(() => seenAreDrawn(w), async () => `boards in view, not ${await drawn()}`);
    // The sheet for paper, which is made when the page is idle, asks for boards, too.
    await w.answered();
    assert.ok((await drawn()) < 120, `${await drawn()} boards`);
  });
  await check('the last ones are drawn when they come into view', async () => {
    await cards(w).first().getByRole('button').focus();
    await w.press('End');
    await cards(w).last().locator('svg').waitFor();
    await w.says(w.locator('.gallery-list li:last-child'), /2000\. Number 2000/);
  });
  await shot('gallery-large');
  await check('boards that are out of sight for long are forgotten, and drawn again', async () => {
    const scroll = (top) => w.locator('.gallery-scroller').evaluate((scroller, to) => scroller.scrollTo(0, to), top);
    for (let top = 0; top < 12_000; top += 1200) {
      await scroll(top);
      await until(() => seenAreDrawn(w), `boards at ${top}`);
    }
    assert.ok((await w.locator('.gallery-list svg').count()) <= 240);
    await scroll(0);
    await cards(w).first().locator('svg').waitFor();
  });
  w.quiet();
}

export default { gallery, 'gallery by keys': keys, 'gallery on a phone': phone, 'gallery of 2,000': large };
