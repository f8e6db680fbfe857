// What is not finished is no error while it is typed.
import assert from 'node:assert/strict';

/** More than the pause after which findings appear, in milliseconds: see editors/board/unfinished.ts. */
const PAUSE = 5000;

/** Notes in the page whether there has been a squiggle. */
const watch = page =>
  page.evaluate(() => {
    const look = () => (window.seen ||= document.querySelectorAll('.squiggly-error').length > 0);
    window.seen = false;
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, attributes: true });
  });

/**
 * In VS Code for the Web the clock of the extension stands still while keys are pressed, so a squiggle that appears then
 * has not waited for the pause. On a computer nothing stops the clock, and the keys of a slow machine may have pauses.
 */
async function drafts({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  await w.focusEditor();
  const clock = await w.stopClock();
  const type = async text => {
    for (const letter of text) await w.press(letter === '\n' ? 'Enter' : letter === ' ' ? 'Space' : letter);
  };
  const seen = () => w.page.evaluate(() => window.seen);
  const none = async () => assert.ok(!clock || !(await seen()), 'a squiggle before the pause');
  await watch(w.page);
  await check('the lens does not speak of what is not written yet', async () => {
    await type('solitaire "My first" {\nboard\n. . . N\n. . . .\n. R . .\n. . B .\nsolv');
    await w.lens(/^Board$/).waitFor();
    assert.equal(await w.lens(/✗/).count(), 0);
    await shot('draft');
  });
  await check('the errors appear when the typing pauses, and not before', async () => {
    await none();
    await clock?.pass(PAUSE);
    await w.until(() => w.errors.count(), 'a squiggle');
  });
  await check('the rest is typed without errors, and the puzzle has none', async () => {
    await type('e\n');
    if (clock) {
      await w.until(async () => !(await w.errors.count()), 'no squiggle');
      await w.page.evaluate(() => (window.seen = false));
    }
    await type('}\n');
    await w.lenses.filter({ hasText: '1 open' }).first().waitFor();
    await w.until(async () => !(await w.errors.count()), 'no squiggle');
    await none();
    await clock?.pass(PAUSE);
  });
}

export default { drafts };
