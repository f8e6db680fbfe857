// The functions in Node, Deno and Bun: the module is read from the file beside this one.
import { readFile } from 'node:fs/promises';
import { functions } from './functions.js';

export const { init, check, solve, format, convert, importText, exportText, draw, generate, answerLine } = functions(() =>
  readFile(new URL('./cpz.wasm', import.meta.url)),
);
