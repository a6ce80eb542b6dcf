//! Quality cards as tables.

use std::path::Path;

use marey::measure::judge::ActorCard;

use crate::ink::Ink;
use crate::table;

/// A table for each actor.
pub(crate) fn table(ink: Ink, files: &[(&Path, &[ActorCard])]) -> String {
    let cards: Vec<(String, &ActorCard)> = files
        .iter()
        .flat_map(|(path, cards)| cards.iter().map(move |card| (path.display().to_string(), card)))
        .collect();
    let mut text = String::new();
    for (index, (file, card)) in cards.iter().enumerate() {
        if index > 0 {
            text += "\n";
        }
        let name = if *file == card.actor { file.clone() } else { format!("{file}, {}", card.actor) };
        let verdict = if card.passed { "passed" } else { "missed" };
        text += &format!("{}: {verdict}\n", ink.heading(&crate::ink::plain(&name)));
        text += &lines(ink, card);
    }
    text
}

fn lines(ink: Ink, card: &ActorCard) -> String {
    let rows = card.card.lines.iter().map(|line| {
        let known = |value: Option<f64>| value.map_or_else(|| "-".into(), number);
        let verdict = match (line.at_most, line.ok) {
            (None, _) => "",
            (Some(_), true) => "ok",
            (Some(_), false) => "missed",
        };
        let worst = line.worst.as_ref().map(|worst| format!("{}, frame {}", worst.what, worst.frame));
        vec![
            line.name.to_owned(),
            number(line.value),
            line.unit.to_owned(),
            known(line.examples),
            known(line.at_most),
            verdict.to_owned(),
            worst.unwrap_or_default(),
        ]
    });
    table::columns(ink, ["measure", "value", "unit", "examples", "at most", "", "worst"], rows.collect())
}

/// A number with four significant digits.
fn number(value: f64) -> String {
    let digits = (3 - value.abs().max(1e-3).log10().floor() as i32).clamp(0, 4) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits() {
        let shown: Vec<String> =
            [0.0, 1.0, 12.345, 0.0123456, 1234.6, 99999.0].into_iter().map(number).collect();
        assert_eq!(shown, ["0", "1", "12.35", "0.0123", "1235", "99999"]);
    }
}
