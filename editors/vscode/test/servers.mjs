// The language servers of one window, and programs that stand for one.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { until } from './vscode.mjs';

/** Those of a window: no other one is open on its server of VS Code, but one that was may still be ending. */
export function serversOf(w) {
  return w.server.languageServers().filter(pid => !w.others.includes(pid));
}

/** The server that answers, other than one that was there before. */
export async function serverOf(w, before) {
  let same = 0;
  let last;
  const ready = async () => {
    const [pid] = serversOf(w).filter(p => p !== before);
    // The status bar lags behind: an earlier server's word must not be taken for this one's.
    same = pid && pid === last && /^cpz, cpz \d/.test(await statusOf(w)) ? same + 1 : 0;
    last = pid;
    return same > 6 && pid;
  };
  return until(ready, async () => `a server that is ready; there are ${serversOf(w)}, and ${await statusOf(w)}`);
}

/** What the item of the status bar says. */
export const statusOf = w => w.status.getAttribute('aria-label', { timeout: 1000 });

export const says = (w, pattern, ms) =>
  until(async () => pattern.test(await statusOf(w)), async () => `a status like ${pattern}, which is ${await statusOf(w)}`, ms);

/** Makes a script of a folder a program. */
export const runnable = (w, name) => chmodSync(join(w.folder, name), 0o755);
