//! A simple body for a skeleton at rest, so that a written file shows a person in any viewer.
//!
//! A skeleton with the roles of a person gets limbs, a trunk, a head, hands and feet whose thicknesses are shares of the
//! stature, chosen by eye; any other gets a bone's shape for each bone. All of it is made of [lofts](loft): rings around a
//! line, skinned to the joints they lie at. Pieces overlap where they meet, as a wooden mannequin's do in its sockets; only
//! knees, elbows, the trunk and the balls of the feet bend smoothly.

mod extremities;
mod human;
mod loft;
mod mesh;
mod sticks;

use glam::Vec3;
use human::Human;
use marey_motion::Skeleton;
pub(super) use mesh::Mesh;

/// A skeleton at rest in the world.
pub(super) struct Rest<'a> {
    pub(super) skeleton: &'a Skeleton,
    /// Where each joint is.
    pub(super) positions: &'a [Vec3],
    /// Each tip: its joint, and where it is.
    pub(super) tips: &'a [(usize, Vec3)],
}

impl Rest<'_> {
    fn at(&self, joint: usize) -> Vec3 {
        self.positions.get(joint).copied().unwrap_or_default()
    }
}

/// The body of a figure: its clothed part, and its bare part (head and hands). `None` where the figure has no size.
pub(super) fn body(rest: &Rest<'_>) -> Option<[Mesh; 2]> {
    let mut meshes = [Mesh::default(), Mesh::default()];
    let [suit, skin] = &mut meshes;
    match Human::of(rest) {
        Some(human) => human.build(suit, skin),
        None => sticks::build(rest, suit),
    }
    (!suit.is_empty()).then_some(meshes)
}
