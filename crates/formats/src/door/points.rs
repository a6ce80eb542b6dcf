//! The door for points without a skeleton: markers, and drawn paths.
//!
//! What the file states goes. Where it states nothing, the cloud of markers is asked as a body would be: see
//! [`markers`](super::markers).

use marey_motion::{Place, PointClip, Report};

use super::finding::{By, Finding, PointsDetected};
use super::markers::{Cloud, Person};
use super::scale::POSSIBLE_METRES;
use super::{Conventions, FloorWish, Stated, UpAxis, codes};
use crate::{Analog, Error, Points, Unit};

/// Points as a file has them, in its own unit and axes.
#[derive(Debug, Clone)]
pub struct RawPoints {
    /// Where they are; what the file has no place for is missing.
    pub clip: PointClip,
    /// How far apart the rays were that a point was seen by, in file units; frames × labels, or empty where the file does not
    /// say. NaN where the point was not measured.
    pub residuals: Vec<f32>,
    /// What was recorded beside them.
    pub analog: Option<Analog>,
}

/// Settles the conventions of points: gives them in metres, Y up, and says what was found.
pub fn settle_points(
    raw: RawPoints,
    stated: &Stated,
    wishes: &Conventions,
    report: &mut Report,
) -> Result<Points, Error> {
    let RawPoints { clip, residuals, analog } = raw;
    let (person, cloud) = (Person::of(&clip), Cloud::of(&clip));
    let up_axis = settle_up(person.as_ref(), cloud.as_ref(), stated, wishes, report);
    let unit = settle_unit(person.as_ref(), cloud.as_ref(), up_axis.value, stated, wishes, report);
    let rate_hz = settle_rate(&clip, stated, wishes);
    let metres = unit.value.metres() as f32;
    let clip = moved(&clip, |point| up_axis.value.to_y_up(point) * metres)?;
    let floor_m = match wishes.floor {
        None => 0.0,
        Some(FloorWish::AtMetres(height_m)) => height_m,
        Some(FloorWish::Found) => floor(&clip).unwrap_or(0.0),
    };
    let clip = if floor_m == 0.0 { clip } else { moved(&clip, |p| p - glam::Vec3::Y * floor_m)? };
    let residuals_m = residuals.into_iter().map(|residual| residual * metres).collect();
    Ok(Points { clip, detected: PointsDetected { unit, up_axis, rate_hz }, residuals_m, analog })
}

/// The same clip with every point that is present put elsewhere.
fn moved(clip: &PointClip, to: impl Fn(glam::Vec3) -> glam::Vec3) -> Result<PointClip, Error> {
    let labels = clip.labels().len();
    let all = (0..clip.frames()).flat_map(|frame| (0..labels).map(move |label| (frame, label)));
    let points = all.map(|(frame, label)| clip.get(frame, label).map(&to)).collect();
    Ok(PointClip::new(clip.labels().to_vec(), clip.rate_hz(), points)?)
}

/// The height that the lowest points rest at: below it they are in a tenth of all frames.
fn floor(clip: &PointClip) -> Option<f32> {
    let labels = clip.labels().len();
    let lowest =
        |frame: usize| (0..labels).filter_map(|label| clip.get(frame, label)).map(|p| p.y).reduce(f32::min);
    let mut heights: Vec<f32> = (0..clip.frames()).filter_map(lowest).collect();
    heights.sort_unstable_by(f32::total_cmp);
    heights.get(heights.len() / 10).copied()
}

fn settle_up(
    person: Option<&Person>,
    cloud: Option<&Cloud>,
    stated: &Stated,
    wishes: &Conventions,
    report: &mut Report,
) -> Finding<UpAxis> {
    if let Some(axis) = wishes.up {
        return Finding { value: axis, by: By::Flag, why: "told".into() };
    }
    let by_person = person.and_then(Person::up);
    if let Some(axis) = stated.up {
        if let Some((other, why)) = by_person.filter(|(other, _)| *other != axis) {
            let message = format!("{axis} is up by the file, but {other} seems to be: {why}");
            report.warn(&codes::UP_AXIS_DOUBTFUL, Place::default(), message);
        }
        return Finding { value: axis, by: By::File, why: "the file says so".into() };
    }
    match by_person.or_else(|| cloud.and_then(Cloud::up)) {
        Some((axis, why)) => {
            if axis != UpAxis::Y {
                report.warn(&codes::UP_AXIS, Place::default(), format!("{axis} is up: {why}"));
            }
            Finding { value: axis, by: By::Evidence, why }
        }
        None => Finding { value: UpAxis::Y, by: By::Assumed, why: "no person to tell by".into() },
    }
}

fn settle_unit(
    person: Option<&Person>,
    cloud: Option<&Cloud>,
    up: UpAxis,
    stated: &Stated,
    wishes: &Conventions,
    report: &mut Report,
) -> Finding<Unit> {
    if let Some(unit) = wishes.unit {
        return Finding { value: unit, by: By::Flag, why: format!("told: {}", unit.in_words()) };
    }
    if let Some(value) = stated.unit {
        let height_m = person.map(|person| f64::from(person.height) * value.metres());
        match height_m.filter(|height_m| !POSSIBLE_METRES.contains(height_m)) {
            None => return Finding { value, by: By::File, why: "the file says so".into() },
            Some(height_m) => {
                let in_words = value.in_words();
                let message =
                    format!("the file says {in_words}, which makes the person {height_m:.4} m tall");
                report.warn(&codes::UNIT_DOUBTFUL, Place::default(), message);
            }
        }
    }
    if let Some((value, why)) = person.and_then(Person::unit) {
        return Finding { value, by: By::Evidence, why };
    }
    let (value, why) = cloud.map_or_else(
        || (Unit::Metre, "no markers to measure; taken for metres".into()),
        |cloud| cloud.unit(up),
    );
    report.warn(&codes::UNIT_ASSUMED, Place::default(), why.clone());
    Finding { value, by: By::Assumed, why }
}

fn settle_rate(clip: &PointClip, stated: &Stated, wishes: &Conventions) -> Finding<f64> {
    let value = clip.rate_hz();
    if wishes.rate_hz.is_some() {
        return Finding { value, by: By::Flag, why: "told".into() };
    }
    let why = if stated.rate_by == By::File { "the file says so" } else { "the file does not say" };
    Finding { value, by: stated.rate_by, why: why.into() }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    const LABELS: [&str; 4] = ["LFHD", "RFHD", "LTOE", "RTOE"];

    /// Somebody 1.7 m tall who walks along a line, in a world of another unit and up axis.
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

    fn settled(raw: RawPoints, stated: &Stated, wishes: &Conventions) -> (Points, Report) {
        let mut report = Report::default();
        (settle_points(raw, stated, wishes, &mut report).unwrap(), report)
    }

    #[test]
    fn every_up_axis_and_unit_comes_out_the_same() {
        let reference = walker(UpAxis::Y, Unit::Metre, LABELS).clip;
        for labels in [LABELS, ["a", "b", "c", "d"]] {
            for up in UpAxis::ALL {
                for unit in [Unit::Metre, Unit::Centimetre, Unit::Millimetre] {
                    let raw = walker(up, unit, labels);
                    let (points, report) = settled(raw, &Stated::default(), &Conventions::default());
                    let found = &points.detected;
                    assert_eq!((found.up_axis.value, found.unit.value), (up, unit), "{labels:?}");
                    assert_eq!(report.codes().contains(&"door/up-axis"), up != UpAxis::Y);
                    for (a, b) in points.clip.flat().iter().zip(reference.flat()) {
                        assert!(a.distance(*b) < 1e-4, "{a} {b}");
                    }
                    assert!((f64::from(points.residuals_m[7]) - 2.0 * unit.metres()).abs() < 1e-6);
                }
            }
        }
    }

    #[test]
    fn what_the_file_states_goes_and_what_the_user_says_goes_before() {
        let stated = Stated { unit: Some(Unit::Inch), up: Some(UpAxis::X), ..Stated::default() };
        let (points, report) =
            settled(walker(UpAxis::Z, Unit::Inch, LABELS), &stated, &Conventions::default());
        assert_eq!((points.detected.unit.by, points.detected.up_axis.by), (By::File, By::File));
        assert_eq!(report.codes(), ["door/up-axis-doubtful"]);

        let wishes = Conventions {
            unit: Some(Unit::Foot),
            up: Some(UpAxis::Z),
            rate_hz: Some(50.0),
            ..Conventions::default()
        };
        let (points, report) = settled(walker(UpAxis::Z, Unit::Inch, LABELS), &stated, &wishes);
        let found = &points.detected;
        assert_eq!([found.unit.by, found.up_axis.by, found.rate_hz.by], [By::Flag; 3]);
        assert!(report.is_empty());
        assert!((points.clip.frame(0)[0].y - 1.62 * 12.0).abs() < 1e-3);
    }

    #[test]
    fn a_stated_unit_that_makes_a_doll_is_doubted() {
        let stated = Stated { unit: Some(Unit::Millimetre), ..Stated::default() };
        let raw = walker(UpAxis::Y, Unit::Metre, LABELS);
        let (points, report) = settled(raw, &stated, &Conventions::default());
        assert_eq!((points.detected.unit.value, points.detected.unit.by), (Unit::Metre, By::Evidence));
        assert_eq!(report.codes(), ["door/unit-doubtful"]);
    }

    #[test]
    fn a_floor_is_put_at_zero_when_asked() {
        let with = |floor| {
            let wishes = Conventions { floor: Some(floor), ..Conventions::default() };
            let raw = walker(UpAxis::Y, Unit::Metre, LABELS);
            settled(raw, &Stated::default(), &wishes).0.clip.frame(0)[2].y
        };
        assert!(with(FloorWish::Found).abs() < 1e-6);
        assert!((with(FloorWish::AtMetres(-1.0)) - 1.05).abs() < 1e-6);
    }

    #[test]
    fn gaps_stay_gaps() {
        let points = vec![Some(Vec3::Y), None, Some(Vec3::X), Some(Vec3::Z)];
        let clip = PointClip::new(vec!["a".into(), "b".into()], 10.0, points).unwrap();
        let raw = RawPoints { clip, residuals: vec![], analog: None };
        let stated = Stated { unit: Some(Unit::Centimetre), up: Some(UpAxis::Z), ..Stated::default() };
        let (points, _) = settled(raw, &stated, &Conventions::default());
        assert_eq!(points.clip.get(0, 1), None);
        assert_eq!(points.clip.get(1, 1), Some(Vec3::new(0.0, 0.01, 0.0)));
        assert_eq!(points.clip.missing(), 1);
    }
}
