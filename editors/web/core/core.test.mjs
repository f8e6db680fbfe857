// Tests the loader against the module: node core.test.mjs MODULE LOADER, where LOADER is ../../worker/core.ts as JavaScript.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

const [module, loader] = process.argv.slice(2);
const { Core, OpenText } = await import(pathToFileURL(loader).href);
const bytes = readFileSync(module);
const URI = 'file:///a.cpz';
const SLOW = 'solitaire "slow" {\n  board NNN. BB.. RR.. QQ..\n  count\n}\n';

const tell = (core, method, params) => core.handle({ jsonrpc: '2.0', method, params });
const ask = (core, method, params) => core.handle({ jsonrpc: '2.0', id: 1, method, params });
const hover = { textDocument: { uri: URI }, position: { line: 2, character: 3 } };

async function started(options) {
  const core = await Core.create(bytes, options);
  ask(core, 'initialize', { capabilities: {} });
  tell(core, 'initialized', {});
  return core;
}

function open(core, text) {
  return tell(core, 'textDocument/didOpen', { textDocument: { uri: URI, languageId: 'cpz', version: 1, text } });
}

test('a text as lines changes as the text does', () => {
  let seed = 1;
  const random = (n) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * n);
  };
  const pieces = ['a', 'é', '😀', '\n', '\r', '\r\n', 'two words', ''];
  const piece = () => Array.from({ length: random(4) }, () => pieces[random(pieces.length)]).join('');
  for (let round = 0; round < 300; round++) {
    let text = piece() + piece() + piece();
    const lines = new OpenText({ uri: URI, version: 1, text });
    for (let version = 2; version < 12; version++) {
      const [a, b] = [random(text.length + 1), random(text.length + 1)].sort((x, y) => x - y);
      // No position is between the two characters of a line break.
      if ([a, b].some((at) => text[at - 1] === '\r' && text[at] === '\n')) {
        continue;
      }
      const position = (at) => {
        const before = text.slice(0, at).split(/\r\n|\n|\r/);
        return { line: before.length - 1, character: before.at(-1).length };
      };
      const inserted = piece();
      lines.change(version, [{ range: { start: position(a), end: position(b) }, text: inserted }]);
      text = text.slice(0, a) + inserted + text.slice(b);
      assert.equal(lines.item().text, text);
    }
  }
});

test('slow searches run in the core that may run them, and complete the answer', async () => {
  const quick = await started();
  open(quick, SLOW);
  const [first] = ask(quick, 'textDocument/hover', hover);
  assert.equal(first.incomplete, true);
  const slow = await started({ slow: true });
  open(slow, SLOW);
  assert.deepEqual(ask(slow, 'textDocument/hover', hover), []);
  const messages = [];
  while (slow.pending) {
    messages.push(...slow.work());
  }
  const complete = messages.find((m) => m.id === 1);
  assert.notDeepEqual(complete.result, first.result);
  assert.equal(complete.incomplete, undefined);
});

test('a core that traps begins anew with its texts and settings', async () => {
  const core = await Core.create(bytes);
  ask(core, 'initialize', { capabilities: {}, initializationOptions: { severity: { 'illegal-move': 'off' } } });
  tell(core, 'initialized', {});
  const text = 'chess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }\n';
  open(core, `${text}x`);
  const end = { line: 1, character: 0 };
  const removed = [{ range: { start: end, end: { line: 1, character: 1 } }, text: '' }];
  tell(core, 'textDocument/didChange', { textDocument: { uri: URI, version: 2 }, contentChanges: removed });
  // A trap as the engine makes it, in the middle of a request.
  const { exports } = core;
  core.exports = { ...exports, memory: exports.memory, handle: () => { throw new WebAssembly.RuntimeError('unreachable'); } };
  const answers = ask(core, 'textDocument/hover', hover);
  assert.equal(answers.at(-1).error.code, -32603);
  const published = answers.find((m) => m.method === 'textDocument/publishDiagnostics');
  assert.deepEqual(published.params.diagnostics, []);
  assert.equal(published.params.version, 2);
  const [again] = ask(core, 'textDocument/hover', { ...hover, position: { line: 0, character: 2 } });
  assert.ok(again.result.contents.value.includes('chess'));
});
