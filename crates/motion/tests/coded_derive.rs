//! `#[derive(Coded)]` gives each variant the code and the place that its attribute names.

use marey_motion::{Code, Coded, Place};

mod codes {
    marey_motion::codes! {
        PLAIN = "test/plain": "Plain." => "Nothing.";
        PLACED = "test/placed" alias "test/old", "test/older": "Placed." => "Look there.";
    }
}

#[derive(Debug, thiserror::Error, Coded)]
enum Inner {
    #[error("inner")]
    #[code(codes::PLACED, frame = frame, joint = joint)]
    Framed { frame: usize, joint: String },
}

#[derive(Debug, thiserror::Error, Coded)]
#[error("a struct")]
#[code(codes::PLACED, line = line, column = 1)]
struct Located {
    line: usize,
}

#[derive(Debug, thiserror::Error, Coded)]
enum Outer {
    #[error("unit")]
    #[code(codes::PLAIN)]
    Unit,
    #[error("tuple {0}")]
    #[code(codes::PLAIN, joint = _1.to_uppercase())]
    Tuple(u8, &'static str),
    #[error("given")]
    #[code(code, place = place)]
    Given { code: &'static Code, place: Place },
    #[error(transparent)]
    #[code(transparent)]
    Inner(#[from] Inner),
    #[error("text")]
    #[code(error.code(), frame = start, place = place)]
    Text { place: Place, start: usize, error: Box<Outer> },
}

fn framed() -> Inner {
    Inner::Framed { frame: 7, joint: "Hips".into() }
}

#[test]
fn codes_and_places_come_from_the_attributes() {
    let at = |error: &dyn Coded| (error.code().id, error.place().to_string());
    assert_eq!(at(&Outer::Unit), ("test/plain", String::new()));
    assert_eq!(at(&Outer::Tuple(1, "hips")), ("test/plain", "joint HIPS".into()));
    let given = Outer::Given { code: &codes::PLACED, place: Place::at(2, 3) };
    assert_eq!(at(&given), ("test/placed", "2:3".into()));
    assert_eq!(at(&Located { line: 4 }), ("test/placed", "4:1".into()));
}

#[test]
fn errors_forward_code_and_place() {
    let inner = Outer::from(framed());
    assert_eq!((inner.code(), inner.place()), (framed().code(), framed().place()));
    let text = Outer::Text { place: Place::at(1, 2), start: 9, error: Box::new(inner) };
    assert_eq!(text.code().id, "test/placed");
    assert_eq!(text.place(), Place::at(1, 2).frame(9));
}

#[test]
fn aliases_are_listed() {
    assert_eq!(codes::PLACED.aliases, ["test/old", "test/older"]);
    assert!(codes::PLAIN.aliases.is_empty());
    assert_eq!(codes::ALL.len(), 2);
}
