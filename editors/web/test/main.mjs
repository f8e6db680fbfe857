// Runs the scenes: node main.mjs [--browser chromium|firefox] [--only NAME] [--native PROGRAM]
import { chromium, firefox } from 'playwright-core';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { HUNG, Page } from './page.mjs';
import { serve } from './serve.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { browser: { type: 'string', default: 'chromium' }, only: { type: 'string', default: '' }, native: { type: 'string' } } });
const isFirefox = values.browser === 'firefox';
const shots = join(process.env.CPZ_SHOTS ?? join(here, '../../../target/web/screenshots'), isFirefox ? 'firefox' : '.');
const work = mkdtempSync(join(tmpdir(), 'cpz-web-'));
mkdirSync(shots, { recursive: true });

const DESKTOP = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: 'light' };

let [passed, failed] = [0, 0];
const server = await serve({ native: values.native, mounts: { '/book/': join(work, 'book'), '/book/web/': join(here, '../dist') } });
/**
 * Each worker has a browser: the pages of one share the clipboard. Firefox is that of Debian, driven by WebDriver BiDi: nothing
 * in it is changed for tests, its clipboard is open to them, and it has a mouse.
 */
const launch = () => (isFirefox ? startFirefox() : startChromium());
const start = () =>
  launch().catch((error) => {
    console.log(`AGAIN  the browser did not start: ${error}`);
    return launch();
  });
const startFirefox = () => firefox.launch({
  timeout: HUNG,
  channel: 'moz-firefox',
  executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
  // A machine without a mouse has no pointer that can hover: 2 is a fine pointer, 4 one that hovers.
  firefoxUserPrefs: { 'dom.events.testing.asyncClipboard': true, 'ui.primaryPointerCapabilities': 6, 'ui.allPointerCapabilities': 6 },
});
const chromiumArgs = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];
const startChromium = () => chromium.launch({ timeout: HUNG, executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: chromiumArgs });

function end(code) {
  server.stop();
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(130));

/** The scenes that do not run in Firefox: WebDriver BiDi has no touch, no emulated colours and no PDF, and does not start again. */
const NOT_IN_FIREFOX = ['phone', 'new by touch', 'reading on a phone', 'sharing on a phone', 'colours', 'paper', 'gallery on a phone', 'solve looks', 'killed'];

/** Ends a scene whose check has failed, and has been reported. */
class Failed extends Error {}

/** How long each scene took, in milliseconds. It is printed, and nothing depends on it. */
const times = [];

/** Runs a scene. It is run again only if Chromium has crashed, which is no fault of the page. Returns the browser for the next one. */
async function scene(name, run, browser) {
  let result = await once(name, run, browser);
  const isGone = !browser.isConnected();
  if (isGone) browser = await start();
  if (result.failed && (result.crashed || isGone)) {
    console.log(`AGAIN  ${name}: Chromium has crashed`);
    result = await once(name, run, browser);
  }
  passed += result.passed;
  failed += result.failed;
  return browser;
}

async function once(name, run, browser) {
  const result = { passed: 0, failed: 0, crashed: false };
  const begin = Date.now();
  const lines = [];
  const contexts = [];
  let last;
  const newContext = async (options) => {
    const context = await browser.newContext(options);
    context.setDefaultTimeout(HUNG);
    context.on('page', (page) => page.on('crash', () => (result.crashed = true)));
    contexts.push(context);
    return context;
  };
  /** Opens the page in a browser that does not know it yet. */
  const open = async (options = {}) => {
    const { fragment, before, context: given, waits, ...more } = options;
    const context = given ?? (await newContext({ ...DESKTOP, ...(isFirefox ? {} : { permissions: ['clipboard-read', 'clipboard-write'] }), ...more }));
    last = Object.assign(new Page(await context.newPage(), server.address), { givesNoDownloads: isFirefox });
    await before?.(last.page);
    await last.load(fragment, waits);
    return last;
  };
  const log = (text) => lines.push(`       ${text}`);
  const shot = async (title = name) => last?.page.screenshot({ path: join(shots, `${title.replaceAll(' ', '-')}.png`) });
  /** A failed check ends its scene: the later ones build upon it, and would wait for what does not come. */
  const check = async (what, act) => {
    const start = Date.now();
    try {
      await act();
      result.passed++;
      lines.push(`ok     ${name}: ${what} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      if (error instanceof Failed) throw error;
      result.failed++;
      lines.push(`FAILED ${name}: ${what}: ${String(error.stack ?? error).replace(/\n/g, '\n        ')}`);
      await shot(`${name}-failed`).catch(() => {});
      throw new Failed();
    }
  };
  try {
    await run({ open, newContext, check, shot, log, server, work, shots, chromiumArgs, PHONE, DESKTOP, isNative: !!values.native, isFirefox, isFull: process.env.CI_FULL === '1' });
  } catch (error) {
    await check('runs to the end', () => Promise.reject(error)).catch(() => {});
  }
  for (const context of contexts) await context.close().catch(() => {});
  console.log(lines.join('\n'));
  times.push([name, Date.now() - begin]);
  return result;
}

const all = [];
for (const file of readdirSync(join(here, 'scenes')).sort()) {
  const module = await import(`./scenes/${file}`);
  for (const [name, run] of Object.entries(module.default)) if (name.includes(values.only) && !(isFirefox && NOT_IN_FIREFOX.includes(name))) all.push([name, run]);
}
const found = all.length;
const worker = async () => {
  let browser = await start();
  for (let next; (next = all.shift()); ) browser = await scene(...next, browser);
  await browser.close();
};
await Promise.all([worker(), worker()]);
if (!found) console.log(`no scene has the name ${values.only}`);
for (const [name, ms] of times.sort(([, a], [, b]) => b - a)) console.log(`       ${(ms / 1000).toFixed(1).padStart(5)} s  ${name}`);
console.log(`\nthe page: ${passed} passed, ${failed} failed`);
end(failed || !found ? 1 : 0);
