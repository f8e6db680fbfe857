// Writes the npm packages as folders for `npm pack` and `npm publish`:
//
//   node packages/npm/build.mjs --out DIR [--module FILE] [--binary PATH --platform linux-x64]
//
// DIR/cpz-lang is the main package, for every platform, with the module that build-core builds; DIR/linux-x64 is
// `@cpz-lang/linux-x64`, with the binary. The version is that of Cargo.toml. Needs cargo and Python for the list of libraries.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { moduleOf } from './textmate.mjs';
import { types } from './types.mjs';

const platforms = {
  'linux-x64': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'linux-arm64': { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
  'darwin-x64': { os: ['darwin'], cpu: ['x64'] },
  'darwin-arm64': { os: ['darwin'], cpu: ['arm64'] },
  'win32-x64': { os: ['win32'], cpu: ['x64'] },
};

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const text = { type: 'string' };
const { values } = parseArgs({ options: { module: text, binary: text, platform: text, out: text } });
if (!values.out || !values.binary !== !values.platform) {
  console.error('usage: node build.mjs --out DIR [--module FILE] [--binary PATH --platform PLATFORM]');
  process.exit(2);
}
if (values.platform && !Object.hasOwn(platforms, values.platform)) {
  console.error(`there is no platform ${values.platform}; the platforms are ${Object.keys(platforms).join(', ')}`);
  process.exit(2);
}

// A value of `[package]` or `[workspace.package]` in Cargo.toml: a string or a list of strings, which TOML writes as JSON does.
const manifest = readFileSync(join(root, 'Cargo.toml'), 'utf8');
function cargo(key) {
  const value = manifest.match(new RegExp(`^${key} = (.*)$`, 'm'));
  if (!value) {
    throw new Error(`Cargo.toml has no ${key}`);
  }
  return JSON.parse(value[1]);
}
const version = cargo('version');
const license = cargo('license');

// Writes a package into an empty folder and returns the path of the folder. `parts` are arguments of sbom.py: what is inside.
function folder(name, contents, readme, ...parts) {
  const path = join(values.out, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, 'bin'), { recursive: true });
  writeFileSync(join(path, 'package.json'), `${JSON.stringify(contents, null, 2)}\n`);
  writeFileSync(join(path, 'README.md'), readme);
  for (const file of ['LICENSE-MIT', 'LICENSE-APACHE']) {
    copyFileSync(join(root, file), join(path, file));
  }
  const python = process.env.PYTHON ?? 'python3';
  execFileSync(python, [join(here, '..', 'sbom.py'), '--out', join(path, 'sbom.cdx.json'), ...parts], { stdio: 'inherit' });
  return path;
}

// The JSON schemas by their names.
function schemas() {
  const files = readdirSync(join(root, 'docs', 'schema')).sort();
  const read = (file) => JSON.parse(readFileSync(join(root, 'docs', 'schema', file), 'utf8'));
  return Object.fromEntries(files.map((file) => [file.replace('.schema.json', ''), read(file)]));
}

// The types of the functions, and those of the documents that they give.
function declarations() {
  const documents = Object.entries(schemas()).filter(([name]) => !['config', 'baseline'].includes(name));
  const named = documents.map(([name, schema]) => types(name[0].toUpperCase() + name.slice(1), schema));
  return [readFileSync(join(here, 'lib', 'index.d.ts'), 'utf8'), ...named].join('\n');
}

// Gives the files of a package the same access rights whatever those of the checkout are.
function setModes(path) {
  for (const entry of readdirSync(path, { recursive: true, withFileTypes: true })) {
    const isProgram = entry.parentPath === join(path, 'bin');
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() || isProgram ? 0o755 : 0o644);
  }
}

if (values.module) {
  const condition = (format, file) => ({ types: `./lib/index.d.${format}`, default: `./lib/${file}` });
  const highlighting = (name) => ({ types: `./lib/highlight/${name}.d.ts`, default: `./lib/highlight/${name}.js` });
  const path = folder(
    'cpz-lang',
    {
      name: 'cpz-lang',
      version,
      description: cargo('description'),
      keywords: cargo('keywords'),
      license,
      type: 'module',
      bin: { cpz: 'bin/cpz.cjs' },
      exports: {
        '.': {
          node: { import: condition('ts', 'node.js'), require: condition('cts', 'node.cjs') },
          default: condition('ts', 'browser.js'),
        },
        ...Object.fromEntries(['textmate', 'highlightjs', 'codemirror'].map((name) => [`./${name}`, highlighting(name)])),
        './cpz.tmLanguage.json': './lib/highlight/cpz.tmLanguage.json',
        './cpz.wasm': './lib/cpz.wasm',
        './package.json': './package.json',
      },
      types: './lib/index.d.ts',
      sideEffects: false,
      files: ['bin', 'lib', 'LICENSE-MIT', 'LICENSE-APACHE', 'sbom.cdx.json'],
      engines: { node: '>=20' },
      // For who imports `cpz-lang/codemirror` or `cpz-lang/highlightjs`; nothing else needs them.
      peerDependencies: { '@codemirror/language': '^6.0.0', 'highlight.js': '^11.8.0' },
      peerDependenciesMeta: { '@codemirror/language': { optional: true }, 'highlight.js': { optional: true } },
      optionalDependencies: Object.fromEntries(Object.keys(platforms).map((name) => [`@cpz-lang/${name}`, version])),
    },
    readFileSync(join(here, 'README.md')),
    'module',
  );
  copyFileSync(join(here, 'bin', 'cpz.cjs'), join(path, 'bin', 'cpz.cjs'));
  cpSync(join(here, 'lib'), join(path, 'lib'), { recursive: true });
  for (const file of ['index.d.ts', 'index.d.cts']) {
    writeFileSync(join(path, 'lib', file), declarations());
  }
  const grammar = join(root, 'grammar', 'cpz.tmLanguage.json');
  copyFileSync(grammar, join(path, 'lib', 'highlight', 'cpz.tmLanguage.json'));
  writeFileSync(join(path, 'lib', 'highlight', 'textmate.js'), moduleOf(readFileSync(grammar, 'utf8')));
  const all = `// The JSON schemas, as \`cpz schema\` prints them.\nexport const schemas = ${JSON.stringify(schemas())};\n`;
  writeFileSync(join(path, 'lib', 'schemas.js'), all);
  copyFileSync(values.module, join(path, 'lib', 'cpz.wasm'));
  setModes(path);
}

if (values.platform) {
  const name = `@cpz-lang/${values.platform}`;
  const path = folder(
    values.platform,
    {
      name,
      version,
      description: `The program of the package cpz-lang for ${values.platform}`,
      license,
      ...platforms[values.platform],
      files: ['bin', 'LICENSE-MIT', 'LICENSE-APACHE', 'sbom.cdx.json'],
      engines: { node: '>=18' },
      // The program cannot run from inside an archive of Yarn.
      preferUnplugged: true,
      publishConfig: { access: 'public' },
    },
    `# ${name}\n\nThe program of the package \`cpz-lang\` for ${values.platform}; install \`cpz-lang\`, which depends on it.\n`,
    '--platform',
    values.platform,
    'program',
  );
  const program = join(path, 'bin', values.platform.startsWith('win32-') ? 'cpz.exe' : 'cpz');
  copyFileSync(values.binary, program);
  setModes(path);
}
