// Runs the scenes in one version of VS Code: node main.mjs VERSION VSIX [NAME]
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server, browser, editors, endAll, until } from './vscode.mjs';
import { Workbench, write } from './workbench.mjs';
import { hostTests } from './host.mjs';
import { runs } from './chosen.mjs';

const [version, vsix, only = ''] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../..');
const shots = join(process.env.CPZ_SHOTS ?? join(editors, 'screenshots'), version);
const work = mkdtempSync(join(tmpdir(), `cpz-vscode-${version}-`));
const extensions = join(work, 'extensions');
let passed = 0;
let failed = 0;

function end(code) {
  endAll();
  // A closing browser may still write files: retry.
  rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(130));

/** How long each scene took, in milliseconds. It is printed, and nothing depends on it. */
const times = [];

/** Ends a scene whose check has failed, and has been reported. */
class Failed extends Error {}

function report(ok, name, why, ms) {
  ok ? passed++ : failed++;
  const time = ms === undefined ? '' : ` (${(ms / 1000).toFixed(1)} s)`;
  return `${ok ? 'ok    ' : 'FAILED'} ${version} ${name}${ok ? time : `: ${why}`}`;
}

/** The argument of a scene: windows, checks and screenshots. */
class Stage {
  constructor(name, context, server) {
    Object.assign(this, { name, context, server, windows: [], servers: [], browsers: [], lines: [], until, root, passed: 0, failures: 0, crashed: false });
    this.folder = join(work, name.replaceAll(' ', '-'));
  }

  /** Opens a window on a new folder with these files. */
  window = async (files, open, options = {}) => {
    const folder = this.windows.length ? `${this.folder}-${this.windows.length}` : this.folder;
    mkdirSync(folder, { recursive: true });
    write(folder, files);
    const page = await (options.context ?? this.context).newPage();
    page.on('crash', () => (this.crashed = true));
    const window = new Workbench(page, options.server ?? this.server, folder);
    this.windows.push(window);
    await options.before?.(window);
    await window.load(open, options);
    return window;
  };

  /** Starts a VS Code server for this scene alone, with these user settings. */
  startServer = async settings => {
    const server = new Server(version, `${this.folder}-server`, extensions);
    server.settings(settings);
    await server.start();
    this.servers.push(server);
    return server;
  };

  /** Starts a browser for this scene alone, in which the extension is new. */
  startBrowser = async () => {
    const context = await browser(`${this.folder}-browser`);
    this.browsers.push(context);
    return context;
  };

  /** A failed check ends its scene: the later ones build upon it, and would wait for what does not come. */
  check = async (name, act) => {
    const start = Date.now();
    try {
      await act();
      this.passed++;
      this.lines.push(report(true, `${this.name}: ${name}`, '', Date.now() - start));
    } catch (error) {
      if (error instanceof Failed) throw error;
      this.failures++;
      this.lines.push(report(false, `${this.name}: ${name}`, String(error.stack ?? error).replace(/\n/g, '\n        ')));
      await this.windows.at(-1)?.page.screenshot({ path: join(shots, `${this.name}-failed.png`.replaceAll(' ', '-')), timeout: 60_000 }).catch(() => {});
      throw new Failed();
    }
  };

  shot = async (name = this.name, page = this.windows.at(-1).page) => {
    await page.screenshot({ path: join(shots, `${name.replaceAll(' ', '-')}.png`) });
  };
}

/** Runs a scene. It is run again only if Chromium has crashed, which is no fault of the extension. */
async function scene(name, run, context, server) {
  const first = await once(name, run, context, server);
  if (!first.failures || !first.crashed) return;
  [passed, failed] = [passed - first.passed, failed - first.failures];
  console.log(`AGAIN  ${version} ${name}: a page of Chromium has crashed`);
  await once(name, run, context, server, '-again');
}

async function once(name, run, context, server, suffix = '') {
  const stage = new Stage(name, context, server);
  stage.folder += suffix;
  const start = Date.now();
  try {
    await run(stage);
  } catch (error) {
    await stage.check('runs to the end', () => Promise.reject(error)).catch(() => {});
  }
  for (const window of stage.windows) await window.page.close();
  for (const context of stage.browsers) await context.close();
  for (const server of stage.servers) server.stop();
  times.push([name, Date.now() - start]);
  console.log(stage.lines.join('\n'));
  return stage;
}

/** Waits for the offer that the extension makes once, so that it covers nothing in a scene. */
async function meet(context, server) {
  const folder = join(server.work, 'meet');
  mkdirSync(folder, { recursive: true });
  write(folder, { 'a.cpz': 'solitaire { board NR.. solve }\n' });
  const page = await context.newPage();
  const window = new Workbench(page, server, folder);
  await window.load('a.cpz');
  await window.message(/can be shown beside/);
  await page.close();
}

async function scenes() {
  const all = [];
  for (const file of readdirSync(join(here, 'scenes')).sort()) {
    const module = await import(`./scenes/${file}`);
    for (const [name, run] of Object.entries(module.default)) if (runs(name, only)) all.push([name, run]);
  }
  const host = 'extension host'.includes(only);
  if (!all.length && !host) return;
  const first = new Server(version, join(work, '1'), extensions);
  first.settings();
  const output = first.install(vsix);
  if (!/successfully installed/i.test(output)) throw new Error(`the extension was not installed: ${output}`);
  // Each worker has its own server and browser with one window at a time: of two windows in one browser only
  // one has the focus and is drawn.
  const worker = async number => {
    if (number === 1 && host) await hostTests(version, join(work, 'host'), extensions, (...what) => console.log(report(...what)));
    if (!all.length) return;
    const server = new Server(version, join(work, `${number}`), extensions);
    server.settings();
    await server.start();
    const context = await browser(join(work, `${number}`));
    await meet(context, server);
    for (let next; (next = all.shift()); ) await scene(...next, context, server);
    await context.close();
    server.stop();
  };
  await Promise.all([1, 2].map(worker));
}

mkdirSync(shots, { recursive: true });
try {
  await scenes();
} catch (error) {
  console.log(report(false, 'the run', error.stack ?? error));
}
for (const [name, ms] of times.sort(([, a], [, b]) => b - a)) console.log(`       ${(ms / 1000).toFixed(1).padStart(5)} s  ${name}`);
writeFileSync(join(shots, 'result'), `${passed} ${failed}\n`);
end(failed ? 1 : 0);
