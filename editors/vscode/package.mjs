// Builds a VSIX with the server inside: `npm run package [-- --target linux-x64 --server PATH]`.
// Without a path it builds the server with the profile `dist`, for the platform that it runs on.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

process.chdir(import.meta.dirname);
const here = `${process.platform}-${process.arch}`;
const { values } = parseArgs({
  options: { target: { type: 'string', default: here }, server: { type: 'string' } },
});
const target = values.target;
const root = join(import.meta.dirname, '..', '..');
const program = target.startsWith('win32') ? 'cpz.exe' : 'cpz';

let server = values.server;
if (!server) {
  if (target !== here) {
    throw new Error(`the server for ${target} cannot be built on ${here}; give --server PATH`);
  }
  execFileSync('cargo', ['build', '--locked', '--profile', 'dist'], { cwd: root, stdio: 'inherit' });
  server = join(root, 'target', 'dist', program);
}
rmSync('server', { recursive: true, force: true });
mkdirSync('server');
copyFileSync(server, join('server', program));
chmodSync(join('server', program), 0o755);
if (target === here && process.platform === 'linux') {
  // The symbols for debuggers are a third of the file.
  execFileSync('strip', [join('server', program)], { stdio: 'inherit' });
}
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'CHANGELOG.md']) {
  copyFileSync(join(root, name), name);
}
execFileSync(process.execPath, ['esbuild.mjs'], { stdio: 'inherit' });
const vsce = join(import.meta.dirname, 'node_modules', '@vscode', 'vsce', 'vsce');
const out = `cpz-${target}.vsix`;
const options = ['package', '--no-dependencies', '--allow-missing-repository', '--skip-license', '--target', target, '--out', out];
execFileSync(process.execPath, [vsce, ...options], { stdio: 'inherit' });
const size = (path) => `${(statSync(path).size / 1e6).toFixed(1)} MB`;
console.log(`${out}: ${size(out)}, with a server of ${size(join('server', program))}`);
