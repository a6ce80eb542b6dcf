//! The quality card: the measures of a clip, each with its threshold.

use marey_motion::{Clip, Observer, Terrain};
use marey_ops::floor;
use serde::{Deserialize, Serialize};

use crate::bounds::Bounds;
use crate::error::check_cancelled;
use crate::feet::{FootFigures, feet, percentile};
use crate::hold::HoldDeviation;
use crate::jolt::{Jolts, jolts, jolts_without_noise};
use crate::likeness::{Alignment, likeness};
use crate::path::path_error;
use crate::sink::{sink, sink_in};
use crate::stretch::stretch;
use crate::tween::tween_observed;
use crate::variety::Coverage;
use crate::{Result, Worst};

/// Thresholds of the measures. `None`: the measure is reported without pass or fail.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Thresholds {
    /// Foot skate ([`FootFigures`]), in centimetres per second; default none: captured feet differ too much.
    pub skate_cm_per_sec: Option<f64>,
    /// Foot skate and slip relative to those of the examples; default none: the card shows both side by side.
    pub feet_over_examples: Option<f64>,
    /// How many more percent of the frames no foot may stand in than in the examples; default none.
    pub off_floor_pct: Option<f64>,
    /// The share of contacts that were let go, in percent; default 3.3, one in thirty.
    pub let_go_pct: Option<f64>,
    /// Depth below the floor, in centimetres; default 2.5, or that of the examples if they are deeper: the toes of
    /// captured feet are.
    pub sink_cm: Option<f64>,
    /// Acceleration relative to the examples, without the jitter of markers: to the median over the examples of
    /// each one's 99.9th percentile; default 1.25. Checked if there are examples of the same rate: the largest
    /// value at joins if joins are known, else the 99.9th percentile of the clip.
    pub jolt_over_examples: Option<f64>,
    /// Change of the length of a bone, in millimetres; default 0.1.
    pub stretch_mm: Option<f64>,
    /// Joint rotation outside the range of the examples, in degrees; default 15. Checked if there are
    /// examples.
    pub beyond_deg: Option<f64>,
    /// Largest deviation of holding hands from their distance, in centimetres; default 2.
    pub hold_cm: Option<f64>,
    /// Mean distance from the path at the same time, in centimetres; default none.
    pub path_cm: Option<f64>,
    /// Mean distance of joints from a reference, in centimetres; default none.
    pub likeness_cm: Option<f64>,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            skate_cm_per_sec: None,
            feet_over_examples: None,
            off_floor_pct: None,
            let_go_pct: Some(100.0 / 30.0),
            sink_cm: Some(2.5),
            jolt_over_examples: Some(1.25),
            stretch_mm: Some(0.1),
            beyond_deg: Some(15.0),
            hold_cm: Some(2.0),
            path_cm: None,
            likeness_cm: None,
        }
    }
}

/// The foot contacts of the sources of a clip, and those that it does not keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptPlants {
    /// The number of contacts of heels and balls.
    pub contacts: usize,
    /// The number that were let go: they ended early, or the foot never stood.
    pub let_go: usize,
}

/// The data that a clip is measured against.
#[derive(Debug, Clone, Copy)]
pub struct Evidence<'a> {
    /// How many contacts of its sources the clip keeps, if it was made from sources.
    pub plants: Option<KeptPlants>,
    /// Height of the floor, in metres.
    pub floor_m: f32,
    /// Uneven ground, if there is no level floor.
    pub terrain: Option<&'a Terrain>,
    /// The motion that the clip should resemble.
    pub reference: Option<&'a Clip>,
    /// The path that the clip should follow.
    pub path: Option<&'a marey_motion::PointClip>,
    /// Statistics of the examples.
    pub examples: Option<&'a BaselineStatistics>,
    /// The first frames of pieces that were joined to the previous one, sorted.
    pub joins: &'a [usize],
    /// Deviations of the hand holds.
    pub holds: Option<&'a HoldDeviation>,
    /// The share of the examples that was used.
    pub coverage: Option<&'a Coverage>,
}

impl<'a> Evidence<'a> {
    /// The floor only.
    pub fn on_floor(floor_m: f32) -> Self {
        Self {
            plants: None,
            floor_m,
            terrain: None,
            reference: None,
            path: None,
            examples: None,
            joins: &[],
            holds: None,
            coverage: None,
        }
    }
}

/// Time after a join that counts as the join, in seconds.
const JOIN_SECS: f64 = 0.5;

/// Statistics of examples, computed once for many cards.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BaselineStatistics {
    /// The 99.9th percentile of the acceleration without noise, in m/s²: the median over the examples.
    pub jolt_mps2: f32,
    /// The jerk without noise, in m/s³: the median over the examples.
    pub jerk_mps3: f64,
    /// Figures about the feet: the median over the examples that have feet.
    pub feet: Option<FootFigures>,
    /// The largest depth below the own floor, in centimetres: the median over the examples.
    pub sink_cm: f64,
    /// The rate at which it was measured, in Hz.
    pub rate_hz: f64,
    /// The ranges of joint rotations.
    pub bounds: Bounds,
}

/// Percentile of the accelerations that counts as normal.
const USUAL_SHARE: f64 = 0.999;

impl BaselineStatistics {
    /// Computes the statistics of examples. Accelerations come from the examples with the rate of the first
    /// one, because they cannot be compared across rates.
    pub fn learn(examples: &[Clip]) -> Self {
        let rate_hz = examples.first().map_or(0.0, Clip::rate_hz);
        let alike = examples.iter().filter(|clip| clip.rate_hz() == rate_hz);
        let jolts: Vec<Jolts> = alike.map(jolts_without_noise).collect();
        let feet: Vec<FootFigures> = examples.iter().filter_map(feet).collect();
        Self {
            jolt_mps2: median(jolts.iter().map(|jolts| f64::from(jolts.percentile_mps2(USUAL_SHARE)))) as f32,
            jerk_mps3: median(jolts.iter().map(|jolts| jolts.jerk_mps3)),
            feet: FootFigures::median(&feet),
            sink_cm: median(
                examples.iter().map(|clip| sink(clip, floor::estimate(clip).height_m).deepest_cm),
            ),
            rate_hz,
            bounds: Bounds::learn(examples, 0.0),
        }
    }
}

/// The median; 0 without values.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    percentile(&mut values.collect::<Vec<_>>(), 0.5).unwrap_or(0.0)
}

/// One measure of a card.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CardLine {
    /// Name of the measure: `foot skate`.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// The same measure of the examples, if it is known.
    pub examples: Option<f64>,
    /// Its threshold, if it is checked.
    pub at_most: Option<f64>,
    /// Whether the value is within the threshold.
    pub ok: bool,
    /// Where and when it was worst.
    pub worst: Option<Worst>,
}

/// The measures of a clip.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct QualityCard {
    /// The measures, in a fixed order.
    pub lines: Vec<CardLine>,
}

impl QualityCard {
    /// Measures a clip.
    pub fn of(clip: &Clip, evidence: &Evidence<'_>, thresholds: &Thresholds) -> Result<Self> {
        Self::of_observed(clip, evidence, thresholds, Observer::ignore())
    }

    /// [`QualityCard::of`], which can be cancelled by an observer.
    pub fn of_observed(
        clip: &Clip,
        evidence: &Evidence<'_>,
        thresholds: &Thresholds,
        observer: Observer<'_>,
    ) -> Result<Self> {
        let mut card = Self::default();
        let look = |done: usize| check_cancelled(observer, done, 9);
        look(0)?;
        card.add_feet(clip, evidence, thresholds);
        look(1)?;
        card.add_sink(clip, evidence, thresholds);
        look(2)?;
        let jolts = jolts(clip);
        card.add("largest acceleration", f64::from(jolts.largest_mps2), "m/s²", None, jolts.worst.clone());
        card.add("jerk", jolts.jerk_mps3, "m/s³", None, None);
        if let Some((largest, worst)) = at_joins_of(&jolts, evidence.joins, clip) {
            card.add("acceleration at joins", largest, "m/s²", None, worst);
        }
        look(3)?;
        let stretch = stretch(clip);
        card.add("bone stretch", stretch.largest_mm, "mm", thresholds.stretch_mm, stretch.worst);
        if let Some(habits) = evidence.examples {
            // Accelerations cannot be compared across rates.
            let judged =
                thresholds.jolt_over_examples.filter(|_| (habits.rate_hz - clip.rate_hz()).abs() < 1e-6);
            let usual = f64::from(habits.jolt_mps2.max(f32::MIN_POSITIVE));
            look(4)?;
            let jolts = jolts_without_noise(clip);
            let level = f64::from(jolts.percentile_mps2(USUAL_SHARE));
            let at_joins = at_joins_of(&jolts, evidence.joins, clip);
            let whole = judged.filter(|_| at_joins.is_none());
            card.add("acceleration over examples", level / usual, "×", whole, None);
            let jerk = jolts.jerk_mps3 / habits.jerk_mps3.max(f64::MIN_POSITIVE);
            card.add("jerk over examples", jerk, "×", None, None);
            if let Some((largest, worst)) = at_joins {
                card.add("at joins, over examples", largest / usual, "×", judged, worst);
            }
            look(5)?;
            let beyond = habits.bounds.beyond(clip);
            card.add("beyond examples' turns", beyond.farthest_deg, "°", thresholds.beyond_deg, beyond.worst);
        }
        if let Some(holds) = evidence.holds {
            card.add("off the holds", holds.largest_cm, "cm", thresholds.hold_cm, holds.worst.clone());
        }
        if let Some(error) = evidence.path.and_then(|path| path_error(clip, path)) {
            let worst = Some(Worst { what: "hips".into(), frame: error.worst_frame });
            card.add("off the path", error.mean_cm, "cm", thresholds.path_cm, worst);
            card.add("off the path's shape", error.shape_cm, "cm", None, None);
        }
        if let Some(reference) = evidence.reference {
            look(6)?;
            let as_is = likeness(clip, reference, Alignment::AsTheyAre)?;
            card.add("off the reference", as_is.mean_cm, "cm", thresholds.likeness_cm, as_is.worst);
            look(7)?;
            let aligned = likeness(clip, reference, Alignment::Aligned)?;
            card.add("off the reference, aligned", aligned.mean_cm, "cm", None, aligned.worst);
            if reference.skeleton().len() == clip.skeleton().len() {
                look(8)?;
                let tween = tween_observed(clip, reference, None, observer)?;
                card.add("L2P", tween.l2p, "m", None, None);
                card.add("L2Q", tween.l2q, "", None, None);
                card.add("NPSS", tween.npss, "", None, None);
            }
        }
        if let Some(coverage) = evidence.coverage {
            card.add("examples used", 100.0 * coverage.share, "%", None, None);
            card.add("how evenly", coverage.evenness, "", None, None);
        }
        Ok(card)
    }

    /// Adds the distance of the clip from other results of the same request, in metres: a measure of variety.
    pub fn set_distance_to_others(&mut self, from_others_m: f64) {
        self.add("from the other results", 100.0 * from_others_m, "cm", None, None);
    }

    /// Whether every checked measure is within its threshold.
    pub fn is_ok(&self) -> bool {
        self.lines.iter().all(|line| line.ok)
    }

    fn add(
        &mut self,
        name: &'static str,
        value: f64,
        unit: &'static str,
        at_most: Option<f64>,
        worst: Option<Worst>,
    ) {
        let ok = at_most.is_none_or(|most| value <= most);
        self.lines.push(CardLine { name, value, unit, examples: None, at_most, ok, worst });
    }

    /// Adds the depth below the floor beside that of the examples, unless the ground is uneven.
    fn add_sink(&mut self, clip: &Clip, evidence: &Evidence<'_>, thresholds: &Thresholds) {
        let (own, usual) = match evidence.terrain {
            Some(ground) => (sink_in(clip, ground), None),
            None => (sink(clip, evidence.floor_m), evidence.examples.map(|examples| examples.sink_cm)),
        };
        let most = thresholds.sink_cm.map(|most| most.max(usual.unwrap_or(0.0)));
        self.add("in the floor", own.deepest_cm, "cm", most, own.worst);
        if let Some(line) = self.lines.last_mut() {
            line.examples = usual;
        }
    }

    /// Adds the measures of feet beside those of the examples.
    fn add_feet(&mut self, clip: &Clip, evidence: &Evidence<'_>, thresholds: &Thresholds) {
        if let Some(own) = feet(clip) {
            let usual = evidence.examples.and_then(|examples| examples.feet);
            let over = |figure: f64| Some(figure * thresholds.feet_over_examples?);
            let mut add = |name, unit, of: fn(&FootFigures) -> f64, at_most: Option<f64>| {
                self.add(name, of(&own), unit, at_most, None);
                if let Some(line) = self.lines.last_mut() {
                    line.examples = usual.as_ref().map(of);
                }
            };
            let most = usual.and_then(|usual| over(usual.skate_cm_per_sec));
            add("foot skate", "cm/s", |feet| feet.skate_cm_per_sec, thresholds.skate_cm_per_sec.or(most));
            let most = usual.and_then(|usual| over(usual.slip_cm_per_sec));
            add("foot slip", "cm/s", |feet| feet.slip_cm_per_sec, most);
            let most = usual.and_then(|usual| Some(100.0 - usual.standing_pct + thresholds.off_floor_pct?));
            add("no foot stands", "%", |feet| 100.0 - feet.standing_pct, most);
        }
        if let Some(KeptPlants { contacts, let_go }) = evidence.plants {
            let share_pct = 100.0 * let_go as f64 / contacts.max(1) as f64;
            self.add("contacts let go", share_pct, "%", thresholds.let_go_pct, None);
        }
    }
}

/// The largest acceleration around joins, in m/s², and its place; `None` without joins.
fn at_joins_of(jolts: &Jolts, joins: &[usize], clip: &Clip) -> Option<(f64, Option<Worst>)> {
    let shows = (JOIN_SECS * clip.rate_hz()).ceil() as usize;
    let around = |join: &usize| jolts.largest_within(join.saturating_sub(2)..join + shows);
    let (largest, frame) = joins.iter().filter_map(around).max_by(|a, b| a.0.total_cmp(&b.0))?;
    let joint = jolts.joint_by_frame.get(frame).and_then(|joint| clip.skeleton().joints().get(*joint));
    Some((f64::from(largest), joint.map(|joint| Worst { what: joint.name.clone(), frame })))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use marey_motion::{ClipParts, Joint, Quat, Skeleton, Vec3};

    use super::*;

    /// A point that stands, and from a frame on goes 2 m/s, at 10 Hz: 20 m/s² there.
    fn starting_at(start: i32) -> Clip {
        let skeleton = Arc::new(Skeleton::new(vec![Joint::new("point", None, Vec3::ZERO)], vec![]).unwrap());
        let positions = (0..60).map(|f: i32| Vec3::X * 0.2 * (f - start).max(0) as f32).collect();
        Clip::new(skeleton, 10.0, ClipParts { rotations: vec![Quat::IDENTITY; 60], positions }).unwrap()
    }

    fn value(card: &QualityCard, name: &str) -> Option<f64> {
        card.lines.iter().find(|line| line.name == name).map(|line| line.value)
    }

    #[test]
    fn accelerations_are_attributed_to_joins() {
        let clip = starting_at(30);
        let feet = Evidence::on_floor(-1.0);
        let card = |joins: &[usize], habits: Option<&BaselineStatistics>| {
            let evidence = Evidence { joins, examples: habits, ..feet };
            QualityCard::of(&clip, &evidence, &Thresholds::default()).unwrap()
        };
        assert_eq!(value(&card(&[], None), "acceleration at joins"), None);
        assert!((value(&card(&[5, 28], None), "acceleration at joins").unwrap() - 20.0).abs() < 1e-3);
        assert!(value(&card(&[5, 40], None), "acceleration at joins").unwrap() < 1e-3);
        // Checked against examples with half the acceleration, at the same rate.
        let mut habits = BaselineStatistics {
            jolt_mps2: 10.0,
            jerk_mps3: 1.0,
            feet: None,
            sink_cm: 0.0,
            rate_hz: 10.0,
            bounds: Bounds::default(),
        };
        let judged = card(&[28], Some(&habits));
        assert!((value(&judged, "at joins, over examples").unwrap() - 2.0).abs() < 1e-3 && !judged.is_ok());
        habits.rate_hz = 20.0;
        assert!(card(&[28], Some(&habits)).is_ok());
        let worst =
            judged.lines.iter().find(|line| line.name == "acceleration at joins").unwrap().worst.clone();
        assert_eq!(worst, Some(Worst { what: "point".into(), frame: 30 }));
    }

    #[test]
    fn only_measures_with_a_threshold_are_checked() {
        let clip = starting_at(30);
        let holds = HoldDeviation { mean_cm: 1.0, largest_cm: 2.5, worst: None };
        let coverage = crate::variety::coverage([0, 0, 1], 4);
        let evidence = Evidence {
            holds: Some(&holds),
            coverage: Some(&coverage),
            reference: Some(&clip),
            ..Evidence::on_floor(-1.0)
        };
        // A single point has no roles to compare.
        assert!(QualityCard::of(&clip, &evidence, &Thresholds::default()).is_err());
        let evidence = Evidence { reference: None, ..evidence };
        let mut card = QualityCard::of(&clip, &evidence, &Thresholds::default()).unwrap();
        card.set_distance_to_others(0.25);
        assert!(!card.is_ok());
        assert_eq!(
            (value(&card, "examples used"), value(&card, "from the other results")),
            (Some(50.0), Some(25.0))
        );
        let lenient = Thresholds { hold_cm: Some(3.0), ..Thresholds::default() };
        assert!(QualityCard::of(&clip, &evidence, &lenient).unwrap().is_ok());
    }

    #[test]
    fn a_clip_may_sink_as_deep_as_its_examples() {
        let clip = starting_at(30);
        let mut habits = BaselineStatistics::learn(std::slice::from_ref(&clip));
        let card = |habits: Option<&BaselineStatistics>| {
            let lowest_m = sink(&clip, 1000.0).deepest_cm / 100.0;
            let floor_m = (1000.0 - lowest_m) as f32 + 0.04;
            let evidence = Evidence { examples: habits, ..Evidence::on_floor(floor_m) };
            let card = QualityCard::of(&clip, &evidence, &Thresholds::default()).unwrap();
            card.lines.into_iter().find(|line| line.name == "in the floor").unwrap()
        };
        assert!((card(None).value - 4.0).abs() < 0.1 && !card(None).ok);
        habits.sink_cm = 3.0;
        assert!(!card(Some(&habits)).ok);
        habits.sink_cm = 5.0;
        let judged = card(Some(&habits));
        assert!(judged.ok && judged.examples == Some(5.0) && judged.at_most == Some(5.0));
    }

    #[test]
    fn feet_are_judged_against_examples_and_contacts_let_go_are_counted() {
        use marey_examples::walk::{WalkSettings, walk};
        let made =
            walk(&WalkSettings { duration_secs: 6.0, rate_hz: 30.0, ..WalkSettings::default() }).unwrap();
        let walk = made.take.first();
        let habits = BaselineStatistics::learn(std::slice::from_ref(walk));
        let mut parts = walk.clone().into_parts();
        for (frame, position) in parts.positions.iter_mut().enumerate() {
            position.x += 0.2 * frame as f32 / walk.rate_hz() as f32;
        }
        let sliding = Clip::new(walk.skeleton().clone(), walk.rate_hz(), parts).unwrap();
        let card = |clip: &Clip, let_go: usize, examples| {
            let plants = Some(KeptPlants { contacts: 60, let_go });
            let evidence = Evidence { plants, examples, ..Evidence::on_floor(0.0) };
            let strict = Thresholds {
                feet_over_examples: Some(1.0),
                off_floor_pct: Some(5.0),
                ..Thresholds::default()
            };
            QualityCard::of(clip, &evidence, &strict).unwrap()
        };
        let missed = |card: &QualityCard| -> Vec<&str> {
            card.lines.iter().filter(|line| !line.ok).map(|line| line.name).collect()
        };
        assert!(card(walk, 2, Some(&habits)).is_ok() && card(&sliding, 0, None).is_ok());
        let worse = card(&sliding, 3, Some(&habits));
        assert_eq!(missed(&worse)[..4], ["foot skate", "foot slip", "no foot stands", "contacts let go"]);
        assert_eq!(worse.lines[0].examples, habits.feet.map(|feet| feet.skate_cm_per_sec));
    }
}
