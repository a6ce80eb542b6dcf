//! One hop: an action simulated from crouch to rest.

use marey_motion::{Terrain, smoothstep};
use rapier2d::prelude::PhysicsPipeline;

use super::action::{Action, SOFT_GAINS, Script};
use super::lamp::{JointAngles, Posture};
use super::world::{JointGains, STEPS_HZ, World};

/// Tilt of the base beyond which the lamp has fallen, in radians.
const FALLEN_RAD: f32 = 0.9;
/// Depth below the lowest ground at which the lamp has fallen into a gap, in metres.
const FALL_DEPTH_M: f32 = 0.15;
/// Speed of the fastest link below which the lamp is at rest, in metres per second.
const REST_MPS: f32 = 0.05;
/// Shortest duration of standing before rest, in seconds.
const MIN_REST_SECS: f64 = 0.20;
/// Longest time to come to rest, in seconds.
const MAX_REST_SECS: f64 = 1.5;
/// Longest flight, in seconds.
const MAX_FLIGHT_SECS: f64 = 1.0;

/// The result of an action.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hop {
    pub(super) action: Action,
    /// The posture at each step, and whether the base touches the ground.
    pub(super) steps: Vec<(Posture, bool)>,
    /// Whether the lamp stands at the end.
    pub(super) is_standing: bool,
}

impl Hop {
    /// Simulates an action. The world is left in the state after the hop.
    pub(super) fn perform(action: Action, world: &mut World, terrain: &Terrain) -> Hop {
        let mut run = Run { world, terrain, pipeline: PhysicsPipeline::new(), steps: Vec::new() };
        let is_standing = run.run_script(&action.script());
        Hop { action, steps: run.steps, is_standing }
    }
}

/// Lets the lamp, which starts straight up, fold to its standing posture. Returns whether it stands.
pub(super) fn settle(world: &mut World, terrain: &Terrain) -> bool {
    let mut run = Run { world, terrain, pipeline: PhysicsPipeline::new(), steps: Vec::new() };
    run.fold(1.0, JointAngles::STANDING) && run.rest()
}

struct Run<'a> {
    world: &'a mut World,
    terrain: &'a Terrain,
    pipeline: PhysicsPipeline,
    steps: Vec<(Posture, bool)>,
}

impl Run<'_> {
    /// Crouches, pushes, flies, lands and rests. False if the lamp falls.
    fn run_script(&mut self, script: &Script) -> bool {
        self.fold(script.crouch_secs, script.crouch)
            && self.push(script)
            && self.fly(script.flight_elbow)
            && self.rest()
    }

    /// Bends slowly.
    fn fold(&mut self, secs: f32, to: JointAngles) -> bool {
        let from = self.world.posture().angles;
        let steps = (f64::from(secs) * STEPS_HZ) as usize;
        (0..steps).all(|step| {
            let t = (step + 1) as f32 / steps as f32;
            let target = from.lerp(to, smoothstep(t));
            self.step(target, SOFT_GAINS)
        })
    }

    /// Stretches until the base leaves the ground.
    fn push(&mut self, script: &Script) -> bool {
        let steps = (f64::from(script.push_secs) * STEPS_HZ) as usize;
        for _ in 0..steps {
            if !self.step(script.push, script.push_gains) {
                return false;
            }
            if !self.world.is_on_ground() {
                break;
            }
        }
        true
    }

    /// Folds for the landing, with the base parallel to the ground below, until it touches.
    fn fly(&mut self, elbow: f32) -> bool {
        let mut flown = false;
        for _ in 0..(MAX_FLIGHT_SECS * STEPS_HZ) as usize {
            let posture = self.world.posture();
            let level = self.terrain.slope_rad_at(posture.sole.x).unwrap_or(0.0);
            let ankle = (self.world.lower_arm_rad() - level).clamp(-1.2, 1.6);
            if !self.step(JointAngles { ankle, elbow }, SOFT_GAINS) {
                return false;
            }
            if self.world.is_on_ground() && flown {
                return true;
            }
            flown |= !self.world.is_on_ground();
        }
        self.world.is_on_ground()
    }

    /// Damps the landing until the lamp is at rest.
    fn rest(&mut self) -> bool {
        let least = (MIN_REST_SECS * STEPS_HZ) as usize;
        let from = self.world.posture().angles;
        let mut quiet = 0;
        for step in 0..(MAX_REST_SECS * STEPS_HZ) as usize {
            let t = ((step + 1) as f32 / least as f32).min(1.0);
            if !self.step(from.lerp(JointAngles::STANDING, t), SOFT_GAINS) {
                return false;
            }
            quiet = if self.world.max_speed() < REST_MPS { quiet + 1 } else { 0 };
            if step > least && quiet > 6 {
                return true;
            }
        }
        false
    }

    /// One step of the simulation. False if the lamp has fallen.
    fn step(&mut self, target: JointAngles, gains: JointGains) -> bool {
        self.world.step(&mut self.pipeline, target, gains);
        let posture = self.world.posture();
        self.steps.push((posture, self.world.is_on_ground()));
        let has_fallen_off = posture.sole.y < self.terrain.lowest_m() - FALL_DEPTH_M;
        !has_fallen_off && posture.tilt.abs() < FALLEN_RAD && !self.world.is_lying()
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Vec2;

    use super::*;

    #[test]
    fn actions_on_level_ground_match_the_table() {
        let level = Terrain::new(vec![vec![Vec2::new(-1.0, 0.0), Vec2::new(3.0, 0.0)]]).unwrap();
        let mut standing = World::new(&level, Vec2::ZERO);
        assert!(settle(&mut standing, &level));
        let expected = [(0.05, 0.07), (0.17, 0.12), (0.26, 0.18), (0.43, 0.22), (0.34, 0.31)];
        for (action, (length_m, height_m)) in Action::ALL.into_iter().zip(expected) {
            let mut world = standing.clone();
            let hop = Hop::perform(action, &mut world, &level);
            let far = world.posture().sole.x - standing.posture().sole.x;
            let high = hop.steps.iter().map(|(posture, _)| posture.sole.y).fold(0.0, f32::max);
            assert!(hop.is_standing, "{}", action.name());
            assert!((far - length_m).abs() < 0.02 && (high - height_m).abs() < 0.02, "{far} {high} {hop:?}");
        }
    }
}
