//! When and where a foot stands.
//!
//! Joints are chosen one by one, so a foot may be in contact and yet move, above all if both given poses
//! stand on different spots. A stance keeps the foot in one place. If the foot has to leave that place, a
//! step is inserted, at the time the foot moves most, and if possible while the other foot stands. A foot
//! that its leg cannot reach is released.
//!
//! Limits: steps are planned for one leg at a time and do not affect the hips; a foot covers any distance in
//! one step.

use std::ops::Range;

use marey_motion::{CheckedAccess, Quat, Vec3, WorldPose};
use marey_ops::sole::SolePart;

use crate::Result;
use crate::leg::{Foot, Leg};
use crate::style_frames::{SoleBits, bits};
use crate::synthesis::OutputSpec;

/// Placements closer than this count as the same; the foot drifts unnoticeably from one to the other. In
/// metres.
const SAME_M: f32 = 0.006;
/// Headings closer than this count as the same, in radians.
const SAME_RAD: f32 = 0.07;
/// Maximum distance of a standing foot from the leg's own motion, in metres.
const MAX_STRAY_M: f32 = 0.09;
/// A foot still stands if its leg is too short by up to this, in metres.
const REACH_TOLERANCE_M: f32 = 0.005;
/// A leg is nearly straight from this fraction of its length on.
const NEARLY_STRAIGHT: f32 = 0.985;
/// Duration of a step without distance, in seconds.
const STEP_SECS: f32 = 0.2;
/// Additional duration per metre, in seconds.
const STEP_SECS_PER_M: f32 = 0.3;
/// Maximum duration of a step, in seconds.
const MAX_STEP_SECS: f32 = 0.45;
/// Cost of a frame in which neither foot stands, relative to a frame of distance from the best time of a
/// step.
const BOTH_UP_COST: f32 = 4.0;

/// A period in which a foot stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stance {
    pub(crate) frames: Range<usize>,
    /// Placement at the start, and at the end: equal or nearly so.
    from: Foot,
    to: Foot,
    /// The fixed point of the foot, in the foot's frame.
    pivot: Vec3,
    /// Whether an inserted step follows.
    pub(crate) step_follows: bool,
}

impl Stance {
    /// Placement of the foot in a frame.
    pub(crate) fn foot(&self, frame: usize) -> Foot {
        let last = self.frames.len().saturating_sub(1).max(1) as f32;
        let fraction = frame.saturating_sub(self.frames.start) as f32 / last;
        let rotation = self.from.rotation.slerp(self.to.rotation, fraction);
        let pivot = self.from.point(self.pivot).lerp(self.to.point(self.pivot), fraction);
        Foot { ankle: pivot - rotation * self.pivot, rotation }
    }
}

/// A leg's own motion, before feet are planted.
#[derive(Debug)]
pub(crate) struct Gait<'a> {
    pub(crate) leg: &'a Leg,
    pub(crate) feet: Vec<Foot>,
    pub(crate) hips: Vec<Vec3>,
    /// Which of the leg's soles are in contact, one bit each.
    pub(crate) contact_bits: Vec<u8>,
    pub(crate) rate_hz: f64,
    /// Whether the last pose is given. The first always is.
    pub(crate) has_last: bool,
}

impl<'a> Gait<'a> {
    /// The motion of a leg in poses with the given contacts.
    pub(crate) fn new(
        leg: &'a Leg,
        worlds: &[WorldPose],
        contact_bits: &[SoleBits],
        output: &OutputSpec,
    ) -> Result<Self> {
        let of_leg = |all: &SoleBits| bits(leg.soles.iter().map(|sole| all >> sole.index & 1 == 1));
        Ok(Self {
            leg,
            feet: worlds.iter().map(|world| leg.foot(world)).collect::<Result<_>>()?,
            hips: worlds.iter().map(|world| leg.hip(world)).collect::<Result<_>>()?,
            contact_bits: contact_bits.iter().map(of_leg).collect(),
            rate_hz: output.rate_hz,
            has_last: output.has_last,
        })
    }

    /// Periods of contact.
    fn spans(&self) -> Vec<Range<usize>> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        for (frame, _) in self.contact_bits.iter().enumerate().filter(|(_, bits)| **bits != 0) {
            match spans.last_mut() {
                Some(span) if span.end == frame => span.end += 1,
                _ => spans.push(frame..frame + 1),
            }
        }
        spans
    }

    /// Whether the foot stands in both given poses and all the time between, but in different places.
    pub(crate) fn needs_step(&self) -> Result<bool> {
        let all = 0..self.feet.len();
        Ok(self.has_last && self.spans() == [all.clone()] && !self.is_same(&all)?)
    }

    /// Whether the foot stands all the time.
    pub(crate) fn stands_throughout(&self) -> bool {
        self.contact_bits.iter().all(|bits| *bits != 0)
    }

    /// The sole point that the foot stands on during some frames, preferably the ball.
    pub(crate) fn pivot(&self, frames: &Range<usize>) -> Vec3 {
        let always =
            self.contact_bits.get(frames.clone()).unwrap_or_default().iter().fold(!0, |all, bits| all & bits);
        let standing = self.leg.soles.iter().enumerate().filter(|(bit, _)| always >> bit & 1 == 1);
        let ball_first = standing.max_by_key(|(_, sole)| sole.part == SolePart::Ball);
        ball_first
            .or(self.leg.soles.iter().enumerate().next_back())
            .map_or(Vec3::ZERO, |(_, sole)| sole.offset)
    }

    /// Whether the whole sole is in contact, so that the foot cannot turn.
    pub(crate) fn is_flat(&self, frame: usize) -> bool {
        let all = (1u8 << self.leg.soles.len()) - 1;
        self.leg.soles.len() > 1 && self.contact_bits.get(frame) == Some(&all)
    }

    /// Whether the foot stands on a single point, so that it can turn.
    pub(crate) fn is_free_to_turn(&self, frames: &Range<usize>) -> bool {
        let ever =
            self.contact_bits.get(frames.clone()).unwrap_or_default().iter().fold(0, |all, bits| all | bits);
        ever.count_ones() < 2
    }

    /// Whether the foot has the same placement at the start and end of some frames.
    fn is_same(&self, frames: &Range<usize>) -> Result<bool> {
        let (from, to) = (self.standing(frames.start)?, self.standing(frames.end - 1)?);
        let pivot = self.pivot(frames);
        let turned = heading(&from, self.leg).angle_between(heading(&to, self.leg));
        // A foot that points straight down has no heading; the angle is then NaN.
        let is_turned = turned.is_finite() && turned > SAME_RAD;
        Ok(from.point(pivot).with_y(0.0).distance(to.point(pivot).with_y(0.0)) < SAME_M
            && (self.is_free_to_turn(frames) || !is_turned))
    }

    /// Plans the stances of the foot. `is_up` marks frames in which the other foot does not stand. `best_at`
    /// is the best time for a step as a fraction of the motion; `None` derives it from the leg's own motion.
    pub(crate) fn stances(&self, is_up: &[bool], best_at: Option<f32>) -> Result<Vec<Stance>> {
        let mut stances = Vec::new();
        for span in self.spans() {
            self.divide(span, is_up, best_at, &mut stances)?;
        }
        Ok(stances)
    }

    /// Returns by how many metres the hips are too high in a frame for the leg to reach a foot. The leg must
    /// not get straighter than in its own motion, or than nearly straight, to avoid knee snapping. `None` if
    /// the leg reaches, or lowering the hips does not help.
    pub(crate) fn too_high_m(&self, foot: &Foot, frame: usize) -> Result<Option<f32>> {
        let hip = self.hips.at(frame)?;
        let offset = hip - foot.ankle;
        let own_m = hip.distance(self.feet.at(frame)?.ankle);
        let reach_m = own_m.clamp(NEARLY_STRAIGHT * self.leg.reach_m, self.leg.reach_m);
        let down = reach_m.powi(2) - offset.with_y(0.0).length_squared();
        Ok((down > 0.0).then(|| offset.y - down.sqrt()).filter(|high| *high > 0.0))
    }

    /// Turns a period of contact into one stance, or recursively into two with a step between.
    fn divide(
        &self,
        span: Range<usize>,
        is_up: &[bool],
        best_at: Option<f32>,
        stances: &mut Vec<Stance>,
    ) -> Result<()> {
        let given = self.given(&span);
        let place = self.place(&span)?;
        let stray = |foot: &Foot| {
            let pivot = self.pivot(&span);
            foot.point(pivot).with_y(0.0).distance(place.point(pivot).with_y(0.0))
        };
        let is_still = match given {
            [true, true] => self.is_same(&span)?,
            _ => self.feet.at(span.clone())?.iter().all(|foot| stray(foot) < MAX_STRAY_M),
        };
        let step = if is_still { None } else { self.step(&span, is_up, best_at)? };
        match step {
            Some(step) => {
                self.divide(span.start..step.start, is_up, None, stances)?;
                stances.iter_mut().last().into_iter().for_each(|stance| stance.step_follows = true);
                self.divide(step.end..span.end, is_up, None, stances)
            }
            None => {
                let to = if given == [true, true] { self.standing(span.end - 1)? } else { place };
                let pivot = self.pivot(&span);
                stances.push(Stance { frames: span, from: place, to, pivot, step_follows: false });
                Ok(())
            }
        }
    }

    /// Whether a span starts, and whether it ends, with a given pose.
    fn given(&self, span: &Range<usize>) -> [bool; 2] {
        [span.start == 0, self.has_last && span.end == self.feet.len()]
    }

    /// Returns the placement of a foot: that of a given pose, or else that of the middle frame, flat on the
    /// floor.
    fn place(&self, span: &Range<usize>) -> Result<Foot> {
        match self.given(span) {
            [true, _] => self.standing(span.start),
            [_, true] => self.standing(span.end - 1),
            _ => {
                let middle = span.start + span.len() / 2;
                let flat = span.clone().filter(|frame| self.is_flat(*frame));
                let frame = flat.min_by_key(|frame| frame.abs_diff(middle)).unwrap_or(middle);
                let foot = self.standing(frame)?;
                let heights = self.leg.soles.iter().map(|sole| foot.point(sole.offset).y - sole.rest_m);
                let high = heights.fold(f32::INFINITY, f32::min);
                let high = if high.is_finite() { high } else { 0.0 };
                Ok(Foot { ankle: foot.ankle - high * Vec3::Y, ..foot })
            }
        }
    }

    /// Returns the foot of a frame, rotated about its point of contact until the whole sole is level. A given
    /// pose that is flat stays unchanged.
    pub(crate) fn standing(&self, frame: usize) -> Result<Foot> {
        let foot = *self.feet.at(frame)?;
        let is_given = frame == 0 || (self.has_last && frame + 1 == self.feet.len());
        let [a, b] = self.leg.soles.as_slice() else { return Ok(foot) };
        if is_given && self.is_flat(frame) {
            return Ok(foot);
        }
        let axis = foot.rotation * (b.offset - a.offset);
        let rise = b.rest_m - a.rest_m;
        let level = (axis.length_squared() - rise * rise).max(0.0).sqrt();
        let target = axis.with_y(0.0).normalize_or_zero() * level + rise * Vec3::Y;
        let tilt = Quat::from_rotation_arc(axis.normalize_or(Vec3::Z), target.normalize_or(Vec3::Z));
        let rotation = (tilt * foot.rotation).normalize();
        let pivot = self.pivot(&(frame..frame + 1));
        Ok(Foot { ankle: foot.point(pivot) - rotation * pivot, rotation })
    }

    /// Returns the frames of a step within a span, if there is time for one.
    fn step(
        &self,
        span: &Range<usize>,
        is_up: &[bool],
        best_at: Option<f32>,
    ) -> Result<Option<Range<usize>>> {
        let feet = self.feet.at(span.clone())?;
        let (Some(first), Some(last)) = (feet.first(), feet.last()) else { return Ok(None) };
        let moved_m: Vec<f32> =
            feet.array_windows().map(|[before, after]| after.ankle.distance(before.ankle)).collect();
        let distance_m = first.ankle.distance(last.ankle);
        let secs = (STEP_SECS + STEP_SECS_PER_M * distance_m).min(MAX_STEP_SECS);
        // The foot stands for at least one frame on either side.
        let Some(max_frames) = span.len().checked_sub(2).filter(|frames| *frames > 1) else {
            return Ok(None);
        };
        let is_given = self.given(span) == [true, true];
        let desired = (secs * self.rate_hz as f32).round() as usize;
        let frames = if is_given { desired.min(max_frames) } else { desired };
        if frames > max_frames || frames == 0 {
            return Ok(None);
        }
        let half = moved_m.iter().sum::<f32>() / 2.0;
        let total_m = moved_m.iter().scan(0.0, |total, moved| {
            *total += moved;
            Some(*total)
        });
        let halfway = total_m.take_while(|total| *total < half).count();
        let best =
            best_at.map_or(halfway as f32, |fraction| fraction * (span.len() - 1) as f32) + span.start as f32;
        let costs = (span.start + 1..=span.end - 1 - frames).map(|start| {
            let both_up = (start..start + frames).filter(|frame| is_up.get(*frame) == Some(&true)).count();
            let delay = (start as f32 + frames as f32 / 2.0 - best).abs();
            (delay + BOTH_UP_COST * both_up as f32, start)
        });
        let cheapest = costs.min_by(|a, b| a.0.total_cmp(&b.0));
        Ok(cheapest.map(|(_, start)| start..start + frames))
    }

    /// Shortens a stance to the frames in which the leg reaches the foot; `None` if too few are left.
    pub(crate) fn within_reach(&self, stance: Stance, feet: &[Foot]) -> Result<Option<Stance>> {
        let in_reach =
            |(foot, hip): (&Foot, &Vec3)| foot.ankle.distance(*hip) <= self.leg.reach_m + REACH_TOLERANCE_M;
        let reached: Vec<bool> = feet.iter().zip(&self.hips).map(in_reach).collect();
        let reaches = |frame: usize| reached.get(frame) == Some(&true);
        let frames = stance.frames.clone();
        // Given poses keep their contacts in any case.
        let from = match self.given(&frames) {
            [true, _] => frames.start,
            [_, true] => frames.end - 1,
            _ => frames.start + frames.len() / 2,
        };
        let start =
            (frames.start..from).rev().find(|frame| !reaches(*frame)).map_or(frames.start, |frame| frame + 1);
        let end = (from + 1..frames.end).find(|frame| !reaches(*frame)).unwrap_or(frames.end);
        let is_given = self.given(&(start..end)).contains(&true);
        if !is_given && (end - start < 2 || !reaches(from)) {
            return Ok(None);
        }
        let (from, to) = (stance.foot(start), stance.foot(end - 1));
        Ok(Some(Stance { frames: start..end, from, to, ..stance }))
    }
}

/// Direction of a foot on the floor, not normalised.
pub(crate) fn heading(foot: &Foot, leg: &Leg) -> Vec3 {
    match leg.soles.as_slice() {
        [a, b] => (foot.rotation * (b.offset - a.offset)).with_y(0.0),
        _ => (foot.rotation * Vec3::Z).with_y(0.0),
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::{Joint, Role, Skeleton};

    use super::*;

    /// A leg of one metre with a foot of 20 cm.
    fn leg() -> Leg {
        let joint = |name, parent, offset: [f32; 3], role: Role| {
            Joint::new(name, parent, Vec3::from(offset)).with_role(role)
        };
        let joints = vec![
            joint("hips", None, [0.0, 1.1, 0.0], Role::Hips),
            joint("thigh", Some(0), [0.1, 0.0, 0.0], Role::LeftUpperLeg),
            joint("shin", Some(1), [0.0, -0.5, 0.0], Role::LeftLowerLeg),
            joint("foot", Some(2), [0.0, -0.5, 0.0], Role::LeftFoot),
            joint("toes", Some(3), [0.0, -0.1, 0.2], Role::LeftToes),
        ];
        Leg::all(&Skeleton::new(joints, vec![]).unwrap()).remove(0)
    }

    /// A foot flat on the floor at positions along Z, at 50 Hz, with the hips `behind` metres behind it.
    fn gait<'a>(leg: &'a Leg, along: impl Iterator<Item = f32>, behind: f32, has_last: bool) -> Gait<'a> {
        let feet: Vec<Foot> =
            along.map(|z| Foot { ankle: Vec3::new(0.0, 0.1, z), rotation: Quat::IDENTITY }).collect();
        let hips = feet.iter().map(|foot| foot.ankle + Vec3::new(0.0, 0.95, -behind)).collect();
        Gait { leg, contact_bits: vec![3; feet.len()], feet, hips, rate_hz: 50.0, has_last }
    }

    fn never_up(_: usize) -> bool {
        false
    }

    fn planned(gait: &Gait<'_>, is_up: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let is_up: Vec<bool> = (0..gait.feet.len()).map(is_up).collect();
        gait.stances(&is_up, None).unwrap().into_iter().map(|stance| stance.frames).collect()
    }

    #[test]
    fn a_foot_that_strays_makes_a_step() {
        let leg = leg();
        let all = std::slice::from_ref(&(0..50));
        assert_eq!(planned(&gait(&leg, (0..50).map(|_| 0.3), 0.0, true), never_up), all);
        // Swaying by a few centimetres needs no step, unless the given end is elsewhere.
        let sway = |frame: usize| 0.04 * (frame as f32 / 8.0).sin();
        assert_eq!(planned(&gait(&leg, (0..50).map(sway), 0.0, false), never_up), all);
        assert_eq!(planned(&gait(&leg, (0..50).map(sway), 0.0, true), never_up).len(), 2);
        // 30 cm during the second half: a step of 0.29 s around the middle of that half.
        let late = gait(&leg, (0..51).map(|frame| 0.3 * (frame as f32 / 25.0 - 1.0).max(0.0)), 0.0, true);
        let stances = planned(&late, never_up);
        assert_eq!(stances.len(), 2);
        let swing = stances[0].end..stances[1].start;
        assert_eq!(swing.len(), 15);
        assert!(((swing.start + swing.end) / 2).abs_diff(37) <= 2, "{swing:?}");
        // The step avoids the time in which the other foot is up.
        let delayed = planned(&late, |frame| (25..45).contains(&frame));
        let swing = delayed[0].end..delayed[1].start;
        assert!(swing.end <= 25 || swing.start >= 45, "{swing:?}");
    }

    #[test]
    fn feet_stand_as_in_given_poses_or_flat_on_the_floor() {
        let leg = leg();
        let moving = gait(&leg, (0..51).map(|frame| 0.004 * frame as f32), 0.0, true);
        assert!(moving.needs_step().unwrap());
        let stances = moving.stances(&[false; 51], None).unwrap();
        assert!(stances[0].foot(3).ankle.distance(moving.feet[0].ankle) < 1e-6);
        assert!(stances[1].foot(49).ankle.distance(moving.feet[50].ankle) < 1e-6);
        assert!(stances[0].step_follows && !stances[1].step_follows);
        // A tilted foot 2 cm above the floor is put on the floor if no pose is given.
        let mut tilted = gait(&leg, (0..40).map(|_| 0.0), 0.0, false);
        tilted.contact_bits[..10].fill(0);
        for foot in &mut tilted.feet {
            *foot = Foot { ankle: foot.ankle + 0.02 * Vec3::Y, rotation: Quat::from_rotation_x(0.1) };
        }
        let stances = tilted.stances(&[false; 40], None).unwrap();
        assert_eq!(stances.len(), 1);
        for sole in &leg.soles {
            assert!((stances[0].foot(20).point(sole.offset).y - sole.rest_m).abs() < 1e-6);
        }
    }

    #[test]
    fn a_foot_out_of_reach_is_released_unless_the_hips_are_lowered() {
        let leg = leg();
        let far = gait(&leg, (0..30).map(|_| 0.0), 0.4, false);
        let stance = far.stances(&[false; 30], None).unwrap().remove(0);
        // 0.95 m up and 0.4 m away is more than one metre: √(1 − 0.16) is 0.917.
        let high = far.too_high_m(&far.feet[10], 10).unwrap().unwrap();
        assert!((high - (0.95 - (leg.reach_m.powi(2) - 0.16).sqrt())).abs() < 1e-5);
        // Only the given frame remains.
        assert_eq!(far.within_reach(stance.clone(), &far.feet).unwrap().unwrap().frames, 0..1);
        let lower = Gait { hips: far.hips.iter().map(|hip| *hip - high * Vec3::Y).collect(), ..far };
        assert_eq!(lower.within_reach(stance, &lower.feet).unwrap().unwrap().frames, 0..30);
    }
}
