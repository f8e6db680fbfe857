// Builds a VSIX: `npm run package [-- --target linux-x64 --server PATH]` with the server inside, `npm run package --
// --target web --core FILE` with the module for VS Code for the Web.
// Without a path it builds the server with the profile `dist`, for the platform that it runs on, or takes the module that
// `editors/web/build-core` has made. Needs cargo and Python for the list of libraries.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

process.chdir(import.meta.dirname);
const here = `${process.platform}-${process.arch}`;
const { values } = parseArgs({
  options: { target: { type: 'string', default: here }, server: { type: 'string' }, core: { type: 'string' } },
});
const target = values.target;
const isWeb = target === 'web';
const root = join(import.meta.dirname, '..', '..');
const size = (path) => `${(statSync(path).size / 1e6).toFixed(1)} MB`;

/** Puts the server into the folder `server`, and returns its path. */
function bundleServer() {
  const program = target.startsWith('win32') ? 'cpz.exe' : 'cpz';
  let server = values.server;
  if (!server) {
    if (target !== here) {
      throw new Error(`the server for ${target} cannot be built on ${here}; give --server PATH`);
    }
    execFileSync('cargo', ['build', '--locked', '--profile', 'dist'], { cwd: root, stdio: 'inherit' });
    server = join(root, 'target', 'dist', program);
  }
  const path = join('server', program);
  rmSync('server', { recursive: true, force: true });
  mkdirSync('server');
  copyFileSync(server, path);
  chmodSync(path, 0o755);
  if (target === here && process.platform === 'linux') {
    // The symbols for debuggers are a third of the file.
    execFileSync('strip', [path], { stdio: 'inherit' });
  }
  return path;
}

/** The module to pack. */
function findCore() {
  const core = values.core ?? join('..', 'web', 'dist', 'cpz-complete.wasm');
  if (!existsSync(core)) {
    throw new Error(`${core} does not exist; editors/web/build-core makes it`);
  }
  return core;
}

/** The manifest for the target: each package has one entry point, and the web one nothing about programs. */
function manifest() {
  const all = JSON.parse(readFileSync('package.json', 'utf8'));
  delete all[isWeb ? 'main' : 'browser'];
  if (isWeb) {
    const { capabilities, contributes } = all;
    // No program is run, so no workspace can choose one.
    capabilities.untrustedWorkspaces = { supported: true };
    delete contributes.problemMatchers;
    delete contributes.taskDefinitions;
    contributes.configuration = contributes.configuration.filter(({ title }) => title !== 'Server');
  }
  return JSON.stringify(all, null, 2);
}

/** Gives the files the same access rights whatever those of the checkout are. */
function setModes(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    chmodSync(path, entry.isDirectory() || entry.parentPath === join(folder, 'server') ? 0o755 : 0o644);
  }
}

const inside = isWeb ? findCore() : bundleServer();
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'CHANGELOG.md']) {
  copyFileSync(join(root, name), name);
}
execFileSync(process.execPath, ['esbuild.mjs', ...(isWeb ? ['--core', inside] : [])], { stdio: 'inherit' });

// The manifest differs from the one in the repository, so the package is made of a copy.
const stage = mkdtempSync(join(tmpdir(), 'cpz-vsix-'));
const out = join(import.meta.dirname, `cpz-${target}.vsix`);
try {
  const parts = ['.vscodeignore', 'CHANGELOG.md', 'LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'images', 'language-configuration.json', 'walkthrough'];
  for (const part of [...parts, 'dist', ...(isWeb ? [] : ['server'])]) {
    cpSync(part, join(stage, part), { recursive: true });
  }
  writeFileSync(join(stage, 'package.json'), manifest());
  const libraries = isWeb ? ['module'] : ['--platform', target, 'program'];
  const script = join(root, 'packages', 'sbom.py');
  const list = join(stage, 'sbom.cdx.json');
  execFileSync(process.env.PYTHON ?? 'python3', [script, '--out', list, 'extension', ...libraries], { stdio: 'inherit' });
  setModes(stage);
  // The same files make the same package: the earliest time that a zip can have, in one time zone and one order.
  const env = { SOURCE_DATE_EPOCH: '315532800', ...process.env, TZ: 'UTC', LC_ALL: 'C' };
  const vsce = join(import.meta.dirname, 'node_modules', '@vscode', 'vsce', 'vsce');
  const options = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--target', target, '--out', out];
  execFileSync(process.execPath, [vsce, ...options], { cwd: stage, env, stdio: 'inherit' });
} finally {
  rmSync(stage, { recursive: true, force: true });
}
console.log(`cpz-${target}.vsix: ${size(out)}, with a ${isWeb ? 'module' : 'server'} of ${size(inside)}`);
