// TextMate, and the files that it is tested with.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const oniguruma = require('vscode-oniguruma');
const textmate = require('vscode-textmate');

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

/** The examples and samples: `name`, a path from the root, and `text`. */
export function files() {
  const folders = ['examples/collection', 'examples/mistakes', 'grammar/samples/good', 'grammar/samples/broken'];
  const names = folders.flatMap(folder =>
    readdirSync(join(root, folder)).filter(f => f.endsWith('.cpz')).map(f => `${folder}/${f}`));
  assert(names.length > 30);
  return names.map(name => ({ name, text: readFileSync(join(root, name), 'utf8') }));
}

/** The scopes of each character of a text, line by line, outermost first. */
export function scopes(grammar, lines) {
  let state = textmate.INITIAL;
  return lines.map(line => {
    const { tokens, ruleStack, stoppedEarly } = grammar.tokenizeLine(line, state);
    assert(!stoppedEarly);
    state = ruleStack;
    return tokens.flatMap(t => Array(t.endIndex - t.startIndex).fill(t.scopes)).slice(0, line.length);
  });
}

/** The grammar as TextMate reads it. */
export async function loadGrammar() {
  await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: text => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(readFileSync(join(here, '../cpz.tmLanguage.json'), 'utf8'), 'cpz.json'),
  });
  return registry.loadGrammar('source.cpz');
}
