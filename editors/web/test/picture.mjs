// Takes the picture of the manual: node picture.mjs FILE
import { chromium } from 'playwright-core';
import { HUNG, Page } from './page.mjs';
import { serve } from './serve.mjs';

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
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const context = await browser.newContext({ viewport: { width: 1000, height: 764 }, colorScheme: 'light' });
context.setDefaultTimeout(HUNG);
const w = await new Page(await context.newPage(), server.address).load();
await w.write(text);
await w.at(text.indexOf('the answers'));
await w.says(w.board.locator('#name'), /Evening/);
await w.board.locator('#next').click();
await w.says(w.board.locator('#caption'), /Step 1/);
await w.locator('#problems-button').click();
await w.locator('#problems .fixes button').first().waitFor();
await w.page.mouse.move(500, 5);
await w.page.screenshot({ path: process.argv[2] });
await browser.close();
server.stop();
