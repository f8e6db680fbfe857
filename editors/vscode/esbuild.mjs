// Bundles the extension and the page of its board panel into `dist`.
import { build } from 'esbuild';
import { copyFileSync, mkdirSync } from 'node:fs';

const common = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' };
await build({
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
});
await build({
  ...common,
  entryPoints: ['../board/page/board.ts', '../board/page/board.css'],
  outdir: 'dist',
  platform: 'browser',
  format: 'iife',
  target: 'chrome130',
});
// The TextMate grammar is in grammar/; vsce packs only files below this folder.
mkdirSync('dist', { recursive: true });
copyFileSync('../../grammar/cpz.tmLanguage.json', 'dist/cpz.tmLanguage.json');
