// Tests that run inside the extension host and use the API of VS Code.
const assert = require('node:assert/strict');
const { accessSync, constants, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const vscode = require('vscode');

const tests = [];
const test = (name, run) => tests.push({ name, run });
const folder = () => vscode.workspace.workspaceFolders[0].uri;
const file = name => vscode.Uri.joinPath(folder(), name);
const cpz = () => vscode.extensions.getExtension('cpz.cpz');

/** The limit of every wait, as in ../vscode.mjs; the page that runs the tests waits a little longer. */
const HUNG = 590_000;

async function until(get, what) {
  for (const end = Date.now() + HUNG; ; await sleep(30)) {
    const value = await get();
    if (value) return value;
    if (Date.now() > end) assert.fail(`hung on ${typeof what === 'function' ? what() : what}`);
  }
}

const findings = (uri, source = 'cpz') => vscode.languages.getDiagnostics(uri).filter(found => found.source === source);
const codeOf = found => (typeof found.code === 'object' ? found.code.value : found.code);
const codes = (uri, source) => findings(uri, source).map(codeOf).sort();
const shown = uri => () => `the findings are ${JSON.stringify(vscode.languages.getDiagnostics(uri))}`;

async function show(name) {
  const document = await vscode.workspace.openTextDocument(typeof name === 'string' ? file(name) : name);
  return vscode.window.showTextDocument(document);
}

const cursor = (editor, line, column) => {
  editor.selection = new vscode.Selection(line, column, line, column);
};

/** Discards the edits of a test. */
async function revert(editor) {
  await vscode.window.showTextDocument(editor.document);
  await vscode.commands.executeCommand('workbench.action.files.revert');
  await until(() => !editor.document.isDirty, 'the document reverted');
}

test('activation: a folder with puzzles activates the extension', async () => {
  assert.ok(cpz(), 'it is installed');
  await until(() => cpz().isActive, 'it is active');
});

test('commands: every command of package.json is registered', async () => {
  const registered = new Set(await vscode.commands.getCommands(true));
  const declared = cpz().packageJSON.contributes.commands.map(({ command }) => command);
  assert.ok(declared.length > 10);
  assert.deepEqual(declared.filter(command => !registered.has(command)), []);
});

test('findings: an open file has findings with range, severity and message', async () => {
  await show('wrong.cpz');
  await until(() => codes(file('wrong.cpz')).includes('wrong-solution'), shown(file('wrong.cpz')));
  const [found] = findings(file('wrong.cpz')).filter(f => codeOf(f) === 'wrong-solution');
  assert.match(found.message, /^“Wrong”: step 2 fails/);
  assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
  assert.deepEqual(found.range, new vscode.Range(6, 28, 6, 42));
});

test('findings: a file that is not open has findings', async () => {
  const uri = file('deep/move.cpz');
  assert.ok(!vscode.workspace.textDocuments.some(d => d.uri.path === uri.path), 'it is not open');
  await until(() => codes(uri).includes('illegal-move'), shown(uri));
});

test('findings: an untitled document has findings', async () => {
  const content = 'chess {\n  board 4k3/8/8/8/8/8/8/4K1N1\n  move Ne4\n}\n';
  const document = await vscode.workspace.openTextDocument({ language: 'cpz', content });
  const editor = await vscode.window.showTextDocument(document);
  assert.equal(document.isUntitled, true);
  await until(() => codes(document.uri).includes('illegal-move'), shown(document.uri));
  await editor.edit(edit => edit.replace(new vscode.Range(2, 7, 2, 10), 'Nf3'));
  await until(() => !codes(document.uri).length, shown(document.uri));
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
});

test('Insert Solution inserts the answer as one undo step', async () => {
  const editor = await show('question.cpz');
  const { document } = editor;
  const before = document.getText();
  cursor(editor, 6, 4);
  await vscode.commands.executeCommand('cpz.insertSolution');
  await until(() => document.getText() !== before, 'another text');
  const after = document.getText();
  const lines = before.split('\n');
  assert.match(document.lineAt(6).text, /^ {2}solve => c1xb2 b2xd4$/);
  // All other lines are unchanged.
  assert.deepEqual(after.split('\n').filter((_, n) => n !== 6), lines.filter((_, n) => n !== 6));
  await vscode.commands.executeCommand('undo');
  await until(() => document.getText() === before, () => `the text as it was; it is\n${document.getText()}`);
  await vscode.commands.executeCommand('redo');
  await until(() => document.getText() === after, () => `the answer again; there is\n${document.getText()}`);
  await revert(editor);
});

test('Convert Board… offers formats, and each conversion keeps the puzzle valid', async () => {
  const editor = await show('question.cpz');
  const { document } = editor;
  const before = document.getText();
  const request = () =>
    vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      document.uri,
      new vscode.Range(3, 4, 3, 4),
      'refactor.rewrite.convert',
    );
  const actions = await until(async () => {
    const all = (await request()).filter(action => action.kind?.value === 'refactor.rewrite.convert');
    return all.length && all;
  }, 'actions of the kind refactor.rewrite.convert');
  const titles = actions.map(({ title }) => title);
  assert.ok(titles.length >= 2, titles.join());
  for (const title of titles) {
    // VS Code gives no actions when it is told of a change of the text while it asks for them.
    const action = await until(async () => (await request()).find(a => a.title === title), title);
    assert.ok(action.edit, `${title} has an edit`);
    assert.ok(await vscode.workspace.applyEdit(action.edit), title);
    assert.notEqual(document.getText(), before, title);
    const others = () => codes(document.uri).filter(code => code !== 'duplicate-puzzle');
    await until(() => !others().length, shown(document.uri));
    await revert(editor);
    assert.equal(document.getText(), before);
  }
});

test('Convert Board… works while other extensions register actions', async () => {
  const editor = await show('question.cpz');
  const { document } = editor;
  cursor(editor, 3, 4);
  let converted = false;
  const command = vscode.commands.executeCommand('cpz.convertBoard').then(() => (converted = true));
  const others = async () => {
    for (let n = 0; n < 100; n++) {
      vscode.languages.registerCodeActionsProvider('cpz', { provideCodeActions: () => [] }).dispose();
      await sleep(1);
    }
    // The first row, as soon as the list of formats is open.
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return converted;
    }, 'a format chosen');
  };
  await Promise.all([command, others()]);
  assert.ok(document.isDirty, 'the board is converted');
  await revert(editor);
});

test('Restart Server: findings are updated after a restart', async () => {
  const editor = await show('question.cpz');
  const { document } = editor;
  await vscode.commands.executeCommand('cpz.restartServer');
  await until(() => codes(file('wrong.cpz')).includes('wrong-solution'), shown(file('wrong.cpz')));
  assert.ok(!codes(document.uri).includes('unknown-keyword'));
  await editor.edit(edit => edit.replace(new vscode.Range(6, 2, 6, 7), 'slove'));
  await until(() => codes(document.uri).includes('unknown-keyword'), shown(document.uri));
  await revert(editor);
  await until(() => !codes(document.uri).includes('unknown-keyword'), shown(document.uri));
});

test('Toggle Line Comment adds and removes //', async () => {
  const editor = await show('question.cpz');
  const { document } = editor;
  cursor(editor, 6, 4);
  await vscode.commands.executeCommand('editor.action.commentLine');
  await until(() => document.lineAt(6).text === '  // solve', () => `a comment; there is ${document.lineAt(6).text}`);
  await vscode.commands.executeCommand('editor.action.commentLine');
  await until(() => document.lineAt(6).text === '  solve', () => `no comment; there is ${document.lineAt(6).text}`);
  await revert(editor);
});

test('task: `cpz: check` is provided with the problem matcher $cpz', async () => {
  const tasks = await vscode.tasks.fetchTasks({ type: 'cpz' });
  assert.deepEqual(tasks.map(task => `${task.source}: ${task.name}`), ['cpz: check']);
  const [task] = tasks;
  assert.deepEqual(task.problemMatchers, ['$cpz']);
  const matchers = cpz().packageJSON.contributes.problemMatchers;
  assert.deepEqual(matchers.map(({ name }) => name), ['cpz']);
  accessSync(task.execution.process, constants.X_OK);
  assert.ok(task.execution.process.startsWith(cpz().extensionPath), task.execution.process);
});

test('task: the findings of the task have ranges and severities', async () => {
  const uri = file('deep/move.cpz');
  assert.deepEqual(findings(uri, 'cpz check'), []);
  const [task] = await vscode.tasks.fetchTasks({ type: 'cpz' });
  const ended = new Promise(done => {
    const listener = vscode.tasks.onDidEndTaskProcess(({ exitCode }) => {
      listener.dispose();
      done(exitCode);
    });
  });
  await vscode.tasks.executeTask(task);
  assert.equal(await ended, 1);
  await until(() => codes(uri, 'cpz check').includes('illegal-move'), shown(uri));
  const [found] = findings(uri, 'cpz check');
  assert.equal(found.severity, vscode.DiagnosticSeverity.Error);
  assert.deepEqual([found.range.start.line, found.range.start.character], [2, 7]);
});

exports.run = async () => {
  const results = [];
  for (const { name, run } of tests) {
    const start = Date.now();
    try {
      await run();
      results.push({ name, ok: true, ms: Date.now() - start });
    } catch (error) {
      results.push({ name, ok: false, why: String(error.stack ?? error) });
    }
    // After each test, so that the results are known if the host dies.
    writeFileSync(join(folder().fsPath, 'results.json'), JSON.stringify(results));
  }
  const wrong = results.filter(({ ok }) => !ok).length;
  if (wrong) throw new Error(`${wrong} tests failed`);
};
