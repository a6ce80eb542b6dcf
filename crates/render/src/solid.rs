//! The solids that figures consist of: smooth hulls around a few balls.

use glam::Vec3;

use crate::theme::Material;

/// A ball in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ball {
    pub(crate) at: Vec3,
    pub(crate) radius_m: f32,
}

impl Ball {
    pub(crate) fn new(at: Vec3, radius_m: f32) -> Ball {
        Ball { at, radius_m }
    }
}

/// A piece of a body: the convex hull of its balls. Two balls form a tapered capsule; more form a torso, a foot or a head.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Solid {
    pub(crate) balls: Vec<Ball>,
    pub(crate) material: Material,
    /// The direction of a long piece, for shading. `None` for a round piece.
    pub(crate) grain: Option<Vec3>,
    /// The index of the piece that this one continues without a seam.
    pub(crate) continues: Option<usize>,
    /// The point at which the depth of the piece is measured for the drawing order.
    pub(crate) anchor: Vec3,
    /// Offset of the depth towards the camera, in metres, which keeps the drawing order of pieces at equal depth stable.
    pub(crate) lift_m: f32,
}

impl Solid {
    /// A tapered capsule.
    pub(crate) fn capsule(from: Ball, to: Ball, material: Material) -> Solid {
        Solid::hull(vec![from, to], material).along(to.at - from.at)
    }

    /// The hull of several balls, with round shading.
    pub(crate) fn hull(balls: Vec<Ball>, material: Material) -> Solid {
        let anchor = balls.iter().map(|ball| ball.at).sum::<Vec3>() / balls.len().max(1) as f32;
        Solid { balls, material, grain: None, continues: None, anchor, lift_m: 0.0 }
    }

    /// The same piece with the shading of a long one.
    pub(crate) fn along(mut self, direction: Vec3) -> Solid {
        self.grain = direction.try_normalize();
        self
    }

    /// The same piece, continuing another without a seam.
    pub(crate) fn continuing(mut self, piece: usize) -> Solid {
        self.continues = Some(piece);
        self
    }

    /// The same piece with a depth closer to the camera.
    pub(crate) fn lifted(mut self, lift_m: f32) -> Solid {
        self.lift_m = lift_m;
        self
    }

    /// The same piece with its depth measured at this point.
    pub(crate) fn anchored(mut self, anchor: Vec3) -> Solid {
        self.anchor = anchor;
        self
    }
}
