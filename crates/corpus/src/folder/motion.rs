//! Frames of a take as BVH, and back onto the original skeletons.

use std::sync::Arc;

use marey_conventions::Unit;
use marey_formats::bvh::{self, BvhOptions, BvhSettings, PositionChannels};
use marey_motion::{Actor, Clip, ClipParts, Quat, Skeleton, Take, Vec3};

use crate::{CorpusError, Result, codes};

/// Encodes the frames in metres, with all significant digits.
pub(super) fn write(take: &Take) -> Vec<u8> {
    let options = BvhOptions { unit: Unit::Metre, decimals: 9, ..BvhOptions::default() };
    // Joints that BVH renames or whose offset it loses are restored from the skeletons in the JSON file.
    bvh::write(take, &options).0
}

/// Decodes the frames onto the skeletons, which have what BVH cannot store: names, offsets, roles and rest pose.
pub(super) fn read(bytes: &[u8], name: &str, rate_hz: f64, bodies: Vec<(String, Skeleton)>) -> Result<Take> {
    let positions = Some(PositionChannels::Replace);
    let settings = BvhSettings { rate_hz: Some(rate_hz), positions, ..BvhSettings::default() };
    let figures = bvh::read(bytes, &settings)?.take.into_actors();
    if figures.len() != bodies.len() {
        return Err(mismatch(format!("{} figures for {} actors", figures.len(), bodies.len())));
    }
    let actors = figures.into_iter().zip(bodies).map(|(figure, (name, body))| {
        let clip = put_on(&figure.clip, body, rate_hz)?;
        Ok(Actor { name, clip })
    });
    Ok(Take::new(name, actors.collect::<Result<_>>()?)?)
}

/// Maps a clip to its original skeleton; joints were written depth first.
fn put_on(read: &Clip, body: Skeleton, rate_hz: f64) -> Result<Clip> {
    let found = read.skeleton();
    if found.len() != body.len() || found.movers().len() != body.movers().len() {
        let counts = (found.len(), found.movers().len(), body.len(), body.movers().len());
        let (joints, movers, wanted, wanted_movers) = counts;
        return Err(mismatch(format!(
            "{joints} joints, {movers} with positions, for a body of {wanted}, {wanted_movers} with positions"
        )));
    }
    // The index of each joint in the file.
    let mut place = vec![0; body.len()];
    for (there, joint) in depth_first(&body).into_iter().enumerate() {
        if let Some(slot) = place.get_mut(joint) {
            *slot = there;
        }
    }
    let mover_of =
        |joint: &usize| place.get(*joint).and_then(|there| found.movers().binary_search(there).ok());
    let movers: Vec<Option<usize>> = body.movers().iter().map(mover_of).collect();
    if movers.contains(&None) {
        return Err(mismatch("positions of other joints than the body's".into()));
    }
    let mut parts = ClipParts::default();
    for pose in read.poses() {
        let rotation = |there: &usize| pose.rotations.get(*there).copied().unwrap_or(Quat::IDENTITY);
        parts.rotations.extend(place.iter().map(rotation));
        let position =
            |mover: &Option<usize>| mover.and_then(|m| pose.positions.get(m)).copied().unwrap_or(Vec3::ZERO);
        parts.positions.extend(movers.iter().map(position));
    }
    Ok(Clip::new(Arc::new(body), rate_hz, parts)?)
}

/// The joints in BVH order.
fn depth_first(body: &Skeleton) -> Vec<usize> {
    let mut order = Vec::with_capacity(body.len());
    let mut todo = vec![0];
    while let Some(joint) = todo.pop() {
        order.push(joint);
        let children = body.joints().iter().enumerate().filter(|(_, other)| other.parent == Some(joint));
        todo.extend(children.map(|(child, _)| child).rev());
    }
    order
}

fn mismatch(message: String) -> CorpusError {
    CorpusError::refused(&codes::PAGE, message)
}
