#!/usr/bin/env node
// Runs the program of the package for this platform with the same arguments, signals and exit code.
'use strict';
const { spawn } = require('node:child_process');
const { constants } = require('node:os');

const platform = `${process.platform}-${process.arch}`;
const supported = Object.keys(require('../package.json').optionalDependencies);
const file = process.platform === 'win32' ? 'cpz.exe' : 'cpz';

// cpz has exit code 2 for errors that are not findings.
function fail(message) {
  console.error(`cpz: ${message}`);
  process.exit(2);
}

function muslLinux() {
  if (process.platform !== 'linux') {
    return false;
  }
  // Otherwise the report looks up host names.
  process.report.excludeNetwork = true;
  return !process.report.getReport().header.glibcVersionRuntime;
}

function find() {
  const name = `@cpz-lang/${platform}`;
  if (!supported.includes(name)) {
    fail(`there is no package for ${platform}, only ${supported.join(', ')}`);
  }
  try {
    return require.resolve(`${name}/bin/${file}`);
  } catch {
    if (muslLinux()) {
      fail(`${name} needs glibc, and this system has another C library`);
    }
    fail(`${name} is missing; install cpz-lang again, with optional dependencies and on this platform`);
  }
}

const path = find();
let child;

// On Windows the console sends Ctrl-C to all of its processes. Elsewhere a signal may be sent to this process alone and
// is passed on; receiving it twice does no harm. SIGUSR1 belongs to Node's debugger.
const passed = process.platform === 'win32' ? [] : ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'];
const ignored = process.platform === 'win32' ? ['SIGINT', 'SIGBREAK', 'SIGHUP'] : [];
for (const signal of passed) {
  process.on(signal, () => child.kill(signal));
}
for (const signal of ignored) {
  process.on(signal, () => {});
}

child = spawn(path, process.argv.slice(2), { stdio: 'inherit' });
child.on('error', (error) => fail(`${path} cannot be run: ${error.message}`));
child.on('exit', (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  // The shell has to see the same signal.
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
  // If the signal does not end this process: the exit code that a shell uses for it.
  setTimeout(() => process.exit(128 + constants.signals[signal]), 100);
});
