//! Access to slices without panics.

use std::panic::Location;
use std::slice::SliceIndex;

use crate::{MotionError, Result};

/// Access by an index that was computed.
///
/// An index out of range is a mistake in Marey. It ends the request with an error that names the line, not with
/// a panic. The check costs what that of `slice[index]` costs.
///
/// ```
/// use marey_motion::CheckedAccess;
/// let heights_m = [0.0, 0.4, 0.9];
/// assert_eq!(*heights_m.at(1)?, 0.4);
/// assert_eq!(heights_m.at(1..)?, [0.4, 0.9]);
/// assert!(heights_m.at(3).unwrap_err().to_string().contains("line"));
/// # Ok::<(), marey_motion::MotionError>(())
/// ```
pub trait CheckedAccess<T> {
    /// The element or range at an index.
    #[track_caller]
    fn at<I: SliceIndex<[T]>>(&self, index: I) -> Result<&I::Output>;

    /// The element or range at an index, to be changed.
    #[track_caller]
    fn at_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> Result<&mut I::Output>;
}

impl<T> CheckedAccess<T> for [T] {
    #[inline]
    fn at<I: SliceIndex<[T]>>(&self, index: I) -> Result<&I::Output> {
        match self.get(index) {
            Some(found) => Ok(found),
            None => Err(out_of_range(Location::caller())),
        }
    }

    #[inline]
    fn at_mut<I: SliceIndex<[T]>>(&mut self, index: I) -> Result<&mut I::Output> {
        match self.get_mut(index) {
            Some(found) => Ok(found),
            None => Err(out_of_range(Location::caller())),
        }
    }
}

#[cold]
fn out_of_range(location: &Location<'static>) -> MotionError {
    MotionError::Index { file: location.file(), line: location.line() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Coded;

    #[test]
    fn an_index_out_of_range_names_the_line_of_the_caller() {
        let mut values = [1, 2, 3];
        let line = line!() + 1;
        let error = values.at(3).unwrap_err();
        assert_eq!(error, MotionError::Index { file: file!(), line });
        assert_eq!(error.code().id, "motion/index");
        let line = line!() + 1;
        assert_eq!(values.at_mut(2..5).unwrap_err(), MotionError::Index { file: file!(), line });
        *values.at_mut(0).unwrap() += 1;
        assert_eq!(values.at(..2).unwrap(), [2, 2]);
    }
}
