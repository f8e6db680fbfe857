import type { LanguageFn } from 'highlight.js';

/** The language for `hljs.registerLanguage`. */
declare const cpz: LanguageFn;
export default cpz;
