// The functions in browsers: the module is loaded from beside this file. Bundlers know the form `new URL(…)`.
import { functions } from './functions.js';

export const {
  init, check, fix, solve, repair, format, convert, importText, exportText, draw, printText, diff, diffMarkdown, diffHtml, generate,
  rate, hint, sort, stats, plot, explain, codes, answerLine, schema,
} = functions(() =>
  fetch(new URL('./cpz.wasm', import.meta.url)),
);
