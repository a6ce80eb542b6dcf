//! Recipes of the C3D fixtures.

use super::writer::{By, C3d, Position, Value, texts};
use crate::recipe::Recipe;

/// The true positions of the markers in metres, Y up: head, neck and toe of a person who walks along +Z and sways.
pub(super) fn truth(frame: usize, marker: usize) -> [f64; 3] {
    let t = frame as f64;
    let [x, y, z] = [[0.08, 1.62, 0.09], [0.0, 1.45, -0.05], [0.11, 0.04, 0.15]][marker];
    [x + 0.01 * t, y - 0.02 * t, z + 0.25 * t]
}

const LABELS: [&str; 3] = ["LFHD", "C7", "LTOE"];

/// A residual of 1.5 mm in three steps of half a millimetre, seen by the cameras 1, 2 and 4.
const SEEN: f32 = 2816.0 + 3.0;

/// Four frames in millimetres with Z up, at 50 Hz.
fn plain() -> C3d {
    let position = |frame, marker| -> Position {
        let [x, y, z] = truth(frame, marker).map(|metres| (metres * 1000.0) as f32);
        ([x, -z, y], SEEN)
    };
    C3d {
        by: By::Intel,
        scale: -0.5,
        rate_hz: 50.0,
        numbers: (1, 4),
        positions: (0..4).map(|frame| (0..3).map(|marker| position(frame, marker)).collect()).collect(),
        analog: vec![],
        samples_per_frame: 0,
        parameters: vec![
            ("POINT", "USED", Value::Words(vec![3])),
            ("POINT", "FRAMES", Value::Words(vec![4])),
            ("POINT", "SCALE", Value::Floats(vec![-0.5])),
            ("POINT", "RATE", Value::Floats(vec![50.0])),
            ("POINT", "UNITS", texts(&["mm"])),
            ("POINT", "LABELS", texts(&LABELS)),
            ("POINT", "X_SCREEN", texts(&["+X"])),
            ("POINT", "Y_SCREEN", texts(&["+Z"])),
        ],
        blocks_between: 0,
        header_events: vec![],
        patches: vec![],
    }
}

fn written_by(by: By) -> C3d {
    C3d { by, ..plain() }
}

/// Integers in steps of a tenth of a millimetre. The word after a position then has fifteen steps.
fn whole(by: By) -> C3d {
    let mut file = C3d { by, scale: 0.1, ..plain() }.set("POINT", "SCALE", Value::Floats(vec![0.1]));
    file.positions.iter_mut().flatten().for_each(|(_, word)| *word = 2816.0 + 15.0);
    file
}

/// Two channels with two samples per frame: a rising force, and a voltage.
fn with_analog(file: C3d) -> C3d {
    let frame = |i: usize| vec![2048.0 + 10.0 * i as f32, 5.0, 2053.0 + 10.0 * i as f32, -5.0];
    C3d { analog: (0..4).map(frame).collect(), samples_per_frame: 2, ..file }
        .set("ANALOG", "USED", Value::Words(vec![2]))
        .set("ANALOG", "LABELS", texts(&["FZ1", "EMG"]))
        .set("ANALOG", "UNITS", texts(&["N", "V"]))
        .set("ANALOG", "SCALE", Value::Floats(vec![0.5, 2.0]))
        .set("ANALOG", "OFFSET", Value::Words(vec![2048, 0]))
        .set("ANALOG", "GEN_SCALE", Value::Floats(vec![2.0]))
}

fn with_word(frame: usize, marker: usize, word: f32) -> C3d {
    let mut file = plain();
    file.positions[frame][marker].1 = word;
    file
}

fn with_position(frame: usize, marker: usize, position: Position) -> C3d {
    let mut file = plain();
    file.positions[frame][marker] = position;
    file
}

/// Offset of the first frame in the plain file.
const DATA: usize = 1024;

fn cut(file: &C3d, length: usize) -> Vec<u8> {
    file.bytes()[..length].to_vec()
}

pub(super) fn all() -> Vec<Recipe> {
    let recipe = |path, about, bytes| Recipe { path, about, read: "", bytes };
    let file = |path, about, file: C3d| recipe(path, about, file.bytes());
    let limited = |path, about, read, file: C3d| Recipe { path, about, read, bytes: file.bytes() };
    let first = plain().positions[0][0].0;
    vec![
        file("good/intel-float.c3d", "Floating numbers, as most systems write them today.", plain()),
        file("good/intel-whole.c3d", "Whole numbers that a scale makes millimetres.", whole(By::Intel)),
        file("good/dec-float.c3d", "Floating numbers of a VAX.", written_by(By::Dec)),
        file("good/dec-whole.c3d", "Whole numbers, with a VAX's scale and rate.", whole(By::Dec)),
        file("good/mips-float.c3d", "Big-endian floating numbers.", written_by(By::Mips)),
        file("good/mips-whole.c3d", "Big-endian whole numbers.", whole(By::Mips)),
        file("good/gaps.c3d", "Two positions were not seen: the word behind them is negative.", {
            let mut file = plain();
            file.positions[1][0] = ([0.0; 3], -1.0);
            file.positions[2][2].1 = -1.0;
            file
        }),
        file(
            "good/analog.c3d",
            "Two channels of two samples a frame: (sample − offset) × scale × general scale.",
            with_analog(plain()),
        ),
        file(
            "good/analog-unsigned.c3d",
            "Analog words above 32767, which the file says are not negative.",
            with_analog(C3d { by: By::Dec, ..whole(By::Dec) })
                .set("ANALOG", "FORMAT", texts(&["UNSIGNED"]))
                .set("ANALOG", "OFFSET", Value::Words(vec![2048, -1])),
        ),
        file(
            "good/labels-go-on.c3d",
            "Labels go on in a second parameter.",
            plain().set("POINT", "LABELS", texts(&["LFHD", "C7"])).set("POINT", "LABELS2", texts(&["LTOE"])),
        ),
        file(
            "good/long-frames.c3d",
            "The header has no room for the number of frames, which a parameter gives.",
            C3d { numbers: (1, 65535), ..plain() }.set("POINT", "FRAMES", Value::Words(vec![-1])).set(
                "POINT",
                "LONG_FRAMES",
                Value::Floats(vec![4.0]),
            ),
        ),
        file(
            "good/trial-fields.c3d",
            "The first and last frame are two words each: frames 70001 to 70004.",
            C3d { numbers: (0, 65535), ..plain() }
                .without("POINT", "FRAMES")
                .set("TRIAL", "ACTUAL_START_FIELD", Value::Words(vec![4465, 1]))
                .set("TRIAL", "ACTUAL_END_FIELD", Value::Words(vec![4468, 1])),
        ),
        file(
            "good/parameters-later.c3d",
            "A block of nothing lies between header and parameters.",
            C3d { blocks_between: 1, ..plain() },
        ),
        file("good/rate-in-header.c3d", "Only the header gives the rate.", plain().without("POINT", "RATE")),
        file("bad/events.c3d", "Instants are named in parameters.", {
            plain()
                .set("EVENT", "USED", Value::Words(vec![2]))
                .set("EVENT", "CONTEXTS", texts(&["Left", "Right"]))
                .set("EVENT", "LABELS", texts(&["Foot Strike", "Foot Off"]))
                .set("EVENT", "TIMES", Value::Pairs(vec![[0.0, 0.02], [1.0, 2.5]]))
        }),
        file(
            "bad/header-events.c3d",
            "Instants are named in the header, by a big-endian processor.",
            C3d { header_events: vec![("RHS ", 0.02), ("RTO ", 0.04)], ..written_by(By::Mips) },
        ),
        file(
            "bad/angles.c3d",
            "One of the points is an angle by its name in another parameter.",
            plain().set("POINT", "ANGLES", texts(&["C7"])),
        ),
        file(
            "bad/only-angles.c3d",
            "Every point is an angle.",
            plain().set("POINT", "ANGLES", texts(&LABELS)),
        ),
        recipe("bad/empty.c3d", "Nothing.", vec![]),
        recipe("bad/text.c3d", "Text by the name of a C3D.", b"This is not a C3D.".to_vec()),
        recipe("bad/cut-in-header.c3d", "Cut off inside the header.", cut(&plain(), 300)),
        recipe("bad/cut-in-parameters.c3d", "Cut off inside the parameters.", cut(&plain(), 620)),
        recipe("bad/cut-before-parameters.c3d", "Cut off at the end of the header.", cut(&plain(), 512)),
        recipe("bad/cut-in-first-frame.c3d", "Cut off inside the first frame.", cut(&plain(), DATA + 40)),
        recipe("bad/cut-in-data.c3d", "Cut off inside the third frame.", cut(&plain(), DATA + 48 * 2 + 7)),
        file(
            "bad/data-nowhere.c3d",
            "Neither header nor parameters say where the frames start.",
            plain().patched(16, &[0, 0]),
        ),
        file("bad/no-points.c3d", "The header counts no points.", plain().patched(2, &[0, 0])),
        file(
            "bad/no-rate.c3d",
            "A rate of zero in the header, and none in the parameters.",
            C3d { rate_hz: 0.0, ..plain() }.without("POINT", "RATE"),
        ),
        limited(
            "bad/no-rate-but-told.c3d",
            "The same, with the rate told.",
            "[read]\nrate_hz = 25.0\n",
            C3d { rate_hz: 0.0, ..plain() }.without("POINT", "RATE"),
        ),
        file("bad/no-scale.c3d", "A scale of zero.", C3d { scale: 0.0, ..plain() }.without("POINT", "SCALE")),
        limited(
            "bad/limit-frames.c3d",
            "More frames than the reader was told to take.",
            "[read.limits]\nframes = 3\n",
            plain(),
        ),
        limited(
            "bad/limit-memory.c3d",
            "More memory than the reader was told to take.",
            "[read.limits]\nmemory_bytes = 100\n",
            plain(),
        ),
        file("bad/processor.c3d", "No known kind of processor.", plain().patched(512 + 3, &[83])),
        file("bad/parameter-damaged.c3d", "A parameter of no kind; those behind it are lost.", {
            let bytes = plain().bytes();
            let at = bytes.windows(4).position(|w| w == b"RATE").unwrap() + 4 + 2;
            plain().patched(at, &[9])
        }),
        file("bad/parameter-loop.c3d", "A parameter that says it is where it started.", {
            let bytes = plain().bytes();
            let at = bytes.windows(4).position(|w| w == b"RATE").unwrap() + 4;
            plain().patched(at, &[1, 0])
        }),
        file(
            "bad/points-disagree.c3d",
            "The parameters count another number of points.",
            plain().set("POINT", "USED", Value::Words(vec![5])),
        ),
        file(
            "bad/rates-disagree.c3d",
            "The parameters give another rate.",
            plain().set("POINT", "RATE", Value::Floats(vec![60.0])),
        ),
        file(
            "bad/frames-disagree.c3d",
            "The parameters count another number of frames.",
            plain().set("POINT", "FRAMES", Value::Words(vec![5])),
        ),
        file("bad/data-behind.c3d", "More data than the frames announced need.", {
            let mut file = plain();
            file.positions = file.positions.iter().cycle().take(30).cloned().collect();
            file
        }),
        file(
            "bad/first-frame.c3d",
            "A piece of a recording, from frame 705 on.",
            C3d { numbers: (705, 708), ..plain() },
        ),
        file(
            "bad/unlabelled.c3d",
            "A label is missing.",
            plain().set("POINT", "LABELS", texts(&["LFHD", "", "LTOE"])),
        ),
        file("bad/no-labels.c3d", "There are no labels.", plain().without("POINT", "LABELS")),
        file(
            "bad/duplicate-label.c3d",
            "Two markers have one label.",
            plain().set("POINT", "LABELS", texts(&["LFHD", "LTOE", "LTOE"])),
        ),
        file(
            "bad/spare-labels.c3d",
            "There are more labels than markers.",
            plain().set("POINT", "LABELS", texts(&["LFHD", "C7", "LTOE", "RTOE", ""])),
        ),
        file(
            "bad/latin1.c3d",
            "A label in Latin-1.",
            plain().set(
                "POINT",
                "LABELS",
                Value::Texts(4, vec![b"LFHD".into(), b"R\xfcck".into(), b"LTOE".into()]),
            ),
        ),
        file(
            "bad/unit-unknown.c3d",
            "A unit that nobody knows.",
            plain().set("POINT", "UNITS", texts(&["ell"])),
        ),
        file("bad/unit-missing.c3d", "No unit, and no labels to tell it by.", {
            plain().without("POINT", "UNITS").set("POINT", "LABELS", texts(&["a", "b", "c"]))
        }),
        file(
            "bad/unit-wrong.c3d",
            "Millimetres that the file calls metres.",
            plain().set("POINT", "UNITS", texts(&["m"])),
        ),
        file(
            "bad/screen-down.c3d",
            "The screen's vertical axis points down in the world.",
            plain().set("POINT", "Y_SCREEN", texts(&["-Z"])),
        ),
        file(
            "bad/screen-wrong.c3d",
            "The screen's vertical axis is not the one that the person stands along.",
            plain().set("POINT", "Y_SCREEN", texts(&["+X"])),
        ),
        file("bad/screen-missing.c3d", "No axes at all.", plain().without("POINT", "Y_SCREEN")),
        file("bad/at-origin.c3d", "A gap, written as the origin.", with_position(2, 1, ([0.0; 3], 0.0))),
        file(
            "bad/nan-position.c3d",
            "A coordinate that is not a number.",
            with_position(2, 1, ([f32::NAN, 0.0, 1.0], SEEN)),
        ),
        file(
            "bad/far-position.c3d",
            "A coordinate beyond the moon.",
            with_position(2, 1, ([1e30, 0.0, 1.0], SEEN)),
        ),
        file("bad/bad-residual.c3d", "A residual beyond what a word holds.", with_word(2, 1, 1e6)),
        file("bad/no-residual.c3d", "A position that was filled in.", with_position(2, 1, (first, 0.0))),
        file(
            "bad/analog-layout.c3d",
            "Four samples a frame do not divide by three.",
            C3d { samples_per_frame: 3, ..with_analog(plain()) },
        ),
        file(
            "bad/analog-scale.c3d",
            "A channel without a scale.",
            with_analog(plain()).set("ANALOG", "SCALE", Value::Floats(vec![0.5])),
        ),
        file("bad/analog-nan.c3d", "A sample that is not a number.", {
            let mut file = with_analog(plain());
            file.analog[1][2] = f32::NAN;
            file
        }),
        file(
            "bad/not-kept.c3d",
            "A group that markers have no place for, and descriptions.",
            plain().set("SUBJECTS", "NAMES", texts(&["Ann"])).set(
                "POINT",
                "DESCRIPTIONS",
                texts(&["brow", "", ""]),
            ),
        ),
    ]
}
