//! The command line of the measurements.

use marey_capture::Half;
use serde::{Deserialize, Serialize};

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Speed and memory.
    Bench,
    /// Quality.
    Eval,
}

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Suite {
    /// As `Quick`, but only what is generated and measured without a clock: the figures that `cargo xtask ci` compares.
    Ci,
    /// Fewer rounds and less data.
    Quick,
    Full,
}

/// What to do with the committed baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BaselineUse {
    Ignore,
    /// Fail if a row is worse.
    Compare,
    Overwrite,
}

/// The arguments of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Args {
    pub(crate) kind: Kind,
    /// The part to measure; `None` for all.
    pub(crate) part: Option<String>,
    pub(crate) json: bool,
    pub(crate) suite: Suite,
    /// Whether to take fewer rounds and less data: every suite but the full one.
    pub(crate) quick: bool,
    pub(crate) baseline: BaselineUse,
    pub(crate) seed: u64,
    /// The half of the captured takes that is measured, where a part can measure either; default report.
    pub(crate) half: Half,
}

const USAGE: &str = "\
usage: bench [PART] [--json] [--quick] [--seed N]
       eval [PART] [--json] [--quick | --ci] [--gate | --write-baseline] [--seed N] [--tuning]";

/// The seed that the baseline is measured with.
const DEFAULT_SEED: u64 = 1;

impl Args {
    pub(crate) fn parse(words: &[String]) -> Result<Self, String> {
        let (kind, rest) = match words.split_first() {
            Some((word, rest)) if word == "bench" => (Kind::Bench, rest),
            Some((word, rest)) if word == "eval" => (Kind::Eval, rest),
            _ => return Err(USAGE.into()),
        };
        let mut args = Self {
            kind,
            part: None,
            json: false,
            suite: Suite::Full,
            quick: false,
            baseline: BaselineUse::Ignore,
            seed: DEFAULT_SEED,
            half: Half::Report,
        };
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            match word.as_str() {
                "--json" => args.json = true,
                "--quick" => args.suite = Suite::Quick,
                "--ci" if kind == Kind::Eval => args.suite = Suite::Ci,
                "--gate" if kind == Kind::Eval => args.baseline = BaselineUse::Compare,
                "--write-baseline" if kind == Kind::Eval => args.baseline = BaselineUse::Overwrite,
                "--tuning" if kind == Kind::Eval => args.half = Half::Tuning,
                "--seed" => {
                    let seed = rest.next().and_then(|text| text.parse().ok());
                    args.seed = seed.ok_or("--seed needs a whole number")?;
                }
                part if !part.starts_with('-') && args.part.is_none() => args.part = Some(part.to_owned()),
                other => return Err(format!("unknown argument {other:?}\n{USAGE}")),
            }
        }
        if args.baseline != BaselineUse::Ignore && args.seed != DEFAULT_SEED {
            return Err(format!("the baseline is measured with seed {DEFAULT_SEED}: leave out --seed"));
        }
        args.quick = args.suite != Suite::Full;
        Ok(args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Args, String> {
        Args::parse(&text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_come_in_any_order() {
        let wanted = Args {
            kind: Kind::Bench,
            part: Some("formats".into()),
            json: true,
            suite: Suite::Quick,
            quick: true,
            baseline: BaselineUse::Ignore,
            seed: 7,
            half: Half::Report,
        };
        assert_eq!(parse("bench --quick formats --seed 7 --json"), Ok(wanted));
        let gated = parse("eval --gate --ci").unwrap();
        assert_eq!(parse("eval feet --tuning").map(|args| args.half), Ok(Half::Tuning));
        assert_eq!((gated.suite, gated.quick, gated.baseline), (Suite::Ci, true, BaselineUse::Compare));
    }

    #[test]
    fn invalid_arguments_are_rejected() {
        for text in
            ["eval --seed x", "race", "bench --gate", "bench --ci", "eval --gate --seed 2", "eval --fast"]
        {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
