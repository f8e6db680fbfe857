//! Decides at run time which change of the program is active. It is a crate of the copy that `tests/mutants` compiles.

use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

/// The variable with the number of the change, and the one with the file of the functions that are called.
const CHANGE: &str = "CPZ_MUTANT";
const TRACE: &str = "CPZ_MUTANT_TRACE";

/// The numbers from here on are none of a change.
const TRACED: u32 = u32::MAX - 1;
const UNREAD: u32 = u32::MAX;

static ACTIVE: AtomicU32 = AtomicU32::new(UNREAD);

/// A function that has changes.
pub struct Function {
    name: &'static str,
    called: AtomicBool,
}

impl Function {
    pub const fn new(name: &'static str) -> Function {
        Function { name, called: AtomicBool::new(false) }
    }
}

/// The number of the active change; 0 is none.
#[inline]
pub fn active(function: &'static Function) -> u32 {
    match ACTIVE.load(Relaxed) {
        TRACED if function.called.load(Relaxed) => 0,
        TRACED.. => begin(function),
        active => active,
    }
}

/// Tells the compiler not to optimise the arm of a change as one that matters.
#[cold]
#[inline(never)]
pub fn changed() {}

/// Reads the number at the first call of this process, and notes each function once where that is asked for. Processes that a
/// test starts append to the same file.
#[cold]
fn begin(function: &'static Function) -> u32 {
    let Some(trace) = std::env::var_os(TRACE) else {
        let active = std::env::var(CHANGE).map_or(0, |number| number.parse().expect("a number"));
        ACTIVE.store(active, Relaxed);
        return active;
    };
    ACTIVE.store(TRACED, Relaxed);
    if !function.called.swap(true, Relaxed) {
        let mut file = std::fs::OpenOptions::new().append(true).open(trace).expect("the file of the trace");
        file.write_all(format!("{}\n", function.name).as_bytes()).expect("a line of the trace");
    }
    0
}
