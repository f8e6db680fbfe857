// A core that begins before there is a connection to it: while the script of the page is loaded and run, what the page says first
// is said and answered.
import type { Message } from './core';
import type { FromWorker, ToWorker } from './worker';

export class EarlyWorker {
  readonly worker: Worker;
  private said: FromWorker[] = [];
  /** Whether its script could not be loaded. */
  isBroken = false;

  /**
   * Starts a worker that runs a script, which is `worker.ts` as JavaScript. The connection to it has to begin with the messages of
   * `sent`, and takes out of it what the worker knows already. They are in the worker's name, because a worker gets no other
   * message while a script of the page runs.
   */
  constructor(
    script: string,
    readonly sent: Message[],
  ) {
    const first: ToWorker[] = [{ start: { slow: false } }, ...sent.map((message) => ({ message }))];
    this.worker = new Worker(script, { name: JSON.stringify(first) });
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => this.said.push(data);
    this.worker.addEventListener('error', () => (this.isBroken = true));
  }

  /** Gives `listener` what the worker has said, and says from now on. */
  listen(listener: (data: FromWorker) => void): void {
    this.worker.onmessage = ({ data }: MessageEvent<FromWorker>) => listener(data);
    const { said } = this;
    this.said = [];
    said.forEach(listener);
  }
}
