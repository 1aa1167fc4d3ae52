//! What engines share that look for deadlocks ([`braid_program::deadlock`] says what one is).
//!
//! `held` says which locks a thread may hold where; `order` proves by the order of locks, `many` for any number of threads;
//! `monitor` makes a deadlock an error location, for engines that know nothing else.

mod copies;
pub(crate) mod held;
mod live;
mod many;
mod monitor;
mod order;

pub use many::LockOrderOfMany;
pub(crate) use monitor::{refuse, through_monitor};
pub use order::LockOrder;
