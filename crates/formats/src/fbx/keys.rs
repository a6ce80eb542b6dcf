//! The animated nodes and key times of an animation stack.

use ufbx::{AnimStack, ExtrapolationMode, Keyframe};

use super::nodes::Nodes;

/// Properties of a node that define its transform.
const TRANSFORM: [&str; 12] = [
    "Lcl Translation",
    "Lcl Rotation",
    "Lcl Scaling",
    "PreRotation",
    "PostRotation",
    "RotationActive",
    "RotationOffset",
    "RotationOrder",
    "RotationPivot",
    "ScalingOffset",
    "ScalingPivot",
    "InheritType",
];

/// Keys closer than this, in seconds, have the same time.
const SAME_TIME_SECS: f64 = 1e-6;

/// The keys of a stack that concern figures.
pub(super) struct Keys {
    /// The animated nodes, which must be evaluated in every frame.
    pub(super) animated: Vec<bool>,
    /// The distinct times of keys in seconds, ascending.
    pub(super) times: Vec<f64>,
    /// Whether the motion continues before the first key or after the last.
    pub(super) continues: bool,
    /// Number of curves whose keys are not sorted by time.
    pub(super) disordered: usize,
    /// Number of animated properties that do not concern figures.
    pub(super) others: usize,
}

impl Keys {
    /// Collects the keys of the needed nodes.
    pub(super) fn of(stack: &AnimStack, nodes: &Nodes<'_>, is_wanted: &[bool]) -> Self {
        let mut keys = Self {
            animated: vec![false; nodes.len()],
            times: Vec::new(),
            continues: false,
            disordered: 0,
            others: 0,
        };
        // Baked files have the same times in every curve.
        let mut last: &[Keyframe] = &[];
        for prop in stack.layers.iter().flat_map(|layer| layer.anim_props.iter()) {
            let place = ufbx::as_node(&prop.element).and_then(|node| nodes.place(node));
            let wanted = place.filter(|place| is_wanted.get(*place) == Some(&true));
            let Some(mark) = wanted.and_then(|place| keys.animated.get_mut(place)) else {
                keys.others += 1;
                continue;
            };
            if !TRANSFORM.contains(&&*prop.prop_name) {
                keys.others += 1;
                continue;
            }
            *mark = true;
            for curve in prop.anim_value.curves.iter().flatten() {
                let ends = [&curve.pre_extrapolation, &curve.post_extrapolation];
                keys.continues |= ends.iter().any(|end| end.mode != ExtrapolationMode::Constant);
                let keys_in_pairs = curve.keyframes.iter().zip(curve.keyframes.iter().skip(1));
                keys.disordered += usize::from(keys_in_pairs.into_iter().any(|(a, b)| a.time > b.time));
                if !have_same_times(&curve.keyframes, last) {
                    last = &curve.keyframes;
                    keys.times.extend(last.iter().map(|key| key.time));
                }
            }
        }
        keys.times.retain(|time| time.is_finite());
        keys.times.sort_by(f64::total_cmp);
        keys.times.dedup_by(|later, earlier| *later - *earlier < SAME_TIME_SECS);
        keys
    }
}

fn have_same_times(a: &[Keyframe], b: &[Keyframe]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.time == b.time)
}
