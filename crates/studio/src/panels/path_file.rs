//! Paths that were drawn on the page, as the file that commands read.

use std::fmt::{Display, Write as _};

/// The file `path.csv`: time, x and z of points at a rate.
pub(super) fn path_file<T: Display>(points: &[[T; 2]], rate_hz: f64) -> (String, Vec<u8>) {
    let mut table = String::from("t,x,z\n");
    for (index, [x, z]) in points.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{},{x},{z}", index as f64 / rate_hz);
    }
    ("path.csv".into(), table.into_bytes())
}
