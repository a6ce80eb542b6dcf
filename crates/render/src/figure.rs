//! The body of a skeleton: a person if the roles are known, else sticks and dots.

use glam::Vec3;
use marey_motion::{Clip, WorldPose};

use crate::human::Human;
use crate::solid::Solid;
use crate::stick_figure::StickFigure;

/// The drawable body of one actor.
#[derive(Debug, Clone)]
pub(crate) enum Figure {
    Human(Box<Human>),
    StickFigure(StickFigure),
}

impl Figure {
    /// The body for a clip's skeleton, measured on its motion.
    pub(crate) fn of(clip: &Clip, actor: usize) -> Figure {
        match Human::of(clip, actor) {
            Some(human) => Figure::Human(Box::new(human)),
            None => Figure::StickFigure(StickFigure::of(clip, actor)),
        }
    }

    /// Adds the body in a pose to a list of solids.
    pub(crate) fn build(&self, pose: &WorldPose, solids: &mut Vec<Solid>) {
        match self {
            Figure::Human(human) => human.build(pose, solids),
            Figure::StickFigure(figure) => figure.build(pose, solids),
        }
    }

    /// The direction on the floor that the figure faces; +Z if it is undefined.
    pub(crate) fn heading(&self, pose: &WorldPose) -> Vec3 {
        match self {
            Figure::Human(human) => human.heading(pose).unwrap_or(Vec3::Z),
            Figure::StickFigure(_) => Vec3::Z,
        }
    }
}

/// A joint, or the end of a bone beyond it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Point {
    Joint(usize),
    Tip { parent: usize, offset: Vec3 },
}

impl Point {
    /// The position of the point.
    pub(crate) fn at(self, pose: &WorldPose) -> Vec3 {
        match self {
            Point::Joint(joint) => pose.positions[joint],
            Point::Tip { parent, offset } => pose.positions[parent] + pose.rotations[parent] * offset,
        }
    }

    /// The joint at which the bone to this point starts. `None` for the root.
    pub(crate) fn parent(self, pose: &WorldPose) -> Option<usize> {
        match self {
            Point::Joint(joint) => pose.skeleton().joints()[joint].parent,
            Point::Tip { parent, .. } => Some(parent),
        }
    }

    /// Every joint, parents first, then every tip.
    pub(crate) fn all(pose: &WorldPose) -> impl Iterator<Item = Point> + '_ {
        let skeleton = pose.skeleton();
        let tips = skeleton.tips().iter().map(|tip| Point::Tip { parent: tip.parent, offset: tip.offset });
        (0..skeleton.len()).map(Point::Joint).chain(tips)
    }

    /// The length of the bone to this point; zero for the root.
    pub(crate) fn bone_m(self, pose: &WorldPose) -> f32 {
        self.parent(pose).map_or(0.0, |parent| pose.positions[parent].distance(self.at(pose)))
    }
}
