// The task that checks the folder as the command line does.
import assert from 'node:assert/strict';

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
  await check('it is offered and runs', async () => {
    // The list of `Tasks: Run Task`: the task itself, or its kind and then what the kind has.
    await w.press('Control+p');
    await w.fill('task cpz');
    const row = await w.pick(/^\s*cpz(: check)?\s*$/);
    if (!/check/.test(row)) await w.pick(/check/);
    // VS Code loses what a program says whose terminal is hidden before it has said it.
    const screen = async () => (await w.page.locator('.terminal .xterm-rows').allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
    await w.until(async () => /checked 2 files/.test(await screen()), async () => `the end of its output, not ${await screen()}`);
  });
  await shot('task terminal');
  await check('its findings are in the Problems panel', async () => {
    await w.showProblems();
    const found = await w.problem(/cpz check/);
    assert.match(found, /step 2 fails: there is nothing to capture on d3.*cpz check ?\(?wrong-solution\)?.*Ln 7, Col 29/);
  });
  await shot();
  await check('a click leads to the place', async () => {
    await w.page.locator('.markers-panel .monaco-list-row', { hasText: 'cpz check' }).first().click();
    await w.page.locator('.tab.active', { hasText: 'wrong.cpz' }).waitFor();
    await w.page.locator('.statusbar-item', { hasText: /Ln 7, Col 29/ }).first().waitFor();
  });
}

export default { 'task that checks': task };
