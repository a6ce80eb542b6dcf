//! A skeleton's tree, walked in ways that role finding needs.

use std::ops::Range;

use marey_motion::{Skeleton, Vec3};

/// Children, bone lengths, rest positions and reach of every joint, in the skeleton's own unit and axes.
///
/// A joint that does not exist has no children and sits at the origin: nothing here can fail.
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
    pub(super) fn of(skeleton: &'a Skeleton) -> Self {
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

    /// The joints that hang from a joint.
    pub(super) fn children(&self, joint: usize) -> &[usize] {
        self.children.get(joint).map_or(&[], Vec::as_slice)
    }

    /// The joint above; `None` above the root.
    pub(super) fn parent(&self, joint: usize) -> Option<usize> {
        self.skeleton.joints().get(joint)?.parent
    }

    /// How many joints are above a joint.
    pub(super) fn depth(&self, joint: usize) -> usize {
        self.depths.get(joint).copied().unwrap_or_default()
    }

    /// Where a joint is at rest.
    pub(super) fn position(&self, joint: usize) -> Vec3 {
        self.positions.get(joint).copied().unwrap_or_default()
    }

    /// A joint's offset in its parent's frame.
    pub(super) fn offset(&self, joint: usize) -> Vec3 {
        self.skeleton.offsets().get(joint).copied().unwrap_or_default()
    }

    /// Where the longest tip of a joint is from the joint, at rest; zero where it has none.
    pub(super) fn tip(&self, joint: usize) -> Vec3 {
        self.tips.get(joint).copied().unwrap_or_default()
    }

    /// The distance from a joint's parent to the joint.
    pub(super) fn bone(&self, joint: usize) -> f32 {
        self.offset(joint).length()
    }

    /// The longest way from a joint down to an end, along the bones.
    pub(super) fn reach(&self, joint: usize) -> f32 {
        self.reach.get(joint).copied().unwrap_or_default()
    }

    /// The longest way from a joint's parent through the joint to an end.
    pub(super) fn extent(&self, joint: usize) -> f32 {
        self.bone(joint) + self.reach(joint)
    }

    /// Whether `ancestor` is `joint` or above it.
    pub(super) fn is_under(&self, joint: usize, ancestor: usize) -> bool {
        match (self.spans.get(joint), self.spans.get(ancestor)) {
            (Some(below), Some(above)) => above.contains(&below.start),
            _ => false,
        }
    }

    /// How many joints are under a joint, itself included.
    pub(super) fn size(&self, joint: usize) -> usize {
        self.spans.get(joint).map_or(0, Range::len)
    }

    /// The lowest joint that both are under.
    pub(super) fn meeting(&self, a: usize, b: usize) -> usize {
        let (mut a, mut b) = (a, b);
        // Parents come before children, so the later of two different joints is never above the other.
        while a != b {
            if a < b {
                std::mem::swap(&mut a, &mut b);
            }
            a = self.parent(a).unwrap_or(b);
        }
        a
    }

    /// The joints from below `above` down to `below`, `below` included; empty where it is not below.
    pub(super) fn path(&self, above: usize, below: usize) -> Vec<usize> {
        if !self.is_under(below, above) {
            return Vec::new();
        }
        let mut path: Vec<usize> =
            std::iter::successors(Some(below), |&j| self.parent(j)).take_while(|&j| j != above).collect();
        path.reverse();
        path
    }

    /// The length of the way from `above` down to `below`, along the bones.
    pub(super) fn way(&self, above: usize, below: usize) -> f32 {
        self.path(above, below).iter().map(|&j| self.bone(j)).sum()
    }

    /// The chain from a joint to its farthest end: always on to the child that reaches farthest.
    pub(super) fn chain(&self, top: usize) -> impl Iterator<Item = usize> {
        std::iter::successors(Some(top), |&j| self.farthest(self.children(j).iter().copied()))
    }

    /// Of some joints, the one with the greatest extent.
    pub(super) fn farthest(&self, joints: impl Iterator<Item = usize>) -> Option<usize> {
        joints.max_by(|&a, &b| self.extent(a).total_cmp(&self.extent(b)).then(b.cmp(&a)))
    }
}

/// The longest tip of each joint, turned as the joint is at rest.
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

/// How many joints are above each joint.
fn depths(skeleton: &Skeleton) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(skeleton.len());
    for joint in skeleton.joints() {
        depths.push(joint.parent.and_then(|p| depths.get(p)).map_or(0, |above| above + 1));
    }
    depths
}

/// Numbers the joints so that those under a joint have one range of numbers, which starts with the joint's own:
/// then a single comparison tells what is under what, however deep the tree.
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
    fn walks_agree_with_the_drawing() {
        let skeleton = fork();
        let tree = Tree::of(&skeleton);
        assert_eq!(tree.children(0), [1, 3]);
        assert_eq!(tree.chain(0).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(tree.reach(0), 5.0);
        assert_eq!(tree.size(1), 2);
        assert_eq!(tree.meeting(2, 3), 0);
        assert_eq!(tree.meeting(2, 1), 1);
        assert_eq!(tree.path(0, 2), [1, 2]);
        assert_eq!(tree.way(0, 2), 4.0);
        assert!(tree.path(3, 2).is_empty() && tree.path(2, 2).is_empty());
        for (a, b) in (0..4).flat_map(|a| (0..4).map(move |b| (a, b))) {
            assert_eq!(tree.is_under(a, b), skeleton.is_under(a, b), "{a} under {b}");
        }
    }
}
