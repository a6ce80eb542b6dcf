//! Quality: accuracy, error, agreement with truth.

pub(crate) mod formats;
