//! An engine of the smallest kind keeps what every engine promises, and one that breaks a promise is found out.

use std::collections::BTreeMap;

use marey_motion::Coded;
use marey_plan::search::{Span, viterbi};
use marey_plan::{
    ActorPlan, Brief, Candidate, Choice, Cost, Engine, Error, Placement, Plan, Result, Seed, SourceRef,
    Trace, answer,
};
use rand::RngExt;

/// How fast to be, frame by frame.
struct Speeds(Vec<f64>);

impl Brief for Speeds {
    type Error = Error;

    fn validate(&self) -> Result<()> {
        if self.0.is_empty() {
            return Err(Error::Empty { what: "a brief".into() });
        }
        match self.0.iter().find(|speed| !(**speed >= 0.0 && **speed < 20.0)) {
            Some(speed) => Err(Error::Value { what: "a speed".into(), value: *speed }),
            None => Ok(()),
        }
    }

    fn rate_hz(&self) -> f64 {
        30.0
    }

    fn frames(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// Covers time with steps of ten frames, each by the example whose speed is nearest; of equals, any.
struct Stepper {
    speeds: Vec<f64>,
    /// Of what it promises, what it breaks.
    breaks: Option<&'static str>,
}

const STEP: usize = 10;

impl Stepper {
    fn source(number: usize) -> SourceRef {
        SourceRef { take: format!("step-{number}"), actor: 0 }
    }
}

impl Engine for Stepper {
    type Brief = Speeds;
    type Error = Error;

    fn plan(&self, brief: &Speeds, seed: Seed, mut trace: Option<&mut Trace>) -> Result<Plan> {
        let (mut rng, steps) = (seed.rng(0), brief.0.len() / STEP);
        let mut spans = Vec::new();
        for step in 0..steps {
            for speed in &self.speeds {
                let off: f64 =
                    brief.0[step * STEP..][..STEP].iter().map(|wanted| (wanted - speed).abs()).sum();
                let cost = off + 1e-3 * rng.random::<f64>();
                spans.push(Span { start: step * STEP, end: (step + 1) * STEP, cost });
            }
        }
        let cover = viterbi(&spans, steps * STEP, |_, _| 0.0)?.unwrap();
        let mut placements = Vec::new();
        for (step, span) in cover.spans.iter().enumerate() {
            let taken = span % self.speeds.len();
            if let Some(trace) = &mut trace {
                let candidate = |number: usize| Candidate {
                    source: Self::source(number),
                    from_frame: 0,
                    cost: BTreeMap::from([("speed".into(), spans[step * self.speeds.len() + number].cost)]),
                };
                let candidates = (0..self.speeds.len()).map(candidate).collect();
                trace.choices.push(Choice { actor: 0, placement: step, taken, candidates });
            }
            placements.push(Placement {
                source: Self::source(taken),
                source_start: 0,
                source_end: STEP,
                start: step * STEP,
                frames: STEP,
                key_times: vec![],
                world_from_source: Default::default(),
                mirrored: false,
            });
        }
        let mut plan = Plan {
            rate_hz: 30.0,
            seed,
            cost: Cost { total: cover.cost, parts: BTreeMap::from([("speed".into(), cover.cost)]) },
            actors: vec![ActorPlan { name: "stepper".into(), placements }],
            meetings: vec![],
            targets: vec![],
        };
        match self.breaks {
            Some("rate") => plan.rate_hz = 60.0,
            Some("length") => drop(plan.actors[0].placements.pop()),
            Some("seed") => plan.seed = Seed(seed.0 + 1),
            Some("gap") => plan.actors[0].placements[0].start = 3,
            _ => {}
        }
        Ok(plan)
    }
}

fn stepper(breaks: Option<&'static str>) -> Stepper {
    Stepper { speeds: vec![0.5, 1.0, 1.0, 2.0], breaks }
}

#[test]
fn the_same_brief_and_seed_give_the_same_plan_and_a_trace_changes_nothing() {
    let brief = Speeds((0..200).map(|frame| 0.01 * f64::from(frame)).collect());
    assert_eq!(brief.duration_secs(), Some(200.0 / 30.0));
    let engine = stepper(None);
    let plan = answer(&engine, &brief, Seed(4), None).unwrap();
    let mut trace = Trace::default();
    assert_eq!(answer(&engine, &brief, Seed(4), Some(&mut trace)).unwrap(), plan);
    assert_eq!(trace.choices.len(), plan.actors[0].placements.len());
    for (number, placement) in plan.actors[0].placements.iter().enumerate() {
        let choice = trace.behind(0, number).unwrap();
        let taken = &choice.candidates[choice.taken];
        assert_eq!(taken.source, placement.source);
        assert!(choice.candidates.iter().all(|other| other.total_cost() >= taken.total_cost()));
    }
    // The two examples of equal speed take turns by chance.
    assert_ne!(answer(&engine, &brief, Seed(5), None).unwrap().actors, plan.actors);
}

#[test]
fn a_brief_that_is_no_wish_is_refused_before_it_is_planned() {
    let code =
        |speeds: Vec<f64>| answer(&stepper(None), &Speeds(speeds), Seed(0), None).unwrap_err().code().id;
    assert_eq!(code(vec![]), "plan/empty");
    assert_eq!(code(vec![f64::NAN; 20]), "plan/value");
}

#[test]
fn a_plan_that_is_not_what_was_asked_for_is_found_out() {
    let brief = Speeds(vec![1.0; 40]);
    for (breaks, code) in [
        ("rate", "plan/not-as-briefed"),
        ("length", "plan/not-as-briefed"),
        ("seed", "plan/not-as-briefed"),
        ("gap", "plan/gap"),
    ] {
        let refused = answer(&stepper(Some(breaks)), &brief, Seed(0), None).unwrap_err();
        assert_eq!(refused.code().id, code, "{breaks}");
    }
}
