// Types puzzles at a person's pace: the text afterwards is the text that was typed, but for the indentation.
//
// The puzzles are those of tests/it/ide/typing.rs. One of them is typed, with CI_FULL=1 twelve; with CPZ_TYPING=300, that
// many, on CPZ_TYPING_PAGES pages at once (by default 8).
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { browser } from '../vscode.mjs';
import { Workbench, write } from '../workbench.mjs';

const COUNT = Number(process.env.CPZ_TYPING ?? (process.env.CI_FULL === '1' ? 12 : 1));
const PAGES = Number(process.env.CPZ_TYPING_PAGES ?? (COUNT > 12 ? 8 : COUNT > 2 ? 2 : 1));

/** The text of each puzzle, without indentation. */
function puzzles(root) {
  const all = readFileSync(join(root, 'tests/fixtures/ide/typing.txt'), 'utf8');
  return all.split(/^=== \d+\n/m).slice(1);
}

const unindented = text => text.split('\n').map(line => line.trimStart()).join('\n');

/**
 * Milliseconds between two keys, 90 to 150, the same in each run. They choose what the editor has done when the next key
 * comes, such as that a list is open; the text must be the same whatever it has done.
 */
const pace = n => 90 + ((n * 7919) % 61);

async function typeText(w, text) {
  for (const [n, letter] of [...text].entries()) {
    await sleep(letter === '\n' ? 350 : pace(n));
    await (letter === '\n' ? w.press('Enter') : w.type(letter));
    // The server indents the line after these keys, unless the text has changed when it answers.
    const wrong = async () => (/[\n}]/.test(letter) ? misplaced(await w.text()) : []);
    await w.until(async () => !(await wrong()).length, async () => `the indentation of ${(await wrong()).join()} in\n${await w.text()}`);
  }
}

/** Lines of an indented text whose indentation is not that of their place: items by two, rows and the rest by more. */
function misplaced(text) {
  const item =
    /^(turn|castling|en-passant|rules|unique|origin|size|note|hint|id|difficulty|author|source|tags|allow|board|solve|count|move|mate|capture|line)\b/;
  const lines = text.split('\n');
  // Lists over several lines are the person's to align, a puzzle on one line has no indentation.
  let open = 0;
  return lines.filter(line => {
    const words = line.trimStart();
    const outer = open === 0;
    open += (words.match(/\[/g)?.length ?? 0) - (words.match(/\]/g)?.length ?? 0);
    const indent = line.length - words.length;
    if (outer && item.test(words)) return indent !== 2;
    return words === '}' && outer && indent !== 0;
  });
}

/** Types some of the puzzles into one file of a window. Returns what went wrong. */
async function typeAll(w, all) {
  const wrong = [];
  for (const [number, text] of all) {
    await w.focusEditor();
    await w.press('Control+a', 'Delete');
    await typeText(w, text);
    await w.press('Escape');
    await w.save();
    const typed = w.disk('typed.cpz');
    let result = 'ok';
    if (unindented(typed) !== text) result = `puzzle ${number} changed:\n${text}became\n${typed}`;
    else if (misplaced(typed).length) result = `puzzle ${number} is indented differently:\n${typed}`;
    if (result !== 'ok') wrong.push(result);
    if (process.env.CPZ_TYPING) console.log(`typed  ${number}: ${result}`);
  }
  return wrong;
}

/** Opens a window in a browser of its own: of two pages in one browser only one is drawn. */
async function open(server, place) {
  mkdirSync(place, { recursive: true });
  write(place, { 'typed.cpz': '' });
  const context = await browser(place);
  const page = await context.newPage();
  await page.setViewportSize({ width: 900, height: 600 });
  const w = new Workbench(page, server, place);
  await w.load('typed.cpz');
  return { w, context };
}

async function typing({ server, folder, check, root, windows }) {
  const all = puzzles(root);
  // Spread over all games and formats.
  const step = Math.max(1, Math.floor(all.length / COUNT));
  const chosen = all.map((text, number) => [number, text]).filter(([n]) => n % step === 0);
  const shares = Array.from({ length: PAGES }, () => []);
  chosen.slice(0, COUNT).forEach((one, n) => shares[n % PAGES].push(one));
  const opened = [];
  try {
    await check(`${COUNT} puzzles are what was typed`, async () => {
      const running = [];
      // One window after the other: starting is what costs most.
      for (const [n, share] of shares.entries()) {
        opened.push(await open(server, `${folder}-${n}`));
        windows.push(opened[n].w);
        running.push(typeAll(opened[n].w, share));
      }
      const wrong = (await Promise.all(running)).flat();
      assert.equal(wrong.length, 0, `${wrong.length} of ${COUNT}:\n${wrong.slice(0, 5).join('\n')}`);
    });
  } finally {
    windows.length = 0;
    for (const { context } of opened) await context.close();
  }
}

export default { typing };
