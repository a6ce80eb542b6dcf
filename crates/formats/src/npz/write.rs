//! Writes NPZ in the layout of the AMASS archive: poses of SMPL-H's joints, and translations.
//!
//! The motion is retargeted by roles to the default body of the reader, because the layout has no bone lengths. Its joints have no
//! rotation in a T-pose, as those of the body model, so that local rotations are the model's. With the symbols of the reader:
//! θ₀ belongs to Q R₀ and the translation is Q times the root's position, where R₀ is the root's rotation with Y up.

use std::io::{Cursor, Write};
use std::sync::Arc;

use glam::{DQuat, DVec3, Mat3, Quat, Vec3};
use marey_conventions::UpAxis;
use marey_motion::{Clip, Joint, Place, Report, Skeleton, Take};
use marey_ops::retarget::{Retarget, RetargetSettings};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::body::Model;
use super::npy;
use super::{UP, codes};
use crate::FormatsError;
use crate::write::only_actor;

/// The body model of the archive.
const MODEL: Model = Model::SmplH;

/// Number of shape parameters in the archive's files.
const SHAPE_PARAMETERS: usize = 16;

/// The default body has none of the model's genders.
const GENDER: &str = "neutral";

/// Bones that differ by less, in metres, are equal.
const SAME_BONE_M: f32 = 1e-4;

/// Writes the motion of one actor: `poses`, `trans`, `betas`, `gender` and `mocap_framerate`.
///
/// Numbers have 64 bits. All shape parameters are zero: the model's average body. Fails for several actors, and for figures without
/// hips. The report says that the body was replaced, unless it is the reader's.
pub fn write(take: &Take) -> Result<(Vec<u8>, Report), FormatsError> {
    let mut report = Report::default();
    let clip = on_model(&only_actor(take)?.clip, &mut report)?;
    let refuse = |error: zip::result::ZipError| {
        FormatsError::refused(&crate::codes::IO, Place::default(), error.to_string())
    };
    Ok((archive(&clip).map_err(refuse)?, report))
}

/// The body that files are read with, with roles.
fn model_skeleton() -> Result<Skeleton, FormatsError> {
    let plain = MODEL.skeleton(UpAxis::Y)?;
    let roles = marey_conventions::roles::detect(&plain).roles;
    Ok(plain.with_roles(&roles)?)
}

fn on_model(clip: &Clip, report: &mut Report) -> Result<Clip, FormatsError> {
    let model = Arc::new(model_skeleton()?);
    let is_same_joint = |(a, b): (&Joint, &Joint)| {
        a.name == b.name && (a.parent.is_none() || a.offset.distance(b.offset) < SAME_BONE_M)
    };
    let joints = clip.skeleton().joints().iter().zip(model.joints());
    if clip.skeleton().parents() != model.parents() || !joints.into_iter().all(is_same_joint) {
        let message =
            format!("{} joints became the {} of {}", clip.skeleton().len(), model.len(), MODEL.name());
        report.warn(&codes::REPLACED_BODY, Place::default(), message);
    }
    Ok(Retarget::new(clip.skeleton(), model, &RetargetSettings::default())?.apply(clip)?)
}

fn archive(clip: &Clip) -> zip::result::ZipResult<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let frames = clip.frames();
    let world_from_model = Quat::from_mat3(&Mat3::from_cols(
        UP.from_y_up(Vec3::X),
        UP.from_y_up(Vec3::Y),
        UP.from_y_up(Vec3::Z),
    ));
    let joints = clip.skeleton().len();
    start(&mut zip, "poses", "<f8", &[frames, joints * 3])?;
    for pose in clip.poses() {
        for (joint, rotation) in pose.rotations.iter().enumerate() {
            let rotation = if joint == 0 { world_from_model * *rotation } else { *rotation };
            write_vector(&mut zip, axis_angle(rotation.as_dquat()))?;
        }
    }
    start(&mut zip, "trans", "<f8", &[frames, 3])?;
    for at in clip.root_positions() {
        write_vector(&mut zip, UP.from_y_up(at).as_dvec3())?;
    }
    start(&mut zip, "betas", "<f8", &[SHAPE_PARAMETERS])?;
    zip.write_all(&[0; 8 * SHAPE_PARAMETERS])?;
    // Text has four bytes a letter.
    start(&mut zip, "gender", &format!("<U{}", GENDER.len()), &[])?;
    for letter in GENDER.chars() {
        zip.write_all(&u32::from(letter).to_le_bytes())?;
    }
    start(&mut zip, "mocap_framerate", "<f8", &[])?;
    zip.write_all(&clip.rate_hz().to_le_bytes())?;
    Ok(zip.finish()?.into_inner())
}

/// Starts an array. Arrays are stored, and have no time of their own, so that bytes depend on the motion only.
fn start(
    zip: &mut ZipWriter<Cursor<Vec<u8>>>,
    name: &str,
    kind: &str,
    shape: &[usize],
) -> zip::result::ZipResult<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .large_file(true);
    zip.start_file(format!("{name}{}", super::archive::ENDING), options)?;
    Ok(zip.write_all(&npy::header(kind, shape))?)
}

fn write_vector(zip: &mut impl Write, vector: DVec3) -> std::io::Result<()> {
    vector.to_array().iter().try_for_each(|number| zip.write_all(&number.to_le_bytes()))
}

/// The axis of a rotation, its length the angle, at most π.
fn axis_angle(rotation: DQuat) -> DVec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let sin = rotation.xyz().length();
    let angle = 2.0 * sin.atan2(rotation.w);
    // The angle over its sine tends to 2 as the angle vanishes.
    rotation.xyz() * if sin > 1e-12 { angle / sin } else { 2.0 }
}
