// Findings in files that are not open.
import { repeat } from '../vscode.mjs';

const good = 'solitaire "Good" { board ...N.....R....B. solve }\n';
const bad = 'chess "Bad" { board 8/8/8/4k3/8/8/8/4K2R move Rh9 }\n';

async function problems({ window, check, shot }) {
  const w = await window({ 'a.cpz': good, 'sub/old.cpz': bad }, 'a.cpz');
  await check('a finding in a file that is not open is in the Problems panel', async () => {
    await w.showProblems();
    await w.problem(/h9 is not on this 8×8 board/);
  });
  await check('saving a file finds a new file on disk', async () => {
    w.write({ 'sub/new.cpz': 'solitaire "New" { board ...N.....R....B. solv }\n' });
    await w.focusEditor();
    await w.press('Control+End');
    await w.type('// more');
    await w.save();
    await w.problem(/solv/);
  });
  await check('a click on the problem opens the file', async () => {
    await w.page.locator('.markers-panel .monaco-list-row', { hasText: 'h9 is not on' }).first().click();
    await w.page.locator('.tab.active', { hasText: 'old.cpz' }).waitFor();
  });
  await check('the problem disappears when the file is corrected', async () => {
    const corrected = good.replace('Good', 'New').replace('R', 'B');
    // VS Code 1.139 shows a folder several seconds before it begins to watch it.
    await repeat(async (ms) => {
      w.write({ 'sub/new.cpz': corrected });
      await w.until(async () => !(await w.problems()).some((p) => p.includes('solv`')), 'the problem gone', ms);
    }, 'the problem gone');
  });
  await shot();
}

export default { problems };
