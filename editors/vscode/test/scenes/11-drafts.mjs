// What is not finished is no error while it is typed.
import assert from 'node:assert/strict';

/** How long the extension holds findings back after a key, in milliseconds: the pause in editors/board/unfinished.ts, less what it spares. */
const HELD = 2900;

/**
 * Notes in the page each squiggle that appears sooner after a key than the extension may show it. A slow machine can only
 * make the time longer, so nothing is noted on it by mistake.
 */
const watch = page =>
  page.evaluate(held => {
    const count = () => document.querySelectorAll('.squiggly-error').length;
    let [key, before] = [0, count()];
    window.early = [];
    addEventListener('keydown', event => (key = event.timeStamp), true);
    new MutationObserver(() => {
      const now = count();
      const passed = performance.now() - key;
      if (now && !before && passed < held) window.early.push(Math.round(passed));
      before = now;
    }).observe(document.body, { childList: true, subtree: true, attributes: true });
  }, HELD);

async function drafts({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  await w.focusEditor();
  await watch(w.page);
  const type = async text => {
    for (const letter of text) await w.press(letter === '\n' ? 'Enter' : letter === ' ' ? 'Space' : letter);
  };
  const early = async () => assert.deepEqual(await w.page.evaluate(() => window.early), [], 'milliseconds after a key');
  await check('the lens does not speak of what is not written yet', async () => {
    await type('solitaire "My first" {\nboard\n. . . N\n. . . .\n. R . .\n. . B .\nsolv');
    await w.lens(/^Board$/).waitFor();
    assert.equal(await w.lens(/✗/).count(), 0);
    await shot('draft');
  });
  await check('the errors appear when the typing pauses, and not before', async () => {
    await w.until(() => w.errors.count(), 'a squiggle');
    await early();
  });
  await check('the rest is typed without errors, and the puzzle has none', async () => {
    await type('e\n');
    await w.until(async () => !(await w.errors.count()), 'no squiggle');
    await type('}\n');
    await w.lenses.filter({ hasText: '1 open' }).first().waitFor();
    assert.equal(await w.errors.count(), 0);
    await early();
  });
}

export default { drafts };
