// Runs the tests of `extension/` inside the extension host of a window.
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

export async function hostTests(version, home, extensions, say) {
  const folder = join(home, 'folder');
  mkdirSync(folder, { recursive: true });
  write(folder, files);
  // Its own server: the switch for automation hides notifications, which scenes look at.
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
    const end = () => until(() => code !== undefined, 'the end of the tests in the extension host', 120000);
    const late = await end().then(
      () => undefined,
      error => error.message,
    );
    const results = join(folder, 'results.json');
    const all = existsSync(results) ? JSON.parse(readFileSync(results, 'utf8')) : [];
    for (const { name, ok, why, ms } of all) {
      say(ok, `extension host: ${name}`, why?.replace(/\n/g, '\n        '), ms);
    }
    // The editor's word counts too: a host that ended early has written fewer results, none of them wrong.
    const right = all.length > 0 && all.every(({ ok }) => ok);
    if (late || right !== (code === 0)) {
      say(false, 'extension host: runs to its end', late ?? `the editor says ${code}: ${log.slice(-20).join('\n')}`);
    }
  } finally {
    await context.close();
    server.stop();
  }
}
