//! Writes an actor: its skeleton, its animation and its body.

use glam::DMat4;
use marey_body::RestSkeleton;
use marey_motion::Clip;

use super::layer::{Layer, Matrix, Rotation, Vector, quoted};
use super::mesh::write_body;
use super::prim_names::PrimNames;
use crate::shape::ColouredMannequin;

/// Names of the prims below an actor.
const SKELETON: &str = "Skeleton";
const ANIMATION: &str = "Animation";

/// An actor, ready to be written.
pub(super) struct Figure<'a> {
    actor: &'a str,
    /// The path of its prim.
    path: String,
    clip: &'a Clip,
    pub(super) rest: RestSkeleton<'a>,
    /// The path of each joint.
    joints: Vec<String>,
}

impl<'a> Figure<'a> {
    pub(super) fn new(actor: &'a str, path: String, clip: &'a Clip) -> Self {
        let skeleton = clip.skeleton();
        let mut names: Vec<PrimNames> = (0..skeleton.len()).map(|_| PrimNames::default()).collect();
        let mut joints: Vec<String> = Vec::with_capacity(skeleton.len());
        for joint in skeleton.joints() {
            // The root has no siblings.
            let siblings = joint.parent.and_then(|parent| names.get_mut(parent));
            let name = siblings.map_or_else(
                || PrimNames::default().claim(&joint.name, "joint"),
                |siblings| siblings.claim(&joint.name, "joint"),
            );
            let above = joint.parent.and_then(|parent| joints.get(parent));
            joints.push(above.map_or_else(|| name.clone(), |above| format!("{above}/{name}")));
        }
        Self { actor, path, clip, rest: RestSkeleton::on_floor(skeleton), joints }
    }

    pub(super) fn write(&self, name: &str, body: Option<&ColouredMannequin>, layer: &mut Layer) {
        layer.prim("SkelRoot", name, &[format!("displayName = {}", quoted(self.actor))], |layer| {
            self.write_skeleton(layer);
            self.write_animation(layer);
            if let Some(body) = body {
                write_body(body, &self.path, &format!("{}/{SKELETON}", self.path), layer);
            }
        });
    }

    fn write_skeleton(&self, layer: &mut Layer) {
        let bound = ["prepend apiSchemas = [\"SkelBindingAPI\"]".to_owned()];
        layer.prim("Skeleton", SKELETON, &bound, |layer| {
            let rest = &self.rest;
            let places = rest.positions.iter().zip(&rest.rotations);
            let binds = places.map(|(at, rotation)| {
                Matrix(DMat4::from_rotation_translation(rotation.as_dquat().normalize(), at.as_dvec3()))
            });
            layer.list("uniform matrix4d[] bindTransforms", binds);
            layer.list(
                "uniform token[] jointNames",
                rest.skeleton.joints().iter().map(|joint| quoted(&joint.name)),
            );
            self.write_joints(layer);
            let rests = rest.skeleton.joints().iter().map(|joint| {
                let offset = if joint.parent.is_some() { joint.offset } else { rest.root };
                let rotation = joint.rest_rotation.as_dquat().normalize();
                Matrix(DMat4::from_rotation_translation(rotation, offset.as_dvec3()))
            });
            layer.list("uniform matrix4d[] restTransforms", rests);
            layer.line(&format!("rel skel:animationSource = <{}/{ANIMATION}>", self.path));
        });
    }

    fn write_animation(&self, layer: &mut Layer) {
        layer.prim("SkelAnimation", ANIMATION, &[], |layer| {
            let skeleton = self.rest.skeleton;
            self.write_joints(layer);
            layer.samples(
                "quatf[] rotations",
                self.clip.poses().map(|pose| pose.rotations.iter().map(|rotation| Rotation(*rotation))),
            );
            layer.list("half3[] scales", (0..skeleton.len()).map(|_| "(1, 1, 1)"));
            layer.samples(
                "float3[] translations",
                self.clip.poses().map(|pose| {
                    let mut movers = pose.positions.iter();
                    skeleton.joints().iter().map(move |joint| {
                        let own = if joint.moves { movers.next() } else { None };
                        Vector(own.copied().unwrap_or(joint.offset))
                    })
                }),
            );
        });
    }

    fn write_joints(&self, layer: &mut Layer) {
        layer.list("uniform token[] joints", self.joints.iter().map(|path| quoted(path)));
    }
}
