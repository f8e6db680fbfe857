#!/usr/bin/env node
// The core as WebAssembly behind standard input and output, so that clients of `cpz lsp` can talk to it.
//
//   embedded.mjs MODULE LOADER
//
// MODULE is what editors/web/build-core writes, LOADER is editors/worker/core.ts as JavaScript.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [module, loader] = process.argv.slice(2);
const { Core } = await import(pathToFileURL(loader).href);
const core = await Core.create(readFileSync(module), { slow: true });

let input = Buffer.alloc(0);
let isShutDown = false;
let isWorking = false;

function send(messages) {
  for (const message of messages) {
    const body = Buffer.from(JSON.stringify(message));
    process.stdout.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
  }
}

/** Runs slow searches, and reads messages between them. */
function work() {
  isWorking = core.pending > 0;
  if (isWorking) {
    send(core.work());
    setImmediate(work);
  }
}

function receive(message) {
  if (message.method === 'exit') {
    process.exit(isShutDown ? 0 : 1);
  }
  isShutDown ||= message.method === 'shutdown';
  send(core.handle(message));
  if (!isWorking) {
    isWorking = true;
    setImmediate(work);
  }
}

process.stdin.on('data', (chunk) => {
  input = Buffer.concat([input, chunk]);
  for (;;) {
    const end = input.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(input.toString('latin1', 0, end))?.[1]);
    if (end < 0 || input.length < end + 4 + length) {
      return;
    }
    const body = input.toString('utf8', end + 4, end + 4 + length);
    input = input.subarray(end + 4 + length);
    receive(JSON.parse(body));
  }
});
process.stdin.on('end', () => process.exit(1));
