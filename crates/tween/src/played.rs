//! Steps of the working rate as motion of any rate, on the floor.
//!
//! Between steps, orientations go along cubics: Bézier curves on the sphere (K. Shoemake, "Animating rotation with quaternion curves",
//! 1985) with the slopes of Catmull and Rom. Over the floor, a figure goes as its standing feet make it go: from each frame to
//! the next, by the motion of the floor that keeps what stands where it is, in the least squares; a little weight is given to how the
//! corpus went on, which alone counts in the air. Its height is such that what stands is on the floor.

use marey_motion::{
    Clip, ClipParts, Contacts, Ground, LocalPose, Quat, Role, Side, Skeleton, Vec3, WorldPose,
};
use marey_ops::sole::SolePoint;

use crate::footing::stand;
use crate::frames::Touches;
use crate::leg::Leg;
use crate::recovered::{Recovered, between};
use crate::touch::{by_height, contacts, lowest, without_moments};
use crate::track::track;
use crate::{Result, Style};

/// Over how long a height is smoothed, and given back to the ends, in seconds.
const HEIGHT_SECS: f64 = 0.15;
/// Standing for a shorter time is not standing, in seconds.
const LEAST_STAND_SECS: f64 = 0.1;

/// Where and when motion is played.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stage {
    pub(crate) rate_hz: f64,
    /// How many frames, from the first step to the last.
    pub(crate) frames: usize,
    /// Where the first frame stands.
    pub(crate) start: Ground,
    /// Where the last one is to stand; wherever it gets where none is told.
    pub(crate) end: Option<Ground>,
    /// Whether the last pose is given, as the first is: then nothing may be changed of it.
    pub(crate) has_last: bool,
    /// How high the floor is under the first frame, and under the last.
    pub(crate) floors_m: [f32; 2],
}

impl Stage {
    /// How many steps a frame is, where the last of them is the last frame.
    pub(crate) fn pace(&self, last: usize) -> f64 {
        last as f64 / self.frames.saturating_sub(1).max(1) as f64
    }

    /// How many frames away the nearest pose is that was given.
    pub(crate) fn away_from_given(&self, frame: usize) -> usize {
        if self.has_last { frame.min(self.frames.saturating_sub(frame + 1)) } else { frame }
    }
}

/// The legs' joints behind each sole point of a skeleton: they say when it stands.
pub(crate) fn legs(skeleton: &Skeleton) -> Vec<Vec<usize>> {
    let leg = |side: Side| -> Vec<usize> {
        let roles = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot, Role::LeftToes];
        roles.iter().filter_map(|role| skeleton.joint_of(role.on(side))).collect()
    };
    SolePoint::all(skeleton).iter().map(|point| leg(point.side)).collect()
}

/// Plays steps. Other movers than the root are as `rest` has them.
pub(crate) fn played(
    style: &Style,
    steps: &Recovered,
    rest: &LocalPose,
    stage: &Stage,
) -> Result<(Clip, Contacts)> {
    let skeleton = style.skeleton();
    let points = SolePoint::all(skeleton);
    let last = steps.rotations.len().saturating_sub(1);
    let pace = stage.pace(last);
    let mut poses: Vec<LocalPose> =
        (0..stage.frames).map(|frame| pose_at(steps, frame as f64 * pace, rest)).collect();
    let soles = |pose: &LocalPose| -> Vec<Vec3> {
        let world = WorldPose::of(skeleton, pose.view());
        points.iter().map(|point| point.at(&world.positions, &world.rotations)).collect()
    };
    let mut places: Vec<Vec<Vec3>> = poses.iter().map(soles).collect();
    let touches = without_moments(
        places.iter().enumerate().map(|(frame, places)| {
            let nearest = ((frame as f64 * pace).round() as usize).min(last);
            let stands = steps.touches.get(nearest).copied().unwrap_or(0);
            let is_grounded = steps.is_grounded.get(nearest).copied().unwrap_or(false);
            if stands == 0 && is_grounded { lowest(places, &points) } else { stands }
        }),
        points.len(),
        (LEAST_STAND_SECS * stage.rate_hz).ceil() as usize,
    );
    let lifts = lifts(&places, &touches, &points, stage);
    for ((pose, places), lift) in poses.iter_mut().zip(&mut places).zip(lifts) {
        pose.positions.iter_mut().take(1).for_each(|root| root.y += lift);
        places.iter_mut().for_each(|place| place.y += lift);
    }
    let legs = Leg::all(skeleton);
    let feet: Vec<Vec<usize>> =
        legs.iter().map(|leg| leg.soles.iter().map(|sole| sole.index).collect()).collect();
    let touches = by_height(touches, &places, &points, &feet);
    let worlds: Vec<WorldPose> = poses.iter().map(|pose| WorldPose::of(skeleton, pose.view())).collect();
    let track = track(steps, (&worlds, &places), &touches, (&legs, stage))?;
    for (pose, ground) in poses.iter_mut().zip(&track) {
        if let (Some(turn), Some(root)) = (pose.rotations.first_mut(), pose.positions.first_mut()) {
            *turn = ground.rotation() * *turn;
            *root = ground.point(*root);
        }
    }
    let touches = stand(skeleton, &legs, &mut poses, &touches, stage);
    let mut parts = ClipParts::default();
    let most = stage.frames.saturating_sub(1).max(1) as f32;
    for (frame, pose) in poses.iter_mut().enumerate() {
        let [from, to] = stage.floors_m;
        pose.positions.iter_mut().take(1).for_each(|root| root.y += from + (to - from) * frame as f32 / most);
        parts.push(pose.view());
    }
    let clip = Clip::new(skeleton.clone(), stage.rate_hz, parts)?;
    Ok((clip, contacts(&touches, &points)?))
}

/// The pose at a time in steps.
fn pose_at(steps: &Recovered, at: f64, rest: &LocalPose) -> LocalPose {
    let last = steps.rotations.len().saturating_sub(1);
    let before = (at as usize).min(last);
    let share = (at - before as f64) as f32;
    let joints = steps.rotations.first().map_or(0, Vec::len);
    let turn = |joint: usize| {
        let key = |step: usize| steps.rotations[step.min(last)][joint];
        if share < 1e-6 {
            key(before)
        } else {
            turn_at([before.saturating_sub(1), before, before + 1, before + 2].map(key), share)
        }
    };
    let key = |step: usize| steps.roots.get(step.min(last)).copied().unwrap_or_default();
    let root = place_at([before.saturating_sub(1), before, before + 1, before + 2].map(key), share);
    let mut positions = rest.positions.clone();
    positions.iter_mut().take(1).for_each(|position| *position = root);
    LocalPose { rotations: (0..joints).map(turn).collect(), positions }
}

/// Between the second and the third of four places, along Catmull and Rom's cubic.
fn place_at([a, b, c, d]: [Vec3; 4], s: f32) -> Vec3 {
    let (from, to) = ((c - a) / 2.0, (d - b) / 2.0);
    let (s2, s3) = (s * s, s * s * s);
    (2.0 * s3 - 3.0 * s2 + 1.0) * b + (s3 - 2.0 * s2 + s) * from + (3.0 * s2 - 2.0 * s3) * c + (s3 - s2) * to
}

/// The same on the sphere of rotations, by De Casteljau's construction.
fn turn_at([a, b, c, d]: [Quat; 4], s: f32) -> Quat {
    let slope = |before: Quat, at: Quat, after: Quat| (between(before, at) + between(at, after)) / 2.0;
    let ahead = b * Quat::from_scaled_axis(slope(a, b, c) / 3.0);
    let behind = c * Quat::from_scaled_axis(-slope(b, c, d) / 3.0);
    let (p, q, r) = (b.slerp(ahead, s), ahead.slerp(behind, s), behind.slerp(c, s));
    p.slerp(q, s).slerp(q.slerp(r, s), s).normalize()
}

/// How much higher each frame must be for what stands to be on the floor; nothing at the ends.
fn lifts(places: &[Vec<Vec3>], touches: &[Touches], points: &[SolePoint], stage: &Stage) -> Vec<f32> {
    let needed: Vec<Option<f32>> = places
        .iter()
        .zip(touches)
        .map(|(places, touches)| {
            let standing =
                places.iter().zip(points).enumerate().filter(|(index, _)| touches >> index & 1 == 1);
            let lacks: Vec<f32> = standing.map(|(_, (place, point))| point.rest_m() - place.y).collect();
            (!lacks.is_empty()).then(|| lacks.iter().sum::<f32>() / lacks.len() as f32)
        })
        .collect();
    // In the air, between what is needed before and after.
    let known: Vec<(usize, f32)> =
        needed.iter().enumerate().filter_map(|(at, need)| Some((at, (*need)?))).collect();
    let filled: Vec<f32> = (0..needed.len())
        .map(|frame| {
            let behind = known.partition_point(|(at, _)| *at < frame);
            match (behind.checked_sub(1).and_then(|before| known.get(before)), known.get(behind)) {
                (_, Some((at, need))) if *at == frame => *need,
                (Some((from, a)), Some((to, b))) => a + (b - a) * (frame - from) as f32 / (to - from) as f32,
                (Some((_, need)), None) | (None, Some((_, need))) => *need,
                (None, None) => 0.0,
            }
        })
        .collect();
    let reach = (HEIGHT_SECS * stage.rate_hz).ceil().max(1.0) as usize;
    let smoothed = (0..filled.len()).map(|frame| {
        let around = &filled[frame.saturating_sub(reach / 2)..(frame + reach / 2 + 1).min(filled.len())];
        let share = (stage.away_from_given(frame) as f32 / reach as f32).min(1.0);
        share * share * (3.0 - 2.0 * share) * around.iter().sum::<f32>() / around.len() as f32
    });
    smoothed.collect()
}
