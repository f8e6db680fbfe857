// The server is killed or restarted.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { serverOf, serversOf, statusMatches } from '../servers.mjs';

const puzzle = `solitaire "Two steps" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve => [[[2,0], [1,1]], [[1,1], [3,3]]]
}
// Note:
`;

/** Edits the second step so that it is illegal. */
async function breakStep(w) {
  await w.at(7, 41);
  await w.press('Backspace');
  await w.type('2');
}

async function killed({ window, check, shot }) {
  const w = await window({ 'a.cpz': puzzle }, 'a.cpz');
  let first;
  await check('an illegal step is underlined', async () => {
    first = await serverOf(w);
    await breakStep(w);
    await w.errors.first().waitFor();
  });
  await check('text typed while the server dies is kept', async () => {
    await w.at(9, 9);
    await w.type(' typed while the ');
    process.kill(first, 'SIGKILL');
    await w.type('server is gone, and after');
    await w.see('// Note: typed while the server is gone, and after');
    assert.equal(w.disk('a.cpz'), puzzle);
  });
  await check('a killed server is restarted', () => serverOf(w, first));
  await check('the new server finds the mistake in the unsaved text', async () => {
    await w.errors.first().waitFor();
    await w.at(7, 30);
    const hover = await w.hover();
    await w.until(async () => /step 2 fails/.test(await hover.innerText()), 'the hover of the finding');
    await w.press('Escape');
  });
  await check('a single restart shows no message', async () => assert.deepEqual(await w.messages(), []));
  await shot();
  await check('correcting the step removes the finding', async () => {
    await w.at(7, 41);
    await w.press('Backspace');
    await w.type('3');
    await w.errors.first().waitFor({ state: 'detached' });
  });
  await check('undo and redo work across the restart', async () => {
    await w.until(
      async () => {
        await w.press('Control+z');
        return !(await w.dirty());
      },
      async () => `the text as it was; it is\n${await w.text()}`,
    );
    await w.see(/^\/\/ Note:$/m);
    await w.see('[3,3]]]');
    await w.until(
      async () => {
        await w.press('Control+y');
        return (await w.text()).includes('server is gone, and after');
      },
      async () => `the text as it became; it is\n${await w.text()}`,
    );
  });
  await check('exactly one server runs', () => assert.equal(serversOf(w).length, 1));
}

async function killedSixTimes({ window, check, shot }) {
  const w = await window({ 'a.cpz': puzzle.replace('[3,3]', '[3,2]') }, 'a.cpz');
  await check('a server that dies six times is not restarted, and a message says so', async () => {
    let last;
    // The extension counts deaths within three minutes; the six take it ten seconds.
    for (let n = 1; n <= 6; n++) {
      last = await serverOf(w, last);
      if (n > 1) assert.deepEqual(await w.messages(), [], `messages after ${n - 1} deaths`);
      process.kill(last, 'SIGKILL');
    }
    const shown = await w.message(/^cpz: /);
    assert.match(shown, /^cpz: the server stopped unexpectedly 6 times within a few minutes, so it was not started again\.$/);
  });
  await check('the message has buttons', async () => {
    for (const title of ['Restart', 'Show Output', 'Open Settings']) await w.button(title).waitFor();
  });
  await check('the status bar shows the reason', () => statusMatches(w, /^cpz, the server stopped unexpectedly 6 times/));
  await shot();
  await check('no server runs', async () => assert.deepEqual(serversOf(w), []));
  await check('the text can be edited without a server', async () => {
    await w.at(9, 9);
    await w.type(' still here');
    await w.see('// Note: still here');
  });
  await check('a command that needs the server shows the reason', async () => {
    await w.page.locator('.notifications-toasts .codicon-notifications-clear').first().click({ force: true });
    await w.until(async () => !(await w.messages()).length, 'the message gone');
    await w.at(7, 4);
    await w.command('Chess Puzzles: Insert Solution');
    await w.message(/^cpz: the server stopped unexpectedly 6 times/);
    assert.equal(await w.dirty(), true);
  });
  await check('a click on the status bar item opens the menu', async () => {
    await w.status.click();
    await w.widget.waitFor();
    const rows = w.widget.locator('.monaco-list-row');
    const labels = ['Show Board Beside', 'Browse Collection', 'New Puzzle…', 'Walkthrough', 'Settings', /^Restart Server.*cpz$/s, 'Show Output'];
    await w.until(async () => (await rows.count()) === labels.length, async () => `${labels.length} rows; there are ${await rows.allInnerTexts()}`);
    assert.match(await w.widget.innerText(), /the server stopped unexpectedly 6 times/);
    for (const [n, text] of (await rows.allInnerTexts()).entries()) {
      labels[n] instanceof RegExp ? assert.match(text.trim(), labels[n]) : assert.equal(text.trim(), labels[n]);
    }
    await shot('server menu');
    await w.press('Escape');
  });
  await check('Show Output shows the log', async () => {
    await w.command('Chess Puzzles: Show Output');
    const log = w.page.locator('.output-view, .output-view-container').locator('.view-lines').first();
    await log.waitFor();
    // Only visible lines are in the DOM: collect them from both ends of the log.
    const seen = new Set();
    const logged = line => [...seen].some(part => line.test(part));
    // The end of the server may be logged before or after what follows from it.
    const keys = ['Control+End', 'PageUp', 'PageUp', 'Control+Home'];
    let pressed = 0;
    await w.command('Output: Focus on Output View');
    await w.until(
      async () => {
        await w.press(keys[pressed++ % keys.length]);
        // The lines of a narrow view are wrapped, between any two words.
        seen.add((await log.innerText()).replace(/\s+/g, ' '));
        return logged(/not started again/) && logged(/the server ended \(SIGKILL\)/);
      },
      () => `the log; there is\n${[...seen].join('\n…\n')}`,
    );
    await shot('server log');
  });
  await check('Restart Server starts a new server', async () => {
    await w.command('Chess Puzzles: Restart Server');
    await serverOf(w);
    await w.errors.first().waitFor();
  });
  await check('the status bar shows the version again', () => statusMatches(w, /^cpz, cpz \d+\.\d+\.\d+ \(/));
}

async function restart({ window, check }) {
  const w = await window({ 'a.cpz': puzzle }, 'a.cpz');
  await check('Restart Server ends the old server and starts a new one', async () => {
    const first = await serverOf(w);
    await breakStep(w);
    await w.errors.first().waitFor();
    await w.command('Chess Puzzles: Restart Server');
    await serverOf(w, first);
    await w.until(() => serversOf(w).length === 1, () => `one server; there are ${serversOf(w)}`);
    assert.notEqual(serversOf(w)[0], first);
  });
  await check('the unsaved text has its findings after a restart', async () => {
    await w.errors.first().waitFor();
    await w.see('[3,2]');
    await w.at(7, 41);
    await w.press('Backspace');
    await w.type('3');
    await w.errors.first().waitFor({ state: 'detached' });
  });
  await check('closing the window ends the server', async () => {
    const [pid] = serversOf(w);
    await w.page.close({ runBeforeUnload: false });
    const isAlive = () => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
      } catch {
        return false;
      }
    };
    await w.until(() => !isAlive(), `the end of the process ${pid}`);
  });
}

export default { 'server killed': killed, 'server killed six times': killedSixTimes, 'server restarted': restart };
