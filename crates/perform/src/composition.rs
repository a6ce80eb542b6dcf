//! The pose of the example that goes with what the performer's hands do (section 6.2).
//!
//! Eq. 8: min w_P G_P + w_E G_E + w_S G_S over the coordinates s of a pose in the first directions B of the example.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | G_P (eq. 9) | how far hands are from where the performer's are | m² |
//! | G_E (eq. 10) | how far s is from that of the k nearest frames' weighted mean, in deviations | |
//! | G_S (eq. 11) | how far the pose is from the last one | rad² |
//! | z | s over the deviations √λ | |
//!
//! In z, G_E is ‖z − z_rep‖² and G_S is Σ λ (z − z_last)², so that two steps of Gauss and Newton's method in m numbers do.
//! Changed: the nearest frames are those whose hands are and go as the performer's (the w of [`crate::movement`]), since half
//! way through a swing, places alone do not say which half.

use glam::{Quat, Vec3};
use marey_motion::{LocalPose, WorldPose};

use crate::body::Body;
use crate::engage::Effector;
use crate::example::Example;
use crate::integration::solve_in_place;
use crate::movement::Movement;

/// How poses are composed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CompositionSettings {
    /// w_P: how much hands count, for each square metre; default 20; 0 to 10000.
    pub hands: f32,
    /// w_E: how much the example counts; default 1; 0.01 to 100.
    pub example: f32,
    /// w_S: how much smoothness counts, for each square radian; default 10; 0 to 10000.
    pub smoothness: f32,
    /// How long poses take to blend where an interaction begins or ends, in seconds; default 0.3; 0 to 2.
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

/// k: how many frames of the example a pose is like.
const NEAREST: usize = 5;
const ITERATIONS: usize = 2;
const HANDS: [Effector; 2] = [Effector::LeftHand, Effector::RightHand];

/// Room to compose in, and the last pose.
#[derive(Debug, Clone)]
pub(crate) struct Composer {
    pose: LocalPose,
    world: WorldPose,
    /// Coordinates of the last pose, and which example they are of.
    last: Option<usize>,
    z: Vec<f32>,
    z_last: Vec<f32>,
    wanted: Vec<f32>,
    deviation: Vec<f32>,
    jacobian: Vec<f32>,
    square: Vec<f32>,
    rhs: Vec<f32>,
}

impl Composer {
    pub(crate) fn new(body: &Body) -> Self {
        let dims = 3 * body.skeleton().len();
        let most = crate::example::MOST_USED;
        Self {
            pose: LocalPose::rest(body.skeleton()),
            world: WorldPose::scratch(body.skeleton()),
            last: None,
            z: vec![0.0; most],
            z_last: vec![0.0; most],
            wanted: vec![0.0; most],
            deviation: vec![0.0; dims],
            jacobian: vec![0.0; 6 * most],
            square: vec![0.0; most * most],
            rhs: vec![0.0; most],
        }
    }

    /// Forgets the last pose: what comes next begins anew.
    pub(crate) fn forget(&mut self) {
        self.last = None;
    }

    /// The pose of an example, without heading, whose hands do as the performer's. `number` says which example it is.
    pub(crate) fn compose(
        &mut self,
        body: &Body,
        example: &Example,
        number: usize,
        movement: &Movement,
        settings: &CompositionSettings,
    ) -> &LocalPose {
        let used = example.used;
        self.like_the_nearest(example, movement);
        if self.last != Some(number) {
            self.z_last[..used].copy_from_slice(&self.wanted[..used]);
        }
        self.z[..used].copy_from_slice(&self.z_last[..used]);
        for _ in 0..ITERATIONS {
            self.pose_at(example);
            self.differentiate(body, example);
            self.improve(body, example, movement, settings);
        }
        self.pose_at(example);
        self.z_last[..used].copy_from_slice(&self.z[..used]);
        self.last = Some(number);
        &self.pose
    }

    /// z_rep: the weighted mean of the nearest frames.
    fn like_the_nearest(&mut self, example: &Example, movement: &Movement) {
        let mut nearest = [(0, f32::MAX); NEAREST];
        example.likeness.nearest_into(movement, &mut nearest);
        let wanted = &mut self.wanted[..example.used];
        wanted.fill(0.0);
        let mut sum = 0.0;
        for (frame, distance) in nearest.into_iter().filter(|(_, distance)| *distance < f32::MAX) {
            let weight = 1.0 / (distance + 1e-4);
            sum += weight;
            wanted.iter_mut().zip(example.frame(frame)).for_each(|(wanted, z)| *wanted += weight * z);
        }
        wanted.iter_mut().for_each(|wanted| *wanted /= sum.max(1e-9));
    }

    fn pose_at(&mut self, example: &Example) {
        example.basis.deviation_into(&self.z[..example.used], &mut self.deviation);
        let deviations = self.deviation.as_chunks::<3>().0;
        for ((rotation, mean), away) in
            self.pose.rotations.iter_mut().zip(&example.mean.rotations).zip(deviations)
        {
            *rotation = *mean * Quat::from_scaled_axis(Vec3::from_array(*away));
        }
        self.world.set(self.pose.view());
    }

    /// How hands move against the shoulders with z.
    fn differentiate(&mut self, body: &Body, example: &Example) {
        let used = example.used;
        for (hand, effector) in HANDS.into_iter().enumerate() {
            let end = body.end(&self.world, effector);
            let joint_of_end = body.ends[effector as usize].joint;
            for column in 0..used {
                let turns = example.basis.column(column).as_chunks::<3>().0;
                let mut moved = Vec3::ZERO;
                for (joint, turn) in turns.iter().enumerate() {
                    let turn = self.world.rotations[joint] * Vec3::from_array(*turn);
                    let at = self.world.positions[joint];
                    let mut arm = Vec3::ZERO;
                    if body.is_under(joint_of_end, joint) {
                        arm += end - at;
                    }
                    for root in &body.roots[..2] {
                        if body.is_under(*root, joint) {
                            arm -= 0.5 * (self.world.positions[*root] - at);
                        }
                    }
                    moved += turn.cross(arm);
                }
                for (axis, value) in moved.to_array().into_iter().enumerate() {
                    self.jacobian[(3 * hand + axis) * used + column] = value;
                }
            }
        }
    }

    /// One step of Gauss and Newton's method for eq. 8.
    fn improve(
        &mut self,
        body: &Body,
        example: &Example,
        movement: &Movement,
        settings: &CompositionSettings,
    ) {
        let used = example.used;
        let mut errors = [0.0; 6];
        for (hand, effector) in HANDS.into_iter().enumerate() {
            let wanted = Vec3::from_slice(&movement.0[3 * hand..]) * body.height_m();
            let error = wanted - (body.end(&self.world, effector) - body.root(&self.world, effector));
            errors[3 * hand..3 * hand + 3].copy_from_slice(&error.to_array());
        }
        for a in 0..used {
            let smooth = settings.smoothness * example.basis.variances[a];
            let pull: f32 = (0..6).map(|row| self.jacobian[row * used + a] * errors[row]).sum();
            self.rhs[a] = settings.hands * pull
                + settings.example * (self.wanted[a] - self.z[a])
                + smooth * (self.z_last[a] - self.z[a]);
            for b in 0..=a {
                let both: f32 =
                    (0..6).map(|row| self.jacobian[row * used + a] * self.jacobian[row * used + b]).sum();
                let own = if a == b { settings.example + smooth } else { 0.0 };
                self.square[a * used + b] = settings.hands * both + own;
            }
        }
        if solve_in_place(&mut self.square, &mut self.rhs, used) {
            self.z.iter_mut().zip(&self.rhs[..used]).for_each(|(z, step)| *z += step);
        }
    }
}
