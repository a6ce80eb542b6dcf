//! Two people where they meet: legs and trunks clear of each other, and the limb that strikes on what it strikes.

use marey_motion::{Clip, Ground, GroundTrack, LocalPose, Role, Vec3, WorldPose};
use marey_ops::reach::Reach;

use crate::steering::shares_until;
use crate::{Kind, Played, Result, Shape};

/// Over how long before and after it a limb is brought to what it strikes, in seconds.
const REACH_SECS: f64 = 0.22;
/// When legs and trunks are looked at, before and after the touch, in seconds.
const AROUND_SECS: [f64; 5] = [-0.3, -0.15, 0.0, 0.15, 0.3];
/// In how many frames of other movements they are looked at.
const ON_ITS_WAY: usize = 4;
/// Bodies whose hips are further apart are clear of each other, in metres.
const CLOSE_M: f32 = 0.75;
/// What a limb is too short for by more than this is out of its reach, in metres.
const NEAR_M: f32 = 0.01;
/// The end of a limb turns with it: how often its way is corrected by that.
const TURNS: usize = 3;
/// A strike is aimed through the surface by this much, in metres: it stops there ([`crate::Apart`]).
const THROUGH_M: f32 = 0.02;

/// How deep legs and trunks of two bodies are in each other, in metres, 0 where they are clear. Arms, and the limb of the first that is
/// named, are not asked: they can be [brought out](crate::Apart) by themselves.
pub(crate) fn crowded_m(bodies: [&WorldPose; 2], shapes: [&Shape; 2], but: Option<Role>) -> f32 {
    let mut placed = [Vec::new(), Vec::new()];
    for ((body, shape), capsules) in bodies.into_iter().zip(shapes).zip(&mut placed) {
        shape.place(body, capsules);
        capsules.retain(|capsule| !matches!(capsule.limb, Some(Role::LeftHand | Role::RightHand)));
    }
    placed[0].retain(|capsule| but.is_none() || capsule.limb != but);
    let gaps = placed[0].iter().flat_map(|own| placed[1].iter().map(|other| own.gap_m(other)));
    -gaps.fold(0.0, f32::min)
}

impl Played {
    /// How far over the floor the other has to be further away, in the world, for legs and trunks to be clear of each other around the
    /// touch.
    pub(crate) fn crowds(&self, other: &Played, shapes: &[Shape; 2]) -> Vec3 {
        let Some(touch) = self.touch else { return Vec3::ZERO };
        let frames =
            AROUND_SECS.map(|secs| (touch as f64 + secs * self.clip.rate_hz()).round().max(0.0) as usize);
        self.crowds_in(&frames, &|_| other, shapes)
    }

    /// The same for a movement that strikes nobody, all the way; who come near to each other in the examples may be as deep in each other
    /// as they were there.
    pub(crate) fn crowds_on_its_way<'a>(
        &self,
        other: &dyn Fn(usize) -> &'a Played,
        shapes: &[Shape; 2],
        usual_m: f32,
    ) -> Vec3 {
        let (start, count) = (self.placement.start, ON_ITS_WAY);
        let frames: Vec<usize> = (1..=count).map(|i| start + i * self.placement.frames / count).collect();
        let is_near = |frame: &usize| {
            let places = [self, other(*frame)].map(|one| one.ground_at(*frame).translation());
            places[0].distance(places[1]) < CLOSE_M
        };
        if !frames.iter().any(is_near) {
            return Vec3::ZERO;
        }
        let away = self.crowds_in(&frames, other, shapes);
        away.normalize_or_zero() * (away.length() - usual_m).max(0.0)
    }

    /// How far the other has to be further away where both are the deepest in each other, of some frames.
    fn crowds_in<'a>(
        &self,
        frames: &[usize],
        other: &dyn Fn(usize) -> &'a Played,
        shapes: &[Shape; 2],
    ) -> Vec3 {
        let strikes = self.encounter.filter(|_| self.kind == Kind::Offensive).map(|met| met.striker);
        let shapes = [&shapes[self.person], &shapes[1 - self.person]];
        let mut deepest = (0.0, Vec3::ZERO);
        for &frame in frames {
            let theirs = other(frame);
            let bodies = [self, theirs].map(|one| one.body_at(frame));
            let depth_m = crowded_m(bodies.each_ref(), shapes, strikes);
            if depth_m > deepest.0 {
                let [from, to] = [self, theirs].map(|one| one.ground_at(frame).translation());
                deepest = (depth_m, (to - from).normalize_or_zero());
            }
        }
        deepest.1 * deepest.0
    }

    /// Brings the limb that strikes to the surface of what it strikes on the other, as it met it in the other's example (section 5.1.3),
    /// or where it cannot get there, to the nearest surface; where it missed there, it is left alone. How far over the floor the limb
    /// is too short for it, in the world.
    pub(crate) fn reach_for(&mut self, other: &Played, shapes: &[Shape; 2], most_m: f32) -> Result<Vec3> {
        let (Some(own), Some(theirs), Some(touch)) = (self.encounter, other.encounter, self.touch) else {
            return Ok(Vec3::ZERO);
        };
        let skeleton = self.clip.skeleton().clone();
        let body = other.body_at(touch);
        let (Ok(limb), Some(struck)) =
            (Reach::of(&skeleton, own.striker), body.skeleton().joint_of(theirs.struck))
        else {
            return Ok(Vec3::ZERO);
        };
        if theirs.misses {
            return Ok(Vec3::ZERO);
        }
        let here = self.body_at(touch);
        let end = here.positions[limb.end()];
        let [mine, its] = [self.person, other.person].map(|person| &shapes[person]);
        // As if the end kept the way it is turned; what that leaves out is made up for below.
        let onto = |way: Vec3, struck: Option<Role>| {
            let (gap_m, out) = mine.gap_at(&here, own.striker, way, its, &body, struck);
            way - out * (gap_m + THROUGH_M)
        };
        let short = |way: Vec3| {
            let nearer = end + way.clamp_length_max(most_m);
            end + way - limb.carry(&mut LocalPose::rest(&skeleton), &here, nearer)
        };
        let goal = body.positions[struck] + other.ground_at(touch).direction(theirs.reach);
        let as_there = onto(goal - end, Some(theirs.struck));
        let nearest = onto(Vec3::ZERO, None);
        let is_far = short(as_there).length() > NEAR_M && short(nearest).length() < short(as_there).length();
        let (mut way, part) = if is_far { (nearest, None) } else { (as_there, Some(theirs.struck)) };
        let short = short(way);
        if short.length() < NEAR_M {
            for _ in 0..TURNS {
                let mut pose = self.pose_at(touch);
                limb.carry(&mut pose, &here, end + way.clamp_length_max(most_m));
                let (gap_m, out) =
                    mine.gap_at(&self.body_of(&pose), own.striker, Vec3::ZERO, its, &body, part);
                way -= out * (gap_m + THROUGH_M);
            }
        }
        // In the frame of the clip, which is carried as a whole.
        let way = self.placement.world_from_source.inverse().direction(way.clamp_length_max(most_m));
        let at = self.source_frame(touch);
        let window = (REACH_SECS * self.clip.rate_hz()).max(1.0);
        let mut parts = self.clip.clone().into_parts();
        let (joints, movers) = (skeleton.len(), skeleton.movers().len());
        let first = (at - window).ceil().max(0.0) as usize;
        let last = ((at + window).floor() as usize).min(self.clip.frames() - 1);
        let mut world = WorldPose::scratch(&skeleton);
        for frame in first..=last {
            let away = 1.0 - (frame as f64 - at).abs() / window;
            let share = (away * away * (3.0 - 2.0 * away)) as f32;
            let mut pose = self.clip.pose(frame).to_owned();
            world.set(pose.view());
            limb.carry(&mut pose, &world, world.positions[limb.end()] + way * share);
            parts.rotations[frame * joints..][..joints].copy_from_slice(&pose.rotations);
            parts.positions[frame * movers..][..movers].copy_from_slice(&pose.positions);
        }
        self.clip = Clip::new(skeleton, self.clip.rate_hz(), parts)?;
        Ok(short.with_y(0.0).clamp_length_max(most_m))
    }

    /// Goes further by some way in the world, until the two touch.
    pub(crate) fn step_on(&mut self, way: Vec3) -> Result<()> {
        if way == Vec3::ZERO {
            return Ok(());
        }
        let way = self.placement.world_from_source.inverse().direction(way);
        let until = self.source_frame(self.touch.unwrap_or_else(|| self.end()));
        let point = (until.round() as usize).clamp(1, (self.track.len() - 1).max(1));
        let shares = shares_until(point, &self.contacts, self.clip.rate_hz());
        let further = self.track.iter().enumerate().map(|(frame, ground)| {
            let way = way * shares[frame.min(point)];
            Ground::new(ground.x + way.x, ground.z + way.z, ground.yaw_rad)
        });
        let further = GroundTrack { frames: further.collect() };
        let track = GroundTrack { frames: std::mem::take(&mut self.track) };
        self.clip = self.clip.without_ground(&track)?.with_ground(&further)?;
        self.track = further.frames;
        Ok(())
    }
}
