//! Synthesis of motion at any frame rate from recovered steps.
//!
//! Orientations between steps are interpolated by cubic Bézier curves on the sphere (K. Shoemake, "Animating
//! rotation with quaternion curves", 1985) with Catmull–Rom tangents. Root motion keeps standing feet in
//! place: from each frame to the next, the character moves such that the points in contact move least, by
//! least squares. The root motion of the corpus has a small weight, so that it only matters without contacts.
//! The height puts standing feet on the floor.

use marey_motion::{
    CheckedAccess, Clip, ClipParts, Contacts, Ground, LocalPose, Quat, Role, Side, Skeleton, Vec3, WorldPose,
    smoothstep,
};
use marey_ops::sole::SolePoint;

use crate::foot_plant::plant_feet;
use crate::leg::Leg;
use crate::recovery::{RecoveredMotion, rotation_vector};
use crate::root_motion::root_motion;
use crate::sole_contacts::{correct_by_height, lowest, to_contacts, without_short_runs};
use crate::style_frames::SoleBits;
use crate::{MotionStyle, Result};

/// Duration over which heights are smoothed and blended to the ends, in seconds.
const HEIGHT_SECS: f64 = 0.15;
/// Shorter contacts are removed, in seconds.
const MIN_CONTACT_SECS: f64 = 0.1;

/// Timing and position of the motion to be synthesised.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OutputSpec {
    pub(crate) rate_hz: f64,
    /// Number of frames from the first step to the last.
    pub(crate) frames: usize,
    /// Ground position of the first frame.
    pub(crate) start: Ground,
    /// Ground position of the last frame; `None` to end where the steps lead.
    pub(crate) end: Option<Ground>,
    /// Whether the last pose is given and must not change. The first always is.
    pub(crate) has_last: bool,
    /// Floor heights under the first and last frame.
    pub(crate) floors_m: [f32; 2],
}

impl OutputSpec {
    /// Steps per frame, such that step `last_step` is the last frame.
    pub(crate) fn steps_per_frame(&self, last_step: usize) -> f64 {
        last_step as f64 / self.frames.saturating_sub(1).max(1) as f64
    }

    /// Distance to the nearest given pose, in frames.
    pub(crate) fn frames_from_given(&self, frame: usize) -> usize {
        if self.has_last { frame.min(self.frames.saturating_sub(frame + 1)) } else { frame }
    }
}

/// Returns the leg joints of each sole point. They vote on its contacts.
pub(crate) fn leg_joints(skeleton: &Skeleton) -> Vec<Vec<usize>> {
    let leg = |side: Side| -> Vec<usize> {
        let roles = [Role::LeftUpperLeg, Role::LeftLowerLeg, Role::LeftFoot, Role::LeftToes];
        roles.iter().filter_map(|role| skeleton.joint_of(role.on(side))).collect()
    };
    SolePoint::all(skeleton).iter().map(|point| leg(point.side)).collect()
}

/// Makes motion from steps. Joints other than the root keep their translations in `rest`.
pub(crate) fn synthesise(
    style: &MotionStyle,
    steps: &RecoveredMotion,
    rest: &LocalPose,
    output: &OutputSpec,
) -> Result<(Clip, Contacts)> {
    let skeleton = style.skeleton();
    let points = SolePoint::all(skeleton);
    let last = steps.rotations.len().saturating_sub(1);
    let steps_per_frame = output.steps_per_frame(last);
    let mut poses: Vec<LocalPose> = (0..output.frames)
        .map(|frame| pose_at(steps, frame as f64 * steps_per_frame, rest))
        .collect::<Result<_>>()?;
    let soles = |pose: &LocalPose| -> Vec<Vec3> {
        let world = WorldPose::of(skeleton, pose.view());
        points.iter().map(|point| point.at(&world.positions, &world.rotations)).collect()
    };
    let mut sole_positions: Vec<Vec<Vec3>> = poses.iter().map(soles).collect();
    let contact_bits = without_short_runs(
        sole_positions.iter().enumerate().map(|(frame, sole_positions)| {
            let nearest = ((frame as f64 * steps_per_frame).round() as usize).min(last);
            let chosen_bits = steps.contact_bits.get(nearest).copied().unwrap_or(0);
            let is_grounded = steps.is_grounded.get(nearest).copied().unwrap_or(false);
            if chosen_bits == 0 && is_grounded { lowest(sole_positions, &points) } else { chosen_bits }
        }),
        points.len(),
        (MIN_CONTACT_SECS * output.rate_hz).ceil() as usize,
    );
    let lifts = lifts(&sole_positions, &contact_bits, &points, output)?;
    for ((pose, sole_positions), lift) in poses.iter_mut().zip(&mut sole_positions).zip(lifts) {
        pose.positions.iter_mut().take(1).for_each(|root| root.y += lift);
        sole_positions.iter_mut().for_each(|place| place.y += lift);
    }
    let legs = Leg::all(skeleton);
    let feet: Vec<Vec<usize>> =
        legs.iter().map(|leg| leg.soles.iter().map(|sole| sole.index).collect()).collect();
    let contact_bits = correct_by_height(contact_bits, &sole_positions, &points, &feet)?;
    let worlds: Vec<WorldPose> = poses.iter().map(|pose| WorldPose::of(skeleton, pose.view())).collect();
    let track = root_motion(steps, (&worlds, &sole_positions), &contact_bits, (&legs, output))?;
    for (pose, ground) in poses.iter_mut().zip(&track) {
        if let (Some(rotation), Some(root)) = (pose.rotations.first_mut(), pose.positions.first_mut()) {
            *rotation = ground.rotation() * *rotation;
            *root = ground.point(*root);
        }
    }
    let contact_bits = plant_feet(skeleton, &legs, &mut poses, &contact_bits, output)?;
    let mut parts = ClipParts::default();
    let last_frame = output.frames.saturating_sub(1).max(1) as f32;
    for (frame, pose) in poses.iter_mut().enumerate() {
        let [from, to] = output.floors_m;
        pose.positions
            .iter_mut()
            .take(1)
            .for_each(|root| root.y += from + (to - from) * frame as f32 / last_frame);
        parts.push(pose.view());
    }
    let clip = Clip::new(skeleton.clone(), output.rate_hz, parts)?;
    Ok((clip, to_contacts(&contact_bits, &points)?))
}

/// Returns the pose at a time, in steps.
fn pose_at(steps: &RecoveredMotion, at: f64, rest: &LocalPose) -> Result<LocalPose> {
    let last = steps.rotations.len().saturating_sub(1);
    let before = (at as usize).min(last);
    let fraction = (at - before as f64) as f32;
    let row = |step: usize| steps.rotations.at(step.min(last)).map(Vec::as_slice);
    let rotations = if fraction < 1e-6 {
        row(before)?.to_vec()
    } else {
        let keys = [row(before.saturating_sub(1))?, row(before)?, row(before + 1)?, row(before + 2)?];
        rotations_at(keys, fraction).collect()
    };
    let key = |step: usize| steps.roots.get(step.min(last)).copied().unwrap_or_default();
    let root = position_at([before.saturating_sub(1), before, before + 1, before + 2].map(key), fraction);
    let mut positions = rest.positions.clone();
    positions.iter_mut().take(1).for_each(|position| *position = root);
    Ok(LocalPose { rotations, positions })
}

/// Interpolates between the second and third of four positions by a Catmull–Rom spline.
pub(crate) fn position_at([a, b, c, d]: [Vec3; 4], s: f32) -> Vec3 {
    let (from, to) = ((c - a) / 2.0, (d - b) / 2.0);
    let (s2, s3) = (s * s, s * s * s);
    (2.0 * s3 - 3.0 * s2 + 1.0) * b + (s3 - 2.0 * s2 + s) * from + (3.0 * s2 - 2.0 * s3) * c + (s3 - s2) * to
}

/// The rotations of all joints, interpolated between the second and third of four poses.
pub(crate) fn rotations_at<'a>(
    [a, b, c, d]: [&'a [Quat]; 4],
    s: f32,
) -> impl Iterator<Item = Quat> + use<'a> {
    let keys = a.iter().zip(b).zip(c.iter().zip(d));
    keys.map(move |((a, b), (c, d))| rotation_at([*a, *b, *c, *d], s))
}

/// Interpolates between the second and third of four rotations, by De Casteljau's construction.
pub(crate) fn rotation_at([a, b, c, d]: [Quat; 4], s: f32) -> Quat {
    let slope = |before: Quat, at: Quat, after: Quat| {
        (rotation_vector(before, at) + rotation_vector(at, after)) / 2.0
    };
    let ahead = b * Quat::from_scaled_axis(slope(a, b, c) / 3.0);
    let behind = c * Quat::from_scaled_axis(-slope(b, c, d) / 3.0);
    let (p, q, r) = (b.slerp(ahead, s), ahead.slerp(behind, s), behind.slerp(c, s));
    p.slerp(q, s).slerp(q.slerp(r, s), s).normalize()
}

/// Returns the change of height per frame that puts points in contact on the floor; 0 at given ends.
fn lifts(
    sole_positions: &[Vec<Vec3>],
    contact_bits: &[SoleBits],
    points: &[SolePoint],
    output: &OutputSpec,
) -> Result<Vec<f32>> {
    let needed: Vec<Option<f32>> = sole_positions
        .iter()
        .zip(contact_bits)
        .map(|(sole_positions, contact_bits)| {
            let standing = sole_positions
                .iter()
                .zip(points)
                .enumerate()
                .filter(|(index, _)| contact_bits >> index & 1 == 1);
            let errors: Vec<f32> = standing.map(|(_, (place, point))| point.rest_m() - place.y).collect();
            (!errors.is_empty()).then(|| errors.iter().sum::<f32>() / errors.len() as f32)
        })
        .collect();
    // Frames without contact are interpolated.
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
    let window = (HEIGHT_SECS * output.rate_hz).ceil().max(1.0) as usize;
    let smoothed = (0..filled.len()).map(|frame| {
        let around =
            filled.at(frame.saturating_sub(window / 2)..(frame + window / 2 + 1).min(filled.len()))?;
        let fraction = output.frames_from_given(frame) as f32 / window as f32;
        Ok(smoothstep(fraction) * around.iter().sum::<f32>() / around.len() as f32)
    });
    smoothed.collect()
}
