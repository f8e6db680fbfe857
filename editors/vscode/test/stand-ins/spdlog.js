// Replaces @vscode/spdlog, a native module: without it, log output channels stay empty.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

class Logger {
  constructor(_type, _name, file) {
    this.file = file;
    this.level = 2;
    this.raw = false;
    ['trace', 'debug', 'info', 'warning', 'error', 'critical'].forEach((name, level) => {
      this[name === 'warning' ? 'warn' : name] = message => this.write(name, level, message);
    });
  }
  write(name, level, message) {
    if (level < this.level) return;
    const time = new Date().toISOString().replace('T', ' ').replace('Z', '');
    appendFileSync(this.file, this.raw ? message : `${time} [${name}] ${message}\n`);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.raw = true;
  }
  setPattern() {}
  flush() {}
  drop() {}
}

async function create(name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('', name, file);
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = create;
exports.createAsyncRotatingLogger = create;
