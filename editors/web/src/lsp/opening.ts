// The first messages of a session. `start.ts` sends them before the rest of the page is there.
import type { Message } from '../../../worker/core';
import { URI } from '../uri';

/** The id of the first request of a client. */
export const FIRST_ID = 1;

export function initializeMessage(id: number, params: unknown): Message {
  return { jsonrpc: '2.0', id, method: 'initialize', params };
}

export const INITIALIZED: Message = { jsonrpc: '2.0', method: 'initialized', params: {} };

/** The version of a text that was not edited yet. */
export const FIRST_VERSION = 1;

/** The parameters of `textDocument/didOpen`, for a text with the line ends of the editor. */
export function openedText(text: string): object {
  return { textDocument: { uri: URI, languageId: 'cpz', version: FIRST_VERSION, text } };
}

export function notification(method: string, params: unknown): Message {
  return { jsonrpc: '2.0', method, params };
}
