//! How many raters a study needs for which difference.

use serde::{Deserialize, Serialize};

use crate::{BinomialTest, MAX_RATERS, Result, StudyDesign, StudyError, StudyModel, VarianceComponents};

/// A request for a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StudyPlanRequest {
    /// What raters are asked; default ratings.
    pub design: StudyDesign,
    /// The differences to find: points between two conditions, or the share of raters who prefer or find one, above 0.5. If empty,
    /// usual ones.
    pub differences: Vec<f64>,
    /// The chance to find a difference; default 0.8; 0.06 to 0.999.
    pub power: f64,
    /// Clips of each condition, or pairs; default 10.
    pub sequences: usize,
    /// Classes of raters; default 1.
    pub classes: usize,
    /// How ratings vary, in points; default as in the paper's table 1.
    pub variances: VarianceComponents,
    /// Number of studies that are simulated to confirm a plan; default 1000; 0 for none.
    pub studies: u64,
    /// Random seed of the simulation; default 1.
    pub seed: u64,
}

impl Default for StudyPlanRequest {
    fn default() -> Self {
        Self {
            design: StudyDesign::Ratings,
            differences: Vec::new(),
            power: 0.8,
            sequences: 10,
            classes: 1,
            variances: VarianceComponents::default(),
            studies: 1000,
            seed: 1,
        }
    }
}

/// A row of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StudyPlanRow {
    /// The difference.
    pub difference: f64,
    /// Raters that are needed; `None` if no number of raters is enough, because there are too few clips.
    pub raters: Option<usize>,
    /// The planned chance to find the difference with so many raters.
    pub power: Option<f64>,
    /// The share of simulated studies that found it.
    pub simulated: Option<f64>,
}

impl StudyPlanRequest {
    /// Plans.
    ///
    /// ```
    /// use marey_study::StudyPlanRequest;
    /// let request = StudyPlanRequest { differences: vec![1.2, 0.4], studies: 0, ..StudyPlanRequest::default() };
    /// let [large, small] = request.plan()?[..] else { panic!("two rows") };
    /// assert!(large.raters.is_some() && small.raters.is_none());
    /// # Ok::<(), marey_study::StudyError>(())
    /// ```
    pub fn plan(&self) -> Result<Vec<StudyPlanRow>> {
        if !(0.06..=0.999).contains(&self.power) {
            return Err(StudyError::setting(format!(
                "the power is {}; it must be from 0.06 to 0.999",
                self.power
            )));
        }
        if self.studies > 100_000 {
            return Err(StudyError::setting(format!(
                "{} simulated studies; at most 100000 are possible",
                self.studies
            )));
        }
        if !(1..=100).contains(&self.classes) {
            return Err(StudyError::setting(format!("{} classes; from 1 to 100 are possible", self.classes)));
        }
        let usual: &[f64] = match self.design {
            StudyDesign::Ratings => &[0.4, 0.5, 0.6, 0.8, 1.0, 1.5],
            StudyDesign::Pairs | StudyDesign::Recorded => &[0.55, 0.6, 0.65, 0.7, 0.8, 0.9],
        };
        let differences = if self.differences.is_empty() { usual } else { &self.differences };
        differences.iter().map(|difference| self.row(*difference)).collect()
    }

    fn row(&self, difference: f64) -> Result<StudyPlanRow> {
        if self.design != StudyDesign::Ratings {
            return self.share_row(difference);
        }
        let raters = vec![2; self.classes];
        let model = StudyModel { difference, sequences: self.sequences, raters, variances: self.variances };
        model.validate()?;
        let planned = model.raters_for(self.power);
        let simulated = match planned {
            Some(planned) if self.studies > 0 => {
                Some(model.with_raters(planned.raters).simulated_power(self.studies, self.seed)?)
            }
            _ => None,
        };
        Ok(StudyPlanRow {
            difference,
            raters: planned.map(|planned| planned.raters),
            power: planned.map(|planned| planned.power),
            simulated,
        })
    }

    /// A row for an exact test of a share. Answers are taken as independent.
    fn share_row(&self, share: f64) -> Result<StudyPlanRow> {
        if !(0.501..=0.999).contains(&share) {
            return Err(StudyError::setting(format!("the share is {share}; it must be from 0.501 to 0.999")));
        }
        if !(1..=1000).contains(&self.sequences) {
            return Err(StudyError::setting(format!(
                "{} pairs; from 1 to 1000 are possible",
                self.sequences
            )));
        }
        let power = |raters: usize| BinomialTest::power((raters * self.sequences) as u64, share);
        // The exact test is so much coarser than it is powerful that its power falls by a little from one number to the next.
        let largest = MAX_RATERS.min(40_000 / self.sequences).max(1);
        let raters = (1..=largest).find(|raters| power(*raters) >= self.power);
        Ok(StudyPlanRow { difference: share, raters, power: raters.map(power), simulated: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaller_differences_need_more_raters_and_simulation_confirms_them() {
        let differences = vec![1.5, 1.0, 0.8];
        let request =
            StudyPlanRequest { differences, classes: 4, studies: 1000, ..StudyPlanRequest::default() };
        let rows = request.plan().unwrap();
        assert!(rows.windows(2).all(|rows| rows[0].raters < rows[1].raters), "{rows:?}");
        for row in rows {
            assert!((row.power.unwrap() - row.simulated.unwrap()).abs() < 0.04, "{row:?}");
        }
    }

    #[test]
    fn shares_are_planned_with_the_exact_test() {
        let request = StudyPlanRequest {
            design: StudyDesign::Recorded,
            differences: vec![0.7],
            sequences: 7,
            ..StudyPlanRequest::default()
        };
        let row = request.plan().unwrap()[0];
        // Seven raters give 49 answers, six too few.
        let power = |answers| BinomialTest::power(answers, 0.7);
        assert!(row.raters == Some(7) && power(49) >= 0.8 && power(42) < 0.8, "{row:?}");
        assert!(StudyPlanRequest { differences: vec![0.4], ..request.clone() }.plan().is_err());
        assert!(StudyPlanRequest { power: 1.0, ..request.clone() }.plan().is_err());
        assert!(StudyPlanRequest { classes: 0, ..request }.plan().is_err());
    }
}
