//! The command as a person or a program meets it: what it prints, what it writes, how it ends.

mod check;
mod convert;
mod corpus;
mod examples;
mod follow;
mod help;
mod inspect;
mod motion_files;
mod real_data;
mod render;
mod sandbox;
mod streams;
