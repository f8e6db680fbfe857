// The languages for Shiki, highlight.js and CodeMirror, with these programs themselves. grammar/tests compares the package's reader
// with TextMate, so here it says what is expected.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { folder, project, root } from './installed.mjs';

const here = import.meta.dirname;
// As if the project had installed them.
for (const name of ['@codemirror/language', '@codemirror/state', '@lezer/highlight', 'highlight.js', 'lowlight', 'shiki']) {
  mkdirSync(join(project, 'node_modules', name, '..'), { recursive: true });
  symlinkSync(join(here, 'node_modules', name), join(project, 'node_modules', name));
}
writeFileSync(
  join(project, 'highlighting.mjs'),
  `export { default as grammar } from 'cpz-lang/textmate';
export { default as language } from 'cpz-lang/highlightjs';
export * from 'cpz-lang/codemirror';
export { default as hljs } from 'highlight.js/lib/core';
export { createLowlight } from 'lowlight';
export { createHighlighterCore } from 'shiki/core';
export { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
export { createOnigurumaEngine } from 'shiki/engine/oniguruma';
export { EditorState } from '@codemirror/state';
export { ensureSyntaxTree } from '@codemirror/language';
export { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
`,
);
const all = await import(pathToFileURL(join(project, 'highlighting.mjs')));
const { readLine } = await import(pathToFileURL(join(folder, 'lib', 'highlight', 'tokenizer.js')));

const texts = ['examples/collection', 'examples/mistakes', 'grammar/samples/good', 'grammar/samples/broken'].flatMap((path) =>
  readdirSync(join(root, path)).filter((name) => name.endsWith('.cpz')).map((name) => readFileSync(join(root, path, name), 'utf8')),
);

/** The scopes of each character of a text; none of the ends of lines. Other programs have other line ends: these are replaced. */
const plain = (text) => text.replaceAll(/\r\n|\r/g, '\n');
function scopes(text) {
  let state;
  return text.split('\n').flatMap((line, i) => {
    const read = readLine(line, state);
    state = read.state;
    const found = read.tokens.flatMap(({ start, end, scopes }) => Array(end - start).fill(scopes));
    return i ? [null, ...found] : found;
  });
}

/** Whether themes colour a scope. */
const isColoured = (scopes) => scopes.some((scope) => /^(comment|constant|entity|keyword|string|variable|punctuation\.(section|separator))\./.test(scope));

test('Shiki reads every text as TextMate does, with both engines', async () => {
  for (const engine of [all.createJavaScriptRegexEngine(), await all.createOnigurumaEngine(import('shiki/wasm'))]) {
    const shiki = await all.createHighlighterCore({ langs: [all.grammar], themes: [import('shiki/themes/github-light.mjs')], engine });
    for (const text of texts.map(plain)) {
      const options = { lang: 'cpz', theme: 'github-light', includeExplanation: 'scopeName', tokenizeTimeLimit: 0 };
      const found = shiki.codeToTokensBase(text, options).map((line) =>
        line.flatMap(({ explanation }) => explanation.flatMap(({ content, scopes }) => Array(content.length).fill(scopes.map((each) => each.scopeName).join(' ')))),
      );
      const expected = scopes(text).map((each) => each?.join(' ') ?? '\n');
      assert.deepEqual(found.flatMap((line, i) => (i ? ['\n', ...line] : line)), expected);
    }
    shiki.dispose();
  }
});

/** The classes of each character of HTML, and its text. */
function parsed(html) {
  let text = '';
  const names = [];
  let open = null;
  for (const [, name, close, piece] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|((?:&[^;]+;|[^<&])+)/g)) {
    if (name || close) {
      assert.equal(!open, !close, 'no span is inside another');
      open = name ?? null;
      continue;
    }
    const written = piece.replace(/&[^;]+;/g, (each) => ({ '&quot;': '"', '&#x27;': "'", '&lt;': '<', '&gt;': '>', '&amp;': '&' })[each]);
    text += written;
    names.push(...Array(written.length).fill(open));
  }
  return { text, names };
}

test('highlight.js keeps every text and colours what the grammar colours', () => {
  all.hljs.registerLanguage('cpz', all.language);
  for (const text of texts) {
    const { value, illegal } = all.hljs.highlight(text, { language: 'cpz' });
    const found = parsed(value);
    assert.equal(found.text, text);
    assert.equal(illegal, false);
    const expected = text.includes('\r') ? [] : scopes(text);
    expected.forEach((each, i) => {
      if (each && /\S/.test(text[i])) {
        assert.equal(found.names[i] !== null, isColoured(each), `${text.slice(i, i + 20)}: ${found.names[i]}, ${each.join(' ')}`);
      }
    });
  }
  const text = 'solitaire "Row" {\n  board R N (two men)\n  solve => a1xb1 // one\n}\n';
  assert.equal(
    all.hljs.highlight(text, { language: 'cpz' }).value,
    '<span class="hljs-keyword">solitaire</span> <span class="hljs-title">&quot;Row&quot;</span> <span class="hljs-punctuation">{</span>\n' +
      '  <span class="hljs-keyword">board</span> <span class="hljs-literal">R N</span> <span class="hljs-comment">(two men)</span>\n' +
      '  <span class="hljs-built_in">solve</span> <span class="hljs-operator">=&gt;</span> <span class="hljs-literal">a1xb1</span> <span class="hljs-comment">// one</span>\n' +
      '<span class="hljs-punctuation">}</span>\n',
  );
  assert.equal(all.hljs.highlightAuto('solitaire { solve }').language, undefined);
  const tree = all.createLowlight({ cpz: all.language }).highlight('cpz', 'count');
  assert.deepEqual(tree.children[0].properties.className, ['hljs-built_in']);
});

/** The tags of each character, by the names that the language has for them. */
function tagged(tree, length) {
  const kinds = Object.entries(all.tags).filter(([, tag]) => typeof tag !== 'function').map(([name, tag]) => ({ tag, class: name }));
  const found = Array(length).fill(null);
  all.highlightTree(tree, all.tagHighlighter(kinds), (from, to, name) => found.fill(name, from, to));
  return found;
}

test('CodeMirror colours what the grammar colours', () => {
  for (const text of texts.map(plain)) {
    const found = tagged(all.cpzLanguage.parser.parse(text), text.length);
    scopes(text).forEach((each, i) => {
      if (each && /\S/.test(text[i])) {
        assert.equal(found[i] !== null, isColoured(each), `${text.slice(i, i + 20)}: ${found[i]}, ${each.join(' ')}`);
      }
    });
  }
  const text = 'chess "A" { size 8 mate in 2 => Qg7 (why) } // end';
  const found = tagged(all.cpzLanguage.parser.parse(text), text.length);
  const at = (piece) => found[text.indexOf(piece)];
  assert.deepEqual(
    ['chess', '"A"', '{', 'size', '8', 'mate', 'in', '2', '=>', 'Qg7', '(why)', '//'].map(at),
    ['definitionKeyword', 'typeName', 'brace', 'propertyName', 'number', 'variableName', 'keyword', 'number', 'operator', 'variableName', 'blockComment', 'lineComment'],
  );
});

test('CodeMirror reads an edited text as it reads the whole', () => {
  let seed = 7;
  const below = (limit) => (seed = (seed * 48271) % 2147483647) % limit;
  for (const text of texts.map(plain).filter((each) => each.length > 40)) {
    let state = all.EditorState.create({ doc: text, extensions: [all.cpz()] });
    for (let i = 0; i < 6; i++) {
      all.ensureSyntaxTree(state, state.doc.length, 1e9);
      const from = below(state.doc.length);
      const insert = ['"', '{', '}', ' board ', 'x', '\n', '['][below(7)];
      state = state.update({ changes: { from, to: Math.min(from + below(3), state.doc.length), insert } }).state;
    }
    const tree = all.ensureSyntaxTree(state, state.doc.length, 1e9);
    const whole = all.cpzLanguage.parser.parse(state.doc.toString());
    assert.deepEqual(tagged(tree, state.doc.length), tagged(whole, state.doc.length));
  }
});

test('CodeMirror has the comments of the language', () => {
  const state = all.EditorState.create({ doc: 'chess { }', extensions: [all.cpz()] });
  assert.deepEqual(state.languageDataAt('commentTokens', 3), [{ line: '//' }]);
});

test('the programs of the manual print what stands there, and have types', () => {
  const page = readFileSync(join(root, 'docs', 'highlighting.md'), 'utf8');
  const programs = [...page.matchAll(/```js\n(.+?)```\s+```text\n(.+?)```/gs)];
  assert.equal(programs.length, 3);
  const files = programs.map(([, program, expected], i) => {
    const file = join(project, `highlighting-${i}.mts`);
    writeFileSync(file, program);
    writeFileSync(file.replace('.mts', '.mjs'), program);
    const { stdout, stderr } = spawnSync(process.execPath, [file.replace('.mts', '.mjs')], { cwd: project, encoding: 'utf8' });
    assert.equal(stdout + stderr, expected);
    return file;
  });
  const compiler = join(here, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom'];
  assert.equal(spawnSync(process.execPath, [compiler, ...options, ...files], { cwd: project, encoding: 'utf8' }).stdout, '');
});
