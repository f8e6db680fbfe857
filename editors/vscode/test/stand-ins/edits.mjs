#!/usr/bin/env node
// A server that sends the edit of each change that it offers, if that makes a rook another piece: node edits.mjs PROGRAM lsp.
// It passes everything else on to PROGRAM. The board has to begin in line 3 and column 5, in cells with a blank between.
import { spawn } from 'node:child_process';

const [program, ...options] = process.argv.slice(2);
const server = spawn(program, options, { stdio: ['pipe', 'pipe', 'inherit'] });
process.stdin.pipe(server.stdin);
server.on('exit', code => process.exit(code ?? 1));

const LETTERS = { king: 'K', queen: 'Q', bishop: 'B', knight: 'N', pawn: 'P' };

let uri;
process.stdin.on('data', data => {
  uri = /"uri":"(file:[^"]*)"[^}]*"languageId":"cpz"/.exec(data)?.[1] ?? uri;
});

/** The place of a square, and what is to stand there. */
const cell = ([file, rank], newText) => {
  const at = { line: 2 + 4 - Number(rank), character: 4 + 2 * 'abcd'.indexOf(file) };
  return { range: { start: at, end: { line: at.line, character: at.character + 1 } }, newText };
};

function withEdits(message) {
  if (message.method !== 'window/showMessageRequest') return message;
  for (const action of message.params.actions) {
    const [, square, kind] = /^Make the rook on (\w\d) a (\w+): /.exec(action.title) ?? [];
    if (square) action.edit = { changes: { [uri]: [cell(square, LETTERS[kind])] } };
  }
  return message;
}

let rest = Buffer.alloc(0);
server.stdout.on('data', data => {
  rest = Buffer.concat([rest, data]);
  for (;;) {
    const head = rest.indexOf('\r\n\r\n');
    const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, Math.max(head, 0)))?.[1]);
    if (head < 0 || rest.length < head + 4 + length) return;
    const text = JSON.stringify(withEdits(JSON.parse(rest.subarray(head + 4, head + 4 + length))));
    rest = rest.subarray(head + 4 + length);
    process.stdout.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }
});
