//! Poses in a world: how well they satisfy its constraints, and how likely they are in the examples.
//!
//! It calls the engine, because it solves every frame a second time, without an example.

use marey_perform::{PerformSession, PerformSettings, World, built_in_motions};

use super::perform::{streams, whole};
use crate::BoxError;
use crate::args::Args;
use crate::row::{Aim, Row};

/// A bar within reach, a rope, and a floor without a walking motion, so that performers stay below the bar.
pub(super) const WORLD: &str = r#"
[[feature]]
name = "ground"
like = "floor"
geometry = { plane = { at = [0, 0, 0] } }

[[feature]]
name = "bar"
like = "bar"
geometry = { cylinder = { from = [-30, 2.07, 0], to = [30, 2.07, 0] } }
motion = "swing"

[[feature]]
name = "rope"
like = "rope"
geometry = { rope = { top = [0, 5, 0.55], length_m = 4.5 } }
motion = "climb"
"#;

const BAR: usize = 1;

pub(super) fn rows(args: &Args) -> Result<Vec<Row>, BoxError> {
    let motions = built_in_motions()?;
    let (mut errors, mut depths, mut centres, mut corrections) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut with_example, mut in_joint_space) = (Vec::new(), Vec::new());
    for stream in streams(args)? {
        let input = whole(&stream)?;
        let world = World::from_toml(WORLD)?;
        let mut session =
            PerformSession::new(world, &motions, &input.calibration, PerformSettings::default())?;
        input.perform(&mut session, |_, session| {
            let now = *session.state();
            let centre = session.body().centre(&session.world_pose().positions);
            centres.push(centre.distance(now.centre) * 1000.0);
            depths.push(now.solution.depth_m * 1000.0);
            corrections.push(now.solution.centre_shift.length() * 1000.0);
            if now.is_settled && now.holds.iter().any(Option::is_some) {
                errors.push(now.solution.error_m * 1000.0);
            }
            if now.imitated_feature == Some(BAR) {
                with_example.extend(session.log_likelihood(BAR));
                session.solve_in_joint_space();
                in_joint_space.extend(session.log_likelihood(BAR));
            }
        });
    }
    let subject = "six streams, floor, bar and rope";
    let within = |values: &[f32], most: f32| {
        values.iter().filter(|value| **value <= most).count() as f64 / values.len().max(1) as f64
    };
    let worst = |values: &[f32]| f64::from(values.iter().copied().fold(0.0, f32::max));
    let mean =
        |values: &[f32]| values.iter().map(|v| f64::from(*v)).sum::<f64>() / values.len().max(1) as f64;
    Ok(vec![
        Row::new("perform: holds within 1 mm", subject, within(&errors, 1.0), "share of frames")
            .aim(Aim::AtLeast(1.0)),
        Row::new("perform: largest distance of a hand or foot from its hold", subject, worst(&errors), "mm")
            .aim(Aim::AtMost(1.0)),
        Row::new(
            "perform: largest distance of the centre of mass from its simulated path",
            subject,
            worst(&centres),
            "mm",
        )
        .aim(Aim::AtMost(1.0)),
        Row::new(
            "perform: centre of mass corrected by at most 1 mm",
            subject,
            within(&corrections, 1.0),
            "share of frames",
        ),
        Row::new(
            "perform: limbs at most 5 mm inside solids",
            subject,
            within(&depths, 5.0),
            "share of frames",
        )
        .aim(Aim::AtLeast(1.0)),
        Row::new("perform: largest depth inside a solid", subject, worst(&depths), "mm")
            .aim(Aim::AtMost(5.0)),
        Row::new("perform: log-likelihood of swinging poses", subject, mean(&with_example), "nats")
            .against("damped IK in joint space", mean(&in_joint_space))
            .aim(Aim::AtLeast(mean(&in_joint_space))),
    ])
}
