//! Two dancers and their hands, recorded.

use marey_motion::{Actor, Clip, ClipParts, LocalPose, Marker, Quat, Role, Side, Tag, Take, Vec3, WorldPose};
use rand::Rng;

use super::grip::{GAP_M, GripConstraints, leaders_wrist};
use super::wrist::{ELBOW, pose_arm};
use super::{Dancer, Goal, Grip, Hands};
use crate::clock::Clock;
use crate::figure::{Figure, sign};
use crate::gait::contacts;
use crate::random::SmoothNoise;
use crate::{ActorTruth, HandHold, Result, TakeJoint, Truth};

/// The names of the actors, in the order of the take.
const NAMES: [&str; 2] = ["leader", "follower"];

/// Sideways bow of a hand's path to the partner's body, in metres.
const BOW_M: f32 = 0.16;

/// A leader and a follower.
#[derive(Debug, Clone)]
pub(crate) struct Couple {
    pub(crate) dancers: [Dancer; 2],
    /// Left and right hand of each.
    pub(crate) hands: [[Hands; 2]; 2],
    pub(crate) grip: Grip,
    /// Raise of the elbows to the side, from 0 to 1.
    pub(crate) elbows: f32,
    /// Idle motion of free hands: for each dancer and side, outwards, up and forward.
    pub(crate) idle_motion: [[[SmoothNoise; 3]; 2]; 2],
}

/// Idle motion for the free hands of two dancers.
pub(crate) fn idle_motion(rng: &mut impl Rng) -> [[[SmoothNoise; 3]; 2]; 2] {
    std::array::from_fn(|_| std::array::from_fn(|_| [2.6, 3.1, 2.2].map(|secs| SmoothNoise::new(rng, secs))))
}

impl Couple {
    /// Records the dance.
    pub(crate) fn record(&self, name: &str, clock: Clock) -> Result<Take> {
        let mut poses = self.dancers.each_ref().map(|dancer| LocalPose::rest(&dancer.figure.skeleton));
        let mut bodies = self.dancers.each_ref().map(|dancer| WorldPose::scratch(&dancer.figure.skeleton));
        let mut parts = [ClipParts::default(), ClipParts::default()];
        for frame in 0..clock.frames {
            self.pose_at(frame as f64 / clock.rate_hz, &mut poses, &mut bodies);
            for (parts, pose) in parts.iter_mut().zip(&poses) {
                parts.push(pose.view());
            }
        }
        let clips = parts.into_iter().zip(&self.dancers).zip(NAMES).map(|((parts, dancer), name)| {
            let clip = Clip::new(dancer.figure.skeleton.clone(), clock.rate_hz, parts)?;
            Ok(Actor { name: name.to_owned(), clip })
        });
        Ok(Take::new(name, clips.collect::<Result<_>>()?)?)
    }

    fn pose_at(&self, secs: f64, poses: &mut [LocalPose; 2], bodies: &mut [WorldPose; 2]) {
        for (me, other) in [(0, 1), (1, 0)] {
            self.dancers[me].pose(secs, &mut poses[me]);
            let partner = self.dancers[other].place(secs);
            self.dancers[me].look_at(secs, partner, &mut poses[me]);
            bodies[me].set(poses[me].view());
        }
        let wrist = self.grip.at(secs, &self.grip_constraints(secs, bodies));
        for (me, pose) in poses.iter_mut().enumerate() {
            for side in Side::BOTH {
                self.pose_hand(me, side, secs, wrist, bodies, pose);
            }
        }
    }

    fn grip_constraints(&self, secs: f64, bodies: &[WorldPose; 2]) -> GripConstraints {
        let shoulder = |side: Side| {
            let holds = self.hands[0][side as usize].held(secs) as f32;
            (joint(&bodies[0], Role::LeftUpperArm.on(side)), holds)
        };
        GripConstraints {
            leader: Side::BOTH.map(shoulder),
            follower: joint(&bodies[1], Role::RightUpperArm),
            head: joint(&bodies[1], Role::Head),
            chests: bodies.each_ref().map(|body| joint(body, Role::UpperChest)),
            chest: self.dancers[0].chest(secs),
            facing: self.dancers[1].chest(secs),
            reach_m: self.dancers.each_ref().map(|dancer| arm_reach_m(&dancer.figure)),
        }
    }

    fn pose_hand(
        &self,
        me: usize,
        side: Side,
        secs: f64,
        wrist: Vec3,
        bodies: &[WorldPose; 2],
        pose: &mut LocalPose,
    ) {
        let shoulder = joint(&bodies[me], Role::LeftUpperArm.on(side));
        let target = |goal: Goal| match goal {
            Goal::Free => self.free_hand(me, side, secs, shoulder, bodies),
            Goal::Held if me == 0 => leaders_wrist(wrist, shoulder),
            Goal::Held => wrist,
            Goal::On(place) => on_chest(&bodies[1 - me], place),
        };
        // Hands that hold or rest on the partner point into the other hand or around the body.
        let pointed = |goal: Goal| match goal {
            Goal::Free => target(goal) + (target(goal) - shoulder),
            Goal::Held if me == 0 => wrist,
            Goal::Held => 2.0 * wrist - shoulder,
            Goal::On(place) => on_chest(&bodies[1 - me], place + Vec3::new(-0.1 * place.x, 0.0, -0.15)),
        };
        let (from, to, share) = self.hands[me][side as usize].at(secs);
        let share = share as f32;
        // A hand bows outwards on its path to the partner's body or back.
        let is_around_body = from != to && [from, to].iter().any(|goal| matches!(goal, Goal::On(_)));
        let bow_m = if is_around_body { BOW_M * 4.0 * share * (1.0 - share) } else { 0.0 };
        let out = rotation(&bodies[me], Role::UpperChest) * (sign(side) * Vec3::X);
        let place = target(from).lerp(target(to), share) + bow_m * out;
        let points_to =
            (from != Goal::Free || to != Goal::Free).then(|| pointed(from).lerp(pointed(to), share));
        pose_arm(&self.dancers[me].figure, side, &bodies[me], place, self.elbows, points_to, pose);
    }

    /// The position of a free hand: low, slightly out and forward, with idle motion.
    fn free_hand(&self, me: usize, side: Side, secs: f64, shoulder: Vec3, bodies: &[WorldPose; 2]) -> Vec3 {
        let size = self.dancers[me].figure.height_m / 1.72;
        let [out, up, ahead] =
            self.idle_motion[me][side as usize].each_ref().map(|noise| noise.at(secs) as f32);
        let chest = rotation(&bodies[me], Role::UpperChest);
        let place = Vec3::new(sign(side) * (0.19 + 0.035 * out), -0.37 + 0.045 * up, 0.14 + 0.04 * ahead);
        shoulder + chest * (size * place)
    }

    /// The ground truth of the recorded dance, with the given cuts and labels.
    pub(crate) fn truth(
        &self,
        take: &Take,
        beats_secs: &[f64],
        cuts: Vec<Marker>,
        labels: Vec<Tag>,
    ) -> Result<Truth> {
        let clock = Clock::of(take);
        let actors = self.dancers.iter().zip(NAMES).map(|(dancer, name)| {
            Ok(ActorTruth { name: name.to_owned(), contacts: contacts(&dancer.footsteps, &clock)? })
        });
        let beats = beats_secs.iter().filter_map(|&secs| clock.nearest(secs)).collect();
        Ok(Truth::of(take, actors.collect::<Result<_>>()?, cuts, labels).with_music(beats, self.holds(clock)))
    }

    fn holds(&self, clock: Clock) -> Vec<HandHold> {
        let mut holds = Vec::new();
        for me in 0..2 {
            for side in Side::BOTH {
                for span in self.hands[me][side as usize].busy() {
                    let one = TakeJoint { actor: me, role: Role::LeftHand.on(side) };
                    let (role, gap_m) = match span.goal {
                        Goal::On(place) => (Role::UpperChest, place.length()),
                        _ => (Role::RightHand, GAP_M),
                    };
                    let frames = clock.range(span.from_secs, span.until_secs);
                    // Grips are recorded for the leader's hands only.
                    if !(frames.is_empty() || me == 1 && span.goal == Goal::Held) {
                        holds.push(HandHold { one, other: TakeJoint { actor: 1 - me, role }, frames, gap_m });
                    }
                }
            }
        }
        holds
    }
}

/// The world position of a place on a body's upper chest.
fn on_chest(body: &WorldPose, place: Vec3) -> Vec3 {
    joint(body, Role::UpperChest) + rotation(body, Role::UpperChest) * place
}

fn joint(body: &WorldPose, role: Role) -> Vec3 {
    body.skeleton().joint_of(role).map_or(Vec3::ZERO, |joint| body.positions[joint])
}

fn rotation(body: &WorldPose, role: Role) -> Quat {
    body.skeleton().joint_of(role).map_or(Quat::IDENTITY, |joint| body.rotations[joint])
}

/// The largest distance of a wrist from its shoulder.
pub(crate) fn arm_reach_m(figure: &Figure) -> f32 {
    let length = |role| figure.skeleton.joint_of(role).map_or(0.0, |j| figure.skeleton.offsets()[j].length());
    marey_ops::ik::reach_m(length(Role::LeftLowerArm), length(Role::LeftHand), ELBOW.min_fold_rad)
}
