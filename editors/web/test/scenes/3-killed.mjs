// The texts that the browser keeps, when it is killed while it writes them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { chromium } from 'playwright-core';
import { Page, until } from '../page.mjs';

/** How many texts the page keeps. */
const MAX_TEXTS = 12;
/** A text of so many lines that the browser writes it in several parts. Each line has its number. */
const LINES = 3000;
const textOf = (number) => `// text ${number}, of ${LINES} equal lines\n`.repeat(LINES);

/** The number of a text; fails if a part of it is missing, or of another one. */
function numberOf(text) {
  const number = Number(/^\/\/ text (\d+),/.exec(text)?.[1]);
  assert.ok(text === textOf(number), `a text of ${text.length} characters is none of those that were written: ${text.slice(0, 80)}`);
  return number;
}

/** Numbers below `end`, the same in each run. */
function random(seed) {
  let state = seed;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

/** Starts a browser of which all processes can be killed at once. */
async function start(profile, args) {
  const options = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...args, 'about:blank'];
  const child = spawn(process.env.CHROMIUM ?? '/usr/bin/chromium', options, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (part) => (said += part));
  const ended = once(child, 'exit');
  const end = () => process.kill(-child.pid, 'SIGKILL');
  process.on('exit', end);
  const address = await until(async () => /listening on (ws:\S+)/.exec(said)?.[1], () => `the browser, which says ${said}`);
  const browser = await chromium.connectOverCDP(address);
  const kill = async () => {
    process.off('exit', end);
    end();
    await ended;
    await browser.close().catch(() => {});
  };
  return { context: browser.contexts()[0], kill };
}

/** The file to which the browser appends what pages keep, and its length. */
function newest(folder) {
  const logs = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.log')) : [];
  const path = logs.length ? join(folder, logs.sort().at(-1)) : '';
  return { path, size: path ? statSync(path).size : 0 };
}

/** Opens the page with a profile. */
async function opened(profile, server, args) {
  const browser = await start(profile, args);
  const w = new Page(await browser.context.newPage(), server.address);
  await w.load();
  return { w, kill: browser.kill };
}

/**
 * Checks each text that the browser has kept, and returns their numbers. `known` has for each text, from the last one back, the
 * least number that may be found, the last one that was written, and whether it may be missing.
 */
async function found(w, known) {
  const kept = await w.page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('cpz.text.')).map(([, value]) => JSON.parse(value)));
  const numbers = kept.sort((a, b) => b.time - a.time).map(({ text }) => numberOf(text));
  // A new text may not be there yet; those before it stay, and the oldest one goes when there are more than are kept.
  const expected = known[0]?.isNew && !(numbers[0] >= known[0].least) ? known.slice(1) : known;
  const isWhole = numbers.length <= expected.length && numbers.length >= Math.min(MAX_TEXTS, expected.length);
  const fits = numbers.every((number, i) => expected[i].least <= number && number <= expected[i].most);
  assert.ok(isWhole && fits, `${numbers} are kept, of ${JSON.stringify(known)}`);
  if (numbers.length) assert.equal(numberOf(await w.text()), numbers[0], 'the last one is shown');
  return numbers;
}

async function killed({ check, log, server, work, isFull, chromiumArgs }) {
  const [profile, copy] = ['killed', 'cut'].map((name) => join(work, name));
  const folder = (of) => join(of, 'Default', 'Local Storage', 'leveldb');
  const remove = (of) => rmSync(of, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  const below = random(4711);
  const rounds = isFull ? 40 : 3;
  const stayed = { killed: 0, cut: 0 };
  let [known, number] = [[], 0];

  async function round(begins) {
    const { w, kill } = await opened(profile, server, chromiumArgs);
    const numbers = await found(w, known);
    if (numbers[0] > known[0]?.least) stayed.killed++;
    const before = newest(folder(profile));
    const first = ++number;
    if (begins) {
      // Another text, beside those that are kept.
      await w.drop(`${first}.cpz`, textOf(first));
      await until(async () => (await w.text()) === textOf(first), 'the new text');
    }
    // The browser writes a few seconds after the first change, then seldom.
    let isWritten = false;
    const watcher = watch(folder(profile), (_, name) => (isWritten ||= String(name).endsWith('.log')));
    while (!isWritten) {
      await w.write(textOf(++number));
      // A page that is hidden keeps its text at once.
      await w.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
      await w.page.waitForTimeout(below(60));
    }
    watcher.close();
    // Within this write, or behind it.
    await new Promise((done) => setTimeout(done, below(10)));
    await kill();
    known = numbers.map((least) => ({ least, most: least }));
    if (begins || !known.length) known.unshift({ least: first, isNew: true });
    known[0].most = number;
    return before;
  }

  /** A kill within the write, or a loss of power, leaves a part of it. */
  async function cutIn(before) {
    cpSync(profile, copy, { recursive: true, verbatimSymlinks: true });
    const { path, size } = newest(folder(copy));
    const least = basename(path) === basename(before.path) ? before.size : 0;
    if (size > least) truncateSync(path, least + below(size - least));
    const { w, kill } = await opened(copy, server, chromiumArgs);
    if ((await found(w, known))[0] > known[0].least) stayed.cut++;
    await kill();
    remove(copy);
  }

  await check(`killed while it writes, ${rounds} times, the browser has each text as it was before or after a write`, async () => {
    for (let i = 0; i < rounds; i++) await cutIn(await round(i % 3 === 0));
    const { w, kill } = await opened(profile, server, chromiumArgs);
    if ((await found(w, known))[0] > known[0].least) stayed.killed++;
    await kill();
    assert.ok(stayed.killed > 0, 'no write has stayed');
  });
  log(`${number} texts were written; ${stayed.killed} of ${rounds} kills came after a write, and ${stayed.cut} of ${rounds} parts of a log had it`);
  remove(profile);
}

export default { killed };
