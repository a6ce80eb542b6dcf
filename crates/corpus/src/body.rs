//! A skeleton as text: JSON that any tool can read, and that reads back to the bit.

use marey_motion::{Joint, Quat, Role, Skeleton, Tip, Vec3};
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// A skeleton, as JSON has it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Body {
    joints: Vec<BodyJoint>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tips: Vec<BodyTip>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyJoint {
    name: String,
    parent: Option<usize>,
    /// In metres.
    offset: [f32; 3],
    /// x y z w.
    #[serde(default = "unturned", skip_serializing_if = "is_unturned")]
    rest: [f32; 4],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    role: Option<Role>,
    moves: bool,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BodyTip {
    parent: usize,
    offset: [f32; 3],
}

fn unturned() -> [f32; 4] {
    Quat::IDENTITY.to_array()
}

fn is_unturned(rest: &[f32; 4]) -> bool {
    *rest == unturned()
}

/// A skeleton as one line of JSON; equal skeletons give equal text.
pub(crate) fn to_json(skeleton: &Skeleton) -> Result<String> {
    let joints = skeleton.joints().iter().map(|joint| BodyJoint {
        name: joint.name.clone(),
        parent: joint.parent,
        offset: joint.offset.to_array(),
        rest: joint.rest_rotation.to_array(),
        role: joint.role,
        moves: joint.moves,
    });
    let tips =
        skeleton.tips().iter().map(|tip| BodyTip { parent: tip.parent, offset: tip.offset.to_array() });
    let body = Body { joints: joints.collect(), tips: tips.collect() };
    serde_json::to_string(&body).map_err(|error| Error::damaged(format!("a skeleton: {error}")))
}

/// The skeleton of a text.
pub(crate) fn from_json(text: &str) -> Result<Skeleton> {
    let body: Body =
        serde_json::from_str(text).map_err(|error| Error::damaged(format!("a skeleton: {error}")))?;
    let joints = body.joints.into_iter().map(|joint| Joint {
        name: joint.name,
        parent: joint.parent,
        offset: Vec3::from_array(joint.offset),
        rest_rotation: Quat::from_array(joint.rest),
        role: joint.role,
        moves: joint.moves,
    });
    let tips =
        body.tips.into_iter().map(|tip| Tip { parent: tip.parent, offset: Vec3::from_array(tip.offset) });
    Skeleton::new(joints.collect(), tips.collect())
        .map_err(|error| Error::damaged(format!("a skeleton: {error}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn skeletons_read_back_as_they_were() {
        let mut arm =
            Joint::new("arm \"1\"\n", Some(0), Vec3::new(0.1, -1e-9, 3.0e7)).with_role(Role::LeftUpperArm);
        arm.rest_rotation = Quat::from_rotation_x(0.3).normalize();
        arm.moves = true;
        let joints = vec![Joint::new("root", None, Vec3::Y), arm, Joint::new("hand", Some(1), Vec3::X)];
        let skeleton = Skeleton::new(joints, vec![Tip { parent: 2, offset: Vec3::splat(0.3) }]).unwrap();
        assert_eq!(from_json(&to_json(&skeleton).unwrap()).unwrap(), skeleton);
        for bad in [
            "",
            "{}",
            "{\"joints\":[]}",
            "{\"joints\":[{\"name\":\"a\",\"parent\":3,\"offset\":[0,0,0],\"moves\":true}]}",
        ] {
            assert!(from_json(bad).is_err(), "{bad}");
        }
    }
}
