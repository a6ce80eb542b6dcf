//! Bytes ⇄ motion: every file format, and the one door where conventions are settled.

pub mod roles;
