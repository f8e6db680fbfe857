// Findings in an open file: underlines and hovers.
import assert from 'node:assert/strict';
import { twoSteps as illegal } from '../texts.mjs';

async function squiggle({ window, check, shot }) {
  const w = await window({ 'a.cpz': illegal }, 'a.cpz');
  await check('an illegal step is underlined', () => w.errors.first().waitFor());
  await check('nothing else is underlined', async () => {
    assert.equal(await w.errors.count(), 1);
  });
  await check('the hover gives the reason', async () => {
    await w.at(7, 30);
    const hover = await w.hover();
    await w.until(async () => /step 2 fails: there is nothing to capture on d3/.test(await hover.innerText()), async () => `a reason in ${await hover.innerText()}`);
  });
  await shot();
}

const mate = `chess "Back rank" {
  board 3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1
  mate
}
`;

async function image({ window, check, shot }) {
  const w = await window({ 'a.cpz': mate }, 'a.cpz');
  let hover;
  await check('a mate query has a hover', async () => {
    await w.see('⇒ checkmate');
    await w.at(3, 4);
    hover = await w.hover();
  });
  await check('the hover shows the board as an image', async () => {
    const board = hover.locator('img[src^="data:image/svg+xml"]').first();
    await w.until(() => board.evaluate(i => i.complete && i.naturalWidth > 0), 'an image with a width');
  });
  await check('the hover says why the king cannot escape', async () => {
    assert.match(await hover.innerText(), /g7|h8|f8/);
  });
  await shot();
}

async function duplicate({ window, check, shot }) {
  const again = illegal.replace('Two steps', 'Same again').replace(/ => .*/, '');
  const w = await window({ 'a.cpz': `${illegal}\n${again}` }, 'a.cpz');
  await check('the menu at a duplicate puzzle offers the way to the other one', async () => {
    await w.lens(/⚠ this is the same puzzle/).waitFor();
    await w.at(10, 14);
    const rows = await w.actions();
    await shot('duplicate-menu');
    await rows.filter({ hasText: 'Go to the other one' }).first().click();
    await w.cursor(1, 22, 21);
  });
}

export default { squiggle, picture: image, duplicate };
