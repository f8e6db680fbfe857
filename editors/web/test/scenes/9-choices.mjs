// Changes of a puzzle to choose from: the repairs of a finding as boards before and after.
import assert from 'node:assert/strict';
import { hopeless, twoWays } from '../../../vscode/test/texts.mjs';
import { violations } from '../axe.mjs';
import { until } from '../page.mjs';

const cards = (w) => w.locator('dialog .choices li');
const titles = (w) => w.locator('dialog .gallery-title').allTextContents();
const focused = (w, title) => until(() => w.page.evaluate((t) => document.activeElement?.querySelector('.gallery-title')?.textContent === t, title), `the focus on ${title}`);
/** Opens the menu of fixes in the first line of the puzzle, and looks for repairs. */
const look = async (w) => {
  await w.at(hopeless.indexOf('solitaire "Hopeless"') + 3);
  await w.menu('#actions', /^Look for repairs/);
  await cards(w).first().locator('svg').first().waitFor();
};

async function repairs({ open, check, shot }) {
  const w = await open();
  await w.write(hopeless);
  await w.checked();
  await check('the menu in the first line of a puzzle has the fixes of its finding further down', async () => {
    await w.says('#problems-button', /1 error/);
    await w.at(hopeless.indexOf('solitaire "Hopeless"') + 3);
    await w.locator('#actions').click();
    await w.page.getByRole('menuitem', { name: 'Allow unsolvable here' }).waitFor();
    await shot('fixes-of-a-puzzle');
    await w.press('Escape');
    // The other puzzle has no finding, so nothing is to be fixed there.
    await w.at(hopeless.indexOf('solitaire "Other"'));
    await w.press('Control+.');
    await w.page.getByRole('menuitem').first().waitFor();
    assert.equal(await w.page.getByRole('menuitem', { name: /^(Allow|Explain|Look)/ }).count(), 0);
    await w.press('Escape');
  });
  await check('the repairs are boards before and after, and the squares that differ are marked', async () => {
    await look(w);
    assert.equal(await w.locator('dialog h2').textContent(), '3 changes are possible');
    assert.deepEqual(await titles(w), ['Move the knight from a4 to b3', 'Move the knight from d2 to b2', 'Move the knight from a4 to b1']);
    assert.equal(await w.locator('dialog .solution').first().textContent(), 'd2xb3 b3xa1');
    const boards = await cards(w).first().locator('.pair svg').evaluateAll((all) =>
      all.map((svg) => [...svg.querySelectorAll('.seen')].map((square) => square.getAttribute('aria-label')).sort()));
    assert.deepEqual(boards, [['a4, knight', 'b3, empty'], ['a4, empty', 'b3, knight']]);
  });
  await shot('repairs');
  await check('axe-core finds nothing', async () => assert.deepEqual(await violations(w), []));
  await check('Escape changes nothing', async () => {
    await focused(w, 'Move the knight from a4 to b3');
    await w.press('Escape');
    await w.locator('dialog').waitFor({ state: 'detached' });
    assert.equal(await w.text(), hopeless);
  });
  await check('the change that is chosen by keys is made', async () => {
    await look(w);
    await focused(w, 'Move the knight from a4 to b3');
    await w.press('ArrowRight');
    await focused(w, 'Move the knight from d2 to b2');
    await w.press('Enter');
    await w.has(/N \. \. \.\n\s+\. \. \. \.\n\s+\. N \. \.\n\s+K/);
    await w.says('#problems-button', /No errors/);
  });
  await check('a command for a puzzle without a finding shows its changes, too', async () => {
    await w.write(twoWays);
    await w.at(twoWays.indexOf('R . . R'));
    await w.menu('#actions', /^Make the solution the only one/);
    await cards(w).first().locator('svg').first().waitFor();
    assert.equal(await w.locator('dialog .pair').count(), 6);
    await shot('choices');
    await cards(w).first().click();
    await until(async () => !(await w.text()).includes('R . . R'), 'another board');
  });
  w.quiet();
}

async function screens({ open, check, shot, PHONE, isFull }) {
  for (const [name, options] of [
    ['phone', PHONE],
    ...(isFull ? [
      ['phone-dark', { ...PHONE, colorScheme: 'dark' }],
      ['forced', { forcedColors: 'active' }],
    ] : []),
  ]) {
    const w = await open(options);
    await w.write(hopeless);
    await w.checked();
    await check(`the boards fit the screen, and a tap chooses, ${name}`, async () => {
      await look(w);
      await shot(`repairs-${name}`);
      const [width, wide] = await w.page.evaluate(() => [document.querySelector('dialog').clientWidth, document.querySelector('dialog').scrollWidth]);
      assert.ok(wide <= width, `${wide} in ${width}`);
      assert.deepEqual(await violations(w), []);
      await cards(w).first().click();
      await w.says('#problems-button', /No errors/);
    });
    w.quiet();
  }
}

export default { repairs, 'repairs on screens': screens };
