//! The stairs that the walking tests use.

use marey_motion::{Terrain, Vec2};

/// Four steps of 15 cm up, a landing, and four down again.
pub(crate) fn stairs() -> Terrain {
    let mut at = Vec2::new(2.0, 0.0);
    let mut points = vec![Vec2::new(-1.0, 0.0), at];
    for step in 0..8 {
        at.y += if step < 4 { 0.15 } else { -0.15 };
        points.push(at);
        at.x += if step == 3 { 1.2 } else { 0.45 };
        points.push(at);
    }
    points.push(at + Vec2::X * 3.0);
    Terrain::new(vec![points]).unwrap()
}
