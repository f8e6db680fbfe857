//! When the memory allocator gives freed memory back to the system.

/// The size in bytes from which the allocator takes a block from the system, and gives it back when it is freed. It is what the
/// allocator of GNU begins with.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const FROM: libc::c_int = 128 * 1024;

/// The largest size in bytes of a block that all versions of the allocator take from what they have.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGEST_BLOCK: libc::c_int = 32 << 20;

/// The free bytes from which on the allocator gives some back.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const MOST_FREE: libc::c_int = 1 << 30;

/// Makes large blocks go back to the system as soon as they are freed, for a process that lives long and rarely needs
/// as much as it once did. To be called before any large block is allocated.
///
/// The allocator of GNU raises the size from which it does so, up to 32 MB, whenever a larger block is freed; then an answer about a
/// long text leaves the process with half as much memory again as it needs. A size that is set stays. Other allocators are
/// left alone.
pub fn give_back_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: `mallopt` takes two numbers and only sets a parameter of the allocator. If it fails, nothing changes.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, FROM);
    }
}

/// Keeps freed memory for the next blocks, for a process that ends soon. `cpz check` of 1,000,000 puzzles takes 0.9 of its time: a
/// third of what the system does for it is to take back and to clear pages that are wanted again at once.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: as above.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGEST_BLOCK);
        libc::mallopt(libc::M_TRIM_THRESHOLD, MOST_FREE);
    }
}
