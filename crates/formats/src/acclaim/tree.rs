//! The hierarchy as a tree of bones, parents before children.

use std::collections::HashMap;

use super::asf::Asf;
use super::codes;
use super::scan::{Scanner, is_word, key, short};
use crate::FormatsError;

/// A bone in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Placed {
    /// Index of the bone in the file.
    pub(super) bone: usize,
    /// Its parent: an earlier bone, or the root if `None`.
    pub(super) parent: Option<usize>,
}

/// The parent and children of a bone, by index in the file.
struct Node {
    has_parent: bool,
    children: Vec<usize>,
}

/// Sorts the bones depth first, siblings in the order of the hierarchy.
pub(super) fn arrange(scan: &mut Scanner<'_>, asf: &Asf<'_>) -> Result<Vec<Placed>, FormatsError> {
    let bone_of = names(scan, asf)?;
    let (mut nodes, roots) = link(scan, asf, &bone_of)?;
    let mut placed = Vec::with_capacity(asf.bones.len());
    // A stack of bones to place, with the index of the parent and the depth.
    let mut todo: Vec<(usize, Option<usize>, usize)> =
        roots.into_iter().rev().map(|bone| (bone, None, 2)).collect();
    while let Some((bone, parent, depth)) = todo.pop() {
        let Some(node) = nodes.get_mut(bone) else { continue };
        let limit = scan.limits.depth;
        if depth > limit {
            let at = asf.bones.get(bone).map_or(0, |bone| bone.at);
            return scan.notes.refuse(&codes::LIMIT, at, format!("more than {limit} joints deep"));
        }
        let place = placed.len();
        placed.push(Placed { bone, parent });
        todo.extend(
            std::mem::take(&mut node.children).into_iter().rev().map(|c| (c, Some(place), depth + 1)),
        );
    }
    report_unconnected(scan, asf, &placed);
    Ok(placed)
}

/// The index of the bone with each name.
fn names<'b>(scan: &Scanner<'_>, asf: &'b Asf<'_>) -> Result<HashMap<&'b [u8], usize>, FormatsError> {
    let mut bone_of = HashMap::with_capacity(asf.bones.len());
    for (i, bone) in asf.bones.iter().enumerate() {
        if bone.key == b"root" || bone_of.insert(bone.key.as_slice(), i).is_some() {
            return scan.notes.refuse(
                &codes::DUPLICATE_NAME,
                bone.at,
                format!("the name {:?} is repeated", bone.name),
            );
        }
    }
    Ok(bone_of)
}

/// The bones with their children, and the children of the root.
fn link(
    scan: &Scanner<'_>,
    asf: &Asf<'_>,
    bone_of: &HashMap<&[u8], usize>,
) -> Result<(Vec<Node>, Vec<usize>), FormatsError> {
    let mut nodes: Vec<Node> =
        asf.bones.iter().map(|_| Node { has_parent: false, children: Vec::new() }).collect();
    let mut roots = Vec::new();
    for link in &asf.links {
        let refuse = |message: String| scan.notes.refuse(&codes::HIERARCHY, link.at, message);
        let Some(&child) = bone_of.get(key(link.child).as_slice()) else {
            let is_root = is_word(link.child, "root");
            let problem = if is_root { "the root has a parent".into() } else { unknown(link.child) };
            return refuse(problem);
        };
        if nodes.get_mut(child).is_none_or(|node| std::mem::replace(&mut node.has_parent, true)) {
            return refuse(format!("{:?} has two parents", short(link.child)));
        }
        if is_word(link.parent, "root") {
            roots.push(child);
        } else if let Some(node) =
            bone_of.get(key(link.parent).as_slice()).and_then(|&parent| nodes.get_mut(parent))
        {
            node.children.push(child);
        } else {
            return refuse(unknown(link.parent));
        }
    }
    if roots.is_empty() {
        return scan.notes.refuse(&codes::NO_HIERARCHY, scan.text.len(), "the root has no children");
    }
    Ok((nodes, roots))
}

fn unknown(name: &[u8]) -> String {
    format!("there is no bone {:?}", short(name))
}

fn report_unconnected(scan: &mut Scanner<'_>, asf: &Asf<'_>, placed: &[Placed]) {
    let mut is_connected = vec![false; asf.bones.len()];
    for place in placed {
        if let Some(is_connected) = is_connected.get_mut(place.bone) {
            *is_connected = true;
        }
    }
    for (bone, _) in asf.bones.iter().zip(is_connected).filter(|(_, is_connected)| !is_connected) {
        scan.notes
            .warn(&codes::LOOSE_BONE, bone.at, || format!("{:?} is not connected to the root", bone.name));
    }
}
