// The language for highlight.js 11.8 or later: `hljs.registerLanguage('cpz', cpz)`.
import { readLine } from './tokenizer.js';

/** What a scope is to a theme of highlight.js, by the first that fits the innermost scope that has one. */
const CLASSES = [
  ['comment', 'comment'],
  ['constant.numeric', 'number'],
  ['entity.name.function', 'built_in'],
  ['entity.name.type', 'title'],
  ['keyword.control', 'keyword'],
  ['keyword.operator', 'operator'],
  ['punctuation.section', 'punctuation'],
  ['punctuation.separator', 'punctuation'],
  ['string', 'string'],
  ['variable.other.enummember', 'literal'],
  ['variable.other.property', 'attr'],
  ['variable.other', 'variable'],
  ['variable.parameter', 'params'],
];

function className(scopes) {
  for (let i = scopes.length - 1; i > 0; i--) {
    const found = CLASSES.find(([scope]) => scopes[i].startsWith(`${scope}.`));
    if (found) {
      return found[1];
    }
  }
  return null;
}

/** The parts of a text: those of one class with nothing but blanks between them, such as the cells of a row, are one. */
function parts(code) {
  const found = [];
  const add = (name, text) => {
    const last = found.at(-1);
    const before = found.at(-2);
    if (last && last.name === name) {
      last.text += text;
    } else if (name && before?.name === name && /^[ \t]+$/.test(last.text)) {
      before.text += last.text + text;
      found.pop();
    } else {
      found.push({ name, text });
    }
  };
  let state;
  for (const [, line, end] of code.matchAll(/(.*?)(\r\n|[\r\n]|$)/gsy)) {
    const read = readLine(line, state);
    state = read.state;
    for (const token of read.tokens) {
      add(className(token.scopes), line.slice(token.start, token.end));
    }
    add(null, end);
  }
  return found;
}

function emit(code, emitter) {
  for (const { name, text } of parts(code)) {
    if (name) {
      emitter.startScope(name);
    }
    emitter.addText(text);
    if (name) {
      emitter.endScope();
    }
  }
}

/** A language of highlight.js. It is not guessed: a text without its name would have to look like no other language. */
export default function cpz() {
  return { name: 'cpz', aliases: [], disableAutodetect: true, contains: [], __emitTokens: emit };
}
