//! What figures are built of: the smooth skin around a few balls.

use glam::Vec3;

use crate::theme::Cloth;

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

/// A piece of a body: the convex hull of its balls. Two make a tapered capsule, more a torso, a foot, a head.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Solid {
    pub(crate) balls: Vec<Ball>,
    pub(crate) cloth: Cloth,
    /// The direction a long piece runs along, by which it is shaded; `None` for a round one.
    pub(crate) grain: Option<Vec3>,
    /// The piece that this one goes on from without a seam, by its place in the list of pieces.
    pub(crate) continues: Option<usize>,
    /// Where the depth of the piece is taken, by which it is before or behind others.
    pub(crate) anchor: Vec3,
    /// How much nearer the piece counts than it is, where pieces at one depth must be drawn in a steady order.
    pub(crate) lift_m: f32,
}

impl Solid {
    /// A tapered capsule.
    pub(crate) fn capsule(from: Ball, to: Ball, cloth: Cloth) -> Solid {
        Solid::hull(vec![from, to], cloth).along(to.at - from.at)
    }

    /// The hull of several balls, shaded as something round.
    pub(crate) fn hull(balls: Vec<Ball>, cloth: Cloth) -> Solid {
        let anchor = balls.iter().map(|ball| ball.at).sum::<Vec3>() / balls.len().max(1) as f32;
        Solid { balls, cloth, grain: None, continues: None, anchor, lift_m: 0.0 }
    }

    /// The same piece, shaded as something long.
    pub(crate) fn along(mut self, direction: Vec3) -> Solid {
        self.grain = direction.try_normalize();
        self
    }

    /// The same piece, going on from another without a seam.
    pub(crate) fn continuing(mut self, piece: usize) -> Solid {
        self.continues = Some(piece);
        self
    }

    /// The same piece, drawn as if it were nearer.
    pub(crate) fn lifted(mut self, lift_m: f32) -> Solid {
        self.lift_m = lift_m;
        self
    }

    /// The same piece, before or behind others as this point of it is.
    pub(crate) fn anchored(mut self, anchor: Vec3) -> Solid {
        self.anchor = anchor;
        self
    }
}
