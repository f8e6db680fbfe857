// Runs the tests in `extension/` inside the extension host of a VS Code window.
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Server, browser, until } from './vscode.mjs';
import { write } from './workbench.mjs';

const tests = join(dirname(fileURLToPath(import.meta.url)), 'extension');

const board = `  board
    . . . N
    . . . .
    . R . .
    . . B .
`;
const files = {
  'wrong.cpz': `solitaire "Wrong" {\n${board}  solve => [[[2,0], [1,1]], [[1,1], [3,2]]]\n}\n`,
  'question.cpz': `solitaire "Question" {\n${board}  solve\n}\n`,
  'deep/move.cpz': 'chess "Too far" {\n  board 4k3/8/8/8/8/8/8/4K1N1\n  move Ne4\n}\n',
};

export async function hostTests(version, home, extensions, report) {
  const folder = join(home, 'folder');
  mkdirSync(folder, { recursive: true });
  write(folder, files);
  // Its own server: `--enable-smoke-test-driver` hides notifications, which the scenes check.
  const server = new Server(version, home, extensions);
  server.settings();
  await server.start(['--enable-smoke-test-driver']);
  const context = await browser(home);
  try {
    const page = await context.newPage();
    let code;
    const log = [];
    await page.exposeFunction('codeAutomationLog', (_, args) => log.push(args.join(' ')));
    await page.exposeFunction('codeAutomationExit', given => (code = given));
    await page.goto(
      server.url(folder, undefined, [
        ['extensionDevelopmentPath', tests],
        ['extensionTestsPath', join(tests, 'index.js')],
      ]),
    );
    const end = until(() => code !== undefined, 'the end of the tests in the extension host');
    const late = await end.then(
      () => undefined,
      error => error.message,
    );
    const results = join(folder, 'results.json');
    const all = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : [];
    for (const { name, ok, why, ms } of all) {
      report(ok, `extension host: ${name}`, why?.replace(/\n/g, '\n        '), ms);
    }
    // Check the exit code too: a host that ended early has written fewer results, all of them good.
    const passed = all.length > 0 && all.every(({ ok }) => ok);
    if (late || passed !== (code === 0)) {
      report(false, 'extension host: runs to the end', late ?? `the exit code is ${code}: ${log.slice(-20).join('\n')}`);
    }
  } finally {
    await context.close();
    server.stop();
  }
}
