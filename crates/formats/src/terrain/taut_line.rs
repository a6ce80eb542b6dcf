//! The shortest line that stays within a tolerance of a polyline: what a measured profile looks like before it was rounded.
//!
//! The line is pulled taut through a row of gates, one at each point. Seen from its last corner, the gates passed so far leave a wedge of
//! directions; the gate that the wedge no longer passes makes the next corner, at whichever end of a gate closed the wedge. Each gate
//! is looked at again only behind a corner.

use marey_motion::Vec2;

/// Most gates between two corners. It bounds the work.
const MAX_WEDGE: usize = 512;

/// The shortest line from the first to the last point that passes every other one within `tolerance_m` above or below it. Positions
/// must increase. Both ends stay.
pub(super) fn taut_line(points: &[Vec2], tolerance_m: f32) -> Vec<Vec2> {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return Vec::new() };
    let mut line = vec![first];
    let mut corner = first;
    let mut from = 0;
    while from + 1 < points.len() {
        let next = next_corner(points, from, corner, tolerance_m);
        (from, corner) = next.unwrap_or((points.len() - 1, last));
        line.push(corner);
    }
    line
}

/// The next corner behind a corner at a gate, and its gate; `None` if the line is straight to the end.
fn next_corner(points: &[Vec2], from: usize, corner: Vec2, tolerance_m: f32) -> Option<(usize, Vec2)> {
    let slope = |at: Vec2| (at.y - corner.y) / (at.x - corner.x);
    // The ends of the gates that limit the wedge from below and from above.
    let mut low: Option<(usize, Vec2)> = None;
    let mut high: Option<(usize, Vec2)> = None;
    for (number, point) in points.iter().enumerate().skip(from + 1) {
        let is_last = number + 1 == points.len();
        // The line ends at the last point itself.
        let half_m = if is_last { 0.0 } else { tolerance_m };
        let (bottom, top) = (*point - Vec2::Y * half_m, *point + Vec2::Y * half_m);
        match (low, high) {
            (Some(low), _) if slope(top) < slope(low.1) => return Some(low),
            (_, Some(high)) if slope(bottom) > slope(high.1) => return Some(high),
            _ if is_last => return None,
            _ if number - from >= MAX_WEDGE => return Some((number, *point)),
            _ => {}
        }
        if low.is_none_or(|low| slope(bottom) >= slope(low.1)) {
            low = Some((number, bottom));
        }
        if high.is_none_or(|high| slope(top) <= slope(high.1)) {
            high = Some((number, top));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn height_at(line: &[Vec2], x: f32) -> f32 {
        let piece = line.windows(2).find(|two| x <= two[1].x).unwrap();
        piece[0].y + (x - piece[0].x) / (piece[1].x - piece[0].x) * (piece[1].y - piece[0].y)
    }

    #[test]
    fn a_rounded_slope_is_straight_again_and_a_step_stays() {
        let slope = |x: f32| 0.03 * x;
        let rounded = |x: f32| (slope(x) / 0.01).round() * 0.01;
        let points: Vec<Vec2> =
            (0..=100).map(|i| 0.05 * i as f32).map(|x| Vec2::new(x, rounded(x))).collect();
        let line = taut_line(&points, 0.005 + 1e-5);
        assert!(points.iter().all(|at| (height_at(&line, at.x) - slope(at.x)).abs() < 0.0055), "{line:?}");
        assert!(line.len() <= 4, "{line:?}");
        let step: Vec<Vec2> =
            (0..20).map(|i| Vec2::new(0.05 * i as f32, if i < 10 { 0.0 } else { 0.2 })).collect();
        let line = taut_line(&step, 0.001);
        assert!(height_at(&line, 0.45) < 0.0011 && height_at(&line, 0.5) > 0.1989, "{line:?}");
    }

    proptest! {
        #[test]
        fn the_line_keeps_the_tolerance_and_is_not_longer_than_the_points(
            heights in prop::collection::vec(-0.1f32..0.1, 2..60), tolerance_m in 1e-4f32..0.05,
        ) {
            let points: Vec<Vec2> =
                heights.iter().enumerate().map(|(i, y)| Vec2::new(0.05 * i as f32, *y)).collect();
            let line = taut_line(&points, tolerance_m);
            prop_assert_eq!((line[0], line[line.len() - 1]), (points[0], points[points.len() - 1]));
            prop_assert!(line.windows(2).all(|two| two[0].x < two[1].x));
            for at in &points {
                prop_assert!((height_at(&line, at.x) - at.y).abs() <= tolerance_m + 1e-5);
            }
            let length = |line: &[Vec2]| line.windows(2).map(|two| two[0].distance(two[1])).sum::<f32>();
            prop_assert!(length(&line) <= length(&points) + 1e-4);
        }
    }
}
