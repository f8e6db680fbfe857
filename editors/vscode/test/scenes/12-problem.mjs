// Chess problems: the panel walks their variations, and a cook is found while one types.
import assert from 'node:assert/strict';
import { Panel } from './6-panel.mjs';
import { cooked, morphy } from '../texts.mjs';

/** The choice that is played, and how many there are. */
function choices(panel) {
  return panel.frame.evaluate(() => {
    const all = [...document.querySelectorAll('#choices button')];
    const chosen = all.filter(b => b.getAttribute('aria-checked') === 'true').map(b => b.textContent);
    return { chosen, labels: all.map(b => b.textContent), spoken: all.map(b => b.getAttribute('aria-label')) };
  });
}

async function variations({ window, check, shot }) {
  const w = await window({ 'a.cpz': morphy }, 'a.cpz');
  const panel = await Panel.open(w, 4);
  const chosen = move => w.until(async () => (await choices(panel)).chosen.join() === move, async () => `${move} chosen: ${JSON.stringify(await choices(panel))}`);
  const line = async label => panel.$('#line').selectOption({ label });
  await check('the panel begins with the position of the problem, and lists the ways to play', async () => {
    await panel.shows('#caption', /^White mates in 2 moves, whatever Black plays$/);
    await w.until(async () => (await panel.$('#line option').allInnerTexts()).join() === '1.Ra6!,set play,tries', 'three lines');
    assert.equal(await panel.$('#branch').isVisible(), false);
  });
  await check('after the key it lists the replies of Black, by answer', async () => {
    await panel.$('#next').click();
    await panel.shows('#caption', /^1\.Ra6! zugzwang: Black has to move$/);
    await panel.shows('#branch-title', /^Black's replies to 1\.Ra6$/);
    const { labels, spoken } = await choices(panel);
    assert.equal(labels.length, 7);
    assert.equal(labels[0], '1...bxa6');
    assert.equal(spoken[0], '1...bxa6, answered by 2.b7#');
    assert.equal(await panel.$('#choices > div').count(), 2);
  });
  await shot('problem-key');
  await check('a button plays a reply, and the next step its answer', async () => {
    await panel.$('#choices button', { hasText: '1...Bf4' }).filter({ hasText: '1...Bf4' }).click();
    await panel.shows('#caption', /^1\.\.\.Bf4, answered by 2\.Rxa7#$/);
    await chosen('1...Bf4');
    await panel.$('#next').click();
    await panel.shows('#caption', /^1\.\.\.Bf4 2\.Rxa7#$/);
  });
  await check('up and down choose another reply, left and right step', async () => {
    await w.press('ArrowUp');
    await chosen('1...Be5');
    await panel.shows('#caption', /^1\.\.\.Be5, answered by/);
    await w.press('ArrowDown', 'ArrowDown');
    await chosen('1...Bg3');
    await w.press('ArrowRight');
    await panel.shows('#caption', /^1\.\.\.Bg3 2\.Rxa7#$/);
    await w.press('Home');
    await panel.shows('#caption', /^White mates/);
    await w.press('End');
    await panel.shows('#caption', /^1\.\.\.Bg3 2\.Rxa7#$/);
    await w.press('ArrowLeft');
    await panel.shows('#caption', /^1\.\.\.Bg3, answered/);
  });
  await check('the chosen reply is the one that Tab reaches, and has the focus', async () => {
    await panel.$('#choices [aria-checked="true"]').focus();
    await w.press('ArrowUp');
    await chosen('1...Bf4');
    const focused = () => panel.frame.evaluate(() => document.activeElement.textContent);
    await w.until(async () => (await focused()) === '1...Bf4', async () => `the focus, which is on ${await focused()}`);
    assert.equal(await panel.$('#choices [tabindex="0"]').count(), 1);
  });
  await shot('problem-reply');
  await check('set play begins with Black', async () => {
    await line('set play');
    await panel.shows('#caption', /^Set play: what White has ready if Black had to move first$/);
    await w.until(async () => (await choices(panel)).labels.length === 6, 'six moves with an answer');
  });
  await check('a try shows its refutation in red', async () => {
    await line('tries');
    await panel.shows('#caption', /^2 tries/);
    await panel.$('#choices button').first().click();
    await panel.shows('#caption', /^1\.Ra5\? zugzwang: Black has to move, but fails to 1\.\.\.a6!$/);
    await panel.$('#choices .refutes').click();
    await panel.shows('#caption', /^1\.Ra5\? fails to 1\.\.\.a6!$/);
    assert.equal(await panel.$('.arrow.failed').count(), 1);
    assert.equal(await panel.$('#choices .refutes').getAttribute('aria-label'), '1...a6! refutes it');
  });
  await shot('problem-try');
  for (const [theme, kind] of [['Default Dark Modern', 'vscode-dark'], ['Default High Contrast', 'vscode-high-contrast']]) {
    await check(`the list is shown in ${theme}`, async () => {
      w.write({ '.vscode/settings.json': JSON.stringify({ 'workbench.colorTheme': theme }) });
      await w.until(() => panel.frame.evaluate(k => document.body.classList.contains(k), kind), `a page of the class ${kind}`);
    });
    await shot(`problem-${kind.replace('vscode-', '')}`);
  }
  await check('the list fits a narrow panel', async () => {
    const width = () => panel.frame.evaluate(() => innerWidth);
    const before = await width();
    await w.page.setViewportSize({ width: 640, height: 720 });
    await w.until(async () => (await width()) < before, 'a narrower panel');
    await line('1.Ra6!');
    await panel.$('#next').click();
    await w.until(async () => (await choices(panel)).labels.length === 7, 'the replies');
    const over = await panel.frame.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `it is ${over} pixels too wide`);
  });
  await shot('problem-narrow');
  await check('nothing changed the text, and the content security policy blocked nothing', async () => {
    assert.equal(await w.dirty(), false);
    assert.deepEqual(w.policyErrors, []);
  });
}

async function cook({ window, check, shot }) {
  const w = await window({ 'a.cpz': '' }, 'a.cpz');
  await check('a second key is found when the length of the problem is typed', async () => {
    await w.focusEditor();
    for (const [n, text] of cooked.trimEnd().split('\n').entries()) {
      if (n) await w.press('Enter');
      await w.type(text.trim());
    }
    await w.press('Escape');
    await w.editor.locator('.squiggly-warning').first().waitFor();
    await w.showProblems();
    await w.problem(/2 keys, but 1 is intended: 1\.Kf7 and 1\.Kg6/);
  });
  await check('another length takes it away, and the right one brings it back', async () => {
    await w.at(3, 12);
    await w.press('Backspace');
    await w.type('1');
    await w.problem(/no first move forces mate in 1/);
    await w.press('Backspace');
    await w.type('2');
    await w.problem(/2 keys, but 1 is intended/);
  });
  await shot('problem-cook');
}

export default { 'problem variations': variations, 'problem cook': cook };
