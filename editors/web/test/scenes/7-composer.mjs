// What a composer does with a problem from a magazine: it is typed key by key, a twin is broken, its cook found and played,
// and the problem printed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../page.mjs';
import { magazine } from '../../../vscode/test/texts.mjs';

/** Milliseconds between two keys. */
const PACE = 60;

async function composer({ open, check, shot, shots, isFirefox }) {
  const w = await open({ before: (page) => page.addInitScript(() => {
    window.print = () => (window.printed = (window.printed ?? 0) + 1);
  }) });
  const typed = magazine.replace(/^ +/gm, '').trimEnd();
  const end = magazine.indexOf('a1 to h8') + 'a1 to h8'.length;
  const retype = async (square) => {
    await w.at(end);
    await w.press('Backspace', 'Backspace');
    await w.type(square, PACE);
  };
  const isShown = (letter) => w.says(w.board.locator('#queries [aria-pressed="true"]'), new RegExp(`^twin ${letter}`));
  await w.write('');
  await check('a helpmate with three twins is typed, and each position has its answer', async () => {
    await w.at(0);
    for (const part of typed.split(/(?<=\n)/)) {
      await w.type(part, PACE);
      // The server indents the line, unless the text has changed when it answers.
      await w.answered();
    }
    await w.press('Escape');
    const inlays = () => w.locator('.cpz-inlay').allTextContents();
    await until(async () => (await inlays()).length === 4, async () => `four answers, not ${await inlays()}`);
    for (const [n, start] of ['1. Kb2 h8=R', '1. Kxh2 h8=B', '1. Kg7 h8=N', '1. Rb8 h8=Q'].entries()) assert.ok((await inlays())[n].includes(start), (await inlays())[n]);
    assert.equal((await w.text()).trimEnd(), magazine.trimEnd());
    await w.says('#problems-button', /No errors/);
  });
  await shot('composer-typed');
  await check('the board is that of the twin at the cursor', async () => {
    await w.at(end);
    await isShown('c');
    await w.board.locator('[data-square="h8"][aria-label="h8, black king"]').waitFor();
  });
  await shot('composer-twin');
  await check('a slip in one twin is one finding, on that twin, with both solutions', async () => {
    await retype('g8');
    await w.says('#problems-button', /1 warning/);
    await w.locator('.cm-lintRange-warning').first().waitFor();
    await shot('composer-slip');
    await w.locator('#problems-button').click();
    await w.says('#problems', /Line 7.*twin c.*2 solutions, but 1 is intended.*Kf7/s);
  });
  await shot('composer-cook');
  await check('the board plays the cook', async () => {
    await isShown('c');
    const line = w.board.locator('#line');
    await until(async () => (await line.locator('option').count()) === 2, 'two lines');
    await line.selectOption({ index: 1 });
    for (let n = 0; n < 4; n++) await w.board.locator('#next').click();
    await w.says(w.board.locator('#caption'), /Bd4#/);
  });
  await shot('composer-cook-played');
  await check('the right square takes the finding away', async () => {
    await retype('h8');
    await w.says('#problems-button', /No errors/);
    await w.says('#problems', /No errors and no warnings/);
    await w.locator('#problems-button').click();
  });
  await check('the answers are inserted, each behind its position', async () => {
    await w.locator('.cpz-lenses button', { hasText: 'Insert' }).click();
    for (const answer of ['h#2 => "1. Kb2 h8=R 2. Ra1 Rb8#"', 'h1 => "1. Kxh2 h8=B 2. Rh1 Be5#"', 'h8 => "1. Kg7 h8=N 2. Kf6 Bd4#"', 'a8 => "1. Rb8 h8=Q 2. Rc8 Qxc8#"']) await w.has(answer);
    await w.says('.cpz-lenses', /✓/);
    await w.says(w.board.locator('#queries [aria-pressed="true"]'), /^twin c: a1 to h8$/);
  });
  await shot('composer-solved');
  await check('the sheet has the diagram with what a magazine prints, and no solution', async () => {
    await w.print({ 'Below the boards': 'magazine' });
    const sheet = await w.locator('#sheet').textContent();
    for (const part of ['Four corners', 'Pál Benkő', 'Magyar Sakkélet, 1980', 'h#2', '(6+8)', 'b) bKa1→h1']) assert.ok(sheet.includes(part), `${part} in ${sheet}`);
    assert.doesNotMatch(sheet, /Rb8#/);
    await w.page.emulateMedia({ media: 'print' });
    await shot('composer-sheet');
    await w.page.emulateMedia({ media: null });
  });
  await check('the solutions stand on a page of their own', async () => {
    await w.print({ Solutions: 'apart' });
    await w.says('#sheet .answers', /a\) 1\. Kb2 h8=R 2\. Ra1 Rb8#.*b\).*Be5#.*c\).*Bd4#.*d\).*Qxc8#/s);
    if (!isFirefox) writeFileSync(join(shots, 'composer-sheet.pdf'), await w.page.pdf({ preferCSSPageSize: true }));
  });
  w.quiet();
}

export default { composer };
