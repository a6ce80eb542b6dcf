//! Flags with a fixed list of values.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Parses one of several values. Each has a name and a help text, which may be empty.
pub(crate) fn choice<T: Clone + Send + Sync + 'static>(
    choices: impl IntoIterator<Item = (&'static str, &'static str, T)>,
) -> impl TypedValueParser<Value = T> {
    let choices: Vec<(&'static str, &'static str, T)> = choices.into_iter().collect();
    let possible: Vec<PossibleValue> = choices
        .iter()
        .map(|(name, help, _)| {
            let value = PossibleValue::new(*name);
            if help.is_empty() { value } else { value.help(*help) }
        })
        .collect();
    PossibleValuesParser::new(possible).try_map(move |word| {
        let found = choices.iter().find(|(name, ..)| *name == word);
        found.map(|(.., value)| value.clone()).ok_or("unknown value")
    })
}
