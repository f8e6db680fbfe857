// Keeps the files of the page, so that it opens without a network after the first load.

/** The files and the number of their contents, written by the build. */
declare const FILES: string[];
declare const CONTENT: string;

/** What this file uses of the scope of a service worker. */
interface WorkerScope {
  addEventListener(type: 'install' | 'activate' | 'fetch', listener: (event: WorkerEvent) => void): void;
  clients: { claim(): Promise<void> };
}

interface WorkerEvent {
  request: Request;
  waitUntil(done: Promise<unknown>): void;
  respondWith(answer: Promise<Response>): void;
}

const scope = self as unknown as WorkerScope;
const PREFIX = 'cpz-';
const CACHE = PREFIX + CONTENT;
const addresses = new Set(FILES.map((file) => new URL(file, location.href).href));

scope.addEventListener('install', (event) => {
  // The browser's own cache may have files of an older page: the host is asked whether they have changed. A new page is
  // used when the tabs of the old one are closed, so that no tab has files of both.
  const load = async () => {
    const cache = await caches.open(CACHE);
    await cache.addAll(FILES.map((file) => new Request(file, { cache: 'no-cache' })));
  };
  event.waitUntil(load());
});

scope.addEventListener('activate', (event) => {
  const clean = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
    await scope.clients.claim();
  };
  event.waitUntil(clean());
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const address = request.url.replace(/[?#].*$/, '');
  if (request.method === 'GET' && addresses.has(address)) {
    event.respondWith(caches.open(CACHE).then(async (cache) => (await cache.match(address)) ?? fetch(request)));
  }
});
