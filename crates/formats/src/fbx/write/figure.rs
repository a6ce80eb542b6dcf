//! Writes a skeleton: bones in their rest pose, and the bind pose.

use glam::{DMat4, DQuat, DVec3, Quat, Vec3};
use marey_body::RestSkeleton;
use marey_motion::{Clip, Place, Report};

use super::document::properties;
use super::mesh::Body;
use super::objects::{ObjectCounts, Objects, SCENE};
use super::records::{Records, Value};
use super::{CM_PER_M, codes, euler_degrees};

/// An actor, ready to be written.
pub(super) struct Figure<'a> {
    pub(super) name: String,
    pub(super) clip: &'a Clip,
    pub(super) rest: RestSkeleton<'a>,
    /// Names of the joints.
    joints: Vec<String>,
    pub(super) body: Option<Body>,
}

/// The identities of an actor's nodes.
pub(super) struct FigureIds {
    /// The node above the skeleton.
    pub(super) top: i64,
    pub(super) joints: Vec<i64>,
}

impl<'a> Figure<'a> {
    pub(super) fn new(name: &str, clip: &'a Clip, report: &mut Report) -> Self {
        let rest = RestSkeleton::on_floor(clip.skeleton());
        let joints = clip.skeleton().joints().iter().map(|joint| plain_name(&joint.name, report)).collect();
        Self { name: plain_name(name, report), clip, rest, joints, body: None }
    }

    pub(super) fn add_counts(&self, counts: &mut ObjectCounts) {
        let skeleton = self.rest.skeleton;
        let nodes = 1 + skeleton.len() + skeleton.tips().len();
        counts.models += nodes;
        counts.attributes += nodes;
        counts.poses += 1;
        counts.curve_nodes += skeleton.len() + skeleton.movers().len();
        if let Some(body) = &self.body {
            body.add_counts(counts);
        }
    }

    /// Writes a node with the actor's name, the bones below it, and the mesh with its skin.
    pub(super) fn write(&self, records: &mut Records, objects: &mut Objects) -> FigureIds {
        let top = node(records, objects, &self.name, "Null", SCENE, NodePlace::default());
        let mut joints: Vec<i64> = Vec::with_capacity(self.joints.len());
        for (joint, name) in self.rest.skeleton.joints().iter().zip(&self.joints) {
            let parent = joint.parent.and_then(|parent| joints.get(parent)).copied().unwrap_or(top);
            let offset = if joint.parent.is_some() { joint.offset } else { self.rest.root };
            let place = NodePlace { offset, rotation: joint.rest_rotation };
            joints.push(node(records, objects, name, "LimbNode", parent, place));
        }
        for tip in self.rest.skeleton.tips() {
            let Some((parent, name)) = joints.get(tip.parent).zip(self.joints.get(tip.parent)) else {
                continue;
            };
            let place = NodePlace { offset: tip.offset, ..NodePlace::default() };
            node(records, objects, &format!("{name}{}", super::TIP_SUFFIX), "LimbNode", *parent, place);
        }
        let ids = FigureIds { top, joints };
        let mesh = self
            .body
            .as_ref()
            .map(|body| body.write(&self.name, &self.bind_matrices(), &ids, records, objects));
        self.write_bind_pose(&ids, mesh, records, objects);
        ids
    }

    /// The matrices of the joints in the rest pose, in centimetres.
    fn bind_matrices(&self) -> Vec<DMat4> {
        let matrix = |(at, rotation): (&Vec3, &Quat)| {
            DMat4::from_rotation_translation(rotation.as_dquat().normalize(), at.as_dvec3() * CM_PER_M)
        };
        self.rest.positions.iter().zip(&self.rest.rotations).map(matrix).collect()
    }

    fn write_bind_pose(
        &self,
        ids: &FigureIds,
        mesh: Option<i64>,
        records: &mut Records,
        objects: &mut Objects,
    ) {
        let still = [Some(ids.top), mesh].into_iter().flatten().map(|id| (id, DMat4::IDENTITY));
        let nodes: Vec<(i64, DMat4)> =
            still.chain(ids.joints.iter().copied().zip(self.bind_matrices())).collect();
        records.object("Pose", objects.id(), [&self.name, "Pose", "BindPose"], |pose| {
            pose.leaf("Type", &[Value::Text("BindPose")]);
            pose.leaf("Version", &[Value::I32(100)]);
            pose.leaf("NbPoseNodes", &[Value::I32(nodes.len() as i32)]);
            for (id, matrix) in nodes {
                pose.record("PoseNode", &[], |node| {
                    node.leaf("Node", &[Value::I64(id)]);
                    node.matrix("Matrix", matrix);
                });
            }
        });
    }
}

/// The position and rotation of a node in its parent at rest.
#[derive(Default)]
struct NodePlace {
    offset: Vec3,
    rotation: Quat,
}

/// Writes a node and its attribute. The rest rotation is a pre-rotation: without further rotation, the figure is at rest.
fn node(
    records: &mut Records,
    objects: &mut Objects,
    name: &str,
    kind: &str,
    parent: i64,
    place: NodePlace,
) -> i64 {
    let (model, attribute) = (objects.id(), objects.id());
    let type_flags = if kind == "Null" { "Null" } else { "Skeleton" };
    records.object("NodeAttribute", attribute, [name, "NodeAttribute", kind], |content| {
        content.leaf("TypeFlags", &[Value::Text(type_flags)]);
    });
    records.object("Model", model, [name, "Model", kind], |content| {
        content.leaf("Version", &[Value::I32(232)]);
        properties(content, |list| {
            list.property("RotationActive", ["bool", ""], "", &[Value::I32(1)]);
            list.property("InheritType", ["enum", ""], "", &[Value::I32(1)]);
            list.vector("ScalingMax", ["Vector3D", "Vector"], "", [0.0; 3]);
            if place.rotation != Quat::IDENTITY {
                let [x, y, z] = euler_degrees(place.rotation.as_dquat(), None);
                list.vector("PreRotation", ["Vector3D", "Vector"], "", [x, y, z]);
            }
            let offset: DVec3 = place.offset.as_dvec3() * CM_PER_M;
            list.vector("Lcl Translation", ["Lcl Translation", ""], "A", offset.to_array());
            list.vector("Lcl Rotation", ["Lcl Rotation", ""], "A", [0.0; 3]);
            list.vector("Lcl Scaling", ["Lcl Scaling", ""], "A", [1.0; 3]);
        });
        content.leaf("Shading", &[Value::Bool(true)]);
        content.leaf("Culling", &[Value::Text("CullingOff")]);
    });
    objects.connect(model, parent);
    objects.connect(attribute, model);
    model
}

/// A joint's rotation on top of its rest rotation.
pub(super) fn beyond_rest(rotation: Quat, rest: Quat) -> DQuat {
    rest.as_dquat().inverse() * rotation.as_dquat()
}

/// The name without the characters that separate names from classes.
pub(super) fn plain_name(name: &str, report: &mut Report) -> String {
    if !name.contains(['\0', '\x01']) {
        return name.to_owned();
    }
    let plain = name.replace(['\0', '\x01'], "_");
    let message = format!("{name:?} was renamed {plain:?}");
    report.warn(&codes::RENAMED, Place::default().joint(plain.clone()), message);
    plain
}
