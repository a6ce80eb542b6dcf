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
pub(crate) fn lowest(positions: &[Vec3], points: &[SolePoint]) -> SoleBits {
    let heights =
        positions.iter().zip(points).map(|(position, point)| position.y - point.rest_m()).enumerate();
    heights.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |(index, _)| 1 << index)
}

/// Removes contacts shorter than `min_frames`, and gaps that are as short.
pub(crate) fn without_short_runs(
    contact_bits: impl Iterator<Item = SoleBits>,
    points: usize,
    min_frames: usize,
) -> Vec<SoleBits> {
    let mut contact_bits: Vec<SoleBits> = contact_bits.collect();
    for bit in 0..points {
        for flag in [0, 1] {
            let mut start = 0;
            while start < contact_bits.len() {
                let flag_at = |frame: usize| contact_bits.get(frame).map(|bits| bits >> bit & 1);
                let end = (start..contact_bits.len())
                    .find(|frame| flag_at(*frame) != flag_at(start))
                    .unwrap_or(contact_bits.len());
                let is_inside = start > 0 && end < contact_bits.len();
                if flag_at(start) == Some(flag) && end - start < min_frames && is_inside {
                    contact_bits[start..end].iter_mut().for_each(|bits| *bits ^= 1 << bit);
                }
                start = end;
            }
        }
    }
    contact_bits
}

/// Corrects contacts by height, because votes of joints that come from different frames are sometimes wrong.
///
/// A sole point far above the lowest of its foot, or above the floor, has no contact. A foot that never
/// leaves the floor between two contacts (or a contact and an end of the motion) is in contact all the time,
/// with its lowest points. `positions` are the positions of sole points, `feet` the sole points of each foot.
pub(crate) fn correct_by_height(
    mut contact_bits: Vec<SoleBits>,
    positions: &[Vec<Vec3>],
    points: &[SolePoint],
    feet: &[Vec<usize>],
) -> Vec<SoleBits> {
    let sole_height = |frame: usize, sole: usize| positions[frame][sole].y - points[sole].rest_m();
    for foot in feet {
        let foot_bits = foot.iter().fold(0, |bits, sole| bits | 1 << sole);
        let height =
            |frame: usize| foot.iter().map(|sole| sole_height(frame, *sole)).fold(f32::INFINITY, f32::min);
        for (frame, contact_bits) in contact_bits.iter_mut().enumerate() {
            let lowest = height(frame);
            let is_raised =
                |sole: &usize| sole_height(frame, *sole) > (lowest + RAISED_M).min(MAX_CONTACT_HEIGHT_M);
            *contact_bits &= !foot.iter().copied().filter(is_raised).fold(0, |bits, sole| bits | 1 << sole);
        }
        let mut start = 0;
        while start < contact_bits.len() {
            let is_standing = contact_bits[start] & foot_bits != 0;
            let end = (start..contact_bits.len())
                .find(|frame| (contact_bits[*frame] & foot_bits != 0) != is_standing)
                .unwrap_or(contact_bits.len());
            if !is_standing && (start..end).all(|frame| height(frame) < LOW_M) {
                for (frame, contact_bits) in (start..end).zip(&mut contact_bits[start..end]) {
                    let lowest = height(frame);
                    let flat_soles = foot.iter().filter(|sole| sole_height(frame, **sole) - lowest < FLAT_M);
                    *contact_bits |= flat_soles.fold(0, |bits, sole| bits | 1 << sole);
                }
            }
            start = end;
        }
    }
    contact_bits
}

/// Converts sole bits to contacts.
pub(crate) fn to_contacts(contact_bits: &[SoleBits], points: &[SolePoint]) -> Result<Contacts> {
    let mut all = Vec::new();
    for (bit, point) in points.iter().enumerate() {
        let role = point.part.role(point.side);
        let mut start = None;
        for frame in 0..=contact_bits.len() {
            let is_in_contact = contact_bits.get(frame).is_some_and(|bits| bits >> bit & 1 == 1);
            match (is_in_contact, start) {
                (true, None) => start = Some(frame),
                (false, Some(from)) => {
                    all.push(Contact { role, frames: from..frame });
                    start = None;
                }
                _ => {}
            }
        }
    }
    Ok(Contacts::new(all, contact_bits.len())?)
}
