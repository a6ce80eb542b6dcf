//! Damaged bytes: none causes a panic, and every reading satisfies the invariants.

use marey_formats::{Companion, FormatsError, MotionFile, ReadOptions, read};
use marey_motion::Coded;
use proptest::prelude::*;

use crate::fixtures::INVARIANTS;

const ASF: &[u8] = include_bytes!("../../../../fixtures/acclaim/good/stretch.asf");
const AMC: &[u8] = include_bytes!("../../../../fixtures/acclaim/good/stretch.amc");

fn pair(asf: &[u8], amc: &[u8]) -> Result<MotionFile, FormatsError> {
    let options = ReadOptions { skeleton: Some(Companion::new("asf", asf)), ..ReadOptions::default() };
    read(amc, Some("amc"), &options)
}

fn check(asf: &[u8], amc: &[u8]) {
    INVARIANTS.hold(amc, &pair(asf, amc));
    INVARIANTS.hold(asf, &read(asf, Some("asf"), &ReadOptions::default()));
}

/// Bytes that are significant to the reader, and some that are not.
const REPLACEMENTS: &[u8] = b"\0\n\r \t#:,(-+.e09xLr\x7f\x80\xff";

/// Every text that differs from this one in one byte, which is one of the replacements.
fn changed(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + '_ {
    let flips = |byte: u8| (0..8).map(move |bit| byte ^ (1 << bit));
    (0..text.len()).flat_map(move |at| {
        REPLACEMENTS.iter().copied().chain(flips(text[at])).map(move |byte| {
            let mut changed = text.to_vec();
            changed[at] = byte;
            changed
        })
    })
}

#[test]
fn the_undamaged_pair_is_read() {
    assert_eq!(pair(ASF, AMC).unwrap().take().unwrap().frames(), 3);
}

#[test]
fn every_truncation_is_survived() {
    for length in 0..ASF.len() {
        check(&ASF[..length], AMC);
    }
    for length in 0..AMC.len() {
        check(ASF, &AMC[..length]);
    }
}

#[test]
fn every_truncation_of_a_motion_reads_the_frames_before() {
    let whole = pair(ASF, AMC).unwrap().take().unwrap().first().clone();
    let first_frame = AMC.windows(3).position(|w| w == b"\n2\n").unwrap() + 1;
    for length in first_frame..AMC.len() {
        let cut = pair(ASF, &AMC[..length]).unwrap_or_else(|error| panic!("{length}: {error}"));
        let clip = cut.take().unwrap().first();
        // The last frame may end in a number that lost its last digits, which cannot be detected.
        let sure = clip.frames().min(2);
        assert_eq!(clip.slice(0..sure).unwrap(), whole.slice(0..sure).unwrap(), "{length}");
    }
}

#[test]
fn every_byte_change_of_a_skeleton_is_survived() {
    changed(ASF).for_each(|asf| check(&asf, AMC));
}

#[test]
fn every_byte_change_of_a_motion_is_survived() {
    changed(AMC).for_each(|amc| check(ASF, &amc));
}

/// Texts of keywords of the format.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        ":version",
        ":name",
        ":units",
        ":documentation",
        ":root",
        ":bonedata",
        ":hierarchy",
        ":skin",
        "begin",
        "end",
        "id",
        "name",
        "direction",
        "length",
        "axis",
        "dof",
        "limits",
        "order",
        "position",
        "orientation",
        "angle",
        "deg",
        "rad",
        "rx",
        "ry",
        "tx",
        "l",
        "XYZ",
        "root",
        "a",
        "b",
        "0",
        "1",
        "2",
        "-1.5",
        "1e9",
        "nan",
        "inf",
        "(",
        ")",
        "#",
        "\n",
        "\n",
        "\n",
        "\n",
        ":DEGREES",
        ":RADIANS",
        ":FULLY-SPECIFIED",
    ]);
    prop::collection::vec(word, 0..80).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn any_words_are_survived(asf in words(), amc in words()) {
        check(asf.as_bytes(), amc.as_bytes());
        check(asf.as_bytes(), AMC);
        check(ASF, amc.as_bytes());
    }

    #[test]
    fn any_order_of_lines_is_the_same_motion(orders in prop::collection::vec(Just(vec![0, 1, 2, 3]).prop_shuffle(), 3)) {
        let text = std::str::from_utf8(AMC).unwrap();
        let mut lines = text.lines().skip(2);
        let mut shuffled = String::from(":DEGREES\n");
        for order in orders {
            let frame: Vec<&str> = lines.by_ref().take(5).collect();
            shuffled += &format!("{}\n", frame[0]);
            order.iter().for_each(|&line: &usize| shuffled += &format!("{}\n", frame[1 + line]));
        }
        let (found, whole) = (pair(ASF, shuffled.as_bytes()).unwrap(), pair(ASF, AMC).unwrap());
        prop_assert_eq!(found.take().unwrap().first(), whole.take().unwrap().first());
    }
}

/// Commas force the slow path for every line.
#[test]
fn the_fast_path_equals_the_slow_path() {
    let text = std::str::from_utf8(AMC).unwrap();
    let commas = text.lines().map(|line| line.replace(' ', " ,") + "\n").collect::<String>();
    let (fast, slow) = (pair(ASF, AMC).unwrap(), pair(ASF, commas.as_bytes()).unwrap());
    assert_eq!(fast.take().unwrap().first(), slow.take().unwrap().first());
}

#[test]
fn a_few_words_do_not_become_gigabytes() {
    let bone =
        |i: usize| format!("begin\nname b{i}\ndirection 0 1 0\nlength 1\naxis 0 0 0 XYZ\ndof rx\nend\n");
    let bones: String = (0..4000).map(bone).collect();
    let children: String = (0..4000).map(|i| format!(" b{i}")).collect();
    let asf = format!(":root\norder TX TY TZ RX RY RZ\n:bonedata\n{bones}:hierarchy\nroot{children}\n");
    let frames: String = (1..20_000).map(|i| format!("{i}\nb0 1\n")).collect();
    let error = pair(asf.as_bytes(), frames.as_bytes()).unwrap_err();
    assert_eq!(error.code().id, "acclaim/wrong-skeleton");
}
