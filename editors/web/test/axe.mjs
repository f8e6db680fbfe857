// What axe-core finds in the page.
import { readFileSync } from 'node:fs';

const axe = readFileSync(new URL('node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** The violations in the page and in the frame of the board. */
export async function violations(w) {
  const found = [];
  for (const frame of w.page.frames()) {
    await frame.evaluate(axe);
    const result = await frame.evaluate(() => window.axe.run(document, { iframes: false, resultTypes: ['violations'] }));
    for (const { id, help, nodes } of result.violations) found.push(`${frame.url()}: ${id}: ${help}: ${nodes.map((n) => `${n.html.slice(0, 160)} ${n.any[0]?.message ?? ''}`).join('\n  ')}`);
  }
  return found;
}
