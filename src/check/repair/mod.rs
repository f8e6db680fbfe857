//! Repairs: the changes of a board that make its puzzle sound.
//!
//! A puzzle is sound if its board has what its queries ask for: a solution, one only where it is said to be unique, as many
//! keys or helpmates as are intended and none that is shorter. The search tries every change of one piece, then every
//! pair of changes, from the closest to the board to the farthest.
//!
//! Invariant: it knows positions and what is asked of them; texts, titles and edits are made by the layers above. Every
//! repair is proved by the searches that answer queries. The result depends on the position and the budget alone.
//!
//! A file imports only files before it: change < goals < checker < search, reduce.

mod change;
mod checker;
mod goals;
mod reduce;
mod search;

pub use change::{Change, changed_squares, single_changes};
pub use goals::{Aim, Goals};
pub use reduce::reductions;
pub use search::{Limits, Repair, Repairs, repairs};
