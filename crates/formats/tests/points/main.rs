//! Tests of the readers of points and of body-model poses: fixtures with their reports, damaged bytes, independently computed
//! positions, and captured files.

mod c3d;
mod damage;
mod npz;
mod path;
mod recipe;
#[path = "../support/mod.rs"]
mod support;
mod trc;
