// The language for CodeMirror 6: colours and comments. It needs the package `@codemirror/language`.
import { LanguageSupport, StreamLanguage } from '@codemirror/language';
import { START, readLine } from './tokenizer.js';

// What a scope means to a theme, by the first that fits the innermost scope that has one: names of tags of `@lezer/highlight`. The style
// that comes with CodeMirror colours names only where they are defined.
const TAGS = [
  ['comment.line', 'lineComment'],
  ['comment.block', 'blockComment'],
  ['comment', 'comment'],
  ['constant.numeric', 'number'],
  ['entity.name.function', 'variableName.function.definition'],
  ['entity.name.type', 'typeName'],
  ['keyword.control.game', 'definitionKeyword'],
  ['keyword.control', 'keyword'],
  ['keyword.operator', 'operator'],
  ['punctuation.section.block', 'brace'],
  ['punctuation.section.brackets', 'squareBracket'],
  ['punctuation.separator', 'separator'],
  ['string', 'string'],
  ['variable.other.enummember', 'atom'],
  ['variable.other.property', 'propertyName.definition'],
  ['variable.other', 'variableName'],
  ['variable.parameter', 'attributeValue'],
];

function tag(scopes) {
  for (let i = scopes.length - 1; i > 0; i--) {
    const found = TAGS.find(([scope]) => scopes[i].startsWith(`${scope}.`));
    if (found) {
      return found[1];
    }
  }
  return null;
}

/** The language alone. */
export const cpzLanguage = StreamLanguage.define({
  name: 'cpz',
  // The state of the reader before the next line, and the tokens of this line that are left.
  startState: () => ({ before: START, tokens: [] }),
  copyState: ({ before, tokens }) => ({ before, tokens: tokens.slice() }),
  token(stream, state) {
    if (stream.sol()) {
      const { tokens, state: after } = readLine(stream.string, state.before);
      state.before = after;
      state.tokens = tokens;
    }
    const { end, scopes } = state.tokens.shift();
    stream.pos = end;
    return tag(scopes);
  },
  blankLine(state) {
    state.before = readLine('', state.before).state;
  },
  languageData: { commentTokens: { line: '//' } },
});

/** The extension for an editor. */
export function cpz() {
  return new LanguageSupport(cpzLanguage);
}
