// The clock of the extension, which runs in a worker of the browser.

/** Timers of at least so many milliseconds wait for the clock: the pauses that a person makes. */
const LONG = 1000;

/**
 * Stops the clock of the extension, so that no pause ends however slow the machine is. The method `pass` of what is
 * returned lets so many milliseconds pass at once.
 */
export async function stopClock(page, until) {
  const find = async () => {
    for (const worker of page.workers()) {
      if ((await worker.evaluate(() => self.name)) === 'WorkerExtensionHost') return worker;
    }
  };
  const worker = await until(find, 'the worker of the extension');
  await worker.evaluate(long => {
    const { setTimeout: set, clearTimeout: clear } = self;
    const waiting = new Map();
    let now = Date.now();
    Date.now = () => now;
    self.setTimeout = (act, ms, ...values) => {
      if (!(ms >= long)) return set(act, ms, ...values);
      // A number that no other timer gets; it ends after weeks.
      const timer = set(() => {}, 2 ** 31 - 1);
      waiting.set(timer, { end: now + ms, act: () => act(...values) });
      return timer;
    };
    self.clearTimeout = timer => {
      waiting.delete(timer);
      clear(timer);
    };
    self.pass = ms => {
      now += ms;
      for (const [timer, { end, act }] of waiting) {
        if (end > now) continue;
        self.clearTimeout(timer);
        act();
      }
    };
  }, LONG);
  return { pass: ms => worker.evaluate(ms => self.pass(ms), ms) };
}
