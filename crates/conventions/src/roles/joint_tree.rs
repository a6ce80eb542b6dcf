//! Queries on the tree of a skeleton that role detection needs.

use std::ops::Range;

use marey_motion::{Skeleton, Vec3};

/// Children, bone lengths, rest positions and reach of every joint, in the skeleton's own unit and axes.
///
/// A joint that does not exist has no children and is at the origin, so that no query can fail.
pub(super) struct Tree<'a> {
    pub skeleton: &'a Skeleton,
    children: Vec<Vec<usize>>,
    positions: Vec<Vec3>,
    tips: Vec<Vec3>,
    reach: Vec<f32>,
    spans: Vec<Range<usize>>,
    depths: Vec<usize>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(skeleton: &'a Skeleton) -> Self {
        let mut children = vec![Vec::new(); skeleton.len()];
        for (j, joint) in skeleton.joints().iter().enumerate() {
            if let Some(siblings) = joint.parent.and_then(|p| children.get_mut(p)) {
                siblings.push(j);
            }
        }
        let tips = longest_tips(skeleton);
        let reach = reaches(skeleton, &tips);
        Self {
            skeleton,
            children,
            positions: skeleton.rest_positions(),
            tips,
            reach,
            spans: spans(skeleton),
            depths: depths(skeleton),
        }
    }

    /// The children of a joint.
    pub(super) fn children(&self, joint: usize) -> &[usize] {
        self.children.get(joint).map_or(&[], Vec::as_slice)
    }

    /// The parent of a joint. `None` for the root.
    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        self.skeleton.joints().get(joint)?.parent
    }

    /// The number of ancestors of a joint.
    pub(super) fn depth(&self, joint: usize) -> usize {
        self.depths.get(joint).copied().unwrap_or_default()
    }

    /// The rest position of a joint.
    pub(super) fn position(&self, joint: usize) -> Vec3 {
        self.positions.get(joint).copied().unwrap_or_default()
    }

    /// A joint's offset in its parent's frame.
    pub(super) fn offset(&self, joint: usize) -> Vec3 {
        self.skeleton.offsets().get(joint).copied().unwrap_or_default()
    }

    /// The longest tip of a joint at rest, relative to the joint. Zero if it has none.
    pub(super) fn tip(&self, joint: usize) -> Vec3 {
        self.tips.get(joint).copied().unwrap_or_default()
    }

    /// The distance from a joint's parent to the joint.
    pub(super) fn bone(&self, joint: usize) -> f32 {
        self.offset(joint).length()
    }

    /// The longest path from a joint down to an end, along the bones.
    pub(super) fn reach(&self, joint: usize) -> f32 {
        self.reach.get(joint).copied().unwrap_or_default()
    }

    /// The longest path from a joint's parent through the joint to an end.
    pub(super) fn extent(&self, joint: usize) -> f32 {
        self.bone(joint) + self.reach(joint)
    }

    /// Whether `ancestor` is `joint` or one of its ancestors.
    pub(super) fn is_under(&self, joint: usize, ancestor: usize) -> bool {
        match (self.spans.get(joint), self.spans.get(ancestor)) {
            (Some(below), Some(above)) => above.contains(&below.start),
            _ => false,
        }
    }

    /// The number of joints in the subtree of a joint, including itself.
    pub(super) fn size(&self, joint: usize) -> usize {
        self.spans.get(joint).map_or(0, Range::len)
    }

    /// The lowest common ancestor of two joints.
    pub(super) fn common_ancestor(&self, a: usize, b: usize) -> usize {
        let (mut a, mut b) = (a, b);
        // Parents come before children, so the later of two different joints is never an ancestor of the other.
        while a != b {
            if a < b {
                std::mem::swap(&mut a, &mut b);
            }
            a = self.parent(a).unwrap_or(b);
        }
        a
    }

    /// The joints from below `above` down to `below`, including `below`. Empty if it is not a descendant.
    pub(super) fn path(&self, above: usize, below: usize) -> Vec<usize> {
        if !self.is_under(below, above) {
            return Vec::new();
        }
        let mut path: Vec<usize> =
            std::iter::successors(Some(below), |&j| self.parent(j)).take_while(|&j| j != above).collect();
        path.reverse();
        path
    }

    /// The length of the path from `above` down to `below`, along the bones.
    pub(super) fn path_length(&self, above: usize, below: usize) -> f32 {
        self.path(above, below).iter().map(|&j| self.bone(j)).sum()
    }

    /// The chain from a joint to its farthest end, always through the child that reaches farthest.
    pub(super) fn chain(&self, top: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(top), |&j| self.farthest(self.children(j).iter().copied()))
    }

    /// Of some joints, the one with the greatest extent.
    pub(super) fn farthest(&self, joints: impl Iterator<Item = usize>) -> Option<usize> {
        joints.max_by(|&a, &b| self.extent(a).total_cmp(&self.extent(b)).then(b.cmp(&a)))
    }
}

/// The longest tip of each joint, rotated by the joint's rest rotation.
fn longest_tips(skeleton: &Skeleton) -> Vec<Vec3> {
    let mut tips = vec![Vec3::ZERO; skeleton.len()];
    for tip in skeleton.tips() {
        if let Some(longest) = tips.get_mut(tip.parent)
            && tip.offset.length() > longest.length()
        {
            *longest = tip.offset;
        }
    }
    for (tip, rotation) in tips.iter_mut().zip(skeleton.rest_world_rotations()) {
        *tip = rotation * *tip;
    }
    tips
}

/// The reach of each joint, children before parents.
fn reaches(skeleton: &Skeleton, tips: &[Vec3]) -> Vec<f32> {
    let mut reach: Vec<f32> = tips.iter().map(|tip| tip.length()).collect();
    for (j, joint) in skeleton.joints().iter().enumerate().rev() {
        let extent = joint.offset.length() + reach.get(j).copied().unwrap_or_default();
        if let Some(above) = joint.parent.and_then(|p| reach.get_mut(p)) {
            *above = above.max(extent);
        }
    }
    reach
}

/// The number of ancestors of each joint.
fn depths(skeleton: &Skeleton) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        depths.push(joint.parent.and_then(|p| depths.get(p)).map_or(0, |above| above + 1));
    }
    depths
}

/// Numbers the joints so that each subtree is a contiguous range that starts with its root. One comparison then decides whether
/// a joint is below another.
fn spans(skeleton: &Skeleton) -> Vec<Range<usize>> {
    let parents = || skeleton.joints().iter().map(|joint| joint.parent).enumerate();
    let mut sizes = vec![1; skeleton.len()];
    for (j, parent) in parents().rev() {
        let size = sizes.get(j).copied().unwrap_or(1);
        if let Some(above) = parent.and_then(|p| sizes.get_mut(p)) {
            *above += size;
        }
    }
    let mut spans: Vec<Range<usize>> = Vec::with_capacity(skeleton.len());
    let mut next_free = vec![1; skeleton.len()];
    for ((_, parent), size) in parents().zip(sizes) {
        let free = parent.and_then(|p| next_free.get_mut(p));
        let start = free.map_or(0, |free| std::mem::replace(free, *free + size));
        if let Some(own) = next_free.get_mut(spans.len()) {
            *own = start + 1;
        }
        spans.push(start..start + size);
    }
    spans
}

#[cfg(test)]
mod tests {
    use marey_motion::{Joint, Tip};

    use super::*;

    /// 0 ─ 1 ─ 2 (tip 1) and 0 ─ 3, bones of length 2.
    fn fork() -> Skeleton {
        let joint = |name: &str, parent| Joint::new(name, parent, Vec3::Y * 2.0);
        let joints = vec![joint("a", None), joint("b", Some(0)), joint("c", Some(1)), joint("d", Some(0))];
        Skeleton::new(joints, vec![Tip { parent: 2, offset: Vec3::X }]).unwrap()
    }

    #[test]
    fn queries_agree_with_the_drawing() {
        let skeleton = fork();
        let tree = Tree::new(&skeleton);
        assert_eq!(tree.children(0), [1, 3]);
        assert_eq!(tree.chain(0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(tree.reach(0), 5.0);
        assert_eq!(tree.size(1), 2);
        assert_eq!(tree.common_ancestor(2, 3), 0);
        assert_eq!(tree.common_ancestor(2, 1), 1);
        assert_eq!(tree.path(0, 2), [1, 2]);
        assert_eq!(tree.path_length(0, 2), 4.0);
        assert!(tree.path(3, 2).is_empty() && tree.path(2, 2).is_empty());
        for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
            assert_eq!(tree.is_under(a, b), skeleton.is_under(a, b), "{a} under {b}");
        }
    }
}
