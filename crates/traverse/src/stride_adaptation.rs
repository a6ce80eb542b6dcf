//! Adapts one stride to its footings: steps 1 to 3 of [`crate::walk_adaptation`].

use marey_motion::{Ground, LocalPose, Quat, Side, Vec2, Vec3, WorldPose, smootherstep};
use marey_ops::sole::SolePart;
use marey_plan::Placement;

use crate::leg::Foot;
use crate::primitive::MotionPrimitive;
use crate::standing::mid_swing;
use crate::swing_height::{roughness, smoothest_over};
use crate::walk_adaptation::{BodyState, WalkAdapter, WalkFrame, side_index};
use crate::{Footing, TraverseExample};

/// Height of the body at landing, as a fraction of the height difference between the lower and the higher footing.
const BODY_HEIGHT_FRACTION: f32 = 0.3;
/// Distances by which a foot may be pulled back or pushed forward to clear an edge, in metres.
const OFFSETS_M: [f32; 4] = [0.02, 0.04, 0.06, 0.09];
/// Fraction of the swing over which each offset acts.
const OFFSET_FRACTION: f32 = 0.5;
/// Maximum depth of a heel in the example's own ground that is ignored, in metres.
const MAX_SUNK_M: f32 = 0.06;
/// Clearance between a swinging foot and the terrain, in metres.
const CLEARANCE_M: f32 = 0.01;
/// Fraction of the swing at each end in which the foot is near the ground.
const NEAR_FRACTION: f32 = 0.15;
/// Penetration that is allowed while the foot is near the ground, in metres.
const TOUCH_M: f32 = 0.008;
/// Maximum acceleration of lifting and lowering a foot, in m/s². It limits the reaction to a toe that starts in the face
/// of a step.
const MAX_LIFT_MPS2: f32 = 50.0;
/// Weight of the squared penetration relative to the roughness of the swing curve.
const PENETRATION_WEIGHT: f32 = 10.0;

/// One stride of an example, and the footings to adapt it to.
pub(crate) struct StrideAdapter<'a> {
    pub(crate) adapter: &'a WalkAdapter<'a>,
    pub(crate) example: &'a TraverseExample,
    pub(crate) primitive: &'a MotionPrimitive,
    /// The stride that provides the upper body.
    pub(crate) upper: Option<&'a MotionPrimitive>,
    pub(crate) from: Footing,
    pub(crate) to: Footing,
    /// Height of the swinging foot's previous footing above the standing foot, in metres.
    pub(crate) previous_height_m: f32,
    /// The pose of the swinging foot at its landing; `None`: that of the example.
    pub(crate) landing: Option<Foot>,
    /// Whether the stride begins at rest.
    pub(crate) starts: bool,
    /// The body at rest in which the stride ends, if it is the last one.
    pub(crate) stops: Option<&'a BodyState>,
}

impl StrideAdapter<'_> {
    /// Index of the swinging foot.
    pub(crate) fn swing_foot(&self) -> usize {
        side_index(self.primitive.foot.unwrap_or(Side::Left))
    }

    /// The frames of the stride, including its end, from the final state of the previous stride.
    pub(crate) fn frames(&self, placement: &Placement, previous: Option<&BodyState>) -> Vec<WalkFrame> {
        let first = self.source(self.primitive.frames.start as f64);
        let previous = previous.cloned().unwrap_or_else(|| {
            let mut start = first.clone();
            start.root.y += self.level_m(0.0);
            start
        });
        let swing = self.swing_foot();
        let last = self.source(self.primitive.frames.end as f64);
        let landing = self.landing.unwrap_or_else(|| self.landing_foot(last.feet[swing]));
        let shifts = [(previous.feet[swing], first.feet[swing]), (landing, last.feet[swing])];
        let rotations = shifts.map(|(to, from)| to.rotation * from.rotation.inverse());
        let shifts = shifts.map(|(to, from)| to.ball - from.ball);
        let trunk = TrunkShift { first: &first, previous: &previous, last: &last, rest: self.stops };
        let mid = mid_swing(self.primitive) as f64;
        let held = self.source(mid).feet[1 - swing];
        let mut frames = Vec::with_capacity(placement.frames + 1);
        let mut flight = placement.frames + 1..0;
        for number in 0..=placement.frames {
            let at = placement.source_frame_at(number as f64);
            let fraction = number as f32 / placement.frames.max(1) as f32;
            let mut body = self.source(at);
            let heels_sunk_m = self.heels_sunk_m(&body, self.swing_fraction(at));
            // Steps 2 and 3: hips, trunk and arms.
            self.shift_trunk(&trunk, &mut body, fraction);
            // Step 1, the swinging foot.
            let swing_fraction = self.swing_fraction(at);
            if swing_fraction > 0.0 {
                flight = flight.start.min(number)..number + 1;
            }
            let alpha = smootherstep(swing_fraction);
            let foot = &mut body.feet[swing];
            foot.ball += shifts[0].lerp(shifts[1], alpha).with_y(0.0);
            foot.rotation = scaled(rotations[0], 1.0 - alpha) * scaled(rotations[1], alpha) * foot.rotation;
            let mut contacts = self.contacts(at);
            // Before the first stride and after the last one, the standing foot is flat.
            if self.starts && at < mid || self.stops.is_some() && at > mid {
                body.feet[1 - swing] = held;
                contacts[1 - swing] = [true; 2];
            }
            frames.push(WalkFrame { body, contacts, heels_sunk_m });
        }
        let flight = flight.start.saturating_sub(1).min(placement.frames)..flight.end.max(1);
        for frame in &mut frames[..flight.start] {
            frame.body.feet[swing].ball.y += shifts[0].y;
        }
        self.raise_swing(&mut frames[flight], [shifts[0].y, shifts[1].y]);
        frames
    }

    /// Moves hips, trunk and arms from where the previous stride ended to the example, and from there to rest if this is the last
    /// stride.
    fn shift_trunk(&self, shift: &TrunkShift<'_>, body: &mut BodyState, fraction: f32) {
        let TrunkShift { first, previous, last, rest } = *shift;
        let (eased, remaining) = (smootherstep(fraction), 1.0 - smootherstep(fraction));
        let ahead = |fraction: f32| {
            Vec3::new(0.0, self.level_m(fraction), smootherstep(fraction) * self.extra_length_m())
        };
        body.root += remaining * (previous.root - first.root - ahead(0.0)) + ahead(fraction);
        body.rotation = scaled(previous.rotation * first.rotation.inverse(), remaining) * body.rotation;
        for (joint, local) in body.locals.iter_mut().enumerate().skip(1) {
            *local = scaled(previous.locals[joint] * first.locals[joint].inverse(), remaining) * *local;
        }
        let Some(rest) = rest else { return };
        body.root += eased * (rest.root - last.root - ahead(1.0));
        body.rotation = scaled(rest.rotation * last.rotation.inverse(), eased) * body.rotation;
        for (joint, local) in body.locals.iter_mut().enumerate().skip(1) {
            *local = scaled(rest.locals[joint] * last.locals[joint].inverse(), eased) * *local;
        }
    }

    /// How deep the heels are in the example's own ground, in metres. Captured heels are a little in it when they strike, because their
    /// place is estimated; lifting them out would lift the whole swing.
    fn heels_sunk_m(&self, body: &BodyState, swing_fraction: f32) -> [f32; 2] {
        let swing = self.swing_foot();
        [0, 1].map(|index| {
            let [heel, ..] = self.adapter.walker.legs[index].outline(&body.feet[index], &body.locals);
            let rise_m = if index == swing {
                let (from_m, to_m) = (self.primitive.previous_height_m, self.primitive.height_m);
                from_m + swing_fraction * (to_m - from_m)
            } else {
                (heel.x - self.from.position.x) * self.from.slope_rad.tan()
            };
            (self.from.position.y + rise_m - heel.y).clamp(0.0, MAX_SUNK_M)
        })
    }

    /// Fraction of the swing that has passed, 0 to 1.
    fn swing_fraction(&self, at: f64) -> f32 {
        let (from, to) = (self.primitive.take_off as f64, self.primitive.landing as f64);
        (((at - from) / (to - from)) as f32).clamp(0.0, 1.0)
    }

    /// The swinging foot of the example's last frame, moved onto its footing.
    fn landing_foot(&self, foot: Foot) -> Foot {
        let up_m = self.to.position.y - self.from.position.y - self.primitive.height_m;
        let moved = Foot { ball: foot.ball + Vec3::new(0.0, up_m, self.extra_length_m()), ..foot };
        let slope = self.to.slope_rad - self.primitive.to.slope_rad;
        self.adapter.walker.legs[self.swing_foot()].tilted(&moved, slope)
    }

    /// The example's body at a frame, with the standing sole moved onto its footing.
    pub(crate) fn source(&self, at: f64) -> BodyState {
        let clip = &self.example.clip;
        let mut pose = clip.sample(at / clip.rate_hz());
        self.splice(at, &mut pose);
        let world = WorldPose::of(clip.skeleton(), pose.view());
        let from = &self.primitive.from;
        let path_from_source = from.heading.inverse();
        let rotation = Ground::new(0.0, 0.0, path_from_source.yaw_rad).rotation();
        let base = Vec3::new(0.0, self.from.position.y - from.position.y, self.from.position.x);
        let to_path = |point: Vec3| path_from_source.point(point) + base;
        let slope = self.from.slope_rad - from.slope_rad;
        let feet = [0, 1].map(|index| {
            let leg = &self.adapter.walker.legs[index];
            let foot = leg.foot_at(to_path(world.positions[leg.foot]), rotation * world.rotations[leg.foot]);
            if index == self.swing_foot() { foot } else { leg.tilted(&foot, slope) }
        });
        BodyState {
            root: to_path(pose.positions[0]),
            rotation: rotation * pose.rotations[0],
            locals: pose.rotations,
            feet,
        }
    }

    /// Replaces the upper body of a pose by that of another stride at the same fraction of its duration.
    fn splice(&self, at: f64, pose: &mut LocalPose) {
        let (Some(splice), Some(upper)) = (self.adapter.database.splice(), self.upper) else { return };
        let (own, other) = (&self.primitive.frames, &upper.frames);
        let fraction = (at - own.start as f64) / own.len().max(1) as f64;
        let clip = &self.adapter.database.examples()[upper.example].clip;
        let spliced = clip.sample((other.start as f64 + fraction * other.len() as f64) / clip.rate_hz());
        for &joint in splice.upper() {
            pose.rotations[joint] = spliced.rotations[joint];
        }
    }

    /// Distance by which the stride is longer than in the example, in metres.
    fn extra_length_m(&self) -> f32 {
        self.to.position.x - self.from.position.x - self.primitive.length_m
    }

    /// Height of the body relative to the example at a fraction of the stride, in metres.
    fn level_m(&self, fraction: f32) -> f32 {
        let body_height_m =
            |one: f32, other: f32| one.min(other) + BODY_HEIGHT_FRACTION * (one - other).abs();
        let (up, own) = (self.to.position.y - self.from.position.y, self.primitive.height_m);
        let start =
            body_height_m(self.previous_height_m, 0.0) - body_height_m(self.primitive.previous_height_m, 0.0);
        let end = body_height_m(up, 0.0) - body_height_m(own, 0.0);
        start + smootherstep(fraction) * (end - start)
    }

    /// Contacts of heel and ball of each foot at a frame of the example.
    fn contacts(&self, at: f64) -> [[bool; 2]; 2] {
        let frame = (at.round() as usize).min(self.example.clip.frames() - 1);
        let touches =
            |side: Side| SolePart::ALL.map(|part| self.example.contacts.touches(part.role(side), frame));
        [touches(Side::Left), touches(Side::Right)]
    }

    /// Raises the swinging foot over the terrain on the smoothest curve between two heights above the example. The foot
    /// is pulled back or pushed forward if that makes the curve smoother or avoids penetration.
    fn raise_swing(&self, frames: &mut [WalkFrame], [from_m, to_m]: [f32; 2]) {
        let mut best = self.swing_curve(frames, [from_m, to_m], [0.0; 2]);
        // Pull the foot back early in the swing, before an edge; push it forward late, behind one.
        for end in 0..2 {
            let mut tried = best.clone();
            for offset_m in OFFSETS_M {
                let mut offsets_m = best.offsets_m;
                offsets_m[end] = offset_m;
                let other = self.swing_curve(frames, [from_m, to_m], offsets_m);
                if other.penalty < tried.penalty {
                    tried = other;
                }
            }
            best = tried;
        }
        let last = frames.len().saturating_sub(1).max(1) as f32;
        for (number, (frame, up_m)) in frames.iter_mut().zip(&best.up_m).enumerate() {
            let ball = &mut frame.body.feet[self.swing_foot()].ball;
            ball.y += up_m;
            ball.z += swing_offset_m(number as f32 / last, best.offsets_m);
        }
    }

    /// The swing curve for given offsets.
    fn swing_curve(&self, frames: &[WalkFrame], [from_m, to_m]: [f32; 2], offsets_m: [f32; 2]) -> SwingCurve {
        let swing = self.swing_foot();
        let leg = &self.adapter.walker.legs[swing];
        let profile = self.adapter.footings.profile();
        let last = frames.len().saturating_sub(1).max(1) as f32;
        let secs = last / self.adapter.database.rate_hz() as f32;
        let offsets: Vec<f32> =
            (0..frames.len()).map(|i| swing_offset_m(i as f32 / last, offsets_m)).collect();
        let ground = frames.iter().zip(&offsets).map(|(frame, offset_m)| {
            let outline = frame.outline(leg, swing);
            let [heel, ball, tip] = outline.map(|point| point + Vec2::X * *offset_m);
            profile.lift_m(heel, ball).max(profile.lift_m(ball, tip))
        });
        let ground: Vec<f32> = ground.collect();
        let needed = ground.iter().enumerate().map(|(number, ground_m)| {
            let fraction = number as f32 / last;
            let weight = (fraction.min(1.0 - fraction) / NEAR_FRACTION).min(1.0);
            let reachable =
                |height_m: f32, fraction: f32| height_m + 0.5 * MAX_LIFT_MPS2 * (fraction * secs).powi(2);
            let needed_m = ground_m + weight * CLEARANCE_M - (1.0 - weight) * TOUCH_M;
            needed_m.min(reachable(from_m, fraction)).min(reachable(to_m, 1.0 - fraction))
        });
        let up_m = smoothest_over(from_m, to_m, &needed.collect::<Vec<_>>());
        let penetration =
            ground.iter().zip(&up_m).map(|(ground_m, up_m)| (ground_m - up_m - TOUCH_M).max(0.0).powi(2));
        let penalty = roughness(&up_m) + roughness(&offsets) + PENETRATION_WEIGHT * penetration.sum::<f32>();
        SwingCurve { up_m, offsets_m, penalty }
    }
}

/// The bodies that a stride leads from and to.
struct TrunkShift<'a> {
    /// The example's first and last frame.
    first: &'a BodyState,
    last: &'a BodyState,
    /// The end of the previous stride.
    previous: &'a BodyState,
    /// The body at rest after the last stride.
    rest: Option<&'a BodyState>,
}

/// The adapted trajectory of a swinging foot.
#[derive(Debug, Clone)]
struct SwingCurve {
    /// Height above the example, frame by frame.
    up_m: Vec<f32>,
    /// The displacement back early and forward late in the swing.
    offsets_m: [f32; 2],
    /// Roughness plus weighted penetration.
    penalty: f32,
}

/// Horizontal offset of a foot at a fraction of its swing.
fn swing_offset_m(fraction: f32, [back_m, ahead_m]: [f32; 2]) -> f32 {
    let bump = |fraction: f32| {
        let fraction = (fraction / OFFSET_FRACTION).clamp(0.0, 1.0);
        0.5 - 0.5 * (std::f32::consts::TAU * fraction).cos()
    };
    ahead_m * bump(1.0 - fraction) - back_m * bump(fraction)
}

/// Returns a fraction of a rotation.
fn scaled(rotation: Quat, fraction: f32) -> Quat {
    let shortest = if rotation.w < 0.0 { -rotation } else { rotation };
    Quat::IDENTITY.slerp(shortest, fraction)
}
