// Somebody who has never written a puzzle.
import assert from 'node:assert/strict';

async function walkthrough({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  await check('the walkthrough has four steps', async () => {
    await w.command('cpz: Open Walkthrough');
    const steps = w.page.locator('.getting-started-step .step-title');
    await w.until(async () => (await steps.count()) === 4, async () => `four steps, not ${await steps.count()}`);
  });
  await shot();
}

async function write({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  await w.focusEditor();
  await check('New Puzzle writes a puzzle that is solved at once', async () => {
    await w.command('cpz: New Puzzle…', 'cpz: New Puzzle');
    await w.widget.locator('.monaco-list-row', { hasText: 'Solitaire Chess' }).waitFor();
    await shot('new-puzzle-menu');
    await w.pick('Solitaire Chess');
    await w.see(/solve\s*⇒ \S+x\S+/);
  });
  await check('the next one stands below it', async () => {
    await w.press('Escape', 'Control+End');
    await w.command('cpz: New Puzzle…', 'cpz: New Puzzle');
    await w.pick('Draughts captures');
    await w.see(/\}\s+draughts "Puzzle 2" \{/);
    await w.see(/capture\s*⇒ 2 men/);
  });
  await check('completion offers whole puzzles', async () => {
    await w.press('Escape', 'Control+End');
    await w.type('\nchess');
    await w.press('Control+Space');
    await w.page.locator('.suggest-widget .monaco-list-row', { hasText: 'chess' }).first().waitFor();
  });
  await shot('completion');
  await w.press('Escape');
}

async function colours({ window, check, shot }) {
  const text = 'solitaire "A" { board ...N.....R....B. solve } // done\n';
  const settings = JSON.stringify({ 'cpz.server.path': '/nowhere/cpz', 'editor.semanticHighlighting.enabled': false });
  const w = await window({ 'a.cpz': text, '.vscode/settings.json': settings }, 'a.cpz');
  const colour = (part) =>
    w.editor.locator('.view-line span span', { hasText: new RegExp(`^${part}$`) }).first().evaluate((s) => getComputedStyle(s).color);
  await check('there are colours without the server', async () => {
    await w.until(async () => (await colour('solitaire')) !== (await colour('//\\s*done')), 'a keyword that is no comment');
    assert.notEqual(await colour('A'), await colour('solitaire'));
  });
  await shot();
}

export default { walkthrough, 'first puzzle': write, colours };
