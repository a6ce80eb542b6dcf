//! Acclaim: a skeleton (ASF) and its motion (AMC), the formats of CMU's motion capture archive.
//!
//! After M. Schafer, "Acclaim Skeleton File Definition V1.10" (1995), with Oxford Metrics' notes on how their tools write it.
//! A skeleton file gives each bone a direction and a length in the *global* axes of the rest pose, and local axes for the
//! motion's angles. A motion file gives the values of each bone in each frame, in the order of its degrees of freedom. Case is
//! ignored; commas and parentheses are white space.
//!
//! # From bones to joints
//!
//! There is a joint at the *start* of each bone, with the name of the bone; the root is a joint too. A bone without children
//! ends in a [tip](marey_motion::Tip). At rest no joint is rotated: all frames are parallel to the global axes, as in a BVH.
//!
//! | symbol | name | unit |
//! |---|---|---|
//! | d, n | a bone's direction and length | –, file units |
//! | C | its frame of axes: `axis` angles about the fixed X, Y and Z, in the order of the letters after them | rotation |
//! | θᵢ | the frame's value for its i-th rotation, about the axis eᵢ | degrees or radians |
//! | B = R(e₃, θ₃) R(e₂, θ₂) R(e₁, θ₁) | its motion in its own axes: the first degree of freedom rotates first, about fixed axes | rotation |
//! | M = C B C⁻¹ | the same in the parent's axes: the joint's local rotation | rotation |
//! | W = W_parent M | its world rotation; the bone ends at start + W d n | rotation |
//!
//! A rotation about e, seen from the frame C, is one about C e by the same angle: C R(e, θ) C⁻¹ = R(C e, θ). So the axes C eᵢ
//! are computed once, and M = R(C e₃, θ₃) R(C e₂, θ₂) R(C e₁, θ₁) needs neither C nor its inverse again.
//!
//! # What the format leaves undefined
//!
//! - `:root` may have a position p and an orientation O. The motion is relative to both: the root is at p + O t,
//!   rotated by O B. Almost every file has zeros.
//! - `tx ty tz` of a bone move its joint along C's axes from its rest position.
//! - `l` is the bone's length in the frame (limits in the definition's examples contain it), so that the children of the bone
//!   move along it.
//! - `:units length` is a factor whose meaning differs. By the definition, values must be *multiplied* by it; in CMU's files,
//!   0.45 means that inches already were. The factor is ignored: values stay as written in the skeleton and in the motion, and
//!   [`marey_conventions`] infers the unit from the body.
//! - A motion has no frame rate. 120 Hz, the rate of most archives, is assumed and reported. The keyword
//!   `:SAMPLES-PER-SECOND`, which some tools write, and the caller's setting take precedence.
//!
//! Limits, masses and skins are checked and dropped with a warning. Limits only help animators, and the definition forbids
//! clipping by them.
//!
//! ```
//! use marey_formats::Companion;
//! use marey_formats::acclaim::{AcclaimSettings, read_amc};
//! use marey_motion::Vec3;
//! // Two bones along X. The axes of both are rotated by 90° about Z, so that their local X is the world's Y.
//! let asf = "
//! :root
//!   order TX TY TZ RX RY RZ
//! :bonedata
//!   begin
//!     name upper
//!     direction 1 0 0
//!     length 2
//!     axis 0 0 90 XYZ
//!     dof rx
//!   end
//!   begin
//!     name lower
//!     direction 1 0 0
//!     length 1
//!     axis 0 0 90 XYZ
//!     dof rx
//!   end
//! :hierarchy
//!   root upper
//!   upper lower
//! ";
//! // 90° about its local X rotates the upper bone from X to −Z; another 90° rotates the lower one from there to −X.
//! let amc = ":DEGREES\n1\nroot 0 5 0 0 0 0\nupper 90\nlower 90\n";
//! let file = read_amc(amc.as_bytes(), &Companion::new("arm.asf", asf.as_bytes()), &AcclaimSettings::default())?;
//! let clip = file.take.first();
//! let world = marey_motion::WorldPose::of(clip.skeleton(), clip.pose(0));
//! assert!(world.positions[2].distance(Vec3::new(0.0, 5.0, -2.0)) < 1e-6);
//! let tip = world.tips().next().unwrap();
//! assert!(tip.distance(Vec3::new(-1.0, 5.0, -2.0)) < 1e-6);
//! # Ok::<(), marey_formats::FormatsError>(())
//! ```

mod amc;
mod asf;
mod bone;
pub mod codes;
mod companion;
mod decimal;
mod dof;
mod figure;
mod frames;
mod scan;
mod tree;
mod values;

use marey_motion::{Clip, Place, Report, Take};

pub use companion::find_skeleton;
use figure::Figure;
use scan::{Scanner, is_word};

use crate::neighbours::Companion;
use crate::text::Text;
use crate::{Format, FormatsError, Limits};

/// The rate of a motion without one, in Hz.
const DEFAULT_RATE_HZ: f64 = 120.0;

/// The content of Acclaim files, before conversion to Marey's conventions.
#[derive(Debug)]
pub struct AcclaimFile {
    /// One actor, in file units and axes.
    pub take: Take,
    /// Whether the rate was assumed, because neither the file nor the caller define one.
    pub rate_assumed: bool,
    /// Warnings of the reader.
    pub report: Report,
}

/// Settings of the Acclaim reader.
#[derive(Debug, Clone, Copy, Default)]
pub struct AcclaimSettings {
    /// Bounds on the size of the content.
    pub limits: Limits,
    /// Frame rate in Hz, overriding the file's and the default of 120.
    pub rate_hz: Option<f64>,
}

/// Recognises a skeleton or motion file by its first keyword, or by a frame number before the root.
pub fn sniff(bytes: &[u8]) -> Option<Format> {
    const SKELETON: [&str; 8] =
        [":version", ":name", ":units", ":documentation", ":root", ":bonedata", ":hierarchy", ":skin"];
    const MOTION: [&str; 4] = [":fully-specified", ":degrees", ":radians", ":samples-per-second"];
    let text = Text::of(bytes.get(..bytes.len().min(4096)).unwrap_or_default());
    let mut scan = Scanner::new(&text.bytes, Limits::default());
    let word = scan.word();
    let is_one_of = |keywords: &[&str]| keywords.iter().any(|keyword| is_word(word, keyword));
    let is_number = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    if is_one_of(&SKELETON) {
        Some(Format::Asf)
    } else if is_one_of(&MOTION) || (is_number && is_word(scan.word(), "root")) {
        Some(Format::Amc)
    } else {
        None
    }
}

/// Reads a skeleton file, in its units and axes. Its rest pose becomes the only frame.
pub fn read_asf(bytes: &[u8], settings: &AcclaimSettings) -> Result<AcclaimFile, FormatsError> {
    let (skeleton, mut report) = read_skeleton(bytes, settings.limits)?;
    report.warn(&codes::NO_MOTION, Place::default(), "a skeleton file has no frames");
    let rate_hz = settings.rate_hz.unwrap_or(DEFAULT_RATE_HZ);
    let take = skeleton.take(rate_hz, skeleton.figure.rest())?;
    Ok(AcclaimFile { take, rate_assumed: false, report })
}

/// Reads a motion file with the skeleton file it belongs to, in their own units and axes.
///
/// Messages about the skeleton file start with its name; their places are in that file.
pub fn read_amc(
    bytes: &[u8],
    skeleton: &Companion,
    settings: &AcclaimSettings,
) -> Result<AcclaimFile, FormatsError> {
    let (skeleton, mut report) = read_companion(skeleton, settings.limits)?;
    let text = decode(bytes, &mut report)?;
    let mut scan = Scanner::new(&text.bytes, settings.limits);
    let motion = amc::read(&mut scan, &skeleton.figure)?;
    report.absorb(scan.notes.report);

    let parts = if motion.frames == 0 {
        report.warn(&codes::NO_MOTION, Place::default(), "no frames");
        skeleton.figure.rest()
    } else {
        motion.parts
    };
    let rate_hz = settings.rate_hz.or(motion.rate_hz);
    if rate_hz.is_none() {
        report.warn(
            &codes::RATE_ASSUMED,
            Place::default(),
            format!("{DEFAULT_RATE_HZ} Hz, the rate of most archives"),
        );
    }
    let take = skeleton.take(rate_hz.unwrap_or(DEFAULT_RATE_HZ), parts)?;
    Ok(AcclaimFile { take, rate_assumed: rate_hz.is_none(), report })
}

/// The figure of a skeleton file, and its name.
struct NamedFigure {
    name: String,
    figure: Figure,
}

impl NamedFigure {
    fn take(&self, rate_hz: f64, parts: marey_motion::ClipParts) -> Result<Take, FormatsError> {
        let clip = Clip::new(self.figure.skeleton.clone(), rate_hz, parts)?;
        Ok(Take::solo(self.name.as_str(), clip))
    }
}

fn read_skeleton(bytes: &[u8], limits: Limits) -> Result<(NamedFigure, Report), FormatsError> {
    let mut report = Report::default();
    let text = decode(bytes, &mut report)?;
    let mut scan = Scanner::new(&text.bytes, limits);
    let asf = asf::read(&mut scan)?;
    let figure = Figure::of(&mut scan, &asf)?;
    report.absorb(scan.notes.report);
    let name = if asf.name.is_empty() { "skeleton".into() } else { asf.name };
    Ok((NamedFigure { name, figure }, report))
}

/// Reads the skeleton file of a motion, and prefixes messages about it with its name.
fn read_companion(companion: &Companion, limits: Limits) -> Result<(NamedFigure, Report), FormatsError> {
    let name = &companion.name;
    let (skeleton, own_report) = read_skeleton(&companion.bytes, limits).map_err(|error| match error {
        FormatsError::Refused { code, place, message } => {
            FormatsError::refused(code, place, format!("{name}: {message}"))
        }
        other => other,
    })?;
    let mut report = Report::default();
    for warning in own_report.warnings() {
        let message = format!("{name}: {}", warning.message);
        report.warn_many(warning.code, warning.place.clone(), warning.count, message);
    }
    Ok((skeleton, report))
}

fn decode<'a>(bytes: &'a [u8], report: &mut Report) -> Result<Text<'a>, FormatsError> {
    let text = Text::of(bytes);
    if text.was_utf16 {
        report.warn(&codes::ENCODING, Place::at(1, 1), "the text is UTF-16");
    }
    if let Some(zero) = text.zero_byte() {
        let place = crate::lines::place_of(&text.bytes, zero);
        return Err(FormatsError::refused(&codes::NOT_TEXT, place, "the file has zero bytes"));
    }
    Ok(text)
}
