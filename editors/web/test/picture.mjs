// Takes pictures of the manual: node picture.mjs web|check|sheet FILE
//
// `web` needs the page that `run` has built, the others the program $CPZ, by default target/debug/cpz.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { HUNG, Page } from './page.mjs';
import { serve } from './serve.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const program = process.env.CPZ ?? join(root, 'target/debug/cpz');
const work = mkdtempSync(join(tmpdir(), 'cpz-picture-'));
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

async function open(viewport) {
  const context = await browser.newContext({ viewport, colorScheme: 'light' });
  context.setDefaultTimeout(HUNG);
  return context.newPage();
}

/** The page with two puzzles. */
async function web(file) {
  const text = `// Change the board here or on the right:
// the answers follow.

solitaire "Evening" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve
}

chess "Back rank" {
  board 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1
  mate in 1 => Ra8
  move Ra9
}
`;
  const server = await serve();
  const w = await new Page(await open({ width: 1000, height: 764 }), server.address).load();
  await w.write(text);
  await w.at(text.indexOf('the answers'));
  await w.says(w.board.locator('#name'), /Evening/);
  await w.board.locator('#next').click();
  await w.says(w.board.locator('#caption'), /Step 1/);
  await w.locator('#problems-button').click();
  await w.locator('#problems .fixes button').first().waitFor();
  await w.page.mouse.move(500, 5);
  await w.page.screenshot({ path: file });
  server.stop();
}

/** What `cpz check` prints of a small collection with three mistakes, as a terminal shows it. */
async function check(file) {
  const files = {
    'mine.cpz': `solitaire "Up only" { rules ranger board P....R..R.R..R.. solve }

chess "Pinned" {
  board 4k3/8/8/b7/8/2N5/8/4K3
  move Nd5
}
`,
    'printed.cpz': `// As the book has it.
solitaire "Starter" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve => d1xb2 a2xb2 b2xb4
}
`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(work, name), text);
  const args = ['check', '--color', 'always', 'mine.cpz', 'printed.cpz'];
  const { stdout } = spawnSync(program, args, { cwd: work, encoding: 'utf8' });
  const page = await open({ width: 1000, height: 600 });
  await page.setContent(`<style>
    body { margin: 0; background: #1e1e2e; }
    pre { display: inline-block; min-width: 880px; margin: 0; padding: 8px 16px 8px 8px; color: #cdd6f4; font: 16px/19px 'DejaVu Sans Mono', monospace; }
  </style><pre>$ cpz check mine.cpz printed.cpz\n${inHtml(stdout)}</pre>`);
  await page.locator('pre').screenshot({ path: file });
}

/** Text with the colours of a terminal, as HTML. */
function inHtml(text) {
  const colours = { 91: '#ff5f5f', 93: '#f9e2af', 94: '#7f9bff', 96: '#89dceb' };
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  let open = 0;
  return escaped.replace(/\x1b\[(\d+)m/g, (_, code) => {
    if (code === '0') {
      const closed = '</span>'.repeat(open);
      open = 0;
      return closed;
    }
    open++;
    return `<span style="${code === '1' ? 'font-weight: bold' : `color: ${colours[code] ?? 'inherit'}`}">`;
  });
}

/** The first page of a sheet of mates. */
async function sheet(file) {
  const html = join(work, 'sheet.html');
  execFileSync(program, ['print', join(root, 'examples/collection/two-movers.cpz'), '--per-page', '6', '-o', html], { stdio: 'pipe' });
  const page = await open({ width: 800, height: 1100 });
  await page.goto(pathToFileURL(html).href);
  const pdf = join(work, 'sheet.pdf');
  await page.pdf({ path: pdf, preferCSSPageSize: true });
  execFileSync('pdftoppm', ['-png', '-singlefile', '-r', '92', '-f', '1', pdf, file.replace(/\.png$/, '')]);
}

const [which, file] = process.argv.slice(2);
await { web, check, sheet }[which](file);
await browser.close();
rmSync(work, { recursive: true, force: true });
