// What a composer does with a problem from a magazine: it is typed key by key, a twin is broken, its cook found, and the
// problem printed.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Panel } from './6-panel.mjs';
import { magazine } from '../texts.mjs';

/** Milliseconds between two keys, those of a person. Nothing else depends on them. */
const PACE = { delay: 80 };
const lines = magazine.trimEnd().split('\n');
/** Where twin c ends. */
const slip = { line: 7, column: lines[6].length + 1 };

async function composer({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  const retype = async square => {
    await w.at(slip.line, slip.column);
    await w.press('Backspace', 'Backspace');
    await w.keyboard.type(square, PACE);
  };
  const intended = async () => (await w.problems()).filter(text => /intended/.test(text));
  await check('a helpmate with three twins is typed, and each position has its answer', async () => {
    await w.focusEditor();
    for (const [n, text] of lines.entries()) {
      if (n) await w.press('Enter');
      await w.keyboard.type(text.trim(), PACE);
    }
    await w.press('Escape');
    for (const answer of ['⇒ 1. Kb2 h8=R', '⇒ 1. Kxh2 h8=B', '⇒ 1. Kg7 h8=N', '⇒ 1. Rb8 h8=Q']) await w.see(answer);
    await w.lens('Insert all').waitFor();
  });
  await shot('composer-typed');
  await check('what was typed is what is kept', async () => {
    await w.save();
    assert.equal(w.disk('a.cpz').trimEnd(), magazine.trimEnd());
  });
  const panel = await Panel.open(w, slip.line);
  await check('the panel shows the board of the twin under the cursor', async () => {
    await panel.shows('#queries [aria-pressed="true"]', /^twin c/);
    await panel.$('[data-square="h8"][aria-label="h8, black king"]').first().waitFor();
  });
  await shot('composer-twin');
  await check('a slip in one twin is one finding, on that twin, with both solutions', async () => {
    await retype('g8');
    await w.editor.locator('.squiggly-warning').first().waitFor();
    await shot('composer-slip');
    await w.showProblems();
    await w.problem(/twin c.* 2 solutions, but 1 is intended.*Kf7.*Ln 7/);
    assert.equal((await intended()).length, 1);
  });
  await shot('composer-cook');
  await check('the panel plays the cook', async () => {
    await panel.shows('#queries [aria-pressed="true"]', /^twin c/);
    await w.until(async () => (await panel.$('#line option').count()) === 2, 'two lines');
    await panel.$('#line').selectOption({ index: 1 });
    await panel.$('#last').click();
    await panel.shows('#caption', /Bd4#/);
  });
  await shot('composer-cook-played');
  await check('the right square takes the finding away', async () => {
    await retype('h8');
    await w.until(async () => !(await intended()).length, 'no cook');
  });
  await check('the answers are inserted, each behind its position', async () => {
    await w.at(4, 3);
    await w.command('Chess Puzzles: Insert All Answers');
    const answers = ['1. Kb2 h8=R 2. Ra1 Rb8#', '1. Kxh2 h8=B 2. Rh1 Be5#', '1. Kg7 h8=N 2. Kf6 Bd4#', '1. Rb8 h8=Q 2. Rc8 Qxc8#'];
    const solved = lines.map((text, n) => (answers[n - 4] ? `${text} => "${answers[n - 4]}"` : text)).join('\n');
    await w.see(/(=> "[^]*){4}/);
    await w.save();
    assert.equal(w.disk('a.cpz').trimEnd(), solved);
    await w.lenses.filter({ hasText: '✓ 4 verified' }).waitFor();
  });
  await shot('composer-solved');
  await check('the sheet is that of a magazine', async () => {
    await w.command('Chess Puzzles: Print Collection…');
    await w.pick(/^4 diagrams[^]*magazine/);
    await w.fill('From a magazine');
    await w.press('Enter');
    await w.until(async () => (await w.widget.locator('.quick-input-title').innerText()).includes('Print chess puzzles'), 'the dialog of the file');
    await w.widget.locator('.monaco-list-row').first().waitFor();
    await w.press('Enter');
    await w.until(() => existsSync(join(w.folder, 'a.html')), 'the sheet on disk');
    const sheet = await w.page.context().newPage();
    await sheet.goto(`file://${join(w.folder, 'a.html')}`);
    await sheet.emulateMedia({ media: 'print' });
    const texts = part => sheet.locator(part).allInnerTexts();
    assert.deepEqual(await texts('figcaption .men, figcaption .signs, figcaption .twin'), ['(6+8)', 'h#2', 'b) bKa1→h1', 'c) bKa1→h8', 'd) bKa1→a8']);
    const [answers] = await texts('.answers');
    for (const answer of ['a) 1. Kb2 h8=R 2. Ra1 Rb8#', 'd) 1. Rb8 h8=Q 2. Rc8 Qxc8#']) assert.ok(answers.includes(answer), answers);
    assert.doesNotMatch((await texts('.page')).join(), /Rb8#/);
    // As wide as the text of a page of A4.
    await sheet.setViewportSize({ width: 680, height: 720 });
    for (const [part, name] of [['figure', 'composer-sheet'], ['.answers', 'composer-sheet-answers']]) {
      await sheet.locator(part).first().scrollIntoViewIfNeeded();
      await shot(name, sheet);
    }
    await sheet.close();
  });
}

export default { composer };
