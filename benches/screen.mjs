#!/usr/bin/env node
// Measures what a person waits for at the board and at the page, and prints tables in Markdown.
//
//   benches/screen.mjs [--drags 60] [--loads 20] [--server PROGRAM] [--page FILE]
//
// The first table has the time from the end of a drag on the board (`pointerup`) to the finding that it brings or takes away, drawn:
// on the page for browsers, and in VS Code with the server PROGRAM (default: target/dist/cpz), where an extension that does nothing
// else shows what VS Code needs by itself. It is compared, in turns of ten, with
// the same finding after a key in the text, and with a handler that does nothing but change a word beside the board, which is
// what the browser needs by itself. The second table loads the page with an empty cache, and a page with one word and no script.
// Everything runs in headless Chromium. `editors/web/test/run` and `editors/vscode/test/run` install what is needed, and
// `editors/web/build-core` makes the modules. `--page` replaces the tables of a page, between their marks.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium } from '../editors/web/test/node_modules/playwright-core/index.mjs';
import { Page, until } from '../editors/web/test/page.mjs';
import { serve } from '../editors/web/test/serve.mjs';
import { browser, endAll, Server } from '../editors/vscode/test/vscode.mjs';
import { Workbench, write } from '../editors/vscode/test/workbench.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values } = parseArgs({ options: { drags: { type: 'string', default: '60' }, loads: { type: 'string', default: '20' }, server: { type: 'string', default: join(root, 'target/dist/cpz') }, page: { type: 'string' } } });
const [DRAGS, LOADS, TURN] = [Number(values.drags), Number(values.loads), 10];
const work = mkdtempSync(join(tmpdir(), 'cpz-screen-'));

/** The rook can take the knight on d4, and nothing on d3. Below it, `Rh9` is no move. */
const TEXT = `solitaire "Dragged" {
  board
    R . . N
    . . . .
    . . . .
    . . . .
  solve
}

chess "Typed" {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rh8
}
`;

/** Runs in the page: `next(has)` notes when there is a finding, or none, on the screen; `said` when the word beside the board is. */
function observe(error) {
  const clock = () => performance.timeOrigin + performance.now();
  const later = (act) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = act;
    channel.port2.postMessage(0);
  };
  // What changes while a frame is made is drawn with it, anything else with the next one.
  let isFrame = false;
  const next = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (act) => next((time) => {
    isFrame = true;
    later(() => (isFrame = false));
    act(time);
  });
  const painted = () => new Promise((done) => {
    const end = () => later(() => done(clock()));
    if (isFrame) end();
    else next(end);
  });
  window.next = (has) => {
    window.seen = new Promise((done) => {
      const observer = new MutationObserver(() => {
        if (!!document.querySelector(error) !== has) return;
        observer.disconnect();
        done(painted());
      });
      observer.observe(document.body, { subtree: true, childList: true, attributes: true });
    });
  };
  const word = document.body.appendChild(document.createElement('div'));
  word.style.cssText = 'position: fixed; top: 0; left: 0; z-index: 100';
  window.hear = () => {
    window.seen = new Promise((done) => addEventListener('message', ({ data }) => {
      if (data !== 'up') return;
      word.textContent = word.textContent === 'one' ? 'two' : 'one';
      done(painted());
    }, { once: false }));
  };
  addEventListener('keydown', () => (window.begin = clock()), true);
}

/** Runs in the frame of the board. */
function listen() {
  addEventListener('pointerup', () => {
    window.begin = performance.timeOrigin + performance.now();
    if (window.isEmpty) window.top.postMessage('up', '*');
  }, true);
}

/** The milliseconds of each drag, key and empty handler. `at` puts the cursor on a line; `error` is the selector of a finding. */
async function turns({ page, frame, error, at, edit }) {
  const found = { drag: [], key: [], empty: [] };
  await page.evaluate(observe, error);
  const centre = async (square) => {
    const box = await until(() => frame().locator(`[data-square="${square}"]`).boundingBox(), square);
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const measured = async (begin, act) => {
    await act();
    const end = await page.evaluate(() => window.seen);
    return end - (await begin.evaluate(() => window.begin));
  };
  for (let done = 0; done < DRAGS; done += TURN) {
    await at(3);
    await edit();
    await frame().evaluate(listen);
    let [here, there, has] = ['d4', 'd3', true];
    for (let n = 0; n < TURN; n++) {
      await frame().locator(`[data-square="${here}"][aria-label$="knight"]`).waitFor();
      const [from, to] = [await centre(here), await centre(there)];
      await page.mouse.move(...from);
      await page.mouse.down();
      await page.mouse.move(...to, { steps: 4 });
      await page.evaluate((wanted) => window.next(wanted), has);
      found.drag.push(await measured(frame(), () => page.mouse.up()));
      [here, there, has] = [there, here, !has];
    }
    await frame().locator(`[data-square="${here}"][aria-label$="knight"]`).waitFor();
    await frame().evaluate(() => (window.isEmpty = true));
    const [x, y] = await centre('a4');
    for (let n = 0; n < TURN; n++) {
      await page.mouse.move(x - 60, y);
      await page.mouse.down();
      await page.evaluate(() => window.hear());
      found.empty.push(await measured(frame(), () => page.mouse.up()));
    }
    await frame().evaluate(() => (window.isEmpty = false));
    await at(12);
    await page.keyboard.press('End');
    for (let n = 0; n < TURN; n++) {
      await page.keyboard.press('Shift+ArrowLeft');
      await page.evaluate((wanted) => window.next(wanted), n % 2 === 0);
      found.key.push(await measured(page, () => page.keyboard.press(n % 2 ? '8' : '9')));
    }
  }
  return found;
}

async function onPage(server, launched) {
  const context = await launched.newContext({ viewport: { width: 1280, height: 800 } });
  const w = new Page(await context.newPage(), server.address);
  await w.page.goto(server.address);
  await w.ready();
  await w.write(TEXT);
  const frame = () => w.page.frames().find((one) => one.url().endsWith('board.html'));
  const times = await turns({
    page: w.page,
    frame,
    error: '.cm-lintRange-error',
    at: (line) => w.at(TEXT.split('\n').slice(0, line - 1).join('\n').length + 3),
    edit: async () => {
      await frame().locator('#name', { hasText: 'Dragged' }).waitFor();
      await frame().locator('#modes [data-mode="edit"]').click();
      await frame().locator('#board.touch').waitFor();
    },
  });
  await context.close();
  return times;
}

/**
 * An extension that needs as little as one can: its page tells that a pointer went up, for which it changes two letters of the text,
 * and when it hears of the change it sets or removes a finding.
 */
const LEAST = {
  'package.json': JSON.stringify({
    name: 'least', publisher: 'cpz', version: '0.0.1', engines: { vscode: '^1.100.0' }, main: 'main.js',
    contributes: { commands: [{ command: 'least.show', title: 'Least: Show' }] },
  }),
  'main.js': `
    const vscode = require('vscode');
    const at = (line, length) => new vscode.Range(line, 0, line, length);
    exports.activate = () => vscode.commands.registerCommand('least.show', () => {
      const { document } = vscode.window.activeTextEditor;
      const found = vscode.languages.createDiagnosticCollection('least');
      const panel = vscode.window.createWebviewPanel('least', 'Least', vscode.ViewColumn.Beside, { enableScripts: true });
      panel.webview.html = '<body style="height: 90vh" id="least"><script>const editor = acquireVsCodeApi(); addEventListener("pointerup", () => editor.postMessage(0));</script>';
      const isRight = () => document.lineAt(0).text === 'a';
      panel.webview.onDidReceiveMessage(() => {
        const edit = new vscode.WorkspaceEdit();
        for (const line of [0, 1]) edit.replace(document.uri, at(line, 1), isRight() ? 'b' : 'a');
        return vscode.workspace.applyEdit(edit);
      });
      vscode.workspace.onDidChangeTextDocument((change) => {
        if (change.document === document) found.set(document.uri, isRight() ? [] : [new vscode.Diagnostic(at(2, 1), 'wrong', 0)]);
      });
    });
  `,
};

/** The milliseconds of drags in that extension. */
async function least(w) {
  await w.open('least.txt');
  await w.command('Least: Show');
  const frame = await w.webview('#least');
  await frame.evaluate(listen);
  const { x, y, width } = await frame.locator('#least').boundingBox();
  const drag = [];
  for (let n = 0; n < DRAGS; n++) {
    await w.page.mouse.move(x + width / 2, y + 100);
    await w.page.mouse.down();
    await w.page.mouse.move(x + width / 2 + 50, y + 100, { steps: 4 });
    await w.page.evaluate((wanted) => window.next(wanted), n % 2 === 0);
    await w.page.mouse.up();
    const end = await w.page.evaluate(() => window.seen);
    drag.push(end - (await frame.evaluate(() => window.begin)));
  }
  return { drag };
}

async function inVsCode() {
  const editor = join(root, 'editors/vscode');
  execFileSync('npm', ['run', '-s', 'package', '--', '--server', values.server], { cwd: editor, stdio: 'ignore' });
  const server = new Server('1.139', join(work, 'vscode'));
  server.settings();
  server.install(join(editor, 'cpz-linux-x64.vsix'));
  // Where `Server` has the extensions that come with VS Code.
  write(join(work, 'vscode/own/least'), LEAST);
  await server.start();
  const context = await browser(join(work, 'vscode'));
  const folder = join(work, 'texts');
  mkdirSync(folder, { recursive: true });
  write(folder, { 'a.cpz': TEXT, 'least.txt': 'a\na\na\n' });
  const w = new Workbench(await context.newPage(), server, folder);
  await w.load('a.cpz');
  await w.at(3, 3);
  await w.command('Chess Puzzles: Show Board Beside');
  let frame = await w.webview('#board svg');
  const times = await turns({
    page: w.page,
    frame: () => frame,
    error: '.squiggly-error',
    at: (line) => w.at(line, 3),
    edit: async () => {
      await frame.locator('#name', { hasText: 'Dragged' }).waitFor();
      await frame.locator('#modes [data-mode="edit"]').click();
      await frame.locator('#board.touch').waitFor();
    },
  });
  const own = await least(w);
  await context.close();
  server.stop();
  return [times, own];
}

// ---- Loading

/** Runs in a page before its scripts. */
function watch() {
  window.long = [];
  new PerformanceObserver((list) => window.long.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration]))).observe({ type: 'longtask', buffered: true });
  // The first findings are drawn with the underlined places, and counted at the foot.
  const observer = new MutationObserver(() => {
    if (!document.querySelector('.cm-lintRange-error')) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => (window.found = performance.now())));
  });
  observer.observe(document, { subtree: true, childList: true, attributes: true });
}

/** A page is interactive after its last long task that no other one follows within this time, in milliseconds, as Lighthouse has it. */
const QUIET = 5000;

const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', wasm: 'application/wasm', webmanifest: 'application/manifest+json' };

/**
 * A host of compressed files, as those of static pages are, which counts what it sends. It has compressed them before it begins.
 * Files for offline use come later, and do not count.
 */
async function host(folders) {
  const sent = { bytes: 0, requests: 0 };
  const files = Object.values(folders).flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const packed = new Map(files.map((file) => [file, gzipSync(readFileSync(file), { level: 9 })]));
  const http = createServer((request, response) => {
    const [, folder, name = ''] = /^\/([^/?]*)\/([^?]*)/.exec(request.url) ?? [];
    const file = join(folders[folder] ?? '', name || 'index.html');
    const body = packed.get(file);
    if (!folders[folder] || !body) return response.writeHead(404).end();
    if (!request.headers.referer?.endsWith('sw.js')) {
      sent.bytes += body.length;
      sent.requests++;
    }
    response.writeHead(200, { 'Content-Type': TYPES[file.split('.').at(-1)], 'Content-Encoding': 'gzip', 'Content-Length': body.length }).end(body);
  });
  await new Promise((done) => http.listen(0, '127.0.0.1', done));
  return { address: `http://127.0.0.1:${http.address().port}`, sent, stop: () => (http.closeAllConnections(), http.close()) };
}

/** One load with an empty cache. */
async function load(launched, { address, sent }, path, hasFindings) {
  const context = await launched.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  const before = { ...sent };
  await page.addInitScript(watch);
  await page.goto(address + path);
  if (hasFindings) await page.waitForFunction(() => window.found);
  await page.waitForTimeout(QUIET);
  const read = await page.evaluate(() => ({ found: window.found, long: window.long, paint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime }));
  await context.close();
  const interactive = Math.max(read.paint, ...read.long.map(([start, duration]) => start + duration));
  const blocked = read.long.reduce((sum, [, duration]) => sum + duration - 50, 0);
  return { bytes: sent.bytes - before.bytes, requests: sent.requests - before.requests, paint: read.paint, found: read.found, interactive, blocked };
}

// ---- Tables

const middle = (all, at = 0.5) => [...all].sort((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * at))];
const shown = (ms) => (ms < 10 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en'));

function dragTable(all) {
  const rows = Object.entries(all).map(([where, { drag, key, empty }]) =>
    `| ${where} | ${[middle(drag), middle(drag, 1), ...(key ? [middle(key), middle(empty)] : [])].map(shown).join(' | ')} | ${key ? ((middle(drag) - middle(empty)) / (middle(key) - middle(empty))).toFixed(1) : '| |'} |`);
  return ['|  | drag, median | drag, longest | key, median | empty handler, median | drag / key, above the handler |', '| --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
}

function loadTable(all) {
  const row = (name, get) => `| ${name} | ${all.map((loads) => get(loads)).join(' | ')} |`;
  const median = (field) => (loads) => (loads[0][field] === undefined ? '' : shown(middle(loads.map((one) => one[field]))));
  return [
    '|  | the page | one word |', '| --- | --- | --- |',
    row('requests', (loads) => middle(loads.map(({ requests }) => requests))),
    row('compressed, kB', (loads) => shown(middle(loads.map(({ bytes }) => bytes)) / 1000)),
    row('first content drawn', median('paint')),
    row('first findings drawn', median('found')),
    row('interactive', median('interactive')),
    row('blocked by tasks above 50 ms', median('blocked')),
  ].join('\n');
}

function put(name, table) {
  console.log(`\n${table}`);
  if (!values.page) return;
  const page = readFileSync(values.page, 'utf8');
  writeFileSync(values.page, page.replace(new RegExp(`(<!-- ${name} -->\\n)[^]*?(<!-- end of ${name} -->)`), (_, begin, end) => `${begin}${table}\n${end}`));
}

const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const launched = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args });
mkdirSync(join(work, 'word'));
writeFileSync(join(work, 'word/index.html'), '<!DOCTYPE html><html lang="en"><title>A page</title><p>Word</p></html>');
const server = await serve();
const counting = await host({ page: join(root, 'editors/web/dist'), word: join(work, 'word') });
const link = `#t=${Buffer.from(TEXT.replace('Rh8', 'Rh9')).toString('base64url')}`;
try {
  if (DRAGS) {
    const page = await onPage(server, launched);
    const [drags, own] = await inVsCode();
    put('drags', dragTable({ 'the page': page, 'VS Code 1.139': drags, 'VS Code 1.139, an extension without a server': own }));
  }
  const loads = [[], []];
  for (let n = 0; n < LOADS; n++) {
    loads[0].push(await load(launched, counting, `/page/${link}`, true));
    loads[1].push(await load(launched, counting, '/word/', false));
  }
  if (LOADS) put('loads', loadTable(loads));
} finally {
  await launched.close();
  server.stop();
  counting.stop();
  endAll();
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}
