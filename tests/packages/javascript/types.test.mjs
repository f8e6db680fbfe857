// The types against the functions, the results and the manual.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import ts from 'typescript';
import { cpz, examples, folder, project, root } from './installed.mjs';

const here = import.meta.dirname;
const work = join(project, 'types');
mkdirSync(work, { recursive: true });

const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--skipLibCheck', 'false'];
const NODE = ['--module', 'nodenext', '--types', 'node', '--typeRoots', join(here, 'node_modules', '@types'), '--lib', 'es2022'];
const BUNDLER = ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom'];

/** Compiles files of the work folder and returns what the compiler says. */
function compile(files, options) {
  const compiler = join(here, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, ...STRICT, ...options, ...files], { cwd: work, encoding: 'utf8' });
  return stdout;
}

/** The programs of the manual and of the page of the package, as files. */
function programs() {
  const pages = ['docs/javascript.md', 'packages/npm/README.md'].map((path) => readFileSync(join(root, path), 'utf8'));
  const found = [...pages.join('\n').matchAll(/```js\n(.+?)```/gs)].map(([, program], i) => [`manual-${i}.mts`, program]);
  assert.ok(found.length >= 4);
  for (const [name, program] of found) {
    writeFileSync(join(work, name), program);
  }
  return found.map(([name]) => name);
}

test('the programs of the manual and of the tests compile, and wrong ones do not', () => {
  for (const name of ['right.mts', 'wrong.mts', 'required.cts']) {
    copyFileSync(join(here, 'types', name), join(work, name));
  }
  const files = [...programs(), 'right.mts', 'wrong.mts'];
  assert.equal(compile([...files, 'required.cts'], NODE), '');
  assert.equal(compile(['right.mts', 'wrong.mts'], BUNDLER), '');
  // The file of wrong programs expects an error in each.
  const wrong = readFileSync(join(work, 'wrong.mts'), 'utf8').replaceAll('// @ts-expect-error', '//');
  writeFileSync(join(work, 'unexpected.mts'), wrong);
  const errors = compile(['unexpected.mts'], NODE).match(/error TS/g);
  assert.equal(errors.length, wrong.match(/^\/\//gm).length);
});

test('every result has its type', async () => {
  const values = { CheckDocument: [], SolveDocument: [], ExportDocument: [], Converted: [], Imported: [], Exported: [], Generated: [], LinesDocument: [] };
  const authors = { RateDocument: [], HintDocument: [], StatsDocument: [], RepairDocument: [], Printed: [], Fixed: [] };
  Object.assign(values, authors, { Explanation: [await cpz.explain('cook'), await cpz.explain('mate')], Code: await cpz.codes() });
  for (const [path, text] of examples) {
    values.CheckDocument.push(await cpz.check(text, { hints: true, path }));
    values.SolveDocument.push(await cpz.solve(text, { tree: true, budget: 2000, path }));
    const exported = await cpz.exportText(text, 'json', { budget: 2000, path });
    values.ExportDocument.push(JSON.parse(exported.text));
    values.Exported.push(await cpz.exportText(text, 'epd', { budget: 2000 }));
    values.Imported.push(await cpz.importText(text.slice(0, 2000), { fromFormat: 'solitaire' }));
    values.Converted.push(await cpz.convert(text, 'fen'));
    values.RateDocument.push(await cpz.rate(text, { budget: 2000, path }));
    values.HintDocument.push(await cpz.hint(text, { budget: 2000, path }));
    values.StatsDocument.push(await cpz.stats(text, { budget: 2000 }));
    values.RepairDocument.push(await cpz.repair(text, { budget: 2000, max: 1 }));
    values.Printed.push(await cpz.printText(`${text}\nsolitaire { board RN.. solve }`, { budget: 2000, to: 'latex' }));
    values.Fixed.push(await cpz.fix(text, { budget: 2000 }));
  }
  for (const line of (await cpz.exportText(examples[0][1], 'jsonl')).text.trim().split('\n')) {
    values.LinesDocument.push(JSON.parse(await cpz.answerLine(line)));
  }
  values.LinesDocument.push(JSON.parse(await cpz.answerLine('x')));
  values.Generated.push(await cpz.generate('solitaire'));
  const lines = Object.entries(values).map(([type, all]) => `export const all${type}: cpz.${type}[] = ${JSON.stringify(all)};`);
  const program = (text) => ["import type * as cpz from 'cpz-lang';", text].join('\n');
  writeFileSync(join(work, 'results.mts'), program(lines.join('\n')));
  assert.equal(compile(['results.mts'], NODE), '');
  // A member of a wrong name or type would be seen.
  const damaged = lines.map((line) => line.replace('"line":', '"lime":')).filter((line, i) => line !== lines[i]);
  assert.ok(damaged.length > 3);
  writeFileSync(join(work, 'damaged.mts'), program(damaged.join('\n')));
  assert.equal(compile(['damaged.mts'], NODE).match(/error TS/g).length, damaged.length);
});

/** The declarations of the package as the compiler reads them. */
function declarations() {
  const program = ts.createProgram([join(folder, 'lib', 'index.d.ts')], { target: ts.ScriptTarget.ES2022 });
  const checker = program.getTypeChecker();
  const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(join(folder, 'lib', 'index.d.ts'))));
  return { checker, symbols };
}

test('the types name the functions and their options', async () => {
  const { checker, symbols } = declarations();
  const declared = symbols.filter((symbol) => symbol.flags & ts.SymbolFlags.Function);
  assert.deepEqual(declared.map((symbol) => symbol.name).sort(), Object.keys(cpz).sort());
  for (const symbol of declared.filter(({ name }) => !['init', 'format', 'explain', 'codes', 'schema'].includes(name))) {
    const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(symbol), ts.SignatureKind.Call);
    const types = signature.getParameters().map((parameter) => checker.getNonNullableType(checker.getTypeOfSymbol(parameter)));
    const names = types.at(-1).getProperties().map((option) => option.name);
    // The function itself lists its options when it gets another one.
    const given = [...Array(types.length - 1)].map((_, i) => ['', { convert: 'fen', sort: 'name' }[symbol.name] ?? 'json'][i]);
    const error = await cpz[symbol.name](...given, { nonsense: true }).catch((each) => each);
    assert.equal(error.message, `${symbol.name} has no option \`nonsense\`; its options are ${names.sort().join(', ')}`);
  }
});

test('the types name the formats, games, themes and languages', async () => {
  const { checker, symbols } = declarations();
  const values = (type) => checker.getNonNullableType(type).types.map((each) => each.value).sort();
  const union = (name) => values(checker.getDeclaredTypeOfSymbol(symbols.find((symbol) => symbol.name === name)));
  const member = (name, option) => {
    const type = checker.getDeclaredTypeOfSymbol(symbols.find((symbol) => symbol.name === name));
    return values(checker.getTypeOfSymbol(type.getProperty(option)));
  };
  const offered = async (promise) => {
    const { message } = await promise.catch((error) => error);
    return message.match(/choose one of (.+)$/)[1].split(', ').sort();
  };
  assert.deepEqual(union('BoardFormat'), await offered(cpz.convert('', '?')));
  // A package of cards is bytes, and has a signature of its own.
  assert.deepEqual([...union('ExportFormat'), 'anki'].sort(), await offered(cpz.exportText('', '?')));
  assert.deepEqual(union('ImportFormat'), await offered(cpz.importText('', { fromFormat: '?' })));
  assert.deepEqual(union('Game'), await offered(cpz.exportText('', 'json', { games: ['?'] })));
  assert.deepEqual(member('DrawOptions', 'theme'), await offered(cpz.draw('', { theme: '?' })));
  assert.deepEqual(union('SortKey'), await offered(cpz.sort('', '?')));
  assert.deepEqual(union('SchemaName'), await offered(cpz.schema('?')));
  assert.deepEqual(union('Placement'), await offered(cpz.printText('', { hints: '?' })));
  for (const option of ['to', 'theme', 'paper', 'form', 'difficulty', 'language']) {
    assert.deepEqual(member('PrintOptions', option), await offered(cpz.printText('', { [option]: '?' })));
  }
  assert.deepEqual(member('ImportOptions', 'letters'), await offered(cpz.importText('', { letters: '?' })));
});
