// "Try it" below the puzzles of the manual.
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Page } from '../page.mjs';

const script = fileURLToPath(new URL('../../../../docs/try-it.js', import.meta.url));

/** A page as mdbook makes it, as far as the script reads it. */
const chapter = `<!DOCTYPE html><html lang="en"><title>A chapter</title><script>const path_to_root = "../";</script>
<pre><code class="language-cpz file=a.cpz">solitaire "L&eacute;gal &amp; others" {
  board NR..
  solve
}
</code></pre>
<pre><code class="language-toml">rules = "solo"</code></pre>
<script src="../try-it.js"></script></html>`;

async function manual({ newContext, check, server, work, DESKTOP }) {
  mkdirSync(join(work, 'book/chapter'), { recursive: true });
  copyFileSync(script, join(work, 'book/try-it.js'));
  writeFileSync(join(work, 'book/chapter/a.html'), chapter);
  const context = await newContext(DESKTOP);
  const w = new Page(await context.newPage(), server.address);
  await check('each puzzle has a link that opens it', async () => {
    await w.page.goto(`${server.host}/book/chapter/a.html`);
    await w.locator('.try-it').waitFor();
    if ((await w.locator('.try-it').count()) !== 1) throw new Error('one link, for the puzzle alone');
    await w.locator('.try-it').click();
    await w.ready();
    await w.has('solitaire "Légal & others" {\n  board NR..');
    await w.says('.cpz-inlay', /xb2|xa2/);
  });
}

export default { manual };
