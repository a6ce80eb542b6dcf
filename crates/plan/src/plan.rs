//! Plans.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::locate::{JsonStep, locate, placement_path};
use crate::{Meeting, Placement, PlanBody, PlanClip, PlanError, Result, Seed, Target};

/// The decisions of an engine: the placements of source clips, for every actor. `docs/plan.md` describes its
/// JSON.
///
/// [`Plan::validate`] checks that there is at least one actor; that the placements of every actor follow each
/// other from frame 0 without gaps and end at the same frame; and that every number is finite.
///
/// ```
/// let plan = marey_plan::Plan::from_json(r#"{
///     "rate_hz": 30,
///     "actors": [{"name": "walker", "placements": [
///         {"source": {"take": "walk"}, "source_start": 0, "source_end": 60, "start": 0, "frames": 60},
///         {"source": {"take": "turn"}, "source_start": 10, "source_end": 50, "start": 60, "frames": 30,
///          "world_from_source": {"x": 1.5, "z": 0, "yaw_rad": 0.5}, "mirrored": true}
///     ]}]
/// }"#)?;
/// assert_eq!(plan.frames(), 90);
/// assert_eq!(plan.duration_secs(), 3.0);
/// // Writing and reading a plan does not change it.
/// assert_eq!(marey_plan::Plan::from_json(&plan.to_json()?)?, plan);
/// # Ok::<(), marey_plan::PlanError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Rate of the planned motion, in frames per second.
    pub rate_hz: f64,
    /// The random seed that the engine used.
    #[serde(default)]
    pub seed: Seed,
    /// The cost of the plan.
    #[serde(default)]
    pub cost: Cost,
    /// The actors.
    pub actors: Vec<ActorPlan>,
    /// Joints that keep a distance, such as hands that hold each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub meetings: Vec<Meeting>,
    /// Joints that reach positions or look at them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<Target>,
    /// Settings for realising the plan, as the library's `RealiseRequest` writes them; `None` for the defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub realise: Option<serde_json::Value>,
    /// The bodies of actors whose sources have other bodies: realising retargets the sources onto them. An actor that is not
    /// listed has the body of its sources. Written one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bodies: Vec<PlanBody>,
    /// Motion that placements use and that no corpus holds. Written last, one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clips: Vec<PlanClip>,
}

/// The placements of one actor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ActorPlan {
    /// Name of the actor.
    pub name: String,
    /// The placements in time order, without gaps.
    pub placements: Vec<Placement>,
}

/// The cost of a plan, as its engine computes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cost {
    /// The total.
    pub total: f64,
    /// Its parts, by the engine's own names.
    pub parts: BTreeMap<String, f64>,
}

/// Largest rate, in frames per second.
const MAX_RATE_HZ: f64 = 10_000.0;
/// Largest length, in frames: nine days at 120 Hz.
const MAX_FRAMES: usize = 100_000_000;
/// Largest translation in metres, and rotation in radians.
const MAX_COORDINATE: f32 = 1e6;

impl Plan {
    /// Creates a plan of these actors with seed 0 and the default settings for realising, without cost,
    /// meetings, targets and clips.
    pub fn new(rate_hz: f64, actors: Vec<ActorPlan>) -> Self {
        Self {
            rate_hz,
            seed: Seed::default(),
            cost: Cost::default(),
            actors,
            meetings: vec![],
            targets: vec![],
            realise: None,
            bodies: vec![],
            clips: vec![],
        }
    }

    /// Reads and checks a plan. Errors carry the line and column.
    pub fn from_json(text: &str) -> Result<Self> {
        let plan: Self = serde_json::from_str(text).map_err(|error| PlanError::Json {
            message: error.to_string(),
            line: error.line(),
            column: error.column(),
        })?;
        match plan.check() {
            Ok(()) => Ok(plan),
            Err(LocatedError { path, error }) => Err(match locate(text, &path) {
                Some(place) => PlanError::InText { place, error: Box::new(error) },
                None => error,
            }),
        }
    }

    /// Checks and writes a plan. The JSON is indented, has each body and clip on one line, and ends in a line break.
    pub fn to_json(&self) -> Result<String> {
        self.validate()?;
        let to_error =
            |error: serde_json::Error| PlanError::Json { message: error.to_string(), line: 0, column: 0 };
        let without_lists = Self { bodies: vec![], clips: vec![], ..self.clone() };
        let mut text = serde_json::to_string_pretty(&without_lists).map_err(to_error)?;
        text.truncate(text.trim_end_matches('}').trim_end().len());
        let bodies = self.bodies.iter().map(serde_json::to_string).collect::<serde_json::Result<Vec<_>>>();
        let clips = self.clips.iter().map(serde_json::to_string).collect::<serde_json::Result<Vec<_>>>();
        for (name, lines) in [("bodies", bodies.map_err(to_error)?), ("clips", clips.map_err(to_error)?)] {
            if !lines.is_empty() {
                text += &format!(",\n  \"{name}\": [\n    {}\n  ]", lines.join(",\n    "));
            }
        }
        Ok(text + "\n}\n")
    }

    /// Returns the number of frames of every actor.
    pub fn frames(&self) -> usize {
        self.actors.first().and_then(|actor| actor.placements.last()).map_or(0, Placement::end)
    }

    /// Returns the duration, in seconds.
    pub fn duration_secs(&self) -> f64 {
        self.frames() as f64 / self.rate_hz
    }

    /// Checks everything that can be checked without the source clips.
    pub fn validate(&self) -> Result<()> {
        self.check().map_err(|located| located.error)
    }

    fn check(&self) -> std::result::Result<(), LocatedError> {
        if !(self.rate_hz > 0.0 && self.rate_hz <= MAX_RATE_HZ) {
            let error = PlanError::Value { what: "the frame rate".into(), value: self.rate_hz };
            return Err(error.at([JsonStep::Key("rate_hz")]));
        }
        let costs = self.cost.parts.iter().map(|(name, cost)| (name.as_str(), *cost));
        if let Some((name, value)) = costs.chain([("total", self.cost.total)]).find(|(_, c)| !c.is_finite()) {
            let error = PlanError::Value { what: format!("the cost {name:?}"), value };
            return Err(error.at([JsonStep::Key("cost")]));
        }
        let actors = [JsonStep::Key("actors")];
        let first =
            self.actors.first().ok_or_else(|| PlanError::Empty { what: "the plan".into() }.at(actors))?;
        for (index, actor) in self.actors.iter().enumerate() {
            actor.check(index)?;
            if actor.end() != first.end() {
                let error = PlanError::Ends {
                    first: first.name.clone(),
                    first_end: first.end(),
                    second: actor.name.clone(),
                    second_end: actor.end(),
                };
                return Err(error.at([actors[0], JsonStep::Item(index)]));
            }
        }
        if self.frames() > MAX_FRAMES {
            let error = PlanError::Value { what: "the number of frames".into(), value: self.frames() as f64 };
            return Err(error.at(actors));
        }
        if let Some(value) = self.realise.as_ref().filter(|value| !value.is_object()) {
            let error = PlanError::Realise { found: value.to_string().chars().take(40).collect() };
            return Err(error.at([JsonStep::Key("realise")]));
        }
        self.check_meetings()?;
        self.check_bodies()?;
        self.check_clips()
    }
}

/// An error, and the JSON path to its cause.
pub(crate) struct LocatedError {
    path: Vec<JsonStep>,
    error: PlanError,
}

impl PlanError {
    pub(crate) fn at(self, path: impl Into<Vec<JsonStep>>) -> LocatedError {
        LocatedError { path: path.into(), error: self }
    }
}

impl ActorPlan {
    fn end(&self) -> usize {
        self.placements.last().map_or(0, Placement::end)
    }

    fn check(&self, actor: usize) -> std::result::Result<(), LocatedError> {
        if self.placements.is_empty() {
            let error = PlanError::Empty { what: format!("the plan of {}", self.name) };
            return Err(error.at([JsonStep::Key("actors"), JsonStep::Item(actor)]));
        }
        let mut expected = 0;
        for (index, placement) in self.placements.iter().enumerate() {
            let path = || placement_path(actor, index);
            placement.validate(&self.name, index).map_err(|error| error.at(path()))?;
            if placement.start != expected {
                let found = placement.start;
                let error = PlanError::Gap { actor: self.name.clone(), placement: index, found, expected };
                return Err(error.at(path()));
            }
            expected = placement.end();
        }
        Ok(())
    }
}

impl Placement {
    /// Checks everything that can be checked without the source clip. The error message contains `actor` and
    /// `index`.
    pub fn validate(&self, actor: &str, index: usize) -> Result<()> {
        let ground = self.world_from_source;
        for (what, value) in [("x", ground.x), ("z", ground.z), ("yaw_rad", ground.yaw_rad)] {
            // False for NaN.
            let is_near = value.abs() <= MAX_COORDINATE;
            if !is_near {
                return Err(PlanError::NotFinite { actor: actor.into(), placement: index, what });
            }
        }
        let span = |problem: String| PlanError::Span {
            actor: actor.into(),
            placement: index,
            frame: self.start,
            problem,
        };
        if self.frames == 0 {
            return Err(span("it has no frames".into()));
        }
        if self.source_start >= self.source_end {
            return Err(span(format!(
                "the range {}..{} of source frames is empty",
                self.source_start, self.source_end
            )));
        }
        if self.start.checked_add(self.frames).is_none() {
            return Err(span("its end is too large for a frame number".into()));
        }
        let mut before = (self.start as f64, self.source_start as f64);
        let end = (self.end() as f64, self.source_end as f64);
        for (key, time) in self.key_times.iter().enumerate() {
            // False for NaN.
            let is_forward = time.frame > before.0
                && time.source_frame > before.1
                && time.frame < end.0
                && time.source_frame < end.1;
            if !is_forward {
                return Err(PlanError::KeyTimes {
                    actor: actor.into(),
                    placement: index,
                    frame: self.start,
                    key,
                });
            }
            before = (time.frame, time.source_frame);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::{Coded, Ground};

    use super::*;
    use crate::{KeyTime, SourceRef};

    fn placement(start: usize, frames: usize) -> Placement {
        Placement {
            source: SourceRef { take: "walk".into(), actor: 0 },
            source_start: 10,
            source_end: 30,
            start,
            frames,
            key_times: vec![],
            world_from_source: Ground::IDENTITY,
            mirrored: false,
        }
    }

    fn plan() -> Plan {
        let placements = vec![placement(0, 20), placement(20, 25)];
        let actor = ActorPlan { name: "a".into(), placements };
        Plan { seed: Seed(3), ..Plan::new(60.0, vec![actor]) }
    }

    fn code(change: impl Fn(&mut Plan)) -> &'static str {
        let mut plan = plan();
        change(&mut plan);
        let error = plan.to_json().unwrap_err();
        assert_eq!(plan.validate().unwrap_err().code(), error.code());
        error.code().id
    }

    #[test]
    fn invalid_plans_have_their_codes() {
        plan().validate().unwrap();
        assert_eq!(code(|plan| plan.actors.clear()), "plan/empty");
        assert_eq!(code(|plan| plan.actors[0].placements.clear()), "plan/empty");
        assert_eq!(code(|plan| plan.rate_hz = f64::NAN), "plan/value");
        assert_eq!(code(|plan| plan.rate_hz = 0.0), "plan/value");
        assert_eq!(code(|plan| plan.cost.total = f64::INFINITY), "plan/value");
        assert_eq!(code(|plan| plan.actors[0].placements[1].frames = MAX_FRAMES), "plan/value");
        for axis in 0..3 {
            assert_eq!(
                code(|plan| {
                    let ground = &mut plan.actors[0].placements[1].world_from_source;
                    *[&mut ground.x, &mut ground.z, &mut ground.yaw_rad][axis] = f32::NAN;
                }),
                "plan/not-finite"
            );
        }
        assert_eq!(code(|plan| plan.actors[0].placements[1].world_from_source.z = -1e30), "plan/not-finite");
        assert_eq!(code(|plan| plan.actors[0].placements[1].start = 21), "plan/gap");
        assert_eq!(code(|plan| plan.actors[0].placements[0].start = 1), "plan/gap");
        assert_eq!(code(|plan| plan.actors[0].placements[1].frames = 0), "plan/span");
        assert_eq!(code(|plan| plan.actors[0].placements[1].source_end = 10), "plan/span");
        assert_eq!(code(|plan| plan.actors[0].placements[1].frames = usize::MAX), "plan/span");
        let mut other = plan().actors[0].clone();
        other.placements.pop();
        assert_eq!(code(|plan| plan.actors.push(other.clone())), "plan/ends");
    }

    #[test]
    fn invalid_meetings_and_targets_are_rejected() {
        use marey_motion::Role;

        use crate::{ActorJoint, TargetGoal};
        let end = |actor, role| ActorJoint { actor, role };
        let meeting = Meeting {
            one: end(0, Role::LeftHand),
            other: end(0, Role::RightHand),
            start: 3,
            end: 9,
            gap_m: 0.1,
        };
        let target = Target {
            end: end(0, Role::Head),
            goal: TargetGoal::LookAt([1.0, 2.0, 3.0]),
            from_frame: 0,
            until_frame: 45,
        };
        let mut good = plan();
        (good.meetings, good.targets) = (vec![meeting], vec![target]);
        assert_eq!(Plan::from_json(&good.to_json().unwrap()).unwrap(), good);
        for bad in [
            Meeting { one: end(1, Role::LeftHand), ..meeting },
            Meeting { other: meeting.one, ..meeting },
            Meeting { start: 9, ..meeting },
            Meeting { end: 46, ..meeting },
            Meeting { gap_m: f32::NAN, ..meeting },
        ] {
            assert_eq!(code(|plan| plan.meetings.push(bad)), "plan/meeting");
        }
        for bad in [
            Target { end: end(7, Role::Head), ..target },
            Target { until_frame: 0, ..target },
            Target { goal: TargetGoal::Reach([f32::NAN, 0.0, 0.0]), ..target },
        ] {
            assert_eq!(code(|plan| plan.targets.push(bad)), "plan/meeting");
        }
    }

    #[test]
    fn key_times_must_ascend_within_the_placement() {
        let with = |keys: &[(f64, f64)]| {
            let mut plan = plan();
            let key = |&(source_frame, frame): &(f64, f64)| KeyTime { source_frame, frame };
            plan.actors[0].placements[1].key_times = keys.iter().map(key).collect();
            plan.validate().map_err(|error| error.code().id)
        };
        assert_eq!(with(&[(12.0, 22.0), (20.0, 30.5)]), Ok(()));
        for bad in [
            &[(10.0, 22.0)][..],
            &[(12.0, 20.0)],
            &[(30.0, 22.0)],
            &[(12.0, 45.0)],
            &[(f64::NAN, 22.0)],
            &[(12.0, f64::INFINITY)],
            &[(12.0, 22.0), (12.0, 23.0)],
        ] {
            assert_eq!(with(bad), Err("plan/key-times"), "{bad:?}");
        }
    }

    #[test]
    fn invalid_json_is_located() {
        let good = plan().to_json().unwrap();
        assert_eq!(Plan::from_json(&good).unwrap(), plan());
        let code_and_line = |text: &str| {
            let error = Plan::from_json(text).unwrap_err();
            (error.code().id, error.place().line)
        };
        assert_eq!(code_and_line(""), ("plan/json", Some(1)));
        assert_eq!(code_and_line(&good.replace("60.0", "null")), ("plan/json", Some(2)));
        assert_eq!(code_and_line(&good.replace("60.0", "1e999")), ("plan/json", Some(2)));
        assert_eq!(code_and_line(&good.replace("rate_hz", "speed")).0, "plan/json");
        assert_eq!(code_and_line(&good.replace("\"frames\": 25", "\"frames\": -25")).0, "plan/json");
        assert_eq!(code_and_line(r#"{"rate_hz": 30, "actors": []}"#), ("plan/empty", Some(1)));
        assert_eq!(code_and_line(&good.replace("60.0", "NaN")), ("plan/json", Some(2)));
        // Invalid plans in valid JSON are located by line and frame as well.
        let line = |text: &str| good.lines().position(|line| line.contains(text)).unwrap() + 1;
        let second = line("\"start\": 20") - 7;
        for (from, to, code) in
            [("\"start\": 20", "\"start\": 21", "plan/gap"), ("\"frames\": 25", "\"frames\": 0", "plan/span")]
        {
            let error = Plan::from_json(&good.replace(from, to)).unwrap_err();
            assert_eq!((error.code().id, error.place().line), (code, Some(second)), "{good}");
            assert!(error.place().frame.is_some());
        }
    }

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let mut bits = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..1000 {
            // Xorshift: numbers with all their digits.
            bits ^= bits << 13;
            bits ^= bits >> 7;
            bits ^= bits << 17;
            let mut plan = plan();
            plan.cost.total = (bits >> 11) as f64 * 1e-14;
            let text = plan.to_json().unwrap();
            assert_eq!(Plan::from_json(&text).unwrap().cost.total, plan.cost.total, "{text}");
        }
    }
}
