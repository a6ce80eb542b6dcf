//! Captured performers: whether intended grips happen, and whether nothing is gripped by accident.
//!
//! A grip is intended where a hand keeps its place for half a second while both feet are off the floor: then the hands carry the
//! performer. The world has a hold at each of these places, and at those where a foot keeps its place off the floor.

use marey_capture::Half;
use marey_formats::ReadOptions;
use marey_formats::file::read_file;
use marey_motion::{Clip, Role, Vec3, WorldPose};
use marey_perform::{Calibration, PerformSession, PerformSettings, Recording, World, built_in_motions};
use std::collections::BTreeMap;
use std::path::Path;

use super::perform_continuity::Speeds;
use crate::BoxError;
use crate::args::Args;
use crate::data;
use crate::row::{Aim, Row};

/// The shortest intended grip, in seconds, and how far the hand may stray from its mean place, in metres.
const MIN_SECS: f32 = 0.5;
const STRAY_M: f32 = 0.12;
/// Feet that are this much higher than the floor carry nothing, in metres.
const OFF_FLOOR_M: f32 = 0.15;
/// Holds that are nearer to each other than this are one, in metres.
const SAME_M: f32 = 0.15;
/// Takes in which people walk through the room.
const WALKS: [&str; 2] = ["cmu/walk_path", "cmu/walk_styles"];
/// Number of takes of each folder.
const MAX_TAKES: usize = 6;
/// Takes in which nobody grips anything.
const UNRELATED: [&str; 3] = ["cmu/walk_styles", "cmu/boxing", "cmu/jump"];

/// A hand that keeps its place.
struct IntendedGrip {
    hand: usize,
    frames: std::ops::Range<usize>,
}

struct Performer {
    name: String,
    recording: Recording,
    hands: Vec<[Vec3; 2]>,
    feet: Vec<[Vec3; 2]>,
}

impl Performer {
    fn read(path: &Path) -> Result<Self, BoxError> {
        let file = read_file(path, &ReadOptions::default())?;
        let clip = file.take()?.first();
        let clip = clip.slice(1..clip.frames())?;
        let recording = Recording::of_clip(&clip)?;
        let mut world = WorldPose::scratch(clip.skeleton());
        let joints = [Role::LeftHand, Role::RightHand, Role::LeftFoot, Role::RightFoot];
        let joints = joints.map(|role| clip.skeleton().joint_of(role).unwrap_or(0));
        let (mut hands, mut feet) = (Vec::new(), Vec::new());
        for pose in clip.poses() {
            world.set(pose);
            let at = joints.map(|joint| world.positions[joint]);
            hands.push([at[0], at[1]]);
            feet.push([at[2], at[3]]);
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, recording, hands, feet })
    }

    /// Stretches in which a limb end keeps its place while both feet are off the floor.
    fn resting(&self, ends: &[[Vec3; 2]]) -> Vec<IntendedGrip> {
        let floor_m = self.feet.iter().flatten().map(|foot| foot.y).fold(f32::MAX, f32::min);
        let is_off = |frame: usize| self.feet[frame].iter().all(|foot| foot.y > floor_m + OFF_FLOOR_M);
        let mut found = Vec::new();
        for hand in 0..2 {
            let mut from = 0;
            while from < ends.len() {
                let mut to = from;
                let mut mean = ends[from][hand];
                while to < ends.len() && is_off(to) && ends[to][hand].distance(mean) < STRAY_M {
                    to += 1;
                    mean += (ends[to - 1][hand] - mean) / (to - from) as f32;
                }
                if (to - from) as f32 / self.recording.rate_hz as f32 >= MIN_SECS {
                    found.push(IntendedGrip { hand, frames: from..to });
                }
                from = to.max(from + 1);
            }
        }
        found
    }

    /// A world with a hold at each place where a hand or foot rests off the floor.
    fn world(&self, grips: &[IntendedGrip]) -> Result<World, BoxError> {
        let floor_m = self.recording.calibration.floor_m();
        let mut places: Vec<(Vec3, bool)> = Vec::new();
        let mut add = |ends: &[[Vec3; 2]], grips: &[IntendedGrip], is_hand: bool| {
            for grip in grips {
                let count = grip.frames.len() as f32;
                let place = grip.frames.clone().map(|frame| ends[frame][grip.hand]).sum::<Vec3>() / count;
                if !places.iter().any(|(other, _)| other.distance(place) < SAME_M) {
                    places.push((place, is_hand));
                }
            }
        };
        add(&self.hands, grips, true);
        add(&self.feet, &self.resting(&self.feet), false);
        let start = self.recording.poses[0].view().root_position();
        let mut text = format!(
            "start = {{ at = [{}, 0, {}], yaw_deg = {} }}\ncharacter_height_m = {}\n",
            start.x,
            start.z,
            self.recording.calibration.yaw_rad().to_degrees(),
            self.recording.calibration.height_m().clamp(0.5, 3.0),
        );
        text +=
            "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\n";
        for (index, (at, is_hand)) in places.iter().enumerate() {
            // The ankle is above what a foot stands on.
            let y = at.y - floor_m - if *is_hand { 0.0 } else { 0.08 };
            text += &format!("[[feature]]\nname = \"hold {index}\"\nlike = \"rock\"\n");
            text +=
                &format!("geometry = {{ point = {{ at = [{}, {y}, {}], radius_m = 0.03 }} }}\n", at.x, at.z);
            text += "engage = { within_m = 0.25 }\n";
        }
        Ok(World::from_toml(&text)?)
    }

    /// Walks on a floor; returns how far the character ends from where the performer ends, relative to the performer's way.
    fn walk(&self) -> Result<f64, BoxError> {
        let world = self.world(&[])?;
        let calibration = &self.recording.calibration;
        let scale = world.character_height_m / calibration.height_m();
        let motions: BTreeMap<String, Clip> = built_in_motions()?;
        let mut session = PerformSession::new(world, &motions, calibration, PerformSettings::default())?;
        let mut places = [Vec::new(), Vec::new()];
        self.recording.perform(&mut session, |frame, session| {
            places[0].push(scale * self.recording.poses[frame].view().root_position().with_y(0.0));
            places[1].push(session.pose().view().root_position().with_y(0.0));
        });
        let step = (0.25 * self.recording.rate_hz) as usize;
        let way = |places: &[Vec3]| places.windows(2).map(|two| two[0].distance(two[1])).sum::<f32>();
        let sparse: Vec<Vec3> = places[0].iter().copied().step_by(step.max(1)).collect();
        let [performer, character] = places.map(|places| places[places.len() - 1] - places[0]);
        Ok(f64::from(performer.distance(character) / way(&sparse).max(0.1)))
    }

    /// Performs in a world; returns which hands hold something in each frame.
    fn perform(&self, world: World, speeds: &mut Speeds) -> Result<Vec<[bool; 2]>, BoxError> {
        let calibration: &Calibration = &self.recording.calibration;
        let scale = world.character_height_m / calibration.height_m();
        let motions: BTreeMap<String, Clip> = built_in_motions()?;
        let mut session = PerformSession::new(world, &motions, calibration, PerformSettings::default())?;
        let mut held = Vec::new();
        let mut performer = WorldPose::scratch(calibration.skeleton());
        let secs = (1.0 / self.recording.rate_hz) as f32;
        self.recording.perform(&mut session, |frame, session| {
            let holds = session.state().holds;
            held.push([holds[0].is_some(), holds[1].is_some()]);
            performer.set(self.recording.poses[frame].view());
            let scaled: Vec<Vec3> = performer.positions.iter().map(|at| *at * scale).collect();
            speeds.add(session, &scaled, secs);
        });
        Ok(held)
    }
}

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let Some(folder) = data::captured(args, "") else { return Ok(Vec::new()) };
    let mut rows = Vec::new();
    for half in [Half::Tuning, Half::Report] {
        for walks in WALKS {
            let files = marey_capture::files_of_half(&folder.join(walks), "bvh", half);
            let mut off = Vec::new();
            for path in files.iter().take(MAX_TAKES) {
                off.push(100.0 * Performer::read(path)?.walk()?);
            }
            off.sort_by(f64::total_cmp);
            let row = |name: &str, value: f64| {
                Row::new(
                    &format!("perform: distance from a walking performer at the end, {name}"),
                    walks,
                    value,
                    "% of the way",
                )
                .aim(Aim::AtMost(10.0))
                .of_half(half)
            };
            rows.extend(off.get(off.len() / 2).map(|median| row("median", *median)));
            rows.extend(off.last().map(|worst| row("worst", *worst)));
        }
        let (mut intended, mut happened) = (0, 0);
        let mut worlds = Vec::new();
        for path in marey_capture::files_of_half(&folder.join("cmu/playground_climb"), "bvh", half) {
            let performer = Performer::read(&path)?;
            let grips = performer.resting(&performer.hands);
            let world = performer.world(&grips)?;
            let mut speeds = Speeds::default();
            let held = performer.perform(world.clone(), &mut speeds)?;
            let is_held = |grip: &&IntendedGrip| {
                let count = grip.frames.clone().filter(|frame| held[*frame][grip.hand]).count();
                2 * count >= grip.frames.len()
            };
            let here = grips.iter().filter(is_held).count();
            rows.push(
                Row::new("perform: captured grips that happen", &performer.name, here as f64, "grips")
                    .against("intended", grips.len() as f64)
                    .of_half(half),
            );
            rows.extend(speeds.rows(&performer.name).into_iter().map(|row| row.of_half(half)));
            (intended, happened) = (intended + grips.len(), happened + here);
            worlds.push(world);
        }
        let share = happened as f64 / intended.max(1) as f64;
        rows.push(
            Row::new("perform: share of captured grips that happen", "playground_climb", share, "share")
                .aim(Aim::AtLeast(0.8))
                .of_half(half),
        );
        for unrelated in UNRELATED {
            let mut wrong = 0;
            let files = marey_capture::files_of_half(&folder.join(unrelated), "bvh", half);
            let mut speeds = Speeds::default();
            for path in files.iter().take(MAX_TAKES) {
                let performer = Performer::read(path)?;
                for world in &worlds {
                    speeds.restart();
                    let held = performer.perform(world.clone(), &mut speeds)?;
                    wrong += usize::from(held.iter().flatten().any(|held| *held));
                }
            }
            rows.push(
                Row::new("perform: unrelated takes in which a hand grips", unrelated, wrong as f64, "takes")
                    .against("takes × worlds", (files.len().min(MAX_TAKES) * worlds.len()) as f64)
                    .aim(Aim::AtMost(0.0))
                    .of_half(half),
            );
            rows.extend(speeds.rows(unrelated).into_iter().map(|row| row.of_half(half)));
        }
    }
    Ok(rows)
}
