//! C3D files.

mod fixtures;
mod real_data;
mod recipes;
mod writer;
