// Compares what the npm package reads lines with (packages/npm/lib/highlight/tokenizer.js) with TextMate itself: every character
// of all examples, of the samples and of damaged copies of them must have the same scopes.

import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { moduleOf } from '../../packages/npm/textmate.mjs';
import { files, loadGrammar, scopes } from './textmate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const source = readFileSync(join(here, '../cpz.tmLanguage.json'), 'utf8');

// As in the package, the grammar is a module beside the tokenizer.
const folder = mkdtempSync(join(tmpdir(), 'cpz-grammar-'));
writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
writeFileSync(join(folder, 'textmate.js'), moduleOf(source));
copyFileSync(join(here, '../../packages/npm/lib/highlight/tokenizer.js'), join(folder, 'tokenizer.js'));
const { readLine } = await import(pathToFileURL(join(folder, 'tokenizer.js')));
rmSync(folder, { recursive: true });

/** The scopes of each character, as `scopes` gives them. */
function read(lines) {
  let state;
  return lines.map((line) => {
    const found = readLine(line, state);
    state = found.state;
    return found.tokens.flatMap(({ start, end, scopes }) => Array(end - start).fill(scopes));
  });
}

/** Numbers that are the same in every run. */
let seed = 1;
const below = (limit) => (seed = (seed * 48271) % 2147483647) % limit;

/** A text with some characters removed or doubled, or with one of the signs that open and close something. */
function damaged(text) {
  const signs = ['"', "'", '(', ')', '[', ']', '{', '}', '=>', '//', ' board ', ' mate in 2 ', 'x-a ', ' twin a: ', '\n'];
  for (let i = 0; i < 12; i++) {
    const at = below(text.length);
    const put = [signs[below(signs.length)], '', text.slice(at, at + 1 + below(9))][below(3)];
    text = text.slice(0, at) + put + text.slice(at + below(3));
  }
  return text;
}

const grammar = await loadGrammar();
let count = 0;
const problems = [];
for (const { name, text } of files()) {
  for (const each of [text, damaged(text)]) {
    const lines = each.split(/\r\n|\r|\n/);
    const expected = scopes(grammar, lines);
    const found = read(lines);
    lines.forEach((line, i) => {
      count += line.length;
      const at = [...line].findIndex((_, column) => expected[i][column]?.join(' ') !== found[i][column]?.join(' '));
      if (at >= 0 && problems.length < 40) {
        problems.push(`${name}: ${JSON.stringify(line)}:${at + 1}: ${found[i][at]?.join(' ')}, in TextMate ${expected[i][at]?.join(' ')}`);
      }
    });
  }
}
assert(count > 50_000, `only ${count} characters were compared`);
for (const line of problems) console.error(line);
console.log(`${count} characters were compared with TextMate; ${problems.length} differ`);
process.exitCode = problems.length ? 1 : 0;
