//! A skeleton that accepts frames of values.

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

/// Angles beyond this many radians are refused: it is thousands of turns.
const MAX_RADIANS: f32 = 17_453.0;

/// The skeleton, and how values become poses of it.
pub(super) struct Figure {
    pub(super) skeleton: Arc<Skeleton>,
    /// What the motion has lines for: the root, then bones as they are placed.
    pub(super) lines: Vec<Line>,
    /// The values of the rest pose, all lines one after another.
    pub(super) rest_values: Vec<f32>,
    /// One for each joint.
    turns: Vec<JointTurns>,
    /// One for each mover.
    shifts: Vec<MoverShifts>,
    /// Radians in a unit of the skeleton file's angles.
    pub(super) radians_per_unit: f64,
}

/// The values that a line of the motion has.
pub(super) struct Line {
    /// As the skeleton file writes it.
    pub(super) name: Vec<u8>,
    /// As it is looked up.
    pub(super) key: Vec<u8>,
    /// Which of all values.
    pub(super) slots: Range<usize>,
}

/// How a joint is turned.
struct JointTurns {
    /// Angles and the axes they turn about in the parent's frame, the first to turn first.
    about: Vec<(usize, Vec3)>,
    rest: Quat,
}

/// How a mover is moved.
struct MoverShifts {
    /// Values and the directions they go in the parent's frame.
    along: Vec<(usize, Vec3)>,
    from: Vec3,
}

/// A figure while its joints are added.
struct Builder {
    joints: Vec<Joint>,
    lines: Vec<Line>,
    rest_values: Vec<f32>,
    turns: Vec<JointTurns>,
    shifts: Vec<MoverShifts>,
}

impl Figure {
    /// Puts a skeleton file's bones together.
    pub(super) fn of(scan: &mut Scanner<'_>, asf: &Asf<'_>) -> Result<Self, FormatsError> {
        let placed = tree::arrange(scan, asf)?;
        report_unsure(scan, asf, &placed);
        let mut builder = Builder {
            joints: Vec::with_capacity(placed.len() + 1),
            lines: Vec::new(),
            rest_values: Vec::new(),
            turns: Vec::new(),
            shifts: Vec::new(),
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
        let Builder { joints, lines, rest_values, turns, shifts } = builder;
        let skeleton = Arc::new(Skeleton::new(joints, tips)?);
        let radians_per_unit = asf.radians_per_unit;
        Ok(Self { skeleton, lines, rest_values, turns, shifts, radians_per_unit })
    }

    /// Bytes that a frame takes.
    pub(super) fn bytes_per_frame(&self) -> usize {
        self.turns.len() * size_of::<Quat>() + self.shifts.len() * size_of::<Vec3>()
    }

    /// Makes room for as many frames at once; whether there is.
    pub(super) fn reserve(&self, parts: &mut ClipParts, frames: usize) -> bool {
        parts.rotations.try_reserve_exact(frames.saturating_mul(self.turns.len())).is_ok()
            && parts.positions.try_reserve_exact(frames.saturating_mul(self.shifts.len())).is_ok()
    }

    /// Adds the pose of a frame. `None` if a value is too large, or if the values do not belong to this figure.
    pub(super) fn push(&self, parts: &mut ClipParts, values: &[f32], radians_per_unit: f32) -> Option<()> {
        for joint in &self.turns {
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
        for mover in &self.shifts {
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
    /// Gives a line of the motion its values.
    fn add_line(&mut self, name: &str, key: &[u8], dofs: &[Dof], length: f64) -> Range<usize> {
        let start = self.rest_values.len();
        // At rest nothing is rotated or moved, and bones have their own length.
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
        let (about, along) = in_axes(orientation, &root.order, slots);
        self.turns.push(JointTurns { about, rest: orientation.as_quat() });
        self.shifts.push(MoverShifts { along, from: place });
    }

    /// Adds a bone below the given joint and bone, or below the root.
    fn add_bone(&mut self, bone: &Bone, parent: Option<(usize, &Bone)>, radians_per_unit: f64) {
        let axes = bone.axis.order.rotation(bone.axis.angles * radians_per_unit);
        let slots = self.add_line(&bone.name, &bone.key, &bone.dof, bone.length);
        let (about, mut along) = in_axes(axes, &bone.dof, slots);
        let (joint_above, offset) =
            parent.map_or((0, DVec3::ZERO), |(joint, above)| (joint, above.direction * above.length));
        let mut from = offset;
        if let Some((slot, direction)) = parent.and_then(|(joint, above)| self.stretch(joint, above)) {
            // The parent bone has its length in each frame.
            along.push((slot, direction));
            from = DVec3::ZERO;
        }
        let mut joint = Joint::new(bone.name.as_str(), Some(joint_above), offset.as_vec3());
        joint.moves = !along.is_empty();
        if joint.moves {
            self.shifts.push(MoverShifts { along, from: from.as_vec3() });
        }
        self.joints.push(joint);
        self.turns.push(JointTurns { about, rest: Quat::IDENTITY });
    }

    /// The value that is a bone's length, and its destination.
    fn stretch(&self, joint: usize, bone: &Bone) -> Option<(usize, Vec3)> {
        let index = bone.dof.iter().position(|dof| *dof == Dof::Length)?;
        Some((self.lines.get(joint)?.slots.start + index, bone.direction.as_vec3()))
    }
}

/// Values with the axes they turn about and the directions they go, for degrees of freedom in a frame of axes.
type InAxes = (Vec<(usize, Vec3)>, Vec<(usize, Vec3)>);

fn in_axes(axes: DQuat, dofs: &[Dof], slots: Range<usize>) -> InAxes {
    let (mut about, mut along) = (Vec::new(), Vec::new());
    for (slot, dof) in slots.zip(dofs) {
        match dof {
            Dof::Turn(axis) => about.push((slot, (axes * axis.unit()).as_vec3())),
            Dof::Move(axis) => along.push((slot, (axes * axis.unit()).as_vec3())),
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
            scan.notes.warn(&codes::STRETCHED_TIP, bone.at, || format!("the end of {}", bone.name));
        }
        let offset = (bone.direction * bone.length).as_vec3();
        if offset != Vec3::ZERO {
            tips.push(Tip { parent: index + 1, offset });
        }
    }
    tips
}

/// Reports what the format leaves undefined.
fn report_unsure(scan: &mut Scanner<'_>, asf: &Asf<'_>, placed: &[Placed]) {
    let root = &asf.root;
    if root.position != DVec3::ZERO || root.orientation.angles != DVec3::ZERO {
        let (place, turn) = (root.position, root.orientation.angles);
        scan.notes.warn(&codes::ROOT_OFFSET, root.at, || format!("position {place}, orientation {turn}"));
    }
    for bone in placed.iter().filter_map(|place| asf.bones.get(place.bone)) {
        if bone.dof.iter().any(|dof| matches!(dof, Dof::Move(_))) {
            scan.notes
                .warn(&codes::BONE_TRANSLATION, bone.at, || format!("{} is moved in every frame", bone.name));
        }
    }
}
