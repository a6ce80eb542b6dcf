//! The transformation of ratings before the analysis of variance.

use serde::{Deserialize, Serialize};

/// How ratings are transformed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RatingTransform {
    /// √x + √(x + 1), as in the paper, after Dixon and Massey (1983). The default.
    #[default]
    Root,
    /// Ratings as they are.
    None,
}

impl RatingTransform {
    /// The transformed rating.
    pub fn apply(self, rating: f64) -> f64 {
        match self {
            Self::Root => rating.sqrt() + (rating + 1.0).sqrt(),
            Self::None => rating,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_medians_of_the_papers_table_4_are_transformed_as_printed() {
        for (raw, printed) in [(3.0, 3.732), (4.0, 4.236)] {
            assert!((RatingTransform::Root.apply(raw) - printed).abs() < 5e-4);
            assert_eq!(RatingTransform::None.apply(raw), raw);
        }
    }
}
