//! The analysis of a study.

use serde::Serialize;

use crate::{
    AnsweredStudy, BinomialTest, BradleyTerry, Interval, MethodDifference, NestedAnova, NestedSums,
    StudyAnswer, StudyDesign, StudyError, StudyTrial, holm,
};

/// The results of a study.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StudyResults {
    /// The title of the study.
    pub title: String,
    /// What raters were asked.
    pub design: StudyDesign,
    /// The names of the conditions.
    pub conditions: Vec<String>,
    /// Number of clips.
    pub clips: usize,
    /// Number of raters who began.
    pub raters: usize,
    /// Number of raters who answered everything.
    pub complete: usize,
    /// Number of answers.
    pub answers: usize,
    /// The results of each scale of a study of ratings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scales: Vec<ScaleResult>,
    /// The result of a study of pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preferences: Option<PreferenceResult>,
    /// For each condition that was compared with the recorded one, how often the recorded one was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub recorded: Vec<RecordedResult>,
    /// Why a part of the analysis is missing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The results of a scale.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScaleResult {
    /// The name of the scale.
    pub name: String,
    /// What 1 and the largest rating mean.
    pub ends: [String; 2],
    /// The ratings of each condition.
    pub conditions: Vec<ConditionSummary>,
    /// The analysis of variance of all conditions, of transformed ratings.
    pub anova: Option<NestedAnova>,
    /// Every two conditions compared.
    pub comparisons: Vec<ConditionComparison>,
}

/// The ratings of a condition on a scale, by raters who answered everything.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConditionSummary {
    /// The name of the condition.
    pub name: String,
    /// The mean, in points.
    pub mean: f64,
    /// The median, in points.
    pub median: f64,
    /// The standard deviation, in points.
    pub deviation: f64,
    /// The mean of transformed ratings.
    pub transformed_mean: f64,
    /// How often each point was given, from 1.
    pub counts: Vec<usize>,
    /// The mean of each clip, in points.
    pub clips: Vec<(String, f64)>,
}

/// Two conditions compared on a scale.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConditionComparison {
    /// The first condition.
    pub first: String,
    /// The second condition.
    pub second: String,
    /// The difference in points: second minus first.
    pub points: MethodDifference,
    /// The test, of transformed ratings.
    pub test: MethodDifference,
    /// The p-value of the test, adjusted for the number of comparisons on the scale (Holm).
    pub p_adjusted: f64,
}

/// The result of a study of pairs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PreferenceResult {
    /// How often the row was preferred to the column.
    pub wins: Vec<Vec<u64>>,
    /// The model of all conditions; `None` if the wins do not determine it.
    pub model: Option<BradleyTerry>,
    /// Every two conditions compared.
    pub comparisons: Vec<PreferenceComparison>,
}

/// Two conditions compared by preference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PreferenceComparison {
    /// The first condition.
    pub first: String,
    /// The second condition.
    pub second: String,
    /// How often the second was preferred.
    pub direct: BinomialTest,
    /// The chance that the second is preferred, by the model of all comparisons.
    pub modelled: Option<Interval>,
    /// The p-value of the exact test, adjusted for the number of comparisons (Holm).
    pub p_adjusted: f64,
}

/// How often the recorded clip was found beside one of a condition.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RecordedResult {
    /// The condition; `None` for all together.
    pub condition: Option<String>,
    /// The test against one half.
    pub test: BinomialTest,
    /// The p-value, adjusted for the number of conditions (Holm); as it is for all together.
    pub p_adjusted: f64,
}

impl AnsweredStudy {
    /// Analyses the answers.
    pub fn results(&self) -> StudyResults {
        let names = self.definition.conditions.iter().map(|condition| condition.name.clone());
        let mut results = StudyResults {
            title: self.definition.title.clone(),
            design: self.definition.design,
            conditions: names.collect(),
            clips: self.clips.len(),
            raters: self.raters.len(),
            complete: self.complete_raters().len(),
            answers: self.answers.len(),
            scales: Vec::new(),
            preferences: None,
            recorded: Vec::new(),
            notes: Vec::new(),
        };
        let left_out = results.raters - results.complete;
        match self.definition.design {
            StudyDesign::Ratings => {
                if left_out > 0 {
                    let note =
                        format!("{left_out} raters did not answer everything; the analysis leaves them out");
                    results.notes.push(note);
                }
                for scale in 0..self.definition.scales.len() {
                    let (scale, notes) = self.scale_result(scale);
                    results.scales.extend(scale);
                    results.notes.extend(notes);
                }
            }
            StudyDesign::Pairs => {
                let (preferences, notes) = self.preferences();
                results.preferences = Some(preferences);
                results.notes.extend(notes);
            }
            StudyDesign::Recorded => results.recorded = self.recorded(),
        }
        results
    }

    fn scale_result(&self, scale: usize) -> (Option<ScaleResult>, Vec<String>) {
        let mut notes = Vec::new();
        let Some(definition) = self.definition.scales.get(scale) else { return (None, notes) };
        let count = self.definition.conditions.len();
        let summaries = (0..count).map(|condition| self.summary(scale, condition));
        let everything: Vec<usize> = (0..count).collect();
        let sums = |conditions: &[usize], is_transformed| {
            let ratings = self.ratings(scale, conditions, is_transformed);
            if ratings.is_empty() {
                return Err(StudyError::too_few("no rater has answered everything"));
            }
            NestedSums::of(&ratings)
        };
        let mut note = |error: StudyError| notes.push(format!("{}: {error}", definition.name));
        let anova = sums(&everything, true).map(|sums| sums.analyse()).map_err(&mut note).ok();
        let mut comparisons = Vec::new();
        for (first, a) in self.definition.conditions.iter().enumerate() {
            for (second, b) in self.definition.conditions.iter().enumerate().skip(first + 1) {
                let difference = |is_transformed| sums(&[first, second], is_transformed).ok()?.difference();
                if let Some((test, points)) = difference(true).zip(difference(false)) {
                    let (first, second) = (a.name.clone(), b.name.clone());
                    comparisons.push(ConditionComparison { first, second, points, test, p_adjusted: test.p });
                }
            }
        }
        let adjusted = holm(&comparisons.iter().map(|comparison| comparison.test.p).collect::<Vec<_>>());
        comparisons.iter_mut().zip(adjusted).for_each(|(comparison, p)| comparison.p_adjusted = p);
        if anova.as_ref().is_some_and(|anova| anova.method.is_none()) {
            notes.push(format!(
                "{}: too few raters or clips, or no differences, to test with",
                definition.name
            ));
        }
        let result = ScaleResult {
            name: definition.name.clone(),
            ends: [definition.low.clone(), definition.high.clone()],
            conditions: summaries.collect(),
            anova,
            comparisons,
        };
        (Some(result), notes)
    }

    fn summary(&self, scale: usize, condition: usize) -> ConditionSummary {
        let mut values: Vec<f64> =
            self.ratings(scale, &[condition], false).into_iter().map(|rating| rating.value).collect();
        values.sort_by(f64::total_cmp);
        let count = values.len().max(1) as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
        let at = |index: usize| values.get(index).copied().unwrap_or(0.0);
        let points = self.definition.scales.get(scale).map_or(5, |scale| scale.points);
        let times = |point: u8| values.iter().filter(|value| **value == f64::from(point)).count();
        let transform = self.definition.transform;
        let ratings = self.ratings(scale, &[condition], false);
        let clips = self.clips.iter().filter(|clip| clip.condition == condition).map(|clip| {
            let own: Vec<f64> = ratings
                .iter()
                .filter(|rating| rating.sequence == clip.sequence)
                .map(|rating| rating.value)
                .collect();
            (clip.name.clone(), own.iter().sum::<f64>() / own.len().max(1) as f64)
        });
        ConditionSummary {
            name: self.definition.conditions.get(condition).map_or_else(String::new, |c| c.name.clone()),
            mean,
            median: 0.5 * (at(values.len().saturating_sub(1) / 2) + at(values.len() / 2)),
            deviation: (squares / (count - 1.0).max(1.0)).sqrt(),
            transformed_mean: values.iter().map(|value| transform.apply(*value)).sum::<f64>() / count,
            counts: (1..=points).map(times).collect(),
            clips: clips.collect(),
        }
    }

    /// The conditions of a pair and which was chosen, for each answer.
    fn choices(&self) -> Vec<(usize, usize, bool)> {
        let trials = self.trials();
        let condition = |clip: usize| self.clips.get(clip).map(|clip| clip.condition);
        let choice = |answer: &StudyAnswer| {
            let StudyTrial { first, second } = *trials.get(answer.trial)?;
            Some((condition(first)?, condition(second?)?, answer.values.first() == Some(&1)))
        };
        self.answers.iter().filter_map(choice).collect()
    }

    fn preferences(&self) -> (PreferenceResult, Vec<String>) {
        let count = self.definition.conditions.len();
        let choices = self.choices();
        let won = |winner: usize, loser: usize| {
            let is_win = |(first, second, is_second): &&(usize, usize, bool)| {
                let chosen = if *is_second { (*second, *first) } else { (*first, *second) };
                chosen == (winner, loser)
            };
            choices.iter().filter(is_win).count() as u64
        };
        let wins: Vec<Vec<u64>> =
            (0..count).map(|row| (0..count).map(|column| won(row, column)).collect()).collect();
        let table: Vec<Vec<f64>> =
            wins.iter().map(|row| row.iter().map(|wins| *wins as f64).collect()).collect();
        let (model, notes) = match BradleyTerry::fit(&table) {
            Ok(model) => (Some(model), Vec::new()),
            Err(error) => (None, vec![error.to_string()]),
        };
        let mut comparisons = Vec::new();
        for (first, a) in self.definition.conditions.iter().enumerate() {
            for (second, b) in self.definition.conditions.iter().enumerate().skip(first + 1) {
                let chosen = won(second, first);
                let direct = BinomialTest::new(chosen, chosen + won(first, second), 0.5);
                comparisons.push(PreferenceComparison {
                    first: a.name.clone(),
                    second: b.name.clone(),
                    direct,
                    modelled: model.as_ref().map(|model| model.compare(first, second).interval),
                    p_adjusted: direct.p,
                });
            }
        }
        let adjusted = holm(&comparisons.iter().map(|comparison| comparison.direct.p).collect::<Vec<_>>());
        comparisons.iter_mut().zip(adjusted).for_each(|(comparison, p)| comparison.p_adjusted = p);
        (PreferenceResult { wins, model, comparisons }, notes)
    }

    fn recorded(&self) -> Vec<RecordedResult> {
        let choices = self.choices();
        // The first clip of a pair is the recorded one.
        let test = |condition: Option<usize>| {
            let asked =
                choices.iter().filter(|(_, made, _)| condition.is_none_or(|condition| condition == *made));
            let found = asked.clone().filter(|(_, _, is_second)| !is_second).count();
            BinomialTest::new(found as u64, asked.count() as u64, 0.5)
        };
        let made = self.definition.conditions.iter().enumerate().filter(|(_, condition)| !condition.recorded);
        let mut results: Vec<RecordedResult> = made
            .map(|(index, condition)| {
                let test = test(Some(index));
                RecordedResult { condition: Some(condition.name.clone()), test, p_adjusted: test.p }
            })
            .collect();
        let adjusted = holm(&results.iter().map(|result| result.test.p).collect::<Vec<_>>());
        results.iter_mut().zip(adjusted).for_each(|(result, p)| result.p_adjusted = p);
        let all = test(None);
        results.push(RecordedResult { condition: None, test: all, p_adjusted: all.p });
        results
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{EXAMPLE_DEFINITION, SimulatedEffects, StudyClip, StudyDefinition, VarianceComponents};

    /// A study of two conditions with ten clips each, not answered.
    pub(crate) fn study(design: StudyDesign) -> AnsweredStudy {
        let mut definition = StudyDefinition::parse(EXAMPLE_DEFINITION).unwrap();
        definition.design = design;
        if design != StudyDesign::Ratings {
            definition.scales.clear();
        }
        let clip =
            |condition, sequence| StudyClip { condition, sequence, name: format!("{condition}-{sequence}") };
        let clips = (0..2).flat_map(|condition| (0..10).map(move |sequence| clip(condition, sequence)));
        AnsweredStudy { definition, clips: clips.collect(), raters: vec![], answers: vec![] }
    }

    fn effects(better: f64) -> SimulatedEffects {
        SimulatedEffects { better: vec![0.0, better], variances: VarianceComponents::default() }
    }

    #[test]
    fn simulated_ratings_show_the_effect_that_they_have() {
        let answered = study(StudyDesign::Ratings).simulated(40, &effects(-1.2), 3);
        let results = answered.results();
        assert_eq!((results.raters, results.complete, results.answers), (40, 40, 800));
        assert_eq!(results.scales.len(), 3);
        for scale in &results.scales {
            let comparison = &scale.comparisons[0];
            assert!(
                comparison.p_adjusted < 0.05 && comparison.points.interval.contains(-1.1),
                "{comparison:?}"
            );
            // The test of two methods is the analysis of variance.
            let test = scale.anova.as_ref().unwrap().method.unwrap();
            assert!((test.f / comparison.test.t.powi(2) - 1.0).abs() < 1e-6);
            assert!((test.p / comparison.test.p - 1.0).abs() < 1e-4);
            let summary = &scale.conditions[1];
            assert_eq!(summary.counts.iter().sum::<usize>(), 400);
            assert!((summary.mean - scale.conditions[0].mean - comparison.points.difference).abs() < 1e-9);
            let of_clips: f64 = summary.clips.iter().map(|(_, mean)| mean).sum();
            assert!((of_clips / 10.0 - summary.mean).abs() < 1e-9);
        }
        assert_eq!(
            answered.results(),
            study(StudyDesign::Ratings).simulated(40, &effects(-1.2), 3).results()
        );
    }

    #[test]
    fn raters_who_left_are_counted_and_left_out() {
        let mut answered = study(StudyDesign::Ratings).simulated(12, &effects(0.0), 1);
        answered.answers.pop();
        let results = answered.results();
        assert_eq!((results.raters, results.complete), (12, 11));
        assert!(results.notes[0].starts_with("1 raters did not answer everything"));
        assert!(results.scales[0].anova.is_some());
        assert_eq!(answered.to_csv().lines().count(), 1 + 3 * 239);
        let none = study(StudyDesign::Ratings).results();
        assert!(none.scales[0].anova.is_none() && none.notes[0].contains("no rater"), "{:?}", none.notes);
    }

    #[test]
    fn preferences_and_recorded_clips_are_found() {
        let pairs = study(StudyDesign::Pairs).simulated(20, &effects(1.5), 5).results().preferences.unwrap();
        let comparison = &pairs.comparisons[0];
        assert!(comparison.direct.trials == 200 && comparison.direct.share > 0.7, "{comparison:?}");
        let [_, of_second] = pairs.model.unwrap().strengths[..] else { panic!("two conditions") };
        assert!(of_second.preferred.contains(comparison.direct.share));
        let recorded = study(StudyDesign::Recorded).simulated(20, &effects(-1.5), 5).results().recorded;
        let [made, all] = &recorded[..] else { panic!("one condition, and all") };
        assert!(made.condition.as_deref() == Some("computer") && all.condition.is_none());
        assert!(made.test == all.test && made.test.share > 0.7 && made.p_adjusted < 0.001);
        // Nobody has answered.
        let none = study(StudyDesign::Pairs).results();
        assert!(none.preferences.unwrap().model.is_none() && none.notes.len() == 1);
    }

    #[test]
    fn csv_has_a_line_for_each_value() {
        let mut answered = study(StudyDesign::Pairs).simulated(2, &effects(0.0), 1);
        answered.clips[0].name = "a, \"b\"".into();
        let csv = answered.to_csv();
        assert_eq!(csv.lines().count(), 21);
        assert!(
            csv.contains("1,dancers,") && csv.contains("human,\"a, \"\"b\"\"\",computer,1-0,chosen,"),
            "{csv}"
        );
        assert!(csv.lines().skip(1).all(|line| line.ends_with(",5.00")));
    }
}
