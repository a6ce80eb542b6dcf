//! The independent ruler, `../shared/tools/ruler.py`.

use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

/// What the ruler says about a file.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
pub(in crate::eval) struct FootFigures {
    /// Speed of feet near the floor, in cm/s.
    #[serde(rename = "skate_cm_s")]
    pub(in crate::eval) skate_cm_per_sec: f64,
    /// Speed of the slowest foot, in cm/s.
    #[serde(rename = "slip_cm_s")]
    pub(in crate::eval) slip_cm_per_sec: f64,
    /// Share of frames in which a foot stands, in percent.
    pub(in crate::eval) planted_pct: f64,
    /// Depth of the lowest toes, in centimetres.
    pub(in crate::eval) sink_cm: f64,
}

impl FootFigures {
    /// The median of each figure.
    pub(in crate::eval) fn median(of: &[Self]) -> Self {
        let middle = |figure: fn(&Self) -> f64| median(of.iter().map(figure).collect());
        Self {
            skate_cm_per_sec: middle(|figures| figures.skate_cm_per_sec),
            slip_cm_per_sec: middle(|figures| figures.slip_cm_per_sec),
            planted_pct: middle(|figures| figures.planted_pct),
            sink_cm: middle(|figures| figures.sink_cm),
        }
    }
}

/// The mean of the two middle values, or the middle one.
pub(in crate::eval) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let (low, high) = (values.len().saturating_sub(1) / 2, values.len() / 2);
    let at = |index: usize| values.get(index).copied().unwrap_or(f64::NAN);
    0.5 * (at(low) + at(high))
}

/// Measures BVH files, in order.
pub(in crate::eval) fn measure(
    files: &[PathBuf],
    metres_per_unit: f64,
    first_frame: usize,
) -> Result<Vec<FootFigures>, Box<dyn std::error::Error>> {
    let data = marey_capture::folder("").ok_or("no captured motion")?;
    let script = data.join("../tools/ruler.py");
    let output = Command::new(std::env::var_os("MAREY_PYTHON").unwrap_or_else(|| "python3".into()))
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
