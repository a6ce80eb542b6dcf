//! A skeleton, and the conversion of a frame's values to its pose.

use std::ops::Range;
use std::sync::Arc;

use glam::{DQuat, DVec3, Quat, Vec3};
use marey_motion::{ClipParts, Joint, LocalPose, Skeleton, Tip};

use super::asf::{Asf, Root};
use super::bone::{Bone, MAX_LENGTH};
use super::codes;
use super::dof::Dof;
use super::scan::Scanner;
use super::tree::{self, Placed};
use crate::FormatsError;

/// Largest plausible angle in radians: thousands of turns.
const MAX_RADIANS: f32 = 17_453.0;

/// A skeleton, and the conversion of values to poses.
pub(super) struct Figure {
    pub(super) skeleton: Arc<Skeleton>,
    /// The lines of a frame: the root, then the bones in the order of the joints.
    pub(super) lines: Vec<Line>,
    /// The values of the rest pose, line by line.
    pub(super) rest_values: Vec<f32>,
    /// One for each joint.
    rotations: Vec<JointRotation>,
    /// One for each mover.
    translations: Vec<MoverTranslation>,
    /// Radians per unit of the skeleton file's angles.
    pub(super) radians_per_unit: f64,
}

/// A line of a frame.
pub(super) struct Line {
    /// The name in the skeleton file.
    pub(super) name: Vec<u8>,
    /// The name in lower case, for lookup.
    pub(super) key: Vec<u8>,
    /// Indices of its values.
    pub(super) slots: Range<usize>,
}

/// The rotation of a joint as a function of the values.
struct JointRotation {
    /// Index and axis of each angle in the parent's frame, in the order of rotation.
    about: Vec<(usize, Vec3)>,
    rest: Quat,
}

/// The translation of a mover as a function of the values.
struct MoverTranslation {
    /// Index and direction of each value in the parent's frame.
    along: Vec<(usize, Vec3)>,
    from: Vec3,
}

/// A figure while its joints are added.
struct Builder {
    joints: Vec<Joint>,
    lines: Vec<Line>,
    rest_values: Vec<f32>,
    rotations: Vec<JointRotation>,
    translations: Vec<MoverTranslation>,
}

impl Figure {
    /// Builds the figure of a skeleton file.
    pub(super) fn of(scan: &mut Scanner<'_>, asf: &Asf<'_>) -> Result<Self, FormatsError> {
        let placed = tree::arrange(scan, asf)?;
        report_undefined(scan, asf, &placed);
        let mut builder = Builder {
            joints: Vec::with_capacity(placed.len() + 1),
            lines: Vec::new(),
            rest_values: Vec::new(),
            rotations: Vec::new(),
            translations: Vec::new(),
        };
        builder.add_root(&asf.root, asf.radians_per_unit);
        for place in &placed {
            let bone = asf.bones.get(place.bone);
            let parent =
                place.parent.and_then(|parent| Some((parent + 1, asf.bones.get(placed.get(parent)?.bone)?)));
            if let Some(bone) = bone {
                builder.add_bone(bone, parent, asf.radians_per_unit);
            }
        }
        let tips = tips(scan, asf, &placed);
        let Builder { joints, lines, rest_values, rotations, translations } = builder;
        let skeleton = Arc::new(Skeleton::new(joints, tips)?);
        let radians_per_unit = asf.radians_per_unit;
        Ok(Self { skeleton, lines, rest_values, rotations, translations, radians_per_unit })
    }

    /// Bytes of memory per frame.
    pub(super) fn bytes_per_frame(&self) -> usize {
        self.rotations.len() * size_of::<Quat>() + self.translations.len() * size_of::<Vec3>()
    }

    /// Reserves memory for a number of frames. Returns whether it is available.
    pub(super) fn reserve(&self, parts: &mut ClipParts, frames: usize) -> bool {
        parts.rotations.try_reserve_exact(frames.saturating_mul(self.rotations.len())).is_ok()
            && parts.positions.try_reserve_exact(frames.saturating_mul(self.translations.len())).is_ok()
    }

    /// Adds the pose of a frame. `None` if a value is too large, or if the values do not belong to this figure.
    pub(super) fn push(&self, parts: &mut ClipParts, values: &[f32], radians_per_unit: f32) -> Option<()> {
        for joint in &self.rotations {
            let mut rotation = joint.rest;
            for &(slot, axis) in &joint.about {
                let angle = *values.get(slot)? * radians_per_unit;
                if angle.abs() > MAX_RADIANS {
                    return None;
                }
                let (sin, cos) = (0.5 * angle).sin_cos();
                let v = axis * sin;
                rotation = Quat::from_xyzw(v.x, v.y, v.z, cos) * rotation;
            }
            parts.rotations.push(rotation);
        }
        for mover in &self.translations {
            let mut position = mover.from;
            for &(slot, direction) in &mover.along {
                let value = *values.get(slot)?;
                if f64::from(value.abs()) > MAX_LENGTH {
                    return None;
                }
                position += direction * value;
            }
            parts.positions.push(position);
        }
        Some(())
    }

    /// The rest pose, as the only frame.
    pub(super) fn rest(&self) -> ClipParts {
        let LocalPose { rotations, positions } = LocalPose::rest(&self.skeleton);
        ClipParts { rotations, positions }
    }
}

impl Builder {
    /// Adds a line, and returns the indices of its values.
    fn add_line(&mut self, name: &str, key: &[u8], dofs: &[Dof], length: f64) -> Range<usize> {
        let start = self.rest_values.len();
        // At rest, all rotations and translations are zero, and bones have their own length.
        let rest = |dof: &Dof| if *dof == Dof::Length { length as f32 } else { 0.0 };
        self.rest_values.extend(dofs.iter().map(rest));
        let slots = start..self.rest_values.len();
        self.lines.push(Line { name: name.into(), key: key.into(), slots: slots.clone() });
        slots
    }

    fn add_root(&mut self, root: &Root, radians_per_unit: f64) {
        let orientation = root.orientation.order.rotation(root.orientation.angles * radians_per_unit);
        let slots = self.add_line("root", b"root", &root.order, 0.0);
        let place = root.position.as_vec3();
        let mut joint = Joint::new("root", None, place);
        joint.rest_rotation = orientation.as_quat();
        self.joints.push(joint);
        let (about, along) = dof_vectors(orientation, &root.order, slots);
        self.rotations.push(JointRotation { about, rest: orientation.as_quat() });
        self.translations.push(MoverTranslation { along, from: place });
    }

    /// Adds a bone below the given joint and bone, or below the root.
    fn add_bone(&mut self, bone: &Bone, parent: Option<(usize, &Bone)>, radians_per_unit: f64) {
        let axes = bone.axis.order.rotation(bone.axis.angles * radians_per_unit);
        let slots = self.add_line(&bone.name, &bone.key, &bone.dof, bone.length);
        let (about, mut along) = dof_vectors(axes, &bone.dof, slots);
        let (joint_above, offset) =
            parent.map_or((0, DVec3::ZERO), |(joint, above)| (joint, above.direction * above.length));
        let mut from = offset;
        if let Some((slot, direction)) = parent.and_then(|(joint, above)| self.stretch(joint, above)) {
            // The length of the parent bone changes from frame to frame.
            along.push((slot, direction));
            from = DVec3::ZERO;
        }
        let mut joint = Joint::new(bone.name.as_str(), Some(joint_above), offset.as_vec3());
        joint.moves = !along.is_empty();
        if joint.moves {
            self.translations.push(MoverTranslation { along, from: from.as_vec3() });
        }
        self.joints.push(joint);
        self.rotations.push(JointRotation { about, rest: Quat::IDENTITY });
    }

    /// Index of the value that is a bone's length, and the bone's direction.
    fn stretch(&self, joint: usize, bone: &Bone) -> Option<(usize, Vec3)> {
        let index = bone.dof.iter().position(|dof| *dof == Dof::Length)?;
        Some((self.lines.get(joint)?.slots.start + index, bone.direction.as_vec3()))
    }
}

/// Index and axis of each rotation, then index and direction of each translation.
type DofVectors = (Vec<(usize, Vec3)>, Vec<(usize, Vec3)>);

fn dof_vectors(axes: DQuat, dofs: &[Dof], slots: Range<usize>) -> DofVectors {
    let (mut about, mut along) = (Vec::new(), Vec::new());
    for (slot, dof) in slots.zip(dofs) {
        match dof {
            Dof::Rotate(axis) => about.push((slot, (axes * axis.unit()).as_vec3())),
            Dof::Translate(axis) => along.push((slot, (axes * axis.unit()).as_vec3())),
            Dof::Length => {}
        }
    }
    (about, along)
}

/// The ends of bones without children.
fn tips(scan: &mut Scanner<'_>, asf: &Asf<'_>, placed: &[Placed]) -> Vec<Tip> {
    let mut is_last = vec![true; placed.len()];
    for parent in placed.iter().filter_map(|place| place.parent) {
        if let Some(last) = is_last.get_mut(parent) {
            *last = false;
        }
    }
    let mut tips = Vec::new();
    for (index, place) in placed.iter().enumerate().filter(|(i, _)| is_last.get(*i) == Some(&true)) {
        let Some(bone) = asf.bones.get(place.bone) else { continue };
        if bone.dof.contains(&Dof::Length) {
            scan.notes
                .warn(&codes::STRETCHED_TIP, bone.at, || format!("the end of {} does not move", bone.name));
        }
        let offset = (bone.direction * bone.length).as_vec3();
        if offset != Vec3::ZERO {
            tips.push(Tip { parent: index + 1, offset });
        }
    }
    tips
}

/// Reports what the format leaves undefined.
fn report_undefined(scan: &mut Scanner<'_>, asf: &Asf<'_>, placed: &[Placed]) {
    let root = &asf.root;
    if root.position != DVec3::ZERO || root.orientation.angles != DVec3::ZERO {
        let (place, orientation) = (root.position, root.orientation.angles);
        scan.notes
            .warn(&codes::ROOT_OFFSET, root.at, || format!("position {place}, orientation {orientation}"));
    }
    for bone in placed.iter().filter_map(|place| asf.bones.get(place.bone)) {
        if bone.dof.iter().any(|dof| matches!(dof, Dof::Translate(_))) {
            scan.notes.warn(&codes::BONE_TRANSLATION, bone.at, || format!("{} has translations", bone.name));
        }
    }
}
