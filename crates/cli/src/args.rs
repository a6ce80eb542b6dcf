//! What can be typed.

use std::ffi::OsString;

use clap::{ColorChoice, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};

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
use crate::realise::RealiseArgs;
use crate::render::RenderArgs;
use crate::studio::StudioArgs;
use crate::transcribe::TranscribeArgs;
use crate::traverse::TraverseArgs;
use crate::tween::TweenArgs;
use crate::vary::VaryArgs;
use crate::wander::WanderArgs;

/// The heading of flags that every verb takes.
const EVERYWHERE: &str = "Options of every command";

/// New human motion from examples: read motion capture, look at it, convert it.
#[derive(Debug, Parser)]
#[command(
    name = "marey",
    version,
    disable_help_subcommand = true,
    subcommand_required = true,
    arg_required_else_help = true,
    before_help = "Examples:
  marey inspect walk.bvh          what is in a motion file
  marey render walk.bvh walk.gif  a picture of it that moves",
    after_help = "Exit codes: 0 done, 1 an input or a check failed, 2 wrong usage, 70 a bug in Marey."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) verb: Verb,

    /// When to use colours; auto: on a terminal, unless NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN", help_heading = EVERYWHERE)]
    pub(crate) color: ColorChoice,

    /// Say nothing but errors: no progress, warnings or summaries
    #[arg(short, long, global = true, help_heading = EVERYWHERE)]
    pub(crate) quiet: bool,
}

/// One file for each.
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
    Vary(VaryArgs),
    Tween(TweenArgs),
    Wander(WanderArgs),
    Studio(StudioArgs),
    Cluster(ClusterArgs),
    Demo(DemoArgs),
    Examples(ExamplesArgs),
    Completions(CompletionsArgs),
}

impl Cli {
    /// Reads the command line; prints help, the version or what is wrong with it, and exits.
    pub(crate) fn from_command_line() -> Self {
        let words: Vec<OsString> = std::env::args_os().collect();
        let matches = Self::command().color(colour_wish(&words)).get_matches_from(words);
        Self::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
    }
}

/// The wish for colours, known before anything else so that help and usage errors heed it too.
fn colour_wish(words: &[OsString]) -> ColorChoice {
    let texts = || words.iter().map(|word| word.to_str().unwrap_or_default());
    let behind = texts().zip(texts().skip(1)).find_map(|(flag, wish)| (flag == "--color").then_some(wish));
    let wish = behind.or_else(|| texts().find_map(|text| text.strip_prefix("--color=")));
    wish.and_then(|wish| ColorChoice::from_str(wish, false).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_flags_are_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn the_wish_for_colours_is_known_early() {
        let wish = |line: &str| colour_wish(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(wish("marey --color never --help"), ColorChoice::Never);
        assert_eq!(wish("marey inspect --color=always"), ColorChoice::Always);
        assert_eq!(wish("marey --color"), ColorChoice::Auto);
        assert_eq!(wish("marey --color purple"), ColorChoice::Auto);
    }
}
