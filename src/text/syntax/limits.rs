//! The limits of the parser.

/// The longest text that is parsed, in bytes: offsets have 32 bits.
pub const MAX_TEXT: usize = 1 << 30;

/// How deep lists may be nested; a list of three-dimensional boards needs five levels.
pub const MAX_DEPTH: usize = 32;

/// The longest text of another program, in bytes, of which a fix makes puzzles. `cpz import` reads longer ones.
pub const MAX_PASTED: usize = 256 << 10;
