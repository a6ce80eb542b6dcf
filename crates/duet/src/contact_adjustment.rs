//! Adjusts two placed movements to each other around contact: keeps legs and trunks apart, and
//! brings the striking limb onto its target.

use marey_body::BodyCapsules;
use marey_motion::{Clip, Ground, GroundTrack, LocalPose, Role, Vec3, WorldPose, smoothstep};
use marey_ops::reach::Reach;

use crate::steering::shift_fractions_until;
use crate::{InteractionKind, PlacedMovement, Result};

/// A limb is moved to its target over this time before and after contact, in seconds.
const REACH_SECS: f64 = 0.22;
/// Times relative to contact at which legs and trunks are tested for overlap, in seconds.
const CONTACT_SAMPLE_SECS: [f64; 5] = [-0.3, -0.15, 0.0, 0.15, 0.3];
/// Number of frames tested for overlap in movements without contact.
const PATH_SAMPLES: usize = 4;
/// Bodies whose hips are farther apart than this are not tested, in metres.
const MAX_HIP_DISTANCE_M: f32 = 0.75;
/// A target that is out of the limb's range by more than this is unreachable, in metres.
const REACHABLE_M: f32 = 0.01;
/// Number of correction steps for the rotation of the limb's end, which turns with the limb.
const ORIENTATION_STEPS: usize = 3;
/// A strike is aimed this far below the surface, in metres. [`crate::BodySeparator`] stops it
/// there.
const AIM_DEPTH_M: f32 = 0.02;

/// Returns the overlap depth of the legs and trunks of two bodies, in metres; 0 if they are apart.
/// Ignores arms and the limb `ignored` of the first body: [`crate::BodySeparator`] can move those
/// out.
pub(crate) fn overlap_depth_m(
    bodies: [&WorldPose; 2],
    shapes: [&BodyCapsules; 2],
    ignored: Option<Role>,
) -> f32 {
    let mut placed = [Vec::new(), Vec::new()];
    for ((body, shape), capsules) in bodies.into_iter().zip(shapes).zip(&mut placed) {
        shape.place(body, capsules);
        capsules.retain(|capsule| !matches!(capsule.limb, Some(Role::LeftHand | Role::RightHand)));
    }
    placed[0].retain(|capsule| ignored.is_none() || capsule.limb != ignored);
    let gaps =
        placed[0].iter().flat_map(|own| placed[1].iter().map(|other| own.capsule.gap_m(&other.capsule)));
    -gaps.fold(0.0, f32::min)
}

impl PlacedMovement {
    /// Returns the horizontal shift of the partner, in world space, that keeps legs and trunks
    /// apart around contact.
    pub(crate) fn clearance_shift(&self, other: &PlacedMovement, shapes: &[BodyCapsules; 2]) -> Vec3 {
        let Some(contact) = self.contact_frame else { return Vec3::ZERO };
        let frames = CONTACT_SAMPLE_SECS
            .map(|secs| (contact as f64 + secs * self.clip.rate_hz()).round().max(0.0) as usize);
        self.deepest_clearance_shift(&frames, &|_| other, shapes)
    }

    /// Returns the horizontal shift of the partner that keeps legs and trunks apart during a
    /// movement without contact. An overlap of up to `allowed_m` is accepted, as deep as in the
    /// recordings.
    pub(crate) fn path_clearance_shift<'a>(
        &self,
        other: &dyn Fn(usize) -> &'a PlacedMovement,
        shapes: &[BodyCapsules; 2],
        allowed_m: f32,
    ) -> Vec3 {
        let (start, count) = (self.placement.start, PATH_SAMPLES);
        let frames: Vec<usize> = (1..=count).map(|i| start + i * self.placement.frames / count).collect();
        let is_near = |frame: &usize| {
            let places = [self, other(*frame)].map(|one| one.ground_at(*frame).translation());
            places[0].distance(places[1]) < MAX_HIP_DISTANCE_M
        };
        if !frames.iter().any(is_near) {
            return Vec3::ZERO;
        }
        let away = self.deepest_clearance_shift(&frames, other, shapes);
        away.normalize_or_zero() * (away.length() - allowed_m).max(0.0)
    }

    /// Returns the shift that resolves the deepest overlap in some frames.
    fn deepest_clearance_shift<'a>(
        &self,
        frames: &[usize],
        other: &dyn Fn(usize) -> &'a PlacedMovement,
        shapes: &[BodyCapsules; 2],
    ) -> Vec3 {
        let striking_limb =
            self.strike.filter(|_| self.kind == InteractionKind::Offensive).map(|strike| strike.striker);
        let shapes = [&shapes[self.person], &shapes[1 - self.person]];
        let mut deepest = (0.0, Vec3::ZERO);
        for &frame in frames {
            let partner = other(frame);
            let bodies = [self, partner].map(|one| one.world_pose_at(frame));
            let depth_m = overlap_depth_m(bodies.each_ref(), shapes, striking_limb);
            if depth_m > deepest.0 {
                let [from, to] = [self, partner].map(|one| one.ground_at(frame).translation());
                deepest = (depth_m, (to - from).normalize_or_zero());
            }
        }
        deepest.1 * deepest.0
    }

    /// Moves the striking limb onto the surface of its target at the position recorded in the
    /// partner's movement (section 5.1.3). If the limb cannot reach that position, the nearest
    /// surface becomes the target. A strike that missed in the recording is left alone.
    ///
    /// Returns the horizontal part of what is still missing to the target, in world space.
    pub(crate) fn reach_target(
        &mut self,
        other: &PlacedMovement,
        shapes: &[BodyCapsules; 2],
        max_m: f32,
    ) -> Result<Vec3> {
        let (Some(own_strike), Some(partner_strike), Some(contact)) =
            (self.strike, other.strike, self.contact_frame)
        else {
            return Ok(Vec3::ZERO);
        };
        let skeleton = self.clip.skeleton().clone();
        let partner_pose = other.world_pose_at(contact);
        let (Ok(limb), Some(struck)) = (
            Reach::of(&skeleton, own_strike.striker),
            partner_pose.skeleton().joint_of(partner_strike.struck),
        ) else {
            return Ok(Vec3::ZERO);
        };
        if partner_strike.is_miss {
            return Ok(Vec3::ZERO);
        }
        let own_pose = self.world_pose_at(contact);
        let end = own_pose.positions[limb.end()];
        let [own_shape, partner_shape] = [self.person, other.person].map(|person| &shapes[person]);
        // Assumes that the limb's end keeps its orientation. The loop below corrects for the
        // difference.
        let onto_surface = |offset: Vec3, struck: Option<Role>| {
            let (gap_m, out) = own_shape.limb_gap(
                &own_pose,
                own_strike.striker,
                offset,
                partner_shape,
                &partner_pose,
                struck,
            );
            offset - out * (gap_m + AIM_DEPTH_M)
        };
        let missing = |offset: Vec3| {
            let nearer = end + offset.clamp_length_max(max_m);
            end + offset - limb.carry(&mut LocalPose::rest(&skeleton), &own_pose, nearer)
        };
        let goal = partner_pose.positions[struck] + other.ground_at(contact).direction(partner_strike.reach);
        let recorded = onto_surface(goal - end, Some(partner_strike.struck));
        let nearest = onto_surface(Vec3::ZERO, None);
        let use_nearest = missing(recorded).length() > REACHABLE_M
            && missing(nearest).length() < missing(recorded).length();
        let (mut offset, part) =
            if use_nearest { (nearest, None) } else { (recorded, Some(partner_strike.struck)) };
        let missing = missing(offset);
        if missing.length() < REACHABLE_M {
            for _ in 0..ORIENTATION_STEPS {
                let mut pose = self.pose_at(contact);
                limb.carry(&mut pose, &own_pose, end + offset.clamp_length_max(max_m));
                let (gap_m, out) = own_shape.limb_gap(
                    &self.to_world_pose(&pose),
                    own_strike.striker,
                    Vec3::ZERO,
                    partner_shape,
                    &partner_pose,
                    part,
                );
                offset -= out * (gap_m + AIM_DEPTH_M);
            }
        }
        // The clip is placed as a whole, so the offset is needed in its own frame.
        let offset = self.placement.world_from_source.inverse().direction(offset.clamp_length_max(max_m));
        let at = self.source_frame(contact);
        let window = (REACH_SECS * self.clip.rate_hz()).max(1.0);
        let mut parts = self.clip.clone().into_parts();
        let (joints, movers) = (skeleton.len(), skeleton.movers().len());
        let first = (at - window).ceil().max(0.0) as usize;
        let last = ((at + window).floor() as usize).min(self.clip.frames() - 1);
        let mut world = WorldPose::scratch(&skeleton);
        for frame in first..=last {
            let nearness = 1.0 - (frame as f64 - at).abs() / window;
            let weight = smoothstep(nearness) as f32;
            let mut pose = self.clip.pose(frame).to_owned();
            world.set(pose.view());
            limb.carry(&mut pose, &world, world.positions[limb.end()] + offset * weight);
            parts.rotations[frame * joints..][..joints].copy_from_slice(&pose.rotations);
            parts.positions[frame * movers..][..movers].copy_from_slice(&pose.positions);
        }
        self.clip = Clip::new(skeleton, self.clip.rate_hz(), parts)?;
        Ok(missing.with_y(0.0).clamp_length_max(max_m))
    }

    /// Adds a horizontal offset in world space, reached at contact or at the end.
    pub(crate) fn shift_until_contact(&mut self, offset: Vec3) -> Result<()> {
        if offset == Vec3::ZERO {
            return Ok(());
        }
        let offset = self.placement.world_from_source.inverse().direction(offset);
        let until = self.source_frame(self.contact_frame.unwrap_or_else(|| self.end()));
        let point = (until.round() as usize).clamp(1, (self.ground_track.len() - 1).max(1));
        let fractions = shift_fractions_until(point, &self.contacts, self.clip.rate_hz());
        let shifted = self.ground_track.iter().enumerate().map(|(frame, ground)| {
            let offset = offset * fractions[frame.min(point)];
            Ground::new(ground.x + offset.x, ground.z + offset.z, ground.yaw_rad)
        });
        let shifted = GroundTrack { frames: shifted.collect() };
        let track = GroundTrack { frames: std::mem::take(&mut self.ground_track) };
        self.clip = self.clip.without_ground(&track)?.with_ground(&shifted)?;
        self.ground_track = shifted.frames;
        Ok(())
    }
}
