//! Humanoid bones of the VRM extensions.
//!
//! VRM 0 (`VRM`), VRM 1 (`VRMC_vrm`) and its animations (`VRMC_vrm_animation`) name humanoid bones like Marey's roles, except
//! for the thumb: in VRM 0, each of its bones has the name of the next bone further out.

use std::collections::BTreeMap;

use marey_motion::{Place, Report, Role};

use super::codes;
use super::document::Document;

/// The node of each role in the file.
pub(super) fn roles(document: &Document, report: &mut Report) -> BTreeMap<Role, usize> {
    let mut found = BTreeMap::new();
    for (bone, node) in bones(document) {
        let place = Place::default();
        let Some(role) = bone.parse::<Role>().ok().filter(|_| node < document.nodes.len()) else {
            report.warn(&codes::HUMANOID, place, format!("bone {bone:?} on node {node}"));
            continue;
        };
        if found.contains_key(&role) || found.values().any(|other| *other == node) {
            report.warn(&codes::HUMANOID, place, format!("bone {bone:?} on node {node} is repeated"));
            continue;
        }
        found.insert(role, node);
    }
    found
}

fn bones(document: &Document) -> Vec<(String, usize)> {
    let extensions = &document.extensions;
    let ones = extensions.vrm_1.iter().chain(&extensions.vrm_animation);
    let ones: Vec<(String, usize)> = ones
        .flat_map(|vrm| vrm.humanoid.human_bones.iter().map(|(bone, at)| (bone.clone(), at.node)))
        .collect();
    if !ones.is_empty() {
        return ones;
    }
    let zeros = extensions.vrm_0.iter().flat_map(|vrm| &vrm.humanoid.human_bones);
    zeros.map(|at| (vrm1_thumb(&at.bone), at.node)).collect()
}

/// The VRM 1 name of a thumb bone.
fn vrm1_thumb(bone: &str) -> String {
    match bone.split_once("Thumb") {
        Some((side, "Proximal")) => format!("{side}ThumbMetacarpal"),
        Some((side, "Intermediate")) => format!("{side}ThumbProximal"),
        _ => bone.to_owned(),
    }
}
