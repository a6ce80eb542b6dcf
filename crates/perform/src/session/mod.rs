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
use crate::body::Body;
use crate::calibration::Calibration;
use crate::composition::Composer;
use crate::engage::{Condition, Effector};
use crate::geometry::Geometry;
use crate::guard::Guard;
use crate::integration::{Integrator, Solved, Target};
use crate::intention::Intention;
use crate::performed::Performed;
use crate::settings::Settings;
use crate::simulation::Simulation;
use crate::spin::Spin;
use crate::world::World;
use crate::{Error, Result};
use grips::Grip;
use shown::Shown;

/// A performer drives a character: [`Session::step`] takes a pose and gives one.
pub struct Session {
    world: World,
    body: Body,
    settings: Settings,
    conditions: Vec<Box<dyn Condition>>,
    shown: Shown,
    intentions: Vec<Intention>,
    plain: Basis,
    guard: Guard,
    /// The performer's size over the character's, the other way round: what places are multiplied by.
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
    /// Time that is simulated beyond the last whole step, in seconds.
    ahead_secs: f32,
    centre_before: Vec3,
    /// For how long nothing was held, in seconds.
    aloft_secs: f32,
    /// The last pose's rotations, the root's as the performer stands.
    last: Vec<Quat>,
    /// From the pose that was meant to the one that was found, joint by joint.
    away: Vec<Quat>,
    now: Now,
    targets: Vec<Target>,
}

/// The pose that is meant, and its ends away from its centre of mass.
#[derive(Debug, Clone)]
struct Meant {
    pose: LocalPose,
    /// Its rotations before they are blended with what was before.
    sharp: Vec<Quat>,
    world: WorldPose,
    r: [Vec3; 4],
    rate: [Vec3; 4],
    /// How far ends were from where they are meant when another example began or ended, and how much of that is left.
    off: [Vec3; 4],
    left: f32,
    /// How long that takes, in seconds.
    over_secs: f32,
    fresh: bool,
}

/// What goes on at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Now {
    /// The simulated centre of mass, in metres.
    pub centre: Vec3,
    /// Its velocity, in metres a second.
    pub velocity: Vec3,
    /// Which way the character faces: the turn about +Y, in radians.
    pub yaw_rad: f32,
    /// Which feature each end of a limb holds, in the order of [`Effector::ALL`].
    pub holds: [Option<usize>; 4],
    /// Where each hold is, in metres; of a web, where it is fixed.
    pub contacts: [Option<Vec3>; 4],
    /// Whether ends have come to their holds: a grip closes in a tenth of a second.
    pub settled: bool,
    /// The water that the character is in.
    pub water: Option<usize>,
    /// The feature whose example is imitated.
    pub imitates: Option<usize>,
    /// Whether nothing holds the character and no water bears it.
    pub flies: bool,
    /// Angular momentum about the centre of mass, for each kilogram, in m²/s; nothing while something holds.
    pub momentum: Vec3,
    /// How the last pose was found.
    pub solved: Solved,
    /// Whether the end of the course was reached, now or before.
    pub finished: bool,
}

fn conditions(world: &World) -> Vec<Box<dyn Condition>> {
    world.features.iter().map(|feature| Box::new(feature.engage) as Box<dyn Condition>).collect()
}

impl Session {
    /// Puts a performer into a world. `motions` are the example motions that its features name.
    pub fn new(
        world: World,
        motions: &BTreeMap<String, Clip>,
        calibration: &Calibration,
        settings: Settings,
    ) -> Result<Self> {
        settings.validate()?;
        let scale = world.character_height_m / calibration.height_m();
        let skeleton = std::sync::Arc::new(calibration.skeleton().scaled(scale)?);
        let body = Body::new(skeleton.clone())?;
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
            now: Now { centre: start, ..Now::default() },
            targets: Vec::with_capacity(4),
            shown,
            world,
            body,
            settings,
        })
    }

    /// Goes on in another world, or in this one as its file now has it: the character stays where it is and lets go of everything.
    /// Conditions are those of the file again.
    pub fn reload(&mut self, world: World, motions: &BTreeMap<String, Clip>) -> Result<()> {
        let shown = Shown::of(&world, motions, &self.body)?;
        let (centre, velocity) = (self.simulation.centre(), self.simulation.velocity());
        self.simulation = Simulation::new(&world, self.body.mass_kg(), self.body.height_m(), centre);
        self.simulation.place(centre, velocity);
        self.conditions = conditions(&world);
        self.intentions = vec![Intention::default(); shown.examples.len()];
        self.grips = [Grip::default(); 4];
        self.composer.forget();
        self.now = Now { centre, velocity, flies: true, finished: self.now.finished, ..Now::default() };
        self.shown = shown;
        self.world = world;
        Ok(())
    }

    /// Puts a condition of engagement in the place of the one that the world file writes.
    pub fn set_condition(&mut self, feature: &str, condition: Box<dyn Condition>) -> Result<()> {
        let missing = || Error::NoFeature { feature: feature.to_owned() };
        let number = self.world.feature_named(feature).ok_or_else(missing)?;
        self.conditions[number] = condition;
        Ok(())
    }

    /// Another frame of the performer, so long after the last: the pose, and whether the left and the right hand are closed. Gives
    /// the character's pose.
    ///
    /// What cannot be (numbers that are none, another skeleton, a jump) is passed or eased over, and told in [`Session::report`].
    pub fn step(&mut self, pose: LocalPoseRef<'_>, closed: [bool; 2], secs: f32) -> &LocalPose {
        let secs = self.guard.secs(secs);
        self.guard.take(pose, secs);
        self.advance(closed, secs)
    }

    /// No frame came for a while: the performer is taken to stay as before.
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

    /// The same, in the world.
    pub fn world_pose(&self) -> &WorldPose {
        self.integrator.world()
    }

    /// The character's body.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// What goes on.
    pub fn now(&self) -> &Now {
        &self.now
    }

    /// What is thought of the performer's wish to do as a feature's example shows; `None` where it has none.
    pub fn intention(&self, feature: usize) -> Option<&Intention> {
        self.shown.of_feature.get(feature).copied().flatten().map(|example| &self.intentions[example])
    }

    /// The shape of a feature as it is now: surfaces give way.
    pub fn geometry(&self, feature: usize) -> Geometry {
        self.simulation.geometry(feature)
    }

    /// Where the links of a rope meet, from the top down, onto a list.
    pub fn rope_into(&self, feature: usize, points: &mut Vec<Vec3>) {
        self.simulation.rope_into(feature, points);
    }

    /// What was wrong with the stream so far.
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
