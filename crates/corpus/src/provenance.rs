//! Where a take comes from.

use serde::{Deserialize, Serialize};

/// Where a take comes from and what may be done with it. Empty where nothing is known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Provenance {
    /// The file or files it was read from, as named then; several are parted by ` + `.
    pub source: String,
    /// What may be done with it: an SPDX expression where there is one, as in `CC-BY-4.0`.
    pub licence: String,
    /// Whose it is, and where it was published.
    pub credit: String,
    /// What was done to it on the way in: the format, and the conventions that were found or told.
    pub history: String,
}
