//! The count of a dance: which beat each cell starts at.

use std::collections::BTreeMap;

use super::{Dance, DanceCount, Phrase};
use crate::motion::{Clip, Place, Report};
use crate::ops::beats::{BeatSettings, Beats, beats};
use crate::{Error, codes};

/// The beats of the takes of a dance, at a tempo or as they are found in the motion of the first actor. `None` if no take has any, which is
/// reported; a take without beats counts at the tempo of the others.
pub(super) fn dance_count<'a>(
    dance: &Dance,
    frames_per_cell: usize,
    tempo_bpm: Option<f64>,
    clip: impl Fn(&str) -> Option<&'a Clip>,
    report: &mut Report,
) -> Result<Option<DanceCount>, Error> {
    let mut found: BTreeMap<&str, Beats> = BTreeMap::new();
    for Phrase { take, .. } in &dance.phrases {
        if let (None, Some(clip), false) = (tempo_bpm, clip(take), found.contains_key(take.as_str())) {
            found.insert(take, beats(clip, &BeatSettings::default())?);
        }
    }
    let mut tempos: Vec<f64> =
        found.values().map(|beats| beats.tempo_bpm).filter(|tempo| *tempo > 0.0).collect();
    tempos.sort_by(f64::total_cmp);
    let Some(tempo_bpm) = tempo_bpm.or(tempos.get(tempos.len() / 2).copied()) else {
        report.warn(&codes::NO_BEATS, Place::default(), "no beats were found, so the count is not kept");
        return Ok(None);
    };
    let beats_per_frame = tempo_bpm / 60.0 / dance.rate_hz;
    let beat_at = |(take, frame): (&str, usize)| {
        let frames = found.get(take).map_or(&[] as &[usize], |beats| &beats.frames);
        beat_of(frames, frame, beats_per_frame)
    };
    let beats = dance.cell_starts(frames_per_cell).map(beat_at).collect();
    Ok(Some(DanceCount { beats, tempo: beats_per_frame * frames_per_cell as f64 }))
}

/// The beat of a frame between the frames of beats; before and after them, and without any, at a tempo.
fn beat_of(frames: &[usize], frame: usize, beats_per_frame: f64) -> f64 {
    let next = frames.partition_point(|beat| *beat <= frame);
    let before = next.checked_sub(1).and_then(|number| frames.get(number));
    match (before, frames.get(next)) {
        (Some(before), Some(after)) => (next - 1) as f64 + (frame - before) as f64 / (after - before) as f64,
        (Some(last), None) => (next - 1) as f64 + (frame - last) as f64 * beats_per_frame,
        (None, Some(first)) => -((first - frame) as f64) * beats_per_frame,
        (None, None) => frame as f64 * beats_per_frame,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_between_beats_count_in_proportion() {
        let beat = |frame| beat_of(&[10, 20, 40], frame, 0.1);
        assert_eq!([0, 10, 15, 20, 25, 40, 45].map(beat), [-1.0, 0.0, 0.5, 1.0, 1.25, 2.0, 2.5]);
        assert_eq!(beat_of(&[], 30, 0.1), 3.0);
    }
}
