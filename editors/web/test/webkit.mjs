// What the page does first of all, in WebKit: node webkit.mjs. The browser is that of Debian, driven by WebDriver on a screen
// of its own (Xvfb). It takes no pictures: for one, the driver waits for a frame that a page at rest does not draw.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { HUNG, repeat, until } from './page.mjs';
import { serve } from './serve.mjs';

const BROWSER = process.env.WEBKIT ?? '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
/** The names that WebDriver gives to elements, and to keys. */
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';
const KEYS = { Enter: '\uE007', Control: '\uE009', End: '\uE010' };

const server = await serve();
const children = [];
const begin = (command, args, options = {}) => {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], ...options });
  children.push(child);
  return child;
};
function end(code) {
  for (const child of children) child.kill();
  server.stop();
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(130));

// ---- The driver

/** A port that is free now. */
const freePort = () => new Promise((done) => {
  const probe = createServer().listen(0, '127.0.0.1', () => {
    const { port } = probe.address();
    probe.close(() => done(port));
  });
});
const screen = begin('Xvfb', ['-displayfd', '3', '-screen', '0', '1280x900x24', '-nolisten', 'tcp']);
const display = await new Promise((done) => screen.stdio[3].once('data', (data) => done(`:${`${data}`.trim()}`)));
const port = await freePort();
// A sandbox needs rights that a container does not give, and there is no graphics card.
const env = { ...process.env, DISPLAY: display, GDK_BACKEND: 'x11', NO_AT_BRIDGE: '1', WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1', WEBKIT_DISABLE_COMPOSITING_MODE: '1', WEBKIT_DISABLE_DMABUF_RENDERER: '1' };
begin('WebKitWebDriver', [`--port=${port}`, '--host=127.0.0.1'], { env });

async function send(method, path, body) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, body: body && JSON.stringify(body), signal: AbortSignal.timeout(HUNG) });
  const { value } = await response.json();
  if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
  return value;
}
await until(() => send('GET', '/status'), 'the driver');
const options = { binary: BROWSER, args: ['--automation'] };
const { sessionId } = await send('POST', '/session', { capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } } });
const call = (method, path, body) => send(method, `/session/${sessionId}/${path}`, body);
const run = (script, ...args) => call('POST', 'execute/sync', { script, args });
const find = (selector) => until(() => call('POST', 'element', { using: 'css selector', value: selector }), selector);
const said = (selector) => run('return document.querySelector(arguments[0])?.textContent ?? ""', selector);
const says = (selector, pattern, ms) => until(async () => pattern.test(await said(selector)), async () => `${selector} like ${pattern}, not ${await said(selector)}`, ms);
const click = (selector) => until(async () => (await call('POST', `element/${(await find(selector))[ELEMENT]}/click`, {})) === null, `a click on ${selector}`);
const text = () => run("return [...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')");
const keys = (...pressed) => {
  const held = pressed.slice(0, -1).map((key) => KEYS[key]);
  const last = [...(KEYS[pressed.at(-1)] ?? pressed.at(-1))];
  const actions = [...held.map((value) => ({ type: 'keyDown', value })), ...last.flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]), ...held.map((value) => ({ type: 'keyUp', value }))];
  return call('POST', 'actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
};
/** Does something in the frame of the board. */
async function onBoard(act) {
  await call('POST', 'frame', { id: await find('#board') });
  try {
    return await act();
  } finally {
    await call('POST', 'frame', { id: null });
  }
}
/** The middle of a square in the window: the driver does not know where a part of a picture is. */
const middle = (square) => until(() => run(`
  const frame = document.querySelector('#board');
  const at = frame.contentDocument.querySelector('[data-square="' + arguments[0] + '"]').getBoundingClientRect();
  const { left, top } = frame.getBoundingClientRect();
  return at.width && { x: Math.round(left + at.left + at.width / 2), y: Math.round(top + at.top + at.height / 2) };
`, square), square);
/** Drags until the effect is seen: a drag that begins while the board is drawn anew is lost. */
const drag = (from, to, effect) => repeat(async (ms) => {
  await dragOnce(from, to);
  await effect(ms);
}, `the effect of ${from}-${to}`);
async function dragOnce(from, to) {
  const [here, there] = [await middle(from), await middle(to)];
  const move = ({ x, y }, duration = 0) => ({ type: 'pointerMove', origin: 'viewport', x, y, duration });
  const half = { x: Math.round((here.x + there.x) / 2), y: Math.round((here.y + there.y) / 2) };
  const actions = [move(here), { type: 'pointerDown', button: 0 }, move(half, 50), move(there, 50), { type: 'pointerUp', button: 0 }];
  await call('POST', 'actions', { actions: [{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }] });
}
// ---- What is done

const LINKED = 'solitaire "Linked" {\n  board\n    . . . .\n    . B . .\n    R P . .\n    . . . N\n  solve\n}\n';

let [passed, failed] = [0, 0];
/** The later checks build upon a failed one. */
async function check(what, act) {
  if (failed) return;
  try {
    await act();
    passed++;
    console.log(`ok     ${what}`);
  } catch (error) {
    failed++;
    console.log(`FAILED ${what}: ${error.stack}`);
  }
}

await call('POST', 'window/rect', { width: 1280, height: 880 });
await call('POST', 'url', { url: server.address });
await check('the first text has its answer and its board', async () => {
  await says('.cpz-inlay', /d1xb2 a2xb2 b2xb3/);
  await onBoard(() => find('[data-square="d1"][aria-label$="knight"]'));
});
await check('what is typed wrong is found', async () => {
  await click('.cm-content');
  await keys('Control', 'End');
  await keys('chess { move Rh9 ');
  await find('.cm-lintRange-error');
  await says('#problems-button', /\d error/);
});
await check('a piece is dragged, and the text has its new place', async () => {
  await call('POST', 'url', { url: `${server.address}#t=${Buffer.from(LINKED).toString('base64url')}` });
  await onBoard(async () => {
    await says('#name', /Linked/);
    await click('[data-mode="edit"]');
  });
  await onBoard(() => find('#board.touch'));
  const has = (rows) => (ms) => until(async () => rows.test(await text()), text, ms);
  await drag('d1', 'd2', has(/R P \. N\n/));
  await drag('d2', 'd1', has(/\. \. \. N\n/));
});
await check('a puzzle is solved', async () => {
  await click('#solve');
  await says('#solve-said', /^Drag a piece/);
  // The board of the mode has no button for the other ones.
  await onBoard(() => until(() => run("return !document.querySelector('#modes')?.checkVisibility() && !!document.querySelector('#board.touch [data-square=d1]')"), 'the board to solve on'));
  for (const [from, to, words] of [['d1', 'b2', /d1xb2 is right/], ['a2', 'b2', /a2xb2 is right/], ['b2', 'b3', /b2xb3: solved!/]]) {
    await drag(from, to, (ms) => says('#solve-said', words, ms));
    await onBoard(() => find(`[data-square="${from}"][aria-label$="empty"]`));
  }
});
await call('DELETE', '').catch(() => {});
console.log(`\nthe page in WebKit: ${passed} passed, ${failed} failed`);
end(failed ? 1 : 0);
