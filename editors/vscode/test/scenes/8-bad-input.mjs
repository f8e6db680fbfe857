// What is wrong outside of a text: one sentence says so, and the editor goes on.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runnable, says, serverOf, serversOf } from '../servers.mjs';

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

/** A sentence for people: one, without a program's insides. */
function sentence(text) {
  assert.match(text, /^cpz: [^\n]+[.?]$/);
  assert.doesNotMatch(text, /Error|ENOENT|EACCES|undefined|\[object|JSON|-326\d\d/);
}

/** The editor takes what is typed. */
async function usable(w) {
  await w.at(9, 9);
  await w.type(' x');
  await w.see('// Note: x');
}

const set = path => ({ '.vscode/settings.json': JSON.stringify({ 'cpz.server.path': path }) });

/** A server in JavaScript that answers `initialize` with what it is told to say of itself. */
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

/** A window whose setting names such a program. */
const bad = (name, script, pattern, status, more = async () => {}) =>
  async function ({ window, check, shot }) {
    const files = { 'a.cpz': puzzle, ...(script ? { [name]: script } : {}), 'cpz.md': 'No program.\n', ...set(`./${name}`) };
    const w = await window(files, undefined, { ready: false, before: w => script && runnable(w, name) });
    await w.open('a.cpz');
    await check('a sentence says what is wrong', async () => {
      const said = await w.message(/^cpz: /, 20000);
      sentence(said);
      assert.match(said, pattern);
    });
    await check('it is the only one', async () => assert.equal((await w.messages()).length, 1, `${await w.messages()}`));
    await check('the status bar says it', () => says(w, status));
    await shot();
    await check('the text can be written in', () => usable(w));
    await more({ w, check });
  };

const gone = ({ w, check }) =>
  check('nothing of it runs on', () => w.until(() => !serversOf(w).length, () => `no server; there are ${serversOf(w)}`));

const missing = bad('cpz-nowhere', undefined, /cpz\.server\.path.*cpz-nowhere does not exist/, /does not exist/, async ({ w, check }) => {
  await check('a button takes the server of the extension', async () => {
    await w.button('Use the Bundled Server').click();
    await serverOf(w);
    await w.errors.first().waitFor();
    assert.doesNotMatch(w.disk('.vscode/settings.json'), /nowhere/);
  });
});
const plain = bad('cpz.md', undefined, /cpz\.md is not a program/, /cpz\.md is not a program/);
const ends = bad('cpz-ends', '#!/bin/sh\nexit 3\n', /cpz-ends did not start as a cpz server/, /cpz-ends did not start/, gone);
// It does not listen to a request to end, as what hangs does not.
const hangs = bad(
  'cpz-hangs',
  `#!${process.execPath}\nprocess.on('SIGTERM', () => {});\nsetInterval(() => {}, 1000);\n`,
  /cpz-hangs did not answer within 10 seconds/,
  /cpz-hangs did not answer/,
  gone,
);
const version = bad('cpz-future', fake({ name: 'cpz', version: '9.9.9' }), /version 9\.9\.9.*made for \d/, /version 9\.9\.9/);
const other = bad('cpz-other', fake({ name: 'abacus', version: '1.0.0' }), /cpz-other is no cpz server.*abacus/, /no cpz server/, gone);
const echo = bad('cpz-echo', '#!/bin/sh\nexec cat # lsp\n', /cpz-echo/, /cpz-echo/, gone);

async function large({ window, check, shot }) {
  const filler = `// ${'x'.repeat(117)}\n`;
  const text = puzzle + filler.repeat(Math.ceil(51e6 / filler.length) + 14000);
  assert.ok(Buffer.byteLength(text) > 50 * 1024 * 1024);
  const settings = JSON.stringify({ 'workbench.editorLargeFileConfirmation': 1024 });
  const w = await window({ 'large.cpz': text, 'small.cpz': puzzle, '.vscode/settings.json': settings }, 'small.cpz');
  await w.errors.first().waitFor();
  await check('a sentence says what cannot be done', async () => {
    await w.open('large.cpz');
    const said = await w.message(/^cpz: large\.cpz/);
    sentence(said);
    assert.match(said, /50 MB/);
  });
  await shot();
  await check('its findings are in the Problems panel, as the sentence says', async () => {
    await w.showProblems();
    await w.problem(/large\.cpz/);
  });
  await check('the text can be written in', async () => {
    await w.open('large.cpz');
    await usable(w);
  });
  await check('another file has its findings', async () => {
    await w.open('small.cpz');
    await w.errors.first().waitFor();
    await usable(w);
  });
}

async function latin({ window, check, shot }) {
  const text = Buffer.from(puzzle.replace('Two steps', 'Drei Z\u00fcge'), 'latin1');
  const w = await window({ 'latin.cpz': text, 'a.cpz': puzzle.replace('[3,2]', '[3,3]') }, 'latin.cpz');
  await check('a sentence says what is wrong', async () => {
    const said = await w.message(/^cpz: latin\.cpz/);
    sentence(said);
    assert.match(said, /not UTF-8/);
  });
  await w.button('Reopen with Encoding').waitFor();
  await shot();
  await check('its puzzle is checked all the same', () => w.errors.first().waitFor());
  await check('the text can be written in', () => usable(w));
  await check('a file that is UTF-8 is not said to be other', async () => {
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
  await check('the command says that nothing was inserted, and why', async () => {
    await serverOf(w);
    await w.at(7, 4);
    await w.command('cpz: Insert Solution');
    const said = await w.message(/^cpz: nothing was inserted/);
    sentence(said);
    assert.match(said, /a\.cpz is read-only/);
    await unchanged();
  });
  await shot();
  await check('so does the lens', async () => {
    await w.command('Notifications: Clear All Notifications');
    await w.until(async () => !(await w.messages()).length, 'no message');
    await w.lens(/Insert/).click();
    sentence(await w.message(/^cpz: nothing was inserted.*a\.cpz is read-only/));
    await unchanged();
  });
  await check('a file that can be written to takes it', async () => {
    chmodSync(join(w.folder, 'a.cpz'), 0o644);
    await w.command('Notifications: Clear All Notifications');
    await w.lens(/Insert/).click();
    await w.see(/solve => \[/);
  });
}

async function untrusted({ window, check, shot, another }) {
  const server = await another({
    'security.workspace.trust.enabled': true,
    'security.workspace.trust.startupPrompt': 'never',
    'security.workspace.trust.emptyWindow': false,
  });
  const [installed] = readdirSync(server.extensions).filter(name => name.startsWith('cpz.cpz'));
  const bundled = join(server.extensions, installed, 'server/cpz');
  const script = `#!/bin/sh\ntouch "$(dirname "$0")/marker"\nexec '${bundled}' "$@"\n`;
  const before = w => runnable(w, 'cpz-mine');
  const files = { 'a.cpz': puzzle, 'cpz-mine': script, ...set('./cpz-mine') };
  const w = await window(files, 'a.cpz', { server, before });
  const marker = join(w.folder, 'marker');
  await check('the workspace is not trusted', () => w.page.locator('.statusbar-item', { hasText: 'Restricted Mode' }).waitFor());
  await check('it is checked by the server of the extension', async () => {
    const pid = await serverOf(w);
    assert.ok(pid);
    await w.errors.first().waitFor();
    assert.match(await w.status.getAttribute('aria-label'), /extensions\/cpz\.cpz.*server\/cpz/);
  });
  await check('the program that the workspace names is not run, nor by a restart', async () => {
    const pid = await serverOf(w);
    await w.command('cpz: Restart Server');
    await serverOf(w, pid);
    assert.equal(existsSync(marker), false);
  });
  await shot();
  await check('trust makes it count', async () => {
    await w.command('Workspaces: Manage Workspace Trust');
    await w.page.locator('.workspace-trust-editor .monaco-button', { hasText: /^Trust$/ }).first().click();
    await w.until(() => existsSync(marker), 'the marker');
    await says(w, /cpz-mine\)/);
  });
  await check('findings come from it', async () => {
    await w.open('a.cpz');
    await w.errors.first().waitFor();
    await usable(w);
  });
}

export default {
  'server that does not exist': missing,
  'server that is no program': plain,
  'server that ends at once': ends,
  'server that hangs': hangs,
  'server of another version': version,
  'server that is another': other,
  'server that echoes': echo,
  'file above 50 MB': large,
  'file that is not UTF-8': latin,
  'file that is read-only': readOnly,
  'folder that is not trusted': untrusted,
};
