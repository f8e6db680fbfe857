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

/**
 * Serves the page below `/page/`, as a host does that has other pages too, and the folders of `mounts` below their paths.
 * Returns the address of the page.
 */
export async function serve({ native, port = 0, mounts = {} } = {}) {
  const page = join(here, '..', 'dist');
  const folders = Object.entries({ ...mounts, '/page/': page }).sort(([a], [b]) => b.length - a.length);
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    const [mount, folder] = folders.find(([path]) => url.pathname.startsWith(path)) ?? [];
    if (!mount) return response.writeHead(404).end();
    const path = normalize(url.pathname.slice(mount.length));
    if (native && path.startsWith('bridge/')) return bridge(native, url, request, response);
    const file = native && path === 'worker.js' ? join(here, 'bridge/worker.js') : join(folder, path === '.' ? 'index.html' : path);
    if (path.startsWith('..') || !existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'text/plain', 'Cache-Control': 'no-cache' });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(port, '127.0.0.1', done));
  const stop = () => {
    endAll();
    server.closeAllConnections();
    server.close();
  };
  const host = `http://127.0.0.1:${server.address().port}`;
  return { host, address: `${host}/page/`, stop };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({ options: { port: { type: 'string', default: '8000' }, native: { type: 'string' } } });
  const { address } = await serve({ port: Number(values.port), native: values.native });
  console.log(address);
}
