//! `marey render`.

use std::io::Cursor;

use crate::motion_files::{BAD, calibrated, pair, standing};
use crate::sandbox::Sandbox;

/// Width and height of a PNG that decodes.
fn png_size(bytes: Vec<u8>) -> (u32, u32) {
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert!(pixels.iter().any(|&value| value != pixels[0]), "nothing is drawn");
    (info.width, info.height)
}

/// Width, height and number of pictures of a GIF that decodes.
fn gif_size(bytes: Vec<u8>) -> (u16, u16, usize) {
    let mut decoder = gif::DecodeOptions::new().read_info(Cursor::new(bytes)).unwrap();
    let (width, height) = (decoder.width(), decoder.height());
    let mut pictures = 0;
    while decoder.read_next_frame().unwrap().is_some() {
        pictures += 1;
    }
    (width, height, pictures)
}

#[test]
fn pictures_decode_and_have_the_size_asked_for() {
    let sandbox = Sandbox::new("pictures").with("a.bvh", standing(31)).with("pair.bvh", pair(31));
    let told =
        sandbox.ok(&["render", "a.bvh", "a.png", "--poses", "3", "--size", "100x120", "--view", "front"]);
    assert_eq!((told.out.as_str(), told.err.as_str()), ("", "wrote a.png\n"));
    let (width, height) = png_size(sandbox.read("a.png"));
    assert_eq!(width, 300);
    assert!(height > 120);
    sandbox.ok(&["render", "pair.bvh", "b.gif", "--fps", "10", "--size", "80x60", "--dark", "--fixed"]);
    let (width, height, pictures) = gif_size(sandbox.read("b.gif"));
    assert_eq!((width, height, pictures), (80, 60, 10));
}

#[test]
fn a_calibration_pose_is_left_out_unless_asked_for() {
    let sandbox = Sandbox::new("calibration").with("a.bvh", calibrated(30));
    let drawn = |flags: &[&str]| {
        let args = [&["render", "a.bvh", "a.png", "--poses", "2", "--force", "--json"], flags].concat();
        let row = sandbox.rows(&args).remove(0);
        assert_eq!((&row["ok"], &row["output"]), (&true.into(), &"a.png".into()));
        assert!(row["floor_m"].as_f64().unwrap().abs() < 0.01);
        (row["first_frame"].as_u64().unwrap(), row["frames"].as_u64().unwrap())
    };
    assert_eq!(drawn(&[]), (1, 29));
    assert_eq!(drawn(&["--trim-rest"]), (0, 29));
    assert_eq!(drawn(&["--frames", ".."]), (0, 30));
    assert_eq!(drawn(&["--frames", "5..10"]), (5, 5));
}

#[test]
fn several_clips_share_one_world_where_they_agree() {
    let sandbox = Sandbox::new("together")
        .with("a.bvh", standing(10))
        .with("b.bvh", standing(10))
        .with("long.bvh", standing(20))
        .with("bad.bvh", BAD);
    sandbox.ok(&["render", "[ab].bvh", "both.png", "--poses", "2"]);
    png_size(sandbox.read("both.png"));
    let apart = sandbox.run(&["render", "a.bvh", "long.bvh", "apart.png"]);
    assert_eq!(apart.code, 1);
    assert!(apart.err.contains("error[motion/mismatch]"), "{}", apart.err);
    let bad = sandbox.run(&["render", "a.bvh", "bad.bvh", "bad.png"]);
    assert_eq!(bad.code, 1);
    assert!(bad.err.contains("bvh/bad-number"), "{}", bad.err);
    assert!(!sandbox.path("apart.png").exists() && !sandbox.path("bad.png").exists());
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let sandbox = Sandbox::new("refused").with("a.bvh", standing(10)).with("there.png", "mine");
    for (args, code, id) in [
        (&["render", "a.bvh", "a.jpg"][..], 2, "command/output-ending"),
        (&["render", "a.bvh", "a.gif", "--poses", "3"], 2, "command/not-for-format"),
        (&["render", "a.bvh", "a.png", "--fps", "3"], 2, "command/not-for-format"),
        (&["render", "a.bvh", "a.png", "--poses", "0"], 1, "render/option"),
        (&["render", "a.bvh", "a.png", "--size", "9000x10"], 1, "render/option"),
        (&["render", "a.bvh", "a.png", "--frames", "5..50"], 1, "motion/range"),
        (&["render", "a.bvh", "there.png"], 1, "file/exists"),
    ] {
        let run = sandbox.run(args);
        assert_eq!(run.code, code, "{args:?} {}", run.err);
        assert!(run.err.contains(&format!("error[{id}]")), "{args:?} {}", run.err);
    }
    assert_eq!(sandbox.read("there.png"), b"mine");
    sandbox.ok(&["render", "a.bvh", "there.png", "--force", "--poses", "1"]);
    assert_eq!(sandbox.files(), ["a.bvh", "there.png"]);
}
