//! A performer and a character in a world, frame by frame.

mod grips;
mod meaning;
mod motion;
mod pose;
mod shown;
mod solve;

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use marey_motion::{Clip, LocalPose, LocalPoseRef, Report, WorldPose};

use crate::basis::Basis;
use crate::blend::Blend;
use crate::calibration::Calibration;
use crate::character_body::CharacterBody;
use crate::composition::Composer;
use crate::engage::{Condition, Effector};
use crate::geometry::Geometry;
use crate::guard::Guard;
use crate::integration::{Integrator, PoseSolution, Target};
use crate::intention::Intention;
use crate::performed::Performed;
use crate::settings::PerformSettings;
use crate::simulation::Simulation;
use crate::spin::Spin;
use crate::world::World;
use crate::{PerformError, Result};
use grips::Grip;
use shown::Shown;

/// A performer drives a character: [`PerformSession::step`] takes the performer's pose and returns the character's.
pub struct PerformSession {
    world: World,
    body: CharacterBody,
    settings: PerformSettings,
    conditions: Vec<Box<dyn Condition>>,
    shown: Shown,
    intentions: Vec<Intention>,
    plain: Basis,
    guard: Guard,
    /// The scale from performer to character.
    scale: f32,
    floor_m: f32,
    scaled: LocalPose,
    performed: Performed,
    meant: Meant,
    composer: Composer,
    blend: Blend,
    simulation: Simulation,
    spin: Spin,
    integrator: Integrator,
    grips: [Grip; 4],
    solids: Vec<(usize, Geometry)>,
    /// The remainder of the frame time that is less than a simulation step, in seconds.
    ahead_secs: f32,
    centre_before: Vec3,
    /// How long nothing has been held, in seconds.
    aloft_secs: f32,
    /// The rotations of the last pose, with the root in the performer's frame.
    last: Vec<Quat>,
    /// The rotation from the intended to the solved pose, per joint.
    away: Vec<Quat>,
    now: PerformState,
    targets: Vec<Target>,
}

/// The intended pose, and its limb ends relative to its centre of mass.
#[derive(Debug, Clone)]
struct Meant {
    pose: LocalPose,
    /// Its rotations before blending.
    sharp: Vec<Quat>,
    world: WorldPose,
    r: [Vec3; 4],
    rate: [Vec3; 4],
    /// The offsets of the limb ends when the example changed, and the share of them that is left.
    off: [Vec3; 4],
    left: f32,
    /// The duration of that transition, in seconds.
    over_secs: f32,
    fresh: bool,
}

/// The state of the character in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PerformState {
    /// The simulated centre of mass, in metres.
    pub centre: Vec3,
    /// Its velocity, in metres a second.
    pub velocity: Vec3,
    /// The character's heading: rotation about +Y, in radians.
    pub yaw_rad: f32,
    /// The feature that each limb end holds, in the order of [`Effector::ALL`].
    pub holds: [Option<usize>; 4],
    /// The position of each hold, in metres; for a web, that of its anchor.
    pub contacts: [Option<Vec3>; 4],
    /// Whether all limb ends have reached their holds, which takes about a tenth of a second.
    pub settled: bool,
    /// The water that the character is in.
    pub water: Option<usize>,
    /// The feature whose example is imitated.
    pub imitates: Option<usize>,
    /// Whether the character holds nothing and is not in water.
    pub flies: bool,
    /// The angular momentum about the centre of mass, per kilogram, in m²/s; zero while something is held.
    pub momentum: Vec3,
    /// The quality of the solved pose.
    pub solved: PoseSolution,
    /// Whether the end of the course has been reached.
    pub finished: bool,
}

fn conditions(world: &World) -> Vec<Box<dyn Condition>> {
    world.features.iter().map(|feature| Box::new(feature.engage) as Box<dyn Condition>).collect()
}

impl PerformSession {
    /// Puts the character of a performer into a world. `motions` are the example motions that its features name.
    pub fn new(
        world: World,
        motions: &BTreeMap<String, Clip>,
        calibration: &Calibration,
        settings: PerformSettings,
    ) -> Result<Self> {
        settings.validate()?;
        let scale = world.character_height_m / calibration.height_m();
        let skeleton = std::sync::Arc::new(calibration.skeleton().scaled(scale)?);
        let body = CharacterBody::new(skeleton.clone())?;
        let shown = Shown::of(&world, motions, &body)?;
        let rest = LocalPose::rest(&skeleton);
        let at_rest = WorldPose::of(&skeleton, rest.view());
        let soles = [Effector::LeftFoot, Effector::RightFoot].map(|foot| body.end(&at_rest, foot).y);
        let start = world.start + Vec3::Y * (body.centre(&at_rest.positions).y - soles[0].min(soles[1]));
        let joints = skeleton.len();
        Ok(Self {
            conditions: conditions(&world),
            intentions: vec![Intention::default(); shown.examples.len()],
            plain: Basis::new(&skeleton, &[]),
            guard: Guard::new(LocalPose::rest(calibration.skeleton())),
            scale,
            floor_m: scale * calibration.floor_m(),
            scaled: rest.clone(),
            performed: Performed::new(&body),
            meant: Meant {
                sharp: rest.rotations.clone(),
                pose: rest,
                world: at_rest,
                r: [Vec3::ZERO; 4],
                rate: [Vec3::ZERO; 4],
                off: [Vec3::ZERO; 4],
                left: 0.0,
                over_secs: 1.0,
                fresh: true,
            },
            composer: Composer::new(&body),
            blend: Blend::new(joints),
            simulation: Simulation::new(&world, body.mass_kg(), body.height_m(), start),
            spin: Spin::upright(world.start_yaw_rad - calibration.yaw_rad()),
            integrator: Integrator::new(&body),
            grips: [Grip::default(); 4],
            solids: Vec::with_capacity(world.features.len()),
            ahead_secs: 0.0,
            centre_before: start,
            aloft_secs: 0.0,
            last: vec![Quat::IDENTITY; joints],
            away: vec![Quat::IDENTITY; joints],
            now: PerformState { centre: start, ..PerformState::default() },
            targets: Vec::with_capacity(4),
            shown,
            world,
            body,
            settings,
        })
    }

    /// Replaces the world. The character stays where it is and lets go of everything. Conditions set by
    /// [`PerformSession::set_condition`] are lost.
    pub fn reload(&mut self, world: World, motions: &BTreeMap<String, Clip>) -> Result<()> {
        let shown = Shown::of(&world, motions, &self.body)?;
        let (centre, velocity) = (self.simulation.centre(), self.simulation.velocity());
        self.simulation = Simulation::new(&world, self.body.mass_kg(), self.body.height_m(), centre);
        self.simulation.place(centre, velocity);
        self.conditions = conditions(&world);
        self.intentions = vec![Intention::default(); shown.examples.len()];
        self.grips = [Grip::default(); 4];
        self.composer.forget();
        self.now = PerformState {
            centre,
            velocity,
            flies: true,
            finished: self.now.finished,
            ..PerformState::default()
        };
        self.shown = shown;
        self.world = world;
        Ok(())
    }

    /// Sets the condition of engagement of a feature.
    pub fn set_condition(&mut self, feature: &str, condition: Box<dyn Condition>) -> Result<()> {
        let missing = || PerformError::NoFeature { feature: feature.to_owned() };
        let number = self.world.feature_named(feature).ok_or_else(missing)?;
        self.conditions[number] = condition;
        Ok(())
    }

    /// Performs a frame: the performer's pose, whether the left and the right hand are closed, and the seconds since the last frame.
    /// Returns the character's pose.
    ///
    /// Invalid frames (not finite, another skeleton) are ignored and jumps are smoothed; [`PerformSession::report`] lists both.
    pub fn step(&mut self, pose: LocalPoseRef<'_>, closed: [bool; 2], secs: f32) -> &LocalPose {
        let secs = self.guard.secs(secs);
        self.guard.take(pose, secs);
        self.advance(closed, secs)
    }

    /// Performs a frame in which the performer keeps the last pose, because no frame was received.
    pub fn wait(&mut self, secs: f32) -> &LocalPose {
        let secs = self.guard.secs(secs);
        self.guard.wait(secs);
        let closed = [self.grips[0].closed, self.grips[1].closed];
        self.advance(closed, secs)
    }

    /// The character's pose.
    pub fn pose(&self) -> &LocalPose {
        self.integrator.pose()
    }

    /// The same pose in world coordinates.
    pub fn world_pose(&self) -> &WorldPose {
        self.integrator.world()
    }

    /// The character's body.
    pub fn body(&self) -> &CharacterBody {
        &self.body
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The state of the character.
    pub fn now(&self) -> &PerformState {
        &self.now
    }

    /// The recognised intention to imitate the example of a feature; `None` if the feature has no example.
    pub fn intention(&self, feature: usize) -> Option<&Intention> {
        self.shown.of_feature.get(feature).copied().flatten().map(|example| &self.intentions[example])
    }

    /// The present shape of a feature; soft surfaces deform.
    pub fn geometry(&self, feature: usize) -> Geometry {
        self.simulation.geometry(feature)
    }

    /// Appends the joints of a rope, from the top down, to `points`.
    pub fn rope_into(&self, feature: usize, points: &mut Vec<Vec3>) {
        self.simulation.rope_into(feature, points);
    }

    /// Warnings about the stream.
    pub fn report(&self) -> &Report {
        &self.guard.report
    }

    fn advance(&mut self, closed: [bool; 2], secs: f32) -> &LocalPose {
        self.perform(secs);
        self.find_water();
        let changed = self.intend(secs);
        self.compose(changed, secs);
        if self.engage(closed, secs) {
            self.go_on_from_last();
        }
        self.wish();
        self.simulate(secs);
        self.turn(secs);
        self.integrate(secs);
        self.integrator.pose()
    }
}
