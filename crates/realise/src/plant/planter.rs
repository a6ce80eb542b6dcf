//! The streaming foot-skate clean-up.

use std::ops::Range;
use std::sync::Arc;

use marey_motion::{LocalPose, Quat, Side, Skeleton, Vec3, WorldPose, smoothstep};
use marey_ops::sole::SolePart;

use crate::copy_pose::copy_pose;
use crate::join::Joiner;
use crate::plant::floor::Level;
use crate::plant::footholds::{Footholds, KnownFrames};
use crate::plant::leg::{Leg, combined_turn};
use crate::plant::root_shift::RootShift;
use crate::plant::slot::{Ring, Slot};
use crate::plant::smoothed_rotation::SmoothedRotation;
use crate::plant::toes::Toes;
use crate::plant::{PlantSettings, PlantSummary, StepWindows};
use crate::reference_joints::BodyMover;
use crate::sole_touch::SoleTouch;

/// Plants feet frame by frame. Only [`Planter::new`] allocates.
#[derive(Debug)]
pub(crate) struct Planter {
    settings: PlantSettings,
    reach: StepWindows,
    rate_hz: f64,
    body: BodyMover,
    legs: [Leg; 2],
    toes: [Option<Toes>; 2],
    ring: Ring,
    world: WorldPose,
    /// The number of frames that each step has completed.
    arrived: usize,
    moved: usize,
    held: usize,
    tilted: usize,
    shifted: usize,
    lowered: usize,
    given: usize,
    root_shift: RootShift,
    footholds: Footholds,
    /// The rotation of each foot that keeps its free part above the floor while the other stands.
    raised: [SmoothedRotation; 2],
    /// Whether each foot stood out of reach in the last frame.
    is_missed: [bool; 2],
}

/// Largest rotation speed of a foot next to its plants; faster, toes would enter the floor.
pub(super) const MAX_TILT_RAD_PER_SEC: f32 = 0.5;

/// A part of a sole may be pressed into the floor by this much, in metres: a plant is at the lowest height of
/// its first moments.
pub(super) const PRESSED_M: f32 = 0.005;

/// A foot with a smaller error counts as standing, in metres.
const STANDING_ERROR_M: f32 = 1e-3;

impl Planter {
    /// `None` for a body without complete legs.
    pub(crate) fn new(skeleton: &Arc<Skeleton>, rate_hz: f64, settings: &PlantSettings) -> Option<Self> {
        let [left, right] = Side::BOTH.map(|side| Leg::of(skeleton, side, settings.min_knee_rad));
        let reach = StepWindows::of(settings, rate_hz);
        let room = settings.look_ahead(rate_hz) + reach.ease.max(reach.drop).max(reach.root) + 2;
        Some(Self {
            settings: *settings,
            reach,
            rate_hz,
            body: BodyMover::of(skeleton),
            legs: [left?, right?],
            toes: Side::BOTH.map(|side| Toes::of(skeleton, side)),
            ring: Ring::new(skeleton, room),
            world: WorldPose::scratch(skeleton),
            arrived: 0,
            moved: 0,
            held: 0,
            tilted: 0,
            shifted: 0,
            lowered: 0,
            given: 0,
            root_shift: RootShift::new(settings, rate_hz),
            footholds: Footholds::new(settings, rate_hz),
            raised: Default::default(),
            is_missed: [false; 2],
        })
    }

    /// How many plants were kept so far.
    pub(crate) fn summary(&self) -> &PlantSummary {
        self.footholds.summary()
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
        slot.own_tip_m = self.toes.map(|toes| toes.map_or(0.0, |toes| toes.tip_m(&self.world)));
        slot.between = joiner.between();
        let slide = self.arrived.checked_sub(1).map_or(Vec3::ZERO, |before| {
            self.root_shift.slide(self.ring.at(before), self.ring.at(self.arrived))
        });
        self.ring.set_slide(self.arrived, slide);
        self.arrived += 1;
        true
    }

    /// The next frame, if it is known. `is_last` states that all frames have arrived.
    pub(crate) fn next_frame(&mut self, is_last: bool, pose: &mut LocalPose) -> Option<SoleTouch> {
        let arrived = self.arrived;
        let ready = |done: usize, reach: usize| {
            if is_last && done == arrived { done } else { done.saturating_sub(reach) }
        };
        while self.moved < ready(self.arrived, self.reach.root) {
            self.move_root(self.moved);
            self.moved += 1;
        }
        while self.held < ready(self.moved, self.reach.stand()) {
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

    /// Moves a frame by the displacement of the root.
    fn move_root(&mut self, frame: usize) {
        let shift = self.root_shift.at(frame, self.arrived, &self.ring);
        let slot = self.ring.at_mut(frame);
        slot.root = shift;
        slot.legs = slot.legs.map(|leg| leg.moved(shift));
    }

    /// Step 2: positions of heels and balls that stand.
    fn hold(&mut self, frame: usize) {
        let frames = KnownFrames { ring: &self.ring, legs: &self.legs, count: self.moved };
        let holds = self.footholds.decide(frame, frames);
        self.ring.at_mut(frame).holds = holds;
    }

    /// Whether any part of a foot stands.
    fn stands(&self, frame: usize, foot: usize) -> bool {
        self.ring.at(frame).holds[foot].iter().any(Option::is_some)
    }

    /// Step 3: rotation of the feet onto both plants, or a part of it before and after.
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
        let lowest_m =
            [0, 1].map(|part| (floor_m + leg.rest_m(part)).min(slot.own[foot][part].y) - PRESSED_M);
        let holds = slot.holds[foot];
        let is_free = holds.contains(&None);
        let wanted = is_free.then(|| leg.raised(&slot.legs[foot], holds, tilt, lowest_m));
        let raised = self.raised[foot].towards(wanted, 1.0 / self.rate_hz as f32);
        // Shortly before both parts stand, the foot is already rotated onto them.
        let is_whole = |away: &usize| self.ring.at(frame + away).holds[foot].iter().all(Option::is_some);
        let soon = (1..self.reach.drop).take_while(|away| frame + away < self.held).find(is_whole);
        raised * soon.map_or(1.0, |away| smoothstep(away as f32 / self.reach.drop as f32))
    }

    /// Steps 3 and 4: positions of the ankles, and the hip drop that they need.
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

    /// Steps 4, 5 and 8: moves and lowers the hips, bends the legs and then the toes.
    fn apply_corrections(&mut self, frame: usize, pose: &mut LocalPose) -> SoleTouch {
        let [drop_m, lifts_m @ ..] = self.eased_m(frame);
        let slot = self.ring.at(frame);
        copy_pose(&slot.pose, pose);
        self.body.shift(pose, slot.root - Vec3::Y * drop_m);
        let mut touch = SoleTouch::default();
        let mut is_missed = [false; 2];
        for (foot, side) in Side::BOTH.into_iter().enumerate() {
            let lift_m = lifts_m[foot] * self.lift_share(frame, foot);
            let (shift, tilt) = (slot.shift[foot] + Vec3::Y * lift_m, slot.tilt[foot]);
            let missed_m = self.legs[foot].reach(pose, &slot.legs[foot], drop_m, shift, tilt);
            if missed_m > STANDING_ERROR_M {
                is_missed[foot] = self.stands(frame, foot);
                continue;
            }
            for part in SolePart::ALL {
                if slot.holds[foot][part as usize].is_some() {
                    touch = touch.with(side, part);
                }
            }
        }
        if let Some(floor_m) = self.settings.floor_m {
            self.world.set(pose.view());
            for (foot, toes) in self.toes.iter().enumerate() {
                let Some(toes) = toes else { continue };
                let missing_m = toes.missing_height_m(&self.world, slot.own_tip_m[foot], floor_m);
                toes.bend(pose, &self.world, slot.between * missing_m);
            }
        }
        for (is_missed, was_missed) in is_missed.iter().zip(self.is_missed) {
            if *is_missed && !was_missed {
                self.footholds.count_missed(frame);
            }
        }
        self.is_missed = is_missed;
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
