// Programs that must compile.
import { answerLine, check, codes, convert, draw, explain, exportText, fix, format, generate, hint, importText, init } from 'cpz-lang';
import { plot, printText, rate, repair, schema, solve, sort, stats } from 'cpz-lang';
import type { CheckDiagnostic, ExportDocument, LinesDocument, RepairPuzzle, SolveKeys, SolvePuzzle } from 'cpz-lang';

await init();
await init(new Uint8Array());
await init(fetch('cpz.wasm'));

const found: CheckDiagnostic[] = (await check('', { hints: true, budget: 1000, path: undefined })).files.flatMap((file) => file.diagnostics);
const severity: 'error' | 'warning' | 'hint' | undefined = found[0]?.severity;
const puzzles: SolvePuzzle[] = (await solve('', { tree: true })).files.flatMap((file) => file.puzzles);
for (const { answer } of puzzles.flatMap((puzzle) => puzzle.queries)) {
  if ('keys' in answer) {
    const keys: SolveKeys['keys'] = answer.keys;
    console.log(keys[0]?.san, answer.complete);
  } else if ('solvable' in answer) {
    const [from, to] = answer.moves?.[0] ?? [];
    console.log(from?.[0], to?.[1]);
  }
}
const text: string = await format('');
const { unchanged } = await convert(text, 'fen', { config: '' });
const imported = await importText(new Uint8Array(), { fromFormat: 'pgn', letters: 'de', bottomUp: false });
await importText(new ArrayBuffer(8));
const exported = await exportText(imported.text, 'json', { only: ['mate-*'], tags: [], games: ['chess'] as const });
const { version, puzzles: written } = JSON.parse(exported.text) as ExportDocument;
const svg: string = await draw(text, { size: 64, step: 1, theme: 'print', to: 'svg', coordinates: false });
const made = await generate('chess', { mate: 2, positions: text, known: text, seed: 7 });
const answered = JSON.parse(await answerLine(text, { number: 2 })) as LinesDocument;
console.log(answered.line, severity, unchanged[0]?.reason, version, written[0]?.properties['x-level'], svg, made.puzzles + 1);
const repairs: RepairPuzzle['repairs'] = (await repair(text, { shorten: true, max: 1, games: ['chess'] })).files[0]?.puzzles[0]?.repairs ?? [];
const { difficulty } = (await rate(text, { only: ['1'] })).files[0]?.puzzles[0] ?? {};
if (difficulty && !('error' in difficulty)) {
  console.log(difficulty.estimate, repairs[0]?.edits[0]?.text);
}
const given: string | null | undefined = (await hint(await sort(text, 'difficulty', { budget: 1 }), { grade: 3 })).files[0]?.puzzles[0]?.hint;
const counted: number | undefined = (await stats(text)).games.chess;
const sheet = await printText((await fix(text)).text, { to: 'typst', perPage: 4, solutions: 'none', addHints: true, language: 'de' });
const title: string | null = (await explain('cook')).title;
console.log(given, counted, sheet.left_out[0]?.reason, title, (await codes())[0]?.severity, (await schema('rate')).title, await plot(text));
