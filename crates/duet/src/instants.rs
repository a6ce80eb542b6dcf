//! When somebody may be cut: where a foot has come down (section 3.2 of the paper).
//!
//! Changed: both feet must stand then, and the posture must be one that many of these instants share. In the middle of a hop, or of a
//! punch, nothing begins that could follow anything else. Where that would leave movements that are too long, the commonest of what is left
//! is taken as well; and people who hardly ever stand on both feet, as in a dance, are cut where they stand on one.

use marey_ops::gait::Step;
use rayon::prelude::*;

use crate::posture::Posture;
use crate::who::Who;
use crate::{Error, LabelSettings, Pair, Result};

/// Fewer instants than this cannot be cut into movements.
const LEAST_INSTANTS: usize = 3;
/// Postures nearer than this are one, whatever is recorded, in metres.
const LEAST_ALIKE_M: f32 = 0.08;
/// How much further apart postures that are one may be than each is from the one that is most like it, in the median.
const OVER_MEDIAN: f32 = 1.5;
/// Somebody for whom fewer landings than this share of all find the other foot standing is cut at any.
const LEAST_BOTH: f64 = 0.25;

/// No movement is shorter, in seconds: feet that come down one right after the other land together.
const LEAST_SECS: f64 = 0.2;

/// An instant at which somebody may be cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instant {
    /// Of which recording.
    pub(crate) pair: usize,
    pub(crate) frame: usize,
    /// Whether it is the first or the last of its recording, which every gene cuts at.
    pub(crate) is_fixed: bool,
}

/// A foot that has come down: in which recording and frame, and whether the other stands then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Landing {
    pair: usize,
    frame: usize,
    other_stands: bool,
}

/// The instants of somebody in all recordings.
pub(crate) fn instants(pairs: &[Pair], who: Who, settings: &LabelSettings) -> Result<Vec<Instant>> {
    let person = who.leader();
    let mut landings: Vec<Landing> = Vec::new();
    for (pair, of) in pairs.iter().map(|pair| &pair.people[person]).enumerate() {
        let landing = |step: &Step| {
            let other_stands = of.stands(step.foot.other(), step.frame);
            Landing { pair, frame: step.frame, other_stands }
        };
        landings.extend(of.steps.iter().map(landing));
    }
    landings.dedup_by_key(|landing| (landing.pair, landing.frame));
    // Who hardly ever stands on both when a foot comes down is cut where they stand on one.
    let both = landings.iter().filter(|landing| landing.other_stands).count();
    if !settings.both_feet || (both as f64) < LEAST_BOTH * landings.len() as f64 {
        landings.iter_mut().for_each(|landing| landing.other_stands = true);
    }
    let mut common = common(pairs, who, &landings, settings)?;
    common.dedup_by(|next, last| {
        let least = LEAST_SECS * pairs[last.pair].rate_hz();
        next.pair == last.pair && ((next.frame - last.frame) as f64) < least
    });
    let mut all = Vec::new();
    for of_pair in common.chunk_by(|a, b| a.pair == b.pair).filter(|some| some.len() >= LEAST_INSTANTS) {
        let last = of_pair.len() - 1;
        let instant = |(i, of): (usize, &Landing)| Instant {
            pair: of.pair,
            frame: of.frame,
            is_fixed: i == 0 || i == last,
        };
        all.extend(of_pair.iter().enumerate().map(instant));
    }
    if all.is_empty() {
        let name = pairs.first().map_or_else(String::new, |pair| pair.people[person].name.clone());
        let found = pairs.iter().map(|pair| pair.people[person].steps.len()).max().unwrap_or(0);
        return Err(Error::Still { person: name, found, least: LEAST_INSTANTS });
    }
    Ok(all)
}

/// Of landings, those in whose posture somebody often is with both feet on the floor; and where that leaves too long a time, the commonest
/// between.
fn common(pairs: &[Pair], who: Who, all: &[Landing], settings: &LabelSettings) -> Result<Vec<Landing>> {
    let postures = Posture::all(who, all.iter().map(|of| (&pairs[of.pair], of.frame)))?;
    let standing: Vec<&Posture> =
        postures.iter().zip(all).filter(|(_, of)| of.other_stands).map(|(posture, _)| posture).collect();
    let near_m = settings.posture_m.unwrap_or_else(|| alike_m(&standing));
    let shared = |own: &Posture| standing.iter().filter(|other| own.apart_m(other) <= near_m).count() as f64;
    let often: Vec<f64> = postures.par_iter().map(shared).collect();
    let mut is_kept: Vec<bool> = all.iter().map(|landing| landing.other_stands).collect();
    let most = often.iter().zip(&is_kept).filter(|(_, is)| **is).map(|(often, _)| *often).fold(0.0, f64::max);
    is_kept.iter_mut().zip(&often).for_each(|(is, often)| *is &= *often >= settings.commonness * most);
    let is_long = |from: usize, to: usize| {
        let frames = all[to].frame - all[from].frame;
        frames as f64 > settings.most_secs * pairs[all[from].pair].rate_hz()
    };
    for first in (0..all.len()).filter(|&at| at == 0 || all[at - 1].pair != all[at].pair) {
        let end = first + all[first..].iter().take_while(|of| of.pair == all[first].pair).count();
        let Some(mut from) = (first..end).find(|&at| is_kept[at]) else { continue };
        while let Some(to) = (from + 1..end).find(|&at| is_kept[at]) {
            let between = (from + 1..to).filter(|_| is_long(from, to));
            match between.reduce(|best, next| if often[next] > often[best] { next } else { best }) {
                Some(commonest) => is_kept[commonest] = true,
                None => from = to,
            }
        }
    }
    Ok(all.iter().zip(is_kept).filter(|(_, is_kept)| *is_kept).map(|(landing, _)| *landing).collect())
}

/// How near postures are that are one, where nobody says: as most are to the one that is most like them.
fn alike_m(postures: &[&Posture]) -> f32 {
    let nearest = |(i, own): (usize, &&Posture)| {
        let others = postures.iter().enumerate().filter(|(other, _)| *other != i);
        others.map(|(_, other)| own.apart_m(other)).reduce(f32::min)
    };
    let mut nearest: Vec<f32> = postures.par_iter().enumerate().filter_map(nearest).collect();
    nearest.sort_by(f32::total_cmp);
    let median = nearest.get(nearest.len() / 2).copied().unwrap_or(0.0);
    LEAST_ALIKE_M.max(OVER_MEDIAN * median)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::bout;

    #[test]
    fn what_is_rare_is_cut_at_only_where_movements_would_get_too_long() {
        let pairs = bout();
        let frames = |settings: &LabelSettings| -> Vec<usize> {
            instants(&pairs, Who::One(0), settings).unwrap().iter().map(|instant| instant.frame).collect()
        };
        let any = frames(&LabelSettings { both_feet: false, commonness: 0.0, ..LabelSettings::default() });
        let all_steps =
            pairs[0].people[0].steps.iter().map(|step| step.frame).collect::<std::collections::BTreeSet<_>>();
        // All steps, but for those right after another.
        let least = (30.0 * LEAST_SECS) as usize;
        assert!(any.iter().all(|frame| all_steps.contains(frame)));
        assert!(all_steps.iter().all(|step| any.iter().any(|frame| (*frame..frame + least).contains(step))));
        assert!(any.windows(2).all(|two| two[1] - two[0] >= least));
        let usual = frames(&LabelSettings::default());
        assert!(usual.len() < any.len() && usual.iter().all(|frame| all_steps.contains(frame)));
        // No two postures are one, and each is as common as any other; or one is all that counts, and gaps are filled.
        let alone = LabelSettings { posture_m: Some(0.0), both_feet: false, ..LabelSettings::default() };
        assert_eq!(frames(&alone), any);
        let short = LabelSettings { commonness: 0.7, most_secs: 1.0, ..LabelSettings::default() };
        let filled = frames(&short);
        assert!(filled.len() < any.len());
        for gap in filled.windows(2).filter(|gap| gap[1] - gap[0] > 30) {
            assert!(!all_steps.iter().any(|step| gap[0] + least <= *step && *step < gap[1]), "{gap:?}");
        }
    }

    #[test]
    fn who_stands_still_is_refused() {
        use marey_motion::{Clip, Coded};
        let pair = bout().remove(0);
        let still = |person: usize| {
            let clip = &pair.people[person].clip;
            let one = Clip::still(clip.skeleton().clone(), 30.0, clip.pose(0).to_owned()).unwrap();
            let clip = Clip::concat(&vec![one; 60]).unwrap();
            (pair.people[person].name.clone(), clip, marey_motion::Contacts::default())
        };
        let pairs = [Pair::new("still", [still(0), still(1)]).unwrap()];
        let refused = instants(&pairs, Who::One(0), &LabelSettings::default()).unwrap_err();
        assert_eq!(refused.code().id, "duet/still");
    }
}
