//! The project's chores, as one command: `cargo xtask demo | studio | web | python | test | ci | bench | eval | fuzz | bless`.
//!
//! It only starts other programs and checks how they end; it depends on nothing, so that it is built at once.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a chore talks to the person who started it")]

mod chores;
mod fuzz;
mod pages;
mod python;
mod run;

use std::env;
use std::process::ExitCode;

const HELP: &str = "\
Examples:
  cargo xtask demo              build everything and run the main job on example motion
  cargo xtask test              install what the tests need and run them all

Usage: cargo xtask <CHORE> [ARGS]

Chores:
  demo [DIR]                    build Marey and run `marey demo` into DIR (default: out/demo)
  studio [CORPUS] [ARGS]        build Marey with the studio's page and start `marey studio`; needs Node 20 or later
  web                           build the studio's page, to be embedded when Marey is next built
  python [--release]            build the Python package into a fresh environment and run its tests; needs Python 3.10 or later
  test                          every test; installs the npm packages of web/, Python packages, and Debian's chromium where it may
  ci                            formatting, lints and documentation without warnings, then every test
  bench [NAME] [--json] [--quick] [--seed N]
                                speed and memory, each beside its baseline
  eval [NAME] [--json] [--quick] [--seed N]
                                quality: accuracy, error, agreement with truth
  fuzz [NAME…] [--secs N]       bytes of every kind for a reader, or for all, for so many seconds each (default: 60)
  bless                         write down anew what tests expect: fixture reports, command snapshots, docs/codes.md
";

fn main() -> ExitCode {
    let mut args = env::args().skip(1);
    let chore = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let done = match chore.as_str() {
        "demo" => chores::demo(&rest),
        "studio" => chores::studio(&rest),
        "web" => pages::build(),
        "python" => python::python(&rest),
        "test" => chores::test(),
        "ci" => chores::ci(),
        "bench" | "eval" => chores::measure(&chore, &rest),
        "fuzz" => fuzz::fuzz(&rest),
        "bless" => chores::bless(),
        "" | "help" | "-h" | "--help" => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        other => {
            eprintln!("there is no chore {other:?}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failed) => {
            eprintln!("xtask: {failed}");
            ExitCode::FAILURE
        }
    }
}
