//! Skeletons described by text, with the expected role of each joint.

use marey_motion::{Joint, Role, Side, Skeleton, Tip, Vec3};

use crate::roles::detect;

/// A skeleton in a T-pose, Y up, facing +Z, in metres, and the roles of its joints.
#[derive(Debug, Clone)]
pub(super) struct Drawing {
    pub skeleton: Skeleton,
    pub expected: Vec<Option<Role>>,
}

/// Parses `name@Role(children)`, with siblings separated by commas.
///
/// Text in braces is repeated for both sides: `*` is the word for the side in a name, and `Left` or `Right` in a role.
/// A joint with a role has the position of an adult's; a joint without one is at its parent. Ends have tips.
pub(super) fn draw(side_words: [&str; 2], text: &str) -> Drawing {
    let (mut joints, mut positions, mut expected) = (Vec::new(), Vec::new(), Vec::new());
    let mut above: Vec<usize> = Vec::new();
    let mut token = String::new();
    for c in both_sides(side_words, text).chars().chain([',']) {
        if !"(),".contains(c) {
            token.push(c);
            continue;
        }
        if !token.trim().is_empty() {
            let (name, role) = token.trim().split_once('@').unwrap_or((token.trim(), ""));
            let role: Option<Role> = (!role.is_empty()).then(|| role.parse().unwrap());
            let parent = above.last().copied();
            let at_parent = parent.map_or(Vec3::ZERO, |p| positions[p]);
            let position = role.map_or(at_parent, place);
            joints.push(Joint::new(name, parent, position - at_parent));
            positions.push(position);
            expected.push(role);
        }
        match c {
            '(' => above.push(joints.len() - 1),
            ')' => drop(above.pop()),
            _ => {}
        }
        token.clear();
    }
    let tips =
        expected.iter().enumerate().filter_map(|(parent, role)| Some(Tip { parent, offset: tip(*role)? }));
    Drawing { skeleton: Skeleton::new(joints, tips.collect()).unwrap(), expected }
}

/// Expands text in braces for both sides.
fn both_sides(side_words: [&str; 2], text: &str) -> String {
    let mut out = String::new();
    for part in text.split_inclusive(['{', '}']) {
        match part.strip_suffix('}') {
            Some(body) => {
                for (word, side) in side_words.into_iter().zip(["@Left", "@Right"]) {
                    out += &body.replace("@*", side).replace('*', word);
                    out.push(',');
                }
            }
            None => out += part.trim_end_matches('{'),
        }
    }
    out
}

/// The joints of a hand: the name of each finger, and the names of its joints from the palm out.
pub(super) fn fingers(
    names: [&str; 5],
    thumb: [&str; 3],
    others: [&str; 3],
    name: impl Fn(&str, &str) -> String,
) -> String {
    let words = ["Thumb", "Index", "Middle", "Ring", "Little"];
    let finger = |(i, (finger, word)): (usize, (&str, &str))| {
        let (joints, roles) = match i {
            0 => (thumb, ["Metacarpal", "Proximal", "Distal"]),
            _ => (others, ["Proximal", "Intermediate", "Distal"]),
        };
        let [a, b, c] = joints.map(|joint| name(finger, joint));
        let [x, y, z] = roles.map(|role| format!("@*{word}{role}"));
        format!("{a}{x}({b}{y}({c}{z}))")
    };
    names.into_iter().zip(words).enumerate().map(finger).collect::<Vec<_>>().join(",")
}

/// The position of an adult's joint.
pub(super) fn place(role: Role) -> Vec3 {
    use Role::*;
    let left = match role.on(Side::Left) {
        Hips => [0.0, 0.95, 0.0],
        Spine => [0.0, 1.05, -0.01],
        Chest => [0.0, 1.18, -0.02],
        UpperChest => [0.0, 1.3, -0.02],
        Neck => [0.0, 1.48, -0.01],
        Head => [0.0, 1.57, 0.02],
        Jaw => [0.0, 1.58, 0.05],
        LeftEye => [0.03, 1.64, 0.1],
        LeftShoulder => [0.03, 1.42, 0.0],
        LeftUpperArm => [0.18, 1.42, -0.02],
        LeftLowerArm => [0.46, 1.42, -0.02],
        LeftHand => [0.71, 1.42, 0.0],
        LeftUpperLeg => [0.1, 0.9, 0.0],
        LeftLowerLeg => [0.1, 0.5, 0.01],
        LeftFoot => [0.1, 0.09, -0.02],
        LeftToes => [0.1, 0.02, 0.12],
        other => return finger_place(other),
    };
    on_its_side(role, left)
}

fn finger_place(role: Role) -> Vec3 {
    let out = match role.name() {
        name if name.ends_with("Metacarpal") => 0.03,
        name if name.contains("ThumbProximal") => 0.06,
        name if name.contains("ThumbDistal") => 0.09,
        name if name.ends_with("Proximal") => 0.1,
        name if name.ends_with("Intermediate") => 0.14,
        _ => 0.16,
    };
    let fingers = ["Thumb", "Index", "Middle", "Ring", "Little"];
    let finger = fingers.iter().position(|finger| role.name().contains(finger)).unwrap();
    on_its_side(role, [0.71 + out, 1.42, 0.05 - 0.025 * finger as f32])
}

fn on_its_side(role: Role, [x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(if role.side() == Some(Side::Right) { -x } else { x }, y, z)
}

/// The end of the last bones.
fn tip(role: Option<Role>) -> Option<Vec3> {
    match role? {
        Role::Head => Some(Vec3::new(0.0, 0.2, 0.0)),
        Role::LeftToes | Role::RightToes => Some(Vec3::new(0.0, 0.0, 0.07)),
        _ => None,
    }
}

impl Drawing {
    /// The drawing with every joint replaced.
    pub(super) fn map(&self, change: impl Fn(usize, Joint) -> Joint) -> Drawing {
        let joints = self.skeleton.joints().iter().cloned().enumerate().map(|(i, j)| change(i, j)).collect();
        let skeleton = Skeleton::new(joints, self.skeleton.tips().to_vec()).unwrap();
        Drawing { skeleton, expected: self.expected.clone() }
    }

    /// The drawing with every offset and tip changed.
    pub(super) fn moved(&self, change: impl Fn(Vec3) -> Vec3) -> Drawing {
        let mut joints = self.skeleton.joints().to_vec();
        joints.iter_mut().for_each(|joint| joint.offset = change(joint.offset));
        let tips = self.skeleton.tips().iter().map(|t| Tip { offset: change(t.offset), ..*t }).collect();
        Drawing { skeleton: Skeleton::new(joints, tips).unwrap(), expected: self.expected.clone() }
    }

    /// The drawing with meaningless names.
    pub(super) fn nameless(&self) -> Drawing {
        self.map(|i, joint| Joint { name: format!("bone{i}"), ..joint })
    }

    /// The joint that should have a role.
    pub(super) fn joint(&self, role: Role) -> Option<usize> {
        self.expected.iter().position(|r| *r == Some(role))
    }

    /// The joints with a wrong role, with both roles.
    pub(super) fn wrong(&self) -> Vec<(String, Option<Role>, Option<Role>)> {
        let guess = detect(&self.skeleton);
        let found = guess.roles.iter().zip(&self.expected).zip(self.skeleton.joints());
        let wrong = found.filter(|((found, expected), _)| found != expected);
        wrong.map(|((found, expected), joint)| (joint.name.clone(), *found, *expected)).collect()
    }

    /// The roles of [`Role::CORE`] that are detected on the wrong joint, or not at all.
    pub(super) fn wrong_core(&self) -> Vec<Role> {
        let found = detect(&self.skeleton).roles;
        let is_wrong = |role: &Role| found.iter().position(|r| *r == Some(*role)) != self.joint(*role);
        Role::CORE.into_iter().filter(is_wrong).collect()
    }
}
