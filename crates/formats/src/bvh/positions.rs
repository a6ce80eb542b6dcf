//! Whether position channels replace a joint's OFFSET or add to it.
//!
//! The format never said. Some exporters write each joint's place in its parent, so that the value repeats the OFFSET
//! (it *replaces* it); others write the way it has moved away from its OFFSET (it *adds*). For joints below a root,
//! bones tell: people's do not change their length. For a root there is no bone; the value that is near the OFFSET,
//! above all in the first frame, repeats it.

use glam::Vec3;

/// What position channels mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PositionChannels {
    /// The value is the joint's place in its parent's frame; the OFFSET is its place at rest.
    Replace,
    /// The value is added to the OFFSET.
    Add,
}

/// What was decided, and why.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Decision {
    pub(super) meaning: PositionChannels,
    /// One phrase; `None` where both meanings are the same, as with a zero OFFSET.
    pub(super) why: Option<String>,
}

/// The values of one joint with position channels.
pub(super) struct Mover<'a> {
    pub(super) offset: Vec3,
    /// 1 for each axis with a channel, 0 for each without: there the OFFSET stays under either meaning.
    pub(super) axes: Vec3,
    /// All movers' values, frames × movers.
    pub(super) values: &'a [Vec3],
    /// How many movers a frame has.
    pub(super) stride: usize,
    /// Which of them this is.
    pub(super) index: usize,
}

impl Mover<'_> {
    /// The part of the OFFSET that the channels speak of.
    fn spoken(&self) -> Vec3 {
        self.offset * self.axes
    }

    fn frames(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.values.iter().skip(self.index).step_by(self.stride.max(1)).copied()
    }

    /// How much the bone's length strays from its OFFSET's under a meaning: 0 is rigid, 1 is nonsense.
    fn strain(&self, meaning: PositionChannels) -> f32 {
        let length = self.offset.length();
        let start = match meaning {
            PositionChannels::Add => self.offset,
            PositionChannels::Replace => self.offset - self.spoken(),
        };
        let (mut sum, mut count) = (0.0, 0.0f32);
        for value in self.frames() {
            sum += (((start + value).length() - length).abs() / length).min(1.0);
            count += 1.0;
        }
        sum / count.max(1.0)
    }

    /// Positive where values are nearer to the OFFSET than to zero.
    fn nearness(&self) -> f32 {
        let spoken = self.spoken();
        let scale = spoken.length_squared();
        let (mut sum, mut count) = (0.0, 0.0f32);
        for value in self.frames() {
            sum += (2.0 * value.dot(spoken) / scale - 1.0).clamp(-1.0, 1.0);
            count += 1.0;
        }
        sum / count.max(1.0)
    }
}

/// The movers whose OFFSET makes the two meanings differ.
fn telling<'m, 'a>(movers: &'m [Mover<'a>]) -> Vec<&'m Mover<'a>> {
    movers.iter().filter(|m| m.spoken().length_squared() > 0.0).collect()
}

/// How much bones stray on average if values replace OFFSETs, and if they add to them.
fn mean_strains(telling: &[&Mover<'_>]) -> (f32, f32) {
    let mean = |meaning| telling.iter().map(|m| m.strain(meaning)).sum::<f32>() / telling.len() as f32;
    (mean(PositionChannels::Replace), mean(PositionChannels::Add))
}

/// Whether [`decide_joints`] takes these values for the joints' places, by a margin that rounding does not touch.
pub(super) fn plainly_replace(movers: &[Mover<'_>]) -> bool {
    let telling = telling(movers);
    let (replace, add) = mean_strains(&telling);
    telling.is_empty() || replace + 0.01 < add
}

/// Decides for the joints below a root.
pub(super) fn decide_joints(movers: &[Mover<'_>]) -> Decision {
    let telling = telling(movers);
    if telling.is_empty() {
        return Decision { meaning: PositionChannels::Replace, why: None };
    }
    let (replace, add) = mean_strains(&telling);
    let percent = |s: f32| format!("{:.1} %", 100.0 * s);
    if (replace - add).abs() > 1e-3 {
        let meaning = if replace < add { PositionChannels::Replace } else { PositionChannels::Add };
        let why = format!("bones stretch by {} if replaced, by {} if added", percent(replace), percent(add));
        return Decision { meaning, why: Some(why) };
    }
    let near = telling.iter().map(|m| m.nearness()).sum::<f32>();
    let (meaning, what) = match near >= 0.0 {
        true => (PositionChannels::Replace, "the OFFSET"),
        false => (PositionChannels::Add, "zero"),
    };
    Decision { meaning, why: Some(format!("bones do not tell; values are nearer to {what}")) }
}

/// Decides for a root.
pub(super) fn decide_root(root: &Mover<'_>) -> Decision {
    let spoken = root.spoken();
    let length = spoken.length();
    if length == 0.0 {
        return Decision { meaning: PositionChannels::Replace, why: None };
    }
    let first = root.frames().next().unwrap_or_default();
    let (meaning, what) = if first.distance(spoken) <= 1e-3 * length {
        (PositionChannels::Replace, "the root starts at its OFFSET")
    } else if root.nearness() >= 0.0 {
        (PositionChannels::Replace, "the root stays near its OFFSET")
    } else {
        (PositionChannels::Add, "the root's values are not near its OFFSET")
    };
    Decision { meaning, why: Some(what.into()) }
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
        assert_eq!(decide_joints(&[mover(Vec3::ZERO, &still)]).why, None);
        assert!(plainly_replace(&[mover(offset, &repeats)]) && plainly_replace(&[mover(Vec3::ZERO, &still)]));
        assert!(!plainly_replace(&[mover(offset, &still)]));
    }

    #[test]
    fn an_axis_without_a_channel_keeps_its_offset() {
        // A long bone along X that only Y may move: repeated, and not moved at all.
        let offset = Vec3::new(10.0, 1.0, 0.0);
        let along_y = |values| Mover { axes: Vec3::Y, ..mover(offset, values) };
        let repeats = [Vec3::Y; 3];
        assert_eq!(decide_joints(&[along_y(&repeats)]).meaning, PositionChannels::Replace);
        assert_eq!(decide_root(&along_y(&repeats)).meaning, PositionChannels::Replace);
        let still = [Vec3::ZERO; 3];
        assert_eq!(decide_joints(&[along_y(&still)]).meaning, PositionChannels::Add);
        assert_eq!(decide_root(&along_y(&still)).meaning, PositionChannels::Add);
        // Where the OFFSET is zero on the axis, both meanings are one.
        let flat = Mover { axes: Vec3::Z, ..mover(offset, &still) };
        assert_eq!(decide_joints(&[flat]).why, None);
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
