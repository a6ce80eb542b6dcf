//! The streaming foot-skate clean-up.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{LocalPose, Quat, Side, Skeleton, Vec3, WorldPose, smoothstep};
use marey_ops::sole::SolePart;

use crate::copy_pose::copy_pose;
use crate::join::Joiner;
use crate::plant::floor::Level;
use crate::plant::leg::{Leg, combined_turn};
use crate::plant::slot::{Ring, Slot};
use crate::plant::smoothed_rotation::SmoothedRotation;
use crate::plant::{PlantSettings, StepWindows};
use crate::sole_touch::SoleTouch;

/// Plants feet frame by frame. Only [`Planter::new`] allocates.
#[derive(Debug)]
pub(crate) struct Planter {
    settings: PlantSettings,
    reach: StepWindows,
    rate_hz: f64,
    legs: [Leg; 2],
    ring: Ring,
    world: WorldPose,
    /// The number of frames that each step has completed.
    arrived: usize,
    held: usize,
    tilted: usize,
    shifted: usize,
    lowered: usize,
    given: usize,
    /// The last frame in which each foot stood.
    last_held: [Option<usize>; 2],
    /// The rotation of each foot that keeps its free part above the floor while the other stands.
    raised: [SmoothedRotation; 2],
    /// How often a foot was released, and the first frame.
    released: Option<(usize, usize)>,
}

/// The share of the hip drop that is assumed available when deciding whether a foot can be held: the rotation
/// of the foot is not known yet.
pub(super) const ASSUMED_DROP_SHARE: f32 = 0.6;

/// Largest rotation speed of a foot next to its plants; faster, toes would enter the floor.
pub(super) const MAX_TILT_RAD_PER_SEC: f32 = 0.5;

/// A foot with a smaller error counts as standing, in metres.
const STANDING_ERROR_M: f32 = 1e-3;

impl Planter {
    /// `None` for a body without complete legs.
    pub(crate) fn new(skeleton: &Arc<Skeleton>, rate_hz: f64, settings: &PlantSettings) -> Option<Self> {
        let [left, right] = Side::BOTH.map(|side| Leg::of(skeleton, side, settings.min_knee_rad));
        let reach = StepWindows::of(settings, rate_hz);
        let room = settings.look_ahead(rate_hz) + reach.ease.max(reach.drop) + 2;
        Some(Self {
            settings: *settings,
            reach,
            rate_hz,
            legs: [left?, right?],
            ring: Ring::new(skeleton, room),
            world: WorldPose::scratch(skeleton),
            arrived: 0,
            held: 0,
            tilted: 0,
            shifted: 0,
            lowered: 0,
            given: 0,
            last_held: [None; 2],
            raised: Default::default(),
            released: None,
        })
    }

    /// How often a foot was released because it was pulled too far or out of reach, and the first frame.
    pub(crate) fn released(&self) -> Option<(usize, usize)> {
        self.released
    }

    /// Takes the next frame of a joiner, if there is one; `is_last` states that the joiner gets no more
    /// pieces.
    pub(crate) fn feed(&mut self, joiner: &mut Joiner, is_last: bool) -> bool {
        let slot = self.ring.at_mut(self.arrived);
        let Some(touch) = joiner.next(is_last, &mut slot.pose) else { return false };
        slot.touch = touch;
        self.world.set(slot.pose.view());
        slot.legs = self.legs.map(|leg| leg.at(&self.world));
        self.world.set(joiner.plain().view());
        slot.own = self.legs.map(|leg| leg.at(&self.world).sole);
        slot.between = joiner.between();
        self.arrived += 1;
        true
    }

    /// The next frame, if it is known. `is_last` states that all frames have arrived.
    pub(crate) fn next_frame(&mut self, is_last: bool, pose: &mut LocalPose) -> Option<SoleTouch> {
        let arrived = self.arrived;
        let ready = |done: usize, reach: usize| {
            if is_last && done == arrived { done } else { done.saturating_sub(reach) }
        };
        while self.held < ready(self.arrived, self.reach.stand()) {
            self.hold(self.held);
            self.held += 1;
        }
        while self.tilted < ready(self.held, self.reach.ease) {
            self.tilt(self.tilted);
            self.tilted += 1;
        }
        while self.shifted < ready(self.tilted, self.reach.ease) {
            self.shift(self.shifted);
            self.shifted += 1;
        }
        while self.lowered < ready(self.shifted, self.reach.drop) {
            let around = self.around(self.lowered, self.reach.drop, self.shifted);
            let most = around.fold([0.0f32; 3], |most, frame| {
                let slot = self.ring.at(frame);
                [
                    most[0].max(slot.need_m),
                    most[1].max(slot.missing_height_m[0]),
                    most[2].max(slot.missing_height_m[1]),
                ]
            });
            self.ring.at_mut(self.lowered).most_m = most;
            self.lowered += 1;
        }
        if self.given >= ready(self.lowered, self.reach.drop) {
            return None;
        }
        let touch = self.apply_corrections(self.given, pose);
        self.given += 1;
        Some(touch)
    }

    /// The known frames around a frame.
    fn around(&self, frame: usize, reach: usize, known: usize) -> Range<usize> {
        frame.saturating_sub(reach)..(frame + reach + 1).min(known)
    }

    /// Step 1: positions of heels and balls that stand.
    fn hold(&mut self, frame: usize) {
        let before = frame.checked_sub(1).map_or([[None; 2]; 2], |before| self.ring.at(before).holds);
        let mut holds = [[None; 2]; 2];
        for foot in 0..2 {
            let slot = self.ring.at(frame);
            let touching = [0, 1].map(|part| touches(slot, foot, part));
            let stays = |part: usize| before[foot][part].filter(|_| touching[part]);
            // Released now or shortly before, while the foot is still near.
            let soon = || frame..(frame + self.reach.gather + 1).min(self.arrived);
            let pulled = |part: usize| {
                stays(part).is_some_and(|place| {
                    let mut stood = soon().take_while(|soon| touches(self.ring.at(*soon), foot, part));
                    stood.any(|soon| !self.holds(soon, foot, part, place))
                })
            };
            if pulled(0) || pulled(1) {
                count_release(&mut self.released, frame);
                continue;
            }
            holds[foot] = [stays(0), stays(1)];
            let is_rested = self.last_held[foot].is_none_or(|last| frame > last + self.reach.ease);
            for part in [0, 1] {
                let is_carried = holds[foot][1 - part].is_some();
                if holds[foot][part].is_none() && touching[part] && (is_rested || is_carried) {
                    holds[foot][part] = self.land(frame, foot, part, holds[foot][1 - part]);
                }
            }
            if holds[foot].iter().any(Option::is_some) {
                self.last_held[foot] = Some(frame);
            }
        }
        self.ring.at_mut(frame).holds = holds;
    }

    /// Whether any part of a foot stands.
    fn stands(&self, frame: usize, foot: usize) -> bool {
        self.ring.at(frame).holds[foot].iter().any(Option::is_some)
    }

    /// Whether a part of a foot can be held at a place without too large a pull or hip drop.
    fn holds(&self, frame: usize, foot: usize, part: usize, place: Vec3) -> bool {
        let at = &self.ring.at(frame).legs[foot];
        let shift = place - at.sole[part];
        shift.length() <= self.settings.most_pull_m
            && self.legs[foot].need_m(at, shift) <= ASSUMED_DROP_SHARE * self.settings.most_drop_m
    }

    /// The position at which a part of a foot is planted, unless it slides or would be released again at
    /// once; `other` is the position of its other part.
    fn land(&self, frame: usize, foot: usize, part: usize, other: Option<Vec3>) -> Option<Vec3> {
        let gathered = frame..(frame + self.reach.gather + 1).min(self.arrived);
        let point = |frame: usize| self.ring.at(frame).legs[foot].sole[part];
        let last = gathered.end - 1;
        let secs = (gathered.len() - 1) as f32 / self.rate_hz as f32;
        let went_m = |to: usize| (point(to) - point(frame)).with_y(0.0).length();
        let is_fast = |to: usize, secs: f32| went_m(to) > self.settings.slide_mps * secs;
        // The speed from one frame to the next, and over all examined frames.
        if is_fast(last, secs) || is_fast((frame + 1).min(last), 1.0 / self.rate_hz as f32) {
            return None;
        }
        let mean = gathered.clone().map(point).sum::<Vec3>() / gathered.len() as f32;
        // A part that still comes down, or leaves again at once because of a join, is planted at its lowest
        // height.
        let mean = mean.with_y(gathered.map(|frame| point(frame).y).fold(f32::INFINITY, f32::min));
        let place = match other {
            Some(other) => other + (mean - other).try_normalize()? * self.legs[foot].foot_m(),
            None => mean,
        };
        let stands =
            |frame: usize| touches(self.ring.at(frame), foot, part) && self.holds(frame, foot, part, place);
        (frame..(frame + self.reach.stand() + 1).min(self.arrived)).all(stands).then_some(place)
    }

    /// Step 2: rotation of the feet onto both plants, or a part of it before and after.
    fn tilt(&mut self, frame: usize) {
        for foot in 0..2 {
            let most = MAX_TILT_RAD_PER_SEC / self.rate_hz as f32;
            let tilt = self.faded(frame, self.held, most, |frame| {
                let slot = self.ring.at(frame);
                let [Some(heel), Some(ball)] = slot.holds[foot] else { return None };
                let sole = slot.legs[foot].sole;
                let (from, to) = ((sole[1] - sole[0]).try_normalize()?, (ball - heel).try_normalize()?);
                Some(Quat::from_rotation_arc(from, to).to_scaled_axis())
            });
            let raised = self.raise(frame, foot, tilt);
            self.ring.at_mut(frame).tilt[foot] = combined_turn(tilt, raised);
        }
    }

    /// The additional rotation of a foot such that the part that stands does not press the other into the
    /// floor.
    fn raise(&mut self, frame: usize, foot: usize, tilt: Vec3) -> Vec3 {
        let Some(floor_m) = self.settings.floor_m else { return Vec3::ZERO };
        let (leg, slot) = (&self.legs[foot], self.ring.at(frame));
        // The source itself may be lower.
        let lowest_m = [0, 1].map(|part| (floor_m + leg.rest_m(part)).min(slot.own[foot][part].y));
        let holds = slot.holds[foot];
        let is_free = holds.contains(&None);
        let wanted = is_free.then(|| leg.raised(&slot.legs[foot], holds, tilt, lowest_m));
        let raised = self.raised[foot].towards(wanted, 1.0 / self.rate_hz as f32);
        // Shortly before both parts stand, the foot is already rotated onto them.
        let is_whole = |away: &usize| self.ring.at(frame + away).holds[foot].iter().all(Option::is_some);
        let soon = (1..self.reach.drop).take_while(|away| frame + away < self.held).find(is_whole);
        raised * soon.map_or(1.0, |away| smoothstep(away as f32 / self.reach.drop as f32))
    }

    /// Steps 2 and 3: positions of the ankles, and the hip drop that they need.
    fn shift(&mut self, frame: usize) {
        let mut need_m = 0f32;
        for foot in 0..2 {
            let shift = self.faded(frame, self.tilted, f32::INFINITY, |frame| {
                let slot = self.ring.at(frame);
                let part = slot.holds[foot].iter().position(Option::is_some)?;
                let ankle = self.legs[foot].ankle_over(
                    &slot.legs[foot],
                    part,
                    slot.holds[foot][part]?,
                    slot.tilt[foot],
                );
                Some(ankle - slot.legs[foot].ankle)
            });
            let at = self.ring.at(frame).legs[foot];
            if self.stands(frame, foot) {
                need_m = need_m.max(self.legs[foot].need_m(&at, shift));
            }
            self.ring.at_mut(frame).shift[foot] = shift;
            self.ring.at_mut(frame).missing_height_m[foot] = self.missing_height_m(frame, foot);
        }
        self.ring.at_mut(frame).need_m = need_m.min(self.settings.most_drop_m);
    }

    /// The lift that keeps a foot above the floor, in metres.
    fn missing_height_m(&self, frame: usize, foot: usize) -> f32 {
        let (Some(floor_m), leg) = (self.settings.floor_m, &self.legs[foot]) else { return 0.0 };
        let (slot, before) = (self.ring.at(frame), self.ring.at(frame.saturating_sub(1)));
        let speed_mps = |from: Vec3, to: Vec3| (to - from).with_y(0.0).length() * self.rate_hz as f32;
        let missing_height_m = |part: usize| {
            let is = |slot: &Slot| leg.sole_at(&slot.legs[foot], part, slot.shift[foot], slot.tilt[foot]);
            let own = |slot: &Slot| slot.own[foot][part];
            let level = Level {
                stands_m: floor_m + leg.rest_m(part),
                clearance_m: self.settings.clearance_m,
                slow_mps: self.settings.slide_mps,
            };
            level.lift_m(
                (is(slot), speed_mps(is(before), is(slot))),
                (own(slot), speed_mps(own(before), own(slot))),
            )
        };
        slot.between * missing_height_m(0).max(missing_height_m(1))
    }

    /// The share of the missing height by which a foot is lifted: 0 while it stands, and less just before and
    /// after.
    fn lift_share(&self, frame: usize, foot: usize) -> f32 {
        let around = self.around(frame, self.reach.drop, self.held);
        let away = around.filter(|other| self.stands(*other, foot)).map(|other| frame.abs_diff(other)).min();
        away.map_or(1.0, |away| smoothstep(away as f32 / (self.reach.drop + 1) as f32))
    }

    /// A correction that is known in some frames: exact there; elsewhere extrapolated from the nearest known
    /// frames before and after with their velocity, limited to `most` per frame, and faded.
    fn faded(&self, frame: usize, known: usize, most: f32, exact: impl Fn(usize) -> Option<Vec3>) -> Vec3 {
        if let Some(own) = exact(frame) {
            return own;
        }
        let ease = self.reach.ease;
        let before = (1..ease.min(frame + 1)).find_map(|away| {
            let correction = exact(frame - away)?;
            let earlier = (frame - away).checked_sub(1).and_then(&exact);
            Some((away, correction, earlier.map_or(Vec3::ZERO, |earlier| correction - earlier)))
        });
        let after = (1..ease).take_while(|away| frame + away < known).find_map(|away| {
            let correction = exact(frame + away)?;
            let later = (frame + away + 1 < known).then(|| exact(frame + away + 1)).flatten();
            Some((away, correction, later.map_or(Vec3::ZERO, |later| correction - later)))
        });
        let fade = |found: Option<(usize, Vec3, Vec3)>| {
            let Some((away, correction, velocity)) = found else { return (0.0, Vec3::ZERO) };
            let velocity = velocity.clamp_length_max(most);
            let s = away as f32 / ease as f32;
            let left = (1.0 - s) * (1.0 - s);
            let weight = left * (1.0 + 2.0 * s);
            (weight, correction * weight + velocity * (left * away as f32))
        };
        let ((w0, c0), (w1, c1)) = (fade(before), fade(after));
        let share = 1.0 / (1.0 - w0 * w1);
        (c0 * (1.0 - w1) + c1 * (1.0 - w0)) * share
    }

    /// Steps 3 and 4: lowers the hips and bends the legs.
    fn apply_corrections(&mut self, frame: usize, pose: &mut LocalPose) -> SoleTouch {
        let [drop_m, lifts_m @ ..] = self.eased_m(frame);
        let slot = self.ring.at(frame);
        copy_pose(&slot.pose, pose);
        if let Some(root) = pose.positions.first_mut() {
            root.y -= drop_m;
        }
        let mut touch = SoleTouch::default();
        let mut is_missed = false;
        for (foot, side) in Side::BOTH.into_iter().enumerate() {
            let lift_m = lifts_m[foot] * self.lift_share(frame, foot);
            let (shift, tilt) = (slot.shift[foot] + Vec3::Y * lift_m, slot.tilt[foot]);
            let missed_m = self.legs[foot].reach(pose, &slot.legs[foot], drop_m, shift, tilt);
            if missed_m > STANDING_ERROR_M {
                is_missed |= self.stands(frame, foot);
                continue;
            }
            for part in SolePart::ALL {
                if slot.holds[foot][part as usize].is_some() {
                    touch = touch.with(side, part);
                }
            }
        }
        if is_missed {
            count_release(&mut self.released, frame);
        }
        touch
    }

    /// The hip drop and the lift of each foot: the mean of the maxima around a frame, so never less than is
    /// needed.
    fn eased_m(&self, frame: usize) -> [f32; 3] {
        let (mut sums, mut weights) = ([0.0; 3], 0.0);
        for other in self.around(frame, self.reach.drop, self.lowered) {
            let weight = smoothstep(1.0 - frame.abs_diff(other) as f32 / (self.reach.drop + 1) as f32);
            for (sum, most) in sums.iter_mut().zip(self.ring.at(other).most_m) {
                *sum += weight * most;
            }
            weights += weight;
        }
        sums.map(|sum| sum / weights)
    }
}

fn touches(slot: &Slot, foot: usize, part: usize) -> bool {
    slot.touch.has(Side::BOTH[foot], SolePart::ALL[part])
}

/// Counts one more, keeping the first frame.
fn count_release(found: &mut Option<(usize, usize)>, frame: usize) {
    let (count, first) = found.unwrap_or((0, frame));
    *found = Some((count + 1, first));
}
