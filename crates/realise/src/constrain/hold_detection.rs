//! Detection of hand holds in takes without annotations.
//!
//! Two hands of two actors hold each other while their wrists stay close: a hold starts below one distance
//! and ends above a larger one. Limits: hands that rest side by side without touching count as holding; a
//! hand on the partner's back or shoulder is not found.

use marey_motion::{Clip, Role, Take};

use super::Hold;

/// A hold starts if the wrists are closer than this, in metres.
const START_M: f32 = 0.14;
/// A hold ends if the wrists are farther apart than this, in metres.
const END_M: f32 = 0.19;
/// Shorter holds are ignored, in seconds.
const MIN_SECS: f64 = 0.3;

const HANDS: [Role; 2] = [Role::LeftHand, Role::RightHand];

/// The holds of one actor of a take with the actors after it, so that each hold is found once. Sorted by
/// start.
pub fn detect_holds(take: &Take, actor: usize) -> Vec<Hold> {
    let Some(one) = take.actors().get(actor) else { return Vec::new() };
    let path = |clip: &Clip, role: Role| Some(clip.points(&[role]).ok()?.flat().to_vec());
    let mut holds = Vec::new();
    for (with_actor, other) in take.actors().iter().enumerate().skip(actor + 1) {
        for role in HANDS {
            for with_role in HANDS {
                let (Some(a), Some(b)) = (path(&one.clip, role), path(&other.clip, with_role)) else {
                    continue;
                };
                let apart: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a.distance(*b)).collect();
                let least = (MIN_SECS * take.rate_hz()).ceil() as usize;
                for frames in spans(&apart).into_iter().filter(|frames| frames.len() >= least) {
                    let gap_m = apart[frames.clone()].iter().sum::<f32>() / frames.len() as f32;
                    holds.push(Hold { role, with_actor, with_role, frames, gap_m });
                }
            }
        }
    }
    holds.sort_by_key(|hold| (hold.frames.start, hold.role, hold.with_actor, hold.with_role));
    holds
}

/// The ranges from each fall below `START_M` to the next rise above `END_M`.
fn spans(apart_m: &[f32]) -> Vec<std::ops::Range<usize>> {
    let mut spans = Vec::new();
    let mut start = None;
    for (frame, apart) in apart_m.iter().enumerate() {
        match start {
            None if *apart < START_M => start = Some(frame),
            Some(from) if *apart > END_M => {
                spans.push(from..frame);
                start = None;
            }
            _ => {}
        }
    }
    spans.extend(start.map(|from| from..apart_m.len()));
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_begin_near_and_end_far() {
        assert_eq!(spans(&[0.3, 0.16, 0.1, 0.16, 0.18, 0.2, 0.1]), [2..5, 6..7]);
        assert!(spans(&[]).is_empty());
    }
}
