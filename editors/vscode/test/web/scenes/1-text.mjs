// The extension with the checker in the browser: how it starts, what it contacts, and what a text gets.
import assert from 'node:assert/strict';
import { sample, twoSteps } from '../../texts.mjs';

const text = `chess "Too far" {
  board 4k3/8/8/8/8/8/8/4K1N1
  move Ne4
}

solitaire "Open" {
board
. . . N
. . . .
. R . .
. . B .
solve
}
`;

async function start({ window, check, shot }) {
  const w = await window({ 'a.cpz': text }, 'a.cpz');
  await check('the checker in the browser starts', () => {
    const label = () => w.status.getAttribute('aria-label');
    return w.until(async () => /^cpz, cpz \d+\.\d+\.\d+ \(in this browser\), 1 error$/.test(await label()), label);
  });
  await check('an illegal move is underlined, and its answer is beside the other query', async () => {
    await w.until(async () => (await w.errors.count()) === 1, 'one squiggle');
    await w.see(/solve\s*⇒ \S+x\S+/);
  });
  await check('each puzzle has its lenses', async () => {
    await w.lens(/✗ .*knight/).waitFor();
    await w.lenses.filter({ hasText: '1 open' }).first().waitFor();
  });
  await check('Format Document tidies the text', async () => {
    await w.at(7, 1);
    await w.command('Format Document');
    await w.see(/solitaire "Open" \{\n {2}board\n {4}\. \. \. N/);
  });
  await shot();
  await check('Restart Server starts another one, which finds the same', async () => {
    await w.command('Chess Puzzles: Restart Server');
    await w.until(async () => (await w.errors.count()) === 1, 'one squiggle');
    await w.type('x');
    await w.until(async () => (await w.errors.count()) > 1, 'the mistake that was typed');
    await w.press('Control+z');
    await w.until(async () => (await w.errors.count()) === 1, 'one squiggle again');
  });
  await check('nothing but this machine is contacted', () => {
    assert.deepEqual([...w.hosts].filter(host => !/(^|\.)localhost$/.test(host)), []);
  });
}

async function closed({ window, check, shot }) {
  const w = await window({ 'a.cpz': twoSteps, 'b.cpz': sample, '.hidden/c.cpz': twoSteps }, 'b.cpz');
  const problems = async () => (await w.problems()).filter(row => /nothing to capture/.test(row)).length;
  await check('a file that is not open is checked, but none in a hidden folder', async () => {
    await w.showProblems();
    await w.problem(/nothing to capture on d3/);
    assert.equal(await problems(), 1);
  });
  await shot('files-not-open');
  await check('a duplicate of a puzzle in a file that is not open is found', async () => {
    w.write({ 'd.cpz': sample.replace('Sample', 'Again') });
    await w.problem(/the same puzzle as [bd]\.cpz:1/);
    w.write({ 'd.cpz': null });
    await w.until(async () => !(await w.problems()).some(row => /the same puzzle/.test(row)), 'no duplicate');
  });
  await check('a file that is changed and closed without saving has the findings of the file', async () => {
    await w.open('a.cpz');
    await w.at(7, 1);
    await w.press('Control+Shift+k');
    await w.until(async () => (await problems()) === 0, 'no finding in the text');
    await w.command('File: Revert File');
    await w.until(async () => (await problems()) === 1, 'the finding again');
    await w.command('View: Close All Editors');
    await w.page.locator('.tab').first().waitFor({ state: 'detached' });
    await w.until(async () => (await problems()) === 1, 'the finding of the closed file');
  });
}

async function broken({ window, check, shot }) {
  const before = w => w.page.context().route('**/cpz.wasm', route => route.fulfill({ status: 404 }));
  const w = await window({ 'a.cpz': text }, 'a.cpz', { before });
  await check('a checker that cannot be loaded is told, with what to do', async () => {
    await w.message(/^cpz: the file with the checker could not be read\. Load the page again\.$/);
    assert.equal((await w.messages()).length, 1);
  });
  await shot('no-module');
  await check('Restart starts it when it is there again', async () => {
    await w.page.context().unroute('**/cpz.wasm');
    await w.button('Restart').click();
    await w.until(async () => (await w.errors.count()) === 1, 'one squiggle');
  });
}

export default { start, 'files that are not open': closed, 'no module': broken };
