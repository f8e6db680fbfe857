// Runs the scenes in one version of VS Code: node main.mjs VERSION VSIX [NAME]
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server, browser, editors, endAll, until } from './vscode.mjs';
import { Workbench, write } from './workbench.mjs';
import { hostTests } from './host.mjs';

const [version, vsix, only = ''] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '../../..');
const shots = join(process.env.CPZ_SHOTS ?? join(editors, 'screenshots'), version);
const work = mkdtempSync(join(tmpdir(), `cpz-vscode-${version}-`));
let passed = 0;
let failed = 0;

function end(code) {
  endAll();
  rmSync(work, { recursive: true, force: true, maxRetries: 3 });
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(130));

function say(ok, name, why, ms) {
  ok ? passed++ : failed++;
  const time = ms === undefined ? '' : ` (${(ms / 1000).toFixed(1)} s)`;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${version} ${name}${ok ? time : `: ${why}`}`);
}

/** What a scene is given: windows, checks and screenshots. */
class Stage {
  constructor(name, context, server) {
    Object.assign(this, { name, context, server, windows: [], servers: [], until, root, failed: false });
    this.folder = join(work, name.replaceAll(' ', '-'));
  }

  /** A window on a fresh folder with these files. */
  window = async (files, open, options = {}) => {
    const folder = this.windows.length ? `${this.folder}-${this.windows.length}` : this.folder;
    mkdirSync(folder, { recursive: true });
    write(folder, files);
    const page = await this.context.newPage();
    page.setDefaultTimeout(15000);
    const window = new Workbench(page, options.server ?? this.server, folder);
    this.windows.push(window);
    await options.before?.(window);
    await window.load(open, options);
    return window;
  };

  /** A server of its own for a scene, with other settings of the user. */
  another = async settings => {
    const server = new Server(version, `${this.folder}-server`);
    server.settings(settings);
    server.install(vsix);
    await server.start();
    this.servers.push(server);
    return server;
  };

  check = async (name, act) => {
    const start = Date.now();
    try {
      await act();
      say(true, `${this.name}: ${name}`, '', Date.now() - start);
    } catch (error) {
      this.failed = true;
      say(false, `${this.name}: ${name}`, String(error.stack ?? error).replace(/\n/g, '\n        '));
      const window = this.windows.at(-1);
      await window?.page.screenshot({ path: join(shots, `${this.name}-failed.png`.replaceAll(' ', '-')) }).catch(() => {});
      // What comes after may well fail for the same reason: it is not waited for as long.
      window?.page.setDefaultTimeout(5000);
    }
  };

  shot = async (name = this.name) => {
    const window = this.windows.at(-1);
    await window.page.screenshot({ path: join(shots, `${name.replaceAll(' ', '-')}.png`) });
  };
}

async function scenes(server) {
  const files = readdirSync(join(here, 'scenes')).sort();
  const all = [];
  for (const file of files) {
    const module = await import(`./scenes/${file}`);
    for (const [name, run] of Object.entries(module.default)) if (name.includes(only)) all.push([name, run]);
  }
  if (!all.length) return;
  const context = await browser(work);
  for (const [name, run] of all) {
    const stage = new Stage(name, context, server);
    const start = Date.now();
    try {
      await run(stage);
    } catch (error) {
      await stage.check('runs to its end', () => Promise.reject(error));
    }
    for (const window of stage.windows) await window.page.close();
    for (const server of stage.servers) server.stop();
    if (process.env.TIMES) console.log(`       ${version} ${name} took ${((Date.now() - start) / 1000).toFixed(1)} s`);
  }
  await context.close();
}

mkdirSync(shots, { recursive: true });
try {
  const server = new Server(version, work);
  server.settings();
  const said = server.install(vsix);
  if (!/successfully installed/i.test(said)) throw new Error(`the extension was not installed: ${said}`);
  await server.start();
  await scenes(server);
  server.stop();
  if ('extension host'.includes(only)) await hostTests(version, work, vsix, say);
} catch (error) {
  say(false, 'the run', error.stack ?? error);
}
writeFileSync(join(shots, 'result'), `${passed} ${failed}\n`);
end(failed ? 1 : 0);
