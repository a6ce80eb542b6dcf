//! Frames at which a recording of two captured people can be cut into exchanges.
//!
//! People who were captured once rarely stand on both feet in a posture that they repeat, so the paper's rule leaves most of
//! their motion uncut. Their recordings are cut at changes of posture instead: where a recording starts and ends, shortly
//! before and after the two are in contact, and where hands and feet of both slow down. Short contacts stay whole.

use std::ops::Range;

use marey_body::LIMB_ENDS;
use marey_motion::{Vec3, WorldPose};

use crate::RecordedPair;

/// Minimum duration of an exchange, in seconds.
const MIN_SECS: f64 = 0.4;
/// Time before and after a contact that belongs to the same exchange, in seconds.
const CONTACT_MARGIN_SECS: f64 = 0.25;
/// A contact that lasts longer is cut like other motion, in seconds.
const MAX_WHOLE_SECS: f64 = 2.0;
/// Speeds are averaged over this time before and after a frame, in seconds.
const SMOOTHING_SECS: f64 = 0.08;

/// Returns the candidate instants of a recording in order of time. The first and the last frame are among them.
pub(crate) fn candidate_instants(pair: &RecordedPair) -> Vec<usize> {
    let last = pair.frames() - 1;
    let min_frames = ((MIN_SECS * pair.rate_hz()).round() as usize).max(1);
    let whole = whole_contacts(pair);
    let mut chosen = vec![0, last];
    let mut add = |frame: usize| {
        let is_free = chosen.iter().all(|other| frame.abs_diff(*other) >= min_frames);
        let is_in_contact = |contact: &Range<usize>| contact.start < frame && frame < contact.end;
        if is_free && !whole.iter().any(is_in_contact) {
            chosen.push(frame);
        }
    };
    whole.iter().flat_map(|contact| [contact.start, contact.end]).for_each(&mut add);
    slowest_first(&limb_speeds(pair), min_frames / 2).into_iter().for_each(&mut add);
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}

/// Returns the contacts that are not cut, with their margins; those that overlap are one.
fn whole_contacts(pair: &RecordedPair) -> Vec<Range<usize>> {
    let margin = (CONTACT_MARGIN_SECS * pair.rate_hz()).round() as usize;
    let mut whole: Vec<Range<usize>> = Vec::new();
    for contact in &pair.partner_contacts {
        let frames =
            contact.frames.start.saturating_sub(margin)..(contact.frames.end + margin).min(pair.frames() - 1);
        match whole.last_mut() {
            Some(before) if frames.start < before.end => before.end = before.end.max(frames.end),
            _ => whole.push(frames),
        }
    }
    whole.retain(|frames| frames.len() as f64 <= MAX_WHOLE_SECS * pair.rate_hz());
    whole
}

/// Returns the sum of the speeds of hands and feet of both people in each frame, smoothed, in metres per frame.
fn limb_speeds(pair: &RecordedPair) -> Vec<f32> {
    let mut speeds = vec![0.0; pair.frames()];
    for person in &pair.people {
        let skeleton = person.clip.skeleton();
        let joints: Vec<usize> = LIMB_ENDS.iter().filter_map(|role| skeleton.joint_of(*role)).collect();
        let mut world = WorldPose::scratch(skeleton);
        let mut before: Vec<Vec3> = Vec::new();
        for (pose, speed) in person.clip.poses().zip(&mut speeds) {
            world.set(pose);
            let now: Vec<Vec3> = joints.iter().map(|&joint| world.positions[joint]).collect();
            *speed += now.iter().zip(&before).map(|(now, before)| now.distance(*before)).sum::<f32>();
            before = now;
        }
    }
    let window = (SMOOTHING_SECS * pair.rate_hz()).round() as usize;
    let smooth = |frame: usize| {
        let around = &speeds[frame.saturating_sub(window)..(frame + window + 1).min(speeds.len())];
        around.iter().sum::<f32>() / around.len() as f32
    };
    (0..speeds.len()).map(smooth).collect()
}

/// Returns the frames that are slower than all within `window`, slowest first.
fn slowest_first(speeds: &[f32], window: usize) -> Vec<usize> {
    let is_slowest = |frame: &usize| {
        let around = frame.saturating_sub(window)..(frame + window + 1).min(speeds.len());
        speeds[around].iter().all(|other| speeds[*frame] <= *other)
    };
    let mut found: Vec<usize> = (0..speeds.len()).filter(is_slowest).collect();
    found.sort_by(|a, b| speeds[*a].total_cmp(&speeds[*b]).then(a.cmp(b)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bout::bout;

    #[test]
    fn instants_span_the_recording_and_keep_contacts_whole() {
        let pair = bout().remove(0);
        let instants = candidate_instants(&pair);
        assert_eq!((instants[0], instants[instants.len() - 1]), (0, pair.frames() - 1));
        let min_frames = (MIN_SECS * pair.rate_hz()).round() as usize;
        assert!(instants.windows(2).all(|two| two[1] - two[0] >= min_frames));
        assert!(instants.len() > pair.frames() / 60, "{}", instants.len());
        let whole = whole_contacts(&pair);
        assert!(!whole.is_empty());
        for contact in whole {
            assert!(!instants.iter().any(|frame| contact.start < *frame && *frame < contact.end));
        }
    }

    #[test]
    fn the_slowest_frames_come_first() {
        assert_eq!(slowest_first(&[3.0, 1.0, 2.0, 0.5, 2.0, 4.0], 1), [3, 1]);
    }
}
