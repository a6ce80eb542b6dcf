//! A pose in the style of an example whose hands match the performer's (section 6.2).
//!
//! Eq. 8: min w_P G_P + w_E G_E + w_S G_S over the coordinates s of a pose in the first directions B of the example.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | G_P (eq. 9) | distance of the hands to the performer's | m² |
//! | G_E (eq. 10) | distance of s to the weighted mean of the k nearest frames, in standard deviations | |
//! | G_S (eq. 11) | distance to the last pose | rad² |
//! | z | s divided by the standard deviations √λ | |
//!
//! In z, G_E is ‖z − z_rep‖² and G_S is Σ λ (z − z_last)², so two Gauss–Newton steps in m variables are enough.
//! Changed: the nearest frames are found by both position and velocity of the hands (the w of [`crate::hand_motion`]). Positions
//! alone do not distinguish the two halves of a swing.

use glam::{Quat, Vec3};
use marey_motion::{LocalPose, WorldPose};

use crate::character_body::CharacterBody;
use crate::engage::Effector;
use crate::example::Example;
use crate::hand_motion::HandMotion;
use crate::pose_solver::solve_in_place;

/// The weights with which poses are composed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompositionSettings {
    /// w_P: weight of the distance of the hands, per square metre; default 20; 0 to 10000.
    pub hands: f32,
    /// w_E: weight of the example; default 1; 0.01 to 100.
    pub example: f32,
    /// w_S: weight of smoothness, per square radian; default 10; 0 to 10000.
    pub smoothness: f32,
    /// Duration of the blend when an interaction begins or ends, in seconds; default 0.3; 0 to 2.
    pub blend_secs: f32,
}

impl Default for CompositionSettings {
    fn default() -> Self {
        Self { hands: 20.0, example: 1.0, smoothness: 10.0, blend_secs: 0.3 }
    }
}

impl CompositionSettings {
    /// Checks the ranges.
    pub fn validate(&self) -> Result<(), marey_ops::OutOfRange> {
        use marey_ops::OutOfRange;
        OutOfRange::check("hands", self.hands, 0.0..=10_000.0)?;
        OutOfRange::check("example", self.example, 0.01..=100.0)?;
        OutOfRange::check("smoothness", self.smoothness, 0.0..=10_000.0)?;
        OutOfRange::check("blend_secs", self.blend_secs, 0.0..=2.0)
    }
}

/// k: the number of nearest frames.
const NEAREST: usize = 5;
const ITERATIONS: usize = 2;
const HANDS: [Effector; 2] = [Effector::LeftHand, Effector::RightHand];

/// Composes poses; holds the buffers and the last pose.
#[derive(Debug, Clone)]
pub(crate) struct Composer {
    pose: LocalPose,
    world: WorldPose,
    /// The example of the last pose, which `z_last` are coordinates of.
    last_example: Option<usize>,
    z: Vec<f32>,
    z_last: Vec<f32>,
    /// z_rep.
    z_nearest: Vec<f32>,
    deviation: Vec<f32>,
    jacobian: Vec<f32>,
    square: Vec<f32>,
    rhs: Vec<f32>,
}

impl Composer {
    pub(crate) fn new(body: &CharacterBody) -> Self {
        let dims = 3 * body.skeleton().len();
        let max_used = crate::example::MAX_USED;
        Self {
            pose: LocalPose::rest(body.skeleton()),
            world: WorldPose::scratch(body.skeleton()),
            last_example: None,
            z: vec![0.0; max_used],
            z_last: vec![0.0; max_used],
            z_nearest: vec![0.0; max_used],
            deviation: vec![0.0; dims],
            jacobian: vec![0.0; 6 * max_used],
            square: vec![0.0; max_used * max_used],
            rhs: vec![0.0; max_used],
        }
    }

    /// Starts the next pose without regard to the last one.
    pub(crate) fn reset(&mut self) {
        self.last_example = None;
    }

    /// The pose of an example, without heading, whose hands match the performer's. `index` identifies the example.
    pub(crate) fn compose(
        &mut self,
        body: &CharacterBody,
        example: &Example,
        index: usize,
        hands: &HandMotion,
        settings: &CompositionSettings,
    ) -> &LocalPose {
        let used = example.used;
        self.set_nearest(example, hands);
        if self.last_example != Some(index) {
            self.z_last[..used].copy_from_slice(&self.z_nearest[..used]);
        }
        self.z[..used].copy_from_slice(&self.z_last[..used]);
        for _ in 0..ITERATIONS {
            self.pose_at(example);
            self.differentiate(body, example);
            self.improve(body, example, hands, settings);
        }
        self.pose_at(example);
        self.z_last[..used].copy_from_slice(&self.z[..used]);
        self.last_example = Some(index);
        &self.pose
    }

    /// z_rep: the weighted mean of the nearest frames.
    fn set_nearest(&mut self, example: &Example, hands: &HandMotion) {
        let mut nearest = [(0, f32::MAX); NEAREST];
        example.hand_motion.nearest_into(hands, &mut nearest);
        let mean = &mut self.z_nearest[..example.used];
        mean.fill(0.0);
        let mut sum = 0.0;
        for (frame, distance) in nearest.into_iter().filter(|(_, distance)| *distance < f32::MAX) {
            let weight = 1.0 / (distance + 1e-4);
            sum += weight;
            mean.iter_mut().zip(example.frame(frame)).for_each(|(mean, z)| *mean += weight * z);
        }
        mean.iter_mut().for_each(|mean| *mean /= sum.max(1e-9));
    }

    fn pose_at(&mut self, example: &Example) {
        example.basis.deviation_into(&self.z[..example.used], &mut self.deviation);
        let deviations = self.deviation.as_chunks::<3>().0;
        for ((rotation, mean), deviation) in
            self.pose.rotations.iter_mut().zip(&example.mean.rotations).zip(deviations)
        {
            *rotation = *mean * Quat::from_scaled_axis(Vec3::from_array(*deviation));
        }
        self.world.set(self.pose.view());
    }

    /// Computes the derivative of the hands, relative to the shoulders, with respect to z.
    fn differentiate(&mut self, body: &CharacterBody, example: &Example) {
        let used = example.used;
        for (hand, effector) in HANDS.into_iter().enumerate() {
            let end = body.end(&self.world, effector);
            let joint_of_end = body.ends[effector as usize].joint;
            for column in 0..used {
                let directions = example.basis.column(column).as_chunks::<3>().0;
                let mut derivative = Vec3::ZERO;
                for (joint, direction) in directions.iter().enumerate() {
                    let axis = self.world.rotations[joint] * Vec3::from_array(*direction);
                    let at = self.world.positions[joint];
                    let mut lever = Vec3::ZERO;
                    if body.is_under(joint_of_end, joint) {
                        lever += end - at;
                    }
                    for root in &body.roots[..2] {
                        if body.is_under(*root, joint) {
                            lever -= 0.5 * (self.world.positions[*root] - at);
                        }
                    }
                    derivative += axis.cross(lever);
                }
                for (axis, value) in derivative.to_array().into_iter().enumerate() {
                    self.jacobian[(3 * hand + axis) * used + column] = value;
                }
            }
        }
    }

    /// One Gauss–Newton step for eq. 8.
    fn improve(
        &mut self,
        body: &CharacterBody,
        example: &Example,
        hands: &HandMotion,
        settings: &CompositionSettings,
    ) {
        let used = example.used;
        let mut errors = [0.0; 6];
        for (hand, effector) in HANDS.into_iter().enumerate() {
            let target = Vec3::from_slice(&hands.0[3 * hand..]) * body.height_m();
            let error = target - (body.end(&self.world, effector) - body.root(&self.world, effector));
            errors[3 * hand..3 * hand + 3].copy_from_slice(&error.to_array());
        }
        for a in 0..used {
            let smooth = settings.smoothness * example.basis.variances[a];
            let pull: f32 = (0..6).map(|row| self.jacobian[row * used + a] * errors[row]).sum();
            self.rhs[a] = settings.hands * pull
                + settings.example * (self.z_nearest[a] - self.z[a])
                + smooth * (self.z_last[a] - self.z[a]);
            for b in 0..=a {
                let product: f32 =
                    (0..6).map(|row| self.jacobian[row * used + a] * self.jacobian[row * used + b]).sum();
                let diagonal = if a == b { settings.example + smooth } else { 0.0 };
                self.square[a * used + b] = settings.hands * product + diagonal;
            }
        }
        if solve_in_place(&mut self.square, &mut self.rhs, used) {
            self.z.iter_mut().zip(&self.rhs[..used]).for_each(|(z, step)| *z += step);
        }
    }
}
