// The task `cpz: check`, which runs the command line on the folder.
import assert from 'node:assert/strict';
import { repeat } from '../vscode.mjs';

const wrong = `solitaire "Two steps" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve => [[[2,0], [1,1]], [[1,1], [3,2]]]
}
`;
const right = 'chess "Back rank" {\n  board 3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\n  mate\n}\n';

async function task({ window, check, shot }) {
  const w = await window({ 'a.cpz': right, 'deep/wrong.cpz': wrong }, 'a.cpz');
  await w.see('⇒ checkmate');
  const run = async () => {
    // The list has either the task itself, or its type, and then the tasks of that type.
    await w.press('Control+p');
    await w.fill('task cpz');
    const row = await w.pick(/^\s*cpz(: check)?\s*$/);
    if (!/check/.test(row)) await w.pick(/check/);
    // Do not hide the terminal before the task has ended, which its last line says: VS Code would lose the rest.
    const screen = async () => (await w.page.locator('.terminal .xterm-rows').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
    await w.until(async () => /checked 2 files[^]*press any key/.test(await screen()), async () => `the end of its output, not ${await screen()}`);
  };
  await check('the task is listed and runs', run);
  await shot('task terminal');
  await check('the findings of the task are in the Problems panel', async () => {
    // VS Code stops reading a terminal 100 ms after the program has ended. On a busy machine that is too early for the last
    // lines, and the task must run again.
    let hasRun = true;
    const found = await repeat(async ms => {
      if (!hasRun) {
        await w.command('Terminal: Kill All Terminals');
        await w.page.locator('.terminal .xterm-rows').waitFor({ state: 'detached' });
        await run();
      }
      hasRun = false;
      await w.showProblems();
      return w.problem(/cpz check/, ms);
    }, 'the findings of the task');
    assert.match(found, /step 2 fails: there is nothing to capture on d3.*cpz check ?\(?wrong-solution\)?.*Ln 7, Col 29/);
  });
  await shot();
  await check('a click on a finding opens the file at its range', async () => {
    await w.page.locator('.markers-panel .monaco-list-row', { hasText: 'cpz check' }).first().click();
    await w.page.locator('.tab.active', { hasText: 'wrong.cpz' }).waitFor();
    await w.page.locator('.statusbar-item', { hasText: /Ln 7, Col 29/ }).first().waitFor();
  });
}

export default { 'task that checks': task };
