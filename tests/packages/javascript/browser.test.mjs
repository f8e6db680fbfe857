// The program of the manual and the functions in a headless browser, from a server for static files.
import assert from 'node:assert/strict';
import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { cpz, folder, root } from './installed.mjs';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
const PAGE = '<!doctype html><script type="importmap">{ "imports": { "cpz-lang": "/lib/browser.js" } }</script>';
const WORKER = `
import { solve } from '/lib/browser.js';
onmessage = async ({ data }) => {
  await solve('solitaire { board RN.. solve }');
  postMessage('begun');
  postMessage(await solve(...data));
};`;
/** The limit of every wait, in milliseconds: what has not come after this time does not come. */
const HUNG = 600_000;
const SLOW = 'solitaire { board QQQQ QQQQ QQQQ QQQQ count }';

let server;
let browser;
let address;
/** How the server answers for the module: as a server should, as one that does not know its type, or not at all. */
let module = 'good';

before(async () => {
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const pages = { '/': PAGE, '/worker.js': WORKER };
    const file = join(folder, pathname);
    const isModule = pathname.endsWith('.wasm');
    if ((isModule && module === 'missing') || (!(pathname in pages) && !existsSync(file))) {
      return response.writeHead(404).end();
    }
    const type = pathname === '/' ? 'text/html' : TYPES[extname(pathname)];
    response.writeHead(200, { 'Content-Type': isModule && module === 'untyped' ? 'application/octet-stream' : type });
    pathname in pages ? response.end(pages[pathname]) : createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({ timeout: HUNG, executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });
});

after(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
});

/** A new page, and what it prints. */
async function open() {
  const page = await browser.newPage();
  page.setDefaultTimeout(HUNG);
  const lines = [];
  page.on('console', (message) => message.type() === 'log' && lines.push(message.text()));
  await page.goto(address);
  return { page, lines };
}

test('the program of the manual prints what stands there', async () => {
  const manual = readFileSync(join(root, 'docs', 'javascript.md'), 'utf8');
  const [, program, expected] = manual.match(/```js\n(.+?)```.+?```text\n(.+?)```/s);
  for (module of ['good', 'untyped']) {
    const { page, lines } = await open();
    await page.addScriptTag({ type: 'module', content: `${program}\nconsole.log('end');` });
    while (lines.at(-1) !== 'end') {
      await page.waitForEvent('console');
    }
    assert.equal(lines.slice(0, -1).join('\n'), expected.trimEnd());
    await page.close();
  }
  module = 'good';
});

test('the functions give in a browser what they give in Node', async () => {
  const { page } = await open();
  const calls = [
    ['check', 'chess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }', { hints: true }],
    ['format', 'solitaire{board RN..\nsolve}'],
    ['convert', 'chess { board 8/8/8/4k3/8/8/8/4K2R mate }', 'text'],
    ['importText', '7k/8/5KQ1/8/8/8/8/8 w - - 0 1\n', { fromFormat: 'fen' }],
    ['exportText', 'solitaire { board RN.. solve }', 'json'],
    ['draw', 'solitaire { board RN.. solve }', { size: 64 }],
    ['generate', 'solitaire', { pieces: 5, seed: 3 }],
    ['rate', 'solitaire { board RN.. solve }'],
    ['printText', 'solitaire { board RN.. solve }', { to: 'typst' }],
    ['explain', 'cook'],
    ['schema', 'rate'],
  ];
  for (const [name, ...given] of calls) {
    const found = await page.evaluate(async ([what, values]) => (await import('/lib/browser.js'))[what](...values), [name, given]);
    assert.deepEqual(found, await cpz[name](...given), name);
  }
  await page.close();
});

test('a worker answers, and one that searches for long can be ended', async () => {
  const { page } = await open();
  /** Ends a worker after a number of messages: the first one says that it begins, the second one is its answer. */
  const ask = (text, options, count) => page.evaluate(([given, wanted]) => new Promise((done) => {
    const worker = new Worker('/worker.js', { type: 'module' });
    const messages = [];
    worker.addEventListener('message', ({ data }) => {
      messages.push(data);
      if (messages.length === wanted) {
        worker.terminate();
        done(messages);
      }
    });
    worker.postMessage(given);
  }), [[text, options], count]);
  const [, answer] = await ask('solitaire { board RN.. solve }', {}, 2);
  assert.equal(answer.version, 1);
  assert.deepEqual(await ask(SLOW, { budget: 100_000_000 }, 1), ['begun']);
  while (page.workers().length) {
    await new Promise((done) => page.workers()[0].once('close', done));
  }
  await page.close();
});

test('a module that the server does not have is an error, and the next call tries again', async () => {
  const { page } = await open();
  const attempt = () => page.evaluate(async () => {
    const { check } = await import('/lib/browser.js');
    return check('').then(({ version }) => version, (error) => error.message);
  });
  module = 'missing';
  assert.equal(await attempt(), `${address}/lib/cpz.wasm cannot be loaded: status 404`);
  module = 'good';
  assert.equal(await attempt(), 1);
  await page.close();
});
