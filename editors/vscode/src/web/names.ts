// Names of files in sentences of the server: it knows no folders, so it calls a file by its whole address.
import type { Message } from '../../../worker/core';

/** The members of messages that are sentences for people. */
const SENTENCES = new Set(['message', 'title', 'state', 'headline', 'caption', 'words']);

/** Shortens the names of files in the sentences of a message to their paths in one of the folders. */
export function shortenNames(message: Message, folders: string[]): void {
  if (folders.length) {
    shorten(message.params, folders);
    shorten(message.result, folders);
  }
}

function shorten(value: unknown, folders: string[]): void {
  if (typeof value !== 'object' || value === null || (Array.isArray(value) && typeof value[0] !== 'object')) {
    return;
  }
  const members = value as Record<string, unknown>;
  for (const [key, member] of Object.entries(members)) {
    if (typeof member !== 'string') {
      shorten(member, folders);
    } else if (SENTENCES.has(key)) {
      members[key] = folders.reduce((text, folder) => text.replaceAll(folder, ''), member);
    }
  }
}
