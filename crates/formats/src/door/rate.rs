//! Whether a file's frame rate can be true.

use marey_motion::{Clip, Report};

use super::{By, Finding};

pub(super) fn settle(clip: &Clip, told: Option<f64>, _rest: bool, _report: &mut Report) -> Finding<f64> {
    match told {
        Some(rate_hz) => Finding { value: rate_hz, by: By::Flag, why: "told".into() },
        None => Finding { value: clip.rate_hz(), by: By::File, why: "the file's frame time".into() },
    }
}
