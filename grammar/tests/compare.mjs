// Compares the TextMate grammar with the server on the examples and the samples: every semantic token of
// the server must have a TextMate scope of the same meaning. `$CPZ` is the binary to compare with.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { files, loadGrammar, scopes } from './textmate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const binary = process.env.CPZ ?? join(root, 'target/debug/cpz');
assert(existsSync(binary), `${binary} does not exist: build it, or set CPZ to another binary`);

// The scopes that match each token type of the server. Token types may be more exact than scopes: a
// grammar cannot know what a number in a list counts, or what a quoted text is for.
const isQuoted = text => /^["']/.test(text);
const isNumber = text => /^-?\d+$/.test(text);
const SCOPES = {
  keyword: () => /^keyword\.control/,
  property: () => /^variable\.other\.property/,
  function: () => /^entity\.name\.function/,
  class: () => /^entity\.name\.type/,
  operator: () => /^keyword\.operator/,
  string: text => (isQuoted(text) ? /^string\./ : /^(string|variable\.parameter)\./),
  number: text =>
    isQuoted(text) ? /^string\.quoted/
    : isNumber(text) ? /^constant\.numeric/
    : /^(constant\.numeric|variable\.parameter)/,
  enumMember: text =>
    isQuoted(text) ? /^(string\.quoted|variable\.other\.enummember)/
    : isNumber(text) ? /^(variable\.other\.enummember|constant\.numeric)/
    : /^variable\.other\.enummember/,
  comment: text =>
    text === '//' ? /^comment\./
    : text.startsWith('//') ? /^comment\.line/
    : /^\(./.test(text) ? /^comment\.block/
    : isQuoted(text) ? /^string\.quoted/
    : isNumber(text) ? /^(comment\.other|constant\.numeric|variable\.other\.enummember)/
    : /^comment\.other/,
  variable: text => (isQuoted(text) ? /^string\.quoted/ : /^variable\.other\.(?!property)/),
  parameter: text => (isNumber(text) ? /^(variable\.parameter|constant\.numeric)/ : /^variable\.parameter/),
};

// Known differences: a file and its lines, from 1.
const DIFFERENCES = [
  // The server guesses the meaning of misspelt keywords and stray words.
  ['examples/mistakes/syntax.cpz', [19]],
  ['grammar/samples/broken/misspelt.cpz', [1, 2, 3]],
  ['grammar/samples/broken/problems.cpz', [4]],
  ['grammar/samples/broken/stipulations.cpz', [4]],
  ['grammar/samples/broken/stray.cpz', [2, 4, 5]],
  // TextMate does not recognise a name after a stray word.
  ['grammar/samples/broken/stray-remarks.cpz', [1]],
  // A line that begins with a keyword ends an open board text, so that an open quote does not colour
  // the rest of a puzzle while it is typed.
  ['grammar/samples/good/keyword-in-text.cpz', [5, 6]],
];

/** A minimal LSP client: requests and responses; ignores notifications. */
class Client {
  #server = spawn(binary, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  #pending = new Map();
  #read = Buffer.alloc(0);
  #id = 0;

  constructor() {
    this.#server.stdout.on('data', data => {
      this.#read = Buffer.concat([this.#read, data]);
      for (;;) {
        const end = this.#read.indexOf('\r\n\r\n');
        const length = Number(/Content-Length: (\d+)/i.exec(this.#read.subarray(0, Math.max(end, 0)))?.[1]);
        if (end < 0 || this.#read.length < end + 4 + length) return;
        const message = JSON.parse(this.#read.subarray(end + 4, end + 4 + length));
        this.#read = this.#read.subarray(end + 4 + length);
        this.#receive(message);
      }
    });
    this.closed = new Promise(done => this.#server.on('exit', done));
    this.closed.then(code => this.#pending.forEach(([, fail]) => fail(new Error(`the server has ended: ${code}`))));
  }

  #receive(message) {
    if (message.method && message.id !== undefined) this.#send({ id: message.id, result: null });
    if (message.method) return;
    const [done, fail] = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.error) fail(new Error(message.error.message));
    else done(message.result);
  }

  #send(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.#server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  notify(method, params) {
    this.#send({ method, params });
  }

  request(method, params) {
    const id = ++this.#id;
    this.#send({ id, method, params });
    return new Promise((done, fail) => this.#pending.set(id, [done, fail]));
  }
}

/** The server's semantic tokens of a text: line, start, end (all 0-based) and type. */
async function tokens(client, legend, uri, text) {
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'cpz', version: 1, text } });
  const { data } = await client.request('textDocument/semanticTokens/full', { textDocument: { uri } });
  client.notify('textDocument/didClose', { textDocument: { uri } });
  const found = [];
  let [line, start] = [0, 0];
  for (let i = 0; i < data.length; i += 5) {
    if (data[i]) start = 0;
    line += data[i];
    start += data[i + 1];
    found.push({ line, start, end: start + data[i + 2], type: legend[data[i + 3]] });
  }
  return found;
}

const colours = /^(comment|constant|entity|keyword|storage|string|support|variable)\./;

function compare(name, lines, tokens, scoped) {
  const problems = [];
  const seen = lines.map(line => Array(line.length).fill(false));
  const differs = line => DIFFERENCES.some(([file, lines]) => file === name && lines.includes(line + 1));
  const report = (line, start, end, words) =>
    !differs(line) && problems.push(`${name}:${line + 1}:${start + 1} ${JSON.stringify(lines[line].slice(start, end))} ${words}`);
  for (const { line, start, end, type } of tokens) {
    const text = lines[line].slice(start, end);
    const expected = SCOPES[type](text);
    seen[line].fill(true, start, end);
    const missing = scoped[line].slice(start, end).find(stack => !stack.some(scope => expected.test(scope)));
    if (missing) {
      report(line, start, end, `is ${type}, but has ${missing.slice(1).join(' ') || 'no scope'}`);
    }
  }
  if (name.includes('/broken/') || name.includes('/mistakes/')) return problems;
  // In a good file every coloured character belongs to a token, and every letter and digit is coloured.
  scoped.forEach((stacks, line) => stacks.forEach((stack, i) => {
    const coloured = stack.some(scope => colours.test(scope));
    if (coloured && !seen[line][i] && /\S/.test(lines[line][i])) {
      if (!stack.some(scope => /^(string|entity)\./.test(scope))) report(line, i, i + 1, `is not a token, but ${stack.at(-1)}`);
    }
    if (!coloured && /[\p{L}\p{N}]/u.test(lines[line][i])) report(line, i, i + 1, 'has no colour');
  }));
  return problems;
}

const grammar = await loadGrammar();
const client = new Client();
const { capabilities } = await client.request('initialize', {
  processId: process.pid,
  rootUri: null,
  capabilities: {
    general: { positionEncodings: ['utf-16'] },
    textDocument: { semanticTokens: { requests: { full: true }, formats: ['relative'], tokenTypes: Object.keys(SCOPES), tokenModifiers: [] } },
  },
});
client.notify('initialized', {});
const legend = capabilities.semanticTokensProvider.legend.tokenTypes;
const problems = [];
let count = 0;
for (const { name, text } of files()) {
  const lines = text.split(/\r\n|\r|\n/);
  const found = await tokens(client, legend, `file:///${name}`, text);
  count += found.length;
  problems.push(...compare(name, lines, found, scopes(grammar, lines)));
}
await client.request('shutdown');
client.notify('exit');
await client.closed;
assert(count > 1000, `only ${count} tokens were compared`);
for (const line of problems) console.error(line);
console.log(`${count} tokens were compared; ${problems.length} differ`);
process.exitCode = problems.length ? 1 : 0;
