//! The exports of the module, without wasm-bindgen. `../lib/core.js` calls them; the page of the module describes them.
//!
//! Safety: the module has one thread, and JavaScript calls one export at a time. A buffer belongs to JavaScript from
//! [`alloc`] until it passes it to [`call`], which frees it.

mod functions;
mod options;

use std::cell::RefCell;

thread_local! {
    /// The response of the last call.
    static OUT: RefCell<String> = const { RefCell::new(String::new()) };
}

/// A buffer of `length` bytes. JavaScript fills it and passes it to [`call`].
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    Box::leak(vec![0; length].into_boxed_slice()).as_mut_ptr()
}

/// Calls a function: takes a request and a text or file from two buffers of [`alloc`] and frees them. Returns the length of
/// the response, which [`out`] has.
///
/// # Safety
/// Each buffer and its length are those of one call of [`alloc`] that no other call of this function had.
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

/// Where the response of the last call is: JSON in UTF-8. Valid until the next call.
#[unsafe(no_mangle)]
pub extern "C" fn out() -> *const u8 {
    OUT.with_borrow(|out| out.as_ptr())
}

/// # Safety
/// As [`call`] demands.
unsafe fn taken(buffer: *mut u8, length: usize) -> Box<[u8]> {
    // SAFETY: see above.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(buffer, length)) }
}
