//! Files that announce much and contain little. The tests measure neither time nor memory: if the reader allocated by announced
//! numbers, or scanned the text repeatedly, they would not finish.

use marey_formats::bvh::{self, BvhFile, BvhSettings};
use marey_formats::{FormatsError, Limits};
use marey_motion::Coded;

/// A file with one joint, a header and rows.
fn one_joint(channels: &str, frames: &str, rows: &str) -> Vec<u8> {
    format!(
        "HIERARCHY\nROOT hip\n{{\nOFFSET 0 1 0\nCHANNELS {channels}\n}}\nMOTION\nFrames: {frames}\nFrame Time: 0.01\n{rows}"
    )
    .into_bytes()
}

fn read(bytes: &[u8]) -> Result<BvhFile, FormatsError> {
    bvh::read(bytes, &BvhSettings::default())
}

#[test]
fn announced_frames_take_no_memory() {
    for frames in ["1000000000", "1000000000000", &usize::MAX.to_string()] {
        let file = read(&one_joint("1 Yrotation", frames, "1\n2\n3\n")).unwrap();
        assert_eq!(file.take.frames(), 3);
        assert_eq!(file.report.codes(), ["bvh/frame-count"]);
    }
}

#[test]
fn announced_channels_take_no_memory() {
    for channels in ["1000000000", "1e300", "inf", &usize::MAX.to_string()] {
        let file = read(&one_joint(&format!("{channels} Yrotation"), "2", "1\n2\n")).unwrap();
        assert_eq!(file.take.frames(), 2);
        assert_eq!(file.report.codes(), ["bvh/channel-count"]);
    }
}

#[test]
fn announced_frames_that_are_wrapped_are_counted_without_overflow() {
    let rows = "1 2\n3\n4 5 6\n";
    let names = "3 Xrotation Yrotation Zrotation";
    assert_eq!(read(&one_joint(names, "2", rows)).unwrap().take.frames(), 2);
    let error = read(&one_joint(names, &usize::MAX.to_string(), rows)).unwrap_err();
    assert_eq!(error.code().id, "bvh/frame-width");
}

#[test]
fn too_many_channels_are_refused() {
    let error = read(&one_joint(&format!("70000 {}", "w ".repeat(70_000)), "1", "")).unwrap_err();
    assert_eq!(error.code().id, "bvh/limit");
}

/// A deep chain of joints within the limits.
#[test]
fn a_deep_tree_is_read_without_recursion() {
    let depth = 50_000;
    let mut text = b"HIERARCHY\nROOT j\n{\nOFFSET 0 0 0\nCHANNELS 1 Yposition\n".to_vec();
    for i in 1..depth {
        text.extend(format!("JOINT j{i}\n{{\nOFFSET 0 0 0\n").bytes());
    }
    text.extend(b"}\n".repeat(depth));
    text.extend(b"MOTION\nFrames: 1\nFrame Time: 0.1\n5\n");
    assert_eq!(read(&text).unwrap_err().code().id, "bvh/limit");
    let limits = Limits { depth, joints: depth, ..Limits::default() };
    let file = bvh::read(&text, &BvhSettings { limits, ..BvhSettings::default() }).unwrap();
    assert_eq!(file.take.first().skeleton().len(), depth);
}

/// An End Site that is kept as a joint is named after its parent, whose name may have a megabyte.
#[test]
fn names_derived_from_long_names_are_short() {
    let sites = 3000;
    let mut text = format!("HIERARCHY\nROOT {}\n{{\nOFFSET 0 0 0\n", "x".repeat(1_000_000)).into_bytes();
    text.extend(b"End Site\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\n".repeat(sites));
    text.extend(b"}\n");
    let file = read(&text).unwrap();
    let skeleton = file.take.first().skeleton();
    assert_eq!(skeleton.len(), sites + 1);
    let letters: usize = skeleton.joints().iter().map(|joint| joint.name.len()).sum();
    assert!(letters < 2 * text.len(), "{letters} letters from {} bytes", text.len());
}

/// Damaged lines before a long run of blanks: the blanks are not scanned for each line.
#[test]
fn blanks_at_the_end_are_not_read_for_every_line() {
    let rows = "0 0 0\n".to_owned() + &"0\n".repeat(100_000) + &" ".repeat(10_000_000);
    let error = read(&one_joint("3 Xrotation Yrotation Zrotation", "100001", &rows)).unwrap_err();
    assert_eq!(error.code().id, "bvh/frame-width");
}

/// Every line gives a warning, but only the first needs a place.
#[test]
fn a_place_is_computed_once_for_each_code() {
    let rows = "0\n".to_owned() + &"nan\n".repeat(200_000);
    let file = read(&one_joint("1 Xrotation", "200001", &rows)).unwrap();
    let held = &file.report.warnings()[0];
    assert_eq!((held.code.id, held.count, held.place.line), ("bvh/held-value", 200_000, Some(11)));

    let mut text = b"HIERARCHY\n".to_vec();
    text.extend(b"ROOT\n{\n}\n".repeat(4000));
    let file = read(&text).unwrap();
    assert_eq!(file.take.actors().len(), 4000);
    assert_eq!(file.report.codes(), ["bvh/unnamed-joint", "bvh/offset-values", "bvh/no-motion"]);
}

/// Many duplicate names, and names that collide with the renamed ones.
#[test]
fn thousands_of_duplicate_names_become_unique() {
    let joints = 4000;
    let mut text = b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\n".to_vec();
    for i in 0..joints {
        let name = if i % 2 == 0 { "a".to_owned() } else { format!("a_{}", i / 2) };
        text.extend(format!("JOINT {name}\n{{\nOFFSET 0 1 0\n}}\n").bytes());
    }
    text.extend(b"}\n");
    let file = read(&text).unwrap();
    // A skeleton with duplicate names would be refused.
    assert_eq!(file.take.first().skeleton().len(), joints + 1);
}
