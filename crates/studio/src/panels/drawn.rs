//! Paths that were drawn on the page.

use std::fmt::{Display, Write as _};

/// A path as the file that commands read: time, x and z of points at a rate.
pub(super) fn table<T: Display>(points: &[[T; 2]], rate_hz: f64) -> String {
    let mut table = String::from("t,x,z\n");
    for (number, [x, z]) in points.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(table, "{},{x},{z}", number as f64 / rate_hz);
    }
    table
}
