//! The corpus at work, on files of its own.

mod annotations;
mod child;
mod cutting;
mod damage;
mod folder;
mod kill;
mod real_data;
mod refusals;
mod sharing;
mod support;
mod takes;
mod versions;
