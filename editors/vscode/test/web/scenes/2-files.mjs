// Files of other programs, in a folder without a disk.
import assert from 'node:assert/strict';
import { pgn as games } from '../../texts.mjs';
import { repeat } from '../../vscode.mjs';

const puzzle = 'chess "Back rank" {\n  board 3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1\n  mate\n}\n';

async function exchange({ window, check, shot }) {
  const w = await window({ 'mates.pgn': games, 'own.cpz': puzzle }, 'own.cpz');
  await check('the menu of a PGN file makes puzzles of it, in a file beside it', async () => {
    const item = w.page.locator('.monaco-menu .action-label', { hasText: 'Import as chess puzzles' });
    // The list moves while it is drawn.
    await repeat(async ms => {
      await w.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'mates.pgn' }).click({ button: 'right', timeout: ms });
      await item.waitFor({ timeout: ms });
    }, 'the entry in the menu');
    await shot('import-menu');
    await item.click();
    await w.page.locator('.tab.active', { hasText: 'mates.cpz' }).waitFor();
    await w.see('mate in 2 => "1. Ra6 bxa6 2. b7#"');
    assert.match(w.disk('mates.cpz'), /mate in 2/);
  });
  await check('what is not imported is told', () => w.message(/^cpz: mates\.pgn is imported\. Line \d+: /));
  await shot('imported');
  await check('Export asks for the place, and writes the format that is chosen', async () => {
    await w.open('own.cpz');
    await w.see('⇒ checkmate');
    await w.command('Chess Puzzles: Export…');
    await w.pick('JSON, for apps');
    await w.until(async () => (await w.widget.locator('.quick-input-title').innerText()).includes('Export chess puzzles'), 'the dialog');
    await w.widget.locator('.monaco-list-row').first().waitFor();
    await w.press('Enter');
    await w.until(() => w.disk('own.json'), 'own.json');
    assert.equal(JSON.parse(w.disk('own.json')).puzzles[0].queries[0].verb, 'mate');
  });
  await check('Print makes the sheet of cpz print', async () => {
    await w.command('Chess Puzzles: Print Collection…');
    await w.pick('4 diagrams on a page');
    await w.until(async () => (await w.widget.innerText()).includes('The title on a page of its own'), 'the question for a title');
    await w.press('Enter');
    await w.until(async () => (await w.widget.locator('.quick-input-title').innerText()).includes('Print chess puzzles'), 'the dialog');
    await w.widget.locator('.monaco-list-row').first().waitFor();
    await w.press('Enter');
    await w.until(() => w.disk('own.html'), 'own.html');
    assert.match(w.disk('own.html'), /^<!DOCTYPE html>.*Back rank.*class="room"/s);
    await w.message(/^cpz: own\.html is written\. Open it in a browser/);
  });
  await shot('printed');
}

export default { exchange };
