//! The project's tasks as one command: `cargo xtask TASK`.
//!
//! It starts other programs and checks their exit status. It depends on nothing but a JSON parser, so it builds at once.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "prints progress and errors")]

mod check;
mod ci;
mod dist;
mod figures;
mod fuzz;
mod launch;
mod process;
mod python;
mod supply;
mod web;

use std::env;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask <TASK> [ARGS]

Run Marey:
  demo [DIR]              build Marey and run `marey demo` into DIR (default: out/demo)
  studio [CORPUS] [ARGS]  build Marey with the studio's page and run `marey studio` (needs Node 20 or later)

Develop:
  check CRATE             formatting, lints, unit and integration tests of one crate, for example `check follow`
  web                     build the studio's page, to be embedded by the next build of Marey
  bless                   overwrite the files that tests compare with: fixture reports, command snapshots, docs/codes.md
  fuzz TARGET… | --all [--secs N]
                          fuzz the parsers, N seconds each (default: 60), and print a table of runs

Before a change lands:
  test                    all tests; installs npm packages, Python packages and, if it may, Debian's chromium
  ci                      formatting, lints, documentation, all tests, then `eval --ci --gate`
  python [--release]      build the Python package into a fresh environment and test it (needs Python 3.10 or later)

Third-party code and releases:
  deny                    check licences, sources, bans and versions of third-party packages; `ci` does it too
  notices [FILE]          print or write the licences of what is shipped, with their texts
  sbom [FILE]             print or write a bill of materials (CycloneDX)
  dist [--check]          build the program for users, stripped and without local paths, with notices and bill of materials
                          --check           build the last commit in two folders and compare the bytes (slow)

Measure:
  bench [PART] [--json] [--quick] [--seed N]
                          speed and memory, each figure beside a baseline
  bench build             time a release build of the library with one engine, from clean
  soak [--secs N]         run live follow, duet and perform at 60 Hz for N seconds (default: an hour): missed ticks, memory
  eval [PART] [--json] [--quick | --ci] [--gate | --write-baseline] [--seed N]
                          quality: accuracy, error, agreement with ground truth
                          --quick           fewer rounds and less data
                          --ci              generated motion only, and no clock: what `ci` runs
                          --gate            fail if a figure is worse than in xtask/bench/baseline.json
                          --write-baseline  overwrite those figures
";

fn main() -> ExitCode {
    let mut args = env::args().skip(1);
    let task = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let result = match task.as_str() {
        "demo" => launch::demo(&rest),
        "studio" => launch::studio(&rest),
        "check" => check::check(&rest),
        "web" => web::build(),
        "bless" => ci::bless(),
        "fuzz" => fuzz::fuzz(&rest),
        "test" => ci::test(),
        "ci" => ci::ci(),
        "python" => python::test(&rest),
        "deny" => supply::deny(),
        "notices" => supply::notices(&rest),
        "sbom" => supply::sbom(&rest),
        "dist" => dist::dist(&rest),
        "bench" | "eval" | "soak" => figures::measure(&task, &rest),
        "" | "help" | "-h" | "--help" => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        other => {
            eprintln!("unknown task {other:?}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error}");
            ExitCode::FAILURE
        }
    }
}
