// Files of other programs: import from the menu of the explorer and by command, export, and a sheet to print.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pgn as games } from '../texts.mjs';
import { repeat } from '../vscode.mjs';

const positions = '7k/8/5KQ1/8/8/8/8/8 w - - bm #1; id "Corner";\n';
const long = 'chess {\n  board 8/B7/4R1P1/4KR2/8/7k/8/N5b1 w - - 0 1\n  mate in 4\n}\n';

async function exchange({ window, check, shot }) {
  const w = await window({ 'mates.pgn': games, 'list.epd': positions, 'long.cpz': long, 'own.cpz': '' }, 'own.cpz');
  const row = name => w.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name });
  const save = async title => {
    const shown = async () => (await w.widget.locator('.quick-input-title').innerText()).includes(title);
    await w.until(shown, `the dialog ${title}`);
    // Its buttons are drawn when the folder is listed.
    await w.widget.locator('.monaco-list-row').first().waitFor();
    await w.press('Enter');
  };
  const written = file => w.until(() => existsSync(join(w.folder, file)), `${file} on disk`);
  await check('the menu of a PGN file makes puzzles of it', async () => {
    await w.command('View: Show Explorer');
    const item = w.page.locator('.monaco-menu .action-label', { hasText: 'Import as chess puzzles' });
    // The list moves while it is drawn.
    await repeat(async ms => {
      await row('mates.pgn').click({ button: 'right', timeout: ms });
      await item.waitFor({ timeout: ms });
    }, 'the entry in the menu');
    await shot('import-menu');
    await item.click();
    await w.page.locator('.tab.active', { hasText: 'mates.cpz' }).waitFor();
    await w.see('mate in 2 => "1. Ra6 bxa6 2. b7#"');
  });
  await check('what is not imported is told', () => w.message(/1 puzzle from .*1 entry not imported/));
  await shot('imported');
  await check('the other file stays as it was', () => assert.equal(w.disk('mates.pgn'), games));
  await check('Import asks for a file', async () => {
    await w.command('Chess Puzzles: Import…');
    // The dialog lists the folder after its title is shown, and writes the folder over what was typed before.
    const tab = w.page.locator('.tab.active', { hasText: 'list.cpz' });
    await repeat(async ms => {
      if (await w.widget.isVisible()) {
        await w.fill(join(w.folder, 'list.epd'));
        await w.press('Enter');
      }
      await tab.waitFor({ timeout: ms });
    }, 'the imported file');
    await w.see('mate in 1');
  });
  await check('Export writes the format that is chosen', async () => {
    await w.command('Chess Puzzles: Export…');
    await w.pick('JSON, for apps');
    await save('Export chess puzzles');
    await written('list.json');
    assert.equal(JSON.parse(w.disk('list.json')).puzzles[0].queries[0].verb, 'mate-in');
  });
  await check('Export solves what takes long if the user waits for it', async () => {
    const answer = () => existsSync(join(w.folder, 'long.json')) && JSON.parse(w.disk('long.json')).puzzles[0].queries[0].answer;
    await w.open('long.cpz');
    await w.command('Chess Puzzles: Export…');
    await w.pick('JSON, for apps');
    await save('Export chess puzzles');
    await w.message(/long\.json is written\. 1 answer needs a longer search\.$/);
    assert.match(answer().undecided, /longer search/);
    await w.button('Solve and Write Again').click();
    await w.until(() => answer().keys, 'the answer on disk');
    assert.equal(answer().keys[0].san, 'Bxg1');
    await w.open('list.cpz');
  });
  await check('Print Collection makes a sheet', async () => {
    await w.command('Chess Puzzles: Print Collection…');
    await w.pick('4 diagrams');
    await w.fill('Monday');
    await w.press('Enter');
    await save('Print chess puzzles');
    await written('list.html');
    assert.match(w.disk('list.html'), /<h1>Monday<\/h1>/);
  });
  await w.message(/1 puzzle on .*list\.html/);
}

export default { 'import, export and print': exchange };
