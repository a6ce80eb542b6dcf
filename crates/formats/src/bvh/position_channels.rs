//! Decides whether position channels replace a joint's OFFSET or add to it.
//!
//! The format does not define it. Some exporters write each joint's position in its parent, which repeats the OFFSET (it
//! *replaces* it). Others write the displacement from the OFFSET (it *adds*). For joints below the root the bones decide,
//! because they keep their length. A root has no bone: values close to the OFFSET, especially in the first frame, repeat it.

use glam::Vec3;
use serde::{Deserialize, Serialize};

/// The meaning of position channels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PositionChannels {
    /// The value is the joint's position in its parent's frame. The OFFSET is its rest position.
    Replace,
    /// The value is added to the OFFSET.
    Add,
}

/// A decision with its reason.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Decision {
    pub(super) meaning: PositionChannels,
    /// `None` if both meanings are equal, as with a zero OFFSET.
    pub(super) reason: Option<String>,
}

/// The values of one joint with position channels.
pub(super) struct Mover<'a> {
    pub(super) offset: Vec3,
    /// 1 for each axis with a channel. 0 for the others, on which the OFFSET applies under either meaning.
    pub(super) axes: Vec3,
    /// All movers' values, frames × movers.
    pub(super) values: &'a [Vec3],
    /// Number of movers per frame.
    pub(super) stride: usize,
    /// Index of this mover.
    pub(super) index: usize,
}

impl Mover<'_> {
    /// The OFFSET on the axes that have channels.
    fn channel_offset(&self) -> Vec3 {
        self.offset * self.axes
    }

    fn frames(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.values.iter().skip(self.index).step_by(self.stride.max(1)).copied()
    }

    /// Mean relative deviation of the bone's length from that of its OFFSET under a meaning: 0 if rigid, at most 1.
    fn strain(&self, meaning: PositionChannels) -> f32 {
        let length = self.offset.length();
        let start = match meaning {
            PositionChannels::Add => self.offset,
            PositionChannels::Replace => self.offset - self.channel_offset(),
        };
        let (mut sum, mut count) = (0.0, 0.0f32);
        for value in self.frames() {
            sum += (((start + value).length() - length).abs() / length).min(1.0);
            count += 1.0;
        }
        sum / count.max(1.0)
    }

    /// Positive if values are closer to the OFFSET than to zero.
    fn nearness(&self) -> f32 {
        let offset = self.channel_offset();
        let scale = offset.length_squared();
        let (mut sum, mut count) = (0.0, 0.0f32);
        for value in self.frames() {
            sum += (2.0 * value.dot(offset) / scale - 1.0).clamp(-1.0, 1.0);
            count += 1.0;
        }
        sum / count.max(1.0)
    }
}

/// The movers for which the two meanings differ.
fn decisive<'m, 'a>(movers: &'m [Mover<'a>]) -> Vec<&'m Mover<'a>> {
    movers.iter().filter(|m| m.channel_offset().length_squared() > 0.0).collect()
}

/// The mean strain of bones if values replace OFFSETs, and if they add to them.
fn mean_strains(decisive: &[&Mover<'_>]) -> (f32, f32) {
    let mean = |meaning| decisive.iter().map(|m| m.strain(meaning)).sum::<f32>() / decisive.len() as f32;
    (mean(PositionChannels::Replace), mean(PositionChannels::Add))
}

/// Whether [`decide_joints`] decides for [`PositionChannels::Replace`] by a margin larger than rounding errors.
pub(super) fn clearly_replace(movers: &[Mover<'_>]) -> bool {
    let decisive = decisive(movers);
    let (replace, add) = mean_strains(&decisive);
    decisive.is_empty() || replace + 0.01 < add
}

/// Decides for the joints below a root.
pub(super) fn decide_joints(movers: &[Mover<'_>]) -> Decision {
    let decisive = decisive(movers);
    if decisive.is_empty() {
        return Decision { meaning: PositionChannels::Replace, reason: None };
    }
    let (replace, add) = mean_strains(&decisive);
    let percent = |s: f32| format!("{:.1} %", 100.0 * s);
    if (replace - add).abs() > 1e-3 {
        let meaning = if replace < add { PositionChannels::Replace } else { PositionChannels::Add };
        let reason =
            format!("bones stretch by {} if replaced, by {} if added", percent(replace), percent(add));
        return Decision { meaning, reason: Some(reason) };
    }
    let near = decisive.iter().map(|m| m.nearness()).sum::<f32>();
    let (meaning, what) = match near >= 0.0 {
        true => (PositionChannels::Replace, "the OFFSET"),
        false => (PositionChannels::Add, "zero"),
    };
    Decision { meaning, reason: Some(format!("bones do not decide; values are closer to {what}")) }
}

/// Decides for a root.
pub(super) fn decide_root(root: &Mover<'_>) -> Decision {
    let offset = root.channel_offset();
    let length = offset.length();
    if length == 0.0 {
        return Decision { meaning: PositionChannels::Replace, reason: None };
    }
    let first = root.frames().next().unwrap_or_default();
    let (meaning, what) = if first.distance(offset) <= 1e-3 * length {
        (PositionChannels::Replace, "the root starts at its OFFSET")
    } else if root.nearness() >= 0.0 {
        (PositionChannels::Replace, "the root stays near its OFFSET")
    } else {
        (PositionChannels::Add, "the root's values are not near its OFFSET")
    };
    Decision { meaning, reason: Some(what.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mover(offset: Vec3, values: &[Vec3]) -> Mover<'_> {
        Mover { offset, axes: Vec3::ONE, values, stride: 1, index: 0 }
    }

    #[test]
    fn rigid_bones_decide() {
        let offset = Vec3::new(0.0, 3.0, 4.0);
        let repeats = [offset, Vec3::new(0.0, 4.0, 3.0)];
        assert_eq!(decide_joints(&[mover(offset, &repeats)]).meaning, PositionChannels::Replace);
        let still = [Vec3::ZERO; 3];
        assert_eq!(decide_joints(&[mover(offset, &still)]).meaning, PositionChannels::Add);
        assert_eq!(decide_joints(&[mover(Vec3::ZERO, &still)]).reason, None);
        assert!(clearly_replace(&[mover(offset, &repeats)]) && clearly_replace(&[mover(Vec3::ZERO, &still)]));
        assert!(!clearly_replace(&[mover(offset, &still)]));
    }

    #[test]
    fn an_axis_without_a_channel_keeps_its_offset() {
        // A long bone along X with a channel for Y only: repeated, and not moved.
        let offset = Vec3::new(10.0, 1.0, 0.0);
        let along_y = |values| Mover { axes: Vec3::Y, ..mover(offset, values) };
        let repeats = [Vec3::Y; 3];
        assert_eq!(decide_joints(&[along_y(&repeats)]).meaning, PositionChannels::Replace);
        assert_eq!(decide_root(&along_y(&repeats)).meaning, PositionChannels::Replace);
        let still = [Vec3::ZERO; 3];
        assert_eq!(decide_joints(&[along_y(&still)]).meaning, PositionChannels::Add);
        assert_eq!(decide_root(&along_y(&still)).meaning, PositionChannels::Add);
        // If the OFFSET is zero on the axis, both meanings are equal.
        let flat = Mover { axes: Vec3::Z, ..mover(offset, &still) };
        assert_eq!(decide_joints(&[flat]).reason, None);
    }

    #[test]
    fn a_root_is_judged_by_its_start_then_by_nearness() {
        let offset = Vec3::new(300.0, 90.0, 0.0);
        let wanders = [offset, Vec3::new(-900.0, 90.0, 0.0), Vec3::new(-900.0, 90.0, 0.0)];
        assert_eq!(decide_root(&mover(offset, &wanders)).meaning, PositionChannels::Replace);
        let stands = [Vec3::new(0.1, 0.0, 0.0); 3];
        assert_eq!(decide_root(&mover(offset, &stands)).meaning, PositionChannels::Add);
    }
}
