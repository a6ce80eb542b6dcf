//! Actor names as prefixes of joint names.
//!
//! A BVH has no names for actors. If a take has several, each joint is written with the name of its actor as a prefix,
//! `leader:Hips`, as animation tools do. If every figure of a file has a different prefix, the prefixes are read as the names
//! of the actors.

use std::collections::HashSet;

use super::hierarchy::Node;

/// Separates the name of an actor from that of a joint.
pub(super) const SEPARATOR: char = ':';

/// Removes the prefixes from the joint names of each figure and returns them. `None`, without a change, if a figure has no
/// prefix or if two have the same.
pub(super) fn split_prefixes(figures: &mut [&mut [Node]]) -> Option<Vec<String>> {
    let prefixes: Vec<String> = figures.iter().map(|nodes| shared_prefix(nodes)).collect::<Option<_>>()?;
    let mut seen = HashSet::new();
    if prefixes.len() < 2 || !prefixes.iter().all(|prefix| seen.insert(prefix)) {
        return None;
    }
    for (nodes, prefix) in figures.iter_mut().zip(&prefixes) {
        for node in nodes.iter_mut().filter(|node| !node.is_tip) {
            node.name.drain(..prefix.len() + SEPARATOR.len_utf8());
        }
    }
    Some(prefixes)
}

/// The prefix that all joints of a figure share.
fn shared_prefix(nodes: &[Node]) -> Option<String> {
    let mut joints = nodes.iter().filter(|node| !node.is_tip);
    let (prefix, _) = joints.next()?.name.split_once(SEPARATOR)?;
    let has_prefix = |node: &Node| {
        let rest = node.name.strip_prefix(prefix).and_then(|rest| rest.strip_prefix(SEPARATOR));
        rest.is_some_and(|rest| !rest.is_empty())
    };
    let all = !prefix.is_empty() && nodes.iter().filter(|node| !node.is_tip).all(has_prefix);
    all.then(|| prefix.to_owned())
}

/// Makes names unique: the second `Hips` becomes `Hips_2`.
pub(super) fn make_unique(names: &mut [&mut String]) {
    let mut taken: HashSet<String> = HashSet::new();
    for name in names {
        let own = name.clone();
        let mut number = 2;
        while !taken.insert(name.clone()) {
            **name = format!("{own}_{number}");
            number += 1;
        }
    }
}
