//! What the numbers of a stream mean: stated by its header, else detected in its first frames as in files.

use std::collections::BTreeMap;
use std::str::FromStr;

use marey_conventions::{
    ConventionOverrides, DeclaredConventions, RawPoints, Unit, UpAxis, normalise_points,
};
use marey_motion::{Place, PointClip, Quat, Report, Role, Skeleton, Vec3};
use marey_perform::Markers;

use crate::marker_frame::{Handedness, RotationFrame};
use crate::{MarkerFrame, StreamHeader, StreamTime, codes};

/// The height of the crown above the waist, relative to that of the waist above the ankles.
const CROWN: f32 = 0.78;
/// The least number of frames whose times must grow to be read as timestamps.
const MIN_TIMESTAMPS: usize = 10;

/// The conventions of a stream.
#[derive(Debug, Clone)]
pub(crate) struct StreamConventions {
    metres: f32,
    up: UpAxis,
    is_mirrored: bool,
    pub(crate) is_relative: bool,
    pub(crate) time: StreamTime,
}

impl StreamConventions {
    /// The conventions that a header states. The rest is detected in the first frames.
    pub(crate) fn settle(header: &StreamHeader, frames: &[MarkerFrame], report: &mut Report) -> Self {
        let is_mirrored = header.handed == Handedness::Left;
        let overrides = ConventionOverrides {
            unit: stated::<Unit>("unit", header.unit.as_deref(), report),
            up: stated::<UpAxis>("up", header.up.as_deref(), report),
            ..ConventionOverrides::default()
        };
        let mut found = Self {
            metres: 1.0,
            up: UpAxis::Y,
            is_mirrored,
            is_relative: header.rotations == RotationFrame::Parent,
            time: header.time.unwrap_or_else(|| detected_time(frames, report)),
        };
        if let Some(clip) = person(frames) {
            let raw = RawPoints { clip, residuals: Vec::new(), analog: None };
            let declared = DeclaredConventions::default();
            // Points that are all missing or not finite show nothing: the defaults stay.
            if let Ok(points) = normalise_points(raw, &declared, &overrides, report) {
                found.metres = points.detected.unit.value.metres() as f32;
                found.up = points.detected.up_axis.value;
                return found;
            }
        }
        found.metres = overrides.unit.map_or(1.0, |unit| unit.metres() as f32);
        found.up = overrides.up.unwrap_or_default();
        found
    }

    /// Applies a header that comes later. What it leaves out stays as it is.
    pub(crate) fn restate(&mut self, header: &StreamHeader, report: &mut Report) {
        if let Some(unit) = stated::<Unit>("unit", header.unit.as_deref(), report) {
            self.metres = unit.metres() as f32;
        }
        self.up = stated("up", header.up.as_deref(), report).unwrap_or(self.up);
        self.is_mirrored = header.handed == Handedness::Left;
        self.is_relative = header.rotations == RotationFrame::Parent;
        self.time = header.time.unwrap_or(self.time);
    }

    /// A position in metres, Y up.
    pub(crate) fn position(&self, point: [f32; 3]) -> Vec3 {
        let mut point = Vec3::from(point);
        if self.is_mirrored {
            point.x = -point.x;
        }
        self.up.to_y_up(point) * self.metres
    }

    /// The markers of a frame in metres, Y up. Joints that are not named after a role are counted in `unknown`.
    pub(crate) fn markers(
        &self,
        frame: &MarkerFrame,
        skeleton: &Skeleton,
        unknown: &mut BTreeMap<String, usize>,
    ) -> Markers {
        let mut markers = Markers::default();
        let mut role_of = |name: &str| {
            let role = Role::from_str(name).ok();
            if role.is_none() && (unknown.len() < MAX_NAMES || unknown.contains_key(name)) {
                *unknown.entry(name.to_owned()).or_default() += 1;
            }
            role
        };
        for (name, point) in &frame.points {
            let Some(role) = role_of(name) else { continue };
            markers.set_point(role, self.position(*point));
        }
        let mut turns = BTreeMap::new();
        for (name, rotation) in &frame.rotations {
            let Some(role) = role_of(name) else { continue };
            let mut rotation = Quat::from_array(*rotation);
            if self.is_mirrored {
                (rotation.y, rotation.z) = (-rotation.y, -rotation.z);
            }
            turns.insert(role, self.up.to_y_up_rotation(rotation));
        }
        if self.is_relative {
            turns = in_world(&turns, skeleton);
        }
        turns.into_iter().for_each(|(role, turn)| markers.set_rotation(role, turn));
        markers
    }
}

/// The largest number of unknown names that are remembered.
const MAX_NAMES: usize = 64;

/// Rotations relative to the parent as rotations in the world. Joints without a rotation turn with their parent.
fn in_world(turns: &BTreeMap<Role, Quat>, skeleton: &Skeleton) -> BTreeMap<Role, Quat> {
    let mut of_joint: Vec<Quat> = Vec::with_capacity(skeleton.len());
    let mut found = BTreeMap::new();
    for joint in skeleton.joints() {
        let above = joint.parent.and_then(|parent| of_joint.get(parent)).copied().unwrap_or(Quat::IDENTITY);
        let own = joint.role.and_then(|role| Some((role, *turns.get(&role)?)));
        let turn = own.map_or(above, |(_, turn)| above * turn);
        of_joint.push(turn);
        if let Some((role, _)) = own {
            found.insert(role, turn);
        }
    }
    found
}

/// A value that the header states; one that cannot be read is reported and detected instead.
fn stated<T: FromStr<Err = String>>(key: &str, value: Option<&str>, report: &mut Report) -> Option<T> {
    match value?.parse() {
        Ok(value) => Some(value),
        Err(problem) => {
            report.warn(&codes::HEADER, Place::default(), format!("{key}: {problem}"));
            None
        }
    }
}

/// Times that grow from frame to frame are timestamps.
fn detected_time(frames: &[MarkerFrame], report: &mut Report) -> StreamTime {
    let secs: Vec<f64> = frames.iter().filter_map(|frame| frame.secs).collect();
    let grows = secs.windows(2).all(|two| matches!(two, [before, after] if before < after));
    if secs.len() < MIN_TIMESTAMPS || secs.len() < frames.len() || !grows {
        return StreamTime::Intervals;
    }
    let message = "secs grows from frame to frame, so it is read as timestamps";
    report.warn(&codes::TIMESTAMPS, Place::default(), message);
    StreamTime::Timestamps
}

/// Crown and feet of the performer, by which conventions are detected. A crown that is not visible is estimated from the waist.
fn person(frames: &[MarkerFrame]) -> Option<PointClip> {
    let names = ["Head", "LeftFoot", "RightFoot"];
    let mut points = Vec::with_capacity(names.len() * frames.len());
    for frame in frames {
        let at = |wanted: &str| {
            let found = frame.points.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map(|(_, point)| Vec3::from(*point)).filter(|point| point.is_finite())
        };
        let feet = [at("LeftFoot"), at("RightFoot")];
        let crown = || {
            let (waist, feet) = (at("Hips")?, feet[0]?.midpoint(feet[1]?));
            Some(waist + CROWN * (waist - feet))
        };
        points.push(at("Head").or_else(crown));
        points.extend(feet);
    }
    if !points.iter().any(Option::is_some) {
        return None;
    }
    PointClip::new(names.map(str::to_owned).to_vec(), 60.0, points).ok()
}

#[cfg(test)]
mod tests {
    use marey_body::BodyProportions;

    use super::*;

    fn standing(scale: f32, up: UpAxis) -> Vec<MarkerFrame> {
        let points = [
            ("Hips", [0.0, 0.94, 0.0]),
            ("LeftHand", [0.3, 0.85, 0.0]),
            ("RightHand", [-0.3, 0.85, 0.0]),
            ("LeftFoot", [0.1, 0.07, 0.0]),
            ("RightFoot", [-0.1, 0.07, 0.0]),
        ];
        let frame = |number: u32| MarkerFrame {
            secs: Some(100.0 + f64::from(number) / 50.0),
            points: points
                .map(|(name, at)| (name.to_owned(), (up.from_y_up(Vec3::from(at)) * scale).to_array()))
                .into(),
            ..MarkerFrame::default()
        };
        (0..30).map(frame).collect()
    }

    #[test]
    fn units_and_axes_are_detected_in_a_reduced_set_and_times_that_grow_are_timestamps() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        for (scale, up) in [(1.0, UpAxis::Y), (100.0, UpAxis::Z), (1000.0, UpAxis::Y)] {
            let frames = standing(scale, up);
            let mut report = Report::default();
            let found = StreamConventions::settle(&StreamHeader::default(), &frames, &mut report);
            let hips = found.markers(&frames[0], &skeleton, &mut BTreeMap::new()).point(Role::Hips).unwrap();
            assert!(hips.distance(Vec3::Y * 0.94) < 1e-3, "{scale} {up}: {hips}");
            assert_eq!(found.time, StreamTime::Timestamps);
            assert!(report.has(&codes::TIMESTAMPS));
        }
    }

    #[test]
    fn a_header_takes_precedence_and_an_unknown_unit_is_reported() {
        let skeleton = BodyProportions::default().skeleton().unwrap();
        let frames = standing(1.0, UpAxis::Y);
        let header = StreamHeader {
            unit: Some("0.5".into()),
            up: Some("up".into()),
            handed: Handedness::Left,
            time: Some(StreamTime::Intervals),
            ..StreamHeader::default()
        };
        let mut report = Report::default();
        let found = StreamConventions::settle(&header, &frames, &mut report);
        assert_eq!(report.codes(), ["live/header"]);
        let left = found.markers(&frames[0], &skeleton, &mut BTreeMap::new()).point(Role::LeftHand).unwrap();
        assert!(left.distance(Vec3::new(-0.15, 0.425, 0.0)) < 1e-6, "{left}");
        assert_eq!(found.time, StreamTime::Intervals);
    }
}
