// The gallery: the puzzles of a file as small boards, found, chosen by keys, and kept up to date.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { magazine } from '../texts.mjs';
import { repeat } from '../vscode.mjs';

const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');
const show = async w => {
  await w.command('Chess Puzzles: Browse Collection');
  const frame = await w.webview('.gallery-list svg');
  return frame;
};
const titles = frame => frame.locator('.gallery-title').allTextContents();
const counted = (w, frame, pattern) =>
  w.until(async () => pattern.test(await frame.locator('.gallery-count').textContent()), async () => `${pattern}, not ${await frame.locator('.gallery-count').textContent()}`);
const focused = frame => frame.evaluate(() => document.activeElement?.querySelector('.gallery-title')?.textContent ?? document.activeElement?.localName);
const reaches = (w, frame, title) => w.until(async () => (await focused(frame)) === title, async () => `the focus on ${title}, not on ${await focused(frame)}`);

export const violations = async frame => {
  await frame.evaluate(axe);
  // It would load the style sheets again, which the policy of the page forbids.
  const found = await frame.evaluate(() => window.axe.run(document, { preload: false, resultTypes: ['violations'] }));
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0].html} ${nodes[0].any[0]?.message}`);
};

async function gallery({ window, check, shot, root }) {
  const text = `${readFileSync(join(root, 'examples/mistakes/answers.cpz'), 'utf8')}\n${magazine}`;
  const w = await window({ 'a.cpz': text }, 'a.cpz');
  await w.errors.first().waitFor();
  let frame;
  await check('the command shows each puzzle with its board, and begins at that of the cursor', async () => {
    await w.at(text.split('\n').indexOf('chess "Not mate yet" {') + 1, 3);
    frame = await show(w);
    await counted(w, frame, /^16 puzzles$/);
    await w.page.locator('.tab', { hasText: 'Collection: a.cpz' }).waitFor();
    await w.until(async () => /error: black is in check/.test(await frame.locator('[aria-current]').textContent()), 'the finding of the puzzle at the cursor');
    await reaches(w, frame, '2. Not mate yet');
  });
  await shot('gallery');
  await check('axe-core finds nothing in the gallery', async () => assert.deepEqual(await violations(frame), []));
  await check('what is typed finds titles, authors and tags', async () => {
    await frame.locator('input').fill('benko');
    await counted(w, frame, /^1 of 16 puzzles$/);
    assert.deepEqual(await titles(frame), ['16. Four corners']);
  });
  await check('Enter shows the puzzle in the text', async () => {
    await frame.locator('.gallery-list button').focus();
    await w.press('Enter');
    await w.cursor(text.split('\n').indexOf('chess "Four corners" {') + 1, 1);
    await w.see('chess "Four corners"');
  });
  await check('the filter is there again when the gallery comes back', async () => {
    await w.page.locator('.tab', { hasText: 'Collection: a.cpz' }).click();
    frame = await w.webview('.gallery-list svg');
    await counted(w, frame, /^1 of 16 puzzles$/);
    assert.equal(await frame.locator('input').inputValue(), 'benko');
    await frame.getByRole('combobox', { name: 'Sort by' }).selectOption('title');
    await frame.locator('input').fill('');
    await counted(w, frame, /^16 puzzles$/);
    assert.equal((await titles(frame))[0], '8. A jump on the way');
  });
  await check('a change of the file changes what is seen', async () => {
    const changed = text.replace('"A jump on the way"', '"A far jump"').replace('"Four corners"', '"0. Corners"');
    const others = async () => `other titles, not ${await titles(frame)}`;
    // The workbench may miss that a file was written while it is busy.
    await repeat(async ms => {
      w.write({ 'a.cpz': changed });
      await w.until(async () => (await titles(frame)).join().startsWith('16. 0. Corners,8. A far jump,'), others, ms);
    }, others);
  });
  assert.deepEqual(w.policyErrors, []);
}

async function themes({ window, check, shot, root }) {
  const w = await window({ 'a.cpz': readFileSync(join(root, 'examples/mistakes/answers.cpz'), 'utf8') }, 'a.cpz');
  await w.errors.first().waitFor();
  const frame = await show(w);
  for (const [theme, kind] of [['Default Dark Modern', 'vscode-dark'], ['Default High Contrast', 'vscode-high-contrast'], ['Default High Contrast Light', 'vscode-high-contrast-light']]) {
    await check(`axe-core finds nothing in ${theme}`, async () => {
      w.write({ '.vscode/settings.json': JSON.stringify({ 'workbench.colorTheme': theme }) });
      await w.until(() => frame.evaluate(name => document.body.classList.contains(name), kind), `the theme ${theme}`);
      assert.deepEqual(await violations(frame), []);
    });
    await shot(`gallery-${kind}`);
  }
}

export default { gallery, 'gallery themes': themes };
