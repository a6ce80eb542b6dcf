//! The `marey` command: flags become requests of the library, outcomes become files and tables.

mod args;
mod batch;
mod bug;
mod cancel;
mod check;
mod cluster;
mod completions;
mod console;
mod convert;
mod corpus;
mod demo;
mod duet;
mod examples;
mod flags;
mod follow;
mod ink;
mod inspect;
mod json;
mod notice;
mod output;
mod perform;
mod play;
mod realise;
mod record;
mod render;
mod studio;
mod study;
mod table;
mod transcribe;
mod traverse;
mod tween;
mod vary;
mod verdict;
mod wander;

use std::process::ExitCode;

use args::{Cli, Verb};
use console::Console;
use marey::Error;
use verdict::Verdict;

fn main() -> ExitCode {
    bug::guard(|| {
        let cli = Cli::from_command_line();
        let console = Console::new(&cli);
        match run(&cli.verb, &console) {
            Ok(Verdict::AllDone) => ExitCode::SUCCESS,
            Ok(Verdict::SomeFailed) => ExitCode::from(1),
            Ok(Verdict::WronglyAsked) => ExitCode::from(2),
            Err(failure) => {
                console.error(&failure);
                ExitCode::from(if failure.is_usage { 2 } else { 1 })
            }
        }
    })
}

fn run(verb: &Verb, console: &Console) -> Result<Verdict, Error> {
    match verb {
        Verb::Inspect(args) => inspect::run(args, console),
        Verb::Convert(args) => convert::run(args, console),
        Verb::Check(args) => check::run(args, console),
        Verb::Render(args) => render::run(args, console),
        Verb::Realise(args) => realise::run(args, console),
        Verb::Corpus(args) => corpus::run(args, console),
        Verb::Follow(args) => follow::run(args, console),
        Verb::Transcribe(args) => transcribe::run(args, console),
        Verb::Duet(args) => duet::run(args, console),
        Verb::Traverse(args) => traverse::run(args, console),
        Verb::Perform(args) => perform::run(args, console),
        Verb::Play(args) => play::run(args, console),
        Verb::Record(args) => record::run(args, console),
        Verb::Vary(args) => vary::run(args, console),
        Verb::Tween(args) => tween::run(args, console),
        Verb::Wander(args) => wander::run(args, console),
        Verb::Studio(args) => studio::run(args, console),
        Verb::Study(args) => study::run(args, console),
        Verb::Cluster(args) => cluster::run(args),
        Verb::Demo(args) => demo::run(args, console),
        Verb::Examples(args) => examples::run(args, console),
        Verb::Completions(args) => completions::run(args, console),
    }
}
