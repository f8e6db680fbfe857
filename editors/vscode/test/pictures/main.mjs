// Takes the pictures by which a change of the screens is judged: node main.mjs VERSION VSIX FOLDER [FILE]
//
// FILE, by default sixty.cpz, has sixty puzzles of all games and formats: good, open, wrong and duplicate ones. Run
// it before and after a change, and compare the folders side by side. $ONLY is a part of a name, such as dark
// or wide-boards. `../run` installs what it needs.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server, browser, endAll } from '../vscode.mjs';
import { Workbench, write } from '../workbench.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const [version, vsix, folder, file = join(here, 'sixty.cpz')] = process.argv.slice(2);
const text = readFileSync(file, 'utf8');
const lines = text.split('\n');
const WIDE = { width: 1400, height: 900 };
const only = process.env.ONLY ?? '';
const NARROW = { width: 640, height: 900 };
const work = mkdtempSync(join(tmpdir(), 'cpz-pictures-'));
mkdirSync(folder, { recursive: true });

/** The line and column, both from 1, of `word` in the puzzle with this name. */
function place(name, word) {
  const head = lines.findIndex(line => line.includes(`"${name}"`));
  const line = lines.findIndex((line, n) => n >= head && line.includes(word));
  if (head < 0 || line < 0) throw new Error(`the file has no ${word} in ${name}`);
  return [line + 1, lines[line].indexOf(word) + 1];
}

/** Draws what is asked for; a picture that fails is reported, the others are taken all the same. */
async function picture(w, name, act) {
  try {
    await act?.();
    // A picture comes after what moves; no test depends on it.
    await sleep(700);
    await w.page.screenshot({ path: join(folder, `${name}.png`) });
    console.log(`${name}`);
  } catch (error) {
    await w.page.screenshot({ path: join(folder, `${name}-failed.png`) }).catch(() => {});
    console.log(`${name} FAILED: ${String(error.message).split('\n')[0]}`);
  }
  await w.press('Escape', 'Escape').catch(() => {});
}

async function window(context, server, name, files, open, size) {
  const at = join(work, name);
  mkdirSync(at, { recursive: true });
  write(at, files);
  if (name.endsWith('-dark')) write(at, { '.vscode/settings.json': '{ "workbench.colorTheme": "Default Dark Modern" }' });
  const page = await context.newPage();
  await page.setViewportSize(size);
  const w = new Workbench(page, server, at);
  await w.load(open, { ready: !!open });
  await w.command('View: Close Primary Side Bar').catch(() => {});
  return w;
}

/** Opens the board for a place in the text, with the cursor there. */
async function board(w, name, word) {
  await w.at(...place(name, word));
  await w.command('Show Board Beside');
  return w.webview('#board svg');
}

async function texts(context, server, kind, size) {
  const w = await window(context, server, `text-${kind}`, { 'sixty.cpz': text }, 'sixty.cpz', size);
  await picture(w, `${kind}-1-top`, () => w.see('⇒').catch(() => {}));
  await picture(w, `${kind}-2-middle`, () => w.at(...place('Starting position', 'chess')));
  await picture(w, `${kind}-3-mistakes`, () => w.at(...place('Hopeless', 'solitaire')));
  await picture(w, `${kind}-4-broken-boards`, () => w.at(...place('Ragged rows', 'solitaire')));
  const hover = (name, word) => async () => {
    await w.at(...place(name, word));
    await w.hover();
  };
  await picture(w, `${kind}-hover-board`, hover('Back rank, after', 'board'));
  await picture(w, `${kind}-hover-mate`, hover('Back rank, after', 'mate'));
  await picture(w, `${kind}-hover-illegal-move`, hover("A knight's leap too far", '["W", "N", 5, 4]'));
  await picture(w, `${kind}-hover-cube`, hover('Two at a time', 'mate'));
  await picture(w, `${kind}-fixes-illegal-move`, async () => {
    await w.at(...place("A knight's leap too far", '["W", "N", 5, 4]'));
    await w.actions();
  });
  await picture(w, `${kind}-fixes-duplicate`, async () => {
    await w.at(...place('Same again', '"Same again"'));
    await w.actions();
  });
  await picture(w, `${kind}-palette-chess`, async () => {
    await w.press('F1');
    await w.fill('>chess');
  });
  await picture(w, `${kind}-problems`, async () => {
    await w.showProblems();
    await w.problem(/./);
  });
  await w.page.close();
}

async function boards(context, server, kind, size) {
  const w = await window(context, server, `board-${kind}`, { 'sixty.cpz': text }, 'sixty.cpz', size);
  let frame;
  await picture(w, `${kind}-board-solution`, async () => (frame = await board(w, 'Starter, as rows', 'solve')));
  await picture(w, `${kind}-board-mate-reason`, async () => {
    await w.at(...place('Back rank, after', 'mate'));
    await w.until(async () => /Back rank/.test(await frame.locator('#name').innerText()), 'the next board');
    await frame.locator('#next').click();
    await frame.locator('#next').click();
  });
  for (const [name, word, picture_] of [
    ['A jump on the way', 'solve', 'wrong-solution'],
    ['Not the only way', 'unique', 'not-unique'],
    ['Ragged rows', 'board', 'ragged'],
    ['Two at a time', 'mate', 'cube'],
    ['A crowd', 'capture', 'draughts'],
    ["A knight's leap too far", 'move', 'illegal-move'],
  ]) {
    await picture(w, `${kind}-board-${picture_}`, async () => {
      await w.at(...place(name, word));
      await w.until(async () => (await frame.locator('#name').innerText()) === name, `the board of ${name}`);
    });
  }
  await w.page.close();
}

/** A first puzzle, in an empty window and typed by hand. */
async function newcomer(context, server, kind, size) {
  const w = await window(context, server, `new-${kind}`, { 'empty.cpz': '' }, 'empty.cpz', size);
  await picture(w, `${kind}-empty-file`);
  await picture(w, `${kind}-empty-board`, async () => {
    await w.command('Show Board Beside');
    await w.webview('#empty');
  });
  await w.focusEditor();
  for (const [n, part] of ['solitaire "My first" {\n', 'board\n. . . N\n', '. . . .\n. R', ' . .\n. . B .\n', 'solve\n'].entries()) {
    await picture(w, `${kind}-typed-${n + 1}`, async () => {
      for (const letter of part) {
        await w.press(letter === '\n' ? 'Enter' : letter === ' ' ? 'Space' : letter);
        await sleep(60);
      }
    });
  }
  await w.page.close();
  const v = await window(context, server, `untitled-${kind}`, { 'readme.txt': 'Nothing yet.\n' }, undefined, size);
  await picture(v, `${kind}-new-puzzle-menu`, () => v.quickPickRows('New Puzzle…', 'Solitaire Chess'));
  await picture(v, `${kind}-new-puzzle`, async () => {
    await v.command('New Puzzle…');
    await v.pick('Solitaire Chess');
    await v.see(/solve/);
    await sleep(1500);
  });
  await picture(v, `${kind}-new-puzzle-save`, async () => {
    await v.focusEditor();
    await v.press('Escape');
    await v.save();
  });
  await v.page.close();
}

let code = 0;
try {
  const server = new Server(version, join(work, 'server'));
  server.settings({ 'git.enabled': false });
  server.install(vsix);
  await server.start();
  const context = await browser(join(work, 'server'));
  for (const [kind, size] of [['wide', WIDE], ['narrow', NARROW], ['dark', WIDE]]) {
    for (const part of [texts, boards, newcomer].filter(({ name }) => `${kind}-${name}`.includes(only))) await part(context, server, kind, size).catch(e => console.log(`${kind} ${part.name}: ${e.message}`));
  }
  // The first file of a window, photographed while it opens: what flashes or jumps.
  const w = !'opening'.includes(only) ? undefined : await window(context, server, 'opening', { 'sixty.cpz': text }, undefined, WIDE).catch(() => {});
  if (w) {
    await w.press('Control+p');
    await w.fill('sixty.cpz');
    await w.pick('sixty.cpz');
    for (let n = 0; n < 12; n++) {
      await w.page.screenshot({ path: join(folder, `opening-${String(n).padStart(2, '0')}.png`) });
    }
  }
  await context.close();
  server.stop();
} catch (error) {
  console.log(error.stack ?? error);
  code = 1;
}
endAll();
rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
process.exit(code);
