// Answers: shown beside the question, inserted by a lens or a command, and boards in other formats.
import assert from 'node:assert/strict';

const open = `solitaire "Sample" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve
}

chess "Rook" {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rh8
}
`;

async function lens({ window, check, shot }) {
  const w = await window({ 'a.cpz': open }, 'a.cpz');
  await check('the solution stands beside the query', () => w.see(/solve\s*⇒ \S+x\S+/));
  await shot('inlay');
  await check('a click on the lens inserts it', async () => {
    await w.lens('Insert solution').click();
    await w.see('solve => [[[');
  });
  await check('it is verified', async () => {
    await w.until(async () => /✓ verified/.test((await w.lenses.allInnerTexts()).join('\n')), 'a lens that says so');
    assert.equal(await w.errors.count(), 0);
  });
  await check('what was inserted is a step to undo', async () => {
    await w.press('Control+z');
    await w.see(/solve\s*⇒/);
    await w.press('Control+y');
    await w.see('solve => [[[');
  });
  await check('the answer beside it goes', async () => {
    await w.until(async () => !/\]\s*⇒/.test(await w.text()), 'no hint behind what is written');
  });
  await shot();
}

async function commands({ window, check, shot }) {
  const w = await window({ 'a.cpz': open }, 'a.cpz');
  await w.see('⇒');
  await check('Insert Solution writes the answer of the query under the cursor', async () => {
    await w.at(12, 5);
    await w.command('cpz: Insert Solution');
    await w.see('move Rh8 => legal');
    assert.doesNotMatch(await w.text(), /solve =>/);
  });
  await check('Insert All Answers writes the others', async () => {
    await w.command('cpz: Insert All Answers');
    await w.see('solve => [[[');
  });
  await check('where there is nothing to insert it says so', async () => {
    await w.command('cpz: Insert All Answers');
    await w.message(/nothing to insert/);
  });
  await shot('insert-all');
}

async function convert({ window, check, shot }) {
  const w = await window({ 'a.cpz': open }, 'a.cpz');
  await w.see('⇒');
  await w.at(5, 6);
  await check('the formats are offered', () => w.offered('cpz: Convert Board…', 'coordinates'));
  await shot('convert-menu');
  await check('the board is in the format that is chosen', async () => {
    await w.pick('coordinates');
    await w.see(/board \[\[0, 1, 'R'\]|board \[\[\d, \d, '[BRPN]'\]/);
    assert.match(await w.text(), /⇒ \S+x\S+/);
  });
  await shot();
  await check('a chess board can be FEN, and one of solitaire cannot', async () => {
    const offered = async line => {
      await w.at(line, 6);
      const rows = await w.offered('cpz: Convert Board…', 'numbers');
      await w.press('Escape');
      await w.widget.waitFor({ state: 'hidden' });
      return rows;
    };
    assert.doesNotMatch((await offered(2)).join(), /FEN/);
    await w.at(8, 1);
    await w.see('8/8/8/4k3');
    const line = (await w.text()).split('\n').findIndex(t => t.includes('8/8/8/4k3')) + 1;
    await w.at(line, 6);
    await w.offered('cpz: Convert Board…', 'text');
    await w.pick('text');
    await w.until(async () => !(await w.text()).includes('8/8/8/4k3'), 'a board drawn as text');
    assert.match((await offered(line)).join(), /FEN/);
  });
}

async function fix({ window, check, shot }) {
  const w = await window({ 'a.cpz': open.replace('  solve', '  solv') }, 'a.cpz');
  await check('a misspelt keyword is underlined', () => w.errors.first().waitFor());
  await check('the light bulb has the fix', async () => {
    // The list closes when a lens moves the lines below it.
    await w.lenses.filter({ hasText: 'did you mean' }).first().waitFor();
    await w.at(7, 4);
    await w.press('Control+.');
    await w.page.locator('.action-widget .monaco-list-row', { hasText: 'solve' }).first().waitFor();
  });
  await shot('quick-fix-menu');
  await check('and applies it', async () => {
    await w.press('Enter');
    await w.see(/ {2}solve\s*⇒/);
    await w.until(async () => (await w.errors.count()) === 0, 'no error is left');
  });
  await shot('quick-fix');
}

export default { lens, commands, convert, 'quick fix': fix };
