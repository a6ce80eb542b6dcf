//! Converts points without a skeleton (markers, drawn paths) to Marey's conventions.

use marey_motion::{Place, PointClip, Report};

use crate::marker_cloud::{LabelledPerson, UnlabelledCloud};
use crate::normalise::{resolve_up_axis, user_unit};
use crate::unit_detection::POSSIBLE_HEIGHTS_M;
use crate::{
    ConventionOverrides, DeclaredConventions, DetectedPointConventions, Finding, FindingSource, FloorHeight,
    PointRecording, RawPoints, Result, Unit, UpAxis, codes,
};

/// Converts points to metres, Y up, and returns them with what was found.
///
/// Overrides come first, then what the file declares, then what the markers show.
pub fn normalise_points(
    raw: RawPoints,
    declared: &DeclaredConventions,
    overrides: &ConventionOverrides,
    report: &mut Report,
) -> Result<PointRecording> {
    let RawPoints { clip, residuals, analog } = raw;
    let (person, cloud) = (LabelledPerson::new(&clip), UnlabelledCloud::new(&clip));
    let up_axis = match overrides.up {
        Some(axis) => Finding::from_user(axis),
        None => {
            let from_person = person.as_ref().and_then(LabelledPerson::up);
            let from_cloud = || cloud.as_ref().and_then(UnlabelledCloud::up);
            resolve_up_axis(declared.up, from_person, from_cloud, report)
        }
    };
    let unit = find_unit(person.as_ref(), cloud.as_ref(), up_axis.value, declared, overrides, report);
    let rate_hz = find_rate(&clip, declared, overrides);
    let metres = unit.value.metres() as f32;
    let clip = map_points(&clip, |point| up_axis.value.to_y_up(point) * metres)?;
    let floor_m = match overrides.floor {
        None => 0.0,
        Some(FloorHeight::Metres(height_m)) => height_m,
        Some(FloorHeight::Detected) => floor_height(&clip).unwrap_or(0.0),
    };
    let clip = if floor_m == 0.0 { clip } else { map_points(&clip, |p| p - glam::Vec3::Y * floor_m)? };
    let residuals_m = residuals.into_iter().map(|residual| residual * metres).collect();
    let detected = DetectedPointConventions { unit, up_axis, rate_hz };
    Ok(PointRecording { clip, detected, residuals_m, analog })
}

/// Maps every point that is present.
fn map_points(clip: &PointClip, map: impl Fn(glam::Vec3) -> glam::Vec3) -> Result<PointClip> {
    let labels = clip.labels().len();
    let all = (0..clip.frames()).flat_map(|frame| (0..labels).map(move |label| (frame, label)));
    let points = all.map(|(frame, label)| clip.get(frame, label).map(&map)).collect();
    Ok(PointClip::new(clip.labels().to_vec(), clip.rate_hz(), points)?)
}

/// The 10th percentile of the height of each frame's lowest point.
fn floor_height(clip: &PointClip) -> Option<f32> {
    let labels = clip.labels().len();
    let lowest =
        |frame: usize| (0..labels).filter_map(|label| clip.get(frame, label)).map(|p| p.y).reduce(f32::min);
    let mut heights: Vec<f32> = (0..clip.frames()).filter_map(lowest).collect();
    heights.sort_unstable_by(f32::total_cmp);
    heights.get(heights.len() / 10).copied()
}

fn find_unit(
    person: Option<&LabelledPerson>,
    cloud: Option<&UnlabelledCloud>,
    up: UpAxis,
    declared: &DeclaredConventions,
    overrides: &ConventionOverrides,
    report: &mut Report,
) -> Finding<Unit> {
    if let Some(unit) = overrides.unit {
        return user_unit(unit);
    }
    if let Some(unit) = declared.unit {
        let height_m = person.map(|person| f64::from(person.height) * unit.metres());
        match height_m.filter(|height_m| !POSSIBLE_HEIGHTS_M.contains(height_m)) {
            None => return Finding::from_file(unit),
            Some(height_m) => {
                let message = crate::unit_detection::implausible_height(unit, height_m);
                report.warn(&codes::UNIT_DOUBTFUL, Place::default(), message);
            }
        }
    }
    if let Some((value, reason)) = person.and_then(LabelledPerson::unit) {
        return Finding::new(value, FindingSource::Evidence, reason);
    }
    let (value, reason) = cloud.map_or_else(
        || (Unit::Metre, "no markers to measure; assumed metres".into()),
        |cloud| cloud.unit(up),
    );
    report.warn(&codes::UNIT_ASSUMED, Place::default(), reason.clone());
    Finding::new(value, FindingSource::Assumed, reason)
}

fn find_rate(
    clip: &PointClip,
    declared: &DeclaredConventions,
    overrides: &ConventionOverrides,
) -> Finding<f64> {
    let value = clip.rate_hz();
    if overrides.rate_hz.is_some() {
        return Finding::from_user(value);
    }
    match declared.rate_source {
        FindingSource::File => Finding::from_file(value),
        source => Finding::new(value, source, "the file has no frame rate"),
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    const LABELS: [&str; 4] = ["LFHD", "RFHD", "LTOE", "RTOE"];

    /// A person 1.7 m tall who walks along a line, in another unit and up axis.
    fn walker(up: UpAxis, unit: Unit, labels: [&str; 4]) -> RawPoints {
        let person = [
            Vec3::new(0.08, 1.62, 0.05),
            Vec3::new(-0.08, 1.62, 0.05),
            Vec3::new(0.1, 0.05, 0.1),
            Vec3::new(-0.1, 0.05, 0.1),
        ];
        let frames = (0..100).flat_map(|frame| {
            let path = Vec3::new(0.3, 0.0, -1.0) * (frame as f32 * 0.03);
            person.map(|p| Some(up.from_y_up(p + path) / unit.metres() as f32))
        });
        let labels = labels.map(str::to_owned).to_vec();
        let clip = PointClip::new(labels, 50.0, frames.collect()).unwrap();
        RawPoints { clip, residuals: vec![2.0; 400], analog: None }
    }

    fn normalised(
        raw: RawPoints,
        declared: &DeclaredConventions,
        overrides: &ConventionOverrides,
    ) -> (PointRecording, Report) {
        let mut report = Report::default();
        (normalise_points(raw, declared, overrides, &mut report).unwrap(), report)
    }

    #[test]
    fn every_up_axis_and_unit_gives_the_same_points() {
        let reference = walker(UpAxis::Y, Unit::Metre, LABELS).clip;
        for labels in [LABELS, ["a", "b", "c", "d"]] {
            for up in UpAxis::ALL {
                for unit in [Unit::Metre, Unit::Centimetre, Unit::Millimetre] {
                    let raw = walker(up, unit, labels);
                    let (points, report) =
                        normalised(raw, &DeclaredConventions::default(), &ConventionOverrides::default());
                    let found = &points.detected;
                    assert_eq!((found.up_axis.value, found.unit.value), (up, unit), "{labels:?}");
                    assert_eq!(report.codes().contains(&"conventions/up-axis"), up != UpAxis::Y);
                    for (a, b) in points.clip.flat().iter().zip(reference.flat()) {
                        assert!(a.distance(*b) < 1e-4, "{a} {b}");
                    }
                    assert!((f64::from(points.residuals_m[7]) - 2.0 * unit.metres()).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn declared_conventions_apply_unless_overridden() {
        let declared = DeclaredConventions {
            unit: Some(Unit::Inch),
            up: Some(UpAxis::X),
            ..DeclaredConventions::default()
        };
        let (points, report) =
            normalised(walker(UpAxis::Z, Unit::Inch, LABELS), &declared, &ConventionOverrides::default());
        assert_eq!(
            (points.detected.unit.source, points.detected.up_axis.source),
            (FindingSource::File, FindingSource::File)
        );
        assert_eq!(report.codes(), ["conventions/up-axis-doubtful"]);

        let overrides = ConventionOverrides {
            unit: Some(Unit::Foot),
            up: Some(UpAxis::Z),
            rate_hz: Some(50.0),
            ..ConventionOverrides::default()
        };
        let (points, report) = normalised(walker(UpAxis::Z, Unit::Inch, LABELS), &declared, &overrides);
        let found = &points.detected;
        assert_eq!([found.unit.source, found.up_axis.source, found.rate_hz.source], [FindingSource::User; 3]);
        assert!(report.is_empty());
        assert!((points.clip.frame(0)[0].y - 1.62 * 12.0).abs() < 1e-3);
    }

    #[test]
    fn a_declared_unit_that_makes_a_doll_is_replaced() {
        let declared = DeclaredConventions { unit: Some(Unit::Millimetre), ..DeclaredConventions::default() };
        let raw = walker(UpAxis::Y, Unit::Metre, LABELS);
        let (points, report) = normalised(raw, &declared, &ConventionOverrides::default());
        assert_eq!(
            (points.detected.unit.value, points.detected.unit.source),
            (Unit::Metre, FindingSource::Evidence)
        );
        assert_eq!(report.codes(), ["conventions/unit-doubtful"]);
    }

    #[test]
    fn a_floor_is_moved_to_zero_on_request() {
        let with = |floor| {
            let overrides = ConventionOverrides { floor: Some(floor), ..ConventionOverrides::default() };
            let raw = walker(UpAxis::Y, Unit::Metre, LABELS);
            normalised(raw, &DeclaredConventions::default(), &overrides).0.clip.frame(0)[2].y
        };
        assert!(with(FloorHeight::Detected).abs() < 1e-6);
        assert!((with(FloorHeight::Metres(-1.0)) - 1.05).abs() < 1e-6);
    }

    #[test]
    fn missing_points_stay_missing() {
        let points = vec![Some(Vec3::Y), None, Some(Vec3::X), Some(Vec3::Z)];
        let clip = PointClip::new(vec!["a".into(), "b".into()], 10.0, points).unwrap();
        let raw = RawPoints { clip, residuals: vec![], analog: None };
        let declared = DeclaredConventions {
            unit: Some(Unit::Centimetre),
            up: Some(UpAxis::Z),
            ..DeclaredConventions::default()
        };
        let (points, _) = normalised(raw, &declared, &ConventionOverrides::default());
        assert_eq!(points.clip.get(0, 1), None);
        assert_eq!(points.clip.get(1, 1), Some(Vec3::new(0.0, 0.01, 0.0)));
        assert_eq!(points.clip.missing(), 1);
    }
}
