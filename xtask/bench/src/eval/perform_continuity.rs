//! How far joints move in a frame, compared with the performer and the physics.

use marey::perform::{Performance, Player, WorldFile};
use marey_examples::playground::PlaygroundSettings;
use marey_motion::Vec3;
use marey_perform::{PerformSession, PerformSettings, World, built_in_motions};

use super::perform::{streams, whole};
use super::perform_world::WORLD;
use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

/// The largest speeds in a stream, in metres per second, and accelerations of joints, in m/s².
#[derive(Default)]
pub(super) struct Speeds {
    character: f32,
    performer: f32,
    physics: f32,
    last: Option<[Vec<Vec3>; 2]>,
    velocities: [Vec<Vec3>; 2],
    accelerations: [Vec<f32>; 2],
    centre: Vec3,
}

impl Speeds {
    /// Adds a frame: the positions of the character and of the performer, scaled to the character.
    pub(super) fn add(&mut self, session: &PerformSession, performer: &[Vec3], secs: f32) {
        let now = [session.world_pose().positions.clone(), performer.to_vec()];
        let centre = session.state().centre;
        if let Some(last) = &self.last {
            let largest = [&mut self.character, &mut self.performer];
            for (body, largest) in largest.into_iter().enumerate() {
                let velocities: Vec<Vec3> =
                    now[body].iter().zip(&last[body]).map(|(now, last)| (*now - *last) / secs).collect();
                *largest = velocities.iter().map(|velocity| velocity.length()).fold(*largest, f32::max);
                let before = std::mem::replace(&mut self.velocities[body], velocities);
                let pairs = self.velocities[body].iter().zip(&before);
                self.accelerations[body].extend(pairs.map(|(now, before)| now.distance(*before) / secs));
            }
            self.physics = self.physics.max(centre.distance(self.centre) / secs);
        }
        self.centre = centre;
        self.last = Some(now);
    }

    /// The next frame starts another stream.
    pub(super) fn restart(&mut self) {
        self.last = None;
        self.velocities = Default::default();
    }

    /// The rows of a stream.
    pub(super) fn rows(mut self, subject: &str) -> Vec<Row> {
        let [character, performer] = &mut self.accelerations;
        let most = |values: &mut Vec<f32>| {
            values.sort_by(f32::total_cmp);
            f64::from(values.get(values.len() * 999 / 1000).copied().unwrap_or_default())
        };
        vec![
            Row::new("perform: fastest joint", subject, f64::from(self.character), "m/s")
                .against("performer or physics", f64::from(self.performer.max(self.physics)))
                .aim(Aim::RatioAtMost(1.5)),
            Row::new("perform: acceleration of joints, 99.9 %", subject, most(character), "m/s²")
                .against("performer", most(performer))
                .aim(Aim::RatioAtMost(1.5)),
        ]
    }
}

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let motions = built_in_motions()?;
    let mut speeds = Speeds::default();
    for stream in streams(args)? {
        let input = whole(&stream)?;
        let world = World::from_toml(WORLD)?;
        let scale = world.character_height_m / input.calibration.height_m();
        let mut session =
            PerformSession::new(world, &motions, &input.calibration, PerformSettings::default())?;
        let mut performer = marey_motion::WorldPose::scratch(input.calibration.skeleton());
        speeds.restart();
        input.perform(&mut session, |frame, session| {
            performer.set(input.poses[frame].view());
            let scaled: Vec<Vec3> = performer.positions.iter().map(|at| *at * scale).collect();
            speeds.add(session, &scaled, (1.0 / input.rate_hz) as f32);
        });
    }
    let mut rows = speeds.rows("six streams, floor, bar and rope");
    let player = Player::new(&PlaygroundSettings { seed: args.seed, ..PlaygroundSettings::default() })?;
    let world = WorldFile::adventure()?;
    let mut performance = Performance::start(world, Box::new(player))?;
    let mut speeds = Speeds::default();
    while performance.step()? {
        let Some(frame) = performance.last_frame() else { break };
        let skeleton = performance.performer().skeleton().clone();
        let world = marey_motion::WorldPose::of(&skeleton, frame.pose.view());
        let session = performance.session();
        let scale = session.world().character_height_m / performance.calibration().height_m();
        let scaled: Vec<Vec3> = world.positions.iter().map(|at| *at * scale).collect();
        speeds.add(session, &scaled, frame.secs);
    }
    rows.extend(speeds.rows("the player of the adventure"));
    Ok(rows)
}
