// Runs the scenes: node main.mjs [--only NAME] [--native PROGRAM]
import { chromium } from 'playwright-core';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Page } from './page.mjs';
import { serve } from './serve.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values } = parseArgs({ options: { only: { type: 'string', default: '' }, native: { type: 'string' } } });
const shots = process.env.CPZ_SHOTS ?? join(here, '../../../target/web/screenshots');
const work = mkdtempSync(join(tmpdir(), 'cpz-web-'));
mkdirSync(shots, { recursive: true });

const DESKTOP = { viewport: { width: 1280, height: 800 }, colorScheme: 'light' };
const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2, colorScheme: 'light' };

let [passed, failed] = [0, 0];
const server = await serve({ native: values.native, mounts: { '/book/': join(work, 'book'), '/book/web/': join(here, '../dist') } });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] });

function end(code) {
  server.stop();
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(130));

async function scene(name, run) {
  const contexts = [];
  let last;
  /** Opens the page in a browser that does not know it yet. */
  const open = async (options = {}) => {
    const { fragment, before, context: given, waits, ...more } = options;
    const context = given ?? (await browser.newContext({ ...DESKTOP, permissions: ['clipboard-read', 'clipboard-write'], ...more }));
    contexts.push(context);
    last = new Page(await context.newPage(), server.address);
    await before?.(last.page);
    await last.load(fragment, waits);
    return last;
  };
  const shot = (title = name) => last.page.screenshot({ path: join(shots, `${title.replaceAll(' ', '-')}.png`) });
  const check = async (what, act) => {
    const start = Date.now();
    try {
      await act();
      passed++;
      console.log(`ok     ${name}: ${what} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      failed++;
      console.log(`FAILED ${name}: ${what}: ${String(error.stack ?? error).replace(/\n/g, '\n        ')}`);
      await shot(`${name}-failed`).catch(() => {});
    }
  };
  try {
    await run({ open, check, shot, server, browser, work, shots, PHONE, DESKTOP, isNative: !!values.native });
  } catch (error) {
    await check('runs to the end', () => Promise.reject(error));
  }
  for (const context of contexts) await context.close().catch(() => {});
}

let found = 0;
for (const file of readdirSync(join(here, 'scenes')).sort()) {
  const module = await import(`./scenes/${file}`);
  for (const [name, run] of Object.entries(module.default)) {
    if (name.includes(values.only)) {
      found++;
      await scene(name, run);
    }
  }
}
if (!found) console.log(`no scene has the name ${values.only}`);
console.log(`\nthe page: ${passed} passed, ${failed} failed`);
await browser.close();
end(failed || !found ? 1 : 0);
