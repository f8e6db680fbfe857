// A connection to the core: messages of the language server protocol, in both directions.

/** A request, a notification or a response, as JSON-RPC has them. */
export interface Message {
  jsonrpc: '2.0';
  id?: number | string | null;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

export interface Connection {
  send(message: Message): void;
  onMessage: (message: Message) => void;
  /** Is called once, with a sentence, if no more messages will come. */
  onFailure: (why: string) => void;
}

/** What the worker sends besides messages. */
export type FromWorker = Message | { failed: string };

/** A connection to the core in a worker. */
export function workerConnection(script: string): Connection {
  const worker = new Worker(script);
  const connection: Connection = {
    send: (message) => worker.postMessage(message),
    onMessage: () => undefined,
    onFailure: () => undefined,
  };
  worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if ('failed' in data) {
      connection.onFailure(data.failed);
    } else {
      connection.onMessage(data);
    }
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    connection.onFailure('the part of this page that checks puzzles could not be loaded. Load the page again.');
  });
  return connection;
}
