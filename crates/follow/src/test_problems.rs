//! Random search problems for tests.

use marey_motion::{PointClip, Vec3};
use marey_plan::SourceRef;
use proptest::prelude::*;

use crate::control_metric::ControlCovariance;
use crate::{
    ControlMetric, ExamplePair, FollowSettings, Instance, Mapping, Problem, SegmentConstraint, Transform,
};

/// The owned parts of a problem.
#[derive(Debug, Clone)]
pub(crate) struct ProblemCase {
    pub(crate) mapping: Mapping,
    pub(crate) control: PointClip,
    pub(crate) constraints: Vec<SegmentConstraint>,
    pub(crate) settings: FollowSettings,
}

pub(crate) fn problem(case: &ProblemCase) -> Problem<'_> {
    Problem::new(&case.mapping, &case.control, &case.constraints, &case.settings).unwrap()
}

/// Points that move a little in each frame.
pub(crate) fn random_walk(points: usize, rate_hz: f64, steps: &[(f32, f32, f32)]) -> PointClip {
    let mut at = vec![Vec3::ZERO; points];
    let mut all = Vec::new();
    for (frame, &(x, y, z)) in steps.iter().enumerate() {
        for (i, at) in at.iter_mut().enumerate() {
            let turn = (frame + 3 * i) as f32;
            *at += 0.1 * Vec3::new(x + turn.sin(), 0.0, z * turn.cos());
            at.y = 0.3 * (y + i as f32);
            all.push(Some(*at));
        }
    }
    PointClip::new((0..points).map(|i| i.to_string()).collect(), rate_hz, all).unwrap()
}

/// A metric by the covariance of all points of an example.
fn metric(mapping: &Mapping, shrinkage: f64) -> Option<ControlMetric> {
    let mut covariance = ControlCovariance::zeros(mapping.control_weights().len());
    let control = &mapping.examples()[0].control;
    (0..control.frames()).for_each(|frame| covariance.add(control.frame(frame)));
    ControlMetric::whitening(&covariance, mapping.control_weights(), shrinkage)
}

fn steps(frames: std::ops::Range<usize>) -> impl Strategy<Value = Vec<(f32, f32, f32)>> {
    proptest::collection::vec((-1f32..1.0, 0f32..1.0, -1f32..1.0), frames)
}

/// Small problems of every kind: with the plain metric and others, with duplicate instances, so that solutions tie; with constraints; with free ends.
pub(crate) fn any_problem() -> impl Strategy<Value = ProblemCase> {
    let pieces = proptest::collection::vec((0usize..30, 4usize..16, any::<bool>()), 1..7);
    let kinds = (
        prop_oneof![Just(0.0), Just(0.3), Just(3.0), Just(100.0)],
        prop_oneof![Just((0.0, 0.0)), (0.05f64..0.6, 0f64..0.3)],
        prop_oneof![1 => Just(Transform::None), 3 => Just(Transform::Ground), 1 => Just(Transform::Rigid)],
        1u8..3,
        any::<(bool, bool)>(),
        prop_oneof![3 => Just(true), 1 => Just(false)],
        proptest::option::of(0.05f64..1.0),
    );
    let constraints = proptest::collection::vec((any::<bool>(), 0usize..6, 0f64..1.0, 0f64..1.0), 0..3);
    (steps(46..47), steps(46..47), steps(18..60), pieces, kinds, constraints).prop_map(
        |(
            control,
            target,
            input,
            pieces,
            (k, (stretch, stretch_cost_m), transform, join_frames, free, high, shrinkage),
            constraints,
        )| {
            let flat = |clip: PointClip| {
                let points = clip.flat().iter().map(|p| Some(Vec3::new(p.x, 0.0, p.z))).collect();
                PointClip::new(clip.labels().to_vec(), clip.rate_hz(), points).unwrap()
            };
            let floor = |clip: PointClip| if high { clip } else { flat(clip) };
            let example = ExamplePair {
                source: SourceRef { take: "case".into(), actor: 0 },
                control: floor(random_walk(2, 20.0, &control)),
                target: random_walk(3, 20.0, &target),
            };
            let mut instances = Vec::new();
            for (start, length, twin) in pieces {
                let instance =
                    Instance { example: 0, frames: start..start + length, label: start.to_string() };
                if twin {
                    instances.push(instance.clone());
                }
                instances.push(instance);
            }
            let mapping =
                Mapping::new(vec![example], instances, vec![1.0, 0.5], vec![1.0, 2.0, 0.0]).unwrap();
            let metric = shrinkage.and_then(|shrinkage| metric(&mapping, shrinkage));
            let mapping = mapping.with_metric(metric);
            let control = floor(random_walk(2, 20.0, &input));
            let secs = control.duration_secs();
            let constraints = constraints.into_iter().map(|(wanted, instance, from, length)| {
                let instance = instance % mapping.instances().len();
                let from_secs = from * secs;
                if wanted {
                    SegmentConstraint::Use { instance, at_secs: from_secs }
                } else {
                    let until_secs = from_secs + length * (secs - from_secs);
                    SegmentConstraint::Avoid { instance, from_secs, until_secs }
                }
            });
            let settings = FollowSettings {
                rate_hz: 10.0,
                k,
                stretch,
                stretch_cost_m,
                transform,
                join_frames,
                free_start: free.0,
                free_end: free.1,
                ..FollowSettings::default()
            };
            let constraints = constraints.collect();
            ProblemCase { mapping, control, constraints, settings }
        },
    )
}
