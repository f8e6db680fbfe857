// A text in the fragment of a link. Browsers send no fragment to a server.

/** `z`: compressed by DEFLATE; `t`: as it is. Both are UTF-8 in base64url. `solve`: the text is opened to be solved. */
const FRAGMENT = /^#([zt])=([\w-]*)(&solve)?$/;
/** The most bytes that a link may unpack to: a short link can hold a lot of nothing. */
const MAX_UNPACKED = 4 * 1024 * 1024;

/** The fragment for a text, with its hash sign. */
export async function fragmentOf(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text);
  if (!('CompressionStream' in window)) {
    return `#t=${toBase64(bytes)}`;
  }
  const packed = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return `#z=${toBase64(new Uint8Array(await new Response(packed).arrayBuffer()))}`;
}

/** Whether a fragment is meant to hold a text. */
export function holdsText(fragment: string): boolean {
  return /^#[zt]=/.test(fragment);
}

/** Whether the text of a fragment is to be solved. */
export function isForSolvers(fragment: string): boolean {
  return !!FRAGMENT.exec(fragment)?.[3];
}

/** The fragment for a text that is to be solved. */
export async function solversFragmentOf(text: string): Promise<string> {
  return `${await fragmentOf(text)}&solve`;
}

/** The text of a fragment. Fails with a sentence if it holds none that can be read. */
export async function textOf(fragment: string): Promise<string> {
  const [, kind, data] = FRAGMENT.exec(fragment) ?? [];
  if (!kind || !data) {
    throw new Error('This link is broken: the part behind # is not what this page writes. Ask for it again, or for the file.');
  }
  if (kind === 'z' && !('DecompressionStream' in window)) {
    throw new Error('This browser is too old to open the link: it cannot unpack the text in it. Ask for the file instead.');
  }
  let bytes: Uint8Array;
  try {
    bytes = fromBase64(data);
    if (kind === 'z') {
      bytes = await unpack(bytes);
    }
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) {
      throw new Error('This link holds more than this page opens from a link. Ask for the file instead.');
    }
    throw new Error('This link is broken: a part of it is missing or changed. Copy all of it, or ask for the file.');
  }
}

async function unpack(bytes: Uint8Array): Promise<Uint8Array> {
  const unpacked = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = unpacked.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      break;
    }
    size += value.length;
    if (size > MAX_UNPACKED) {
      await reader.cancel();
      throw new RangeError('too long');
    }
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** How many bytes become characters at once: a call takes only so many arguments. */
const CHUNK = 0x2000;

function toBase64(bytes: Uint8Array): string {
  let characters = '';
  for (let i = 0; i < bytes.length; i += CHUNK) {
    characters += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  }
  return btoa(characters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64(text: string): Uint8Array {
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(characters, (c) => c.charCodeAt(0));
}
