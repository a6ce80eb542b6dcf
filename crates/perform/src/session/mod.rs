//! A session: a performer drives a character in a world, frame by frame.

mod continuity;
mod feature_examples;
mod grips;
mod intent;
mod motion;
mod pose;
mod solve;

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use marey_motion::{Clip, LocalPose, LocalPoseRef, Report, WorldPose};

use crate::basis::Basis;
use crate::blend::Blend;
use crate::calibration::Calibration;
use crate::character_body::CharacterBody;
use crate::composition::Composer;
use crate::engage::{Effector, EngageCondition};
use crate::floor_tracker::FloorTracker;
use crate::geometry::Geometry;
use crate::intention::Intention;
use crate::orientation::Orientation;
use crate::performer_state::PerformerState;
use crate::pose_solver::{LimbTarget, PoseSolution, PoseSolver};
use crate::settings::PerformSettings;
use crate::simulation::Simulation;
use crate::stream_filter::StreamFilter;
use crate::world::World;
use crate::{PerformError, Result};
use continuity::Continuity;
use feature_examples::FeatureExamples;
use grips::Grip;

/// Lets a performer drive a character: [`PerformSession::step`] takes the performer's pose and returns the character's.
pub struct PerformSession {
    world: World,
    body: CharacterBody,
    settings: PerformSettings,
    conditions: Vec<Box<dyn EngageCondition>>,
    feature_examples: FeatureExamples,
    intentions: Vec<Intention>,
    /// The basis of poses that imitate no example.
    default_basis: Basis,
    filter: StreamFilter,
    /// The scale from performer to character.
    scale: f32,
    floor: FloorTracker,
    /// The performer's pose, scaled to the character.
    scaled: LocalPose,
    performer: PerformerState,
    intended: IntendedPose,
    composer: Composer,
    blend: Blend,
    simulation: Simulation,
    orientation: Orientation,
    pose_solver: PoseSolver,
    grips: [Grip; 4],
    solids: Vec<(usize, Geometry)>,
    /// The remaining frame time that is shorter than a simulation step, in seconds.
    remaining_secs: f32,
    /// The centre of mass before the last simulation step.
    centre_before: Vec3,
    /// How long the character has been flying, in seconds.
    flight_secs: f32,
    /// The rotations of the last pose, with the root in the performer's frame.
    last_rotations: Vec<Quat>,
    /// The rotation of each joint from the intended to the solved pose in the last frame.
    corrections: Vec<Quat>,
    continuity: Continuity,
    state: CharacterState,
    targets: Vec<LimbTarget>,
}

/// The intended pose, in the performer's frame.
#[derive(Debug, Clone)]
struct IntendedPose {
    pose: LocalPose,
    /// The rotations before blending.
    unblended: Vec<Quat>,
    world: WorldPose,
    /// r̂ of each hand and foot, and its rate of change.
    r: [Vec3; 4],
    rate: [Vec3; 4],
    /// The offsets of hands and feet when the imitated example changed, and the fraction of the transition that remains.
    offsets: [Vec3; 4],
    remaining: f32,
    /// The duration of that transition, in seconds.
    transition_secs: f32,
    is_first_frame: bool,
}

/// The state of the character in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct CharacterState {
    /// The simulated centre of mass, in metres.
    pub centre: Vec3,
    /// Its velocity, in metres per second.
    pub velocity: Vec3,
    /// The character's heading: rotation about +Y, in radians.
    pub yaw_rad: f32,
    /// The index of the feature that each hand or foot holds, in the order of [`Effector::ALL`].
    pub holds: [Option<usize>; 4],
    /// The position of each hold, in metres; for a web, that of its anchor.
    pub contacts: [Option<Vec3>; 4],
    /// Whether all hands and feet have reached their holds, which takes about a tenth of a second.
    pub is_settled: bool,
    /// The index of the water that the character is in.
    pub water: Option<usize>,
    /// The index of the feature whose example the performer imitates.
    pub imitated_feature: Option<usize>,
    /// Whether the character holds nothing and is not in water.
    pub is_flying: bool,
    /// The angular momentum about the centre of mass, per kilogram, in m²/s; zero while something is held.
    pub momentum: Vec3,
    /// The quality of the solved pose.
    pub solution: PoseSolution,
    /// Whether the character has reached the end of the course.
    pub has_finished: bool,
}

fn conditions(world: &World) -> Vec<Box<dyn EngageCondition>> {
    world.features.iter().map(|feature| Box::new(feature.engage) as Box<dyn EngageCondition>).collect()
}

impl PerformSession {
    /// Puts a character into a world. `motions` are the example motions that the features of the world name.
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
        let feature_examples = FeatureExamples::of(&world, motions, &body)?;
        let rest = LocalPose::rest(&skeleton);
        let at_rest = WorldPose::of(&skeleton, rest.view());
        let soles = [Effector::LeftFoot, Effector::RightFoot].map(|foot| body.end(&at_rest, foot).y);
        let start = world.start + Vec3::Y * (body.centre(&at_rest.positions).y - soles[0].min(soles[1]));
        let joints = skeleton.len();
        Ok(Self {
            conditions: conditions(&world),
            intentions: vec![Intention::default(); feature_examples.examples.len()],
            default_basis: Basis::new(&skeleton, &[]),
            filter: StreamFilter::new(LocalPose::rest(calibration.skeleton())),
            scale,
            floor: FloorTracker::new(scale * calibration.floor_m(), body.height_m(), calibration.upright()),
            scaled: rest.clone(),
            performer: PerformerState::new(&body),
            intended: IntendedPose {
                unblended: rest.rotations.clone(),
                pose: rest,
                world: at_rest,
                r: [Vec3::ZERO; 4],
                rate: [Vec3::ZERO; 4],
                offsets: [Vec3::ZERO; 4],
                remaining: 0.0,
                transition_secs: 1.0,
                is_first_frame: true,
            },
            composer: Composer::new(&body),
            blend: Blend::new(joints),
            simulation: Simulation::new(&world, body.mass_kg(), body.height_m(), start),
            orientation: Orientation::upright(world.start_yaw_rad - calibration.yaw_rad()),
            pose_solver: PoseSolver::new(&body),
            grips: [Grip::default(); 4],
            solids: Vec::with_capacity(world.features.len()),
            remaining_secs: 0.0,
            centre_before: start,
            flight_secs: 0.0,
            last_rotations: vec![Quat::IDENTITY; joints],
            corrections: vec![Quat::IDENTITY; joints],
            continuity: Continuity::new(joints),
            state: CharacterState { centre: start, ..CharacterState::default() },
            targets: Vec::with_capacity(4),
            feature_examples,
            world,
            body,
            settings,
        })
    }

    /// Replaces the world. The character stays where it is and lets go of everything. Conditions set by
    /// [`PerformSession::set_condition`] are lost.
    pub fn reload(&mut self, world: World, motions: &BTreeMap<String, Clip>) -> Result<()> {
        let feature_examples = FeatureExamples::of(&world, motions, &self.body)?;
        let (centre, velocity) = (self.simulation.centre(), self.simulation.velocity());
        self.simulation = Simulation::new(&world, self.body.mass_kg(), self.body.height_m(), centre);
        self.simulation.set_state(centre, velocity);
        self.conditions = conditions(&world);
        self.intentions = vec![Intention::default(); feature_examples.examples.len()];
        self.grips = [Grip::default(); 4];
        self.composer.reset();
        self.state = CharacterState {
            centre,
            velocity,
            is_flying: true,
            has_finished: self.state.has_finished,
            ..CharacterState::default()
        };
        self.feature_examples = feature_examples;
        self.world = world;
        Ok(())
    }

    /// Sets the condition of engagement of a feature.
    pub fn set_condition(&mut self, feature: &str, condition: Box<dyn EngageCondition>) -> Result<()> {
        let missing = || PerformError::NoFeature { feature: feature.to_owned() };
        let index = self.world.feature_index(feature).ok_or_else(missing)?;
        self.conditions[index] = condition;
        Ok(())
    }

    /// Performs a frame and returns the character's pose. `closed` says whether the left and the right hand of the performer are closed
    /// (`None` if the input does not show it), `secs` is the time since the last frame.
    ///
    /// Invalid frames (not finite, another skeleton) are ignored and jumps are smoothed; [`PerformSession::report`] lists both.
    pub fn step(&mut self, pose: LocalPoseRef<'_>, closed: [Option<bool>; 2], secs: f32) -> &LocalPose {
        let secs = self.filter.valid_secs(secs);
        self.filter.accept(pose, secs);
        self.advance(closed, secs)
    }

    /// Performs a frame in which the performer keeps the last pose, because no new one was received.
    pub fn wait(&mut self, secs: f32) -> &LocalPose {
        let secs = self.filter.valid_secs(secs);
        self.filter.repeat_last(secs);
        let closed = [self.grips[0].was_closed, self.grips[1].was_closed];
        self.advance(closed, secs)
    }

    /// The character's pose.
    pub fn pose(&self) -> &LocalPose {
        self.pose_solver.pose()
    }

    /// The same pose in world coordinates.
    pub fn world_pose(&self) -> &WorldPose {
        self.pose_solver.world()
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
    pub fn state(&self) -> &CharacterState {
        &self.state
    }

    /// Whether the performer imitates the example of a feature; `None` if the feature has no example.
    pub fn intention(&self, feature: usize) -> Option<&Intention> {
        self.feature_examples
            .of_feature
            .get(feature)
            .copied()
            .flatten()
            .map(|example| &self.intentions[example])
    }

    /// The current shape of a feature; soft surfaces move.
    pub fn geometry(&self, feature: usize) -> Geometry {
        self.simulation.geometry(feature)
    }

    /// Appends the joints of a rope, from the top down, to `points`.
    pub fn rope_into(&self, feature: usize, points: &mut Vec<Vec3>) {
        self.simulation.rope_into(feature, points);
    }

    /// Warnings about the stream.
    pub fn report(&self) -> &Report {
        &self.filter.report
    }

    fn advance(&mut self, closed: [Option<bool>; 2], secs: f32) -> &LocalPose {
        self.update_performer(secs);
        self.update_water();
        let has_changed = self.update_intention(secs);
        self.compose(has_changed, secs);
        if self.update_holds(closed, secs) {
            self.blend_from_last();
        }
        self.update_targets();
        self.simulate(secs);
        self.update_orientation(secs);
        self.solve_pose(secs);
        self.pose_solver.pose()
    }
}
