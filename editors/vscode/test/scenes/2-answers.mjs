// Answers: inlay hints, code lenses and commands that insert them; conversions of boards; quick fixes.
import assert from 'node:assert/strict';
import { sample as puzzles } from '../texts.mjs';

async function lens({ window, check, shot }) {
  const w = await window({ 'a.cpz': `${puzzles.split('\n\n')[0]}\n` }, 'a.cpz');
  await check('an inlay hint shows the solution after the query', () => w.see(/solve\s*⇒ \S+x\S+/));
  await shot('inlay');
  await check('a click on the lens inserts the solution', async () => {
    await w.clickLens(/^Insert$/, ms => w.see(/solve => \S+x\S+/, ms));
  });
  await check('the inserted solution is verified', async () => {
    await w.until(async () => /✓ verified/.test((await w.lenses.allInnerTexts()).join('\n')), 'a lens with "✓ verified"');
    assert.equal(await w.errors.count(), 0);
  });
  await check('the insertion can be undone and redone', async () => {
    await w.press('Control+z');
    await w.see(/solve\s*⇒/);
    await w.press('Control+y');
    await w.see(/solve => \S+x\S+/);
  });
  await check('the inlay hint disappears', async () => {
    await w.until(async () => !/x\S+\s*⇒/.test(await w.text()), 'no hint after the written answer');
  });
  await shot();
}

async function commands({ window, check, shot }) {
  const w = await window({ 'a.cpz': puzzles }, 'a.cpz');
  await w.see('⇒');
  await check('Insert Solution inserts the answer of the query under the cursor only', async () => {
    await w.at(12, 5);
    await w.command('Chess Puzzles: Insert Solution');
    await w.see('move Rh8 => legal');
    assert.doesNotMatch(await w.text(), /solve =>/);
  });
  await check('Insert All Answers inserts the remaining answers', async () => {
    await w.command('Chess Puzzles: Insert All Answers');
    await w.see(/solve => \S+x\S+/);
  });
  await check('Insert All Answers shows a message when nothing is left to insert', async () => {
    await w.command('Chess Puzzles: Insert All Answers');
    await w.message(/nothing to insert/);
  });
  await shot('insert-all');
}

async function view({ window, check }) {
  const many = Array.from({ length: 40 }, (_, n) => puzzles.replace('Sample', `Sample ${n}`).replace('Rook', `Rook ${n}`)).join('\n');
  const w = await window({ 'a.cpz': many }, 'a.cpz');
  await check('Insert All Answers keeps the cursor and the view', async () => {
    await w.at(200, 3);
    await w.see('⇒');
    await w.until(async () => (await w.lenses.count()) > 2, 'the lenses');
    // Lenses come and go, so the line may move a little.
    const height = () => w.editor.locator('.view-overlays .current-line').first().evaluate(e => e.getBoundingClientRect().y);
    const before = await height();
    await w.command('Chess Puzzles: Insert All Answers');
    await w.see(/solve => \S+x\S+/);
    // VS Code moves the cursor with the edit. When the next command is answered, it has done so.
    await w.command('Chess Puzzles: Insert All Answers');
    await w.message(/nothing to insert/);
    await w.cursor(200, 3);
    await w.until(async () => Math.abs((await height()) - before) < 150, async () => `the line where it was: it moved from ${before} to ${await height()}`);
  });
  await check('all of it is undone in one step', async () => {
    await w.press('Control+z');
    await w.until(async () => !(await w.dirty()), 'the file as it was');
  });
}

const wrong = `solitaire "Printed" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve => [[[2,0], [1,1]], [[1,1], [3,2]]]
}
`;

async function replace({ window, check, shot }) {
  const w = await window({ 'a.cpz': wrong }, 'a.cpz');
  const button = name => w.page.locator('.notifications-toasts .monaco-button', { hasText: name });
  const ask = async () => {
    await w.errors.first().waitFor();
    await w.at(7, 5);
    await w.command('Chess Puzzles: Insert Solution');
    await w.message(/^cpz: the written answer is wrong: .*Replace it/);
  };
  await check('Insert Solution on a wrong solution asks before it changes anything', async () => {
    await ask();
    assert.equal(await w.dirty(), false);
  });
  await shot('replace-wrong-solution');
  await check('Keep It keeps it', async () => {
    await button('Keep It').click();
    await w.see('[3,2]]]');
    assert.equal(await w.dirty(), false);
  });
  await check('Replace It writes a solution that works', async () => {
    await ask();
    await button('Replace It').click();
    await w.until(async () => !(await w.text()).includes('[3,2]'), 'another solution');
    await w.until(async () => (await w.errors.count()) === 0, 'no error');
  });
}

async function convert({ window, check, shot }) {
  const w = await window({ 'a.cpz': puzzles }, 'a.cpz');
  await w.see('⇒');
  await w.at(5, 6);
  await check('Convert Board offers formats', () => w.quickPickRows('Chess Puzzles: Convert Board…', 'coordinates'));
  await shot('convert-menu');
  await check('Convert Board rewrites the board in the chosen format', async () => {
    await w.pick('coordinates');
    await w.see(/board \[\[0, 1, 'R'\]|board \[\[\d, \d, '[BRPN]'\]/);
    assert.match(await w.text(), /⇒ \S+x\S+/);
  });
  await shot();
  await check('FEN is offered for chess boards and not for solitaire boards', async () => {
    const formats = async line => {
      await w.at(line, 6);
      const rows = await w.quickPickRows('Chess Puzzles: Convert Board…', 'numbers');
      await w.press('Escape');
      await w.widget.waitFor({ state: 'hidden' });
      return rows;
    };
    assert.doesNotMatch((await formats(2)).join(), /FEN/);
    await w.at(8, 1);
    await w.see('8/8/8/4k3');
    const line = (await w.text()).split('\n').findIndex(t => t.includes('8/8/8/4k3')) + 1;
    await w.at(line, 6);
    await w.quickPickRows('Chess Puzzles: Convert Board…', 'text');
    await w.pick('text');
    await w.until(async () => !(await w.text()).includes('8/8/8/4k3'), 'a board drawn as text');
    assert.match((await formats(line)).join(), /FEN/);
  });
}

async function fix({ window, check, shot }) {
  const w = await window({ 'a.cpz': puzzles.replace('  solve', '  solv') }, 'a.cpz');
  await check('a misspelt keyword is underlined', () => w.errors.first().waitFor());
  await check('the quick-fix menu offers the correct keyword', async () => {
    // Wait for the lens first: when it moves the lines, the menu closes.
    await w.lenses.filter({ hasText: '✗' }).first().waitFor();
    await w.at(7, 4);
    await (await w.actions()).filter({ hasText: 'solve' }).first().waitFor();
  });
  await shot('quick-fix-menu');
  await check('the quick fix replaces the keyword', async () => {
    await w.press('Enter');
    await w.see(/ {2}solve\s*⇒/);
    await w.until(async () => (await w.errors.count()) === 0, 'no error is left');
  });
  await shot('quick-fix');
}

export default { lens, commands, 'insert all keeps the view': view, 'replace wrong solution': replace, convert, 'quick fix': fix };
