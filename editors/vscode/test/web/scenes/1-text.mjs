// Findings, answers, hover, fixes, lenses and formatting.
import assert from 'node:assert/strict';

const text = `chess "Too far" {
  board 4k3/8/8/8/8/8/8/4K1N1
  move Ne4
}

solitaire "Open" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve
}
`;

async function findings({ window, check, shot }) {
  const w = await window({ 'a.cpz': text }, 'a.cpz');
  await check('the checker in the browser starts', () => w.status.waitFor());
  await check('an illegal move is underlined', () => w.until(async () => (await w.errors.count()) === 1, 'one squiggle'));
  await shot();
}

export default { findings };
