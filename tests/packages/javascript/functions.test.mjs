// The functions against the program, on bad input, and in threads.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import Ajv from 'ajv/dist/2020.js';
import { cpz, examples, folder, printed, project, root, schema } from './installed.mjs';

const MATE = 'chess "Mate" { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 }';
const ROW = 'solitaire { board RN.. solve }';
const BOARD_FORMATS = ['text', 'list', 'numbers', 'coordinates', 'fen'];
const FILE_FORMATS = ['json', 'jsonl', 'csv', 'fen', 'epd', 'pgn', 'pdn', 'popeye', 'olv', 'markdown'];
const READ_FORMATS = ['json', 'fen', 'epd', 'pgn', 'pdn', 'popeye', 'olv'];
const BUDGET = 2000;
const BUDGETED = ['--budget', String(BUDGET), '--no-config', '-'];

test('every function gives what the program prints of the examples', async () => {
  assert.ok(examples.length > 10);
  for (const [path, text] of examples) {
    const checked = JSON.parse(printed(['check', '--hints', '--format', 'json', '--no-config', '-'], text));
    assert.deepEqual(await cpz.check(text, { hints: true }), checked, path);
    const solved = JSON.parse(printed(['solve', '--tree', '--format', 'json', ...BUDGETED], text));
    assert.deepEqual(await cpz.solve(text, { tree: true, budget: BUDGET }), solved, path);
    assert.equal(await cpz.format(text), printed(['fmt', '--force', '--no-config', '-'], text), path);
    for (const to of BOARD_FORMATS) {
      const converted = printed(['convert', '--force', '--to', to, '--no-config', '-'], text);
      assert.equal((await cpz.convert(text, to)).text, converted, `${path} to ${to}`);
    }
  }
});

test('functions for authors give what the program prints of the examples', async () => {
  const [keys, aims, formats] = [['difficulty', 'pieces', 'name', 'id'], ['unique', 'shorten', 'minimal'], ['html', 'typst', 'latex']];
  for (const [turn, [path, text]] of examples.entries()) {
    const document = (...words) => JSON.parse(printed([...words, '--format', 'json', ...BUDGETED], text));
    // The values of an option take turns.
    const [by, aim, to, grade] = [keys[turn % 4], aims[turn % 3], formats[turn % 3], 1 + (turn % 3)];
    assert.deepEqual(await cpz.rate(text, { budget: BUDGET }), document('rate'), path);
    assert.deepEqual(await cpz.hint(text, { grade, budget: BUDGET }), document('hint', '--grade', String(grade)), path);
    assert.deepEqual(await cpz.stats(text, { budget: BUDGET }), document('stats'), path);
    const repaired = await cpz.repair(text, { max: 2, [aim]: true, budget: BUDGET });
    assert.deepEqual(repaired, document('repair', '--max', '2', `--${aim}`), path);
    assert.equal(await cpz.plot(text, { budget: BUDGET }), printed(['stats', '--format', 'svg', ...BUDGETED], text), path);
    const sorted = await cpz.sort(text, by, { budget: BUDGET }).catch(() => text);
    assert.equal(sorted, printed(['sort', '--force', '--by', by, ...BUDGETED], text), path);
    const sheet = await cpz.printText(text, { to, budget: BUDGET }).catch(() => ({ text: '' }));
    assert.equal(sheet.text, printed(['print', '--to', to, ...BUDGETED], text), path);
    const file = join(project, 'fixed.cpz');
    writeFileSync(file, text);
    printed(['check', '--fix', '--force', '--budget', String(BUDGET), '--no-config', file]);
    assert.equal((await cpz.fix(text, { budget: BUDGET })).text, readFileSync(file, 'utf8'), path);
  }
});

test('the options of a sheet are those of the program', async () => {
  const text = `${MATE}\n${ROW}\nsolitaire { board ? }`;
  const look = { theme: 'wood', coordinates: false, paper: 'letter', perPage: 2, form: 'magazine' };
  const contents = { solutions: 'below', hints: 'below', addHints: true, difficulty: 'estimate', language: 'fr', title: 'Two' };
  const words = ['--theme', 'wood', '--coordinates', 'off', '--paper', 'letter', '--per-page', '2', '--form', 'magazine'];
  words.push('--solutions', 'below', '--hints', 'below', '--add-hints', '--difficulty', 'estimate', '--language', 'fr', '--title', 'Two');
  const sheet = await cpz.printText(text, { ...look, ...contents });
  assert.equal(sheet.text, printed(['print', ...words, '-'], text));
  assert.deepEqual([sheet.puzzles, sheet.left_out.map(({ line }) => line)], [2, [3]]);
  const chosen = { only: ['M*'], games: ['chess'], tags: [] };
  assert.equal((await cpz.printText(text, chosen)).text, printed(['print', '--only', 'M*', '--game', 'chess', '-'], text));
  for (const name of ['rate', 'hint', 'repair']) {
    const expected = printed([name, '--only', 'M*', '--game', 'chess', '--format', 'json', '-'], text);
    assert.deepEqual(await cpz[name](text, chosen), JSON.parse(expected));
  }
});

test('codes, keywords and schemas are those of the program', async () => {
  const listed = (await cpz.codes()).map((each) => `${each.code.padEnd(20)} ${each.severity.padEnd(8)} ${each.title}\n`);
  assert.equal(listed.join(''), printed(['explain', '--list']));
  const code = await cpz.explain('cook');
  assert.equal(`cook: ${code.title} (${code.severity})\n\n${code.text}`, printed(['explain', 'cook']));
  assert.deepEqual(await cpz.explain('mate'), { name: 'mate', severity: null, title: null, text: printed(['explain', 'mate']) });
  const [, names] = (await cpz.schema('?').catch((error) => error)).message.match(/choose one of (.+)$/);
  for (const name of names.split(', ')) {
    assert.deepEqual(await cpz.schema(name), schema(name));
  }
  // What a caller does with a schema is not seen by the next one.
  (await cpz.schema('check')).title = 'mine';
  assert.deepEqual(await cpz.schema('check'), schema('check'));
});

test('files of other programs are written and read as the program does', async () => {
  for (const [path, text] of examples) {
    for (const to of FILE_FORMATS) {
      const exported = await cpz.exportText(text, to, { budget: BUDGET });
      assert.equal(exported.text, printed(['export', '--to', to, ...BUDGETED], text), `${path} to ${to}`);
      if (READ_FORMATS.includes(to) && exported.text) {
        const imported = await cpz.importText(exported.text, { fromFormat: to });
        assert.equal(imported.text, printed(['import', '--from', to, '-'], exported.text), `${path} from ${to}`);
      }
    }
  }
});

test('a package of cards is that of the program, and the time is now', async () => {
  const options = { input: MATE, env: { ...process.env, SOURCE_DATE_EPOCH: '1800000000' }, maxBuffer: 1 << 28 };
  const { stdout } = spawnSync(process.env.CPZ, ['export', '--to', 'anki', '--solve', '--no-config', '-'], options);
  const { bytes, ...rest } = await cpz.exportText(MATE, 'anki', { solve: true, time: 1_800_000_000 });
  assert.deepEqual(Buffer.from(bytes), stdout);
  assert.deepEqual(rest, { puzzles: 1, notes: [] });
  const now = await cpz.exportText(MATE, 'anki', { solve: true });
  assert.equal(now.bytes.length, bytes.length);
  assert.notDeepEqual(now.bytes, bytes);
});

test('lines are answered as the program does', async () => {
  const lines = [ROW, 'x', '', '{'];
  for (const [, text] of examples) {
    lines.push(...(await cpz.exportText(text, 'jsonl', { budget: BUDGET })).text.split('\n').filter(Boolean));
  }
  const expected = printed(['lines', '--budget', String(BUDGET)], lines.join('\n')).trimEnd().split('\n');
  assert.equal(expected.length, lines.length);
  for (const [i, line] of lines.entries()) {
    assert.equal(await cpz.answerLine(line, { number: i + 1, budget: BUDGET }), expected[i]);
  }
  assert.equal(JSON.parse(await cpz.answerLine(Uint8Array.of(0xff), { number: 7 })).line, 7);
});

test('pictures and new puzzles are those of the program', async () => {
  for (const [path, text] of examples.slice(0, 8)) {
    const svg = await cpz.draw(text, { only: '1', theme: 'grey', size: 320 });
    assert.equal(svg, printed(['draw', '--only', '1', '--theme', 'grey', '--size', '320', '-'], text), path);
  }
  for (const seed of [1, 2]) {
    const made = await cpz.generate('solitaire', { count: 3, seed, pieces: 5, unique: true, size: '4x3' });
    const words = ['--count', '3', '--seed', String(seed), '--pieces', '5', '--unique', '--size', '4x3'];
    assert.equal(made.text, printed(['generate', 'solitaire', ...words]));
    assert.equal(made.puzzles, 3);
  }
  const tactics = join(root, 'examples', 'collection', 'tactics.cpz');
  const old = 'solitaire "First" { board RN.. solve }\n';
  const { summary, puzzles } = await cpz.diff(old, old.replace('RN..', 'R.N.'));
  assert.deepEqual(summary, { added: 0, removed: 0, changed: 1, unchanged: 0 });
  assert.deepEqual(puzzles[0].board.men, [{ change: 'moved', piece: 'knight', from: 'b2', to: 'a1' }]);
  assert.match(await cpz.diffMarkdown('', old + old, { max: 1 }), /1 more puzzle differs/);
  const cube = await cpz.generate('chess3d', { seed: 5, size: '3' });
  assert.equal(cube.text, printed(['generate', 'chess3d', '--seed', '5', '--size', '3']));
  const made = await cpz.generate('chess', { count: 2, mate: 1, positions: readFileSync(tactics, 'utf8') });
  assert.equal(made.text, printed(['generate', 'chess', '--count', '2', '--mate', '1', '--from', tactics]));
  assert.equal(made.puzzles, 2);
});

test('the documents match the JSON schemas', async () => {
  const ajv = new Ajv({ strict: false });
  const valid = { check: ajv.compile(schema('check')), solve: ajv.compile(schema('solve')), export: ajv.compile(schema('export')) };
  for (const [path, text] of examples) {
    const exported = JSON.parse((await cpz.exportText(text, 'json', { budget: BUDGET })).text);
    const documents = { check: await cpz.check(text), solve: await cpz.solve(text, { tree: true, budget: BUDGET }), export: exported };
    for (const [name, document] of Object.entries(documents)) {
      assert.ok(valid[name](document), `${path}: ${name}: ${ajv.errorsText(valid[name].errors)}`);
    }
  }
  assert.ok(!valid.check({ version: 1, files: [] }));
});

test('options change the result', async () => {
  const wrong = 'chess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }';
  assert.equal((await cpz.check(wrong, { path: 'a.cpz' })).files[0].path, 'a.cpz');
  assert.equal((await cpz.check(wrong)).summary.errors, 1);
  assert.equal((await cpz.check(wrong, { config: '[severity]\nillegal-move = "off"' })).summary.errors, 0);
  assert.equal((await cpz.exportText(MATE + ROW, 'json', { games: ['chess'] })).puzzles, 1);
  assert.equal((await cpz.exportText(MATE + ROW, 'json', { only: ['Ma*'] })).puzzles, 1);
  const long = 'chess { board 8/B7/4R1P1/4KR2/8/7k/8/N5b1 w - - 0 1 mate in 4 }';
  const verdict = async (options) => JSON.parse((await cpz.exportText(long, 'json', options)).text).puzzles[0].queries[0].verdict;
  assert.deepEqual([await verdict({}), await verdict({ solve: true })], ['undecided', 'unanswered']);
  assert.deepEqual(await cpz.check(ROW, { budget: undefined, path: undefined }), await cpz.check(ROW));
});

test('a file may be a string, bytes in UTF-8 or Latin-1, or a part of a buffer', async () => {
  const pgn = '[Event "Fußball"]\n[SetUp "1"]\n[FEN "7k/8/5KQ1/8/8/8/8/8 w - - 0 1"]\n\n1. Qg7# 1-0\n';
  const expected = await cpz.importText(pgn);
  assert.equal(expected.puzzles, 1);
  assert.match(expected.text, /Fußball/);
  const utf8 = new TextEncoder().encode(pgn);
  const within = new Uint8Array([0, 0, ...utf8, 0, 0]).subarray(2, 2 + utf8.length);
  const latin1 = Uint8Array.from(pgn, (c) => c.codePointAt(0));
  for (const file of [utf8, utf8.buffer, within, latin1, Buffer.from(pgn), new DataView(utf8.buffer)]) {
    assert.deepEqual(await cpz.importText(file), expected);
  }
});

test('values of a wrong type are a TypeError, wrong values a RangeError', async () => {
  const type = (promise, message) => assert.rejects(promise, (error) => error.constructor === TypeError && message.test(error.message));
  const range = (promise, message) => assert.rejects(promise, (error) => error.constructor === RangeError && message.test(error.message));
  for (const wrong of [undefined, null, 1, true, {}, [ROW], Symbol('x'), 10n, () => ROW, new String(ROW)]) {
    for (const name of ['check', 'solve', 'format', 'draw', 'fix', 'repair', 'printText', 'rate', 'hint', 'stats', 'plot']) {
      await type(cpz[name](wrong), /the text must be a string, not /);
    }
    for (const name of ['diff', 'diffMarkdown']) {
      await type(cpz[name](wrong, ROW), /the old text must be a string, not /);
      await type(cpz[name](ROW, wrong), /the new text must be a string, not /);
    }
    await type(cpz.convert(ROW, wrong), /the format must be a string/);
    await type(cpz.exportText(ROW, wrong), /the format must be a string/);
    await type(cpz.generate(wrong), /the game must be a string/);
    await type(cpz.sort(wrong, 'name'), /the text must be a string/);
    await type(cpz.sort(ROW, wrong), /the key to sort by must be a string/);
    await type(cpz.explain(wrong), /the code or keyword must be a string/);
    await type(cpz.schema(wrong), /the name of the document must be a string/);
    await type(cpz.importText(wrong), /the file must be a string, a Uint8Array or an ArrayBuffer/);
    await type(cpz.answerLine(wrong), /the line must be a string, a Uint8Array or an ArrayBuffer/);
    if (wrong !== undefined) {
      await type(cpz.check(ROW, { path: wrong }), /path/);
      await type(cpz.exportText(ROW, 'json', { only: [wrong] }), /only/);
    }
  }
  for (const options of [null, 7, 'hints', [], true]) {
    await type(cpz.check(ROW, options), /the options of check must be an object/);
  }
  for (const budget of ['1', 1.5, NaN, Infinity, true, null, [1], {}, 1n]) {
    await type(cpz.check(ROW, { budget }), /budget/);
  }
  for (const budget of [0, -1, 1e9, 2 ** 53, 2 ** 64, 1e30]) {
    await range(cpz.check(ROW, { budget }), /budget/);
  }
  await type(cpz.check(ROW, { hints: 1 }), /`hints` must be true or false/);
  await type(cpz.check(ROW, { signal: AbortSignal.timeout(1) }), /`signal`/);
  await type(cpz.exportText(ROW, 'json', { tags: 'a' }), /`tags` must be an array of strings/);
  await range(cpz.convert(ROW, 'fan'), /choose one of text, list/);
  await range(cpz.check(ROW, { config: 'rulez = 1' }), /configuration/);
  await range(cpz.draw(ROW, { size: 2 ** 40 }), /`size` is too large/);
  await range(cpz.draw(ROW, { to: 'png' }), /PNG/);
  await range(cpz.draw(ROW + ROW), /2 puzzles/);
  await range(cpz.sort(ROW, 'colour'), /choose one of difficulty, pieces/);
  await range(cpz.hint(ROW, { grade: 4 }), /between 1 and 3/);
  await range(cpz.repair(ROW, { unique: true, shorten: true }), /choose one of/);
  await range(cpz.printText(ROW, { perPage: 13 }), /between 1 and 12/);
  await range(cpz.explain('cok'), /did you mean `cook`/);
  await range(cpz.schema('toString'), /choose one of/);
  await range(cpz.generate('chess', { mate: 1 }), /`positions`/);
  await range(cpz.importText(Uint8Array.of(0x1f, 0x8b, 8, 0)), /compressed by gzip/);
  await range(cpz.importText(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0)), /compressed by Zstandard/);
});

test('half of a character is an error, and is not replaced', async () => {
  for (const half of ['\ud800', 'a\udc00', `${ROW} # \ud83d`]) {
    const why = { name: 'RangeError', message: new RegExp(`lone surrogate.* index ${half.length - 1}`) };
    for (const name of ['check', 'solve', 'format', 'draw', 'importText']) {
      await assert.rejects(cpz[name](half), why, name);
    }
    await assert.rejects(cpz.check(ROW, { path: half }), why);
    await assert.rejects(cpz.exportText(ROW, 'json', { only: [half] }), why);
  }
  assert.equal(await cpz.format('# 😀\n'), '# 😀\n');
});

test('texts may be empty, long, or no puzzles at all', async () => {
  assert.equal((await cpz.check('')).summary.puzzles, 0);
  assert.equal(await cpz.format(''), '');
  assert.equal((await cpz.exportText('', 'csv')).puzzles, 0);
  const text = examples.map(([, each]) => each).join('\n');
  const long = text.repeat(Math.ceil((5 << 20) / text.length));
  const found = await cpz.check(long, { budget: BUDGET });
  assert.deepEqual(found.summary, JSON.parse(printed(['check', '--format', 'json', ...BUDGETED], long)).summary);
  for (const odd of ['\0', '}{', '{'.repeat(100_000), 'solitaire { board '.repeat(10_000), '\u2028\ufeff']) {
    assert.equal(typeof (await cpz.check(odd)).summary.errors, 'number');
    assert.equal(typeof (await cpz.format(odd)), 'string');
  }
});

test('calls at the same time do not disturb each other', async () => {
  const calls = Array.from({ length: 40 }, (_, i) => (i % 2 ? cpz.solve(MATE) : cpz.check('x', { hints: 1 }).catch((error) => error.name)));
  const results = await Promise.all(calls);
  const expected = await cpz.solve(MATE);
  results.forEach((result, i) => assert.deepEqual(result, i % 2 ? expected : 'TypeError'));
});

test('each thread has a module of its own, and a thread can be ended', async () => {
  const expected = await cpz.solve(MATE, { path: 'a' });
  const program = `
    const { parentPort } = require('node:worker_threads');
    const { solve } = require('cpz-lang');
    (async () => {
      for (let i = 0; i < 50; i++) parentPort.postMessage(await solve(${JSON.stringify(MATE)}, { path: 'a' }));
    })();`;
  const workers = Array.from({ length: 4 }, () => new Worker(program, { eval: true }));
  const results = workers.map((worker) => new Promise((done, fail) => {
    const found = [];
    worker.on('message', (result) => found.push(result)).on('error', fail).on('exit', () => done(found));
  }));
  for (const found of await Promise.all(results)) {
    assert.deepEqual(found, Array(50).fill(expected));
  }
  // The module is there when the thread says that it begins, and then the search keeps the thread.
  const endless = `
    const { parentPort } = require('node:worker_threads');
    const { solve } = require('cpz-lang');
    (async () => {
      await solve('solitaire { board RN.. solve }');
      parentPort.postMessage('begun');
      parentPort.postMessage(await solve('solitaire { board QQQQ QQQQ QQQQ QQQQ count }', { budget: 100_000_000 }));
    })();`;
  const worker = new Worker(endless, { eval: true });
  const messages = [];
  await new Promise((done, fail) => {
    worker.on('error', fail).on('message', (message) => {
      messages.push(message);
      done();
    });
  });
  assert.equal(await worker.terminate(), 1);
  assert.deepEqual(messages, ['begun']);
});

test('the next call works after a trap', async () => {
  // What the package exports has one module; a copy of it may have another.
  const { functions } = await import(pathToFileURL(join(folder, 'lib', 'functions.js')).href);
  const trapping = functions(async () => trapsAtTheSecondCall());
  assert.equal(await trapping.check(ROW), 1);
  const trapped = await trapping.check(ROW).catch((error) => error);
  assert.equal(trapped.constructor, Error);
  assert.match(trapped.message, /check was stopped/);
  assert.ok(trapped.cause instanceof WebAssembly.RuntimeError);
  assert.equal(await trapping.check(ROW), 1);
});

/** A module with the exports of the core, that answers its first call by 1 and traps at the second. */
function trapsAtTheSecondCall() {
  const [I32, END] = [0x7f, 0x0b];
  const name = (text) => [text.length, ...Buffer.from(text)];
  const section = (id, ...items) => [id, items.flat().length + 1, items.length, ...items.flat()];
  const code = (...body) => [body.length + 2, 0, ...body, END];
  const response = '{"ok":1}';
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [0x60, 1, I32, 1, I32], [0x60, 4, I32, I32, I32, I32, 1, I32], [0x60, 0, 1, I32]),
    ...section(3, [0], [1], [2]),
    ...section(5, [0, 1]),
    ...section(6, [I32, 1, 0x41, 0, END]),
    ...section(7, [...name('memory'), 2, 0], [...name('alloc'), 0, 0], [...name('call'), 0, 1], [...name('out'), 0, 2]),
    // alloc: 1024. call: if global 0 then unreachable; global 0 = 1; the length of the response. out: 0.
    ...section(10, code(0x41, 0x80, 8), code(0x23, 0, 0x04, 0x40, 0, END, 0x41, 1, 0x24, 0, 0x41, response.length), code(0x41, 0)),
    ...section(11, [0, 0x41, 0, END, ...name(response)]),
  ]);
}

test('a module that cannot be loaded is loaded again by the next call', async () => {
  const { functions } = await import(pathToFileURL(join(folder, 'lib', 'functions.js')).href);
  let attempts = 0;
  const flaky = functions(async () => {
    attempts++;
    if (attempts === 1) {
      throw new Error('no network');
    }
    return readFileSync(join(folder, 'lib', 'cpz.wasm'));
  });
  await assert.rejects(flaky.check(ROW), /no network/);
  assert.equal((await flaky.check(ROW)).summary.errors, 0);
  await flaky.check(ROW);
  assert.equal(attempts, 2);
});

test('require gives the same functions, and init takes bytes and modules', async () => {
  const required = createRequire(join(project, 'x.js'))('cpz-lang');
  assert.deepEqual(Object.keys(required).sort(), Object.keys(cpz).sort());
  assert.deepEqual(await required.check(ROW), await cpz.check(ROW));
  const bytes = readFileSync(join(folder, 'lib', 'cpz.wasm'));
  for (const source of [bytes, new WebAssembly.Module(bytes), Promise.resolve(bytes)]) {
    await cpz.init(source);
    assert.equal((await cpz.check(ROW)).summary.puzzles, 1);
  }
  await assert.rejects(cpz.init(Uint8Array.of(1, 2, 3)), WebAssembly.CompileError);
  await cpz.init();
  assert.equal((await cpz.check(ROW)).summary.puzzles, 1);
});
