//! NPZ in the layout of the AMASS archive: poses of a body model as axis-angles, and translations, in numpy arrays.
//!
//! Files are read onto a default body, and written from any body by roles (`write`).
//!
//! After N. Mahmood et al., "AMASS: Archive of Motion Capture as Surface Shapes" (ICCV 2019). It reads `poses` (frames × 72, 156
//! or 165 values: SMPL, SMPL-H, SMPL-X; 66 is SMPL without hands), `trans` (frames × 3, metres) and `mocap_framerate` or
//! `mocap_frame_rate`. Everything else, mainly `betas`, describes a mesh that is not available, and is reported as not kept.
//!
//! # From axis-angles to a clip
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | θⱼ | the frame's three values for joint j: an axis, its length the angle | radians |
//! | R(θ) | the rotation about θ by its length | rotation |
//! | Q | rotation from the body model's axes, Y up, to those of the world, Z up | rotation |
//! | oⱼ | the joint's offset in the default body, Y up | metres |
//!
//! The model's root rotates Y-up offsets into the Z-up world: a joint below it is at R(θ₀) R(θ₁) … oⱼ. A standing rest pose needs
//! offsets in the world's axes. Offsets therefore become Q oⱼ, R(θ₀) becomes R(θ₀) Q⁻¹, and each R(θⱼ) below it becomes
//! Q R(θⱼ) Q⁻¹ = R(Q θⱼ). The products are the same.
//!
//! # Known limits
//!
//! Bone lengths are those of a default adult, not the performer's. The model puts its pelvis at `trans` plus the position of the
//! pelvis in the unposed mesh: about two decimetres along −Y and a few centimetres up. The file does not contain that position,
//! so the whole path is off by this constant.

mod archive;
mod body;
pub mod codes;
mod npy;
mod write;

use glam::{DVec3, Mat3, Quat, Vec3};
use marey_conventions::{DeclaredConventions, FindingSource, Unit, UpAxis};
use marey_motion::{Clip, ClipParts, Code, Place, Report, Take};

use crate::unique_labels::short;
use crate::{FormatsError, Limits};
use archive::Archive;
use body::Model;
use npy::Array;
pub use write::write;

/// Names of the array with the rate, in order of precedence.
const RATES: [&str; 4] = ["mocap_framerate", "mocap_frame_rate", "framerate", "fps"];

/// The axis that points up in the archive.
const UP: UpAxis = UpAxis::Z;

/// The rate of a file without one, in Hz: that of most of the archive.
const DEFAULT_RATE_HZ: f64 = 120.0;

/// Angles beyond a thousand turns, in radians, and positions beyond a thousand kilometres, in metres, are refused.
const MAX_ANGLE_RAD: f64 = 6300.0;
const MAX_PLACE_M: f64 = 1e6;

/// Number of arrays that a message lists.
const LISTED: usize = 12;

/// The content of an NPZ file, before conversion to Marey's conventions.
#[derive(Debug)]
pub struct NpzFile {
    /// One actor, in metres and the axes of the file.
    pub take: Take,
    /// The unit and up axis of the layout, and the source of the rate.
    pub declared: DeclaredConventions,
    /// Warnings of the reader.
    pub report: Report,
}

/// Settings of the NPZ reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct NpzSettings {
    /// Bounds on the size of the content.
    pub limits: Limits,
    /// Frame rate in Hz, overriding the file's.
    pub rate_hz: Option<f64>,
    /// The axis that points up in the world, instead of AMASS's Z.
    pub up: Option<UpAxis>,
}

/// Reads an NPZ in the AMASS layout, in metres and its own axes.
pub fn read(bytes: &[u8], settings: &NpzSettings) -> Result<NpzFile, FormatsError> {
    let mut report = Report::default();
    let mut archive = Archive::open(bytes, settings.limits.inflated_bytes)?;
    let names = archive.names();
    let Some(poses) = archive.inflate("poses")? else {
        return refuse(&codes::NO_POSES, format!("the archive contains {}", listed(&names)));
    };
    let poses = array("poses", &poses)?;
    let (frames, width) = poses.size();
    let Some(model) = Model::of_width(width) else {
        return refuse(&codes::POSE_WIDTH, format!("{width} values in a pose"));
    };
    if frames == 0 {
        return refuse(&codes::NO_FRAMES, "no poses");
    }
    check_limits(frames, width / 3, settings.limits)?;
    let trans = archive.inflate("trans")?;
    let trans = trans.as_deref().map(|trans| array("trans", trans)).transpose()?;
    if let Some((rows, columns)) = trans.as_ref().map(Array::size).filter(|size| *size != (frames, 3)) {
        return refuse(&codes::TRANS, format!("{rows} × {columns} values for {frames} poses"));
    }
    if trans.is_none() {
        report.warn(&codes::NO_TRANS, Place::default(), "the archive has no array trans");
    }
    let (rate_hz, rate_source) = rate(&mut archive, settings.rate_hz, &mut report)?;
    let message = format!("poses of {}, on a body of {} m", model.name(), body::HEIGHT_M);
    report.warn(&codes::DEFAULT_BODY, Place::default(), message);
    let is_used = |name: &str| name == "poses" || name == "trans" || RATES.contains(&name);
    let others: Vec<String> = names.into_iter().filter(|name| !is_used(name)).collect();
    report.warn_many(&codes::NOT_KEPT, Place::default(), others.len(), listed(&others));

    let up = settings.up.unwrap_or(UP);
    let parts = Poses { poses, trans, up, joints: width / 3 }.parts(frames, &mut report)?;
    let clip = Clip::new(model.skeleton(up)?, rate_hz, parts)?;
    let declared = DeclaredConventions { rate_source, unit: Some(Unit::Metre), up: Some(up) };
    Ok(NpzFile { take: Take::solo("poses", clip), declared, report })
}

fn refuse<T>(code: &'static Code, message: impl Into<String>) -> Result<T, FormatsError> {
    Err(FormatsError::refused(code, Place::default(), message))
}

fn array<'a>(name: &str, bytes: &'a [u8]) -> Result<Array<'a>, FormatsError> {
    Array::read(bytes).or_else(|why| refuse(&codes::ARRAY, format!("{name}: {why}")))
}

fn listed(names: &[String]) -> String {
    let mut text = names.iter().take(LISTED).map(|name| short(name)).collect::<Vec<_>>().join(", ");
    if names.len() > LISTED {
        text += &format!(" and {} more", names.len() - LISTED);
    }
    if text.is_empty() { "nothing".into() } else { text }
}

fn check_limits(frames: usize, joints: usize, limits: Limits) -> Result<(), FormatsError> {
    if frames > limits.frames {
        return refuse(&codes::LIMIT, format!("more than {} frames", limits.frames));
    }
    let frame = joints * size_of::<Quat>() + size_of::<Vec3>();
    if frames.saturating_mul(frame) > limits.memory_bytes {
        return refuse(&codes::LIMIT, format!("more than {} bytes of motion", limits.memory_bytes));
    }
    Ok(())
}

/// The rate set by the user, the file's, or the default.
fn rate(
    archive: &mut Archive<'_>,
    override_hz: Option<f64>,
    report: &mut Report,
) -> Result<(f64, FindingSource), FormatsError> {
    if let Some(override_hz) = override_hz {
        return Ok((override_hz, FindingSource::User));
    }
    for name in RATES {
        let Some(bytes) = archive.inflate(name)? else { continue };
        let array = array(name, &bytes)?;
        let rate_hz = array.at(0, 0);
        if array.size() != (1, 1) || !(1e-3..=1e6).contains(&rate_hz) {
            return refuse(&codes::RATE, format!("{name} is {rate_hz}"));
        }
        return Ok((rate_hz, FindingSource::File));
    }
    let message = format!("{DEFAULT_RATE_HZ} Hz, the rate of most of AMASS");
    report.warn(&codes::RATE_ASSUMED, Place::default(), message);
    Ok((DEFAULT_RATE_HZ, FindingSource::Assumed))
}

/// The arrays of a motion, of equal length.
struct Poses<'a> {
    poses: Array<'a>,
    trans: Option<Array<'a>>,
    up: UpAxis,
    joints: usize,
}

impl Poses<'_> {
    /// Rotations and positions in the world's axes; see the table of the module.
    fn parts(&self, frames: usize, report: &mut Report) -> Result<ClipParts, FormatsError> {
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|axis| self.up.to_y_up(axis));
        let q_inverse = Quat::from_mat3(&Mat3::from_cols(x, y, z));
        let mut parts = ClipParts::default();
        // The previous frame replaces values that are not finite.
        let mut held: Vec<Option<DVec3>> = vec![None; self.joints + 1];
        for frame in 0..frames {
            for (joint, held) in held.iter_mut().enumerate() {
                let is_place = joint == self.joints;
                let values = match (is_place, &self.trans) {
                    (false, _) => triple(&self.poses, frame, joint * 3),
                    (true, Some(trans)) => triple(trans, frame, 0),
                    (true, None) => DVec3::ZERO,
                };
                let max = if is_place { MAX_PLACE_M } else { MAX_ANGLE_RAD };
                let value = finite_or_held(values, held, frame, max, report)?;
                if is_place {
                    parts.positions.push(value.as_vec3());
                } else if joint == 0 {
                    parts.rotations.push(rotation(value) * q_inverse);
                } else {
                    parts.rotations.push(rotation(to_world_axes(self.up, value)));
                }
            }
        }
        Ok(parts)
    }
}

fn triple(array: &Array<'_>, row: usize, column: usize) -> DVec3 {
    DVec3::new(array.at(row, column), array.at(row, column + 1), array.at(row, column + 2))
}

/// Q θ, which only swaps and negates components.
fn to_world_axes(up: UpAxis, v: DVec3) -> DVec3 {
    up.from_y_up(v.as_vec3()).as_dvec3()
}

/// The value, or the previous one if it is not finite.
fn finite_or_held(
    value: DVec3,
    held: &mut Option<DVec3>,
    frame: usize,
    max: f64,
    report: &mut Report,
) -> Result<DVec3, FormatsError> {
    let place = Place::default().frame(frame);
    let finite = Some(value).filter(|value| value.is_finite());
    if finite.is_none() {
        report.warn(&codes::HELD_VALUE, place.clone(), "a value that is not finite");
    }
    let Some(value) = finite.or(*held) else {
        return Err(FormatsError::refused(&codes::NOT_FINITE, place, "a value that is not finite"));
    };
    if value.abs().max_element() > max {
        return Err(FormatsError::refused(
            &codes::OUT_OF_RANGE,
            place,
            format!("a value of {:e}", value.abs().max_element()),
        ));
    }
    *held = Some(value);
    Ok(value)
}

/// R(θ): the rotation about a vector by its length.
fn rotation(v: DVec3) -> Quat {
    let angle = v.length();
    let (sin, cos) = (angle / 2.0).sin_cos();
    // sin(a/2)/a tends to 1/2 as the angle vanishes.
    let axis = v * if angle > 1e-12 { sin / angle } else { 0.5 };
    Quat::from_xyzw(axis.x as f32, axis.y as f32, axis.z as f32, cos as f32)
}
