//! Tables of keyframes as CSV or JSON: poses, when each one is reached, and where.
//!
//! `docs/keyframes.md` describes the supported forms. A pose is text that selects a frame of a take or file; the table does
//! not contain the posture itself. Lengths are metres, times seconds, headings degrees.

pub mod codes;
mod csv;
mod fields;
mod json;

use marey_motion::{Ground, Place, Report};

use crate::text::{Notes, Text};
use crate::{FormatsError, Limits};

use fields::KeyframeFields;

/// Largest number of keyframes in a table.
const MAX_KEYFRAMES: usize = 100_000;

/// A pose of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyframe {
    /// Selects the pose: `TAKE@FRAME` or `FILE@FRAME`; `@FRAME` is optional.
    pub pose: String,
    /// When the pose is reached, in seconds after the first keyframe. `None` if the table has no times.
    pub secs: Option<f64>,
    /// Ground under the hips and heading. `None` if the table does not say where the pose is.
    pub place: Option<Ground>,
}

/// The content of a table of keyframes.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyframeTable {
    /// At least one keyframe, in order. Either all have times, which increase from 0, or none has.
    pub keyframes: Vec<Keyframe>,
    /// Warnings of the reader.
    pub report: Report,
}

/// Reads a table as CSV or JSON. Text that starts with a bracket is JSON.
///
/// # Errors
///
/// A code `keyframes/…` with the line or the number of the keyframe.
///
/// ```
/// let table = marey_formats::keyframes::read(b"pose,t\nwalk@12,1.5\nturn.bvh,2.5", Default::default())?;
/// assert_eq!(table.keyframes[1].pose, "turn.bvh");
/// assert_eq!(table.keyframes[1].secs, Some(1.0));
/// # Ok::<(), marey_formats::FormatsError>(())
/// ```
pub fn read(bytes: &[u8], limits: Limits) -> Result<KeyframeTable, FormatsError> {
    let text = Text::of(bytes);
    let mut notes = Notes::on(&text.bytes);
    if let Some(zero) = text.zero_byte() {
        return notes.refuse(&codes::NOT_TEXT, zero, "the file has zero bytes");
    }
    let is_json = matches!(text.bytes.trim_ascii_start().first(), Some(b'[' | b'{'));
    let rows = match is_json {
        true => json::read(&text.bytes, limits, &mut notes)?,
        false => csv::read(&text.bytes, limits, &mut notes)?,
    };
    Ok(KeyframeTable { keyframes: keyframes(rows)?, report: notes.report })
}

/// Checks what the rows say about each other.
fn keyframes(rows: Vec<KeyframeFields>) -> Result<Vec<Keyframe>, FormatsError> {
    let refuse =
        |code, place: &Place, message: &str| Err(FormatsError::refused(code, place.clone(), message));
    let Some(first) = rows.first() else {
        return refuse(&codes::NO_KEYFRAMES, &Place::default(), "no keyframes");
    };
    let start = first.secs;
    let mut previous: Option<f64> = None;
    let mut keyframes = Vec::with_capacity(rows.len());
    for row in rows {
        if row.secs.is_some() != start.is_some() {
            return refuse(&codes::TIME_ORDER, &row.place, "only some keyframes have times");
        }
        if previous.zip(row.secs).is_some_and(|(previous, secs)| secs <= previous) {
            return refuse(
                &codes::TIME_ORDER,
                &row.place,
                "the time is not after that of the previous keyframe",
            );
        }
        previous = row.secs;
        let place = match (row.x, row.z, row.degrees) {
            (Some(x), Some(z), degrees) => Some(Ground::new(x, z, degrees.unwrap_or(0.0).to_radians())),
            (None, None, None) => None,
            (None, None, Some(_)) => return refuse(&codes::PLACE, &row.place, "a heading without a place"),
            _ => return refuse(&codes::PLACE, &row.place, "only one of x and z"),
        };
        let secs = row.secs.zip(start).map(|(secs, start)| secs - start);
        keyframes.push(Keyframe { pose: row.pose, secs, place });
    }
    Ok(keyframes)
}

/// Refuses a table with too many keyframes.
fn check_count(count: usize, place: impl FnOnce() -> Place) -> Result<(), FormatsError> {
    match count <= MAX_KEYFRAMES {
        true => Ok(()),
        false => {
            let message = format!("more than {MAX_KEYFRAMES} keyframes");
            Err(FormatsError::refused(&codes::LIMIT, place(), message))
        }
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;
    use proptest::prelude::*;

    use super::*;

    fn table(text: &str) -> Vec<Keyframe> {
        read(text.as_bytes(), Limits::default()).unwrap().keyframes
    }

    fn refused(text: &str) -> (&'static str, Option<usize>) {
        let error = read(text.as_bytes(), Limits::default()).unwrap_err();
        (error.code().id, error.place().line)
    }

    fn keyframe(pose: &str, secs: Option<f64>, place: Option<Ground>) -> Keyframe {
        Keyframe { pose: pose.into(), secs, place }
    }

    #[test]
    fn every_form_gives_the_same_table() {
        let place = Ground::new(1.0, -2.5, 0.0);
        let expected = [keyframe("a walk.bvh@12", Some(0.0), None), keyframe("b", Some(1.5), Some(place))];
        let forms = [
            "pose,t,x,z\na walk.bvh@12,0.5,,\nb,2.0,1,-2.5\n",
            "# what the choreographer drew\nT (s);POSE;X;Z;degrees\r\n0,5;\"a walk.bvh@12\";;;\r\n2,0;b;1;-2,5;0\r\n",
            "ms\tpose\tx\tz\n500\ta walk.bvh@12\t\t\n2000\tb\t1\t-2.5",
            r#"[{"pose": "a walk.bvh@12", "t": 0.5}, {"pose": "b", "ms": 2000, "x": 1, "z": -2.5}]"#,
            r#"{"keyframes": [{"pose": "a walk.bvh@12", "t": 0.5}, {"t": 2, "pose": "b", "x": 1, "z": -2.5, "degrees": 0}]}"#,
        ];
        for text in forms {
            assert_eq!(table(text), expected, "{text}");
        }
    }

    #[test]
    fn both_fixtures_are_the_same_table() {
        let csv = table(include_str!("../../../../fixtures/keyframes/dance.csv"));
        assert_eq!(csv, table(include_str!("../../../../fixtures/keyframes/dance.json")));
        assert_eq!((csv.len(), csv[1].secs, csv[1].place), (3, Some(1.2), None));
    }

    #[test]
    fn times_are_optional_and_headings_are_in_degrees() {
        let turned = Ground::new(0.0, 1.0, std::f32::consts::FRAC_PI_2);
        let table = table("pose,x,z,degrees\na,,,\nb,0,1,90");
        assert_eq!(table, [keyframe("a", None, None), keyframe("b", None, Some(turned))]);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, code, line) in [
            ("a@1,0\nb@2,1", "keyframes/columns", Some(1)),
            ("pose,t\na,0,3", "keyframes/columns", Some(2)),
            ("t\n0", "keyframes/columns", Some(1)),
            ("pose,t\na,0\n,1", "keyframes/no-pose", Some(3)),
            ("pose,t\na,soon", "keyframes/bad-number", Some(2)),
            ("pose,t\na,inf", "keyframes/bad-number", Some(2)),
            ("pose,t\na,1\nb,1", "keyframes/time-order", Some(3)),
            ("pose,t\na,1\nb,", "keyframes/time-order", Some(3)),
            ("pose,x,z\na,1,", "keyframes/place", Some(2)),
            ("pose,degrees\na,90", "keyframes/place", Some(2)),
            ("pose,t\n", "keyframes/no-keyframes", None),
            ("", "keyframes/no-keyframes", None),
            ("[]", "keyframes/no-keyframes", None),
            ("{\"keys\": []}", "keyframes/bad-json", None),
            ("[{\"pose\": 3}]", "keyframes/no-pose", None),
            ("[{\"pose\": \"a\", \"t\": \"now\"}]", "keyframes/bad-number", None),
            ("[3]", "keyframes/bad-json", None),
            ("[{\"pose\":\n}]", "keyframes/bad-json", Some(2)),
            ("a\0b", "keyframes/not-text", Some(1)),
        ] {
            assert_eq!(refused(text), (code, line), "{text:?}");
        }
    }

    #[test]
    fn unknown_columns_are_reported() {
        let read = read(b"pose,mood\na,calm", Limits::default()).unwrap();
        assert!(read.report.has(&codes::UNKNOWN_COLUMN));
        assert_eq!(read.keyframes.len(), 1);
    }

    proptest! {
        #[test]
        fn no_text_panics(bytes in prop::collection::vec(any::<u8>(), 0..200), lead in 0usize..3) {
            let lead: &[u8] = [b"".as_slice(), b"pose,t\n", b"[{\"pose\":"][lead];
            let _ = read(&[lead, &bytes].concat(), Limits::default());
        }
    }
}
