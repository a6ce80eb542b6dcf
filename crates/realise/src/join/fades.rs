//! Examples that go on under the piece that follows them, and fade.

use std::collections::VecDeque;

use marey_motion::{LocalPose, Skeleton};

use crate::join::joiner::{between, ease};
use crate::join::offset::Offset;
use crate::piece::Piece;

/// Joints are looked at so many times in half a fade, to tell by which way round they go.
const LOOKS: usize = 4;

/// What fades, the oldest first: each under the next, and all under the piece that is played. A fade takes its time, however short the
/// pieces are, so several may be under way at once, each at its own age; one that is over takes with it what was under it.
#[derive(Debug)]
pub(super) struct Fades {
    layers: VecDeque<Layer>,
    under: LocalPose,
    over: LocalPose,
    /// For layers to come.
    spare: Vec<Offset>,
}

/// A piece that has ended, how many frames ago, and how many it takes to be gone; and what is between it and what is above it.
#[derive(Debug)]
struct Layer {
    piece: Piece,
    age: usize,
    span: usize,
    offset: Offset,
}

impl Fades {
    /// Nothing fades yet; what will takes at most so many frames. Nothing is allocated later: every fade begins in a frame
    /// of its own.
    pub(super) fn new(skeleton: &Skeleton, longest: usize) -> Self {
        Self {
            layers: VecDeque::with_capacity(longest + 1),
            under: LocalPose::rest(skeleton),
            over: LocalPose::rest(skeleton),
            spare: (0..=longest).map(|_| Offset::none(skeleton)).collect(),
        }
    }

    /// A piece has ended and fades from now on, above what fades already and under the next piece.
    ///
    /// A joint that the two have apart by about half a turn can be faded by either way round. The better is the shorter in the middle of the
    /// fade, where neither has its own way; it is followed from there back to where the fade begins.
    pub(super) fn add(&mut self, piece: Piece, span: usize, next: &Piece) {
        // There is one: as many as fades can be under way at once.
        let Some(mut offset) = self.spare.pop() else { return };
        let Self { under, over, .. } = self;
        offset.clear();
        for age in (0..=LOOKS).rev().map(|look| look * span / (2 * LOOKS)) {
            piece.pose_at(piece.frames() + age, under);
            next.pose_at(age, over);
            offset.follow_between(over, under);
        }
        self.layers.push_back(Layer { piece, age: 0, span, offset });
    }

    /// How far the last frame that was mixed is from all that it was mixed of: 0 where it is as one of them, 1 in the middle of a fade.
    pub(super) fn between(&self) -> f32 {
        self.layers.iter().map(|layer| between(layer.age, layer.span)).fold(0.0, f32::max)
    }

    /// Mixes a frame of the piece that is played with what fades under it, and goes on by a frame.
    pub(super) fn mix(&mut self, pose: &mut LocalPose) {
        if let Some(last) = self.layers.iter().rposition(|layer| layer.age >= layer.span) {
            self.spare.extend(self.layers.drain(..=last).map(|layer| layer.offset));
        }
        let Self { layers, under, over, .. } = self;
        let mut below: Option<(&mut Offset, f32)> = None;
        for Layer { piece, age, span, offset } in layers {
            piece.pose_at(piece.frames() + *age, over);
            if let Some((offset, share)) = below {
                lay(over, under, share, offset);
            }
            std::mem::swap(over, under);
            below = Some((offset, share_under(*age, *span)));
            *age += 1;
        }
        if let Some((offset, share)) = below {
            lay(pose, under, share, offset);
        }
    }
}

/// How much of what fades is left so many frames after it began to.
pub(super) fn share_under(age: usize, span: usize) -> f32 {
    1.0 - ease((age + 1) as f32 / (span + 1) as f32)
}

/// Takes a pose a share of the way to the one under it, by the way of the frame before.
pub(super) fn lay(pose: &mut LocalPose, under: &LocalPose, share: f32, offset: &mut Offset) {
    offset.follow_between(pose, under);
    offset.put_on(pose, share);
}
