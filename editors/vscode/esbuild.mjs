// Bundles the extension and the pages of its panels into `dist`: node esbuild.mjs [--core FILE]. With FILE, the
// module, it is the extension for VS Code for the Web, without FILE that for a computer.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { core: { type: 'string' } } });
const common = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' };
rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
// The browsers that the page for browsers is made for.
const browser = { ...common, platform: 'browser', target: ['chrome111', 'firefox113', 'safari16.4'] };
await build({ ...browser, entryPoints: ['board.ts', 'board.css', 'galleryPanel.ts', 'galleryPanel.css', 'choices.ts', 'choices.css'].map((name) => `../board/page/${name}`), outdir: 'dist', format: 'iife' });
// VS Code loads an extension as a CommonJS module, in browsers too.
const extension = { ...common, outdir: 'dist', format: 'cjs', external: ['vscode'] };
if (values.core) {
  await build({ ...browser, ...extension, entryPoints: { web: 'src/web/main.ts' } });
  await build({ ...browser, entryPoints: ['../worker/worker.ts'], outdir: 'dist', format: 'iife' });
  copyFileSync(values.core, 'dist/cpz.wasm');
} else {
  await build({ ...extension, entryPoints: { extension: 'src/native/main.ts' }, platform: 'node', target: 'node20' });
}
// The TextMate grammar is in grammar/; vsce packs only files below this folder.
copyFileSync('../../grammar/cpz.tmLanguage.json', 'dist/cpz.tmLanguage.json');
