// Changes of a puzzle to choose from: the repairs of a finding as boards before and after.
import assert from 'node:assert/strict';
import { hopeless, twoWays } from '../texts.mjs';
import { repeat } from '../vscode.mjs';
import { violations } from './15-gallery.mjs';

const line = hopeless.split('\n').length - 2;

async function repairs({ window, check, shot }) {
  const w = await window({ 'a.cpz': hopeless }, 'a.cpz');
  await w.errors.first().waitFor();
  let frame;
  const compare = async () => {
    await w.at(line, 3);
    const row = (await w.actions()).filter({ hasText: 'Compare the repairs as boards' }).first();
    await repeat(async ms => {
      if (await row.isVisible()) await row.click({ timeout: ms });
      frame = await w.webview('#choices button', ms);
    }, 'the boards to choose from');
  };
  await check('the menu of the finding offers its repairs as boards', async () => {
    await compare();
    assert.equal(await frame.locator('#question').textContent(), '3 changes are possible');
    assert.deepEqual(await frame.locator('.gallery-title').allTextContents(), ['Move the knight from a4 to b3', 'Move the knight from d2 to b2', 'Move the knight from a4 to b1']);
    assert.equal(await frame.locator('.solution').first().textContent(), 'd2xb3 b3xa1');
  });
  await check('each change has its board before and after, and marks the squares that differ', async () => {
    const boards = await frame.locator('#choices li').first().locator('.pair svg').evaluateAll(all =>
      all.map(svg => [...svg.querySelectorAll('.seen')].map(square => square.getAttribute('aria-label')).sort()));
    assert.deepEqual(boards, [['a4, knight', 'b3, empty'], ['a4, empty', 'b3, knight']]);
  });
  await shot('repairs');
  await check('axe-core finds nothing', async () => assert.deepEqual(await violations(frame), []));
  await check('Escape changes nothing', async () => {
    await w.until(() => frame.evaluate(() => document.activeElement?.closest('#choices')), 'the focus on a change');
    await w.press('Escape');
    await w.page.locator('.tab', { hasText: 'Choose a Change' }).waitFor({ state: 'hidden' });
    await w.focused();
    assert.equal(await w.dirty(), false);
  });
  await check('the change that is chosen by keys is made', async () => {
    await compare();
    await w.until(() => frame.evaluate(() => document.activeElement?.closest('#choices')), 'the focus on a change');
    await w.press('ArrowRight');
    await w.until(() => frame.evaluate(() => document.activeElement?.querySelector('.gallery-title')?.textContent === 'Move the knight from d2 to b2'), 'the focus on the second one');
    await w.press('Enter');
    await w.see(/N \. \. \.\n\s+\. \. \. \.\n\s+\. N \. \.\n\s+K/);
    await w.until(async () => (await w.errors.count()) === 0, 'no error');
  });
  assert.deepEqual(w.policyErrors, []);
}

async function changes({ window, check, shot }) {
  const w = await window({ 'a.cpz': twoWays }, 'a.cpz');
  await w.see('⇒');
  let frame;
  await check('the changes that a command finds are shown as boards, too', async () => {
    await w.at(2, 4);
    const row = (await w.actions()).filter({ hasText: 'Make the solution the only one' }).first();
    await repeat(async ms => {
      if (await row.isVisible()) await row.click({ timeout: ms });
      frame = await w.webview('#choices .pair svg', ms);
    }, 'the boards');
    assert.deepEqual(await frame.locator('#choices li').first().locator('.seen').evaluateAll(all => all.map(square => square.getAttribute('aria-label'))), ['a3, rook', 'a3, king']);
    assert.equal(await frame.locator('#choices .pair').count(), 6);
  });
  await shot('choices');
  await check('the chosen one is made', async () => {
    await frame.locator('#choices button').first().click();
    await w.until(async () => !(await w.text()).includes('R . . R'), 'another board');
  });
}

export default { repairs, 'choices of a command': changes };
