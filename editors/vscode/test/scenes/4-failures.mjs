// What happens when something is wrong outside the text: one sentence, and the editor goes on.
import assert from 'node:assert/strict';
import { chmodSync, closeSync, existsSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { write } from '../workbench.mjs';

const wrong = `chess "Too far" {
  board 4k3/8/8/8/8/8/8/4K1N1
  move Ne4
}
`;

/** A sentence: it has one end, and no trace of a program's insides. */
function sentence(text) {
  assert.match(text, /^cpz: .*[.?]$/, text);
  assert.ok(text.length < 300, `too long: ${text}`);
  assert.doesNotMatch(text, /Error:|ENOENT|undefined|\[object|JSON|at .*:\d+:\d+/, text);
}

/** The editor takes what is typed. */
async function usable(w) {
  await w.at(1, 1);
  await w.type('// x');
  await w.see('// x');
}

/** A program that stands for the server, whatever it does. */
function program(w, name, text) {
  write(w.folder, { [name]: text });
  chmodSync(join(w.folder, name), 0o755);
}

const settings = path => ({ '.vscode/settings.json': JSON.stringify({ 'cpz.server.path': path }) });

async function killed({ window, check, shot }) {
  const w = await window({ 'a.cpz': wrong }, 'a.cpz');
  await w.errors.first().waitFor();
  let pid = await w.languageServer();
  await w.at(1, 1);
  await w.type('\n');
  await w.at(1, 1);
  await w.type('// Not saved.');
  const kill = async () => {
    process.kill(pid, 'SIGKILL');
    const old = pid;
    pid = await w.until(async () => w.languageServers().find(p => p !== old), 'another server');
    await w.until(async () => /\d+\.\d+\.\d+/.test(await w.status.getAttribute('aria-label')), 'a server that is ready');
  };
  await check('a server that was killed comes back', kill);
  await check('it knows the text that was not saved', async () => {
    await w.see('// Not saved.');
    assert.equal(await w.dirty(), true);
    await w.errors.first().waitFor();
    await w.at(6, 1);
    await w.type('chess { board 4k3/8/8/8/8/8/8/4K1N1 move Ne5 }');
    await w.until(async () => (await w.errors.count()) === 2, 'two findings');
    assert.deepEqual(await w.messages(), []);
  });
  await check('four times more', async () => {
    for (let n = 0; n < 4; n++) await kill();
    await w.until(async () => (await w.errors.count()) === 2, 'two findings');
  });
  await check('the sixth time it says so, with a way out', async () => {
    process.kill(pid, 'SIGKILL');
    sentence(await w.message(/ended 6 times|left alone/));
    await w.button('Restart').waitFor();
    assert.equal((await w.messages()).length, 1);
  });
  await shot();
  await check('the status bar says so too', async () => {
    assert.match(await w.status.getAttribute('aria-label'), /left alone|ended/);
  });
  await check('the text can still be typed', async () => {
    await w.at(1, 1);
    await w.type('// Still here. ');
    await w.see('// Still here.');
  });
  await check('Restart Server brings it back', async () => {
    await w.command('cpz: Restart Server');
    await w.until(async () => (await w.errors.count()) === 2, 'two findings');
    await w.see('// Not saved.');
  });
}

async function missing({ window, check, shot }) {
  const w = await window({ 'a.cpz': wrong, ...settings('/nowhere/cpz') }, 'a.cpz');
  await check('a server that is not there', async () => {
    sentence(await w.message(/\/nowhere\/cpz/));
    assert.equal((await w.messages()).length, 1);
  });
  await check('the editor goes on', () => usable(w));
  await shot();
  await check('a button takes the one of the extension', async () => {
    await w.button('Use the Bundled Server').click();
    await w.errors.first().waitFor();
    assert.doesNotMatch(w.disk('.vscode/settings.json'), /nowhere/);
  });
}

async function silent({ window, check, shot }) {
  const files = { 'a.cpz': wrong, ...settings('./cpz-false') };
  const w = await window(files, 'a.cpz', { before: w => program(w, 'cpz-false', '#!/bin/sh\nexit 3\n') });
  await check('a server that ends at once', async () => {
    sentence(await w.message(/cpz-false/));
    assert.equal((await w.messages()).length, 1);
  });
  await check('the editor goes on', () => usable(w));
  await check('a button shows the output', async () => {
    // What stands in it cannot be seen here: VS Code's part that writes logs is compiled when it is installed.
    await w.button('Show Output').click();
    await w.page.locator('.panel .composite.title', { hasText: 'Output' }).first().waitFor();
    const chosen = w.page.locator('.panel select').first();
    await w.until(async () => (await chosen.evaluate(s => s.selectedOptions[0]?.text)) === 'cpz', 'the output of cpz');
  });
  await shot();
}

async function hanging({ window, check, shot }) {
  const files = { 'a.cpz': wrong, ...settings('./cpz-hangs') };
  const w = await window(files, 'a.cpz', { before: w => program(w, 'cpz-hangs', '#!/bin/sh\nexec sleep 1000 # lsp\n') });
  await check('the editor does not wait for a server that hangs', () => usable(w));
  await check('it says so', async () => {
    sentence(await w.message(/cpz-hangs did not answer/, 20000));
    assert.equal((await w.messages()).length, 1);
  });
  await check('and no longer runs it', () => w.until(() => w.languageServers().length === 0, 'no server'));
  await shot();
}

const other = `#!${process.execPath}
let rest = Buffer.alloc(0);
process.stdin.on('data', data => {
  rest = Buffer.concat([rest, data]);
  for (;;) {
    const head = rest.indexOf('\\r\\n\\r\\n');
    const length = head < 0 ? NaN : Number(/Content-Length: (\\d+)/i.exec(rest.subarray(0, head))[1]);
    if (!(rest.length >= head + 4 + length)) return;
    const { id, method } = JSON.parse(rest.subarray(head + 4, head + 4 + length));
    rest = rest.subarray(head + 4 + length);
    if (method === 'exit') process.exit(0);
    if (id === undefined) continue;
    const capabilities = { textDocumentSync: 1 };
    const result = method === 'initialize' ? { capabilities, serverInfo: { name: 'cpz', version: '0.0.1' } } : null;
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result });
    process.stdout.write('Content-Length: ' + Buffer.byteLength(answer) + '\\r\\n\\r\\n' + answer);
  }
});
`;

async function version({ window, check, shot }) {
  const files = { 'a.cpz': wrong, ...settings('./cpz-other') };
  const w = await window(files, 'a.cpz', { before: w => program(w, 'cpz-other', other) });
  await check('a server of another version', async () => {
    sentence(await w.message(/0\.0\.1/));
    assert.equal((await w.messages()).length, 1);
  });
  await check('the editor goes on', () => usable(w));
  await shot();
}

async function large({ window, check, shot }) {
  const big = w => {
    const file = openSync(join(w.folder, 'big.cpz'), 'w');
    const line = `// ${'x'.repeat(60)}\n`.repeat(16384);
    for (let n = 0; n < 53; n++) writeSync(file, line);
    closeSync(file);
  };
  const w = await window({ 'a.cpz': wrong }, 'a.cpz', { before: big });
  await check('a file of more than 50 MB', async () => {
    await w.press('Control+p');
    await w.widget.waitFor();
    await w.fill('big.cpz');
    await w.pick('big.cpz');
    await w.page.locator('.tab.active', { hasText: 'big.cpz' }).waitFor();
    await w.page.locator('.monaco-button, .monaco-link, a', { hasText: 'Open Anyway' }).first().click();
    await w.editor.locator('.view-line').first().waitFor();
    sentence(await w.message(/^cpz: .*big\.cpz.*MB/));
  });
  await shot();
  await check('the editor goes on', () => usable(w));
  await check('other files are checked as before', async () => {
    await w.open('a.cpz');
    await w.errors.first().waitFor();
    await w.at(4, 2);
    await w.type('\nchess { board 4k3/8/8/8/8/8/8/4K1N1 move Ne5 }');
    await w.until(async () => (await w.errors.count()) === 2, 'two findings');
  });
}

async function encoding({ window, check, shot }) {
  const files = { 'latin.cpz': Buffer.from(`// Un caf\xe9.\n${wrong}`, 'latin1') };
  const w = await window(files, 'latin.cpz');
  await check('a file that is not UTF-8', async () => sentence(await w.message(/latin\.cpz.*UTF-8/)));
  await check('its puzzles are checked all the same', () => w.errors.first().waitFor());
  await shot();
  await check('the editor goes on', () => usable(w));
}

async function readonly({ window, check, shot }) {
  const text = 'solitaire "Locked" { board [[0,3,"Q"], [3,3,"N"]] solve }\n';
  const w = await window({ 'a.cpz': text }, 'a.cpz', { before: w => chmodSync(join(w.folder, 'a.cpz'), 0o444) });
  await check('nothing is inserted into a file that is read-only', async () => {
    await w.see('⇒');
    await w.at(1, 52);
    await w.command('cpz: Insert Solution');
    sentence(await w.message(/a\.cpz is read-only/));
    assert.doesNotMatch(await w.text(), /=>/);
    assert.equal(await w.dirty(), false);
  });
  await check('nor by the lens', async () => {
    await w.command('Notifications: Clear All Notifications');
    await w.lens('Insert solution').click();
    await w.message(/a\.cpz is read-only/);
    assert.doesNotMatch(await w.text(), /=>/);
  });
  await shot();
  await check('the editor goes on', async () => {
    await w.at(1, 4);
    const hover = await w.hover();
    await w.until(async () => /solitaire/i.test(await hover.innerText()), 'a hover with words');
  });
}

async function untrusted({ window, check, shot, cautious }) {
  const server = await cautious();
  const mark = 'was-run';
  const files = { 'a.cpz': wrong, ...settings('./cpz-strange') };
  const before = w => program(w, 'cpz-strange', `#!/bin/sh\ntouch ${mark} "${join(w.folder, mark)}"\nexit 1\n`);
  const w = await window(files, 'a.cpz', { before, server });
  await check('a folder that is not trusted cannot name the server', async () => {
    await w.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).first().waitFor();
    await w.errors.first().waitFor();
    assert.equal(existsSync(join(w.folder, mark)), false);
    assert.deepEqual(await w.messages(), []);
  });
  await shot();
  await check('the editor goes on', () => usable(w));
  await check('once it is trusted, it can', async () => {
    await w.command('Workspaces: Manage Workspace Trust');
    await w.page.locator('.workspace-trust-editor .monaco-button', { hasText: 'Trust' }).first().click();
    await w.until(() => existsSync(join(w.folder, mark)), 'the program of the setting run');
    sentence(await w.message(/cpz-strange/));
  });
}

export default { killed, missing, silent, hanging, version, large, encoding, readonly, untrusted };
