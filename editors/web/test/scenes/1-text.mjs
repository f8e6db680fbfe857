// The text: what is wrong in it, answers, completion.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { until } from '../page.mjs';

const sample = `solitaire "Sample" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve
}
`;

async function first({ open, check, shot, log }) {
  const w = await open({ before: (page) => page.addInitScript(() => {
    new MutationObserver(() => {
      if (!window.answered && document.querySelector('.cpz-inlay')) window.answered = performance.now();
    }).observe(document, { childList: true, subtree: true });
  }) });
  await check('the first text has its answer', async () => {
    const time = await until(() => w.page.evaluate(() => window.answered), 'an answer');
    log(`the first answer after ${Math.round(time)} ms`);
  });
  await w.says('.cpz-inlay', /d1xb2 a2xb2 b2xb3/);
  await w.says('.cpz-lenses', /1 open/);
  await w.square('d1').waitFor();
  await shot('first');
  await check('no file comes from another host, and the policy blocks nothing', () => {
    assert.equal(w.hosts.size, 1);
    w.quiet();
  });
  await check('the policy blocks scripts, requests, pictures and frames from elsewhere', async () => {
    const requests = [];
    const elsewhere = createServer(({ url }, answer) => requests.push(url) && answer.end()).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const told = ['connect-src', 'frame-src', 'img-src', 'script-src-attr', 'script-src-elem'];
    const blocked = await w.page.evaluate(async ({ address, number }) => {
      const seen = new Set();
      const all = new Promise((done) => document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        seen.add(effectiveDirective);
        if (seen.size === number) done();
      }));
      const add = (name, attributes) => document.body.appendChild(Object.assign(document.createElement(name), attributes));
      add('script', { textContent: 'window.ran = true' });
      const button = add('button', {});
      button.setAttribute('onclick', 'window.ran = true');
      button.click();
      add('img', { src: `${address}a.png` });
      add('iframe', { src: address });
      await fetch(address).catch(() => {});
      await all;
      return { directives: [...seen].sort(), ran: window.ran };
    }, { address: `http://127.0.0.1:${elsewhere.address().port}/`, number: told.length });
    elsewhere.close();
    assert.deepEqual({ ...blocked, requests }, { directives: told, ran: undefined, requests: [] });
  });
}

async function errors({ open, check, shot }) {
  const w = await open();
  await w.write(sample.replace('solve', 'solv'));
  await check('a slip is underlined and counted', async () => {
    await w.says('#problems-button', /1 error/);
    await w.locator('.cm-lintRange-error').waitFor();
    await shot('error');
  });
  await check('the list names it, explains it and fixes it', async () => {
    await w.locator('#problems-button').click();
    await w.says('#problems', /Line 7.*did you mean ‘?solve/s);
    await shot('error-list');
    await w.locator('#problems .code').click();
    await w.says('dialog', /unknown-keyword/);
    await shot('explanation');
    await w.press('Escape');
    await w.locator('#problems .fixes button').first().click();
    await w.has('  solve\n}');
    await w.says('#problems-button', /No errors/);
    await w.says('#problems', /No errors and no warnings/);
  });
  await check('a finding shows its fixes at the word, too', async () => {
    await w.write(sample.replace('. B . .', '. B . . .'));
    // The fixes take the complete checker. Its answer draws the findings again, which closes what is shown at them.
    await w.says('#problems .fixes', /if it is a slip/);
    await w.locator('.cm-lintRange-error').first().hover();
    await w.locator('.cm-tooltip-lint .fixes button').first().waitFor();
    await shot('error-tooltip');
  });
  await check('what is being typed is no error yet', async () => {
    await w.write('');
    await w.at(0);
    await w.stopTime();
    await w.type('solitaire {\nboard\n. . N');
    assert.notEqual(await w.checked(), 0);
    assert.match(await w.locator('#problems-button').textContent(), /No errors/);
    await w.letTimePass();
    await w.says('#problems-button', /[1-9] error/);
  });
  w.quiet();
}

async function answers({ open, check, shot }) {
  const w = await open();
  await w.write(sample);
  await check('a click on the answer writes it, and Undo takes it back', async () => {
    await w.locator('.cpz-inlay').click();
    await w.has('solve => d1xb2 a2xb2 b2xb3');
    await w.says('.cpz-lenses', /✓/);
    await shot('answer');
    await w.press('Control+z');
    await w.has('  solve\n');
  });
  await check('the line above the puzzle inserts it, too', async () => {
    await w.locator('.cpz-lenses button', { hasText: 'Insert' }).click();
    await w.has('solve => d1xb2');
    await w.press('Control+z');
  });
  await check('the menu at the cursor has answers and changes', async () => {
    await w.at(sample.indexOf('solve') + 2);
    await w.press('Control+.');
    await w.page.getByRole('menuitem', { name: /Insert the answer/ }).waitFor();
    await shot('actions');
    await w.press('Enter');
    await w.has('solve => d1xb2');
  });
  await check('a hover says what a piece can do', async () => {
    // The pointer still stands where it clicked last, and what it shows there may cover the board.
    await w.page.mouse.move(700, 600);
    await until(async () => !(await w.locator('.cpz-hover').count()), 'no hover');
    await w.locator('.tok-enumMember').first().hover();
    await w.says('.cpz-hover', /bishop on b3/);
    await shot('hover');
    await w.page.mouse.move(700, 600);
  });
  await check('Tidy up the text', async () => {
    await w.write('solitaire {board NR.. solve}');
    await w.press('Control+Home', 'Shift+Alt+f');
    await w.has('solitaire { board NR.. solve }');
  });
  w.quiet();
}

async function typing({ open, check, shot }) {
  const w = await open();
  await w.write('');
  await check('a puzzle typed line by line is what was typed, indented', async () => {
    await w.at(0);
    const typed = 'solitaire "Typed" {\nboard\n. . . .\n. B . .\nR P . .\n. . . N\nsolve\ncount\n}\n';
    for (const part of typed.split(/(?<=[\n}])/)) {
      await w.type(part, 60);
      // The server indents the line, unless the text has changed when it answers.
      await w.answered();
    }
    await until(async () => (await w.text()).split('\n').length === 10, () => w.text());
    const text = await w.text();
    assert.equal(text.replace(/^ +/gm, ''), 'solitaire "Typed" {\nboard\n. . . .\n. B . .\nR P . .\n. . . N\nsolve\ncount\n}\n');
    assert.match(text, /\n {2}solve\n {2}count\n\}\n$/);
  });
  await check('words are offered, and Tab takes one', async () => {
    await w.press('Control+End');
    await w.type('sol', 80);
    await w.locator('.cm-tooltip-autocomplete li').first().waitFor();
    await shot('completion');
    // CodeMirror takes no key in the first 75 milliseconds of a list, so that none is meant for the text.
    await w.page.waitForTimeout(200);
    await w.press('Tab');
    await w.has(/\nsolitaire$/);
  });
  await check('a new puzzle comes from the menu', async () => {
    await w.write('');
    await w.menu('#new', /Chess mate/);
    await w.has('chess "Puzzle 1" {');
    await w.says('.cpz-inlay', /checkmate|mated/i);
    await shot('new');
  });
  await check('each template, chosen twice below the first text, is a new puzzle', async () => {
    await w.menu('#examples', /^First steps/);
    // Else the first of them would begin a text.
    await w.has('"First steps"');
    await w.write(`${await w.text()}\n// More:\n`);
    const puzzles = async () => (await w.text()).match(/^\w+ "/gm).length;
    for (const template of ['Solitaire Chess', 'Mate in 2', 'Helpmate in 2', 'Chess move', 'Chess mate', 'Chess on a cube', 'Draughts captures']) {
      for (const _ of [1, 2]) {
        const before = await puzzles();
        await w.at((await w.text()).length);
        await w.menu('#new', new RegExp(`^${template}`));
        await until(async () => (await puzzles()) > before, template);
      }
    }
    assert.equal(await w.checked(), 0);
  });
  await check('cpz invents a puzzle, and another one the next time', async () => {
    await w.write('');
    for (const count of [1, 2]) {
      await w.menu('#new', /^A puzzle of Solitaire Chess/);
      await until(async () => ((await w.text()).match(/^solitaire/gm) ?? []).length === count, () => w.text());
    }
    const [one, two] = (await w.text()).split(/^solitaire/m).slice(1).map((puzzle) => puzzle.replace(/"[^"]*"/, ''));
    assert.notEqual(one.trim(), two.trim());
    for (const [item, text] of [[/^A capture of draughts/, /^draughts "Draughts, no. \d+" \{[^}]*capture/m], [/^A mate on a cube/, /^chess3d "Cube, no. \d+" \{[^}]*mate/m]]) {
      await w.menu('#new', item);
      await w.has(text);
    }
    await w.says('#problems-button', /No errors/);
    assert.equal(await w.locator('.notice.trouble').count(), 0);
    await shot('invented');
  });
  await check('a hint is told', async () => {
    await w.menu('#more', 'Give me a hint');
    await w.says(w.locator('dialog, .notice').first(), /begin|first move|open/);
    await w.press('Escape');
  });
  w.quiet();
}

export default { 'first load': first, errors, answers, typing };
