// What a user sees of a mistake, and what mends it.
import assert from 'node:assert/strict';
import { write } from '../workbench.mjs';

const illegal = `solitaire "Two steps" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve => [[[2,0], [1,1]], [[1,1], [3,2]]]
}
`;

async function squiggle({ window, check, shot }) {
  const w = await window({ 'a.cpz': illegal }, 'a.cpz');
  await check('an illegal step is underlined', () => w.errors.first().waitFor());
  await check('and nothing else', async () => assert.equal(await w.errors.count(), 1));
  await check('the hover says why', async () => {
    await w.at(7, 30);
    const hover = await w.hover();
    await w.until(
      async () => /step 2 fails: there is nothing to capture on d3/.test(await hover.innerText()),
      async () => `a reason in ${await hover.innerText()}`,
    );
  });
  await shot();
}

const mate = `chess "Back rank" {
  board 3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1
  mate
}
`;

async function picture({ window, check, shot }) {
  const w = await window({ 'a.cpz': mate }, 'a.cpz');
  let hover;
  await check('a mate has a hover', async () => {
    await w.see('⇒ checkmate');
    await w.at(3, 4);
    hover = await w.hover();
  });
  await check('with a picture that is drawn', async () => {
    const image = hover.locator('img[src^="data:image/svg+xml"]').first();
    await w.until(() => image.evaluate(i => i.complete && i.naturalWidth > 0), 'a picture with a width');
  });
  await check('and with what bars every escape', async () => {
    const text = await hover.innerText();
    for (const square of ['f7', 'g7', 'h7', 'f8', 'h8']) assert.match(text, new RegExp(square));
  });
  await shot();
}

const misspelt = `solitaire "A letter short" {
  board [[0,3,'Q'], [3,3,'N'], [2,1,'B']]
  solv
}
`;

async function fix({ window, check, shot }) {
  const w = await window({ 'a.cpz': misspelt }, 'a.cpz');
  await check('a misspelt keyword is underlined', () => w.errors.first().waitFor());
  await check('Ctrl+. offers what was meant', async () => {
    await w.at(3, 4);
    await w.press('Control+.');
    const rows = w.page.locator('.action-widget .monaco-list-row');
    await rows.first().waitFor();
    await w.until(
      async () => /solve/.test((await rows.allInnerTexts()).join()),
      async () => `a fix among ${await rows.allInnerTexts()}`,
    );
    await shot();
  });
  await check('Enter writes it', async () => {
    await w.press('Enter');
    await w.see(/^ {2}solve\s*⇒/m);
    await w.errors.first().waitFor({ state: 'hidden' });
  });
}

async function unopened({ window, check, shot }) {
  const fine = 'solitaire "Fine" { board [[0,3,"Q"], [3,3,"N"]] solve }\n';
  const w = await window({ 'fine.cpz': fine, 'there/before.cpz': misspelt }, 'fine.cpz');
  await check('a mistake in a file that is not open is in the Problems panel', async () => {
    await w.showProblems();
    await w.problem(/solv/);
  });
  await check('so is one that came since, after a save', async () => {
    write(w.folder, { 'later.cpz': 'chess "Later" { board 4k3/8/8/8/8/8/8/4K1N1 move Ne4 }\n' });
    await w.at(1, 1);
    await w.type('\n');
    await w.save();
    await w.showProblems();
    await w.problem(/later\.cpz/);
    await w.problem(/illegal-move/);
  });
  await check('and is gone with its file', async () => {
    write(w.folder, { 'later.cpz': '' });
    await w.until(async () => !(await w.problems()).some(row => /later\.cpz/.test(row)), 'no later.cpz in the panel');
  });
  await check('a row leads to its place', async () => {
    await w.page.locator('.markers-panel .monaco-list-row', { hasText: 'solv' }).getByText('did you mean').dblclick();
    await w.page.locator('.tab.active', { hasText: 'before.cpz' }).waitFor();
    await w.errors.first().waitFor();
  });
  await shot();
}

export default { squiggle, picture, fix, unopened };
