//! What was asked for.

/// Speed and memory, or quality.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Bench,
    Eval,
}

/// The words of the command line, understood.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Args {
    pub(crate) kind: Kind,
    /// Which room to measure; all where none is named.
    pub(crate) name: Option<String>,
    pub(crate) json: bool,
    /// Fewer rounds and smaller data.
    pub(crate) quick: bool,
    pub(crate) seed: u64,
}

impl Args {
    pub(crate) fn parse(words: &[String]) -> Result<Self, String> {
        let (kind, rest) = match words.split_first() {
            Some((word, rest)) if word == "bench" => (Kind::Bench, rest),
            Some((word, rest)) if word == "eval" => (Kind::Eval, rest),
            _ => return Err("usage: bench|eval [NAME] [--json] [--quick] [--seed N]".into()),
        };
        let mut args = Self { kind, name: None, json: false, quick: false, seed: 1 };
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            match word.as_str() {
                "--json" => args.json = true,
                "--quick" => args.quick = true,
                "--seed" => {
                    let seed = rest.next().and_then(|text| text.parse().ok());
                    args.seed = seed.ok_or("--seed needs a whole number")?;
                }
                name if !name.starts_with('-') && args.name.is_none() => args.name = Some(name.to_owned()),
                other => return Err(format!("{other:?} is not understood")),
            }
        }
        Ok(args)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_understood_in_any_order() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let args = Args::parse(&words("bench --quick formats --seed 7 --json")).unwrap();
        let wanted =
            Args { kind: Kind::Bench, name: Some("formats".into()), json: true, quick: true, seed: 7 };
        assert_eq!(args, wanted);
        assert!(Args::parse(&words("eval --seed x")).is_err());
        assert!(Args::parse(&words("race")).is_err());
    }
}
