//! The analog signals of a C3D, in the units that the file scales them to.

use marey_motion::{Place, Report};

use super::codes;
use super::layout::Layout;
use super::parameters::Parameters;
use super::report_encoding;
use crate::unique_labels::{Labels, decoded};
use marey_conventions::AnalogSignals;

/// Scales samples × channels as stored: (sample − OFFSET) × SCALE × GEN_SCALE.
pub(super) fn scaled(
    mut samples: Vec<f32>,
    layout: &Layout,
    parameters: &Parameters<'_>,
    report: &mut Report,
) -> Option<AnalogSignals> {
    if layout.channels == 0 {
        return None;
    }
    let text = |text: &[u8], report: &mut Report| {
        let (text, was_latin) = decoded(text);
        report_encoding(&text, was_latin, report);
        text
    };
    let names = parameters.texts("ANALOG", "LABELS").into_iter().map(|name| text(name, report)).collect();
    let units = parameters.texts("ANALOG", "UNITS").into_iter().map(|unit| text(unit, report));
    let mut units: Vec<String> = units.take(layout.channels).collect();
    units.resize(layout.channels, String::new());
    let labels = Labels::new(names, layout.channels, "channel").names;
    let scales = scales(parameters, &labels, report);
    let mut unknown = (0, None);
    for (row, frame) in samples.chunks_exact_mut(layout.channels).enumerate() {
        for ((sample, scale), label) in frame.iter_mut().zip(&scales).zip(&labels) {
            *sample = ((f64::from(*sample) - scale.offset) * scale.factor) as f32;
            if !sample.is_finite() {
                *sample = f32::NAN;
                unknown.0 += 1;
                unknown.1.get_or_insert((row / layout.samples_per_frame.max(1), label));
            }
        }
    }
    if let (count, Some((frame, label))) = unknown {
        let message = format!("a sample of {label} is not finite");
        report.warn_many(&codes::ANALOG_VALUE, Place::default().frame(frame), count, message);
    }
    let rate_hz = layout.rate_hz * layout.samples_per_frame as f64;
    Some(AnalogSignals { labels, units, rate_hz, samples })
}

struct Scale {
    offset: f64,
    factor: f64,
}

fn scales(parameters: &Parameters<'_>, labels: &[String], report: &mut Report) -> Vec<Scale> {
    let is_usable = |number: &f64| number.is_finite() && *number != 0.0;
    let all = parameters.number("ANALOG", "GEN_SCALE").unwrap_or(1.0);
    let factors = parameters.numbers("ANALOG", "SCALE");
    let offsets = parameters.numbers("ANALOG", "OFFSET");
    let scale = |(channel, label): (usize, &String)| {
        let factor = factors.get(channel).map(|factor| factor * all).filter(is_usable);
        if factor.is_none() {
            report.warn(&codes::ANALOG_SCALE, Place::default(), format!("no scale for {label}"));
        }
        let offset = offsets.get(channel).copied().filter(|offset| offset.is_finite());
        Scale { offset: offset.unwrap_or(0.0), factor: factor.unwrap_or(1.0) }
    };
    labels.iter().enumerate().map(scale).collect()
}
