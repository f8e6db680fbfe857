// The module as a function: from a request and the bytes of a text or file to what the function gives.

/** After a call that needed more memory than this, in bytes, the module begins anew, since its memory never shrinks. */
const MAX_KEPT_MEMORY = 256 * 1024 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An instance of the module. It is replaced by a new one when a call traps: then its memory may be in any state. */
export class Core {
  #module;
  #exports;

  /** `module` is a WebAssembly.Module. */
  constructor(module) {
    this.#module = module;
    this.#begin();
  }

  #begin() {
    this.#exports = new WebAssembly.Instance(this.#module).exports;
  }

  /** Calls a function. `file` is a Uint8Array. Throws a TypeError, a RangeError, or an Error after a trap. */
  call(request, file) {
    let response;
    try {
      response = this.#respond(request, file);
    } catch (cause) {
      this.#begin();
      throw new Error(`${request.function} was stopped: cpz needs more memory than there is, or has a defect`, { cause });
    }
    if (this.#exports.memory.buffer.byteLength > MAX_KEPT_MEMORY) {
      this.#begin();
    }
    const { ok, error } = response;
    if (error) {
      throw new (error.type === 'TypeError' ? TypeError : RangeError)(error.message);
    }
    return ok;
  }

  #respond(request, file) {
    const { memory, alloc, call, out } = this.#exports;
    const buffers = [encoder.encode(JSON.stringify(request)), file].map((bytes) => {
      const address = alloc(bytes.length) >>> 0;
      new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
      return [address, bytes.length];
    });
    const length = call(...buffers.flat()) >>> 0;
    return JSON.parse(decoder.decode(new Uint8Array(memory.buffer, out() >>> 0, length)));
  }
}
