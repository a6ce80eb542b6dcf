//! Frames at which motion can be cut into movements: a foot has come down (section 3.2 of the
//! paper).
//!
//! Change to the paper: both feet must be planted, and the posture must be shared by many of these
//! frames. A movement that starts in the middle of a hop or a punch cannot follow anything else. If
//! this leaves movements that are too long, the most common remaining posture is added. People who
//! rarely stand on both feet, such as dancers, are cut while they stand on one.

use marey_ops::gait::FootStep;
use rayon::prelude::*;

use crate::candidate_instants::candidate_instants;
use crate::posture::Posture;
use crate::subject::Subject;
use crate::{DuetError, DuetLabelSettings, RecordedPair, Result};

/// Minimum number of cut points in a recording.
const MIN_CUT_POINTS: usize = 3;
/// Postures closer than this always count as the same, in metres.
const MIN_POSTURE_M: f32 = 0.08;
/// Default posture threshold, relative to the median distance between nearest postures.
const POSTURE_PER_MEDIAN: f32 = 1.5;
/// If the other foot is planted in fewer than this fraction of footfalls, all footfalls are used.
const MIN_BOTH_FEET: f64 = 0.25;

/// If steps cut less than this fraction of a recording, exchanges are cut at changes of posture instead.
const MIN_COUPLE_SHARE: f64 = 0.7;
/// If steps cut less than this fraction, exchanges are also cut at changes of posture before the first step and after the last.
const MAX_COUPLE_SHARE: f64 = 0.9;

/// Minimum duration of a movement, in seconds. Feet that come down within this time land together.
const MIN_SECS: f64 = 0.2;

/// A frame at which motion can be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CutPoint {
    /// Index of the recording.
    pub(crate) pair: usize,
    pub(crate) frame: usize,
    /// Whether it is the first or last of its recording. Every gene cuts there.
    pub(crate) is_fixed: bool,
}

/// A footfall: recording, frame, and whether the other foot is planted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Footfall {
    pair: usize,
    frame: usize,
    other_is_planted: bool,
}

/// Returns the cut points of a subject in all recordings.
pub(crate) fn cut_points(
    pairs: &[RecordedPair],
    subject: Subject,
    settings: &DuetLabelSettings,
) -> Result<Vec<CutPoint>> {
    let person = subject.leader();
    let mut footfalls: Vec<Footfall> = Vec::new();
    for (pair, person) in pairs.iter().map(|pair| &pair.people[person]).enumerate() {
        let footfall = |step: &FootStep| {
            let other_is_planted = person.is_planted(step.foot.other(), step.frame);
            Footfall { pair, frame: step.frame, other_is_planted }
        };
        footfalls.extend(person.steps.iter().map(footfall));
    }
    footfalls.dedup_by_key(|footfall| (footfall.pair, footfall.frame));
    // People who rarely stand on both feet are cut while they stand on one.
    let both_feet = footfalls.iter().filter(|footfall| footfall.other_is_planted).count();
    if !settings.both_feet || (both_feet as f64) < MIN_BOTH_FEET * footfalls.len() as f64 {
        footfalls.iter_mut().for_each(|footfall| footfall.other_is_planted = true);
    }
    let mut common = common_footfalls(pairs, subject, &footfalls, settings)?;
    common.dedup_by(|next, last| {
        let min_frames = MIN_SECS * pairs[last.pair].rate_hz();
        next.pair == last.pair && ((next.frame - last.frame) as f64) < min_frames
    });
    let mut all = Vec::new();
    for (number, pair) in pairs.iter().enumerate() {
        let steps = common.iter().filter(|footfall| footfall.pair == number);
        let mut frames: Vec<usize> = steps.map(|footfall| footfall.frame).collect();
        // Exchanges are cut at other instants if steps leave most of the recording uncut.
        let share = share_between(&frames, pair);
        if subject == Subject::Couple && share < MIN_COUPLE_SHARE {
            frames = candidate_instants(pair);
        } else if subject == Subject::Couple && share < MAX_COUPLE_SHARE {
            extend(&mut frames, pair);
        } else if frames.len() < MIN_CUT_POINTS {
            continue;
        }
        let last = frames.len() - 1;
        let cut_point =
            |(i, frame): (usize, usize)| CutPoint { pair: number, frame, is_fixed: i == 0 || i == last };
        all.extend(frames.into_iter().enumerate().map(cut_point));
    }
    if all.is_empty() {
        let name = pairs.first().map_or_else(String::new, |pair| pair.people[person].name.clone());
        let found = common.chunk_by(|a, b| a.pair == b.pair).map(<[Footfall]>::len).max().unwrap_or(0);
        return Err(DuetError::TooFewSteps { person: name, found, min: MIN_CUT_POINTS });
    }
    Ok(all)
}

/// Returns the fraction of a recording between the first and the last cut; 0 if there are too few.
fn share_between(frames: &[usize], pair: &RecordedPair) -> f64 {
    match frames {
        [first, .., last] if frames.len() >= MIN_CUT_POINTS => (last - first) as f64 / pair.frames() as f64,
        _ => 0.0,
    }
}

/// Adds the changes of posture before the first and after the last cut.
fn extend(frames: &mut Vec<usize>, pair: &RecordedPair) {
    let (Some(&first), Some(&last)) = (frames.first(), frames.last()) else { return };
    let min_frames = (MIN_SECS * pair.rate_hz()).ceil() as usize;
    let is_outside = |frame: &usize| frame + min_frames <= first || *frame >= last + min_frames;
    frames.extend(candidate_instants(pair).into_iter().filter(is_outside));
    frames.sort_unstable();
}

/// Returns the fraction of the actor-time that is in movements if each person is cut at steps.
pub(crate) fn coverage_by_steps(pairs: &[RecordedPair], settings: &DuetLabelSettings) -> Result<f64> {
    let mut frames = 0;
    for person in [0, 1] {
        let cuts = match cut_points(pairs, Subject::One(person), settings) {
            Ok(cuts) => cuts,
            Err(DuetError::TooFewSteps { .. }) => continue,
            Err(error) => return Err(error),
        };
        let of_pairs = cuts.chunk_by(|a, b| a.pair == b.pair);
        frames += of_pairs.map(|cuts| cuts[cuts.len() - 1].frame - cuts[0].frame).sum::<usize>();
    }
    Ok(frames as f64 / (2 * pairs.iter().map(RecordedPair::frames).sum::<usize>()).max(1) as f64)
}

/// Keeps the footfalls whose posture is common while both feet are planted. Adds the most common
/// one in between if a gap is too long.
fn common_footfalls(
    pairs: &[RecordedPair],
    subject: Subject,
    all: &[Footfall],
    settings: &DuetLabelSettings,
) -> Result<Vec<Footfall>> {
    let postures =
        Posture::from_frames(subject, all.iter().map(|footfall| (&pairs[footfall.pair], footfall.frame)))?;
    let standing: Vec<&Posture> = postures
        .iter()
        .zip(all)
        .filter(|(_, footfall)| footfall.other_is_planted)
        .map(|(posture, _)| posture)
        .collect();
    let threshold_m = settings.posture_m.unwrap_or_else(|| default_posture_m(&standing));
    let count_similar =
        |own: &Posture| standing.iter().filter(|other| own.distance_m(other) <= threshold_m).count() as f64;
    let frequency: Vec<f64> = postures.par_iter().map(count_similar).collect();
    let mut is_kept: Vec<bool> = all.iter().map(|footfall| footfall.other_is_planted).collect();
    let highest = frequency
        .iter()
        .zip(&is_kept)
        .filter(|(_, is_kept)| **is_kept)
        .map(|(frequency, _)| *frequency)
        .fold(0.0, f64::max);
    is_kept
        .iter_mut()
        .zip(&frequency)
        .for_each(|(is_kept, frequency)| *is_kept &= *frequency >= settings.commonness * highest);
    let is_long = |from: usize, to: usize| {
        let frames = all[to].frame - all[from].frame;
        frames as f64 > settings.max_secs * pairs[all[from].pair].rate_hz()
    };
    for first in (0..all.len()).filter(|&at| at == 0 || all[at - 1].pair != all[at].pair) {
        let end = first + all[first..].iter().take_while(|footfall| footfall.pair == all[first].pair).count();
        let Some(mut from) = (first..end).find(|&at| is_kept[at]) else { continue };
        while let Some(to) = (from + 1..end).find(|&at| is_kept[at]) {
            let between = (from + 1..to).filter(|_| is_long(from, to));
            match between.reduce(|best, next| if frequency[next] > frequency[best] { next } else { best }) {
                Some(commonest) => is_kept[commonest] = true,
                None => from = to,
            }
        }
    }
    Ok(all.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(footfall, _)| *footfall).collect())
}

/// Returns the default threshold below which two postures count as the same, in metres.
fn default_posture_m(postures: &[&Posture]) -> f32 {
    let nearest = |(i, own): (usize, &&Posture)| {
        let others = postures.iter().enumerate().filter(|(other, _)| *other != i);
        others.map(|(_, other)| own.distance_m(other)).reduce(f32::min)
    };
    let mut nearest: Vec<f32> = postures.par_iter().enumerate().filter_map(nearest).collect();
    nearest.sort_by(f32::total_cmp);
    let median = nearest.get(nearest.len() / 2).copied().unwrap_or(0.0);
    MIN_POSTURE_M.max(POSTURE_PER_MEDIAN * median)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_bout::bout;

    #[test]
    fn rare_postures_are_cut_only_if_movements_would_be_too_long() {
        let pairs = bout();
        let frames = |settings: &DuetLabelSettings| -> Vec<usize> {
            cut_points(&pairs, Subject::One(0), settings)
                .unwrap()
                .iter()
                .map(|cut_point| cut_point.frame)
                .collect()
        };
        let all =
            frames(&DuetLabelSettings { both_feet: false, commonness: 0.0, ..DuetLabelSettings::default() });
        let all_steps =
            pairs[0].people[0].steps.iter().map(|step| step.frame).collect::<std::collections::BTreeSet<_>>();
        // All footfalls except those right after another.
        let min_frames = (30.0 * MIN_SECS) as usize;
        assert!(all.iter().all(|frame| all_steps.contains(frame)));
        assert!(
            all_steps.iter().all(|step| all.iter().any(|frame| (*frame..frame + min_frames).contains(step)))
        );
        assert!(all.windows(2).all(|two| two[1] - two[0] >= min_frames));
        let default = frames(&DuetLabelSettings::default());
        assert!(default.len() < all.len() && default.iter().all(|frame| all_steps.contains(frame)));
        // With a threshold of 0 every posture is equally common. With a high one, long gaps are
        // filled.
        let zero_threshold =
            DuetLabelSettings { posture_m: Some(0.0), both_feet: false, ..DuetLabelSettings::default() };
        assert_eq!(frames(&zero_threshold), all);
        let short = DuetLabelSettings { commonness: 0.7, max_secs: 1.0, ..DuetLabelSettings::default() };
        let filled = frames(&short);
        assert!(filled.len() < all.len());
        for gap in filled.windows(2).filter(|gap| gap[1] - gap[0] > 30) {
            assert!(!all_steps.iter().any(|step| gap[0] + min_frames <= *step && *step < gap[1]), "{gap:?}");
        }
    }

    #[test]
    fn motion_without_steps_is_refused() {
        use marey_motion::{Clip, Coded};
        let pair = bout().remove(0);
        let still = |person: usize| {
            let clip = &pair.people[person].clip;
            let one = Clip::still(clip.skeleton().clone(), 30.0, clip.pose(0).to_owned()).unwrap();
            let clip = Clip::concat(&vec![one; 60]).unwrap();
            (pair.people[person].name.clone(), clip, marey_motion::Contacts::default())
        };
        let pairs = [RecordedPair::new("still", [still(0), still(1)]).unwrap()];
        let refused = cut_points(&pairs, Subject::One(0), &DuetLabelSettings::default()).unwrap_err();
        assert_eq!(refused.code().id, "duet/still");
    }
}
