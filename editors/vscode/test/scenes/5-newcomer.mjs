// First use: the walkthrough, templates, completion, and colours without a server.
import assert from 'node:assert/strict';
import { repeat } from '../vscode.mjs';

/** Words on the pages beside the steps of the walkthrough. */
const pages = [/A puzzle is text/, /Mistakes are underlined/, /The answer stands beside/, /The board beside the text/];

async function walkthrough({ window, check, shot }) {
  const w = await window({ 'readme.txt': 'Nothing yet.\n' }, undefined, { ready: false });
  const steps = w.page.locator('.getting-started-step');
  await check('Open Walkthrough opens four steps in a folder without puzzles', async () => {
    await w.command('Chess Puzzles: Open Walkthrough');
    await w.until(async () => (await steps.count()) === 4, async () => `four steps, not ${await steps.count()}`);
  });
  // Wait for the page beside the step: while it loads it takes the focus, which closes lists.
  const show = async (n, words) => {
    await steps.nth(n).click();
    await w.page.locator('.getting-started-step.expanded').waitFor();
    const page = w.page.frameLocator('iframe.webview').last().frameLocator('#active-frame').locator('body');
    const shown = async () => words.test(await page.innerText());
    await w.until(shown, async () => `${words} beside the step, not ${await page.innerText()}`);
  };
  await check('each step shows its page', async () => {
    for (const [n, words] of pages.entries()) {
      await show(n, words);
      await shot(`walkthrough-${n + 1}`);
    }
  });
  await check('the button of the first step creates a puzzle in an untitled document', async () => {
    await show(0, pages[0]);
    // The page beside the step takes the focus when it is drawn and closes the list: click again.
    await repeat(async ms => {
      await w.page.locator('.getting-started-step.expanded .monaco-button', { hasText: 'New Puzzle' }).click({ timeout: ms });
      await w.pick('Solitaire Chess', ms);
    }, 'the list of puzzles');
    await w.see(/solitaire "Puzzle 1" \{/);
  });
  await check('the new puzzle is solved at once', () => w.see(/solve\s*⇒ \S+x\S+/));
}

async function firstPuzzle({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  await w.focusEditor();
  await check('New Puzzle inserts a puzzle that is solved at once', async () => {
    await w.command('Chess Puzzles: New Puzzle…');
    await w.widget.locator('.monaco-list-row', { hasText: 'Solitaire Chess' }).waitFor();
    await shot('new-puzzle-menu');
    await w.pick('Solitaire Chess');
    await w.see(/solve\s*⇒ \S+x\S+/);
  });
  await check('a second New Puzzle is inserted below the first', async () => {
    await w.press('Escape', 'Control+End');
    await w.command('Chess Puzzles: New Puzzle…');
    await w.pick('Draughts captures');
    await w.see(/\}\s+draughts "Puzzle 2" \{/);
    await w.see(/capture\s*⇒ 2 men/);
  });
  await check('a generated puzzle has what was chosen, and is shown', async () => {
    await w.press('Escape');
    await w.command('Chess Puzzles: New Puzzle…');
    await w.pick('Generated puzzle');
    await shot('generate-game');
    await w.pick('Solitaire Chess');
    await w.pick('5 pieces');
    await shot('generate-size');
    await w.pick('4×4');
    await w.pick('Exactly one solution');
    await w.pick('Any difficulty');
    await w.see(/solitaire "Solitaire, no. \d+" \{[^}]*unique[^}]*solve\s*⇒ \S+x\S+/);
  });
  await check('so have those of other games', async () => {
    for (const [game, answers, text] of [
      ['Draughts', ['2 pieces', 'Any difficulty'], /draughts "Draughts, no. \d+" \{[^}]*capture\s*⇒ \d (man|men|king)/],
      ['Chess on a cube', ['3×3×3', 'Any difficulty'], /chess3d "Cube, no. \d+" \{[^}]*mate\s*⇒/],
    ]) {
      await w.press('Escape');
      await w.command('Chess Puzzles: New Puzzle…');
      await w.pick('Generated puzzle');
      for (const answer of [game, ...answers]) await w.pick(answer);
      // Its last lines may be below the window.
      await w.see(new RegExp(text.source.split(' ', 3).join(' ')));
      await w.press('Control+End');
      await w.see(text);
    }
    // The next check is about a solution.
    await w.press('Control+z', 'Control+z');
  });
  await check('a hint gives away little, and the next one more', async () => {
    await w.command('Chess Puzzles: Show Hint');
    await w.page.locator('.notification-toast', { hasText: /begins?/ }).waitFor();
    await shot('hint');
    await w.page.locator('.notification-toast .monaco-button', { hasText: 'Next hint' }).click();
    await w.page.locator('.notification-toast', { hasText: /goes to|begins with a move to/ }).waitFor();
    await w.page.locator('.notification-toast .monaco-button', { hasText: 'Next hint' }).click();
    await w.page.locator('.notification-toast', { hasText: /the first move is/ }).waitFor();
  });
  await check('completion offers complete puzzles', async () => {
    await w.press('Escape', 'Control+End');
    await w.type('\nches');
    await w.suggestion('chess');
  });
  await shot('completion');
  await check('a template inserts a complete puzzle', async () => {
    const focused = w.page.locator('.suggest-widget .monaco-list-row.focused');
    const wanted = w.page.locator('.suggest-widget .monaco-list-row', { hasText: 'chess3d puzzle' });
    // VS Code drops its own request for suggestions when the text changes before it is sent: type again.
    await repeat(async ms => {
      await w.press('Escape', 'Control+a', 'Delete');
      await w.type('chess3');
      await wanted.waitFor({ timeout: ms });
    }, 'the template while a word is typed');
    // Nothing is chosen before the first arrow key, so that Enter ends a line.
    assert.equal(await focused.count(), 0);
    const chosen = async () => (await focused.allInnerTexts()).join();
    await w.until(
      async () => {
        if (/chess3d puzzle/.test(await chosen())) return true;
        await w.press('ArrowDown');
      },
      async () => `the template chosen, not ${await chosen()}`,
    );
    await w.press('Enter');
    await w.see(/chess3d [^]*board[^]*mate/);
  });
  await check('completion offers legal moves after `move`', async () => {
    await w.press('Escape', 'Control+a', 'Delete');
    await w.type('chess { board 4k3/8/8/8/8/8/8/R3K3 move ');
    await w.suggestion('Ra8+');
  });
}

async function colours({ window, check, shot }) {
  const text = 'solitaire "A" { board ...N.....R....B. solve } // done\n';
  const settings = JSON.stringify({ 'cpz.server.path': '/nowhere/cpz', 'editor.semanticHighlighting.enabled': false });
  const w = await window({ 'a.cpz': text, '.vscode/settings.json': settings }, 'a.cpz');
  const colour = (part) =>
    w.editor.locator('.view-line span span', { hasText: new RegExp(`^${part}$`) }).first().evaluate((s) => getComputedStyle(s).color);
  await check('the text is coloured without a server', async () => {
    await w.until(async () => (await colour('solitaire')) !== (await colour('//\\s*done')), 'a keyword with another colour than a comment');
    assert.notEqual(await colour('A'), await colour('solitaire'));
  });
  await shot();
}

/** All notations whose colours the grammar and the server choose. */
const coloured = `author "Nobody"
solitaire "Text" {
  rules ranger
  board
    . . . N
    . R B .
  solve => [[[2,0], [1,1]]]
  count => 0 (a remark)
}
chess "Bare" {
  board "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" // a comment
  move Ra8+ => legal
  move ["W", "R", 8, 2] => true
  mate
  mate => none
}
draughts "List" {
  size 8
  board [["W","K",1,1], ['b2', 'm']]
  capture => [[5,5,"directly"]]
  note "By hand"
  tags [one, two]
}
`;

async function sameColours({ window, check, shot }) {
  // What the server has coloured is underlined, so that it can be seen.
  const rules = { enabled: true, rules: { '*': { underline: true } } };
  const settings = (on) => ({ '.vscode/settings.json': JSON.stringify({ 'editor.semanticHighlighting.enabled': on, 'editor.semanticTokenColorCustomizations': rules }) });
  const w = await window({ 'a.cpz': coloured, ...settings(false) }, 'a.cpz');
  /** The words of each line with their colours. Brackets are coloured by the editor. */
  const colours = () =>
    w.editor.locator('.view-line span span:not([class*=bracket])').evaluateAll(all =>
      all.flatMap(span => {
        const { y } = span.getBoundingClientRect();
        const colour = getComputedStyle(span).color;
        const around = span.textContent.replaceAll('\u00a0', ' ');
        return [...around.matchAll(/[^\s,"'/\[\](){}]+/g)].map(([word]) => `${Math.round(y)} ${word} ${colour}`);
      }),
    );
  await check('the server gives the words the colours that they have without it', async () => {
    await w.see('⇒');
    // The lenses move the lines.
    await w.until(async () => (await w.lenses.filter({ hasText: /[✗✓⚠]|open/ }).count()) === 3, 'the lens of each puzzle');
    const before = await colours();
    w.write(settings(true));
    const last = w.editor.locator('.view-line span span', { hasText: /^tags$/ });
    await w.until(() => last.evaluate(s => /underline/.test(getComputedStyle(s).textDecorationLine)), 'the last line coloured by the server');
    const after = await colours();
    const differ = before.filter(line => !after.includes(line)).map(line => `${line} becomes ${after.find(a => a.startsWith(line.split(' rgb')[0]))}`);
    assert.deepEqual(differ, []);
  });
  await shot('same-colours');
}

const first = `solitaire "First" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve
}
`;

async function offer({ window, startBrowser, check, shot }) {
  const context = await startBrowser();
  const w = await window({ 'a.cpz': first }, 'a.cpz', { context });
  await check('the first puzzle of a user comes with the offer of its board', async () => {
    await w.message(/^cpz: the board of each puzzle can be shown beside its text/);
    assert.equal(await w.page.locator('.monaco-dialog-box').count(), 0);
  });
  await shot('offer');
  await check('its button shows the board, and the text keeps the focus', async () => {
    await w.page.locator('.notifications-toasts .monaco-button', { hasText: 'Show Board' }).click();
    await w.webview('#board svg');
  });
  await check('the offer does not come again', async () => {
    const v = await window({ 'b.cpz': first }, 'b.cpz', { context });
    await v.see('⇒');
    // The offer would come before the finding of an unfinished word: its timer in the extension began earlier and is shorter.
    await v.press('Control+End');
    await v.type('chess {\nboard 4k3/8/8/8/8/8/8/R3K3\nmov');
    await v.press('Escape');
    await v.errors.first().waitFor();
    assert.deepEqual(await v.messages(), []);
  });
}

async function untitled({ window, check, shot }) {
  const w = await window({ 'puzzles.cpz': first }, undefined, { ready: false });
  await check('the palette finds the commands under chess', async () => {
    const rows = w.widget.locator('.monaco-list-row', { hasText: 'Chess Puzzles: ' });
    // The commands of an extension may be listed late.
    await repeat(async ms => {
      await w.press('F1');
      await w.fill('>');
      await w.fill('>chess');
      await rows.first().waitFor({ timeout: ms });
    }, 'commands of chess puzzles');
    assert.match((await rows.allInnerTexts()).join(), /New Puzzle.*Show Board Beside/s);
  });
  await shot('palette-chess');
  await check('New Puzzle without a text makes a document with a file name, and shows its board', async () => {
    await w.press('Escape');
    await w.command('Chess Puzzles: New Puzzle…');
    await w.pick('Chess mate');
    await w.page.locator('.tab', { hasText: 'puzzles-2.cpz' }).waitFor();
    await w.webview('#board svg');
  });
  await shot('new-puzzle-untitled');
  await check('saving it writes the file of that name, and no other', async () => {
    await w.focusEditor();
    await w.press('Escape', 'Control+s');
    await w.until(() => /chess "Puzzle 1"/.test(w.disk('puzzles-2.cpz')), 'the file');
    assert.equal(w.disk('puzzles.cpz'), first);
  });
}

export default { 'first offer': offer, 'untitled puzzle': untitled, 'same colours': sameColours, walkthrough, 'first puzzle': firstPuzzle, colours };
