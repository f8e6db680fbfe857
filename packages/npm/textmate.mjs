// Makes a module of the TextMate grammar, as Shiki takes it.

/** The text of a module that exports a grammar, given as JSON, without its comments. */
export function moduleOf(json) {
  const grammar = JSON.parse(json, (key, value) => (key === 'comment' && typeof value === 'string' ? undefined : value));
  return `export default ${JSON.stringify(grammar)};\n`;
}
