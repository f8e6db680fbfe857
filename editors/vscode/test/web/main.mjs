// Runs the scenes in VS Code for the Web: node main.mjs WORKBENCH EXTENSION [NAME]. EXTENSION is an unpacked VSIX, whose
// manifest is changed.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SHARED, runsInWeb } from '../chosen.mjs';
import { browser, until } from '../vscode.mjs';
import { WebWorkbench } from './workbench.mjs';
import { lowered, serve } from './serve.mjs';

const [workbench, extension, only = ''] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../../..');
const shots = process.env.CPZ_SHOTS ?? join(root, 'target/vscode-web/screenshots');
const work = mkdtempSync(join(tmpdir(), 'cpz-vscode-web-'));
mkdirSync(shots, { recursive: true });

// npm has no later VS Code for the Web than 1.91, and the extension is made for later ones.
writeFileSync(join(extension, 'package.json'), lowered(join(extension, 'package.json')));
const server = await serve({ workbench, extension });
let [passed, failed] = [0, 0];

function end(code) {
  server.stop();
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(130));

/** Ends a scene whose check has failed, and has been reported. */
class Failed extends Error {}

/** How long each scene took, in milliseconds. It is printed, and nothing depends on it. */
const times = [];

/** Runs a scene. It is run again only if Chromium has crashed, which is no fault of the extension. */
async function scene(name, run, context) {
  let result = await once(name, run, context);
  if (result.failed && result.crashed) {
    console.log(`AGAIN  ${name}: a page of Chromium has crashed`);
    result = await once(name, run, context);
  }
  passed += result.passed;
  failed += result.failed;
}

async function once(name, run, context) {
  const lines = [];
  const result = { passed: 0, failed: 0, crashed: false };
  const begin = Date.now();
  const windows = [];
  const browsers = [];
  /** Opens a window on a new folder with these files. */
  const window = async (files, open, options = {}) => {
    const page = await (options.context ?? context).newPage();
    page.on('crash', () => (result.crashed = true));
    const opened = new WebWorkbench(page, server.open(files));
    windows.push(opened);
    await options.before?.(opened);
    await opened.load(open, options);
    return opened;
  };
  /** Starts a browser for this scene alone, in which the extension is new. */
  const startBrowser = async () => {
    const started = await browser(join(work, `${name.replaceAll(' ', '-')}-${browsers.length}`));
    browsers.push(started);
    return started;
  };
  const shot = (title = name) => windows.at(-1)?.page.screenshot({ path: join(shots, `${title.replaceAll(' ', '-')}.png`) });
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
      await shot(`${name}-failed`)?.catch(() => {});
      throw new Failed();
    }
  };
  try {
    await run({ window, startBrowser, check, shot, until, root });
  } catch (error) {
    await check('runs to the end', () => Promise.reject(error)).catch(() => {});
  }
  for (const { page, log } of windows) {
    if (process.env.LOG) lines.push(...log);
    await page.close();
  }
  for (const started of browsers) await started.close();
  console.log(lines.join('\n'));
  times.push([name, Date.now() - begin]);
  return result;
}

/** Waits for the offer that the extension makes once, so that it covers nothing in a scene. */
async function meet(context) {
  const page = await context.newPage();
  const window = new WebWorkbench(page, server.open({ 'a.cpz': 'solitaire { board NR.. solve }\n' }));
  await window.load('a.cpz');
  await window.message(/can be shown beside/);
  await page.close();
}

const all = [];
const missing = new Set(SHARED);
for (const folder of ['scenes', '../scenes']) {
  for (const file of readdirSync(join(here, folder)).sort()) {
    const module = await import(`./${folder}/${file}`);
    for (const [name, run] of Object.entries(module.default)) {
      missing.delete(name);
      if (folder === 'scenes' ? name.includes(only) : runsInWeb(name, only)) all.push([name, run]);
    }
  }
}
const found = all.length;
// Of two windows in one browser only one has the focus and is drawn, so each worker has a browser.
const worker = async number => {
  const context = await browser(join(work, `${number}`));
  await meet(context);
  for (let next; (next = all.shift()); ) await scene(...next, context);
  await context.close();
};
await Promise.all([1, 2].map(worker));
if (!found) console.log(`no scene has the name ${only}`);
if (missing.size) console.log(`there are no scenes ${[...missing].join(', ')}`);
for (const [name, ms] of times.sort(([, a], [, b]) => b - a)) console.log(`       ${(ms / 1000).toFixed(1).padStart(5)} s  ${name}`);
console.log(`\nVS Code for the Web: ${passed} passed, ${failed} failed`);
end(failed || !found || missing.size ? 1 : 0);
