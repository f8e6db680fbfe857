// Runs the scenes in VS Code for the Web: node main.mjs WORKBENCH EXTENSION [NAME]. EXTENSION is an unpacked VSIX, whose
// manifest is changed.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_TIMEOUT, browser, until } from '../vscode.mjs';
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
const context = await browser(work);
let [passed, failed] = [0, 0];

function end(code) {
  server.stop();
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(130));

/** Runs a scene, and once more, logged, if it fails: a busy machine occasionally loses a click. */
async function scene(name, run) {
  let result = await once(name, run);
  if (result.failed) {
    console.log(`RETRY  ${name}: failed as shown above, running it a second time`);
    result = await once(name, run);
  }
  passed += result.passed;
  failed += result.failed;
}

async function once(name, run) {
  const result = { passed: 0, failed: 0 };
  const windows = [];
  const browsers = [];
  /** Opens a window on a new folder with these files. */
  const window = async (files, open, options = {}) => {
    const page = await (options.context ?? context).newPage();
    page.setDefaultTimeout(DEFAULT_TIMEOUT);
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
  const check = async (what, act) => {
    const start = Date.now();
    try {
      await act();
      result.passed++;
      console.log(`ok     ${name}: ${what} (${((Date.now() - start) / 1000).toFixed(1)} s)`);
    } catch (error) {
      result.failed++;
      console.log(`FAILED ${name}: ${what}: ${String(error.stack ?? error).replace(/\n/g, '\n        ')}`);
      await shot(`${name}-failed`)?.catch(() => {});
    }
  };
  try {
    await run({ window, startBrowser, check, shot, until, root });
  } catch (error) {
    await check('runs to the end', () => Promise.reject(error));
  }
  for (const { page, log } of windows) {
    if (process.env.LOG) console.log(log.join('\n'));
    await page.close();
  }
  for (const started of browsers) await started.close();
  return result;
}

/**
 * The scenes of VS Code on a computer that run here too: they need neither a disk nor a program. `board parts` is not among
 * them, because VS Code 1.91 shows only for a moment that the panel has the focus, which that scene waits for.
 */
const SHARED = [
  ...['squiggle', 'picture', 'duplicate', 'lens', 'commands', 'insert all keeps the view', 'replace wrong solution', 'convert'],
  ...['quick fix', 'drafts', 'problem variations', 'problem cook', 'problems', 'first offer', 'walkthrough', 'first puzzle'],
  ...['colours', 'same colours', 'board from text', 'board of empty file', 'board', 'board by keyboard', 'board cubes'],
  ...['board typed', 'board steps', 'board themes', 'touch menu', 'touch by mouse', 'touch by keyboard'],
  ...['touch while typing', 'touch by finger', 'touch records moves', 'touch looks'],
];

const folders = [
  ['scenes', () => true],
  ['../scenes', name => SHARED.includes(name)],
];
let found = 0;
const missing = new Set(SHARED);
for (const [folder, isChosen] of folders) {
  for (const file of readdirSync(join(here, folder)).sort()) {
    const module = await import(`./${folder}/${file}`);
    for (const [name, run] of Object.entries(module.default)) {
      missing.delete(name);
      if (name.includes(only) && isChosen(name)) {
        found++;
        await scene(name, run);
      }
    }
  }
}
if (!found) console.log(`no scene has the name ${only}`);
if (missing.size) console.log(`there are no scenes ${[...missing].join(', ')}`);
console.log(`\nVS Code for the Web: ${passed} passed, ${failed} failed`);
await context.close();
end(failed || !found || missing.size ? 1 : 0);
