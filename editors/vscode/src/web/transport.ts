// The messages of the client to the cores in the workers, and back.
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  type DataCallback,
  type Disposable,
  type Message,
  type MessageReader,
  type MessageWriter,
} from 'vscode-languageclient/browser';
import type { Connection } from '../../../worker/connection';
import type { Message as CoreMessage } from '../../../worker/core';
import { shortenNames } from './names';

/** Marks the ids of the requests that are made here. */
const OWN = 'refresh/';
/** What the client asks for again when a search has ended. */
const REFRESHES = ['workspace/codeLens/refresh', 'workspace/inlayHint/refresh', 'workspace/semanticTokens/refresh'];

export class ConnectionReader extends AbstractMessageReader implements MessageReader {
  private refreshes = 0;

  /** `folders` returns the addresses of the folders of the workspace, each with a slash at its end. */
  constructor(
    private readonly connection: Connection,
    private readonly folders: () => string[],
  ) {
    super();
  }

  listen(callback: DataCallback): Disposable {
    this.connection.onMessage = (message) => {
      if (message.id === undefined && REFRESHES.includes(message.method ?? '')) {
        // The connection tells this once; the protocol has a request for each feature.
        REFRESHES.forEach((method) => callback({ jsonrpc: '2.0', id: `${OWN}${++this.refreshes}`, method } as Message));
      } else {
        shortenNames(message, this.folders());
        callback(message as Message);
      }
    };
    return { dispose: () => (this.connection.onMessage = () => undefined) };
  }
}

export class ConnectionWriter extends AbstractMessageWriter implements MessageWriter {
  constructor(private readonly send: (message: CoreMessage) => void) {
    super();
  }

  write(message: Message): Promise<void> {
    // Objects of VS Code, such as positions and settings, are something else in a worker than in JSON.
    const given = JSON.parse(JSON.stringify(message)) as CoreMessage;
    const isOwn = given.method === undefined && `${given.id}`.startsWith(OWN);
    if (!isOwn) {
      this.send(given);
    }
    return Promise.resolve();
  }

  end(): void {}
}
