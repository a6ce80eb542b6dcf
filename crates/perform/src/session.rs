//! A performer and a character in a world, frame by frame.

use std::collections::BTreeMap;

use glam::{Quat, Vec3};
use marey_motion::{Clip, LocalPose, LocalPoseRef, Report, WorldPose};

use crate::basis::Basis;
use crate::blend::Blend;
use crate::body::Body;
use crate::calibration::Calibration;
use crate::composition::Composer;
use crate::contact::Wish;
use crate::engage::{By, Condition, Effector, Situation};
use crate::example::Example;
use crate::geometry::Geometry;
use crate::guard::Guard;
use crate::integration::{Integrator, Solved, Target};
use crate::intention::Intention;
use crate::performed::{Performed, follow};
use crate::settings::Settings;
use crate::simulation::{Line, STEPS_HZ, Simulation};
use crate::spin::{Flight, Spin};
use crate::world::World;
use crate::{Error, Result, water};

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
    solids: Vec<Geometry>,
    /// Time that is simulated beyond the last whole step, in seconds.
    ahead_secs: f32,
    centre_before: Vec3,
    /// The last pose's rotations, the root's as the performer stands.
    last: Vec<Quat>,
    now: Now,
    targets: Vec<Target>,
}

/// The examples that a world's features show.
#[derive(Debug, Clone)]
struct Shown {
    examples: Vec<Example>,
    /// Which of them each feature shows.
    of_feature: Vec<Option<usize>>,
}

impl Shown {
    fn of(world: &World, motions: &BTreeMap<String, Clip>, body: &Body) -> Result<Self> {
        let mut names: Vec<&str> = Vec::new();
        let mut shown = Self { examples: Vec::new(), of_feature: Vec::with_capacity(world.features.len()) };
        for feature in &world.features {
            let Some(name) = feature.motion.as_deref() else {
                shown.of_feature.push(None);
                continue;
            };
            if !names.contains(&name) {
                let missing = || Error::MissingMotion {
                    line: feature.line,
                    feature: feature.name.clone(),
                    motion: name.to_owned(),
                };
                shown.examples.push(Example::new(motions.get(name).ok_or_else(missing)?, body)?);
                names.push(name);
            }
            shown.of_feature.push(names.iter().position(|other| *other == name));
        }
        Ok(shown)
    }
}

fn conditions(world: &World) -> Vec<Box<dyn Condition>> {
    world.features.iter().map(|feature| Box::new(feature.engage) as Box<dyn Condition>).collect()
}

/// The pose that is meant, and its ends away from its centre of mass.
#[derive(Debug, Clone)]
struct Meant {
    pose: LocalPose,
    world: WorldPose,
    r: [Vec3; 4],
    rate: [Vec3; 4],
    fresh: bool,
}

/// A grip from when it began.
#[derive(Debug, Clone, Copy, Default)]
struct Grip {
    secs: f32,
    /// From the contact to where the end was.
    gap: Vec3,
    /// Whether the hand was closed a frame ago.
    closed: bool,
    /// How long a web is, where it is one, in metres.
    web_m: Option<f32>,
    /// How much shorter than the performer's a leg is that came down bent, in metres.
    short_m: f32,
}

impl Grip {
    /// How long the end takes to come to its hold, in seconds: as long as its way is.
    fn closing_secs(&self) -> f32 {
        (self.gap.length() / CLOSING_MPS).clamp(CLOSING_SECS, STEP_SECS)
    }

    /// Where the end is against its hold while it comes there: a foot that has some way to go is lifted.
    fn closing(&self, effector: Effector) -> Vec3 {
        let left = (1.0 - self.secs / self.closing_secs()).clamp(0.0, 1.0);
        let left = left * left * (3.0 - 2.0 * left);
        let way = self.gap.with_y(0.0).length();
        let lift = if effector.is_hand() { 0.0 } else { (0.4 * way).min(0.06) * 4.0 * left * (1.0 - left) };
        self.gap * left + Vec3::Y * lift
    }
}

/// What goes on at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Now {
    /// The simulated centre of mass, in metres.
    pub centre: Vec3,
    /// Its velocity, in metres a second.
    pub velocity: Vec3,
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

/// How fast an end comes to its hold, in metres a second; and how long it takes at least and at most, in seconds.
const CLOSING_MPS: f32 = 1.2;
const CLOSING_SECS: f32 = 0.08;
const STEP_SECS: f32 = 0.3;
/// A foot this far from where it is meant steps there, in metres.
const ASTRAY_M: f32 = 0.1;
/// How much farther than the performer's a foot may be before it leaves, in metres: knees are soft.
const PLAY_M: f32 = 0.015;
/// A foot this much higher than the other is being lifted, in metres.
const STEP_M: f32 = 0.02;
/// How fast a leg that came down bent is stretched, in metres a second.
const STRETCH_MPS: f32 = 0.8;
/// How near to straight towards its anchor an arm must be to shoot a web: the cosine of the angle.
const AIM: f32 = 0.9;
/// A web is drawn in by this share when it is shot.
const DRAWN: f32 = 0.9;
/// Ends of limbs go into solids this deep before anything is wrong with the world, in metres.
const UNSOLVED_M: f32 = 0.01;

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
                pose: rest,
                world: at_rest,
                r: [Vec3::ZERO; 4],
                rate: [Vec3::ZERO; 4],
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
            last: vec![Quat::IDENTITY; joints],
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

    /// ln p of the character's pose under a feature's example, up to a constant; higher is more like it.
    pub fn log_likelihood(&self, feature: usize) -> Option<f32> {
        let example = &self.shown.examples[self.shown.of_feature.get(feature).copied().flatten()?];
        let mut pose = self.pose().clone();
        let yaw_rad = self.body.yaw_rad(self.world_pose()).unwrap_or(0.0);
        pose.rotations[0] = Quat::from_rotation_y(-yaw_rad) * pose.rotations[0];
        Some(example.log_likelihood(&pose))
    }

    /// Solves the last frame's problem of eq. 12 again, in the space of all joints at once and without the example: what integration is
    /// measured against. The pose is then that one.
    pub fn solve_in_joint_space(&mut self) -> Solved {
        let every = [usize::MAX];
        self.integrator.solve_expanding(
            &self.body,
            &self.plain,
            &self.meant.pose,
            self.now.centre,
            &self.targets,
            &self.solids,
            &every,
        )
    }

    /// Solves it again as [`Session::step`] does.
    pub fn solve_again(&mut self) -> Solved {
        let example = self.now.imitates.and_then(|feature| self.shown.of_feature[feature]);
        let basis = example.map_or(&self.plain, |example| &self.shown.examples[example].basis);
        self.integrator.solve(
            &self.body,
            basis,
            &self.meant.pose,
            self.now.centre,
            &self.targets,
            &self.solids,
        )
    }

    fn advance(&mut self, closed: [bool; 2], secs: f32) -> &LocalPose {
        self.perform(secs);
        self.find_water();
        let changed = self.intend(secs);
        self.compose(changed, secs);
        let changed = self.engage(closed, secs);
        if changed {
            self.blend.begin(&self.last, &self.meant.pose);
        }
        self.blend.apply(&mut self.meant.pose, secs, self.settings.composition.blend_secs);
        self.wish();
        self.simulate(secs);
        self.turn(secs);
        self.integrate();
        self.integrator.pose()
    }

    /// The performer, in the character's size.
    fn perform(&mut self, secs: f32) {
        self.scaled.rotations.copy_from_slice(&self.guard.pose.rotations);
        for (scaled, place) in self.scaled.positions.iter_mut().zip(&self.guard.pose.positions) {
            *scaled = *place * self.scale;
        }
        self.performed.update(&self.body, &self.scaled, self.floor_m, secs);
    }

    fn find_water(&mut self) {
        let centre = self.simulation.centre();
        let in_it = |(number, feature): (usize, &crate::Feature)| {
            let is_water = feature.engage.by == By::Body && feature.dynamics.water.is_some();
            (is_water && feature.geometry.nearest(centre).distance_m < 0.0).then_some(number)
        };
        self.now.water = self.world.features.iter().enumerate().find_map(in_it);
    }

    /// Section 6.1: whether the performer imitates the example of what is held; whether that changed.
    fn intend(&mut self, secs: f32) -> bool {
        let standing = self.performed.stands.contains(&true);
        for (intention, example) in self.intentions.iter_mut().zip(&self.shown.examples) {
            let (before, now) = (&self.performed.movement_before, &self.performed.movement);
            if standing {
                intention.look(&example.likeness, before, now, secs);
            } else {
                intention.forget();
            }
        }
        for number in 0..self.intentions.len() {
            let others = self.intentions.iter().enumerate().filter(|(other, _)| standing && *other != number);
            let rival = others.map(|(_, other)| other.distance()).fold(f32::MAX, f32::min);
            self.intentions[number].judge(rival, secs, &self.settings.intention);
        }
        // Hands come before water, water before feet.
        let held = self.now.holds;
        let candidates = [held[0], held[1], self.now.water, held[2], held[3]];
        let imitates = candidates.into_iter().flatten().find(|feature| {
            self.shown.of_feature[*feature].is_some_and(|example| self.intentions[example].imitates)
        });
        let example = |feature: Option<usize>| feature.and_then(|feature| self.shown.of_feature[feature]);
        let changed = example(imitates) != example(self.now.imitates);
        self.now.imitates = imitates;
        changed
    }

    /// Section 6.2: the pose that is meant, as the performer stands.
    fn compose(&mut self, changed: bool, secs: f32) {
        self.meant.pose.rotations.copy_from_slice(&self.performed.pose.rotations);
        self.meant.pose.positions.copy_from_slice(&self.performed.pose.positions);
        let example = self.now.imitates.and_then(|feature| self.shown.of_feature[feature]);
        match example {
            Some(number) => self.mix(number),
            None => self.composer.forget(),
        }
        if changed {
            self.blend.begin(&self.last, &self.meant.pose);
        }
        self.meant.world.set(self.meant.pose.view());
        let centre = self.body.centre(&self.meant.world.positions);
        let share = 1.0 - (-secs / 0.02f32).exp();
        for effector in Effector::ALL {
            let slot = effector as usize;
            // Hands do as the performer's; feet as the pose that is meant.
            let new = self.body.end(&self.meant.world, effector) - centre;
            let (r, rate) = (&mut self.meant.r[slot], &mut self.meant.rate[slot]);
            follow(r, rate, new, secs, share, self.meant.fresh || changed);
            if effector.is_hand() {
                (*r, *rate) = (self.performed.r[slot], self.performed.rate[slot]);
            }
        }
        self.meant.fresh = false;
    }

    /// The integration rule: what is constrained on the performer and free on the character comes from the example.
    fn mix(&mut self, number: usize) {
        let example = &self.shown.examples[number];
        let (composer, movement) = (&mut self.composer, &self.performed.movement);
        let composed = composer.compose(&self.body, example, number, movement, &self.settings.composition);
        let mut from_example = 0;
        for effector in [Effector::LeftFoot, Effector::RightFoot] {
            let slot = effector as usize;
            let bound = self.performed.stands[slot - 2];
            // Who walks in the world cannot in the room: there feet count as bound, here as free.
            let free = self.simulation.holds[slot].is_none() || example.stands;
            if !(bound && free) {
                continue;
            }
            from_example += 1;
            for &joint in &self.body.branches[slot] {
                self.meant.pose.rotations[joint] = composed.rotations[joint];
            }
        }
        if from_example == 2 {
            // The trunk stands on the performer's legs, so it comes from where they do.
            let heading = Quat::from_rotation_y(self.performed.yaw_rad);
            if example.lies {
                self.meant.pose.rotations.copy_from_slice(&composed.rotations);
            }
            self.meant.pose.rotations[0] = heading * composed.rotations[0];
        }
    }

    /// Section 4: which ends hold what; whether that changed.
    fn engage(&mut self, closed: [bool; 2], secs: f32) -> bool {
        let mut changed = false;
        for effector in Effector::ALL {
            let slot = effector as usize;
            let closed = effector.is_hand() && closed[slot.min(1)];
            let centre = self.simulation.centre();
            let place = self.place_of(effector);
            let velocity = self.simulation.velocity() + self.spin.turn * self.meant.rate[slot];
            let lifted = self.meant.r[slot].y - self.meant.r[2].y.min(self.meant.r[3].y) > STEP_M;
            let firm = !effector.is_hand() && self.performed.stands[slot.saturating_sub(2)] && !lifted;
            let near = |feature: usize| match effector.is_hand() {
                true => self.simulation.nearest(feature, place),
                false => self.simulation.nearest_to_foot(feature, place),
            };
            let situation = |feature: usize, holds: bool| Situation {
                effector,
                place,
                velocity,
                closed,
                nearest: near(feature),
                centre,
                holds,
                firm,
            };
            let held = self.simulation.holds[slot].map(|hold| hold.feature);
            // A leg does not pull: where it is stretched, the foot leaves.
            let at = self.simulation.held(slot);
            let stretched =
                !effector.is_hand() && at.is_some_and(|held| held.distance(centre) > self.reach_m(slot));
            let astray = firm && at.is_some_and(|held| self.is_astray(slot, held, place));
            let kept = held.filter(|feature| match self.grips[slot].web_m {
                Some(_) => closed,
                None => {
                    !stretched && !astray && self.conditions[*feature].engages(&situation(*feature, true))
                }
            });
            let new = kept.or_else(|| {
                let possible = (0..self.world.features.len()).filter_map(|feature| {
                    let engage = &self.world.features[feature].engage;
                    let situation = situation(feature, false);
                    let takes =
                        engage.takes(effector) && self.world.features[feature].dynamics.web_reach_m == 0.0;
                    (takes && !stretched && self.conditions[feature].engages(&situation))
                        .then_some((feature, situation.nearest.distance_m.abs()))
                });
                possible.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(feature, _)| feature)
            });
            let shot =
                (new.is_none() && closed && !self.grips[slot].closed).then(|| self.aim(effector)).flatten();
            if kept.is_none() && (held.is_some() || new.is_some() || shot.is_some()) {
                changed = true;
                self.simulation.release(slot);
                self.grips[slot].web_m = None;
                if let Some(feature) = new {
                    self.grip(effector, feature, place);
                } else if let Some(feature) = shot {
                    self.shoot(slot, feature);
                }
            }
            self.grips[slot].secs += secs;
            self.grips[slot].short_m = (self.grips[slot].short_m - STRETCH_MPS * secs).max(0.0);
            self.grips[slot].closed = closed;
        }
        for slot in 0..4 {
            self.now.holds[slot] = self.simulation.holds[slot].map(|hold| hold.feature);
        }
        changed
    }

    /// Where an end of a limb is meant to be. A hand that reaches while the other holds is told from that one: a body that hangs is not
    /// where one that stands is, but hands are as far from each other.
    fn place_of(&self, effector: Effector) -> Vec3 {
        let slot = effector as usize;
        let other = 1 - slot.min(1);
        let held =
            self.simulation.held(other).filter(|_| effector.is_hand() && self.grips[other].web_m.is_none());
        match held {
            Some(held) => held + self.spin.turn * (self.meant.r[slot] - self.meant.r[other]),
            None => self.simulation.centre() + self.spin.turn * self.meant.r[slot],
        }
    }

    /// How far the centre of mass may be from an end: as far as a limb reaches, or as the pose that is meant has it.
    fn reach_m(&self, slot: usize) -> f32 {
        self.body.reach_m[slot].max(self.meant.r[slot].length() + PLAY_M)
    }

    /// Whether a foot stands so far from where it is meant to stand that it should step there, the other foot standing.
    fn is_astray(&self, slot: usize, held: Vec3, place: Vec3) -> bool {
        let other = 5 - slot;
        let steady = self.simulation.holds[other].is_some() && self.grips[other].secs > STEP_SECS;
        let off = (held - place).with_y(0.0).length();
        self.now.imitates.is_none() && steady && self.grips[slot].secs > STEP_SECS && off > ASTRAY_M
    }

    fn grip(&mut self, effector: Effector, feature: usize, place: Vec3) {
        let slot = effector as usize;
        let gains = self.world.features[feature].dynamics;
        let contact = match effector.is_hand() {
            true => self.simulation.nearest(feature, place).point,
            false => self.simulation.nearest_to_foot(feature, place).point,
        };
        let pulls = effector.is_hand() && gains.pulls;
        // A rock bears feet as a floor does.
        let gains = if effector.is_hand() || !gains.pulls { gains } else { crate::Dynamics::FLOOR };
        let line = if pulls { Line::Both } else { Line::Push };
        self.simulation.hold(slot, feature, contact, self.reach_m(slot), line, gains);
        self.grips[slot].secs = 0.0;
        self.grips[slot].gap = self.body.end(self.integrator.world(), effector) - contact;
        // Who comes down low gets up in time, not at once.
        let short_m = self.meant.r[slot].length() - contact.distance(self.simulation.centre());
        self.grips[slot].short_m = if pulls { 0.0 } else { short_m.max(0.0) };
    }

    /// The anchor that an arm points at, where one is within reach of a web.
    fn aim(&self, effector: Effector) -> Option<usize> {
        let centre = self.simulation.centre();
        let root = self.body.roots[effector as usize];
        let shoulder = self.performed.world.positions[root] - self.performed.centre;
        let arm = self.spin.turn * (self.performed.r[effector as usize] - shoulder);
        let from = centre + self.spin.turn * shoulder;
        let anchors = self.world.features.iter().enumerate().filter_map(|(number, feature)| {
            let reach_m = feature.dynamics.web_reach_m;
            let to = self.simulation.nearest(number, from).point - from;
            let aimed = to.normalize_or_zero().dot(arm.normalize_or_zero());
            (reach_m > 0.0 && to.length() <= reach_m && aimed > AIM).then_some((number, aimed))
        });
        anchors.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| number)
    }

    fn shoot(&mut self, slot: usize, feature: usize) {
        let centre = self.simulation.centre();
        let anchor = self.simulation.nearest(feature, centre).point;
        let gains = self.world.features[feature].dynamics;
        let length_m = DRAWN * anchor.distance(centre);
        self.simulation.hold(slot, feature, anchor, f32::from(u16::MAX), Line::Pull, gains);
        self.grips[slot].secs = 0.0;
        self.grips[slot].gap = Vec3::ZERO;
        self.grips[slot].web_m = Some(length_m);
    }

    /// What the performer wishes of each hold, at the end of this frame.
    fn wish(&mut self) {
        let feet = self.simulation.holds[2..].iter().flatten().count().max(1) as f32;
        let centre = self.simulation.centre();
        for slot in 0..4 {
            let held = self.simulation.held(slot);
            let Some(hold) = &mut self.simulation.holds[slot] else { continue };
            let mut wish =
                Wish { r: self.spin.turn * self.meant.r[slot], rate: self.spin.turn * self.meant.rate[slot] };
            let gains = &self.world.features[hold.feature].dynamics;
            if let (Some(length_m), Some(held)) = (self.grips[slot].web_m, held) {
                wish = Wish { r: (held - centre).normalize_or(Vec3::Y) * length_m, rate: Vec3::ZERO };
            } else if slot >= 2 {
                // Legs bear the weight without giving way.
                let sag_m = self.world.gravity_mps2 / (gains.stiffness.max(1.0) * feet);
                wish.r += wish.r.normalize_or_zero() * (sag_m - self.grips[slot].short_m);
            }
            let fresh = hold.wishes[1] == Wish::default();
            hold.wishes = if fresh { [wish; 2] } else { [hold.wishes[1], wish] };
            hold.reach_m = self.body.reach_m[slot].max(self.meant.r[slot].length() + PLAY_M);
        }
    }

    /// Section 5.
    fn simulate(&mut self, secs: f32) {
        let yaw_rad = self.spin.yaw_rad() + self.performed.yaw_rad;
        let step_secs = 1.0 / STEPS_HZ;
        self.ahead_secs += secs;
        let steps = (self.ahead_secs / step_secs) as usize;
        for step in 0..steps {
            self.centre_before = self.simulation.centre();
            let share = (step + 1) as f32 / steps as f32;
            let push =
                self.now.water.and_then(|number| self.world.features[number].dynamics.water).map(|water| {
                    let hands = [0, 1].map(|slot| self.spin.turn * self.performed.rate[slot]);
                    let velocity = self.simulation.velocity();
                    water::acceleration(&water, self.world.gravity_mps2, velocity, hands, yaw_rad)
                });
            self.simulation.step(share, yaw_rad, push.unwrap_or(Vec3::ZERO));
        }
        self.ahead_secs -= steps as f32 * step_secs;
        self.now.centre = self.centre_before.lerp(self.simulation.centre(), self.ahead_secs / step_secs);
        if steps == 0 || self.ahead_secs < 1e-6 {
            self.now.centre = self.simulation.centre();
        }
        self.now.velocity = self.simulation.velocity();
        let finish = self.world.finish;
        self.now.finished |=
            finish.is_some_and(|finish| finish.at.distance(self.now.centre) <= finish.radius_m);
    }

    /// Orientation: upright where something holds, thrown where nothing does.
    fn turn(&mut self, secs: f32) {
        let holding = self.simulation.holds.iter().any(Option::is_some) || self.now.water.is_some();
        if holding {
            self.spin.settle(secs);
        } else {
            if !self.now.flies {
                self.spin.leave(self.performed.lately * self.left_spin());
            }
            let flight = Flight {
                inertia: self.performed.inertia(&self.body),
                own: self.performed.own,
                secs,
                lands_secs: self.lands_secs(),
            };
            self.spin.fly(&flight);
        }
        self.now.flies = !holding;
        self.now.momentum = self.spin.momentum;
    }

    /// How much spin the feature gives that was left last: the nearest below the feet.
    fn left_spin(&self) -> f32 {
        let feet = self.now.centre + self.spin.turn * self.meant.r[2].midpoint(self.meant.r[3]);
        let features =
            self.world.features.iter().enumerate().filter(|(_, feature)| feature.engage.by == By::Feet);
        let nearest = features.map(|(number, feature)| {
            (self.simulation.nearest(number, feet).distance_m.abs(), feature.dynamics.spin)
        });
        nearest.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(0.0, |(_, spin)| spin)
    }

    /// How long until feet come to something that bears them, where the character falls, in seconds.
    fn lands_secs(&self) -> Option<f32> {
        let falls = -self.now.velocity.y;
        if falls <= 0.1 {
            return None;
        }
        let upright = Quat::from_scaled_axis(self.spin.tilt()) * self.spin.turn;
        let feet = self.now.centre + upright * self.meant.r[2].midpoint(self.meant.r[3]);
        let below =
            self.world.features.iter().enumerate().filter(|(_, feature)| feature.engage.by == By::Feet);
        let distances = below.map(|(number, _)| self.simulation.nearest(number, feet).distance_m);
        distances.min_by(f32::total_cmp).map(|distance_m| distance_m.max(0.0) / falls)
    }

    /// Section 7: the pose that meets all of it.
    fn integrate(&mut self) {
        let turn = self.spin.turn;
        self.meant.pose.rotations[0] = turn * self.meant.pose.rotations[0];
        self.targets.clear();
        self.now.settled = true;
        for effector in Effector::ALL {
            let slot = effector as usize;
            self.now.contacts[slot] = self.simulation.held(slot);
            let Some(held) = self.now.contacts[slot] else { continue };
            // A foot that is left behind has left, though that is only seen when the next frame comes.
            if !effector.is_hand() && held.distance(self.now.centre) > self.reach_m(slot) {
                continue;
            }
            let grip = &self.grips[slot];
            let place = match grip.web_m {
                // A hand holds its web where the web comes by.
                Some(_) => {
                    let length_m = self.performed.r[slot].length().min(self.body.reach_m[slot]);
                    self.now.centre + (held - self.now.centre).normalize_or(Vec3::Y) * length_m
                }
                None => held + grip.closing(effector),
            };
            self.now.settled &= grip.secs >= grip.closing_secs();
            self.targets.push(Target { point: self.body.ends[slot], place });
        }
        self.solids.clear();
        for (number, feature) in self.world.features.iter().enumerate() {
            if feature.geometry.is_solid() && feature.dynamics.water.is_none() {
                self.solids.push(self.simulation.geometry(number));
            }
        }
        self.now.solved = self.solve_again();
        let found = self.integrator.pose();
        self.last.copy_from_slice(&found.rotations);
        self.last[0] = turn.inverse() * found.rotations[0];
        if self.now.solved.error_m > UNSOLVED_M {
            self.guard.tell_unsolved(self.now.solved.error_m);
        }
    }
}
