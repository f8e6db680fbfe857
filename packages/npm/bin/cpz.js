#!/usr/bin/env node
// Runs the program in the package for this platform, as if it had been called itself.
'use strict';
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const platform = `${process.platform}-${process.arch}`;
const supported = Object.keys(require('../package.json').optionalDependencies);
const file = process.platform === 'win32' ? 'cpz.exe' : 'cpz';

// 2 is what cpz itself exits with where something could not be run.
function fail(message) {
  console.error(`cpz: ${message}`);
  process.exit(2);
}

function muslLinux() {
  if (process.platform !== 'linux') {
    return false;
  }
  // Or it would look up the names of hosts.
  process.report.excludeNetwork = true;
  return !process.report.getReport().header.glibcVersionRuntime;
}

function find() {
  const name = `@cpz/${platform}`;
  if (!supported.includes(name)) {
    fail(`there is no package for ${platform}, only ${supported.join(', ')}`);
  }
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    if (muslLinux()) {
      fail(`${name} needs glibc, and this system has another C library`);
    }
    fail(`${name} is missing; install cpz again, with optional dependencies and on this platform`);
  }
}

const path = find();
let child;

// A console tells all of its processes of Ctrl-C itself. Elsewhere a second signal does no harm, and one that was
// sent to this process alone has to be passed. SIGUSR1 belongs to Node's debugger.
const passed = process.platform === 'win32' ? [] : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
const waited = process.platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : [];
for (const signal of passed) {
  process.on(signal, () => child.kill(signal));
}
for (const signal of waited) {
  process.on(signal, () => {});
}

child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => fail(`${path} cannot be run: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  // Ends as the program ended, so that a shell sees the same.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // Only where the signal does not end this process: what a shell would say of it.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
});
