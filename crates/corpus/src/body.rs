//! Skeletons as they are stored: one line of JSON each.

use marey_motion::Skeleton;

use crate::{CorpusError, Result};

/// A skeleton as one line of JSON; equal skeletons give equal text.
pub(crate) fn to_json(skeleton: &Skeleton) -> Result<String> {
    serde_json::to_string(skeleton).map_err(|error| CorpusError::damaged(format!("a skeleton: {error}")))
}

/// The skeleton that a text describes.
pub(crate) fn from_json(text: &str) -> Result<Skeleton> {
    serde_json::from_str(text).map_err(|error| CorpusError::damaged(format!("a skeleton: {error}")))
}
