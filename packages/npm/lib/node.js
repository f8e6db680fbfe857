// The functions in Node, Deno and Bun: the module is read from the file beside this one.
import { readFile } from 'node:fs/promises';
import { functions } from './functions.js';

export const {
  init, check, fix, solve, repair, format, convert, importText, exportText, draw, printText, diff, diffMarkdown, diffHtml, generate,
  rate, hint, sort, stats, plot, explain, codes, answerLine, schema,
} = functions(() =>
  readFile(new URL('./cpz.wasm', import.meta.url)),
);
