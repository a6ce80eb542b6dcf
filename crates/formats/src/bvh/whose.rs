//! Whose joints they are, in a file of several figures.
//!
//! A BVH has names for joints only. So where there are several actors each joint is written with its actor's name before it,
//! `leader:Hips`, as animation tools mark what belongs together; and where every figure of a file has such a mark of its own, it is
//! read as the actor's name.

use std::collections::HashSet;

use super::hierarchy::Node;

/// Between an actor's name and a joint's.
pub(super) const MARK: char = ':';

/// Takes the marks of figures off the names of their joints; `figures` are the nodes of each. Nothing is taken where a figure has none, or two
/// have the same.
pub(super) fn take_marks(figures: &mut [&mut [Node]]) -> Option<Vec<String>> {
    let marks: Vec<String> = figures.iter().map(|nodes| mark_of(nodes)).collect::<Option<_>>()?;
    let mut seen = HashSet::new();
    if marks.len() < 2 || !marks.iter().all(|mark| seen.insert(mark)) {
        return None;
    }
    for (nodes, mark) in figures.iter_mut().zip(&marks) {
        for node in nodes.iter_mut().filter(|node| !node.is_tip) {
            node.name.drain(..mark.len() + MARK.len_utf8());
        }
    }
    Some(marks)
}

/// What all joints of a figure have before their names.
fn mark_of(nodes: &[Node]) -> Option<String> {
    let mut joints = nodes.iter().filter(|node| !node.is_tip);
    let (mark, _) = joints.next()?.name.split_once(MARK)?;
    let is_marked = |node: &Node| {
        let rest = node.name.strip_prefix(mark).and_then(|rest| rest.strip_prefix(MARK));
        rest.is_some_and(|rest| !rest.is_empty())
    };
    let all = !mark.is_empty() && nodes.iter().filter(|node| !node.is_tip).all(is_marked);
    all.then(|| mark.to_owned())
}

/// Makes names that are alike different: the second `Hips` is `Hips_2`.
pub(super) fn made_different(names: &mut [&mut String]) {
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
