//! What holds of every reading, whatever the bytes.

use marey_formats::{Error, Import, bvh, door, roles};
use marey_motion::{Code, Coded, Place};

/// Fails where a reading breaks a promise.
pub(crate) fn hold(bytes: &[u8], reading: &Result<Import, Error>) {
    match reading {
        Err(error) => {
            assert!(is_known(error.code()), "{} is in no list", error.code().id);
            assert!(!error.to_string().is_empty());
            check_place(bytes, &error.place(), usize::MAX);
        }
        Ok(import) => {
            // Nothing is made up from counts: a frame takes a byte at least.
            let frames = import.take.frames();
            assert!(frames <= bytes.len(), "{frames} frames in {} bytes", bytes.len());
            assert!(import.take.rate_hz().is_finite() && import.take.rate_hz() > 0.0);
            for actor in import.take.actors() {
                assert!(actor.clip.world().positions.iter().all(|p| p.is_finite()), "a joint is nowhere");
            }
            for warning in import.report.warnings() {
                assert!(is_known(warning.code), "{} is in no list", warning.code.id);
                assert!(warning.count > 0 && !warning.message.is_empty());
                check_place(bytes, &warning.place, frames);
            }
        }
    }
}

fn is_known(code: &Code) -> bool {
    let lists: [&[&Code]; 5] = [
        bvh::codes::ALL,
        door::codes::ALL,
        roles::codes::ALL,
        marey_formats::codes::ALL,
        marey_motion::codes::ALL,
    ];
    lists.concat().iter().any(|known| known.id == code.id)
}

/// A place is in the text, or just behind it. Of UTF-16, the text is what it says, as UTF-8.
fn check_place(bytes: &[u8], place: &Place, frames: usize) {
    assert!(place.frame.is_none_or(|frame| frame < frames), "{place} of {frames} frames");
    let Some(line) = place.line else { return };
    let units =
        |from: fn([u8; 2]) -> u16| bytes.chunks_exact(2).map(|p| from([p[0], p[1]])).collect::<Vec<u16>>();
    let text = match bytes {
        [0xff, 0xfe, ..] => String::from_utf16_lossy(&units(u16::from_le_bytes)).into_bytes(),
        [0xfe, 0xff, ..] => String::from_utf16_lossy(&units(u16::from_be_bytes)).into_bytes(),
        _ => bytes.to_vec(),
    };
    let lines = lines_of(&text);
    assert!((1..=lines.len()).contains(&line), "{place} of {} lines", lines.len());
    let column = place.column.unwrap();
    assert!((1..=lines[line - 1] + 1).contains(&column), "{place} of {} bytes", lines[line - 1]);
}

/// The length of each line, its end included.
fn lines_of(text: &[u8]) -> Vec<usize> {
    let mut lines = vec![0];
    for (i, byte) in text.iter().enumerate() {
        *lines.last_mut().unwrap() += 1;
        if *byte == b'\n' || (*byte == b'\r' && text.get(i + 1) != Some(&b'\n')) {
            lines.push(0);
        }
    }
    lines
}
