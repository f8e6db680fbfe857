// Serves VS Code for the Web with an extension and a folder in memory for each window.
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};

/** The settings of a user who wants to see nothing but the text. */
const SETTINGS = {
  'workbench.startupEditor': 'none',
  'telemetry.telemetryLevel': 'off',
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'editor.minimap.enabled': false,
  'workbench.tips.enabled': false,
  'editor.hover.delay': 100,
  'workbench.colorTheme': 'Default Light Modern',
};

/**
 * The site of the windows and their frames: browsers let a frame of another site have no service worker, which the board
 * panel needs. All names that end in `.localhost` are this machine.
 */
const SITE = 'vscode.localhost';

/** What a window is made of. The frames of extensions have other origins than the window, as on vscode.dev. */
function configuration(port, id) {
  const part = path => ({ $mid: 1, scheme: 'http', authority: `localhost:${port}`, path });
  const frames = `http://{{uuid}}.${SITE}:${port}/vs`;
  return {
    productConfiguration: {
      nameShort: 'Code for the Web',
      nameLong: 'VS Code for the Web',
      applicationName: 'code-web',
      dataFolderName: '.code-web',
      version: '1.91.1',
      quality: 'stable',
      commit: '0'.repeat(40),
      webEndpointUrlTemplate: frames,
      webviewContentExternalBaseUrlTemplate: `${frames}/out/vs/workbench/contrib/webview/browser/pre/`,
      extensionsGallery: undefined,
    },
    additionalBuiltinExtensions: [part('/extension'), part(`/windows/${id}/files`)],
    configurationDefaults: SETTINGS,
    windowIndicator: { label: '$(remote)', tooltip: 'A folder in memory', command: 'workbench.action.showCommands' },
  };
}

/** The page of a window. VS Code's modules are loaded as its own AMD loader wants them. */
function page(port, id, file) {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<link rel="stylesheet" data-name="vs/workbench/workbench.web.main" href="/vs/out/vs/workbench/workbench.web.main.css">
</head>
<body aria-label="">
<script src="/vs/out/vs/loader.js"></script>
<script src="/vs/out/vs/webPackagePaths.js"></script>
<script>
const at = location.origin + '/vs/';
const paths = Object.fromEntries(Object.entries(self.webPackagePaths).map(([name, main]) => [name, at + 'node_modules/' + name + '/' + main]));
require.config({ baseUrl: at + 'out', recordStats: false, paths, trustedTypesPolicy: trustedTypes.createPolicy('amdLoader', { createScriptURL: url => url }) });
require(['vs/workbench/workbench.web.main'], ({ create, URI }) => {
  const given = ${JSON.stringify(configuration(port, id))};
  const uri = name => URI.from({ scheme: 'memory', path: '/puzzles-${id}' + name });
  create(document.body, {
    ...given,
    additionalBuiltinExtensions: given.additionalBuiltinExtensions.map(part => URI.revive(part)),
    workspaceProvider: { workspace: { folderUri: uri('') }, trusted: true, open: async () => false },
    defaultLayout: { force: true, editors: ${JSON.stringify(file ? [file] : [])}.map(name => ({ uri: uri('/' + name) })) },
  });
});
</script>
</body>
</html>`;
}

/** Files that are written from outside: the folder in memory waits for them. */
class Changes {
  files = {};

  add(files) {
    Object.assign(this.files, files);
    this.tell();
  }

  wait(answer) {
    this.answer = answer;
    this.tell();
  }

  tell() {
    if (!this.answer || !Object.keys(this.files).length) return;
    this.answer(this.files);
    [this.answer, this.files] = [undefined, {}];
  }
}

/** A server of the files below `workbench`, VS Code's, and `extension`, the unpacked extension under test. */
export async function serve({ workbench, extension }) {
  const windows = [];
  const folders = [
    ['/vs/', workbench],
    ['/extension/', extension],
  ];
  const send = (response, type, content) => {
    response.writeHead(200, { 'Content-Type': type, 'Access-Control-Allow-Origin': '*' });
    typeof content === 'string' ? response.end(content) : content.pipe(response);
  };
  const missing = response => response.writeHead(404, { 'Access-Control-Allow-Origin': '*' }).end();
  const file = (response, path) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return missing(response);
    send(response, TYPES[extname(path)] ?? 'application/octet-stream', createReadStream(path));
  };
  const windowFile = async (request, response, { id, path }) => {
    const { seed, written, changes } = windows[id];
    if (path === 'seed.json') return send(response, TYPES['.json'], JSON.stringify({ folder: `/puzzles-${id}`, files: seed }));
    if (path === 'changes') return changes.wait(files => send(response, TYPES['.json'], JSON.stringify(files)));
    if (path !== 'written') return file(response, join(here, 'files', path));
    let body = '';
    for await (const part of request) body += part;
    written.set(...JSON.parse(body));
    send(response, 'text/plain', '');
  };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const path = normalize(decodeURIComponent(pathname));
    const ofWindow = /^\/windows\/(?<id>\d+)\/files\/(?<path>[\w.-]+)$/.exec(path)?.groups;
    if (path === '/') return send(response, TYPES['.html'], page(server.address().port, searchParams.get('window'), searchParams.get('file')));
    if (ofWindow && windows[ofWindow.id]) return windowFile(request, response, ofWindow);
    const [mount, folder] = folders.find(([start]) => path.startsWith(start)) ?? [];
    return mount ? file(response, join(folder, path.slice(mount.length))) : missing(response);
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  return {
    /** A new folder with these files; what is written to it comes into `written`. */
    open: seed => {
      const [written, changes] = [new Map(), new Changes()];
      windows.push({ seed, written, changes });
      const id = windows.length - 1;
      return { written, write: files => changes.add(files), url: name => `http://window.${SITE}:${port}/?window=${id}${name ? `&file=${encodeURIComponent(name)}` : ''}` };
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Lowers the version of VS Code that an unpacked extension demands. */
export function lowered(manifest) {
  return JSON.stringify({ ...JSON.parse(readFileSync(manifest, 'utf8')), engines: { vscode: '^1.91.0' } });
}
