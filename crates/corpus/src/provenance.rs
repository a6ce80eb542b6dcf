//! The origin of a take.

use serde::{Deserialize, Serialize};

/// Origin and licence of a take. Empty if unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Provenance {
    /// The source files as they were named at import; several are separated by ` + `.
    pub source: String,
    /// The licence, as an SPDX expression if there is one, such as `CC-BY-4.0`.
    pub licence: String,
    /// Author and place of publication.
    pub credit: String,
    /// What was done at import: the format, and the conventions that were detected or given.
    pub history: String,
}
