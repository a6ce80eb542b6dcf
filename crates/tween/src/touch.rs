//! What stands when.

use marey_motion::{Contact, Contacts, Vec3};
use marey_ops::sole::SolePoint;

use crate::Result;
use crate::frames::Touches;

/// A foot below this never left the floor, in metres.
const LOW_M: f32 = 0.03;
/// A sole point this far above the other one of its foot, or above the floor, does not stand, in metres.
const RAISED_M: f32 = 0.03;
const UP_M: f32 = 0.08;
/// A sole point this little above another stands with it, in metres.
const FLAT_M: f32 = 0.01;

/// The sole point that is lowest over where it would stand: where legs of different frames agree on none, it stands.
pub(crate) fn lowest(places: &[Vec3], points: &[SolePoint]) -> Touches {
    let over = places.iter().zip(points).map(|(place, point)| place.y - point.rest_m()).enumerate();
    over.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| 1 << index)
}

/// What stands in each frame, without standing that is over at once, and without gaps as short.
pub(crate) fn without_moments(
    touches: impl Iterator<Item = Touches>,
    points: usize,
    least: usize,
) -> Vec<Touches> {
    let mut touches: Vec<Touches> = touches.collect();
    for bit in 0..points {
        for flag in [0, 1] {
            let mut start = 0;
            while start < touches.len() {
                let is = |frame: usize| touches.get(frame).map(|touch| touch >> bit & 1);
                let end =
                    (start..touches.len()).find(|frame| is(*frame) != is(start)).unwrap_or(touches.len());
                let is_inside = start > 0 && end < touches.len();
                if is(start) == Some(flag) && end - start < least && is_inside {
                    touches[start..end].iter_mut().for_each(|touch| *touch ^= 1 << bit);
                }
                start = end;
            }
        }
    }
    touches
}

/// What stands as heights have it: votes of joints that were taken from different frames are wrong now and then. What is far above the
/// rest of its foot, or the floor, does not stand; a foot that never leaves the floor between standing and standing again, or an end, stands all the
/// while, on what is lowest. `places` are sole points at their height, `feet` which of them are one foot's.
pub(crate) fn by_height(
    mut touches: Vec<Touches>,
    places: &[Vec<Vec3>],
    points: &[SolePoint],
    feet: &[Vec<usize>],
) -> Vec<Touches> {
    let over = |frame: usize, sole: usize| places[frame][sole].y - points[sole].rest_m();
    for foot in feet {
        let own = foot.iter().fold(0, |own, sole| own | 1 << sole);
        let height = |frame: usize| foot.iter().map(|sole| over(frame, *sole)).fold(f32::INFINITY, f32::min);
        for (frame, touches) in touches.iter_mut().enumerate() {
            let lowest = height(frame);
            let is_up = |sole: &usize| over(frame, *sole) > (lowest + RAISED_M).min(UP_M);
            *touches &= !foot.iter().copied().filter(is_up).fold(0, |bits, sole| bits | 1 << sole);
        }
        let mut start = 0;
        while start < touches.len() {
            let stands = touches[start] & own != 0;
            let end = (start..touches.len())
                .find(|frame| (touches[*frame] & own != 0) != stands)
                .unwrap_or(touches.len());
            if !stands && (start..end).all(|frame| height(frame) < LOW_M) {
                for (frame, touches) in (start..end).zip(&mut touches[start..end]) {
                    let lowest = height(frame);
                    let stands = foot.iter().filter(|sole| over(frame, **sole) - lowest < FLAT_M);
                    *touches |= stands.fold(0, |bits, sole| bits | 1 << sole);
                }
            }
            start = end;
        }
    }
    touches
}

/// The same as contacts.
pub(crate) fn contacts(touches: &[Touches], points: &[SolePoint]) -> Result<Contacts> {
    let mut all = Vec::new();
    for (bit, point) in points.iter().enumerate() {
        let role = point.part.role(point.side);
        let mut start = None;
        for frame in 0..=touches.len() {
            let stands = touches.get(frame).is_some_and(|touch| touch >> bit & 1 == 1);
            match (stands, start) {
                (true, None) => start = Some(frame),
                (false, Some(from)) => {
                    all.push(Contact { role, frames: from..frame });
                    start = None;
                }
                _ => {}
            }
        }
    }
    Ok(Contacts::new(all, touches.len())?)
}
