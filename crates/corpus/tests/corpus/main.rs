//! The corpus at work, on files of its own.
#![expect(clippy::print_stdout, reason = "tests say what was skipped, and what they counted")]

mod annotations;
mod child;
mod cutting;
mod damage;
mod folder;
mod kill;
mod moments;
mod power_loss;
mod preparing;
mod real_data;
mod refusals;
mod removal;
mod requests;
mod sharing;
mod support;
mod takes;
mod versions;
