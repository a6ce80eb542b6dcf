//! A motion segment in a few numbers: distance, rotation, duration, contacts at start and end.
//!
//! These numbers index a corpus and example motion. Lamouret and van de Panne (*Motion Synthesis by Example*, 1996, section 3.1) index
//! hops by their length a and height b, from take-off to landing. Park, Kwon, Shin and Shin (*Analysis and Synthesis of Interactive
//! Two-Character Motions*, 2004, table 1) classify segments by the feet that are down at their start and end (f1 to f4) and by the
//! steps of each foot (f5, f6).
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | a, b | `length_m`, `rise_m` of a jump | m |
//! | f1, f2 · f3, f4 | `start` · `end`: left foot down, right foot down | |
//! | f5, f6 | `steps`: left, right | |
//!
//! Limits: a jump is the longest flight of a segment that takes off and lands in it. A runner flies at every
//! step, and so jumps. Rotation is followed from frame to frame; more than half a turn between two frames
//! counts as the shorter one.

use std::ops::Range;

use marey_motion::{Clip, Contacts, Ground, Role, Side, Vec3, WorldPose};

use crate::{Result, gait};

/// The feet that are down.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Support {
    /// The left foot.
    pub left: bool,
    /// The right foot.
    pub right: bool,
}

/// A flight from one contact to another.
#[derive(Debug, Clone, PartialEq)]
pub struct Jump {
    /// The frames in the air, counted from the start of the clip.
    pub frames: Range<usize>,
    /// Horizontal distance from take-off to landing, in metres.
    pub length_m: f32,
    /// Height difference from take-off to landing, in metres; negative if the landing is lower.
    pub rise_m: f32,
    /// Rise of the hips above their height at take-off, in metres.
    pub height_m: f32,
}

/// A segment in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// Duration, in seconds.
    pub duration_secs: f64,
    /// The ground position in the last frame relative to the first.
    pub start_from_end: Ground,
    /// Distance between the two, in metres.
    pub displacement_m: f32,
    /// Rotation in radians, positive to the left. May exceed a whole turn.
    pub turn_rad: f32,
    /// Length of the path over the floor, in metres.
    pub path_m: f32,
    /// Mean speed along the path, in metres per second.
    pub speed_mps: f32,
    /// Feet that are down in the first frame.
    pub start: Support,
    /// Feet that are down in the last frame.
    pub end: Support,
    /// Number of steps: left, right.
    pub steps: [usize; 2],
    /// The longest flight.
    pub jump: Option<Jump>,
}

/// Shorter flights are gaps between contacts, in seconds.
const LEAST_FLIGHT_SECS: f64 = 0.1;

/// Summarises a range of frames; `contacts` are those of the clip.
///
/// ```
/// use std::sync::Arc;
/// use marey_motion::{Clip, ClipParts, Contact, Contacts, Joint, Quat, Role, Skeleton, Vec3};
/// use marey_ops::summary::summarise;
/// // Hips over two feet: they stand for 10 frames, hop 2 m ahead and 0.5 m up in 10 frames, stand for 10. 10 frames a second.
/// let joints = vec![
///     Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
///     Joint::new("left", Some(0), Vec3::Y * -1.0).with_role(Role::LeftFoot),
///     Joint::new("right", Some(0), Vec3::Y * -1.0).with_role(Role::RightFoot),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let hop = |f: i32| match f { 0..10 => Vec3::Y, 10..20 => Vec3::new(0.0, 2.0, 1.0), _ => Vec3::new(0.0, 1.5, 2.0) };
/// let positions = (0..30).map(hop).collect();
/// let clip = Clip::new(skeleton, 10.0, ClipParts { rotations: vec![Quat::IDENTITY; 90], positions })?;
/// let contacts = [Role::LeftFoot, Role::RightFoot]
///     .iter()
///     .flat_map(|&role| [0..10, 20..30].map(|frames| Contact { role, frames }))
///     .collect();
/// let summary = summarise(&clip, &Contacts::new(contacts, 30)?, 0..30)?;
/// assert_eq!((summary.duration_secs, summary.displacement_m, summary.turn_rad), (3.0, 2.0, 0.0));
/// assert!(summary.start.left && summary.end.right);
/// assert_eq!(summary.steps, [1, 1]);
/// let jump = summary.jump.unwrap();
/// assert_eq!((jump.frames, jump.length_m, jump.rise_m, jump.height_m), (10..20, 2.0, 0.5, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn summarise(clip: &Clip, contacts: &Contacts, frames: Range<usize>) -> Result<Summary> {
    let segment = clip.slice(frames.clone())?;
    let ground = segment.ground_track().frames;
    let (first, last) = (ground[0], ground[ground.len() - 1]);
    let steps = ground.windows(2).map(|pair| pair[0].inverse() * pair[1]);
    let (path_m, turn_rad) = steps
        .fold((0.0, 0.0), |(path, turn), step| (path + step.translation().length(), turn + step.yaw_rad));
    let plants = gait::plants(contacts, clip.rate_hz(), &gait::GaitSettings::default())?;
    let support = |frame: usize| {
        let down =
            |foot: Side| plants.iter().any(|plant| plant.foot == foot && plant.frames.contains(&frame));
        Support { left: down(Side::Left), right: down(Side::Right) }
    };
    let landed = |foot: Side| {
        let own = plants.iter().filter(|plant| plant.foot == foot && plant.frames.start > 0);
        own.filter(|plant| frames.contains(&plant.frames.start)).count()
    };
    let start_from_end = first.inverse() * last;
    let duration_secs = segment.duration_secs();
    Ok(Summary {
        duration_secs,
        start_from_end,
        displacement_m: start_from_end.translation().length(),
        turn_rad,
        path_m,
        speed_mps: path_m / duration_secs as f32,
        start: support(frames.start),
        end: support(frames.end - 1),
        steps: Side::BOTH.map(landed),
        jump: longest_flight(&plants, &frames, clip.rate_hz()).and_then(|flight| jump(clip, &plants, flight)),
    })
}

/// The longest interval inside a range in which no foot is down, with contacts before and after; the first of
/// several.
fn longest_flight(plants: &[gait::FootPlant], frames: &Range<usize>, rate_hz: f64) -> Option<Range<usize>> {
    let mut longest: Option<Range<usize>> = None;
    let mut down_until: Option<usize> = None;
    for plant in plants.iter().filter(|plant| plant.frames.end > frames.start) {
        if plant.frames.start >= frames.end {
            break;
        }
        if let Some(until) = down_until
            && plant.frames.start > until
            && plant.frames.start - until > longest.as_ref().map_or(0, ExactSizeIterator::len)
        {
            longest = Some(until..plant.frames.start);
        }
        down_until = Some(down_until.map_or(plant.frames.end, |until| until.max(plant.frames.end)));
    }
    longest.filter(|flight| flight.len() as f64 >= LEAST_FLIGHT_SECS * rate_hz)
}

/// The properties of a flight.
fn jump(clip: &Clip, plants: &[gait::FootPlant], frames: Range<usize>) -> Option<Jump> {
    let take_off = feet_down(clip, plants, frames.start.checked_sub(1)?)?;
    let landing = feet_down(clip, plants, frames.end)?;
    let hips = clip.skeleton().joint_of(Role::Hips).unwrap_or(0);
    let mut world = WorldPose::scratch(clip.skeleton());
    let mut height = |frame: usize| {
        world.set(clip.pose(frame));
        world.positions[hips].y
    };
    let before = height(frames.start - 1);
    let top = frames.clone().map(&mut height).fold(before, f32::max);
    let flight = landing - take_off;
    Some(Jump { frames, length_m: flight.x.hypot(flight.z), rise_m: flight.y, height_m: top - before })
}

/// The mean position of the feet that are down in a frame.
fn feet_down(clip: &Clip, plants: &[gait::FootPlant], frame: usize) -> Option<Vec3> {
    let down = plants.iter().filter(|plant| plant.frames.contains(&frame));
    let joints = down.filter_map(|plant| {
        let joint = |role: Role| clip.skeleton().joint_of(role.on(plant.foot));
        joint(Role::LeftFoot).or_else(|| joint(Role::LeftToes))
    });
    let mut world = WorldPose::scratch(clip.skeleton());
    world.set(clip.pose(frame));
    let places: Vec<Vec3> = joints.map(|joint| world.positions[joint]).collect();
    (!places.is_empty()).then(|| places.iter().sum::<Vec3>() / places.len() as f32)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{ClipParts, Joint, Quat, Skeleton};
    use proptest::prelude::*;

    use super::*;

    /// A lone root that turns by `turn_rad` per frame and moves forward by `step_m`.
    fn turning(frames: usize, turn_rad: f32, step_m: f32) -> Clip {
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("root", None, Vec3::ZERO)], vec![]).unwrap());
        let mut parts = ClipParts::default();
        let mut at = Ground::IDENTITY;
        for _ in 0..frames {
            parts.rotations.push(Quat::from_rotation_y(at.yaw_rad));
            parts.positions.push(at.translation() + Vec3::Y);
            at = at * Ground::new(0.0, step_m, turn_rad);
        }
        Clip::new(skeleton, 30.0, parts).unwrap()
    }

    fn plants(down: &[bool]) -> Vec<gait::FootPlant> {
        let starts = (0..down.len()).filter(|&f| down[f] && (f == 0 || !down[f - 1]));
        let plant = |start: usize| gait::FootPlant {
            foot: Side::Left,
            frames: start..(start..down.len()).find(|&f| !down[f]).unwrap_or(down.len()),
        };
        starts.map(plant).collect()
    }

    proptest! {
        #[test]
        fn rotations_accumulate_beyond_a_turn(turn in -0.5f32..0.5, step in 0f32..0.1) {
            let clip = turning(60, turn, step);
            let summary = summarise(&clip, &Contacts::default(), 5..50).unwrap();
            prop_assert!((summary.turn_rad - 44.0 * turn).abs() < 1e-3);
            prop_assert!((summary.path_m - 44.0 * step).abs() < 1e-3);
            prop_assert!(summary.displacement_m <= summary.path_m + 1e-4);
            prop_assert_eq!((summary.jump, summary.start), (None, Support::default()));
        }

        #[test]
        fn longest_flight_equals_the_reference(
            down in proptest::collection::vec(any::<bool>(), 1..60), start in 0usize..20, len in 1usize..60,
        ) {
            let frames = start.min(down.len() - 1)..(start + len).min(down.len()).max(start.min(down.len() - 1) + 1);
            let mut wanted: Option<Range<usize>> = None;
            for from in frames.clone().skip(1).filter(|&f| !down[f] && down[f - 1]) {
                let until = (from..frames.end).find(|&f| down[f]);
                if let Some(until) = until.filter(|u| u - from > wanted.as_ref().map_or(0, |w| w.len())) {
                    wanted = Some(from..until);
                }
            }
            // At 10 Hz a flight of one frame is long enough.
            prop_assert_eq!(longest_flight(&plants(&down), &frames, 10.0), wanted);
        }
    }

    #[test]
    fn empty_ranges_are_rejected() {
        let clip = turning(10, 0.0, 0.0);
        assert!(summarise(&clip, &Contacts::default(), 5..5).is_err());
        assert!(summarise(&clip, &Contacts::default(), 5..11).is_err());
    }
}
