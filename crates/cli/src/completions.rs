//! `marey completions`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use crate::args::Cli;
use crate::console::Console;
use crate::verdict::Verdict;
use marey::Error;

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey completions bash > ~/.local/share/bash-completion/completions/marey
  marey completions fish > ~/.config/fish/completions/marey.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: &CompletionsArgs, console: &Console) -> Result<Verdict, Error> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "marey", &mut script);
    console.print(&String::from_utf8_lossy(&script))?;
    Ok(Verdict::AllDone)
}
