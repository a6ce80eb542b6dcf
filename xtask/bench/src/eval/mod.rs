//! Quality: accuracy, error, agreement with truth.

pub(crate) mod formats;
pub(crate) mod ops;
pub(crate) mod realise;
