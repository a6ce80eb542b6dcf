//! What holds of every reading, whatever the bytes.

use marey_formats::{Error, Import, acclaim, bvh, door, neighbours, roles};
use marey_motion::{Code, Coded};

/// Fails where a reading of a file breaks a promise.
pub(crate) fn hold(reading: &Result<Import, Error>, bytes: &[u8]) {
    match reading {
        Err(error) => {
            assert!(is_known(error.code()), "{} is in no list", error.code().id);
            assert!(!error.to_string().is_empty());
        }
        Ok(import) => {
            // Nothing is made up from numbers in the text: a frame takes a byte at least, but for the rest pose.
            let frames = import.take.frames();
            assert!(frames <= bytes.len().max(1), "{frames} frames in {} bytes", bytes.len());
            let positions = import.take.first().world().positions;
            assert!(positions.iter().all(|p| p.is_finite()), "a joint is nowhere");
            for warning in import.report.warnings() {
                assert!(is_known(warning.code), "{} is in no list", warning.code.id);
                assert!(warning.count > 0 && !warning.message.is_empty());
                // The last frame may have been left out since.
                let frame = warning.place.frame;
                assert!(
                    frame.is_none_or(|frame| frame <= frames),
                    "{} at {}",
                    warning.code.id,
                    warning.place
                );
            }
        }
    }
}

fn is_known(code: &Code) -> bool {
    let lists: [&[&Code]; 7] = [
        acclaim::codes::ALL,
        bvh::codes::ALL,
        door::codes::ALL,
        roles::codes::ALL,
        neighbours::codes::ALL,
        marey_formats::codes::ALL,
        marey_motion::codes::ALL,
    ];
    lists.concat().iter().any(|known| known.id == code.id)
}
