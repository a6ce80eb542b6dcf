//! Contacts of sole points with the floor.

use marey_motion::{Contact, Contacts, Vec3};
use marey_ops::sole::SolePoint;

use crate::Result;
use crate::style_frames::SoleBits;

/// A foot that stays below this height between two contacts never left the floor, in metres.
const LOW_M: f32 = 0.03;
/// A sole point higher than this above the lowest of its foot has no contact, in metres.
const RAISED_M: f32 = 0.03;
/// A sole point higher than this above the floor has no contact, in metres.
const MAX_CONTACT_HEIGHT_M: f32 = 0.08;
/// Sole points within this height of the lowest one are in contact together, in metres.
const FLAT_M: f32 = 0.01;

/// Returns the sole point that is lowest relative to its height when standing.
pub(crate) fn lowest(places: &[Vec3], points: &[SolePoint]) -> SoleBits {
    let heights = places.iter().zip(points).map(|(place, point)| place.y - point.rest_m()).enumerate();
    heights.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| 1 << index)
}

/// Removes contacts shorter than `min_frames`, and gaps that are as short.
pub(crate) fn without_short_runs(
    touches: impl Iterator<Item = SoleBits>,
    points: usize,
    min_frames: usize,
) -> Vec<SoleBits> {
    let mut touches: Vec<SoleBits> = touches.collect();
    for bit in 0..points {
        for flag in [0, 1] {
            let mut start = 0;
            while start < touches.len() {
                let flag_at = |frame: usize| touches.get(frame).map(|touch| touch >> bit & 1);
                let end = (start..touches.len())
                    .find(|frame| flag_at(*frame) != flag_at(start))
                    .unwrap_or(touches.len());
                let is_inside = start > 0 && end < touches.len();
                if flag_at(start) == Some(flag) && end - start < min_frames && is_inside {
                    touches[start..end].iter_mut().for_each(|touch| *touch ^= 1 << bit);
                }
                start = end;
            }
        }
    }
    touches
}

/// Corrects contacts by height, because votes of joints that come from different frames are sometimes wrong.
///
/// A sole point far above the lowest of its foot, or above the floor, has no contact. A foot that never
/// leaves the floor between two contacts (or a contact and an end of the motion) is in contact all the time,
/// with its lowest points. `places` are the positions of sole points, `feet` the sole points of each foot.
pub(crate) fn correct_by_height(
    mut touches: Vec<SoleBits>,
    places: &[Vec<Vec3>],
    points: &[SolePoint],
    feet: &[Vec<usize>],
) -> Vec<SoleBits> {
    let sole_height = |frame: usize, sole: usize| places[frame][sole].y - points[sole].rest_m();
    for foot in feet {
        let own = foot.iter().fold(0, |own, sole| own | 1 << sole);
        let height =
            |frame: usize| foot.iter().map(|sole| sole_height(frame, *sole)).fold(f32::INFINITY, f32::min);
        for (frame, touches) in touches.iter_mut().enumerate() {
            let lowest = height(frame);
            let is_raised =
                |sole: &usize| sole_height(frame, *sole) > (lowest + RAISED_M).min(MAX_CONTACT_HEIGHT_M);
            *touches &= !foot.iter().copied().filter(is_raised).fold(0, |bits, sole| bits | 1 << sole);
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
                    let stands = foot.iter().filter(|sole| sole_height(frame, **sole) - lowest < FLAT_M);
                    *touches |= stands.fold(0, |bits, sole| bits | 1 << sole);
                }
            }
            start = end;
        }
    }
    touches
}

/// Converts sole bits to contacts.
pub(crate) fn to_contacts(touches: &[SoleBits], points: &[SolePoint]) -> Result<Contacts> {
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
