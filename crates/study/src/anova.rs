//! The analysis of variance of a rating study.
//!
//! After the study in J. Stuart, E. Bradley, D. Capps and J. Luftig, "Generating Novel, Stylistically Consonant Variations on Human
//! Movement Sequences" (CU-CS-1029-07, 2007), section 4.4. Raters of several classes rate sequences that several methods made.
//!
//! | effect | letter | kind | tested against |
//! |---|---|---|---|
//! | method | A | fixed | B(A) + C(A) − BC(A), a quasi-F (Winer) |
//! | class within method | B(A) | random | BC(A) |
//! | sequence within method | C(A) | random | BC(A) |
//! | class by sequence within method | BC(A) | random | residual |
//! | rater within method and class | D | block | residual |
//!
//! The degrees of freedom of a sum of mean squares are those of Satterthwaite. With a single class there is no B(A) and no BC(A);
//! the method is then tested against C(A) + D − residual, and sequences against the residual.
//!
//! Differences from the paper:
//!
//! - The degrees of freedom that the paper prints for its quasi-F (27.7, 24.63, 13.25) do not follow from its mean squares by
//!   Satterthwaite's formula, which gives 18.9, 17.5 and 19.3. With the printed ones, the printed p-values follow.
//! - What the paper prints as ω² of the method is the share of the total sum of squares (η²). Both are computed here.
//! - The paper does not state the formula of its intraclass correlations. Here they follow from the expected mean squares.
//!
//! Known limits: raters who did not rate every sequence are left out, so that the sums of squares are orthogonal. Classes may
//! differ in size. The test of classes is generous if raters differ, because D is a block; the test of the method is not.

use serde::{Deserialize, Serialize};

use crate::distributions::{f_tail, noncentral_t_cdf, root, t_quantile};
use crate::{Interval, Result, StudyError};

/// One rating.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The rater, from 0.
    pub rater: usize,
    /// The class of the rater, from 0.
    pub class: usize,
    /// The method that made the sequence, from 0.
    pub method: usize,
    /// The sequence, from 0; sequences of different methods may share a number.
    pub sequence: usize,
    /// The rating, transformed or not.
    pub value: f64,
}

/// A sum of squares with its degrees of freedom.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct SumOfSquares {
    /// The sum of squares.
    pub sum: f64,
    /// Its degrees of freedom.
    pub df: f64,
}

impl SumOfSquares {
    /// A sum of squares.
    pub fn new(sum: f64, df: f64) -> Self {
        Self { sum, df }
    }

    /// The mean square; 0 without degrees of freedom.
    pub fn mean_square(&self) -> f64 {
        if self.df > 0.0 { self.sum / self.df } else { 0.0 }
    }
}

/// The sums of squares of the nested model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NestedSums {
    /// A.
    pub method: SumOfSquares,
    /// B(A).
    pub class: SumOfSquares,
    /// C(A).
    pub sequence: SumOfSquares,
    /// BC(A).
    pub class_by_sequence: SumOfSquares,
    /// D: rater within method and class.
    pub rater: SumOfSquares,
    /// The residual.
    pub residual: SumOfSquares,
    /// Number of ratings of each method.
    pub ratings: Vec<f64>,
    /// Mean rating of each method.
    pub means: Vec<f64>,
    /// Number of classes.
    pub classes: f64,
    /// Mean number of sequences of a method.
    pub sequences: f64,
}

/// An F test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FTest {
    /// The ratio.
    pub f: f64,
    /// Degrees of freedom of the effect.
    pub df_effect: f64,
    /// Degrees of freedom of the error term.
    pub df_error: f64,
    /// The probability of a larger ratio without an effect.
    pub p: f64,
}

impl FTest {
    /// The test of a mean square against another.
    pub fn new(effect: &SumOfSquares, error_mean_square: f64, df_error: f64) -> Self {
        let f = effect.mean_square() / error_mean_square;
        Self { f, df_effect: effect.df, df_error, p: f_tail(f, effect.df, df_error) }
    }

    /// The test against a sum of squares; `None` if either has no degrees of freedom, or nothing varies.
    fn against(effect: &SumOfSquares, error: &SumOfSquares) -> Option<Self> {
        let is_possible = effect.df > 0.0 && error.df > 0.0 && error.sum > 0.0;
        is_possible.then(|| Self::new(effect, error.mean_square(), error.df))
    }
}

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnovaRow {
    /// The source of variation.
    pub name: &'static str,
    /// The sum of squares and the degrees of freedom.
    #[serde(flatten)]
    pub squares: SumOfSquares,
    /// The mean square.
    pub mean_square: f64,
    /// The test; `None` for error terms, or if there is nothing to test with.
    pub test: Option<FTest>,
    /// Intraclass correlation of a random effect: its share of the variance of one rating.
    pub intraclass: Option<f64>,
}

/// The table of the nested model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NestedAnova {
    /// The rows: method, class, sequence, interaction, residual, rater.
    pub rows: Vec<AnovaRow>,
    /// The test of the method; `None` if there is nothing to test with.
    pub method: Option<FTest>,
    /// ω² of the method: (SS − df × error) / (SS of the total + error), not below 0.
    pub omega_squared: f64,
    /// η² of the method: its share of the total sum of squares.
    pub eta_squared: f64,
    /// The estimated variances.
    pub variances: VarianceComponents,
}

/// Variances of the random effects on one rating.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VarianceComponents {
    /// Between sequences of a method.
    pub sequence: f64,
    /// Between classes of raters.
    pub class: f64,
    /// Of sequences, between classes.
    pub class_by_sequence: f64,
    /// Between raters of a class.
    pub rater: f64,
    /// Of one rating.
    pub residual: f64,
}

impl VarianceComponents {
    /// The variance of one rating.
    pub fn total(&self) -> f64 {
        self.sequence + self.class + self.class_by_sequence + self.rater + self.residual
    }
}

/// A sum of mean squares, with Satterthwaite's degrees of freedom.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ErrorTerm {
    /// The mean square.
    pub mean_square: f64,
    /// Its degrees of freedom.
    pub df: f64,
}

impl ErrorTerm {
    /// `first + second − third`. If the difference is not positive, the larger of the first two.
    pub fn quasi(first: &SumOfSquares, second: &SumOfSquares, third: &SumOfSquares) -> Self {
        let terms = [first, second, third];
        let mean_square = first.mean_square() + second.mean_square() - third.mean_square();
        let spread: f64 =
            terms.iter().filter(|term| term.df > 0.0).map(|term| term.mean_square().powi(2) / term.df).sum();
        if mean_square > 0.0 && spread > 0.0 {
            return Self { mean_square, df: mean_square * mean_square / spread };
        }
        let larger = if first.mean_square() > second.mean_square() { first } else { second };
        Self { mean_square: larger.mean_square(), df: larger.df }
    }
}

/// The difference of two methods.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MethodDifference {
    /// Mean of the second minus mean of the first.
    pub difference: f64,
    /// Where the difference is with 95 % confidence.
    pub interval: Interval,
    /// Cohen's d: the difference over the standard deviation of one rating.
    pub d: f64,
    /// Where d is with 95 % confidence, by the noncentral t distribution.
    pub d_interval: Interval,
    /// The t statistic, whose square is the quasi-F.
    pub t: f64,
    /// Degrees of freedom.
    pub df: f64,
    /// Probability of a larger difference without an effect.
    pub p: f64,
}

/// Sums and numbers of ratings in cells.
struct CellMeans {
    columns: usize,
    cells: Vec<(f64, f64)>,
}

impl CellMeans {
    fn new(rows: usize, columns: usize) -> Self {
        Self { columns, cells: vec![(0.0, 0.0); rows * columns] }
    }

    fn add(&mut self, row: usize, column: usize, value: f64) {
        if let Some((sum, count)) = self.cells.get_mut(row * self.columns + column) {
            *sum += value;
            *count += 1.0;
        }
    }

    fn mean(&self, row: usize, column: usize) -> f64 {
        self.cells.get(row * self.columns + column).map_or(0.0, |(sum, count)| sum / count.max(1.0))
    }

    fn row(&self, row: usize) -> &[(f64, f64)] {
        self.cells.get(row * self.columns..(row + 1) * self.columns).unwrap_or_default()
    }

    /// Number of cells of a row that have ratings.
    fn filled(&self, row: usize) -> usize {
        self.row(row).iter().filter(|(_, count)| *count > 0.0).count()
    }
}

impl NestedSums {
    /// Sums the squares of ratings. Every rater must have rated each sequence of a method once.
    pub fn of(ratings: &[Rating]) -> Result<Self> {
        let max = |index: fn(&Rating) -> usize| ratings.iter().map(index).max().map_or(0, |max| max + 1);
        let (methods, classes) = (max(|rating| rating.method), max(|rating| rating.class));
        let (sequences, raters) = (max(|rating| rating.sequence), max(|rating| rating.rater));
        let mut by_method = CellMeans::new(1, methods);
        let mut by_class = CellMeans::new(methods, classes);
        let mut by_sequence = CellMeans::new(methods, sequences);
        let mut by_cell = CellMeans::new(methods * classes, sequences);
        let mut by_rater = CellMeans::new(methods * classes, raters);
        for Rating { rater, class, method, sequence, value } in ratings.iter().copied() {
            by_method.add(0, method, value);
            by_class.add(method, class, value);
            by_sequence.add(method, sequence, value);
            by_cell.add(method * classes + class, sequence, value);
            by_rater.add(method * classes + class, rater, value);
        }
        let total = ratings.len() as f64;
        let grand = ratings.iter().map(|rating| rating.value).sum::<f64>() / total.max(1.0);
        let mut sums = NestedSums {
            method: SumOfSquares::new(0.0, methods as f64 - 1.0),
            class: SumOfSquares::default(),
            sequence: SumOfSquares::default(),
            class_by_sequence: SumOfSquares::default(),
            rater: SumOfSquares::default(),
            residual: SumOfSquares::default(),
            ratings: by_method.row(0).iter().map(|(_, count)| *count).collect(),
            means: (0..methods).map(|method| by_method.mean(0, method)).collect(),
            classes: classes as f64,
            sequences: (0..methods).map(|method| by_sequence.filled(method) as f64).sum::<f64>()
                / methods.max(1) as f64,
        };
        for method in 0..methods {
            let (own_classes, own_sequences) =
                (by_class.filled(method) as f64, by_sequence.filled(method) as f64);
            let own_raters: usize = (0..classes).map(|class| by_rater.filled(method * classes + class)).sum();
            let rated = sums.ratings.get(method).copied().unwrap_or(0.0);
            if rated == 0.0 || own_raters as f64 * own_sequences != rated {
                let message = format!(
                    "method {}: {rated} ratings of {own_sequences} sequences by {own_raters} raters",
                    method + 1
                );
                return Err(StudyError::Incomplete { message });
            }
            sums.class.df += own_classes - 1.0;
            sums.sequence.df += own_sequences - 1.0;
            sums.class_by_sequence.df += (own_classes - 1.0) * (own_sequences - 1.0);
            sums.rater.df += own_raters as f64 - own_classes;
            sums.residual.df += (own_raters as f64 - own_classes) * (own_sequences - 1.0);
        }
        for Rating { rater, class, method, sequence, value } in ratings.iter().copied() {
            let (mean, of_class) = (by_method.mean(0, method), by_class.mean(method, class));
            let of_sequence = by_sequence.mean(method, sequence);
            let of_cell = by_cell.mean(method * classes + class, sequence);
            let of_rater = by_rater.mean(method * classes + class, rater);
            sums.method.sum += (mean - grand).powi(2);
            sums.class.sum += (of_class - mean).powi(2);
            sums.sequence.sum += (of_sequence - mean).powi(2);
            sums.class_by_sequence.sum += (of_cell - of_class - of_sequence + mean).powi(2);
            sums.rater.sum += (of_rater - of_class).powi(2);
            sums.residual.sum += (value - of_cell - of_rater + of_class).powi(2);
        }
        Ok(sums)
    }

    /// The sum of squares of all ratings.
    pub fn total(&self) -> f64 {
        let Self { method, class, sequence, class_by_sequence, rater, residual, .. } = self;
        [method, class, sequence, class_by_sequence, rater, residual].iter().map(|term| term.sum).sum()
    }

    /// What the method is tested against.
    pub fn method_error(&self) -> ErrorTerm {
        if self.class_by_sequence.df > 0.0 {
            ErrorTerm::quasi(&self.class, &self.sequence, &self.class_by_sequence)
        } else {
            ErrorTerm::quasi(&self.rater, &self.sequence, &self.residual)
        }
    }

    /// The variances that these mean squares estimate; those that would be negative are 0.
    pub fn variances(&self) -> VarianceComponents {
        let per_method = self.ratings.iter().sum::<f64>() / self.ratings.len().max(1) as f64;
        // Ratings of one sequence, and of one sequence by one class.
        let of_sequence = per_method / self.sequences.max(1.0);
        let of_cell = of_sequence / self.classes.max(1.0);
        let [class, sequence, interaction, rater, residual] =
            [&self.class, &self.sequence, &self.class_by_sequence, &self.rater, &self.residual]
                .map(SumOfSquares::mean_square);
        let has_classes = self.class_by_sequence.df > 0.0;
        let below = if has_classes { interaction } else { residual };
        let part = |difference: f64, count: f64| (difference / count.max(1.0)).max(0.0);
        VarianceComponents {
            sequence: part(sequence - below, of_sequence),
            class: if has_classes {
                part(class - interaction - rater + residual, of_cell * self.sequences)
            } else {
                0.0
            },
            class_by_sequence: if has_classes { part(interaction - residual, of_cell) } else { 0.0 },
            rater: part(rater - residual, self.sequences),
            residual,
        }
    }

    /// The table of the analysis.
    pub fn analyse(&self) -> NestedAnova {
        let error = self.method_error();
        let method = (error.mean_square > 0.0 && error.df > 0.0 && self.method.df > 0.0)
            .then(|| FTest::new(&self.method, error.mean_square, error.df));
        let below = if self.class_by_sequence.df > 0.0 { &self.class_by_sequence } else { &self.residual };
        let variances = self.variances();
        let share = |variance: f64| (variances.total() > 0.0).then(|| variance / variances.total());
        let row = |name, squares: &SumOfSquares, test, intraclass| AnovaRow {
            name,
            squares: *squares,
            mean_square: squares.mean_square(),
            test,
            intraclass,
        };
        let against = FTest::against;
        let (interaction, residual) = (&self.class_by_sequence, &self.residual);
        let mut rows = vec![row("method", &self.method, method, None)];
        if interaction.df > 0.0 {
            let test = against(&self.class, interaction);
            rows.push(row("class within method", &self.class, test, share(variances.class)));
        }
        let test = against(&self.sequence, below);
        rows.push(row("sequence within method", &self.sequence, test, share(variances.sequence)));
        if interaction.df > 0.0 {
            let test = against(interaction, residual);
            let share = share(variances.class_by_sequence);
            rows.push(row("class by sequence within method", interaction, test, share));
        }
        rows.push(row("residual", residual, None, None));
        let test = against(&self.rater, residual);
        rows.push(row("rater within method and class", &self.rater, test, share(variances.rater)));
        let total = self.total();
        let explained = self.method.sum - self.method.df * error.mean_square;
        let share_of = |part: f64, whole: f64| if whole > 0.0 { (part / whole).max(0.0) } else { 0.0 };
        NestedAnova {
            rows,
            method,
            omega_squared: share_of(explained, total + error.mean_square),
            eta_squared: share_of(self.method.sum, total),
            variances,
        }
    }

    /// The difference between the two methods of a study of two; `None` if there is nothing to test with.
    pub fn difference(&self) -> Option<MethodDifference> {
        let (&[first, second], &[of_first, of_second]) = (self.means.as_slice(), self.ratings.as_slice())
        else {
            return None;
        };
        let error = self.method_error();
        let unit = (1.0 / of_first + 1.0 / of_second).sqrt();
        let standard_error = error.mean_square.sqrt() * unit;
        let deviation = self.variances().total().sqrt();
        if !(standard_error > 0.0 && error.df > 0.0 && deviation > 0.0) {
            return None;
        }
        let difference = second - first;
        let t = difference / standard_error;
        let reach = t_quantile(0.975, error.df) * standard_error;
        let scale = standard_error / deviation;
        Some(MethodDifference {
            difference,
            interval: Interval { low: difference - reach, high: difference + reach },
            d: difference / deviation,
            d_interval: noncentrality_interval(t, error.df).scaled(scale),
            t,
            df: error.df,
            p: f_tail(t * t, 1.0, error.df),
        })
    }
}

/// The noncentralities for which a t statistic is neither among the smallest nor the largest 2.5 %.
fn noncentrality_interval(t: f64, df: f64) -> Interval {
    let reach = 12.0 + 2.0 * t.abs();
    // The probability of a smaller t falls as the noncentrality grows.
    let at = |p: f64| root(|noncentrality| -noncentral_t_cdf(t, df, noncentrality), -p, t - reach, t + reach);
    Interval { low: at(0.975), high: at(0.025) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StudyModel;

    /// The sums of squares of the paper's tables 1 to 3.
    fn published() -> [NestedSums; 3] {
        let table = |[method, class, sequence, interaction, residual, rater]: [f64; 6]| NestedSums {
            method: SumOfSquares::new(method, 1.0),
            class: SumOfSquares::new(class, 8.0),
            sequence: SumOfSquares::new(sequence, 18.0),
            class_by_sequence: SumOfSquares::new(interaction, 72.0),
            rater: SumOfSquares::new(rater, 230.0),
            residual: SumOfSquares::new(residual, 2070.0),
            ratings: vec![1200.0, 1200.0],
            means: vec![],
            classes: 5.0,
            sequences: 10.0,
        };
        [
            table([51.07, 15.99, 212.28, 95.37, 718.37, 183.7851]),
            table([16.62, 9.85, 252.40, 94.13, 654.04, 154.7447]),
            table([114.61, 12.33, 134.35, 65.73, 649.31, 148.84]),
        ]
    }

    fn close(found: f64, printed: f64, tolerance: f64) {
        assert!((found - printed).abs() <= tolerance, "{found}, printed {printed}");
    }

    #[test]
    fn the_tables_of_the_paper_are_recomputed_within_rounding() {
        // F of method, class, sequence and interaction as printed, from mean squares with two decimals.
        let printed = [[4.095, 1.52, 8.93, 3.80], [1.19, 0.94, 10.70, 4.09], [14.17, 1.69, 8.20, 2.90]];
        for (sums, [method, class, sequence, interaction]) in published().iter().zip(printed) {
            let anova = sums.analyse();
            let f = |row: usize| anova.rows[row].test.unwrap().f;
            close(anova.method.unwrap().f, method, 0.008);
            close(f(1), class, 0.016);
            close(f(2), sequence, 0.035);
            close(f(3), interaction, 0.05);
            assert_eq!(sums.residual.df + sums.rater.df + 8.0 + 18.0 + 72.0 + 1.0, 2399.0);
            // Sequences and interaction: printed as 0.0000.
            assert!(anova.rows[2].test.unwrap().p < 1e-4 && anova.rows[3].test.unwrap().p < 1e-4);
        }
        // p of classes: 0.1654 and 0.1156 as printed; 0.3172 of table 2 does not follow from F = 0.94, which gives 0.49.
        let p_of_class = published().map(|sums| sums.analyse().rows[1].test.unwrap().p);
        // Its F is printed as 1.52, but is 1.51.
        close(p_of_class[0], 0.1654, 0.005);
        close(p_of_class[1], 0.49, 0.005);
        close(p_of_class[2], 0.1156, 0.001);
    }

    #[test]
    fn the_quasi_f_has_satterthwaites_degrees_of_freedom_and_the_printed_p_follow_from_the_printed_ones() {
        let df = published().map(|sums| sums.method_error().df);
        for (df, by_hand) in df.into_iter().zip([18.85, 17.45, 19.25]) {
            close(df, by_hand, 0.05);
        }
        for (f, df, p) in [(4.095, 27.7, 0.0528), (1.19, 24.63, 0.2859), (14.17, 13.25, 0.0023)] {
            close(f_tail(f, 1.0, df), p, 5e-4);
        }
    }

    #[test]
    fn the_importance_of_effects_is_near_the_printed_one() {
        let anova = published().map(|sums| sums.analyse());
        // Printed as ω²: the share of the total sum of squares.
        close(100.0 * anova[0].eta_squared, 4.00, 0.005);
        close(100.0 * anova[2].eta_squared, 10.2, 0.05);
        close(100.0 * anova[0].omega_squared, 2.99, 0.02);
        // Printed as about 16.97, 22.02 and 12.01 %.
        for (anova, printed) in anova.iter().zip([16.97, 22.02, 12.01]) {
            close(100.0 * anova.rows[2].intraclass.unwrap(), printed, 1.0);
        }
    }

    #[test]
    fn the_sums_of_squares_add_up_for_classes_of_unequal_size() {
        let model = StudyModel { raters: vec![3, 7, 5], sequences: 6, ..StudyModel::default() };
        let ratings = model.ratings(4);
        let sums = NestedSums::of(&ratings).unwrap();
        let mean = ratings.iter().map(|rating| rating.value).sum::<f64>() / ratings.len() as f64;
        let total: f64 = ratings.iter().map(|rating| (rating.value - mean).powi(2)).sum();
        close(sums.total() / total, 1.0, 1e-12);
        let df =
            [&sums.method, &sums.class, &sums.sequence, &sums.class_by_sequence, &sums.rater, &sums.residual];
        assert_eq!(df.iter().map(|term| term.df).sum::<f64>(), ratings.len() as f64 - 1.0);
        assert!(matches!(NestedSums::of(&ratings[1..]), Err(StudyError::Incomplete { .. })));
        assert!(NestedSums::of(&[]).is_ok_and(|sums| sums.analyse().method.is_none()));
    }

    #[test]
    fn the_variances_of_a_simulated_study_are_estimated() {
        let model = StudyModel { raters: vec![60; 12], sequences: 60, ..StudyModel::default() };
        let (found, wanted) = (NestedSums::of(&model.ratings(1)).unwrap().variances(), model.variances);
        close(found.residual / wanted.residual, 1.0, 0.02);
        close(found.sequence / wanted.sequence, 1.0, 0.35);
        close(found.class_by_sequence / wanted.class_by_sequence, 1.0, 0.1);
        close(found.rater / wanted.rater, 1.0, 0.15);
    }

    #[test]
    fn confidence_intervals_of_effects_contain_them_as_often_as_they_promise() {
        let model = StudyModel { difference: 0.5, raters: vec![8; 4], ..StudyModel::default() };
        let d = model.difference / model.variances.total().sqrt();
        let studies = 600;
        let (mut raw, mut standardised) = (0, 0);
        for seed in 0..studies {
            let found = NestedSums::of(&model.ratings(seed)).unwrap().difference().unwrap();
            raw += u64::from(found.interval.contains(model.difference));
            standardised += u64::from(found.d_interval.contains(d));
        }
        for covered in [raw, standardised] {
            close(covered as f64 / studies as f64, 0.95, 0.025);
        }
    }

    #[test]
    fn the_noncentrality_interval_inverts_the_distribution() {
        for (t, df) in [(3.0, 20.0), (-1.2, 8.5), (0.0, 40.0)] {
            let interval = noncentrality_interval(t, df);
            close(noncentral_t_cdf(t, df, interval.low), 0.975, 1e-6);
            close(noncentral_t_cdf(t, df, interval.high), 0.025, 1e-6);
        }
    }
}
