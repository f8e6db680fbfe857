// The TextMate grammar against the server: both colour the examples and the samples, and every token
// of the server's must have a scope that means the same. `$CPZ` names the binary.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const binary = process.env.CPZ ?? join(root, 'target/release/cpz');
assert(existsSync(binary), `there is no ${binary}; build it, or name another one as CPZ`);

// What a class of the server's looks like in scopes. A class may be more exact than a grammar that
// does not know what a number in a list counts, or what a text in quotes is for.
const isQuoted = text => /^["']/.test(text);
const isNumber = text => /^-?\d+$/.test(text);
const SCOPES = {
  keyword: () => /^storage\.type/,
  property: () => /^support\.type\.property-name/,
  function: () => /^support\.function/,
  class: () => /^entity\.name\.type/,
  operator: () => /^keyword\.operator/,
  string: text => (isQuoted(text) ? /^string\./ : /^(string|variable\.parameter)\./),
  number: text =>
    isQuoted(text) ? /^string\.quoted/
    : isNumber(text) ? /^constant\.numeric/
    : /^(constant\.numeric|variable\.parameter)/,
  enumMember: text =>
    isQuoted(text) ? /^(string\.quoted|constant\.language)/
    : isNumber(text) ? /^(variable\.other\.enummember|constant\.numeric)/
    : /^(variable\.other\.enummember|constant\.language)/,
  comment: text =>
    text === '//' ? /^comment\./
    : text.startsWith('//') ? /^comment\.line/
    : /^\(./.test(text) ? /^comment\.block/
    : isQuoted(text) ? /^string\.quoted/
    : isNumber(text) ? /^(comment\.other|constant\.numeric|variable\.other\.enummember)/
    : /^comment\.other/,
  variable: text => (isQuoted(text) ? /^string\.quoted/ : /^variable\.other/),
  parameter: text => (isNumber(text) ? /^(variable\.parameter|constant\.numeric)/ : /^(variable\.parameter|constant\.language)/),
};

// Where the two differ, and why: a file and its lines, from 1.
const DIFFERENCES = [
  // The server guesses what a misspelt keyword was meant to be, and what a stray word was.
  ['examples/mistakes/syntax.cpz', [19]],
  ['grammar/samples/broken/misspelt.cpz', [1, 2, 3]],
  ['grammar/samples/broken/stray.cpz', [2, 4, 5]],
  // A name is not seen to stand behind something stray.
  ['grammar/samples/broken/stray-remarks.cpz', [1]],
  // A line that begins with a keyword ends an open board text, so that an open quote does not colour
  // the rest of a puzzle while it is typed.
  ['grammar/samples/good/keyword-in-text.cpz', [5, 6]],
];

/** The files that all grammars are tried on. */
function files() {
  const folders = ['examples/collection', 'examples/mistakes', 'grammar/samples/good', 'grammar/samples/broken'];
  const found = folders.flatMap(folder =>
    readdirSync(join(root, folder)).filter(f => f.endsWith('.cpz')).map(f => join(root, folder, f)));
  assert(found.length > 30);
  return found;
}

/** A client of the server that knows requests and answers, and passes over all else. */
class Client {
  #server = spawn(binary, ['lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
  #waiting = new Map();
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
        this.#take(message);
      }
    });
    this.closed = new Promise(done => this.#server.on('exit', done));
    this.closed.then(code => this.#waiting.forEach(([, fail]) => fail(new Error(`the server has ended: ${code}`))));
  }

  #take(message) {
    if (message.method && message.id !== undefined) this.#send({ id: message.id, result: null });
    if (message.method) return;
    const [done, fail] = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
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
    return new Promise((done, fail) => this.#waiting.set(id, [done, fail]));
  }
}

/** The server's tokens of a text: line, start, end and class. */
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

/** The scopes of each character of a text, line by line, outermost first. */
function scopes(grammar, lines) {
  let state = textmate.INITIAL;
  return lines.map(line => {
    const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine(line, state);
    assert(!stoppedEarly);
    state = ruleStack;
    return tokens.flatMap(t => Array(t.endIndex - t.startIndex).fill(t.scopes)).slice(0, line.length);
  });
}

const colours = /^(comment|constant|entity|keyword|storage|string|support|variable)\./;

function compare(name, lines, tokens, scoped) {
  const wrong = [];
  const seen = lines.map(line => Array(line.length).fill(false));
  const differs = line => DIFFERENCES.some(([file, lines]) => file === name && lines.includes(line + 1));
  const say = (line, start, end, words) =>
    !differs(line) && wrong.push(`${name}:${line + 1}:${start + 1} ${JSON.stringify(lines[line].slice(start, end))} ${words}`);
  for (const { line, start, end, type } of tokens) {
    const text = lines[line].slice(start, end);
    const wanted = SCOPES[type](text);
    seen[line].fill(true, start, end);
    const missing = scoped[line].slice(start, end).find(stack => !stack.some(scope => wanted.test(scope)));
    if (missing) {
      say(line, start, end, `is ${type}, but has ${missing.slice(1).join(' ') || 'no scope'}`);
    }
  }
  if (name.includes('/broken/') || name.includes('/mistakes/')) return wrong;
  // What is coloured in a good file is a token; and each letter and digit is coloured.
  scoped.forEach((stacks, line) => stacks.forEach((stack, i) => {
    const coloured = stack.some(scope => colours.test(scope));
    if (coloured && !seen[line][i] && /\S/.test(lines[line][i])) {
      if (!stack.some(scope => /^(string|entity)\./.test(scope))) say(line, i, i + 1, `is no token, but ${stack.at(-1)}`);
    }
    if (!coloured && /[\p{L}\p{N}]/u.test(lines[line][i])) say(line, i, i + 1, 'has no colour');
  }));
  return wrong;
}

await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')));
const registry = new textmate.Registry({
  onigLib: Promise.resolve({
    createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
    createOnigString: text => new oniguruma.OnigString(text),
  }),
  loadGrammar: async () => textmate.parseRawGrammar(readFileSync(join(here, '../cpz.tmLanguage.json'), 'utf8'), 'cpz.json'),
});
const grammar = await registry.loadGrammar('source.cpz');

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
const wrong = [];
let count = 0;
for (const path of files()) {
  const text = readFileSync(path, 'utf8');
  const lines = text.split(/\r\n|\r|\n/);
  const name = relative(root, path).replaceAll('\\', '/');
  const found = await tokens(client, legend, `file:///${name}`, text);
  count += found.length;
  wrong.push(...compare(name, lines, found, scopes(grammar, lines)));
}
await client.request('shutdown');
client.notify('exit');
await client.closed;
assert(count > 1000, `only ${count} tokens were compared`);
for (const line of wrong) console.error(line);
console.log(`${count} tokens were compared; ${wrong.length} differ`);
process.exitCode = wrong.length ? 1 : 0;
