//! The exports of the module, without wasm-bindgen; the page of this folder describes them. `editors/worker/core.ts` calls the
//! server, `packages/npm/lib/core.js` the functions.
//!
//! Safety: the module has one thread, and JavaScript calls one export at a time. A buffer belongs to JavaScript from
//! [`alloc`] until it passes it to [`handle`] or `call`, which frees it.

#[cfg(feature = "complete")]
mod functions;
#[cfg(feature = "complete")]
mod options;

use std::cell::RefCell;

use cpz::lsp::embedded::{EmbeddedServer, SlowSearches};

thread_local! {
    static SERVER: RefCell<EmbeddedServer> = RefCell::new(EmbeddedServer::new(SlowSearches::Skipped));
    /// The messages, or the response, of the last call.
    static OUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A buffer of `length` bytes. JavaScript fills it and passes it to [`handle`] or `call`.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Begins anew, without texts: with `slow` other than 0 a server that queues slow searches for [`work`], with 0 one that
/// answers without them, as the module does from the start.
#[unsafe(no_mangle)]
pub extern "C" fn start(slow: u32) {
    let slow = if slow == 0 { SlowSearches::Skipped } else { SlowSearches::Queued };
    SERVER.set(EmbeddedServer::new(slow));
}

/// Takes a message, in UTF-8, from a buffer of [`alloc`] and frees the buffer. Returns the length of the messages for
/// the client, which [`out`] has.
///
/// # Safety
/// `buffer` and `length` are those of one call of [`alloc`] that no other call of this function had.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn handle(buffer: *mut u8, length: usize) -> usize {
    // SAFETY: `alloc` leaked a boxed slice of this length.
    let bytes = unsafe { taken(buffer, length) };
    let message = String::from_utf8_lossy(&bytes);
    keep(SERVER.with_borrow_mut(|server| server.handle(&message)))
}

/// Runs one slow search, if any waits. Returns the length of the messages for the client, which [`out`] has.
#[unsafe(no_mangle)]
pub extern "C" fn work() -> usize {
    keep(SERVER.with_borrow_mut(EmbeddedServer::work))
}

/// How many slow searches wait.
#[unsafe(no_mangle)]
pub extern "C" fn pending() -> usize {
    SERVER.with_borrow(EmbeddedServer::pending)
}

/// Where the messages, a JSON array, or the response of the last call are: JSON in UTF-8. Valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn out() -> *const u8 {
    OUT.with_borrow(|out| out.as_ptr())
}

/// Keeps the messages of a call, and returns their length in bytes.
fn keep(messages: Vec<String>) -> usize {
    OUT.with_borrow_mut(|out| {
        out.clear();
        out.push('[');
        out.push_str(&messages.join(","));
        out.push(']');
        out.len()
    })
}

/// Calls a function: takes a request and a text or file from two buffers of [`alloc`] and frees them. Returns the length of
/// the response, which [`out`] has.
///
/// # Safety
/// Each buffer and its length are those of one call of [`alloc`] that no other call of this function had.
#[cfg(feature = "complete")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn call(
    request: *mut u8,
    request_length: usize,
    file: *mut u8,
    file_length: usize,
) -> usize {
    // SAFETY: `alloc` leaked boxed slices of these lengths.
    let (request, file) = unsafe { (taken(request, request_length), taken(file, file_length)) };
    let response = functions::respond(&request, file.into_vec());
    OUT.replace(response);
    OUT.with_borrow(String::len)
}

/// # Safety
/// `buffer` and `length` are those of one call of [`alloc`], and nobody else has freed the buffer.
unsafe fn taken(buffer: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: see above.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(buffer, length)) }
}
