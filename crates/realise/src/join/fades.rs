//! Crossfades: source clips that continue under the next piece while they fade out.

use std::collections::VecDeque;

use marey_motion::{LocalPose, Skeleton, smoothstep};

use crate::join::joiner::between;
use crate::join::offset::{JoinWeight, Offset};
use crate::piece::Piece;
use crate::sole_touch::{SoleTouch, TouchShares};

/// Number of samples in the first half of a fade that decide the direction of rotation.
const SAMPLES: usize = 4;

/// The layers that fade, oldest first: each lies under the next, and all lie under the current piece. A fade
/// has a fixed length however short the pieces are, so several layers can fade at once. A layer that has
/// faded removes the layers under it.
#[derive(Debug)]
pub(super) struct Fades {
    layers: VecDeque<Layer>,
    under: LocalPose,
    over: LocalPose,
    /// Unused layers.
    spare: Vec<Offset>,
}

/// A piece that has ended, its age in frames, and its rotation offset to the layer above.
#[derive(Debug)]
struct Layer {
    piece: Piece,
    age: usize,
    span: FadeSpan,
    offset: Offset,
}

/// The length of a fade, in frames.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FadeSpan {
    /// Of root, trunk and legs.
    pub(super) body: usize,
    /// Of arms and head; at least as long.
    pub(super) arms: usize,
}

impl FadeSpan {
    /// The weight of a fading layer at an age in frames.
    pub(super) fn weight(self, age: usize) -> JoinWeight {
        let weight = |span: usize| {
            if age < span { 1.0 - smoothstep((age + 1) as f32 / (span + 1) as f32) } else { 0.0 }
        };
        JoinWeight { body: weight(self.body), arms: weight(self.arms) }
    }
}

impl Fades {
    /// Creates an empty stack for fades of at most `longest` frames. Allocates all memory: at most one fade
    /// starts in a frame.
    pub(super) fn new(skeleton: &Skeleton, longest: usize) -> Self {
        Self {
            layers: VecDeque::with_capacity(longest + 1),
            under: LocalPose::rest(skeleton),
            over: LocalPose::rest(skeleton),
            spare: (0..=longest).map(|_| Offset::none(skeleton)).collect(),
        }
    }

    /// Starts to fade a piece that has ended, above the existing layers and under the next piece.
    ///
    /// A joint whose two rotations are about half a turn apart can be blended in either direction. The
    /// direction that is shorter in the middle of the fade is used, traced back to the start of the fade.
    pub(super) fn add(&mut self, piece: Piece, span: FadeSpan, next: &Piece) {
        // There is a free layer: the number of simultaneous fades is bounded.
        let Some(mut offset) = self.spare.pop() else { return };
        let Self { under, over, .. } = self;
        offset.clear();
        for age in (0..=SAMPLES).rev().map(|sample| sample * span.body / (2 * SAMPLES)) {
            piece.pose_at(piece.frames() + age, under);
            next.pose_at(age, over);
            offset.follow_between(over, under);
        }
        self.layers.push_back(Layer { piece, age: 0, span, offset });
    }

    /// How strongly the legs of the last frame are mixed: 0 if they equal those of one layer, 1 in the middle of
    /// a fade.
    pub(super) fn between(&self) -> f32 {
        self.layers.iter().map(|layer| between(layer.age, layer.span.body)).fold(0.0, f32::max)
    }

    /// Blends a frame of the current piece with the fading layers, and advances by a frame. Returns the foot
    /// contacts of the blend.
    pub(super) fn mix(&mut self, pose: &mut LocalPose, touch: SoleTouch) -> SoleTouch {
        if let Some(last) = self.layers.iter().rposition(|layer| layer.age >= layer.span.arms) {
            self.spare.extend(self.layers.drain(..=last).map(|layer| layer.offset));
        }
        let Self { layers, under, over, .. } = self;
        let mut below: Option<(&mut Offset, JoinWeight, TouchShares)> = None;
        for Layer { piece, age, span, offset } in layers {
            let at = piece.frames() + *age;
            piece.pose_at(at, over);
            let mut touches = TouchShares::of(piece.touch_at(at));
            if let Some((offset, weight, others)) = below {
                blend_layer(over, under, weight, offset);
                touches = touches.blended(others, weight.body);
            }
            std::mem::swap(over, under);
            below = Some((offset, span.weight(*age), touches));
            *age += 1;
        }
        let Some((offset, weight, others)) = below else { return touch };
        blend_layer(pose, under, weight, offset);
        TouchShares::of(touch).blended(others, weight.body).touch()
    }
}

/// Blends a pose towards the layer under it, in the direction of the previous frame.
pub(super) fn blend_layer(pose: &mut LocalPose, under: &LocalPose, weight: JoinWeight, offset: &mut Offset) {
    offset.follow_between(pose, under);
    offset.apply(pose, weight);
}
