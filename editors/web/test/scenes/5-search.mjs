// Searches that take longer than a key stroke.
import assert from 'node:assert/strict';
import { until } from '../page.mjs';

const QUICK = 'solitaire "Quick" {\n  board\n    . . . .\n    . B . .\n    R P . .\n    . . . N\n  solve\n}\n';
const PROBLEM = 'chess "Slow" {\n  board r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1\n  mate in 4\n}\n';
/** Each of them takes a core about a second. */
const LONG = Array.from({ length: 40 }, (_, i) => `chess "Long ${i}" {\n  board rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 ${i + 1}\n  helpmate in ${(i % 3) + 5}\n}\n`).join('\n');

async function search({ open, check, shot, isNative }) {
  if (isNative) return;
  const w = await open();
  await check('a problem that needs a search is answered when it has ended', async () => {
    // On a quick machine the search may end before a test can see that it runs.
    await w.write(PROBLEM);
    await w.says('.cpz-inlay', /1\.Qh6\+/);
    await w.says('#problems-button', /1 warning/);
    await w.says('#status', /^$/);
    await w.locator('.cpz-lenses button', { hasText: 'Insert solution' }).click();
    await w.has(/mate in 4 => "1\. Qh6\+/);
  });
  await check('a search ends when another puzzle is typed', async () => {
    await w.write(LONG);
    await w.says('#status', /Searching/);
    await until(async () => w.page.workers().length === 2, 'the worker that searches');
    await shot('searching');
    await w.write(QUICK);
    await w.says('.cpz-inlay', /d1xb2/);
    // These searches have not come to their end: their worker has been ended.
    await until(async () => w.page.workers().length === 1, 'one worker');
    await w.checked();
    await w.says('#status', /^$/);
    assert.equal(w.page.workers().length, 1);
  });
  await check('keys are answered at once while a search runs', async () => {
    await w.write(LONG);
    await w.says('#status', /Searching/);
    await w.at(0);
    await w.type(QUICK.replaceAll('\n', ' '));
    await until(async () => (await w.locator('.cpz-inlay').first().textContent()).includes('d1xb2'), 'an answer');
    // The answer has not waited for the searches: they are not done.
    await w.says('#status', /Searching/);
  });
  w.quiet();
}

/** A page whose complete module comes when `release` is called, and is missing if that is with false. */
async function withoutComplete(open) {
  let release;
  const comes = new Promise((done) => (release = done));
  const w = await open({
    before: async (page) => {
      // A service worker would have the file.
      await page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'serviceWorker', { get: () => undefined }));
      await page.route('**/cpz-complete.wasm', async (route) => ((await comes) === false ? route.fulfill({ status: 404 }) : route.continue()));
    },
  });
  return { w, release };
}

/** What a page does with the module with which it begins. */
async function incomplete({ open, check, isNative }) {
  if (isNative) return;
  await check('a missing complete module is told, and the rest goes on', async () => {
    const { w, release } = await withoutComplete(open);
    release(false);
    await w.write(PROBLEM);
    await w.says('.notice', /the file cpz-complete\.wasm could not be loaded \(404 Not Found\)/);
    await w.write(QUICK);
    await w.says('.cpz-inlay', /d1xb2/);
    // The browser writes the missing file into its console.
  });
  await check('the small module shows a text, and the complete one answers what waits', async () => {
    const { w, release } = await withoutComplete(open);
    await w.write(QUICK.replace('solve', 'solv'));
    await w.says('#problems-button', /1 error/);
    await w.says('#status', /^$/);
    await w.locator('#problems-button').click();
    await w.says('#problems', /did you mean/);
    await w.at(QUICK.length - 1);
    await w.type('sol', 80);
    assert.equal(await w.locator('.cm-tooltip-autocomplete li').count(), 0);
    release();
    await w.locator('.cm-tooltip-autocomplete li', { hasText: 'solitaire' }).first().waitFor();
    await w.press('Escape', 'Backspace', 'Backspace', 'Backspace');
    await w.locator('#problems .fixes button', { hasText: 'solve' }).first().click();
    await w.says('.cpz-inlay', /d1xb2/);
    await w.has(QUICK);
    await until(async () => w.page.workers().length === 1, 'one worker');
    await w.checked();
    w.quiet();
  });
}

export default { search, incomplete };
