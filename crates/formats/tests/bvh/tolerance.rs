//! Irregular files that need more text than a fixture, or a comparison of two files.

use marey_formats::bvh::{self, BvhFile, BvhSettings};
use marey_formats::{FormatsError, Limits};

const TREE: &str = "HIERARCHY\nROOT hip\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n";

fn read(rows: &str, limits: Limits) -> Result<BvhFile, FormatsError> {
    let text = format!("{TREE}MOTION\nFrame Time: 0.01\n{rows}");
    bvh::read(text.as_bytes(), &BvhSettings { limits, ..BvhSettings::default() })
}

#[test]
fn blank_lines_between_frames_do_not_count_as_a_long_line() {
    let limits = Limits { line_bytes: 100, ..Limits::default() };
    let rows = ["1.0 2.0 3.0\n", &"\n".repeat(1000), &"4.0 5.0 6.0\n".repeat(20)].concat();
    assert_eq!(read(&rows, limits).unwrap().take.frames(), 21);
}

#[test]
fn a_truncated_last_line_is_omitted_before_any_trailing_text() {
    for tail in ["", "\n", "\n\n \t\r\n", "\n# the end\n"] {
        let file = read(&format!("{}4.0 5.0{tail}", "1.0 2.0 3.0\n".repeat(20)), Limits::default()).unwrap();
        assert_eq!(file.take.frames(), 20, "{tail:?}");
        assert_eq!(file.report.codes(), ["bvh/truncated-frame"], "{tail:?}");
    }
}

#[test]
fn truncation_inside_a_number_keeps_the_previous_frames() {
    let whole = format!("{}-1.5e-3 -2.5E+1 -.5\n", "1.0 2.0 3.0\n".repeat(20));
    let start = whole.len() - "-1.5e-3 -2.5E+1 -.5\n".len();
    for end in start..=whole.len() {
        let file = read(&whole[..end], Limits::default()).unwrap();
        // From the digit of the fraction on, the frame is complete; before, it is reported.
        let is_whole = end >= whole.len() - 1;
        assert_eq!(file.take.frames(), 20 + usize::from(is_whole), "{:?}", &whole[start..end]);
        assert_eq!(file.report.is_empty(), is_whole || end == start, "{:?}", &whole[start..end]);
    }
}
