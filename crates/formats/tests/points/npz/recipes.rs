//! Recipes of the NPZ fixtures.

use super::writer::{Npy, zip};
use crate::recipe::Recipe;

/// Poses for a number of joints and frames: standing in a Z-up world, then rotated and bent slightly more in each frame.
pub(super) fn poses(joints: usize, frames: usize) -> Vec<Vec<f64>> {
    let value = |frame: usize, index: usize| match index {
        0 => std::f64::consts::FRAC_PI_2,
        1 | 2 => 0.1 * frame as f64,
        _ => 0.3 * ((index as f64) * 1.7 + frame as f64).sin(),
    };
    (0..frames).map(|frame| (0..joints * 3).map(|index| value(frame, index)).collect()).collect()
}

/// A straight path along −Y, at hip height.
pub(super) fn trans(frames: usize) -> Vec<Vec<f64>> {
    (0..frames).map(|frame| vec![0.5, -0.02 * frame as f64, 0.97]).collect()
}

/// A file in the AMASS layout, with arrays replaced or added.
fn amass(joints: usize, others: &[(&'static str, Npy)]) -> Vec<u8> {
    let mut arrays = vec![
        ("poses.npy", Npy::rows(&poses(joints, 3))),
        ("trans.npy", Npy::rows(&trans(3))),
        ("mocap_framerate.npy", Npy::number(60.0)),
    ];
    for (name, array) in others {
        arrays.retain(|(other, _)| other != name);
        arrays.push((name, array.clone()));
    }
    pack(&arrays)
}

fn pack(arrays: &[(&str, Npy)]) -> Vec<u8> {
    let files: Vec<(&str, Vec<u8>)> = arrays.iter().map(|(name, array)| (*name, array.bytes())).collect();
    zip(&files)
}

/// The same numbers in other types and orders.
fn narrow(rows: &[Vec<f64>]) -> Npy {
    let data = rows.concat().iter().flat_map(|value| (*value as f32).to_le_bytes()).collect();
    Npy::new("<f4", &format!("({}, {})", rows.len(), rows[0].len()), data)
}

fn big_endian(rows: &[Vec<f64>]) -> Npy {
    let data = rows.concat().iter().flat_map(|value| value.to_be_bytes()).collect();
    Npy::new(">f8", &format!("({}, {})", rows.len(), rows[0].len()), data)
}

fn fortran(rows: &[Vec<f64>]) -> Npy {
    let columns = (0..rows[0].len()).flat_map(|column| rows.iter().map(move |row| row[column]));
    let data = columns.flat_map(|value| value.to_le_bytes()).collect();
    let array = Npy::new("<f8", &format!("({}, {})", rows.len(), rows[0].len()), data);
    Npy { header: array.header.replace("False", "True"), ..array }
}

fn with_version(version: u8, array: Npy) -> Npy {
    Npy { version, ..array }
}

fn with_value(frame: usize, index: usize, value: f64) -> Npy {
    let mut rows = poses(22, 3);
    rows[frame][index] = value;
    Npy::rows(&rows)
}

pub(super) fn all() -> Vec<Recipe> {
    let recipe = |path, about, bytes| Recipe { path, about, read: "", bytes };
    let limited = |path, about, read, bytes| Recipe { path, about, read, bytes };
    let gender = Npy::new("<U4", "()", b"m\0\0\0a\0\0\0l\0\0\0e\0\0\0".to_vec());
    vec![
        recipe("good/smpl.npz", "24 joints: SMPL.", amass(24, &[])),
        recipe("good/smpl-h.npz", "52 joints: SMPL-H, as AMASS has it.", amass(52, &[])),
        recipe("good/smpl-x.npz", "55 joints: SMPL-X.", amass(55, &[("poses.npy", narrow(&poses(55, 3)))])),
        recipe("good/body-only.npz", "22 joints: no hands.", amass(22, &[])),
        recipe(
            "good/narrow.npz",
            "Floating numbers of 32 bits.",
            amass(22, &[("poses.npy", narrow(&poses(22, 3))), ("trans.npy", narrow(&trans(3)))]),
        ),
        recipe(
            "good/big-endian.npz",
            "The high bytes first.",
            amass(22, &[("poses.npy", big_endian(&poses(22, 3))), ("trans.npy", big_endian(&trans(3)))]),
        ),
        recipe(
            "good/fortran.npz",
            "Columns before rows.",
            amass(22, &[("poses.npy", fortran(&poses(22, 3))), ("trans.npy", fortran(&trans(3)))]),
        ),
        recipe(
            "good/versions.npz",
            "Headers of the versions 2 and 3.",
            amass(
                22,
                &[
                    ("poses.npy", with_version(2, Npy::rows(&poses(22, 3)))),
                    ("trans.npy", with_version(3, Npy::rows(&trans(3)))),
                ],
            ),
        ),
        recipe(
            "good/whole-rate.npz",
            "The rate by its other name, a whole number in a list.",
            pack(&[
                ("poses.npy", Npy::rows(&poses(22, 3))),
                ("trans.npy", Npy::rows(&trans(3))),
                ("mocap_frame_rate.npy", Npy::new("<i8", "(1,)", 100i64.to_le_bytes().to_vec())),
            ]),
        ),
        limited(
            "good/y-up.npz",
            "The user says that Y is up: only the turn of the root differs.",
            "[read]\nup = \"y\"\n",
            amass(
                22,
                &[
                    ("poses.npy", {
                        let mut rows = poses(22, 3);
                        rows.iter_mut().for_each(|row| row[0] = 0.0);
                        Npy::rows(&rows)
                    }),
                    (
                        "trans.npy",
                        Npy::rows(&(0..3).map(|i| vec![0.5, 0.97, 0.02 * f64::from(i)]).collect::<Vec<_>>()),
                    ),
                ],
            ),
        ),
        recipe(
            "bad/not-kept.npz",
            "Shape, gender and soft tissue, as AMASS has them beside the poses.",
            amass(
                22,
                &[
                    ("betas.npy", Npy::rows(&[vec![0.1; 16]])),
                    ("gender.npy", gender),
                    ("dmpls.npy", Npy::rows(&[vec![0.0; 8]])),
                ],
            ),
        ),
        recipe("bad/empty.npz", "Nothing.", vec![]),
        recipe("bad/text.npz", "Text by the name of an NPZ.", b"poses = [0, 0, 0]".to_vec()),
        recipe("bad/no-arrays.npz", "An archive of nothing.", zip(&[])),
        recipe("bad/cut-off.npz", "Cut off before the directory.", {
            let whole = amass(22, &[]);
            whole[..whole.len() / 2].to_vec()
        }),
        recipe(
            "bad/no-poses.npz",
            "A body shape without poses.",
            pack(&[("betas.npy", Npy::rows(&[vec![0.1; 16]]))]),
        ),
        recipe("bad/wrong-sum.npz", "A byte of the poses is not what the checksum says.", {
            let mut bytes = amass(22, &[]);
            bytes[400] ^= 1;
            bytes
        }),
        recipe("bad/compressed-otherwise.npz", "Compressed in a way that numpy does not.", {
            let mut bytes = amass(22, &[]);
            bytes[8] = 98;
            let directory = bytes.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
            bytes[directory + 10] = 98;
            bytes
        }),
        recipe(
            "bad/not-an-array.npz",
            "Text in the place of poses.",
            zip(&[("poses.npy", b"0 0 0".to_vec())]),
        ),
        recipe(
            "bad/objects.npz",
            "An array of pickled objects.",
            pack(&[("poses.npy", Npy::new("|O", "(1, 66)", vec![0x80, 4]))]),
        ),
        recipe(
            "bad/short-array.npz",
            "Fewer numbers than the header's shape.",
            pack(&[("poses.npy", Npy::new("<f8", "(1000000, 66)", vec![0; 80]))]),
        ),
        recipe(
            "bad/endless-shape.npz",
            "A shape beyond all memory.",
            pack(&[("poses.npy", Npy::new("<f8", "(9223372036854775807, 66)", vec![0; 80]))]),
        ),
        recipe(
            "bad/three-dimensions.npz",
            "Poses as frames × joints × 3.",
            pack(&[("poses.npy", Npy::new("<f4", "(1, 22, 3)", vec![0; 264]))]),
        ),
        recipe("bad/width.npz", "Ten values in a pose.", pack(&[("poses.npy", Npy::rows(&[vec![0.0; 10]]))])),
        recipe("bad/no-frames.npz", "No poses.", pack(&[("poses.npy", Npy::new("<f8", "(0, 66)", vec![]))])),
        recipe(
            "bad/trans-length.npz",
            "Fewer places than poses.",
            amass(22, &[("trans.npy", Npy::rows(&trans(2)))]),
        ),
        recipe("bad/no-trans.npz", "No places.", {
            pack(&[("poses.npy", Npy::rows(&poses(22, 3))), ("mocap_framerate.npy", Npy::number(60.0))])
        }),
        recipe("bad/no-rate.npz", "No rate.", {
            pack(&[("poses.npy", Npy::rows(&poses(22, 3))), ("trans.npy", Npy::rows(&trans(3)))])
        }),
        recipe(
            "bad/rate-zero.npz",
            "A rate of zero.",
            amass(22, &[("mocap_framerate.npy", Npy::number(0.0))]),
        ),
        limited(
            "bad/rate-zero-but-told.npz",
            "The same, with the rate told.",
            "[read]\nrate_hz = 50.0\n",
            amass(22, &[("mocap_framerate.npy", Npy::number(0.0))]),
        ),
        recipe(
            "bad/nan-first.npz",
            "A value of the first frame is not a number.",
            amass(22, &[("poses.npy", with_value(0, 7, f64::NAN))]),
        ),
        recipe(
            "bad/nan-later.npz",
            "A value of a later frame is not a number.",
            amass(22, &[("poses.npy", with_value(2, 7, f64::NAN))]),
        ),
        recipe("bad/huge-angle.npz", "No angle.", amass(22, &[("poses.npy", with_value(1, 9, 1e30))])),
        recipe("bad/lying.npz", "A figure that stands along Y, though the layout says Z.", {
            let mut rows = poses(22, 3);
            rows.iter_mut().for_each(|row| row[..3].fill(0.0));
            let places = vec![vec![0.0, 0.97, 0.0]; 3];
            amass(22, &[("poses.npy", Npy::rows(&rows)), ("trans.npy", Npy::rows(&places))])
        }),
        limited(
            "bad/limit-inflated.npz",
            "More inflated bytes than the reader was told to take.",
            "[read.limits]\ninflated_bytes = 1000\n",
            amass(22, &[]),
        ),
        limited(
            "bad/limit-frames.npz",
            "More frames than the reader was told to take.",
            "[read.limits]\nframes = 2\n",
            amass(22, &[]),
        ),
        limited(
            "bad/limit-memory.npz",
            "More memory than the reader was told to take.",
            "[read.limits]\nmemory_bytes = 1000\n",
            amass(22, &[]),
        ),
    ]
}
