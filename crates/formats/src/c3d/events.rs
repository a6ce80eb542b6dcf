//! The events of a C3D, for the report.

use marey_motion::{Place, Report};

use super::codes;
use super::header::Header;
use super::parameters::Parameters;
use crate::unique_labels::{decoded, short};

/// Number of events that a message lists.
const LISTED: usize = 12;

/// Reports the events of the parameters, which have full names, or else those of the header.
pub(super) fn report_all(header: &Header, parameters: &Parameters<'_>, report: &mut Report) {
    let mut events: Vec<String> = of_parameters(parameters);
    if events.is_empty() {
        let named = header.events.iter().map(|event| named(&[&event.name], event.secs));
        events = named.collect();
    }
    let count = events.len();
    let mut listed = events.into_iter().take(LISTED).collect::<Vec<_>>().join(", ");
    if count > LISTED {
        listed += &format!(" and {} more", count - LISTED);
    }
    report.warn_many(&codes::EVENTS, Place::default(), count, listed);
}

fn of_parameters(parameters: &Parameters<'_>) -> Vec<String> {
    let labels = parameters.texts("EVENT", "LABELS");
    let contexts = parameters.texts("EVENT", "CONTEXTS");
    // Pairs of minutes and seconds.
    let times = parameters.numbers("EVENT", "TIMES");
    let used = parameters.count("EVENT", "USED").unwrap_or(labels.len());
    let events = labels.iter().zip(times.as_chunks().0).take(used).enumerate();
    events
        .map(|(index, (label, [minutes, secs]))| {
            let context = contexts.get(index).copied().unwrap_or_default();
            named(&[context, label], minutes * 60.0 + secs)
        })
        .collect()
}

fn named(words: &[&[u8]], secs: f64) -> String {
    let words = words.iter().map(|word| short(&decoded(word).0)).filter(|word| !word.is_empty());
    format!("{} at {secs:.3} s", words.collect::<Vec<_>>().join(" "))
}
