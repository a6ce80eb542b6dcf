//! The answers of a study.

use std::collections::BTreeMap;

use marey_plan::Seed;
use serde::Serialize;

use crate::model::normal;
use crate::{Rating, StudyClip, StudyDefinition, StudyDesign, StudyTrial, VarianceComponents};

/// A rater.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StudyRater {
    /// The number of the rater, from 0, which determines the order of presentation.
    pub number: usize,
    /// The index of the class.
    pub class: usize,
}

/// What a rater said about a trial.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudyAnswer {
    /// The number of the rater.
    pub rater: usize,
    /// The index of the trial.
    pub trial: usize,
    /// One rating for each scale; or 0 if the first clip of a pair was chosen, 1 if the second.
    pub values: Vec<u8>,
    /// How long the rater took, in seconds.
    pub secs: f64,
}

/// A study with its answers.
#[derive(Debug, Clone, PartialEq)]
pub struct AnsweredStudy {
    /// The definition.
    pub definition: StudyDefinition,
    /// The clips.
    pub clips: Vec<StudyClip>,
    /// Everyone who began.
    pub raters: Vec<StudyRater>,
    /// Their answers.
    pub answers: Vec<StudyAnswer>,
}

/// Known effects for simulated raters.
#[derive(Debug, Clone, PartialEq)]
pub struct SimulatedEffects {
    /// How much better each condition is than the first, in points; conditions without a value are like the last that has one.
    pub better: Vec<f64>,
    /// How ratings vary.
    pub variances: VarianceComponents,
}

impl AnsweredStudy {
    /// The trials.
    pub fn trials(&self) -> Vec<StudyTrial> {
        self.definition.trials(&self.clips)
    }

    /// The raters who answered every trial.
    pub fn complete_raters(&self) -> Vec<&StudyRater> {
        let trials = self.trials().len();
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        self.answers.iter().for_each(|answer| *counts.entry(answer.rater).or_default() += 1);
        let is_complete = |rater: &&StudyRater| trials > 0 && counts.get(&rater.number) == Some(&trials);
        self.raters.iter().filter(is_complete).collect()
    }

    /// The ratings on a scale by raters who answered everything, transformed as the definition asks if `is_transformed`. Methods
    /// are numbered in the order of `conditions`; others are left out.
    pub fn ratings(&self, scale: usize, conditions: &[usize], is_transformed: bool) -> Vec<Rating> {
        let raters: BTreeMap<usize, (usize, usize)> = self
            .complete_raters()
            .into_iter()
            .enumerate()
            .map(|(index, rater)| (rater.number, (index, rater.class)))
            .collect();
        // Classes without a complete rater have no number.
        let mut classes: Vec<usize> = raters.values().map(|(_, class)| *class).collect();
        classes.sort_unstable();
        classes.dedup();
        let rating = |answer: &StudyAnswer| {
            let (rater, class) = *raters.get(&answer.rater)?;
            let clip = self.clips.get(answer.trial)?;
            let value = f64::from(*answer.values.get(scale)?);
            Some(Rating {
                rater,
                class: classes.iter().position(|known| *known == class)?,
                method: conditions.iter().position(|condition| *condition == clip.condition)?,
                sequence: clip.sequence,
                value: if is_transformed { self.definition.transform.apply(value) } else { value },
            })
        };
        self.answers.iter().filter_map(rating).collect()
    }

    /// The same study answered by `raters` simulated raters, in all classes in turn. The same seed gives the same answers.
    pub fn simulated(&self, raters: usize, effects: &SimulatedEffects, seed: u64) -> Self {
        let mut rng = Seed(seed).rng(0);
        let classes = self.definition.classes.len().max(1);
        let variances = &effects.variances;
        let better = |condition: usize| {
            effects.better.get(condition).or(effects.better.last()).copied().unwrap_or(0.0)
        };
        let scales = self.definition.values_per_answer();
        let mut draw = |variance: f64| variance.max(0.0).sqrt() * normal(&mut rng);
        // Every scale has effects of its own: [scale][clip], [scale][class][clip].
        let of_clips: Vec<Vec<f64>> =
            (0..scales).map(|_| self.clips.iter().map(|_| draw(variances.sequence)).collect()).collect();
        let of_classes: Vec<Vec<Vec<f64>>> = (0..scales)
            .map(|_| {
                (0..classes)
                    .map(|_| {
                        let own = draw(variances.class);
                        self.clips.iter().map(|_| own + draw(variances.class_by_sequence)).collect()
                    })
                    .collect()
            })
            .collect();
        let (mut who, mut answers) = (Vec::new(), Vec::new());
        let trials = self.trials();
        for number in 0..raters {
            let class = number % classes;
            who.push(StudyRater { number, class });
            let habits: Vec<Vec<f64>> = (0..scales)
                .map(|_| self.definition.conditions.iter().map(|_| draw(variances.rater)).collect())
                .collect();
            for shown in self.definition.presentation(trials.len(), number) {
                let Some(trial) = trials.get(shown.trial) else { continue };
                // What the rater thinks of a clip, in points around the middle of the scale.
                let mut thinks = |scale: usize, clip: usize| {
                    let condition = self.clips.get(clip).map_or(0, |clip| clip.condition);
                    let habit = habits.get(scale).and_then(|habits| habits.get(condition)).copied();
                    let own = of_clips.get(scale).and_then(|clips| clips.get(clip)).copied();
                    let of_class =
                        of_classes.get(scale).and_then(|classes| classes.get(class)?.get(clip)).copied();
                    let parts = [habit, own, of_class].into_iter().flatten().sum::<f64>();
                    better(condition) + parts + draw(variances.residual)
                };
                let values = match trial.second {
                    None => (0..scales)
                        .map(|scale| {
                            let points = self.definition.scales.get(scale).map_or(5, |scale| scale.points);
                            let middle = 0.5 * (1.0 + f64::from(points));
                            (middle + thinks(scale, trial.first)).round().clamp(1.0, f64::from(points)) as u8
                        })
                        .collect(),
                    // Raters take the better one for the recorded one.
                    Some(second) => vec![u8::from(thinks(0, second) > thinks(0, trial.first))],
                };
                answers.push(StudyAnswer { rater: number, trial: shown.trial, values, secs: 5.0 });
            }
        }
        Self { raters: who, answers, ..self.clone() }
    }

    /// The answers as a table in CSV, one line for each value.
    pub fn to_csv(&self) -> String {
        let mut csv = String::from(
            "rater,class,position,trial,condition,clip,other_condition,other_clip,scale,value,secs\n",
        );
        let trials = self.trials();
        let names = |clip: Option<usize>| {
            let clip = clip.and_then(|clip| self.clips.get(clip));
            let condition = clip.and_then(|clip| self.definition.conditions.get(clip.condition));
            let name = |text: Option<&String>| quoted(text.map_or("", String::as_str));
            format!(
                "{},{}",
                name(condition.map(|condition| &condition.name)),
                name(clip.map(|clip| &clip.name))
            )
        };
        let mut answers: Vec<&StudyAnswer> = self.answers.iter().collect();
        answers.sort_by_key(|answer| (answer.rater, answer.trial));
        for answer in answers {
            let class =
                self.raters.iter().find(|rater| rater.number == answer.rater).map(|rater| rater.class);
            let class =
                class.and_then(|class| self.definition.classes.get(class)).map_or("", |class| &class.name);
            let shown = self.definition.presentation(trials.len(), answer.rater);
            let position = shown.iter().position(|shown| shown.trial == answer.trial).map_or(0, |at| at + 1);
            let Some(trial) = trials.get(answer.trial) else { continue };
            for (scale, value) in answer.values.iter().enumerate() {
                let scale = match self.definition.design {
                    StudyDesign::Ratings => self.definition.scales.get(scale).map_or("", |scale| &scale.name),
                    StudyDesign::Pairs | StudyDesign::Recorded => "chosen",
                };
                let value = if trial.second.is_some() { value + 1 } else { *value };
                csv += &format!(
                    "{},{},{position},{},{},{},{},{value},{:.2}\n",
                    answer.rater + 1,
                    quoted(class),
                    answer.trial + 1,
                    names(Some(trial.first)),
                    names(trial.second),
                    quoted(scale),
                    answer.secs,
                );
            }
        }
        csv
    }
}

/// A field of CSV, quoted if necessary.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
