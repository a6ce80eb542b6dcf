//! Rating studies: do people believe the motion?
//!
//! | step | types |
//! |---|---|
//! | definition | [`StudyDefinition`]; the clips, trials and their order: [`StudyClip`], [`StudyTrial`], [`ShownTrial`] |
//! | answers | [`AnsweredStudy`], also by simulated raters ([`SimulatedEffects`]) |
//! | results | [`StudyResults`] |
//! | analysis of ratings | [`NestedSums`], [`NestedAnova`], [`MethodDifference`]; [`RatingTransform`] before it |
//! | analysis of preferences | [`BradleyTerry`], [`BinomialTest`], [`holm`] |
//! | planning | [`StudyPlanRequest`]; [`StudyModel`]: simulated raters with known effects, and the power to find them |
//! | [`distributions`], [`special`] | the functions behind the tests |
//!
//! ```
//! use marey_study::{NestedSums, StudyModel};
//! // Five classes of eight raters, ten sequences of each method, and a difference of 0.8 points.
//! let model = StudyModel { difference: 0.8, ..StudyModel::default() };
//! let table = NestedSums::of(&model.ratings(1))?.analyse();
//! assert!(table.method.is_some_and(|test| test.p < 0.05));
//! # Ok::<(), marey_study::StudyError>(())
//! ```
//!
//! The crate is pure: it uses no files, clocks or environment.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::unreachable
    )
)]

mod anova;
mod answers;
mod binomial_test;
mod bradley_terry;
mod definition;
pub mod distributions;
mod error;
mod html_report;
mod interval;
mod model;
mod order;
mod plan;
mod plots;
mod power;
mod results;
pub mod special;
mod transform;

pub use anova::{
    AnovaRow, ErrorTerm, FTest, MethodDifference, NestedAnova, NestedSums, Rating, SumOfSquares,
    VarianceComponents,
};
pub use answers::{AnsweredStudy, SimulatedEffects, StudyAnswer, StudyRater};
pub use binomial_test::BinomialTest;
pub use bradley_terry::{BradleyTerry, Strength, StrengthDifference};
pub use definition::{
    ClipRecipe, EXAMPLE_DEFINITION, PresentationOrder, RaterClass, RatingScale, StudyCondition,
    StudyDefinition, StudyDesign, place_of,
};
pub use error::{StudyError, codes};
pub use interval::{Interval, holm};
pub use model::StudyModel;
pub use order::{ShownTrial, StudyClip, StudyTrial, shuffled};
pub use plan::{StudyPlanRequest, StudyPlanRow};
pub use power::{DRAWS, MAX_RATERS, PlannedPower};
pub use results::{
    ConditionComparison, ConditionSummary, PreferenceComparison, PreferenceResult, RecordedResult,
    ScaleResult, StudyResults,
};
pub use transform::RatingTransform;

/// What a fallible function of this crate returns.
pub(crate) type Result<T> = std::result::Result<T, StudyError>;
