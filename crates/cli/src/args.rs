//! The command line.

use std::ffi::OsString;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

use marey::BudgetLimit;

use crate::check::CheckArgs;
use crate::cluster::ClusterArgs;
use crate::completions::CompletionsArgs;
use crate::convert::ConvertArgs;
use crate::corpus::CorpusArgs;
use crate::demo::DemoArgs;
use crate::duet::DuetArgs;
use crate::examples::ExamplesArgs;
use crate::follow::FollowArgs;
use crate::inspect::InspectArgs;
use crate::perform::PerformArgs;
use crate::play::PlayArgs;
use crate::realise::RealiseArgs;
use crate::record::RecordArgs;
use crate::render::RenderArgs;
use crate::studio::StudioArgs;
use crate::study::StudyArgs;
use crate::transcribe::TranscribeArgs;
use crate::traverse::TraverseArgs;
use crate::tween::TweenArgs;
use crate::vary::VaryArgs;
use crate::wander::WanderArgs;

/// The heading of flags of all commands.
const EVERYWHERE: &str = "Options of every command";

/// New human motion from examples: read, inspect and convert motion capture, and generate motion from it.
#[derive(Debug, Parser)]
#[command(
    name = "marey",
    version,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    before_help = "Examples:
  marey inspect walk.bvh          what a motion file contains
  marey render walk.bvh walk.gif  an animation of it",
    after_help = "Exit codes: 0 success, 1 an input or a check failed, 2 wrong usage, 70 a bug in Marey."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,

    /// When to use colours; auto uses them on a terminal unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = EVERYWHERE)]
    pub(crate) color: ColorChoice,

    /// Print errors only: no progress, warnings or summaries
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    pub(crate) quiet: bool,

    /// Change how much a command may use: frames=N of motion that it makes (default 2000000), metres=N of ground (default 10000), or examples=N frames in memory (default 400000)
    #[arg(long, global = true, value_name = "NAME=N", help_heading = EVERYWHERE)]
    pub(crate) budget: Vec<BudgetLimit>,
}

/// One module for each.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Inspect(InspectArgs),
    Convert(ConvertArgs),
    Check(CheckArgs),
    Render(RenderArgs),
    Realise(RealiseArgs),
    Corpus(CorpusArgs),
    Follow(FollowArgs),
    Transcribe(TranscribeArgs),
    Duet(DuetArgs),
    Traverse(TraverseArgs),
    Perform(PerformArgs),
    Play(PlayArgs),
    Record(RecordArgs),
    Vary(VaryArgs),
    Tween(TweenArgs),
    Wander(WanderArgs),
    Studio(StudioArgs),
    Study(StudyArgs),
    Cluster(ClusterArgs),
    Demo(DemoArgs),
    Examples(ExamplesArgs),
    Completions(CompletionsArgs),
}

impl Cli {
    /// Reads the command line. Prints help, the version or a usage error, and exits, if that is what it asks for.
    pub(crate) fn from_command_line() -> Self {
        let words: Vec<OsString> = std::env::args_os().collect();
        let matches = Self::command().color(colour_choice(&words)).get_matches_from(words);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// The value of `--color`, found before the rest is parsed so that it applies to help and usage errors too.
fn colour_choice(words: &[OsString]) -> ColorChoice {
    let texts = || words.iter().map(|word| word.to_str().unwrap_or_default());
    let next = texts().zip(texts().skip(1)).find_map(|(flag, value)| (flag == "--color").then_some(value));
    let value = next.or_else(|| texts().find_map(|text| text.strip_prefix("--color=")));
    value.and_then(|value| ColorChoice::from_str(value, false).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_colour_choice_is_found_before_parsing() {
        let choice = |line: &str| colour_choice(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(choice("marey --color never --help"), ColorChoice::Never);
        assert_eq!(choice("marey inspect --color=always"), ColorChoice::Always);
        assert_eq!(choice("marey --color"), ColorChoice::Auto);
        assert_eq!(choice("marey --color purple"), ColorChoice::Auto);
    }
}
