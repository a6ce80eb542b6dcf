//! The readers of points and of body-model poses, shown from outside: fixtures with their reports, damaged bytes, positions
//! worked out another way, real files.

mod c3d;
mod damage;
mod npz;
mod path;
mod recipe;
#[path = "../support/mod.rs"]
mod support;
mod trc;
