// Bundles the extension and the pages of its panels into `dist`: node esbuild.mjs [--core FILE]. With FILE, the
// module, it is the extension for VS Code for the Web, without FILE that for a computer.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { core: { type: 'string' } } });
const common = { bundle: true, minify: true, metafile: true, legalComments: 'none', logLevel: 'warning' };

/** Bundles, and fails if a library is bundled that the list of libraries does not have. */
async function bundle(options) {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const { metafile } = await build(options);
  for (const input of Object.keys(metafile.inputs)) {
    const [path] = input.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/) ?? [];
    if (path && (!packages[path] || packages[path].dev)) {
      throw new Error(`${path} is bundled, so it belongs to the "dependencies" of package.json`);
    }
  }
}

rmSync('dist', { recursive: true, force: true });
mkdirSync('dist');
// The browsers that the page for browsers is made for.
const browser = { ...common, platform: 'browser', target: ['chrome111', 'firefox113', 'safari16.4'] };
await bundle({ ...browser, entryPoints: ['board.ts', 'board.css', 'galleryPanel.ts', 'galleryPanel.css', 'choicesPanel.ts', 'choicesPanel.css'].map((name) => `../board/page/${name}`), outdir: 'dist', format: 'iife' });
// VS Code loads an extension as a CommonJS module, in browsers too.
const extension = { ...common, outdir: 'dist', format: 'cjs', external: ['vscode'] };
if (values.core) {
  await bundle({ ...browser, ...extension, entryPoints: { web: 'src/web/main.ts' } });
  await bundle({ ...browser, entryPoints: ['../worker/worker.ts'], outdir: 'dist', format: 'iife' });
  copyFileSync(values.core, 'dist/cpz.wasm');
} else {
  await bundle({ ...extension, entryPoints: { extension: 'src/native/main.ts' }, platform: 'node', target: 'node20' });
}
// The TextMate grammar is in grammar/; vsce packs only files below this folder.
copyFileSync('../../grammar/cpz.tmLanguage.json', 'dist/cpz.tmLanguage.json');
