// The first steps of somebody who has never seen a puzzle file.
import assert from 'node:assert/strict';

async function walkthrough({ window, check, shot }) {
  const w = await window({ 'readme.txt': 'Nothing yet.\n' }, undefined, { ready: false });
  const steps = w.page.locator('.gettingStartedContainer .getting-started-step, .getting-started-step');
  await check('the walkthrough opens', async () => {
    await w.command('cpz: Open Walkthrough');
    await w.page.locator('.gettingStartedContainer', { hasText: 'Get started with cpz' }).first().waitFor();
  });
  await check('it has four steps', async () => {
    await steps.first().waitFor();
    await w.until(async () => (await steps.count()) === 4, async () => `four steps, not ${await steps.count()}`);
  });
  await shot();
  await check('each of them shows something', async () => {
    for (let n = 0; n < 4; n++) {
      await steps.nth(n).click();
      await w.page.locator('.getting-started-step.expanded').waitFor();
      await shot(`walkthrough-${n + 1}`);
    }
  });
  await check('its first button begins a puzzle', async () => {
    await steps.first().click();
    await w.page.locator('.getting-started-step.expanded .monaco-button', { hasText: 'New Puzzle' }).click();
    await w.pick('Solitaire Chess');
    await w.see(/solitaire "name" \{/);
  });
  await check('which is checked although it is in no file', () => w.see('⇒ '));
}

async function puzzles({ window, check, shot }) {
  const w = await window({ 'a.cpz': '// My puzzles.\n' }, 'a.cpz');
  await check('New Puzzle… offers every game', async () => {
    await w.at(2, 1);
    await w.command('cpz: New Puzzle…');
    const rows = w.widget.locator('.monaco-list-row');
    await rows.filter({ hasText: 'Solitaire' }).first().waitFor();
    const labels = (await rows.allInnerTexts()).join('\n');
    for (const game of [/solitaire/i, /chess move/i, /mate/i, /cube/i, /draughts/i]) assert.match(labels, game);
    await shot();
  });
  await check('the one that is chosen is in the text, and right', async () => {
    await w.pick('Draughts');
    await w.see(/draughts "name" \{/);
    await w.see('⇒ 2 men');
    assert.equal(await w.errors.count(), 0);
  });
  await check('its name can be typed at once', async () => {
    await w.type('First');
    await w.see('draughts "First" {');
  });
}

async function completion({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  const rows = w.page.locator('.suggest-widget .monaco-list-row');
  const offered = pattern =>
    w.until(
      async () => (await rows.allInnerTexts()).some(text => pattern.test(text)),
      async () => `${pattern} among ${JSON.stringify(await rows.allInnerTexts())}`,
    );
  await check('an empty file offers whole puzzles', async () => {
    await w.at(1, 1);
    await w.type('sol');
    await offered(/solitaire/);
  });
  await shot();
  await check('one of them is there with a few keys', async () => {
    for (let n = 0; n < 5 && !/puzzle/.test(await rows.and(w.page.locator('.focused')).innerText()); n++) await w.press('ArrowDown');
    await w.press('Enter');
    await w.see(/solitaire/);
    await w.see(/solve/);
    await w.until(async () => (await w.errors.count()) === 0, 'no error');
  });
  await check('a snippet is expanded', async () => {
    await w.press('Escape', 'Control+a', 'Delete');
    await w.type('cube');
    await offered(/Chess on a cube|cube/);
    await w.press('Enter');
    await w.see(/chess3d/);
  });
  await check('moves are offered where one is asked for', async () => {
    await w.press('Escape', 'Control+a', 'Delete');
    await w.type('chess { board 4k3/8/8/8/8/8/8/R3K3 move ');
    await w.press('Control+Space');
    await offered(/Ra8|Kd1|a1/);
  });
}

async function colours({ window, check, shot }) {
  const text = `// A remark.
solitaire "Name" {
  tags [easy]
  board .B..
  solve
}
`;
  const settings = JSON.stringify({ 'cpz.server.path': '/nowhere/cpz' });
  const w = await window({ 'a.cpz': text, '.vscode/settings.json': settings }, 'a.cpz');
  await check('words have colours without a server', async () => {
    await w.message(/nowhere/);
    const colour = word =>
      w.page.evaluate(word => {
        for (const span of document.querySelectorAll('.view-line span span'))
          if (span.textContent.trim() === word) return getComputedStyle(span).color;
      }, word);
    await w.until(async () => (await colour('solitaire')) !== (await colour('easy')), 'a keyword unlike a word');
    const all = [];
    for (const word of ['solitaire', 'Name', 'easy']) all.push(await colour(word));
    all.push(await w.page.locator('.view-line span span', { hasText: 'remark' }).evaluate(e => getComputedStyle(e).color));
    assert.ok(!all.includes(undefined) && new Set(all).size === 4, `four colours: ${all}`);
  });
  await shot();
  await check('a comment is toggled', async () => {
    await w.at(5, 3);
    await w.press('Control+/');
    await w.see(/ {2}\/\/ solve/);
  });
  await check('brackets close by themselves', async () => {
    await w.press('Control+End');
    await w.type('draughts {');
    await w.see(/draughts \{\}/);
  });
}

async function task({ window, check, shot, program }) {
  const tasks = {
    version: '2.0.0',
    tasks: [{ label: 'check all', type: 'process', command: program(), args: ['check', '.'], problemMatcher: '$cpz' }],
  };
  const far = 'chess "Too far" {\n  board 4k3/8/8/8/8/8/8/4K1N1\n  move Ne4\n}\n';
  const files = { 'deep/a.cpz': far, '.vscode/tasks.json': JSON.stringify(tasks) };
  const w = await window(files, 'deep/a.cpz');
  const found = async () => {
    // The terminal comes to the front as long as the task runs.
    await w.page.locator('.xterm-rows:visible', { hasText: 'checked 1 file' }).first().waitFor();
    await w.showProblems();
    await w.until(
      async () => (await w.problems()).some(row => /cpz check/.test(row) && /illegal-move/.test(row) && /Ln 3/.test(row)),
      async () => `a problem of cpz check in line 3 among ${JSON.stringify(await w.problems())}`,
    );
  };
  await check('a task with the matcher $cpz fills the Problems panel', async () => {
    await w.press('Control+p');
    await w.fill('task ');
    await w.pick('check all');
    await found();
  });
  await shot();
  await check('the task of the extension is offered', async () => {
    await w.press('Control+p');
    await w.fill('task cpz');
    await w.pick(/^\s*cpz: check/);
    await found();
  });
}

async function menu({ window, check, shot }) {
  const w = await window({ 'a.cpz': 'solitaire { board [[0,3,"Q"], [3,3,"N"]] solve }\n' }, 'a.cpz');
  await check('the status bar says the version', async () => {
    await w.until(async () => /\d+\.\d+\.\d+/.test(await w.status.getAttribute('aria-label')), 'a version');
  });
  await check('a click on it opens a menu', async () => {
    await w.status.click();
    for (const row of ['Restart Server', 'Show Output', 'Settings'])
      await w.widget.locator('.monaco-list-row', { hasText: row }).first().waitFor();
  });
  await shot();
  await check('which restarts the server', async () => {
    const old = await w.languageServer();
    await w.pick('Restart Server');
    await w.until(() => w.languageServers().some(p => p !== old), 'another server');
    await w.see('⇒');
  });
}

export default { walkthrough, puzzles, completion, colours, task, menu };
