// Takes the pictures of the manual and of the walkthrough anew: node docs.mjs VERSION VSIX
//
// Look at what it wrote before you commit it. $ONLY is a part of the name of a window. `../run` installs what it needs.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
// The pauses let what moves come to rest before a picture; no test depends on them.
import { setTimeout as sleep } from 'node:timers/promises';
import { cooked, morphy, sample, someGames, twoSteps } from '../texts.mjs';
import { Server, browser, endAll } from '../vscode.mjs';
import { Workbench, write } from '../workbench.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../../..');
const [version, vsix] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'cpz-docs-'));
const example = name => readFileSync(join(root, 'examples', name), 'utf8');

const solution = '[[[3,0], [1,1]], [[0,1], [1,1]], [[1,1], [1,2]]]';
const printed = example('mistakes/source002-printed-solution.cpz');

let server;
let context;
let offered = false;

async function open(name, files, file, size) {
  const folder = join(work, name);
  mkdirSync(folder, { recursive: true });
  write(folder, files);
  const page = await context.newPage();
  await page.setViewportSize(size);
  const w = new Workbench(page, server, folder);
  await w.load(file);
  await w.command('View: Close Primary Side Bar');
  if (!offered) {
    // The offer of the board comes once.
    await w.message(/can be shown beside/);
    await w.command('Notifications: Clear All Notifications');
    offered = true;
  }
  return w;
}

/** Saves a part of the window: of the editor groups, or of one of them. */
async function save(w, path, selector, width, height, top = 0) {
  await sleep(1500);
  const box = await w.page.locator(selector).first().boundingBox();
  const clip = { x: box.x, y: box.y + top, width: Math.min(width, box.width), height: Math.min(height, box.height - top) };
  await w.page.screenshot({ path: join(root, path), clip });
  console.log(path);
}

const EDITOR = '.editor-group-container .monaco-editor[role="code"]';
const GROUPS = '.part.editor';
const WIDE = { width: 930, height: 720 };

async function board(w, line, column) {
  await w.at(line, column);
  await w.command('Show Board Beside');
  return w.webview('#board svg');
}

/** The pictures of one window each. */
const windows = [
  async function typo() {
    const w = await open('typo', { 'sample.cpz': sample.replace('solve', 'solv') }, 'sample.cpz', { width: 680, height: 500 });
    await w.errors.first().waitFor();
    await w.at(7, 4);
    await sleep(1500);
    await w.press('Control+.');
    await w.page.locator('.action-widget .monaco-list-row').first().waitFor();
    await save(w, 'docs/images/tutorial-typo.png', EDITOR, 607, 332);
    await w.page.close();
  },
  async function inserted() {
    const w = await open('inserted', { 'sample.cpz': sample.replace('solve', `solve => ${solution}`) }, 'sample.cpz', { width: 680, height: 500 });
    await w.see('⇒');
    await save(w, 'docs/images/tutorial-inserted.png', EDITOR, 607, 302);
    await w.page.close();
  },
  async function step() {
    const w = await open('step', { 'steps.cpz': twoSteps }, 'steps.cpz', { width: 780, height: 560 });
    await w.errors.first().waitFor();
    await w.at(7, 29);
    await sleep(1500);
    await w.hover();
    await save(w, 'docs/images/tutorial-step.png', EDITOR, 757, 428);
    await w.page.close();
  },
  async function games() {
    const w = await open('games', { 'games.cpz': someGames }, 'games.cpz', WIDE);
    await board(w, 14, 3);
    await save(w, 'docs/images/tutorial-move.png', GROUPS, 923, 604);
    await w.at(24, 3);
    const frame = await w.webview('[data-square="c3"]');
    await sleep(1000);
    await frame.locator('[data-square="c3"]').click();
    await sleep(500);
    await w.focusEditor();
    await save(w, 'docs/images/tutorial-draughts.png', GROUPS, 923, 604);
    await w.page.close();
  },
  async function levels() {
    const w = await open('levels', { 'cubes.cpz': example('collection/chess3d-sources.cpz') }, 'cubes.cpz', WIDE);
    const cube = await board(w, 10, 4);
    await cube.locator('#next').click();
    await sleep(500);
    await cube.locator('#next').click();
    await save(w, 'docs/images/tutorial-levels.png', '.editor-group-container >> nth=1', 461, 420);
    await w.page.close();
  },
  async function convert() {
    const w = await open('convert', { 'sample.cpz': sample }, 'sample.cpz', { width: 680, height: 500 });
    await w.see('⇒');
    await w.at(4, 6);
    await w.quickPickRows('Convert Board…', 'coordinates');
    await w.pick('coordinates');
    await w.see("'N'");
    await save(w, 'docs/images/tutorial-convert.png', EDITOR, 607, 193);
    await w.page.close();
  },
  async function mistakes() {
    const w = await open('mistakes', { 'printed.cpz': printed }, 'printed.cpz', { width: 1180, height: 640 });
    const failing = await board(w, 11, 5);
    await failing.locator('#last').click();
    await sleep(1500);
    await w.page.screenshot({ path: join(root, 'docs/images/vscode.png') });
    console.log('docs/images/vscode.png');
    await save(w, 'editors/vscode/walkthrough/board.png', '.editor-group-container >> nth=1', 582, 560);
    await w.page.close();
  },
  async function problem() {
    const w = await open('problem', { 'problem.cpz': morphy }, 'problem.cpz', { width: 1000, height: 800 });
    const frame = await board(w, 4, 4);
    // By its key in the text, which keeps the focus there.
    await w.press('Alt+PageDown');
    await frame.locator('#choices button').first().waitFor();
    await save(w, 'docs/images/problem.png', GROUPS, 993, 770);
    await w.page.close();
  },
  async function cook() {
    const w = await open('cook', { 'cook.cpz': cooked }, 'cook.cpz', { width: 700, height: 640 });
    await w.editor.locator('.squiggly-warning').first().waitFor();
    await w.at(3, 4);
    await sleep(1500);
    await w.hover();
    await save(w, 'docs/images/cook.png', EDITOR, 660, 335);
    await w.page.close();
  },
  async function answer() {
    const w = await open('answer', { 'sample.cpz': `// The sample from the box.\n${sample.split('\n\n')[0]}\n` }, 'sample.cpz', { width: 650, height: 400 });
    await w.see('⇒');
    await save(w, 'editors/vscode/walkthrough/answer.png', EDITOR, 580, 210);
    await w.page.close();
  },
  async function mistake() {
    const w = await open('mistake', { 'printed.cpz': printed.slice(printed.indexOf('solitaire')) }, 'printed.cpz', { width: 760, height: 400 });
    await w.errors.first().waitFor();
    await w.at(7, 80);
    await save(w, 'editors/vscode/walkthrough/mistake.png', EDITOR, 700, 210);
    await w.page.close();
  },
];

let code = 0;
try {
  server = new Server(version, join(work, 'server'));
  server.settings({ 'workbench.activityBar.location': 'hidden', 'workbench.layoutControl.enabled': false });
  server.install(vsix);
  await server.start();
  context = await browser(join(work, 'server'));
  for (const take of windows.filter(({ name }) => name.includes(process.env.ONLY ?? ''))) {
    await take().catch(error => {
      code = 1;
      console.log(`${take.name}: ${error.message}`);
    });
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
