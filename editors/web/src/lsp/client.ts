// A small client of the language server protocol.
import type { Message } from '../../../worker/core';
import type { Connection } from '../../../worker/connection';
import { FIRST_ID, INITIALIZED, initializeMessage, notification } from './opening';

/** An error that the server answered. */
export class ResponseError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

type Handler = (params: never) => unknown;

const METHOD_NOT_FOUND = -32601;
const INTERNAL_ERROR = -32603;

export class LanguageClient {
  private nextId = FIRST_ID;
  private readonly open = new Map<number, { done: (result: unknown) => void; failed: (error: Error) => void }>();
  private readonly handlers = new Map<string, Handler>();
  private capabilities: Record<string, unknown> = {};
  private failure: string | undefined;
  /** Is called when the core cannot go on. */
  onFailure: (why: string) => void = () => undefined;

  constructor(private readonly connection: Connection) {
    connection.onMessage = (message) => this.receive(message);
    connection.onFailure = (why) => this.fail(why);
  }

  /** Sends `initialize` and `initialized`. Returns when the server is there. */
  async start(params: unknown): Promise<void> {
    const id = this.nextId++;
    const answered = new Promise<unknown>((done, failed) => this.open.set(id, { done, failed }));
    this.connection.send(initializeMessage(id, params));
    this.connection.send(INITIALIZED);
    const result = (await answered) as { capabilities?: Record<string, unknown> };
    this.capabilities = result.capabilities ?? {};
  }

  /** Whether the server has a request that is no part of the protocol: it lists them as `experimental.requests`. */
  offers(method: string): boolean {
    const { requests } = (this.capabilities.experimental ?? {}) as { requests?: unknown };
    return Array.isArray(requests) && requests.includes(method);
  }

  /** Sends a request. Fails with a ResponseError, or when the signal is aborted. */
  request<R>(method: string, params: unknown, signal?: AbortSignal): Promise<R> {
    if (this.failure) {
      return Promise.reject(new Error(this.failure));
    }
    const id = this.nextId++;
    return new Promise<R>((done, failed) => {
      this.open.set(id, { done: done as (result: unknown) => void, failed });
      signal?.addEventListener('abort', () => {
        if (this.open.delete(id)) {
          this.notify('$/cancelRequest', { id });
          failed(new Error('cancelled'));
        }
      });
      this.send({ jsonrpc: '2.0', id, method, params });
    });
  }

  notify(method: string, params: unknown): void {
    this.send(notification(method, params));
  }

  /** Handles a request or notification of the server. */
  on<P>(method: string, handler: (params: P) => unknown): void {
    this.handlers.set(method, handler as Handler);
  }

  private send(message: Message): void {
    if (!this.failure) {
      this.connection.send(message);
    }
  }

  private receive(message: Message): void {
    if (message.method) {
      void this.handle(message.method, message);
      return;
    }
    const id = Number(message.id);
    const open = this.open.get(id);
    this.open.delete(id);
    if (message.error) {
      open?.failed(new ResponseError(message.error.code, message.error.message));
    } else {
      open?.done(message.result);
    }
  }

  private async handle(method: string, { id, params }: Message): Promise<void> {
    const handler = this.handlers.get(method);
    const isRequest = id !== undefined && id !== null;
    if (!handler) {
      if (isRequest) {
        this.connection.send({ jsonrpc: '2.0', id, error: { code: METHOD_NOT_FOUND, message: `there is no method ${method}` } });
      }
      return;
    }
    try {
      const result = (await handler(params as never)) ?? null;
      if (isRequest) {
        this.connection.send({ jsonrpc: '2.0', id, result });
      }
    } catch (error) {
      if (isRequest) {
        this.connection.send({ jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: String(error) } });
      }
    }
  }

  private fail(why: string): void {
    if (this.failure) {
      return;
    }
    this.failure = why;
    for (const { failed } of this.open.values()) {
      failed(new Error(why));
    }
    this.open.clear();
    this.onFailure(why);
  }
}
