// Answers beside the text, answers put into it, and boards written in another way.
import assert from 'node:assert/strict';

const open = `solitaire "Starter" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve
}

chess "Back rank" {
  board 3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1
  mate
}
`;

async function lens({ window, check, shot }) {
  const w = await window({ 'a.cpz': open }, 'a.cpz');
  await check('the solution stands beside its question', () => w.see(/solve\s*⇒ c1xb2 b2xd4/));
  await shot('inlay');
  await check('a click on the lens inserts it', async () => {
    await w.lens('Insert solution').click();
    await w.see(/solve => \[\[/);
  });
  await check('and it is verified', async () => {
    await w.lenses.filter({ hasText: '✓ verified' }).first().waitFor();
    assert.equal(await w.errors.count(), 0);
  });
  await check('nothing else has changed', async () => {
    await w.save();
    assert.equal(w.disk('a.cpz'), open.replace('solve\n', 'solve => [[[2,0], [1,1]], [[1,1], [3,3]]]\n'));
  });
  await check('it is one step to undo and to redo', async () => {
    await w.press('Control+z');
    await w.see(/solve\s*⇒/);
    await w.press('Control+y');
    await w.see(/solve => \[\[[^⇒]*$/m);
  });
  await shot();
}

async function insert({ window, check, shot }) {
  const w = await window({ 'a.cpz': open }, 'a.cpz');
  await w.see('⇒ c1xb2');
  await check('Insert Solution answers the question at the cursor', async () => {
    await w.at(7, 4);
    await w.command('cpz: Insert Solution');
    await w.see('solve => [[[2,0], [1,1]], [[1,1], [3,3]]]');
    await w.see('⇒ checkmate');
  });
  await check('Insert All Answers answers the others', async () => {
    await w.command('cpz: Insert All Answers');
    await w.see('mate => checkmate');
  });
  await check('where there is nothing to insert it says so', async () => {
    await w.command('cpz: Insert All Answers');
    await w.message(/nothing to insert/);
  });
  await shot();
}

async function convert({ window, check, shot }) {
  const w = await window({ 'a.cpz': open }, 'a.cpz');
  await w.see('⇒ checkmate');
  await check('Convert Board… offers the formats', async () => {
    await w.at(10, 4);
    await w.command('cpz: Convert Board…');
    await w.widget.locator('.monaco-list-row', { hasText: 'coordinates' }).waitFor();
    await shot();
  });
  await check('and writes the board in the one that is chosen', async () => {
    await w.pick('coordinates');
    await w.see(/\["B",\s*"K",\s*7,\s*8\]/);
  });
  await check('which has the same answer', async () => {
    await w.see('⇒ checkmate');
    assert.equal(await w.errors.count(), 0);
  });
  await check('FEN is offered for chess alone', async () => {
    const offered = async line => {
      await w.at(line, 4);
      await w.command('cpz: Convert Board…');
      await w.widget.locator('.monaco-list-row', { hasText: 'list' }).first().waitFor();
      const rows = await w.widget.locator('.monaco-list-row').allInnerTexts();
      await w.press('Escape');
      return rows.some(row => /FEN/.test(row));
    };
    assert.equal(await offered(10), true);
    assert.equal(await offered(5), false);
  });
}

export default { lens, insert, convert };
