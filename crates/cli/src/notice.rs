//! The text of errors and warnings.
//!
//! ```text
//! error[bvh/bad-number]: "x1" where a number should be
//!  --> walk.bvh:14:7, frame 3
//!  = hint: Look at the place; the file may be damaged there.
//! ```

use std::path::Path;

use marey::motion::{Code, Place, Warning};

use crate::ink::{Ink, plain};
use marey::Error;

pub(crate) fn error(ink: Ink, failure: &Error) -> String {
    let title = ink.error(&format!("error[{}]", failure.code.id));
    let place = whereabouts(failure.file.as_deref(), &failure.place);
    block(ink, &title, &failure.message, place, failure.code.hint)
}

pub(crate) fn warning(ink: Ink, warning: &Warning, file: Option<&Path>) -> String {
    let title = ink.warning(&format!("warning[{}]", warning.code.id));
    let mut message = warning.message.clone();
    if warning.count > 1 {
        message += &format!(" ({} times)", warning.count);
    }
    block(ink, &title, &message, whereabouts(file, &warning.place), warning.code.hint)
}

/// The hint of a code, printed once for several files.
pub(crate) fn hint(ink: Ink, code: &Code) -> String {
    format!(" {} hint[{}]: {}\n", ink.hint("="), code.id, code.hint)
}

fn block(ink: Ink, title: &str, message: &str, place: Option<String>, hint: &str) -> String {
    let mut text = format!("{title}: {}\n", plain(message));
    if let Some(place) = place {
        text += &format!(" {} {}\n", ink.hint("-->"), plain(&place));
    }
    text + &format!(" {} hint: {hint}\n", ink.hint("="))
}

/// `walk.bvh:14:7, frame 3`, as far as known.
fn whereabouts(file: Option<&Path>, place: &Place) -> Option<String> {
    match file {
        None => (!place.is_nowhere()).then(|| place.to_string()),
        Some(file) if place.is_nowhere() => Some(file.display().to_string()),
        Some(file) if place.line.is_some() => Some(format!("{}:{place}", file.display())),
        Some(file) => Some(format!("{}, {place}", file.display())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_read_as_editors_want_them() {
        let at = |file: Option<&str>, place: Place| whereabouts(file.map(Path::new), &place);
        assert_eq!(at(Some("a.bvh"), Place::at(3, 4).frame(0)).unwrap(), "a.bvh:3:4, frame 0");
        assert_eq!(at(Some("a.bvh"), Place::default().frame(7)).unwrap(), "a.bvh, frame 7");
        assert_eq!(at(Some("a.bvh"), Place::default()).unwrap(), "a.bvh");
        assert_eq!(at(None, Place::default().joint("Hips")).unwrap(), "joint Hips");
        assert_eq!(at(None, Place::default()), None);
    }
}
