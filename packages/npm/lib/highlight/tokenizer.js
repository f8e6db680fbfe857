// Reads lines as the TextMate grammar says, with the regular expressions of JavaScript. It does what TextMate does with the parts
// of grammars that this one has: `match`, `begin` and `end`, `captures`, `patterns` and `include`.
import grammar from './textmate.js';

/** How deep an expression that calls itself looks into parentheses or lists. */
const MAX_DEPTH = 8;

/** The end of the group that opens at `start` of an expression, behind its parenthesis. */
function groupEnd(source, start) {
  let depth = 0;
  for (let i = start; i < source.length; i++) {
    if (source[i] === '\\') {
      i++;
    } else if (source[i] === '[') {
      for (i++; source[i] !== ']'; i++) {
        i += source[i] === '\\' ? 1 : 0;
      }
    } else if (source[i] === '(') {
      depth++;
    } else if (source[i] === ')' && --depth === 0) {
      return i + 1;
    }
  }
  throw new Error(`the expression has an open group: ${source}`);
}

/** Writes groups that call themselves, `(?<name>…\g<name>…)`, as deep as the limit says. */
function unrolled(source) {
  for (let call; (call = /\\g<(\w+)>/.exec(source)); ) {
    const opening = `(?<${call[1]}>`;
    const start = source.indexOf(opening);
    const end = groupEnd(source, start);
    const body = source.slice(start + opening.length, end - 1);
    let whole = '(?!)';
    for (let depth = 0; depth <= MAX_DEPTH; depth++) {
      whole = `(?:${body.replaceAll(call[0], () => whole)})`;
    }
    source = source.slice(0, start) + whole + source.slice(end);
  }
  return source;
}

/** Writes groups that give nothing back, `(?>…)` and `(…)*+`, as JavaScript has them: a lookahead and what it found. */
function committed(source) {
  let count = 0;
  const commit = (inner) => `(?:(?=(?<commit${++count}>${inner}))\\k<commit${count}>)`;
  const walk = (text) => {
    let out = '';
    for (let i = 0; i < text.length; ) {
      if (text[i] === '(') {
        const end = groupEnd(text, i);
        const opening = /^\((?:\?(?:[:=!>]|<[=!]))?/.exec(text.slice(i))[0];
        const inner = walk(text.slice(i + opening.length, end - 1));
        const group = opening === '(?>' ? commit(inner) : `${opening}${inner})`;
        const isPossessive = text.startsWith('*+', end);
        out += isPossessive ? commit(`(?:${group})*`) : group;
        i = end + (isPossessive ? 2 : 0);
        continue;
      }
      const [piece] = /^(?:\\[^]|\[(?:\\[^]|[^\]\\])*\]|[^])/.exec(text.slice(i));
      out += piece[0] === '[' ? piece.replaceAll('\\s', SPACES) : (MEANINGS[piece] ?? piece);
      i += piece.length;
    }
    return out;
  };
  return walk(source);
}

// JavaScript has other line ends and another white space.
const SPACES = '\\t-\\r\\x20\\x85\\xA0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000';
const MEANINGS = { '.': '[^\\n]', $: '(?![^\\n])', '^': '(?<![^\\n])', '\\s': `[${SPACES}]` };

/** An expression of the grammar as one of JavaScript. */
function translated(source) {
  const anyCase = (words) => words.replace(/[a-z]/gi, (c) => `[${c.toLowerCase()}${c.toUpperCase()}]`);
  const plain = source.replaceAll('\\x{FEFF}', '\\uFEFF').replace(/\(\?i:([a-z|]+)\)/g, (_, words) => `(?:${anyCase(words)})`);
  return new RegExp(committed(unrolled(plain)), 'dg');
}

const expressions = new Map();

function expression(source) {
  if (!expressions.has(source)) {
    expressions.set(source, translated(source));
  }
  return expressions.get(source);
}

const expanded = new Map();

/** The rules that may match inside a rule, with those that it includes. */
function inner(rule) {
  if (!expanded.has(rule)) {
    const rules = (rule.patterns ?? []).flatMap((each) => {
      const meant = each.include ? grammar.repository[each.include.slice(1)] : each;
      return meant.match || meant.begin ? [meant] : inner(meant);
    });
    expanded.set(rule, rules);
  }
  return expanded.get(rule);
}

/** The rules that are open at the end of a line, the innermost first. `entered` is where the line opened it, or -1. */
const frame = (rule, scopes, entered, parent) => ({ rule, scopes, entered, parent });

/** The state before the first line. A state is never changed. */
export const START = frame(grammar, [grammar.scopeName], -1, null);

const fromEarlierLine = ({ rule, scopes, parent }) => frame(rule, scopes, -1, parent && fromEarlierLine(parent));
const within = (scopes, { name }) => (name ? [...scopes, name] : scopes);

/** Reads `text` from `position` on, and fills `painted` with the scopes of each character. Returns the open rules. */
function read(text, position, top, painted) {
  const known = new Map();
  const find = (source) => {
    const regexp = expression(source);
    let match = known.get(regexp);
    if (match === undefined || (match && match.index < position)) {
      regexp.lastIndex = position;
      match = regexp.exec(text);
      known.set(regexp, match);
    }
    return match;
  };
  const paint = (start, end, scopes) => painted.fill(scopes, start, end);
  const capture = (match, captures) => {
    for (const [number, rule] of Object.entries(captures ?? {})) {
      const [start, end] = match.indices[number] ?? [0, 0];
      if (rule.patterns && start < end) {
        const first = frame(rule, within(painted[start], rule), -1, null);
        read(text.slice(0, end), start, first, painted);
      } else {
        for (let i = start; i < end; i++) {
          painted[i] = within(painted[i], rule);
        }
      }
    }
  };

  while (position < text.length) {
    let best = top.rule.end ? find(top.rule.end) : null;
    let rule = null;
    for (const each of inner(top.rule)) {
      const match = find(each.match ?? each.begin);
      if (match && (!best || match.index < best.index)) {
        [best, rule] = [match, each];
      }
    }
    if (!best) {
      break;
    }
    const start = best.index;
    const end = start + best[0].length;
    const moves = end > position;
    paint(position, start, top.scopes);
    if (rule === null) {
      paint(start, end, top.scopes);
      capture(best, top.rule.endCaptures);
      if (!moves && top.entered === position) {
        break;
      }
      top = top.parent;
    } else {
      const scopes = within(top.scopes, rule);
      paint(start, end, scopes);
      capture(best, rule.match ? rule.captures : rule.beginCaptures);
      if (rule.begin) {
        let known = top;
        while (known && known.entered === position && known.rule !== rule) {
          known = known.parent;
        }
        if (!moves && known?.entered === position) {
          break;
        }
        top = frame(rule, scopes, position, top);
      } else if (!moves) {
        break;
      }
    }
    position = Math.max(position, end);
  }
  paint(position, text.length, top.scopes);
  return top;
}

/**
 * Reads a line, without its end.
 * @returns its tokens, each `{ start, end, scopes }` with offsets in UTF-16 units and the scopes from outside to inside; and the
 * state before the next line.
 */
export function readLine(line, state = START) {
  const painted = Array(line.length + 1);
  const next = read(`${line}\n`, 0, fromEarlierLine(state), painted);
  const tokens = [];
  for (let i = 0; i < line.length; i++) {
    const last = tokens.at(-1);
    if (last?.scopes === painted[i]) {
      last.end = i + 1;
    } else {
      tokens.push({ start: i, end: i + 1, scopes: painted[i] });
    }
  }
  return { tokens, state: next };
}
