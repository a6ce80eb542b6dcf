//! A path as it is written, for those who decide themselves how it is passed.

use marey_conventions::{Unit, UpAxis};
use marey_motion::{Place, Report, Vec2, Vec3};

use super::path_points::{Field, PathPoint, PathPoints, max_points};
use super::resample::uniform_rate;
use super::{codes, csv, json, read_points};
use crate::svg_lines::{SVG_BYTES_PER_BYTE, SvgProblem, SvgShapes, svg_lines};
use crate::text::Text;
use crate::{Format, FormatsError, Limits, ReadOptions};

/// The points of a path in metres, Y up, and what the file says about their times.
#[derive(Debug, Clone, PartialEq)]
pub struct PathWaypoints {
    /// The points in order.
    pub positions: Vec<Vec3>,
    /// Their times in seconds from the first, if the file has times.
    pub secs: Option<Vec<f64>>,
    /// Points per second, if the times are uniform, or if the caller set a rate for points without times.
    pub rate_hz: Option<f64>,
    /// Their speeds in metres per second, if the file has speeds and no times.
    pub speeds_mps: Option<Vec<f64>>,
    /// Warnings of the reader.
    pub report: Report,
}

/// The form of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PathForm {
    Csv,
    Json,
    Svg,
}

/// Reads the points of a path as they are written: CSV, JSON, GeoJSON or SVG. `None` if the bytes are no path; `hint` is the
/// file name ending, which decides if the content does not.
pub fn read_waypoints(
    bytes: &[u8],
    hint: Option<&str>,
    options: &ReadOptions,
) -> Option<Result<PathWaypoints, FormatsError>> {
    let form = form(bytes, hint)?;
    Some(read_form(bytes, form, options))
}

fn form(bytes: &[u8], hint: Option<&str>) -> Option<PathForm> {
    let start = Text::of(bytes.get(..bytes.len().min(4096)).unwrap_or_default());
    let is_svg =
        start.bytes.trim_ascii_start().starts_with(b"<") && start.bytes.windows(4).any(|tag| tag == b"<svg");
    if is_svg || hint.is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        return Some(PathForm::Svg);
    }
    match Format::sniff(bytes).or_else(|| hint.and_then(Format::from_ending)) {
        Some(Format::Csv) => Some(PathForm::Csv),
        Some(Format::Json) => Some(PathForm::Json),
        _ => None,
    }
}

fn read_form(bytes: &[u8], form: PathForm, options: &ReadOptions) -> Result<PathWaypoints, FormatsError> {
    let limits = options.limits;
    let (points, mut report) = match form {
        PathForm::Csv => read_points(bytes, |text, notes| csv::read(text, limits, notes))?,
        PathForm::Json => read_points(bytes, |text, notes| json::read(text, limits, &mut notes.report))?,
        PathForm::Svg => svg_points(bytes, limits)?,
    };
    let path = points.written(&mut report)?;
    // A drawing is a map whose y axis points down: to the viewer, as +Z does.
    let up = options.conventions.up.unwrap_or(if path.is_map && form != PathForm::Svg {
        UpAxis::Z
    } else {
        UpAxis::Y
    });
    let unit = options.conventions.unit.unwrap_or(match form {
        PathForm::Svg => {
            let message = "one unit of the drawing is a centimetre";
            report.warn(&codes::SVG_SCALE, Place::default(), message);
            Unit::Centimetre
        }
        PathForm::Csv | PathForm::Json => Unit::Metre,
    });
    let metres = unit.metres();
    let positions = path.places.iter().map(|place| up.to_y_up((*place * metres).as_vec3())).collect();
    let is_timed = !path.secs.is_empty();
    let rate_hz = if is_timed { uniform_rate(&path) } else { options.conventions.rate_hz };
    let speeds_mps = path.speeds.map(|speeds| speeds.into_iter().map(|speed| speed * metres).collect());
    Ok(PathWaypoints { positions, secs: is_timed.then_some(path.secs), rate_hz, speeds_mps, report })
}

/// The points of the first line of a drawing.
fn svg_points(bytes: &[u8], limits: Limits) -> Result<(PathPoints, Report), FormatsError> {
    let mut drawn = PathPoints::default();
    let (mut count, mut more) = (0, 0);
    let (_, mut report) = read_points(bytes, |text, notes| {
        let max_bytes = limits.memory_bytes / SVG_BYTES_PER_BYTE;
        if text.len() > max_bytes {
            return notes.refuse(&codes::LIMIT, 0, format!("more than {max_bytes} bytes"));
        }
        let lines = match svg_lines(text, SvgShapes::LinesAndCurves) {
            Ok(lines) => lines,
            Err((at, SvgProblem::Bad(problem))) => return notes.refuse(&codes::BAD_SVG, at, problem),
            Err((at, SvgProblem::Unsupported(problem))) => {
                return notes.refuse(&codes::UNSUPPORTED_SVG, at, problem);
            }
        };
        more = lines.len().saturating_sub(1);
        let line = lines.into_iter().next().unwrap_or_default();
        count = line.len();
        if count <= max_points(limits) {
            drawn.points = line.into_iter().enumerate().map(svg_point).collect();
        }
        Ok(PathPoints::default())
    })?;
    if count > max_points(limits) {
        let message = format!("more than {} points", max_points(limits));
        return Err(FormatsError::refused(&codes::LIMIT, Place::default(), message));
    }
    report.warn_many(&codes::MORE_LINES, Place::default(), more, "only the first line was used");
    Ok((drawn, report))
}

fn svg_point((index, at): (usize, Vec2)) -> PathPoint {
    let mut point = PathPoint::at(Place::default().frame(index));
    point.set(Field::X, at.x.into());
    point.set(Field::Z, at.y.into());
    point
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    fn read(text: &str, ending: &str) -> PathWaypoints {
        read_waypoints(text.as_bytes(), Some(ending), &ReadOptions::default()).unwrap().unwrap()
    }

    #[test]
    fn points_are_returned_as_they_are_written() {
        let timed = read("t,x,z\n0,0,0\n2,0,2.4\n4,0,4.8\n", "csv");
        assert_eq!((timed.positions.len(), timed.rate_hz), (3, Some(0.5)));
        assert_eq!(timed.secs, Some(vec![0.0, 2.0, 4.0]));
        let untimed = read("x,z\n0,0\n0,3\n0,3\n3,3\n", "csv");
        assert_eq!((untimed.positions.len(), untimed.secs, untimed.speeds_mps), (4, None, None));
        assert!(untimed.report.is_empty());
        let fast = read("# speed 2\nx,z\n0,0\n0,3\n", "csv");
        assert_eq!(fast.speeds_mps, Some(vec![2.0, 2.0]));
    }

    #[test]
    fn maps_and_drawings_become_the_floor() {
        for text in [
            r#"{"type": "LineString", "coordinates": [[0, 0], [0, 5], [3, 5, 99]]}"#,
            r#"{"type": "Feature", "geometry": {"type": "MultiLineString", "coordinates": [[[0, 0], [0, 5], [3, 5]]]}}"#,
            r#"{"features": [{"geometry": {"type": "LineString", "coordinates": [[0, 0], [0, 5], [3, 5]]}}]}"#,
        ] {
            let map = read(text, "json");
            // North is away from the viewer: -Z.
            let wanted = [Vec3::ZERO, Vec3::new(0.0, 0.0, -5.0), Vec3::new(3.0, 0.0, -5.0)];
            assert!(map.positions.iter().zip(wanted).all(|(a, b)| a.distance(b) < 1e-6), "{map:?}");
        }
        let drawing = read(
            "<svg><polyline points='0,0 0,500 300,500'/><line x1='1' y1='1' x2='2' y2='2'/></svg>",
            "txt",
        );
        assert!(drawing.positions[2].distance(Vec3::new(3.0, 0.0, 5.0)) < 1e-6, "{drawing:?}");
        assert_eq!(drawing.report.codes(), ["path/more-lines", "path/svg-scale"]);
    }

    #[test]
    fn bad_drawings_and_maps_are_refused() {
        for (text, code) in [
            ("<svg><path d='M0 0 C 1 1'/></svg>", "path/bad-svg"),
            ("<svg><path d='M0 0 A 1 1 0 0 0 2 2'/></svg>", "path/unsupported-svg"),
            ("<svg/>", "path/no-points"),
            (r#"{"geometry": null}"#, "path/bad-json"),
            (r#"{"coordinates": [[1, 2], [3]]}"#, "path/bad-json"),
            ("x,z,speed\n0,0,1\n1,0,-1\n", "path/speed"),
        ] {
            let found = read_waypoints(text.as_bytes(), None, &ReadOptions::default());
            let found = found.unwrap_or_else(|| {
                read_waypoints(text.as_bytes(), Some("json"), &ReadOptions::default()).unwrap()
            });
            assert_eq!(found.unwrap_err().code().id, code, "{text}");
        }
        assert!(read_waypoints(b"HIERARCHY", Some("bvh"), &ReadOptions::default()).is_none());
    }
}
