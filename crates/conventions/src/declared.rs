//! Conventions that a file or its format declares.

use crate::{FindingSource, Unit, UpAxis};

/// Conventions declared by a file or its format. Fields that are `None` are detected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeclaredConventions {
    /// Source of the take's frame rate: the file, or an assumption if the file has none.
    pub rate_source: FindingSource,
    /// Unit of length.
    pub unit: Option<Unit>,
    /// Up axis.
    pub up: Option<UpAxis>,
}

impl Default for DeclaredConventions {
    /// A file that declares its frame rate only.
    fn default() -> Self {
        Self { rate_source: FindingSource::File, unit: None, up: None }
    }
}
