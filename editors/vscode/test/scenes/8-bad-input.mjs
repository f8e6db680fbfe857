// Faulty servers and files: one message says what is wrong, and the editor stays usable.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeExecutable, serverOf, serversOf, statusMatches } from '../servers.mjs';

const puzzle = `solitaire "Two steps" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve => [[[2,0], [1,1]], [[1,1], [3,2]]]
}
// Note:
`;

/** Asserts that a message is one line and has no technical error text. */
function assertPlain(text) {
  assert.match(text, /^cpz: [^\n]+[.?]$/);
  assert.doesNotMatch(text, /Error|ENOENT|EACCES|undefined|\[object|JSON|-326\d\d/);
}

/** Asserts that the text can be edited. */
async function assertEditable(w) {
  await w.at(9, 9);
  await w.type(' x');
  await w.see('// Note: x');
}

const setting = path => ({ '.vscode/settings.json': JSON.stringify({ 'cpz.server.path': path }) });

/** A server in JavaScript that answers `initialize` with the given `serverInfo`. */
const fake = info => `#!${process.execPath}
let rest = Buffer.alloc(0);
const say = answer => {
  const body = JSON.stringify({ jsonrpc: '2.0', ...answer });
  process.stdout.write('Content-Length: ' + Buffer.byteLength(body) + '\\r\\n\\r\\n' + body);
};
process.stdin.on('data', data => {
  rest = Buffer.concat([rest, data]);
  for (let head; (head = rest.indexOf('\\r\\n\\r\\n')) >= 0; ) {
    const end = head + 4 + Number(/Content-Length: (\\d+)/i.exec(rest.subarray(0, head))[1]);
    if (rest.length < end) return;
    const { id, method } = JSON.parse(rest.subarray(head + 4, end));
    rest = rest.subarray(end);
    if (method === 'exit') process.exit(0);
    if (id === undefined || !method) continue;
    const result = { capabilities: { textDocumentSync: 1 }, serverInfo: ${JSON.stringify(info)} };
    say({ id, result: method === 'initialize' ? result : null });
  }
});
process.stdin.on('end', () => process.exit(0));
`;

/** A scene whose setting `cpz.server.path` names a faulty program. */
const faultyServer = (name, script, pattern, status, more = async () => {}) =>
  async function ({ window, check, shot }) {
    const files = { 'a.cpz': puzzle, ...(script ? { [name]: script } : {}), 'cpz.md': 'No program.\n', ...setting(`./${name}`) };
    const w = await window(files, undefined, { ready: false, before: w => script && makeExecutable(w, name) });
    await w.open('a.cpz');
    await check('a message names the problem', async () => {
      const shown = await w.message(/^cpz: /);
      assertPlain(shown);
      assert.match(shown, pattern);
    });
    await check('it is the only message', async () => assert.equal((await w.messages()).length, 1, `${await w.messages()}`));
    await check('the status bar shows the problem', () => statusMatches(w, status));
    await shot();
    await check('the text can be edited', () => assertEditable(w));
    await more({ w, check });
  };

const stopped = ({ w, check }) =>
  check('the faulty program does not keep running', () => w.until(() => !serversOf(w).length, () => `no server; there are ${serversOf(w)}`));

const missing = faultyServer('cpz-nowhere', undefined, /cpz\.server\.path.*cpz-nowhere does not exist/, /does not exist/, async ({ w, check }) => {
  await check('the button Use the Bundled Server starts the bundled server', async () => {
    await w.button('Use the Bundled Server').click();
    await serverOf(w);
    await w.errors.first().waitFor();
    assert.doesNotMatch(w.disk('.vscode/settings.json'), /nowhere/);
  });
});
const plain = faultyServer('cpz.md', undefined, /cpz\.md is not a program/, /cpz\.md is not a program/);
const ends = faultyServer('cpz-ends', '#!/bin/sh\nexit 3\n', /cpz-ends did not start as a cpz server/, /cpz-ends did not start/, stopped);
// It ignores SIGTERM, like a program that hangs. The extension waits ten seconds for it.
const hangs = faultyServer(
  'cpz-hangs',
  `#!${process.execPath}\nprocess.on('SIGTERM', () => {});\nsetInterval(() => {}, 1000);\n`,
  /cpz-hangs did not answer within 10 seconds/,
  /cpz-hangs did not answer/,
  stopped,
);
const version = faultyServer('cpz-future', fake({ name: 'cpz', version: '9.9.9' }), /version 9\.9\.9.*made for version \d/, /version 9\.9\.9/);
const other = faultyServer('cpz-other', fake({ name: 'abacus', version: '1.0.0' }), /cpz-other is not a cpz server.*abacus/, /not a cpz server/, stopped);
const echo = faultyServer('cpz-echo', '#!/bin/sh\nexec cat # lsp\n', /cpz-echo/, /cpz-echo/, stopped);

async function large({ window, check, shot }) {
  const filler = `// ${'x'.repeat(117)}\n`;
  const text = puzzle + filler.repeat(Math.ceil(51e6 / filler.length) + 14000);
  assert.ok(Buffer.byteLength(text) > 50 * 1024 * 1024);
  const settings = JSON.stringify({ 'workbench.editorLargeFileConfirmation': 1024 });
  const w = await window({ 'large.cpz': text, 'small.cpz': puzzle, '.vscode/settings.json': settings }, 'small.cpz');
  await w.errors.first().waitFor();
  await check('a message says which features are off', async () => {
    await w.open('large.cpz');
    const shown = await w.message(/^cpz: large\.cpz/);
    assertPlain(shown);
    assert.match(shown, /50 MB/);
  });
  await shot();
  await check('its findings are in the Problems panel', async () => {
    await w.showProblems();
    await w.problem(/large\.cpz/);
  });
  await check('the large text can be edited', async () => {
    await w.open('large.cpz');
    await assertEditable(w);
  });
  await check('another file still has its findings', async () => {
    await w.open('small.cpz');
    await w.errors.first().waitFor();
    await assertEditable(w);
  });
}

async function latin({ window, check, shot }) {
  const text = Buffer.from(puzzle.replace('Two steps', 'Drei Z\u00fcge'), 'latin1');
  const w = await window({ 'latin.cpz': text, 'a.cpz': puzzle.replace('[3,2]', '[3,3]') }, 'latin.cpz');
  await check('a message names the problem', async () => {
    const shown = await w.message(/^cpz: latin\.cpz/);
    assertPlain(shown);
    assert.match(shown, /not UTF-8/);
  });
  await w.button('Reopen with Encoding').waitFor();
  await shot();
  await check('its puzzle is checked nevertheless', () => w.errors.first().waitFor());
  await check('the text can be edited', () => assertEditable(w));
  await check('a UTF-8 file gets no such message', async () => {
    await w.open('a.cpz');
    assert.equal((await w.messages()).filter(text => /UTF-8/.test(text) && /a\.cpz/.test(text)).length, 0);
  });
}

async function readOnly({ window, check, shot }) {
  const question = puzzle.replace(/ => .*/, '');
  const before = w => chmodSync(join(w.folder, 'a.cpz'), 0o444);
  const w = await window({ 'a.cpz': question }, undefined, { before, ready: false });
  await w.open('a.cpz');
  const unchanged = async () => {
    assert.equal(w.disk('a.cpz'), question);
    assert.equal(await w.dirty(), false);
    assert.doesNotMatch(await w.text(), /=>/);
  };
  await check('Insert Solution inserts nothing and gives the reason', async () => {
    await serverOf(w);
    await w.at(7, 4);
    await w.command('Chess Puzzles: Insert Solution');
    const shown = await w.message(/^cpz: nothing was inserted/);
    assertPlain(shown);
    assert.match(shown, /a\.cpz is read-only/);
    await unchanged();
  });
  await shot();
  await check('the lens inserts nothing and gives the reason', async () => {
    await w.command('Notifications: Clear All Notifications');
    await w.until(async () => !(await w.messages()).length, 'no message');
    const refused = ms => w.message(/^cpz: nothing was inserted.*a\.cpz is read-only/, ms);
    assertPlain(await w.clickLens(/Insert/, refused));
    await unchanged();
  });
  await check('the lens inserts the answer once the file is writable', async () => {
    chmodSync(join(w.folder, 'a.cpz'), 0o644);
    await w.command('Notifications: Clear All Notifications');
    await w.clickLens(/Insert/, ms => w.see('solve => c1xb2 b2xd4', ms));
  });
}

async function untrusted({ window, check, shot, startServer }) {
  const server = await startServer({
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.emptyWindow': false,
  });
  const [installed] = readdirSync(server.extensions).filter(name => name.startsWith('cpz.cpz'));
  const bundled = join(server.extensions, installed, 'server/cpz');
  const script = `#!/bin/sh\ntouch "$(dirname "$0")/marker"\nexec '${bundled}' "$@"\n`;
  const before = w => makeExecutable(w, 'cpz-mine');
  const files = { 'a.cpz': puzzle, 'cpz-mine': script, ...setting('./cpz-mine') };
  const w = await window(files, 'a.cpz', { server, before });
  const marker = join(w.folder, 'marker');
  await check('the workspace is not trusted', () => w.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor());
  await check('the bundled server checks the file', async () => {
    const pid = await serverOf(w);
    assert.ok(pid);
    await w.errors.first().waitFor();
    assert.match(await w.status.getAttribute('aria-label'), /extensions\/cpz\.cpz.*server\/cpz/);
  });
  await check('the program that the workspace names is not run, not even by a restart', async () => {
    const pid = await serverOf(w);
    await w.command('Chess Puzzles: Restart Server');
    await serverOf(w, pid);
    assert.equal(existsSync(marker), false);
  });
  await shot();
  await check('after trusting the workspace its program is run', async () => {
    await w.command('Workspaces: Manage Workspace Trust');
    await w.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).first().click();
    await w.until(() => existsSync(marker), 'the marker');
    await statusMatches(w, /cpz-mine\)/);
  });
  await check('the program of the workspace reports findings', async () => {
    await w.open('a.cpz');
    await w.errors.first().waitFor();
    await assertEditable(w);
  });
}

export default {
  'server that does not exist': missing,
  'server that is not a program': plain,
  'server that ends at once': ends,
  'server that hangs': hangs,
  'server of another version': version,
  'server that is not cpz': other,
  'server that echoes': echo,
  'file above 50 MB': large,
  'file that is not UTF-8': latin,
  'file that is read-only': readOnly,
  'folder that is not trusted': untrusted,
};
