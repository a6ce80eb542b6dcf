//! The independent ruler, `../shared/tools/ruler.py`.

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::python;

/// What the ruler says about a file.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(crate) struct RulerFigures {
    /// Speed of feet near the floor, in cm/s.
    #[serde(rename = "skate_cm_s")]
    pub(crate) skate_cm_per_sec: f64,
    /// Speed of the slowest foot, in cm/s.
    #[serde(rename = "slip_cm_s")]
    pub(crate) slip_cm_per_sec: f64,
    /// Share of frames in which a foot stands, in percent.
    pub(crate) planted_pct: f64,
    /// Depth of the lowest toes, in centimetres.
    pub(crate) sink_cm: f64,
    /// 99.9th percentile of joint accelerations, in m/s².
    #[serde(rename = "acc999")]
    pub(crate) acceleration_mps2: f64,
    /// Mean jerk of joints, in m/s³.
    #[serde(rename = "jerk")]
    pub(crate) jerk_mps3: f64,
}

impl RulerFigures {
    /// The median of each figure.
    pub(crate) fn median(of: &[Self]) -> Self {
        let middle = |figure: fn(&Self) -> f64| median(of.iter().map(figure).collect());
        Self {
            skate_cm_per_sec: middle(|figures| figures.skate_cm_per_sec),
            slip_cm_per_sec: middle(|figures| figures.slip_cm_per_sec),
            planted_pct: middle(|figures| figures.planted_pct),
            sink_cm: middle(|figures| figures.sink_cm),
            acceleration_mps2: middle(|figures| figures.acceleration_mps2),
            jerk_mps3: middle(|figures| figures.jerk_mps3),
        }
    }
}

/// The mean of the two middle values, or the middle one.
pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().saturating_sub(1) / 2, values.len() / 2);
    let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    0.5 * (at(low) + at(high))
}

/// Measures BVH files, in order.
pub(crate) fn measure(
    files: &[PathBuf],
    metres_per_unit: f64,
    first_frame: usize,
) -> Result<Vec<RulerFigures>, Box<dyn std::error::Error>> {
    let data = marey_capture::folder("").ok_or("no captured motion")?;
    let script = data.join("../tools/ruler.py");
    let output = Command::new(python::with_numpy()?)
        .arg(&script)
        .args(files)
        .args(["--scale", &metres_per_unit.to_string(), "--skip", &first_frame.to_string(), "--json"])
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_in_the_middle() {
        assert_eq!(median(vec![3.0, 1.0, 9.0]), 3.0);
        assert_eq!(median(vec![3.0, 1.0]), 2.0);
        assert!(median(vec![]).is_nan());
    }
}
