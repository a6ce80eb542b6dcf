//! The command as a person or a program meets it: what it prints, what it writes, how it ends.
#![expect(clippy::print_stdout, reason = "a test says how often it killed")]

mod archive;
mod bodies;
mod captured;
mod character;
mod check;
mod convert;
mod corpus;
mod corpus_kill;
mod corpus_reduction;
mod demo;
mod duet;
mod edits;
mod examples;
mod follow;
mod glb_parts;
mod help;
mod inspect;
mod keyframes;
mod limits;
mod motion_files;
mod perform;
mod real_data;
mod realise;
mod render;
mod sandbox;
mod streams;
mod studio;
mod study;
mod traverse;
mod tween;
mod vary;
mod vmc;
