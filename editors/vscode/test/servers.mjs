// The language server of a window: its processes and its status.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './vscode.mjs';

/** The language servers of a window. Those of an earlier window, which may still be ending, are left out. */
export function serversOf(w) {
  return w.server.languageServers().filter(pid => !w.earlierServers.includes(pid));
}

/** Waits for a ready language server whose process id is not `before`. */
export async function serverOf(w, before) {
  let same = 0;
  let last;
  const ready = async () => {
    const [pid] = serversOf(w).filter(p => p !== before);
    // The status bar lags behind and may still show the earlier server: require the same state several times.
    same = pid && pid === last && /^cpz, cpz \d/.test(await statusOf(w)) ? same + 1 : 0;
    last = pid;
    return same > 6 && pid;
  };
  return until(ready, async () => `a server that is ready; there are ${serversOf(w)}, and ${await statusOf(w)}`);
}

/** The text of the status bar item. */
export const statusOf = async w => (await w.status.count()) > 0 && w.status.getAttribute('aria-label');

export const statusMatches = (w, pattern) =>
  until(async () => pattern.test(await statusOf(w)), async () => `a status like ${pattern}, which is ${await statusOf(w)}`);

/** Makes a file of the folder executable. */
export const makeExecutable = (w, name) => chmodSync(join(w.folder, name), 0o755);
