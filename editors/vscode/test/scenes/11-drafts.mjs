// What is not finished is no error while it is typed.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

async function drafts({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  await w.focusEditor();
  /** Types as a person does, and counts the squiggles after each key. */
  const type = async text => {
    let most = 0;
    for (const letter of text) {
      await w.press(letter === '\n' ? 'Enter' : letter === ' ' ? 'Space' : letter);
      await sleep(150);
      most = Math.max(most, await w.errors.count());
    }
    return most;
  };
  await check('a puzzle has no error while its end is typed', async () => {
    assert.equal(await type('solitaire "My first" {\nboard\n. . . N\n. . . .\n. R . .\n. . B .\nsolv'), 0);
    await shot('draft');
  });
  await check('the lens does not speak of what is not written yet', async () => {
    await w.lens(/^Board$/).waitFor();
    assert.equal(await w.lens(/✗/).count(), 0);
  });
  await check('the errors appear when the typing pauses', () => w.until(() => w.errors.count(), 'a squiggle', 10000));
  await check('the rest is typed without errors, and the puzzle has none', async () => {
    assert.ok((await type('e\n')) <= 2);
    await sleep(500);
    assert.equal(await w.errors.count(), 0);
    await type('}\n');
    await w.lenses.filter({ hasText: '1 open' }).first().waitFor();
    assert.equal(await w.errors.count(), 0);
  });
}

export default { drafts };
