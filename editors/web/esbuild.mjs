// Bundles the page into a folder that any file server can serve: node esbuild.mjs [--core FILE] [--out DIR]. FILE is the core,
// and the complete core is beside it; without FILE it takes those that `build-core` has put into `dist`. It replaces DIR, by
// default `dist`.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

process.chdir(import.meta.dirname);
const { values } = parseArgs({ options: { core: { type: 'string' }, out: { type: 'string' } } });
const out = resolve(values.out ?? 'dist');
const from = values.core ?? join('dist', 'cpz.wasm');
const cores = [from, join(dirname(from), 'cpz-complete.wasm')].map((file) => existsSync(file) && readFileSync(file));

const common = {
  bundle: true,
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
  platform: 'browser',
  format: 'iife',
  target: ['chrome111', 'firefox113', 'safari16.4'],
  loader: { '.cpz': 'text' },
};
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
cpSync('static', out, { recursive: true });
await build({
  ...common,
  entryPoints: ['src/start.ts', 'src/main.ts', '../worker/worker.ts', 'src/style/main.css', 'src/style/board.css'],
  outdir: out,
  entryNames: '[name]',
}).catch(() => process.exit(1));
await build({
  ...common,
  stdin: { contents: "import './src/board/host';\nimport '../board/page/board';", resolveDir: '.' },
  outfile: join(out, 'board.js'),
}).catch(() => process.exit(1));
if (cores.every(Boolean)) {
  ['cpz.wasm', 'cpz-complete.wasm'].forEach((name, i) => writeFileSync(join(out, name), cores[i]));
} else {
  console.error(`There is no ${from}, or no cpz-complete.wasm beside it: the page has no core. Run build-core first.`);
  process.exitCode = 1;
}

// The service worker names its cache by the contents of the files, so that a new page replaces the old one as a whole.
const files = readdirSync(out).sort();
const content = createHash('sha256');
for (const file of files) {
  content.update(file).update(readFileSync(join(out, file)));
}
await build({
  ...common,
  entryPoints: ['src/sw.ts'],
  outfile: join(out, 'sw.js'),
  define: { FILES: JSON.stringify(['./', ...files]), CONTENT: JSON.stringify(content.digest('hex').slice(0, 16)) },
});
