// The functions of the package. They check what JSON cannot say; the module checks the rest.
import { Core } from './core.js';

const encoder = new TextEncoder();
const NO_BYTES = new Uint8Array();

/** The functions over a module that `load` gives: bytes, a response of `fetch`, or a promise of one. */
export function functions(load) {
  let core;

  // An attempt that failed is repeated by the next call.
  function start(source) {
    const started = compile(source).then((module) => new Core(module));
    core = started;
    started.catch(() => {
      if (core === started) {
        core = undefined;
      }
    });
    return started;
  }

  async function call(name, argument, options, file) {
    const request = { function: name, argument, options: plain(name, options) };
    return (await (core ?? start(load()))).call(request, file);
  }

  return {
    async init(source) {
      await start(source ?? load());
    },
    async check(text, options) {
      return call('check', undefined, options, bytes(text, 'the text'));
    },
    async solve(text, options) {
      return call('solve', undefined, options, bytes(text, 'the text'));
    },
    async format(text) {
      return call('format', undefined, undefined, bytes(text, 'the text'));
    },
    async convert(text, to, options) {
      return call('convert', string(to, 'the format'), options, bytes(text, 'the text'));
    },
    async importText(file, options) {
      return call('importText', undefined, options, fileBytes(file, 'the file'));
    },
    async exportText(text, to, options) {
      const file = bytes(text, 'the text');
      if (to !== 'anki') {
        return call('exportText', string(to, 'the format'), options, file);
      }
      // The module has no clock, and JSON has no bytes.
      const given = { time: Math.floor(Date.now() / 1000), ...plain('exportText', options) };
      const { bytes: numbers, puzzles, notes } = await call('exportText', to, given, file);
      return { bytes: Uint8Array.from(numbers), puzzles, notes };
    },
    async draw(text, options) {
      return call('draw', undefined, options, bytes(text, 'the text'));
    },
    async fix(text, options) {
      return call('fix', undefined, options, bytes(text, 'the text'));
    },
    async repair(text, options) {
      return call('repair', undefined, options, bytes(text, 'the text'));
    },
    async printText(text, options) {
      return call('printText', undefined, options, bytes(text, 'the text'));
    },
    async rate(text, options) {
      return call('rate', undefined, options, bytes(text, 'the text'));
    },
    async hint(text, options) {
      return call('hint', undefined, options, bytes(text, 'the text'));
    },
    async sort(text, by, options) {
      return call('sort', string(by, 'the key to sort by'), options, bytes(text, 'the text'));
    },
    async stats(text, options) {
      return call('stats', undefined, options, bytes(text, 'the text'));
    },
    async plot(text, options) {
      return call('plot', undefined, options, bytes(text, 'the text'));
    },
    async diff(old, changed, options) {
      return call('diff', string(old, 'the old text'), options, bytes(changed, 'the new text'));
    },
    async diffMarkdown(old, changed, options) {
      return call('diffMarkdown', string(old, 'the old text'), options, bytes(changed, 'the new text'));
    },
    async diffHtml(old, changed, options) {
      return call('diffHtml', string(old, 'the old text'), options, bytes(changed, 'the new text'));
    },
    async explain(name) {
      return call('explain', string(name, 'the code or keyword'), undefined, NO_BYTES);
    },
    async codes() {
      return call('codes', undefined, undefined, NO_BYTES);
    },
    // The schemas are a file of their own, which is loaded only for those who ask for them.
    async schema(of) {
      const name = string(of, 'the name of the document');
      const { schemas } = await import('./schemas.js');
      if (!Object.hasOwn(schemas, name)) {
        throw new RangeError(`there is no schema \`${name}\`; choose one of ${Object.keys(schemas).join(', ')}`);
      }
      return structuredClone(schemas[name]);
    },
    async generate(game, options) {
      return call('generate', string(game, 'the game'), options, NO_BYTES);
    },
    async answerLine(line, options) {
      return call('answerLine', undefined, options, fileBytes(line, 'the line'));
    },
  };
}

async function compile(given) {
  const source = await given;
  if (source instanceof WebAssembly.Module) {
    return source;
  }
  if (typeof Response === 'undefined' || !(source instanceof Response)) {
    return WebAssembly.compile(source);
  }
  if (!source.ok) {
    throw new Error(`${source.url} cannot be loaded: status ${source.status}`);
  }
  // Not every host knows the type of the file, and without it the browser does not compile while it loads.
  const isTyped = source.headers.get('Content-Type')?.startsWith('application/wasm');
  return isTyped ? WebAssembly.compileStreaming(source) : WebAssembly.compile(await source.arrayBuffer());
}

/** The options, if JSON has a place for each of them. One that is undefined is not given. */
function plain(name, options = {}) {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`the options of ${name} must be an object, not ${kind(options)}`);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [option, value] of given) {
    const what = `the option \`${option}\``;
    if (Array.isArray(value)) {
      value.forEach((item) => string(item, `each item of ${what}`));
    } else if (typeof value === 'string') {
      string(value, what);
    } else if (typeof value !== 'boolean' && !Number.isFinite(value)) {
      throw new TypeError(`${what} cannot be ${kind(value)}`);
    }
  }
  return Object.fromEntries(given);
}

/** A string without halves of characters, which UTF-8 cannot hold. */
function string(value, what) {
  if (typeof value !== 'string') {
    throw new TypeError(`${what} must be a string, not ${kind(value)}`);
  }
  const at = value.search(/\p{Surrogate}/u);
  if (at !== -1) {
    throw new RangeError(`${what} has half of a character (a lone surrogate) at index ${at}`);
  }
  return value;
}

function bytes(text, what) {
  return encoder.encode(string(text, what));
}

function fileBytes(file, what) {
  if (file instanceof ArrayBuffer) {
    return new Uint8Array(file);
  }
  if (ArrayBuffer.isView(file)) {
    return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  }
  if (typeof file !== 'string') {
    throw new TypeError(`${what} must be a string, a Uint8Array or an ArrayBuffer, not ${kind(file)}`);
  }
  return bytes(file, what);
}

/** A value in words. */
function kind(value) {
  if (value === null || value === undefined || Number.isNaN(value)) {
    return String(value);
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  const type = typeof value;
  return type === 'object' ? 'an object' : `a ${type}`;
}
