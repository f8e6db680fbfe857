// What the tests share: the installed package, the examples and the program.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder of the project that has the package, and that of the repository. */
export const project = process.env.CPZ_PROJECT;
export const root = join(import.meta.dirname, '..', '..', '..');
/** The folder of the package. */
export const folder = join(project, 'node_modules', 'cpz-lang');

/** The package, as a file of the project imports it. */
export const cpz = await import(pathToFileURL(join(project, 'package.mjs')).href);

/** The texts of the examples, with their paths. */
export const examples = ['collection', 'mistakes'].flatMap((name) => {
  const path = join(root, 'examples', name);
  const files = readdirSync(path).filter((file) => file.endsWith('.cpz')).sort();
  return files.map((file) => [join(name, file), readFileSync(join(path, file), 'utf8')]);
});

/** What the program prints of a text on its input, in a folder without puzzles. */
export function printed(words, input = '') {
  const { stdout, error } = spawnSync(process.env.CPZ, words, { input, cwd: project, encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(error, undefined);
  return stdout;
}

/** A schema as the program prints it. */
export function schema(name) {
  return JSON.parse(execFileSync(process.env.CPZ, ['schema', name], { encoding: 'utf8' }));
}
