//! When and where a foot stands: what the legs' own motion says, made possible.
//!
//! Joints that are chosen one by one make feet that are said to stand and yet go somewhere else, most of all where both given poses stand with
//! their feet in different places. A foot stands in one place: where it would have to leave it, a step is made, at the time the foot is on its
//! way most, if possible while the other foot stands. A leg that does not reach where its foot stands lets go.
//!
//! Limits: a step is planned for one leg at a time, and hips go on as they would; a foot that has to go a long way goes it in one step.

use std::ops::Range;

use marey_motion::{Quat, Vec3, WorldPose};
use marey_ops::sole::Part;

use crate::frames::{Touches, bits};
use crate::leg::{Foot, Leg};
use crate::played::Stage;

/// Places this near are one: a foot drifts from the one to the other and nobody sees it. In metres, and radians.
const SAME_M: f32 = 0.006;
const SAME_RAD: f32 = 0.07;
/// A foot that stands may be this far from where its leg's own motion has it, in metres.
const STRAY_M: f32 = 0.09;
/// By so much a leg may be too short and its foot still stands, in metres.
const SHORT_M: f32 = 0.005;
/// A leg that is so long, of its length, is nearly straight.
const NEARLY_STRAIGHT: f32 = 0.985;
/// A step takes so long, in seconds: at least, more with each metre, and at most.
const STEP_SECS: f32 = 0.2;
const STEP_SECS_PER_M: f32 = 0.3;
const LONGEST_STEP_SECS: f32 = 0.45;
/// What a second in which neither foot stands counts, against a second that a step is away from its best time.
const BOTH_UP: f32 = 4.0;

/// A foot that stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stance {
    pub(crate) frames: Range<usize>,
    /// Where at first, and where at last: as good as the same.
    from: Foot,
    to: Foot,
    /// The point of the foot that stays, in its frame.
    pivot: Vec3,
    /// Whether a step was made that leads on from here.
    pub(crate) steps_on: bool,
}

impl Stance {
    /// Where the foot stands in a frame.
    pub(crate) fn foot(&self, frame: usize) -> Foot {
        let most = self.frames.len().saturating_sub(1).max(1) as f32;
        let share = frame.saturating_sub(self.frames.start) as f32 / most;
        let turn = self.from.turn.slerp(self.to.turn, share);
        let on = self.from.point(self.pivot).lerp(self.to.point(self.pivot), share);
        Foot { at: on - turn * self.pivot, turn }
    }
}

/// What a leg would do by itself, in every frame.
#[derive(Debug)]
pub(crate) struct Gait<'a> {
    pub(crate) leg: &'a Leg,
    pub(crate) feet: Vec<Foot>,
    pub(crate) hips: Vec<Vec3>,
    /// Which of the leg's soles stand, a bit for each.
    pub(crate) stands: Vec<u8>,
    pub(crate) rate_hz: f64,
    /// Whether the last pose is given, as the first is: then feet are there where it has them.
    pub(crate) has_last: bool,
}

impl<'a> Gait<'a> {
    /// What a leg does in poses whose soles are said to stand.
    pub(crate) fn of(leg: &'a Leg, worlds: &[WorldPose], touches: &[Touches], stage: &Stage) -> Self {
        let stands = |touches: &Touches| bits(leg.soles.iter().map(|sole| touches >> sole.index & 1 == 1));
        Self {
            leg,
            feet: worlds.iter().map(|world| leg.foot(world)).collect(),
            hips: worlds.iter().map(|world| leg.hip(world)).collect(),
            stands: touches.iter().map(stands).collect(),
            rate_hz: stage.rate_hz,
            has_last: stage.has_last,
        }
    }

    /// When the foot stands by itself.
    fn spans(&self) -> Vec<Range<usize>> {
        let mut spans: Vec<Range<usize>> = Vec::new();
        for (frame, _) in self.stands.iter().enumerate().filter(|(_, stands)| **stands != 0) {
            match spans.last_mut() {
                Some(span) if span.end == frame => span.end += 1,
                _ => spans.push(frame..frame + 1),
            }
        }
        spans
    }

    /// Whether it stands in both given poses and all the time between, in different places.
    pub(crate) fn is_torn(&self) -> bool {
        let all = 0..self.feet.len();
        self.has_last && self.spans() == [all.clone()] && !self.is_same(&all)
    }

    /// Whether it stands all the time.
    pub(crate) fn stays(&self) -> bool {
        self.stands.iter().all(|stands| *stands != 0)
    }

    /// The point that a foot stands on while it stands: the ball, where that does.
    pub(crate) fn pivot(&self, frames: &Range<usize>) -> Vec3 {
        let always =
            self.stands.get(frames.clone()).unwrap_or_default().iter().fold(!0, |all, bits| all & bits);
        let standing = self.leg.soles.iter().enumerate().filter(|(bit, _)| always >> bit & 1 == 1);
        let ball_first = standing.max_by_key(|(_, sole)| sole.part == Part::Ball);
        ball_first
            .or(self.leg.soles.iter().enumerate().next_back())
            .map_or(Vec3::ZERO, |(_, sole)| sole.offset)
    }

    /// Whether the whole sole stands, so that the foot cannot turn.
    pub(crate) fn is_flat(&self, frame: usize) -> bool {
        let all = (1u8 << self.leg.soles.len()) - 1;
        self.leg.soles.len() > 1 && self.stands.get(frame) == Some(&all)
    }

    /// Whether it stands on one and the same point all the time, so that the foot can turn about it.
    pub(crate) fn is_free_to_turn(&self, frames: &Range<usize>) -> bool {
        let ever = self.stands.get(frames.clone()).unwrap_or_default().iter().fold(0, |all, bits| all | bits);
        ever.count_ones() < 2
    }

    /// Whether a foot stands at the end of some frames where it stood at their start.
    fn is_same(&self, frames: &Range<usize>) -> bool {
        let (from, to) = (self.standing(frames.start), self.standing(frames.end - 1));
        let pivot = self.pivot(frames);
        let turned = ahead(&from, self.leg).angle_between(ahead(&to, self.leg));
        // A foot that points straight down points nowhere.
        let is_turned = turned.is_finite() && turned > SAME_RAD;
        from.point(pivot).with_y(0.0).distance(to.point(pivot).with_y(0.0)) < SAME_M
            && (self.is_free_to_turn(frames) || !is_turned)
    }

    /// When and where the foot stands. `is_up` says when the other foot does not; `best_at` when in a whole motion a
    /// step would be best, 0 to 1, where the leg's own motion is not to say it.
    pub(crate) fn stances(&self, is_up: &[bool], best_at: Option<f32>) -> Vec<Stance> {
        let mut stances = Vec::new();
        for span in self.spans() {
            self.divide(span, is_up, best_at, &mut stances);
        }
        stances
    }

    /// How much lower the hips would have to be in a frame for the leg to reach a foot, no straighter than it is by itself or nearly
    /// straight, since knees snap there, in metres; none where they are near enough, or never would be.
    pub(crate) fn too_high_m(&self, foot: &Foot, frame: usize) -> Option<f32> {
        let away = self.hips[frame] - foot.at;
        let own_m = self.hips[frame].distance(self.feet[frame].at);
        let reach_m = own_m.clamp(NEARLY_STRAIGHT * self.leg.reach_m, self.leg.reach_m);
        let down = reach_m.powi(2) - away.with_y(0.0).length_squared();
        (down > 0.0).then(|| away.y - down.sqrt()).filter(|high| *high > 0.0)
    }

    /// Makes one stance of a span, or two with a step between, and so on.
    fn divide(&self, span: Range<usize>, is_up: &[bool], best_at: Option<f32>, stances: &mut Vec<Stance>) {
        let given = self.given(&span);
        let place = self.place(&span);
        let stray = |frame: usize| {
            let pivot = self.pivot(&span);
            self.feet[frame].point(pivot).with_y(0.0).distance(place.point(pivot).with_y(0.0))
        };
        let is_still = match given {
            [true, true] => self.is_same(&span),
            _ => span.clone().all(|frame| stray(frame) < STRAY_M),
        };
        let step = if is_still { None } else { self.step(&span, is_up, best_at) };
        match step {
            Some(step) => {
                self.divide(span.start..step.start, is_up, None, stances);
                stances.iter_mut().last().into_iter().for_each(|stance| stance.steps_on = true);
                self.divide(step.end..span.end, is_up, None, stances);
            }
            None => {
                let to = if given == [true, true] { self.standing(span.end - 1) } else { place };
                let pivot = self.pivot(&span);
                stances.push(Stance { frames: span, from: place, to, pivot, steps_on: false });
            }
        }
    }

    /// Whether a span begins, or ends, with a pose that was given.
    fn given(&self, span: &Range<usize>) -> [bool; 2] {
        [span.start == 0, self.has_last && span.end == self.feet.len()]
    }

    /// Where a foot stands: as it was given, or else where it is in the middle, flat on the floor.
    fn place(&self, span: &Range<usize>) -> Foot {
        match self.given(span) {
            [true, _] => self.standing(span.start),
            [_, true] => self.standing(span.end - 1),
            _ => {
                let middle = span.start + span.len() / 2;
                let flat = span.clone().filter(|frame| self.is_flat(*frame));
                let frame = flat.min_by_key(|frame| frame.abs_diff(middle)).unwrap_or(middle);
                let foot = self.standing(frame);
                // On the floor.
                let heights = self.leg.soles.iter().map(|sole| foot.point(sole.offset).y - sole.rest_m);
                let high = heights.fold(f32::INFINITY, f32::min);
                Foot { at: foot.at - if high.is_finite() { high } else { 0.0 } * Vec3::Y, ..foot }
            }
        }
    }

    /// The foot of a frame as it would be with its whole sole on the floor, around what stands of it; as it is where a given pose is
    /// flat already.
    pub(crate) fn standing(&self, frame: usize) -> Foot {
        let foot = self.feet[frame];
        let is_given = frame == 0 || (self.has_last && frame + 1 == self.feet.len());
        let [a, b] = self.leg.soles.as_slice() else { return foot };
        if is_given && self.is_flat(frame) {
            return foot;
        }
        let way = foot.turn * (b.offset - a.offset);
        let rise = b.rest_m - a.rest_m;
        let level = (way.length_squared() - rise * rise).max(0.0).sqrt();
        let wanted = way.with_y(0.0).normalize_or_zero() * level + rise * Vec3::Y;
        let tilt = Quat::from_rotation_arc(way.normalize_or(Vec3::Z), wanted.normalize_or(Vec3::Z));
        let turn = (tilt * foot.turn).normalize();
        let pivot = self.pivot(&(frame..frame + 1));
        Foot { at: foot.point(pivot) - turn * pivot, turn }
    }

    /// The frames of a step within a span, if there is time for one.
    fn step(&self, span: &Range<usize>, is_up: &[bool], best_at: Option<f32>) -> Option<Range<usize>> {
        let way_m: Vec<f32> =
            span.clone().skip(1).map(|frame| self.feet[frame].at.distance(self.feet[frame - 1].at)).collect();
        let far_m = self.feet[span.start].at.distance(self.feet[span.end - 1].at);
        let secs = (STEP_SECS + STEP_SECS_PER_M * far_m).min(LONGEST_STEP_SECS);
        // A frame at least stands on either side.
        let room = span.len().checked_sub(2).filter(|room| *room > 1)?;
        let given = self.given(span) == [true, true];
        let wanted = (secs * self.rate_hz as f32).round() as usize;
        let frames = if given { wanted.min(room) } else { wanted };
        if frames > room || frames == 0 {
            return None;
        }
        let half = way_m.iter().sum::<f32>() / 2.0;
        let gone = way_m.iter().scan(0.0, |gone, way| {
            *gone += way;
            Some(*gone)
        });
        let own = gone.take_while(|gone| *gone < half).count();
        let best = best_at.map_or(own as f32, |share| share * (span.len() - 1) as f32) + span.start as f32;
        let costs = (span.start + 1..=span.end - 1 - frames).map(|start| {
            let both_up = (start..start + frames).filter(|frame| is_up.get(*frame) == Some(&true)).count();
            let late = (start as f32 + frames as f32 / 2.0 - best).abs();
            (late + BOTH_UP * both_up as f32, start)
        });
        let start = costs.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, start)| start)?;
        Some(start..start + frames)
    }

    /// A stance without the frames in which the leg does not reach, by where the foot is in every frame; none where too little
    /// is left.
    pub(crate) fn within_reach(&self, stance: Stance, feet: &[Foot]) -> Option<Stance> {
        let reaches = |frame: usize| feet[frame].at.distance(self.hips[frame]) <= self.leg.reach_m + SHORT_M;
        let frames = stance.frames.clone();
        // What was given stands, whatever the bones say.
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
            return None;
        }
        let (from, to) = (stance.foot(start), stance.foot(end - 1));
        Some(Stance { frames: start..end, from, to, ..stance })
    }
}

/// Which way a foot points along the floor.
pub(crate) fn ahead(foot: &Foot, leg: &Leg) -> Vec3 {
    match leg.soles.as_slice() {
        [a, b] => (foot.turn * (b.offset - a.offset)).with_y(0.0),
        _ => (foot.turn * Vec3::Z).with_y(0.0),
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::{Joint, Role, Skeleton};

    use super::*;

    /// A leg of a metre, with a foot of 20 cm.
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

    /// A foot that is flat on the floor at those places along Z, at 50 Hz, and hips that are over it but for `behind` metres.
    fn gait<'a>(leg: &'a Leg, along: impl Iterator<Item = f32>, behind: f32, has_last: bool) -> Gait<'a> {
        let feet: Vec<Foot> =
            along.map(|z| Foot { at: Vec3::new(0.0, 0.1, z), turn: Quat::IDENTITY }).collect();
        let hips = feet.iter().map(|foot| foot.at + Vec3::new(0.0, 0.95, -behind)).collect();
        Gait { leg, stands: vec![3; feet.len()], feet, hips, rate_hz: 50.0, has_last }
    }

    fn on_floor(_: usize) -> bool {
        false
    }

    fn planned(gait: &Gait<'_>, is_up: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let is_up: Vec<bool> = (0..gait.feet.len()).map(is_up).collect();
        gait.stances(&is_up, None).into_iter().map(|stance| stance.frames).collect()
    }

    #[test]
    fn a_foot_that_stays_stands_and_one_that_strays_steps() {
        let leg = leg();
        let all = std::slice::from_ref(&(0..50));
        assert_eq!(planned(&gait(&leg, (0..50).map(|_| 0.3), 0.0, true), on_floor), all);
        // A few centimetres to and fro are not worth a step, unless it has to be elsewhere in the end.
        let sway = |frame: usize| 0.04 * (frame as f32 / 8.0).sin();
        assert_eq!(planned(&gait(&leg, (0..50).map(sway), 0.0, false), on_floor), all);
        assert_eq!(planned(&gait(&leg, (0..50).map(sway), 0.0, true), on_floor).len(), 2);
        // 30 cm on the way in the second half: 0.29 s around the middle of that.
        let late = gait(&leg, (0..51).map(|frame| 0.3 * (frame as f32 / 25.0 - 1.0).max(0.0)), 0.0, true);
        let stances = planned(&late, on_floor);
        assert_eq!(stances.len(), 2);
        let swing = stances[0].end..stances[1].start;
        assert_eq!(swing.len(), 15);
        assert!(((swing.start + swing.end) / 2).abs_diff(37) <= 2, "{swing:?}");
        // While the other foot is up then, it waits.
        let waits = planned(&late, |frame| (25..45).contains(&frame));
        let swing = waits[0].end..waits[1].start;
        assert!(swing.end <= 25 || swing.start >= 45, "{swing:?}");
    }

    #[test]
    fn feet_stand_where_poses_that_were_given_have_them_or_flat_on_the_floor() {
        let leg = leg();
        let torn = gait(&leg, (0..51).map(|frame| 0.004 * frame as f32), 0.0, true);
        assert!(torn.is_torn());
        let stances = torn.stances(&[false; 51], None);
        assert!(stances[0].foot(3).at.distance(torn.feet[0].at) < 1e-6);
        assert!(stances[1].foot(49).at.distance(torn.feet[50].at) < 1e-6);
        assert!(stances[0].steps_on && !stances[1].steps_on);
        // Tilted and 2 cm above the floor, with nothing given at its end: brought down.
        let mut tilted = gait(&leg, (0..40).map(|_| 0.0), 0.0, false);
        tilted.stands[..10].fill(0);
        for foot in &mut tilted.feet {
            *foot = Foot { at: foot.at + 0.02 * Vec3::Y, turn: Quat::from_rotation_x(0.1) };
        }
        let stances = tilted.stances(&[false; 40], None);
        assert_eq!(stances.len(), 1);
        for sole in &leg.soles {
            assert!((stances[0].foot(20).point(sole.offset).y - sole.rest_m).abs() < 1e-6);
        }
    }

    #[test]
    fn a_leg_that_does_not_reach_lets_go_and_lower_hips_help() {
        let leg = leg();
        let far = gait(&leg, (0..30).map(|_| 0.0), 0.4, false);
        let stance = far.stances(&[false; 30], None).remove(0);
        // 0.95 m up and 0.4 m off is more than a metre: √(1 − 0.16) is 0.917.
        let high = far.too_high_m(&far.feet[10], 10).unwrap();
        assert!((high - (0.95 - (leg.reach_m.powi(2) - 0.16).sqrt())).abs() < 1e-5);
        // What was given stays, the rest goes.
        assert_eq!(far.within_reach(stance.clone(), &far.feet).unwrap().frames, 0..1);
        let lower = Gait { hips: far.hips.iter().map(|hip| *hip - high * Vec3::Y).collect(), ..far };
        assert_eq!(lower.within_reach(stance, &lower.feet).unwrap().frames, 0..30);
    }
}
