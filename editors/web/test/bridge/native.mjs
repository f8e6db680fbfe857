// The native server behind HTTP: one process for each page, messages as events. The requests that the program has as
// commands and not as requests are answered by running them.
import { execFile, spawn } from 'node:child_process';

const REQUESTS = ['cpz/import', 'cpz/export'];
const sessions = new Map();

/** Answers a request below `bridge/`. */
export function bridge(program, url, request, response) {
  const id = url.searchParams.get('session');
  if (url.pathname.endsWith('/events')) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    response.write(': open\n\n');
    const session = new Session(program, (message) => response.write(`data: ${JSON.stringify(message)}\n\n`));
    sessions.set(id, session);
    request.on('close', () => session.end());
    return;
  }
  let body = '';
  request.setEncoding('utf8').on('data', (part) => (body += part));
  request.on('end', () => {
    sessions.get(id)?.receive(JSON.parse(body));
    response.writeHead(204).end();
  });
}

export function endAll() {
  for (const session of sessions.values()) session.end();
}

class Session {
  constructor(program, post) {
    Object.assign(this, { program, post, text: '', buffer: Buffer.alloc(0), first: undefined, later: [] });
    this.child = spawn(program, ['lsp'], { stdio: ['pipe', 'pipe', 'ignore'] });
    this.child.stdin.on('error', () => {});
    this.child.stdout.on('data', (part) => this.read(part));
  }

  end() {
    this.child.kill('SIGKILL');
  }

  /** What comes before `initialize` is answered waits: the page need not, but the protocol wants it. */
  receive(message) {
    if (this.first !== undefined) return void this.later.push(message);
    if (message.method === 'initialize') this.first = message.id;
    if (message.method === 'textDocument/didOpen') this.text = message.params.textDocument.text;
    if (message.method === 'textDocument/didChange') for (const change of message.params.contentChanges) this.text = changed(this.text, change);
    if (REQUESTS.includes(message.method)) return this.run(message);
    const body = JSON.stringify(message);
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  read(part) {
    this.buffer = Buffer.concat([this.buffer, part]);
    for (;;) {
      const head = this.buffer.indexOf('\r\n\r\n');
      if (head < 0) return;
      const length = +/Content-Length: (\d+)/i.exec(this.buffer.subarray(0, head))[1];
      const end = head + 4 + length;
      if (this.buffer.length < end) return;
      const message = JSON.parse(this.buffer.subarray(head + 4, end));
      this.buffer = this.buffer.subarray(end);
      if (message.id === this.first && message.result) {
        message.result.capabilities.experimental = { requests: REQUESTS };
        this.first = undefined;
        this.post(message);
        this.later.splice(0).forEach((waiting) => this.receive(waiting));
        continue;
      }
      this.post(message);
    }
  }

  run({ id, method, params }) {
    const args = method === 'cpz/import' ? ['import', '-', ...from(params.name)] : ['export', '--to', params.to, '-'];
    const child = execFile(this.program, args, { maxBuffer: 1 << 27 }, (error, text, told) => {
      // The last line counts the puzzles. A place is said as the server says it.
      const said = told.split('\n').filter((line) => line && !/^cpz: \d+ puzzles? from /.test(line));
      const notices = said.map((line) => line.replace(/^cpz: /, '').replace(/^-:(\d+): not imported: /, 'line $1: '));
      if (error && error.code !== 1) return this.post({ jsonrpc: '2.0', id, error: { code: -32803, message: notices.at(-1) ?? String(error) } });
      this.post({ jsonrpc: '2.0', id, result: { text, notices } });
    });
    child.stdin.end(method === 'cpz/import' ? params.text : this.text);
  }
}

/** The format that a name says, as the program finds out by itself for a file. */
function from(name) {
  const extension = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase();
  const format = { pgn: 'pgn', epd: 'epd', fen: 'fen', olv: 'olv', yaml: 'olv', inp: 'popeye', pdn: 'pdn', json: 'json', jsonl: 'json' }[extension];
  return format ? ['--from', format] : [];
}

function changed(text, { range, text: inserted }) {
  const offset = ({ line, character }) => {
    let at = 0;
    for (let n = 0; n < line; n++) at = text.indexOf('\n', at) + 1;
    return at + character;
  };
  return range ? text.slice(0, offset(range.start)) + inserted + text.slice(offset(range.end)) : inserted;
}
