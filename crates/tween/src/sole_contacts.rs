//! Contacts of sole points with the floor.

use marey_motion::{CheckedAccess, Contact, Contacts, Vec3};
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
                    let run = contact_bits.iter_mut().take(end).skip(start);
                    run.for_each(|bits| *bits ^= 1 << bit);
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
) -> Result<Vec<SoleBits>> {
    let sole_height = |places: &[Vec3], sole: usize| -> Result<(usize, f32)> {
        Ok((sole, places.at(sole)?.y - points.at(sole)?.rest_m()))
    };
    for foot in feet {
        let foot_bits = foot.iter().fold(0, |bits, sole| bits | 1 << sole);
        let mut heights: Vec<(f32, Vec<(usize, f32)>)> = Vec::with_capacity(positions.len());
        for places in positions {
            let of_soles: Vec<(usize, f32)> =
                foot.iter().map(|sole| sole_height(places, *sole)).collect::<Result<_>>()?;
            heights
                .push((of_soles.iter().map(|(_, height)| *height).fold(f32::INFINITY, f32::min), of_soles));
        }
        for (contact_bits, (lowest, of_soles)) in contact_bits.iter_mut().zip(&heights) {
            let too_high = (lowest + RAISED_M).min(MAX_CONTACT_HEIGHT_M);
            let raised = of_soles.iter().filter(|(_, height)| *height > too_high);
            *contact_bits &= !raised.fold(0, |bits, (sole, _)| bits | 1 << sole);
        }
        let stands = |bits: &SoleBits| bits & foot_bits != 0;
        let mut start = 0;
        while let Some(is_standing) = contact_bits.get(start).map(stands) {
            let run = contact_bits.iter().skip(start).take_while(|bits| stands(bits) == is_standing);
            let end = start + run.count();
            let run = contact_bits.iter_mut().zip(&heights).take(end).skip(start);
            if !is_standing && heights.iter().take(end).skip(start).all(|(lowest, _)| *lowest < LOW_M) {
                for (contact_bits, (lowest, of_soles)) in run {
                    let flat_soles = of_soles.iter().filter(|(_, height)| height - lowest < FLAT_M);
                    *contact_bits |= flat_soles.fold(0, |bits, (sole, _)| bits | 1 << sole);
                }
            }
            start = end;
        }
    }
    Ok(contact_bits)
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
