//! One hop: an action simulated from crouch to rest.

use marey_motion::{Terrain, smoothstep};
use rapier2d::prelude::PhysicsPipeline;

use super::action::{Action, CALM, Script};
use super::lamp::{Bend, Posture};
use super::world::{JointGains, STEPS_HZ, World};

/// The base may tilt so far from level before the lamp counts as fallen, in radians.
const FALLEN_RAD: f32 = 0.9;
/// Lower than this below the lowest ground, the lamp has fallen into a gap, in metres.
const LOST_M: f32 = 0.15;
/// After landing, the lamp rests when nothing is faster than this, in metres a second.
const REST_MPS: f32 = 0.05;
/// How long it must have stood before it rests, in seconds.
const LEAST_REST_SECS: f64 = 0.20;
/// It has so long to come to rest, in seconds.
const MOST_REST_SECS: f64 = 1.5;
/// It has so long to come down, in seconds.
const MOST_FLIGHT_SECS: f64 = 1.0;

/// The result of an action.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hop {
    pub(super) action: Action,
    /// Each step's posture and whether the base touched.
    pub(super) steps: Vec<(Posture, bool)>,
    /// Whether the lamp stands at the end.
    pub(super) stood: bool,
}

impl Hop {
    /// Carries out an action; the world ends where the hop does.
    pub(super) fn perform(action: Action, world: &mut World, terrain: &Terrain) -> Hop {
        let mut run = Run { world, terrain, pipeline: PhysicsPipeline::new(), steps: Vec::new() };
        let stood = run.carry_out(&action.script());
        Hop { action, steps: run.steps, stood }
    }
}

/// Lets the lamp, which begins straight up, fold to how it stands; the time is not told.
pub(super) fn settle(world: &mut World, terrain: &Terrain) -> bool {
    let mut run = Run { world, terrain, pipeline: PhysicsPipeline::new(), steps: Vec::new() };
    run.fold(1.0, Bend::STANDING) && run.rest()
}

struct Run<'a> {
    world: &'a mut World,
    terrain: &'a Terrain,
    pipeline: PhysicsPipeline,
    steps: Vec<(Posture, bool)>,
}

impl Run<'_> {
    /// Crouch, push, fly, land, rest; false where the lamp fell.
    fn carry_out(&mut self, script: &Script) -> bool {
        self.fold(script.crouch_secs, script.crouch)
            && self.push(script)
            && self.fly(script.fly_elbow)
            && self.rest()
    }

    /// Bends slowly.
    fn fold(&mut self, secs: f32, to: Bend) -> bool {
        let from = self.world.posture().bend;
        let steps = (f64::from(secs) * STEPS_HZ) as usize;
        (0..steps).all(|step| {
            let t = (step + 1) as f32 / steps as f32;
            let wish = from.lerp(to, smoothstep(t));
            self.step(wish, CALM)
        })
    }

    /// Stretches until the base leaves the ground.
    fn push(&mut self, script: &Script) -> bool {
        let steps = (f64::from(script.push_secs) * STEPS_HZ) as usize;
        for _ in 0..steps {
            if !self.step(script.push, script.firm) {
                return false;
            }
            if !self.world.stands() {
                break;
            }
        }
        true
    }

    /// Folds to land, with the base held along the ground beneath, until it touches.
    fn fly(&mut self, elbow: f32) -> bool {
        let mut flown = false;
        for _ in 0..(MOST_FLIGHT_SECS * STEPS_HZ) as usize {
            let posture = self.world.posture();
            let level = self.terrain.slope_rad_at(posture.sole.x).unwrap_or(0.0);
            let ankle = (self.world.lean() - level).clamp(-1.2, 1.6);
            if !self.step(Bend { ankle, elbow }, CALM) {
                return false;
            }
            if self.world.stands() && flown {
                return true;
            }
            flown |= !self.world.stands();
        }
        self.world.stands()
    }

    /// Damps the landing, until nothing moves.
    fn rest(&mut self) -> bool {
        let least = (LEAST_REST_SECS * STEPS_HZ) as usize;
        let from = self.world.posture().bend;
        let mut quiet = 0;
        for step in 0..(MOST_REST_SECS * STEPS_HZ) as usize {
            let t = ((step + 1) as f32 / least as f32).min(1.0);
            if !self.step(from.lerp(Bend::STANDING, t), CALM) {
                return false;
            }
            quiet = if self.world.unrest() < REST_MPS { quiet + 1 } else { 0 };
            if step > least && quiet > 6 {
                return true;
            }
        }
        false
    }

    /// One step; false where the lamp has fallen.
    fn step(&mut self, wish: Bend, hold: JointGains) -> bool {
        self.world.step(&mut self.pipeline, wish, hold);
        let posture = self.world.posture();
        self.steps.push((posture, self.world.stands()));
        let lost = posture.sole.y < self.terrain.lowest_m() - LOST_M;
        !lost && posture.tilt.abs() < FALLEN_RAD && !self.world.lies()
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Vec2;

    use super::*;

    #[test]
    fn on_level_ground_every_action_hops_as_far_and_high_as_its_table_says() {
        let level = Terrain::new(vec![vec![Vec2::new(-1.0, 0.0), Vec2::new(3.0, 0.0)]]).unwrap();
        let mut standing = World::new(&level, Vec2::ZERO);
        assert!(settle(&mut standing, &level));
        let told = [(0.05, 0.07), (0.17, 0.12), (0.26, 0.18), (0.43, 0.22), (0.34, 0.31)];
        for (action, (length_m, height_m)) in Action::ALL.into_iter().zip(told) {
            let mut world = standing.clone();
            let hop = Hop::perform(action, &mut world, &level);
            let far = world.posture().sole.x - standing.posture().sole.x;
            let high = hop.steps.iter().map(|(posture, _)| posture.sole.y).fold(0.0, f32::max);
            assert!(hop.stood, "{}", action.name());
            assert!((far - length_m).abs() < 0.02 && (high - height_m).abs() < 0.02, "{far} {high} {hop:?}");
        }
    }
}
