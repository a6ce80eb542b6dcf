//! Writes TRC.

use std::fmt::Write;

use marey_motion::PointClip;

/// Millimetres in a metre.
const MM: f32 = 1000.0;

/// Writes points as TRC, in millimetres with Y up. Missing points become empty fields. Tabs and line ends in labels become spaces.
///
/// ```
/// use marey_formats::trc::{self, TrcSettings};
/// use marey_motion::{PointClip, Vec3};
/// let clip = PointClip::new(vec!["pen".into()], 50.0, vec![Some(Vec3::X), None])?;
/// let read = trc::read(&trc::write(&clip), &TrcSettings::default())?;
/// assert_eq!(read.points.clip.get(0, 0), Some(Vec3::X * 1000.0));
/// assert_eq!(read.points.clip.missing(), 1);
/// # Ok::<(), marey_formats::FormatsError>(())
/// ```
pub fn write(clip: &PointClip) -> Vec<u8> {
    let (rate_hz, frames, markers) = (clip.rate_hz(), clip.frames(), clip.labels().len());
    let mut text = String::from("PathFileType\t4\t(X/Y/Z)\tmarey.trc\n");
    text += "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n";
    text += &format!("{rate_hz}\t{rate_hz}\t{frames}\t{markers}\tmm\t{rate_hz}\t1\t{frames}\n");
    text += "Frame#\tTime";
    for label in clip.labels() {
        text += "\t";
        text.extend(label.chars().map(|c| if c.is_control() { ' ' } else { c }));
        text += "\t\t";
    }
    text += "\n\t";
    for marker in 1..=markers {
        text += &format!("\tX{marker}\tY{marker}\tZ{marker}");
    }
    text += "\n\n";
    for frame in 0..frames {
        let secs = frame as f64 / rate_hz;
        // Writing to a string cannot fail.
        let _ = write!(text, "{}\t{secs:.6}", frame + 1);
        for marker in 0..markers {
            let _ = match clip.get(frame, marker).map(|point| MM * point) {
                Some(point) => write!(text, "\t{:.3}\t{:.3}\t{:.3}", point.x, point.y, point.z),
                None => write!(text, "\t\t\t"),
            };
        }
        text += "\n";
    }
    text.into_bytes()
}
