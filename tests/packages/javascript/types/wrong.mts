import { check, convert, draw, exportText, format, generate, hint, importText, init, printText, repair, schema, solve, sort } from 'cpz-lang';
// @ts-expect-error: a text is a string
await check(1);
// @ts-expect-error: a function has a text
await check();
// @ts-expect-error: there is no such option
await check('', { nonsense: true });
// @ts-expect-error: a budget is a number
await check('', { budget: '1000' });
// @ts-expect-error: a promise has no files
check('').files;
// @ts-expect-error: only `check` finds hints
await solve('', { hints: true });
// @ts-expect-error: formatting has no options
await format('', {});
// @ts-expect-error: there is no such format of boards
await convert('', 'fan');
// @ts-expect-error: the format is missing
await exportText('');
// @ts-expect-error: patterns are an array
await exportText('', 'json', { only: 'mate-*' });
// @ts-expect-error: there is no such game
await exportText('', 'json', { games: ['go'] });
// @ts-expect-error: a file is a string or bytes
await importText(5);
// @ts-expect-error: pictures are SVG
await draw('', { to: 'png' });
// @ts-expect-error: the rules are those of solitaire
await generate('solitaire', { rules: 'odd' });
// @ts-expect-error: no severity is called so
(await check('')).files[0]?.diagnostics[0]?.severity === 'fatal';
// @ts-expect-error: queries have answers, puzzles have not
(await solve('')).files[0]?.puzzles[0]?.answer;
// @ts-expect-error: the module is no address
await init('cpz.wasm');
// @ts-expect-error: the grades are 1 to 3
await hint('', { grade: 4 });
// @ts-expect-error: a text is sorted by something
await sort('');
// @ts-expect-error: there is no such format of sheets
await printText('', { to: 'pdf' });
// @ts-expect-error: there is no such aim
await repair('', { smaller: true });
// @ts-expect-error: there is no such schema
await schema('sheet');
