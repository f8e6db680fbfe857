// A static file server for the page: node serve.mjs [--port N] [--native PROGRAM]. With --native, the native server
// answers in place of the WebAssembly module.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bridge, endAll } from './bridge/native.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json' };

/** Serves the folder below `/page/`, as a host does that has other pages too. Returns the address of the page. */
export async function serve({ folder = join(here, '..', 'dist'), native, port = 0 } = {}) {
  const requests = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    requests.push(url.pathname);
    const path = normalize(url.pathname).replace(/^\/page\//, '');
    if (native && path.startsWith('bridge/')) return bridge(native, url, request, response);
    const file = native && path === 'worker.js' ? join(here, 'bridge/worker.js') : join(folder, path || 'index.html');
    if (!url.pathname.startsWith('/page/') || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain', 'Cache-Control': 'no-cache' });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  const stop = () => {
    endAll();
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${server.address().port}/page/`, requests, stop };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '8000' }, native: { type: 'string' } } });
  const { address } = await serve({ port: Number(values.port), native: values.native });
  console.log(address);
}
