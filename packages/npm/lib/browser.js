// The functions in browsers: the module is loaded from beside this file. Bundlers know the form `new URL(…)`.
import { functions } from './functions.js';

export const { init, check, solve, format, convert, importText, exportText, draw, generate, answerLine } = functions(() =>
  fetch(new URL('./cpz.wasm', import.meta.url)),
);
