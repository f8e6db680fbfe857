// Writes the npm packages as folders for `npm pack` and `npm publish`:
//
//   node packages/npm/build.mjs --out DIR [--binary PATH --platform linux-x64]
//
// DIR/cpz is the main package, for every platform; DIR/linux-x64 is `@cpz/linux-x64`, with the binary. The version is
// that of Cargo.toml.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const platforms = {
  'linux-x64': { os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
  'linux-arm64': { os: ['linux'], cpu: ['arm64'], libc: ['glibc'] },
  'darwin-x64': { os: ['darwin'], cpu: ['x64'] },
  'darwin-arm64': { os: ['darwin'], cpu: ['arm64'] },
  'win32-x64': { os: ['win32'], cpu: ['x64'] },
};

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const { values } = parseArgs({
  options: { binary: { type: 'string' }, platform: { type: 'string' }, out: { type: 'string' } },
});
if (!values.out || !values.binary !== !values.platform) {
  console.error('usage: node build.mjs --out DIR [--binary PATH --platform PLATFORM]');
  process.exit(2);
}
if (values.platform && !Object.hasOwn(platforms, values.platform)) {
  console.error(`there is no platform ${values.platform}; the platforms are ${Object.keys(platforms).join(', ')}`);
  process.exit(2);
}

// A value of `[package]` in Cargo.toml: a string or a list of strings, which TOML writes as JSON does.
const manifest = readFileSync(join(root, 'Cargo.toml'), 'utf8').split(/^\[(?!package\])/m)[0];
function cargo(key) {
  const value = manifest.match(new RegExp(`^${key} = (.*)$`, 'm'));
  if (!value) {
    throw new Error(`Cargo.toml has no ${key}`);
  }
  return JSON.parse(value[1]);
}
const version = cargo('version');
const license = cargo('license');

// Writes a package into an empty folder and returns the path of the folder.
function folder(name, contents, readme) {
  const path = join(values.out, name);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(join(path, 'bin'), { recursive: true });
  writeFileSync(join(path, 'package.json'), `${JSON.stringify(contents, null, 2)}\n`);
  writeFileSync(join(path, 'README.md'), readme);
  for (const file of ['LICENSE-MIT', 'LICENSE-APACHE']) {
    copyFileSync(join(root, file), join(path, file));
  }
  return path;
}

const main = folder(
  'cpz',
  {
    name: 'cpz',
    version,
    description: cargo('description'),
    keywords: cargo('keywords'),
    license,
    bin: { cpz: 'bin/cpz.js' },
    files: ['bin', 'LICENSE-MIT', 'LICENSE-APACHE'],
    engines: { node: '>=18' },
    optionalDependencies: Object.fromEntries(Object.keys(platforms).map((name) => [`@cpz/${name}`, version])),
  },
  readFileSync(join(here, 'README.md')),
);
copyFileSync(join(here, 'bin', 'cpz.js'), join(main, 'bin', 'cpz.js'));
chmodSync(join(main, 'bin', 'cpz.js'), 0o755);

if (values.platform) {
  const name = `@cpz/${values.platform}`;
  const path = folder(
    values.platform,
    {
      name,
      version,
      description: `The program of the package cpz for ${values.platform}`,
      license,
      ...platforms[values.platform],
      files: ['bin', 'LICENSE-MIT', 'LICENSE-APACHE'],
      engines: { node: '>=18' },
      // The program cannot run from inside an archive of Yarn.
      preferUnplugged: true,
      publishConfig: { access: 'public' },
    },
    `# ${name}\n\nThe program of the package \`cpz\` for ${values.platform}; install \`cpz\`, which depends on it.\n`,
  );
  const program = join(path, 'bin', values.platform.startsWith('win32-') ? 'cpz.exe' : 'cpz');
  copyFileSync(values.binary, program);
  chmodSync(program, 0o755);
}
