//! One cycle of each real activity that performers imitate: on a bar, a rope, the floor and in water.

use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::Range;

use marey_body::BodyProportions;
use marey_motion::{
    Clip, ClipParts, Contact, Contacts, Ground, LocalPose, Quat, Role, Side, Tag, Take, Vec3, WorldPose,
};

use super::hand_path::{ClosedPath, HandPath, Hands, PULL, PULL_FRACTION, pulled_height};
use super::stance::{Stance, arm_m, pose_stance};
use crate::clock::Clock;
use crate::figure::{Figure, sign};
use crate::gait::{self, FootPose, Footsteps, GaitStyle, PelvisPose, Step, USUAL_STEP};
use crate::random::rng_stream;
use crate::{ActorTruth, Example, Result, Truth};

/// The activity of a world's feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cycle {
    /// Swinging on a bar by both hands, forward and back.
    Swing,
    /// Climbing a rope hand over hand, at a constant speed.
    Climb,
    /// Two steps on the floor.
    Walk,
    /// A breast-stroke, face down in the water.
    BreastStroke,
}

/// The height of the bar, in body heights.
const BAR: f32 = 1.45;

impl Cycle {
    /// Every cycle.
    pub const ALL: [Cycle; 4] = [Cycle::Swing, Cycle::Climb, Cycle::Walk, Cycle::BreastStroke];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Cycle::Swing => "swing",
            Cycle::Climb => "climb",
            Cycle::Walk => "walk",
            Cycle::BreastStroke => "breast-stroke",
        }
    }

    /// The duration, in seconds. It is a whole number of frames at any rate that is a multiple of ten.
    fn secs(self) -> f64 {
        match self {
            Cycle::Swing | Cycle::Climb => 2.0,
            Cycle::Walk => 1.0,
            Cycle::BreastStroke => 1.8,
        }
    }
}

/// Generates one cycle. The frame after the last one would equal the first, except for the travelled distance.
///
/// Truth: one label, and contacts: hands while they hold, feet while they stand.
///
/// ```
/// use marey_body::BodyProportions;
/// use marey_examples::playground::{Cycle, cycle};
/// let climb = cycle(Cycle::Climb, &BodyProportions::default(), 60.0)?;
/// assert_eq!(climb.take.frames(), 120);
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn cycle(which: Cycle, body: &BodyProportions, rate_hz: f64) -> Result<Example> {
    marey_ops::OutOfRange::check("rate_hz", rate_hz, 10.0..=1000.0)?;
    let figure = Figure::new(body)?;
    let frames = (which.secs() * rate_hz).round() as usize;
    // A cycle has a whole number of frames, so that it closes at every rate.
    let (clip, contacts) = match which {
        Cycle::Walk => walk(figure, rate_hz, frames)?,
        _ => off_floor(which, &figure, rate_hz, frames)?,
    };
    let take = Take::solo(which.name(), clip);
    let actor = ActorTruth { name: which.name().to_owned(), contacts: Contacts::new(contacts, frames)? };
    let label = Tag::new(which.name(), 0..frames, frames)?;
    let truth = Truth::of(&take, vec![actor], Vec::new(), vec![label]);
    Ok(Example { take, truth })
}

/// A stride of steady walking, cut out of a longer walk.
fn walk(figure: Figure, rate_hz: f64, frames: usize) -> Result<(Clip, Vec<Contact>)> {
    const STRIDES: usize = 9;
    const CUT: usize = 4;
    let stride_secs = frames as f64 / rate_hz;
    let style = GaitStyle { variation: 0.0, ..GaitStyle::default() };
    let steps: Vec<Step> = (0..2 * STRIDES)
        .map(|i| Step {
            side: if i % 2 == 0 { Side::Left } else { Side::Right },
            pause_secs: 0.0,
            secs: 0.5 * stride_secs,
            ahead_m: USUAL_STEP * figure.height_m,
            sideways_m: 0.0,
            turn_rad: 0.0,
            clearance: 1.0,
            scatter: Ground::IDENTITY,
            label: "walk",
        })
        .collect();
    let footsteps = Footsteps::place(&steps, &style, &figure);
    let clock = Clock { rate_hz, frames: STRIDES * frames };
    let duration_secs = stride_secs * STRIDES as f64;
    let performer = gait::Performer::new(figure, &footsteps, &style, duration_secs, &mut rng_stream(0, 0));
    let cut = CUT * frames..(CUT + 1) * frames;
    let clip = performer.record(rate_hz, clock.frames)?.slice(cut.clone())?;
    let mut parts = clip.clone().into_parts();
    let start = parts.positions[0].with_y(0.0);
    parts.positions.iter_mut().for_each(|place| *place -= start);
    let whole = gait::contacts(&footsteps, &clock)?;
    let contacts = whole.all().iter().filter_map(|contact| {
        let from = contact.frames.start.max(cut.start).checked_sub(cut.start)?;
        let until = contact.frames.end.min(cut.end).checked_sub(cut.start)?;
        (from < until).then_some(Contact { role: contact.role, frames: from..until })
    });
    let contacts = contacts.collect();
    Ok((Clip::new(clip.skeleton().clone(), rate_hz, parts)?, contacts))
}

/// A cycle off the floor.
fn off_floor(which: Cycle, figure: &Figure, rate_hz: f64, frames: usize) -> Result<(Clip, Vec<Contact>)> {
    let hands = Hands::new();
    let frog_kick = FrogKick::new();
    let mut parts = ClipParts::default();
    let mut pose = LocalPose::rest(&figure.skeleton);
    let mut world = WorldPose::scratch(&figure.skeleton);
    let mut closed = Vec::with_capacity(frames);
    for frame in 0..frames {
        let share = frame as f64 / frames as f64;
        let stance = match which {
            Cycle::Climb => climbing(figure, &hands, share),
            Cycle::BreastStroke => swimming(figure, &hands, &frog_kick, share),
            Cycle::Swing | Cycle::Walk => swinging(figure, share),
        };
        pose_stance(figure, &stance, &mut world, &mut pose);
        if which == Cycle::Swing {
            // The hands stay on the bar, and the body hangs from them.
            world.set(pose.view());
            let hand = |side| world.positions[figure.skeleton.joint_of(Role::LeftHand.on(side)).unwrap_or(0)];
            let grip = 0.5 * (hand(Side::Left) + hand(Side::Right));
            pose.positions[0] += Vec3::Y * BAR * figure.height_m - grip;
        }
        parts.push(pose.view());
        closed.push(stance.closed);
    }
    let contacts = Side::BOTH.into_iter().flat_map(|side| {
        runs(closed.iter().map(|closed| closed[side as usize]))
            .into_iter()
            .map(move |frames| Contact { role: Role::LeftHand.on(side), frames })
    });
    Ok((Clip::new(figure.skeleton.clone(), rate_hz, parts)?, contacts.collect()))
}

/// The runs of consecutive true frames.
pub(super) fn runs(frames: impl Iterator<Item = bool>) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (frame, _) in frames.enumerate().filter(|(_, is_true)| *is_true) {
        match runs.last_mut() {
            Some(run) if run.end == frame => run.end += 1,
            _ => runs.push(frame..frame + 1),
        }
    }
    runs
}

/// The pose of a foot whose ankle is at a position relative to the hip, in leg lengths, in the frame of the pelvis.
fn leg(figure: &Figure, pelvis: &PelvisPose, side: Side, at: Vec3, pointed_rad: f32) -> FootPose {
    let leg = figure.leg(side);
    let length_m = leg.thigh.length() + leg.shank.length();
    let offset = leg.hip + length_m * at * Vec3::new(sign(side), 1.0, 1.0);
    // The foot continues the direction of the leg.
    let forward_rad = at.z.atan2(-at.y);
    let rotation = pelvis.rotation * Quat::from_rotation_x(pointed_rad - forward_rad);
    FootPose { ankle: pelvis.position + pelvis.rotation * offset, rotation, yaw_rad: 0.0, toes_up_rad: 0.0 }
}

fn swinging(figure: &Figure, share: f64) -> Stance {
    let wave = (TAU * share).sin() as f32;
    // The legs lead the body slightly in time, to pump.
    let pump = (TAU * share + 0.7).sin() as f32;
    let pelvis = PelvisPose { position: Vec3::ZERO, rotation: Quat::from_rotation_x(-0.5 * wave) };
    let hip_rad = 0.28 + 0.36 * pump;
    let reach = 0.94 - 0.05 * pump.min(0.0).powi(2);
    let ankle = Vec3::new(0.02, -reach * hip_rad.cos(), reach * hip_rad.sin());
    Stance {
        pelvis,
        lean_rad: 0.10 * pump,
        twist_rad: 0.0,
        look_up_rad: 0.15,
        wrists: [Vec3::new(-0.02, 0.96, 0.10 - 0.08 * wave); 2],
        elbows_out: 0.3,
        closed: [true; 2],
        feet: Side::BOTH.map(|side| leg(figure, &pelvis, side, ankle, 0.7)),
    }
}

fn climbing(figure: &Figure, hands: &Hands, share: f64) -> Stance {
    let length_m = |leg: &crate::figure::Leg| leg.thigh.length() + leg.shank.length();
    let pull_m = PULL * f64::from(arm_m(figure));
    let pace_m = pull_m / PULL_FRACTION;
    let pelvis = PelvisPose {
        position: Vec3::Y * (0.6 * figure.height_m + (pace_m * share) as f32),
        rotation: Quat::from_rotation_x(-0.08),
    };
    // Both feet also pull the rope, once per cycle, halfway between the hands.
    let pull = pull_m / f64::from(length_m(figure.leg(Side::Left)));
    let (up, reaching) = pulled_height((share + 0.25).rem_euclid(1.0), -0.92 + pull, pull);
    let drawn = ((up + 0.92) / pull) as f32;
    let swell = (PI * reaching).sin().powi(2) as f32;
    let ankle = Vec3::new(-0.06, up as f32, 0.14 + 0.20 * drawn - 0.05 * swell);
    Stance {
        pelvis,
        // The chest is upright, so that the hands move straight down the rope.
        lean_rad: 0.08,
        twist_rad: 0.0,
        look_up_rad: 0.4,
        wrists: Side::BOTH.map(|side| hands.at(HandPath::Rope, side, share)),
        elbows_out: 0.25,
        closed: Side::BOTH.map(|side| HandPath::Rope.is_closed(side, share)),
        feet: Side::BOTH.map(|side| leg(figure, &pelvis, side, ankle, 0.3)),
    }
}

/// The legs of a breast-stroke: drawn up, rotated out, and closed.
#[derive(Debug, Clone)]
struct FrogKick {
    /// Position relative to the hip, outwards, up and forward in leg lengths; and stretch of the foot in radians.
    paths: [ClosedPath; 4],
}

impl FrogKick {
    fn new() -> Self {
        const SHARES: [f64; 6] = [0.0, 0.14, 0.28, 0.60, 0.80, 0.92];
        const PLACES: [[f64; 6]; 4] = [
            [0.30, 0.26, 0.02, 0.01, 0.08, 0.22],
            [-0.55, -0.80, -0.96, -0.96, -0.66, -0.50],
            [-0.06, -0.02, 0.0, 0.0, -0.02, -0.05],
            [-0.1, 0.3, 1.0, 1.1, 0.9, 0.2],
        ];
        Self { paths: PLACES.map(|places| ClosedPath::through(&SHARES, &places)) }
    }

    fn at(&self, share: f64) -> (Vec3, f32) {
        let [out, up, ahead, pointed] = self.paths.each_ref().map(|path| path.at(share) as f32);
        (Vec3::new(out, up, ahead), pointed)
    }
}

fn swimming(figure: &Figure, hands: &Hands, frog_kick: &FrogKick, share: f64) -> Stance {
    // The body rises slightly when the hands press, and is fastest after the kick.
    let rise = (TAU * (share - 0.68)).cos().max(0.0).powi(2) as f32;
    let ahead_m = 0.9 * share + 0.03 * (TAU * (share - 0.1)).sin();
    let pelvis = PelvisPose {
        position: Vec3::new(0.0, 0.02 * rise, ahead_m as f32) * figure.height_m,
        rotation: Quat::from_rotation_x(FRAC_PI_2 as f32 - 0.06 - 0.16 * rise),
    };
    let (ankle, pointed_rad) = frog_kick.at(share);
    Stance {
        pelvis,
        lean_rad: -0.15 - 0.2 * rise,
        twist_rad: 0.0,
        look_up_rad: 0.45 + 0.3 * rise,
        // For a lying body, forward of a standing body becomes up.
        wrists: Side::BOTH.map(|side| rotated_to_lying(hands.at(HandPath::Stroke, side, share))),
        elbows_out: 0.8,
        closed: [false; 2],
        feet: Side::BOTH.map(|side| leg(figure, &pelvis, side, ankle, pointed_rad)),
    }
}

/// Rotates a wrist position from a standing to a lying swimmer: a quarter turn.
fn rotated_to_lying(at: Vec3) -> Vec3 {
    Vec3::new(at.x, at.z, -at.y)
}
