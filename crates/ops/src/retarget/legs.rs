//! Legs of the target that place its feet like those of the source.

use glam::Vec3;
use marey_motion::{Side, Skeleton};

use super::RetargetSettings;
use super::feet::{Feet, Soles};
use super::figure::Figure;
use super::foot_goals::{self, FootGoal, FootPair, RestSole};
use super::poles::LimbJoints;
use super::solver::Place;
use crate::ik::{self, two_bone};
use crate::leg::LegGeometry;

/// Both legs of the target, and the feet that they follow.
#[derive(Debug)]
pub(super) struct Legs {
    skeleton: Skeleton,
    sides: [Leg; 2],
    feet: [FootPair; 2],
    fold: ik::IkSettings,
    easing_secs: f64,
}

/// One leg of the target.
#[derive(Debug)]
struct Leg {
    joints: LimbJoints,
    /// Descendants of the upper joint, the knee and the ankle, grouped by the nearest of them.
    follow: [Vec<usize>; 3],
    /// Forward direction in the frame of the upper joint.
    front: Vec3,
    /// Largest distance of the ankle from the upper joint, in metres.
    reach_m: f32,
}

/// Distance of a knee from the line between hip and ankle, in metres, from which the knee alone determines its direction.
const BENT_M: f32 = 0.04;

impl Legs {
    /// `None` if one of the bodies lacks complete legs with feet.
    pub(super) fn new(source: &Skeleton, target: &Skeleton, settings: &RetargetSettings) -> Option<Self> {
        let fold = ik::IkSettings { min_fold_rad: settings.min_knee_rad, ..ik::IkSettings::default() };
        let [left, right] = Side::BOTH.map(|side| Leg::of(target, side, &fold));
        let pair = |side| {
            Some(FootPair { source: RestSole::of(source, side)?, target: RestSole::of(target, side)? })
        };
        let [left_foot, right_foot] = Side::BOTH.map(pair);
        Some(Self {
            skeleton: target.clone(),
            sides: [left?, right?],
            feet: [left_foot?, right_foot?],
            fold,
            easing_secs: settings.easing_secs,
        })
    }

    pub(super) fn soles(&self) -> [Soles; 2] {
        [0, 1].map(|side| self.feet[side].source.points)
    }

    /// Height of the ankles of the target over the floor when its feet stand flat, in metres. Other joints do not count: a root may
    /// be below the soles.
    pub(super) fn ankle_m(&self) -> f32 {
        0.5 * (self.feet[0].target.points.ankle_rest_m + self.feet[1].target.points.ankle_rest_m)
    }

    /// Places the feet of a motion like those of the source.
    pub(super) fn stand(&self, figures: &mut [Figure], feet: &Feet, place: Place, rate_hz: f64) {
        let goals = foot_goals::goals(&self.feet, figures, feet, place);
        let needs: Vec<f32> = figures
            .iter()
            .enumerate()
            .map(|(frame, figure)| self.drop(figure, [&goals[0][frame], &goals[1][frame]]))
            .collect();
        let drops = eased(&needs, (self.easing_secs * rate_hz).round() as usize);
        for (leg, goals) in self.sides.iter().zip(&goals) {
            let front = leg.joints.front(&self.skeleton, figures, leg.front);
            for ((figure, goal), drop) in figures.iter_mut().zip(goals).zip(&drops) {
                leg.reach(&self.skeleton, figure, goal, *drop, front, &self.fold);
            }
        }
        for (figure, drop) in figures.iter_mut().zip(&drops) {
            figure.hips.y -= drop;
        }
    }

    /// The distance by which the hips must move down so that the legs reach standing feet.
    fn drop(&self, figure: &Figure, feet: [&FootGoal; 2]) -> f32 {
        let need = |(leg, goal): (&Leg, &FootGoal)| {
            let top = figure.position(&self.skeleton, leg.joints.upper);
            let away = (goal.ankle - top).with_y(0.0).length();
            let below = (leg.reach_m * leg.reach_m - away * away).max(0.0).sqrt();
            goal.contact * (top.y - goal.ankle.y - below)
        };
        self.sides.iter().zip(feet).map(need).fold(0.0, f32::max)
    }
}

impl Leg {
    fn of(skeleton: &Skeleton, side: Side, fold: &ik::IkSettings) -> Option<Self> {
        let leg = LegGeometry::of(skeleton, side)?;
        let LegGeometry { upper, lower, foot, .. } = leg;
        let is_under = |joint, top| skeleton.is_under(joint, top);
        let below: Vec<usize> = (upper + 1..skeleton.len()).filter(|&j| is_under(j, upper)).collect();
        let group = |joint| usize::from(is_under(joint, lower)) + usize::from(is_under(joint, foot));
        let follow = [0, 1, 2].map(|g| below.iter().copied().filter(|&joint| group(joint) == g).collect());
        Some(Self {
            joints: LimbJoints { upper, lower, end: foot },
            follow,
            front: leg.front,
            reach_m: leg.reach_m(fold.min_fold_rad),
        })
    }

    /// Bends the leg so that its foot reaches its goal, from hips that will move down by `drop_m`.
    fn reach(
        &self,
        skeleton: &Skeleton,
        figure: &mut Figure,
        goal: &FootGoal,
        drop_m: f32,
        front: Vec3,
        fold: &ik::IkSettings,
    ) {
        // The knee keeps its direction: thighs of many rigs do not rest with their front ahead.
        let limb = self.joints.limb(skeleton, figure, front, BENT_M);
        let bent = two_bone(&limb, goal.ankle + Vec3::Y * drop_m, limb.front, fold);
        let turns = [bent.upper_turn, bent.lower_turn, goal.pitch];
        let upper = self.joints.upper;
        figure.rotations[upper] = (turns[0] * figure.rotations[upper]).normalize();
        for (joints, turn) in self.follow.iter().zip(turns) {
            for &joint in joints {
                figure.rotations[joint] = (turn * figure.rotations[joint]).normalize();
            }
        }
    }
}

/// A smooth upper bound: the running maximum of the needs, averaged over the same window.
fn eased(needs: &[f32], reach: usize) -> Vec<f32> {
    let around = |i: usize| i.saturating_sub(reach)..(i + reach + 1).min(needs.len());
    let highest: Vec<f32> =
        (0..needs.len()).map(|i| needs[around(i)].iter().copied().fold(0.0, f32::max)).collect();
    let weight = |k: usize| {
        let t = k as f32 / (reach + 1) as f32;
        (1.0 - t * t) * (1.0 - t * t)
    };
    let mean = |i: usize| {
        let (mut sum, mut total) = (0.0, 0.0);
        for k in around(i) {
            let weight = weight(k.abs_diff(i));
            sum += weight * highest[k];
            total += weight;
        }
        sum / total
    };
    (0..needs.len()).map(mean).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn hips_come_down_at_least_as_far_as_needed(
            needs in proptest::collection::vec(0f32..0.2, 1..60), reach in 0usize..12,
        ) {
            let drops = eased(&needs, reach);
            for (drop, need) in drops.iter().zip(&needs) {
                prop_assert!(*drop >= need - 1e-6);
            }
        }
    }
}
