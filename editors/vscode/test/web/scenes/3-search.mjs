// Searches that take longer than a key stroke.

const problem = `chess "Slow" {
  board r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1
  mate in 4
}
`;
/** Each of them takes seconds. */
const many = Array.from({ length: 20 }, (_, n) => `chess "Long ${n}" {
  board rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 ${n + 1}
  helpmate in ${(n % 3) + 5}
}
`).join('\n');

async function search({ window, check, shot }) {
  const w = await window({ 'a.cpz': problem }, 'a.cpz');
  const searching = w.page.locator('.statusbar-item', { hasText: 'cpz: searching' });
  await check('a problem that needs a search is answered when it has ended', async () => {
    await w.see(/mate in 4\s*⇒ 1\.Qh6\+/);
    await searching.waitFor({ state: 'detached' });
  });
  await check('its lens inserts the solution', async () => {
    await w.clickLens('Insert solution', ms => w.see('mate in 4 => "1. Qh6+', ms));
  });
  await check('the status bar says that a search runs', async () => {
    await w.focusEditor();
    await w.press('Control+a', 'Delete');
    await w.page.evaluate(text => navigator.clipboard.writeText(text), many);
    await w.press('Control+v');
    await searching.first().waitFor();
  });
  await shot('searching');
  await check('keys are answered at once while it runs', async () => {
    await w.press('Control+Home');
    await w.type('chess "Q" { board 8/8/8/4k3/8/8/8/4K2R move Rh8 } // ');
    await w.see('⇒ legal');
    // The answer has not waited for the searches: they are not done.
    await searching.first().waitFor();
  });
}

export default { search };
