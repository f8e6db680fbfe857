// Reading files that the user opens or drops.

/** The largest file that is opened, in bytes. */
const MAX_BYTES = 50 * 1000 * 1000;

/** A file as a text. */
export interface OpenedFile {
  name: string;
  text: string;
}

/** Reads a file. Fails with a sentence if it is too large or not a text. */
export async function readFile(file: File): Promise<OpenedFile> {
  const { name, size } = file;
  if (size > MAX_BYTES) {
    throw new Error(`${name} is ${Math.round(size / 1e6)} MB, and this page opens files of up to 50 MB. Use the program cpz for it, or split it.`);
  }
  let bytes: Uint8Array;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error(`${name} cannot be read. If it is a folder, open one of its files.`);
  }
  if (/\.(zst|gz|zip|7z|bz2|xz)$/i.test(name)) {
    throw new Error(`${name} is compressed. Unpack it first, and open what is inside.`);
  }
  if (bytes.subarray(0, 1 << 16).includes(0)) {
    throw new Error(`${name} is not a text, so there are no puzzles in it to read.`);
  }
  try {
    return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw new Error(`${name} is not a text in UTF-8, so letters in it would be lost. Save it as UTF-8 first, for example with a text editor.`);
  }
}

/** Puts a text, or bytes, into a file that the browser saves. */
export function download(name: string, content: string | Uint8Array<ArrayBuffer>): void {
  const type = typeof content === 'string' ? 'text/plain;charset=utf-8' : 'application/octet-stream';
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  [link.href, link.download] = [address, name];
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
