//! A second BVH reader that checks the first: slow, strict, in `f64`, and obviously correct.
//!
//! It splits the text on blanks and multiplies matrices in the order of the channels. It shares no code with the reader that it
//! checks, and makes no decisions: the caller passes the meaning of position channels.

use marey_formats::bvh::PositionChannels;

/// Three numbers.
pub(crate) type Vector = [f64; 3];

/// Rows of a rotation.
type Matrix = [Vector; 3];

const IDENTITY: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];

/// World positions in the file's units and axes.
pub(crate) struct Plain {
    pub(crate) figures: Vec<Figure>,
    /// World positions of all joints and End Sites of all figures, frame by frame.
    frames: Vec<Vec<Vector>>,
}

/// One figure: indices among the file's joints.
pub(crate) struct Figure {
    pub(crate) joints: Vec<usize>,
    pub(crate) end_sites: Vec<usize>,
}

impl Plain {
    pub(crate) fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// The position of a joint or End Site in a frame.
    pub(crate) fn at(&self, frame: usize, joint: usize) -> Vector {
        self.frames[frame][joint]
    }
}

/// The meaning of position channels: of the root, and of the other joints.
#[derive(Clone, Copy)]
pub(crate) struct Meaning {
    pub(crate) root: PositionChannels,
    pub(crate) joints: PositionChannels,
}

#[derive(Default)]
struct Joint {
    parent: Option<usize>,
    is_end_site: bool,
    offset: Vector,
    channels: Vec<String>,
}

/// Reads a file.
pub(crate) fn read(bytes: &[u8], meaning: Meaning) -> Plain {
    let text = spaced_out(&decoded(bytes));
    let mut words = text.split_whitespace();
    let joints = tree(&mut words);
    let mut figures: Vec<Figure> = Vec::new();
    for (i, joint) in joints.iter().enumerate() {
        if joint.parent.is_none() {
            figures.push(Figure { joints: vec![], end_sites: vec![] });
        }
        let figure = figures.last_mut().unwrap();
        if joint.is_end_site { figure.end_sites.push(i) } else { figure.joints.push(i) }
    }
    let width: usize = joints.iter().map(|joint| joint.channels.len()).sum();
    let numbers = table(&mut words);
    assert_eq!(numbers.len() % width, 0, "frames are incomplete");
    let frames = numbers.chunks(width).map(|row| world_positions(&joints, row, meaning)).collect();
    Plain { figures, frames }
}

/// The text of a file: UTF-16 if it starts with a byte-order mark, else UTF-8 with replacement characters.
fn decoded(bytes: &[u8]) -> String {
    let wide = |rest: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = rest.chunks(2).map(|pair| unit([pair[0], pair[1]])).collect();
        String::from_utf16(&units).unwrap()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes).trim_start_matches('\u{feff}').to_owned(),
    }
}

/// The text with blanks between all words and numbers, decimal points instead of commas, and no comments.
fn spaced_out(text: &str) -> String {
    let mut spaced = String::new();
    for line in text.split(['\n', '\r']) {
        let line = line.split('#').next().unwrap().split("//").next().unwrap();
        let characters: Vec<char> = line.chars().collect();
        for (i, &c) in characters.iter().enumerate() {
            let before = i.checked_sub(1).map_or(' ', |b| characters[b]);
            let after = characters.get(i + 1).copied().unwrap_or(' ');
            match c {
                '{' | '}' => spaced.extend([' ', c, ' ']),
                '-' | '+' if before.is_ascii_digit() => spaced.extend([' ', c]),
                ',' if before.is_ascii_digit() && after.is_ascii_digit() => spaced.push('.'),
                _ => spaced.push(c),
            }
        }
        spaced.push('\n');
    }
    spaced
}

/// The joints up to the word MOTION.
fn tree<'a>(words: &mut impl Iterator<Item = &'a str>) -> Vec<Joint> {
    let mut joints: Vec<Joint> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    loop {
        match words.next().unwrap().to_uppercase().as_str() {
            "HIERARCHY" => {}
            keyword @ ("ROOT" | "JOINT" | "END" | "ENDSITE") => {
                let parent = open.last().copied();
                open.push(joints.len());
                joints.push(Joint { parent, is_end_site: keyword.starts_with("END"), ..Joint::default() });
                // The name, which may contain blanks.
                assert!(words.any(|word| word == "{"));
            }
            "OFFSET" => {
                joints[*open.last().unwrap()].offset = [0, 1, 2].map(|_| number(words.next().unwrap()))
            }
            "CHANNELS" => {
                let count = words.next().unwrap().parse().unwrap();
                let channels = (0..count).map(|_| words.next().unwrap().to_uppercase());
                joints[*open.last().unwrap()].channels = channels.collect();
            }
            "}" => drop(open.pop().unwrap()),
            "MOTION" => return joints,
            other => panic!("{other} in the tree"),
        }
    }
}

/// The numbers after `Frames: n` and `Frame Time: t` or `FPS: r`.
fn table<'a>(words: &mut impl Iterator<Item = &'a str>) -> Vec<f64> {
    let mut header: Vec<String> =
        vec![words.next().unwrap().to_uppercase(), words.next().unwrap().to_owned()];
    header.push(words.next().unwrap().to_uppercase());
    if header[2] == "FRAME" {
        header.push(words.next().unwrap().to_uppercase());
    }
    words.next().unwrap();
    assert_eq!(header[0], "FRAMES:");
    assert!(["TIME:", "FPS:"].contains(&header.last().unwrap().as_str()), "{header:?}");
    words.map(number).collect()
}

fn number(word: &str) -> f64 {
    word.parse().unwrap_or_else(|_| panic!("{word:?} is not a number"))
}

/// The position of each joint, from one row of the table.
fn world_positions(joints: &[Joint], row: &[f64], meaning: Meaning) -> Vec<Vector> {
    let mut values = row.iter();
    let mut world: Vec<(Matrix, Vector)> = Vec::new();
    for joint in joints {
        let meaning = if joint.parent.is_none() { meaning.root } else { meaning.joints };
        let (mut turn, mut place) = (IDENTITY, joint.offset);
        for channel in &joint.channels {
            let value = *values.next().unwrap();
            let axis = "XYZ".find(&channel[..1]).unwrap();
            match (&channel[1..], meaning) {
                ("ROTATION", _) => turn = product(turn, rotation(axis, value.to_radians())),
                ("POSITION", PositionChannels::Replace) => place[axis] = value,
                ("POSITION", PositionChannels::Add) => place[axis] = joint.offset[axis] + value,
                ("SCALE", _) => {}
                (other, _) => panic!("the channel {other}"),
            }
        }
        let (parent_turn, parent_place) = joint.parent.map_or((IDENTITY, [0.0; 3]), |parent| world[parent]);
        let moved = applied(parent_turn, place);
        world.push((product(parent_turn, turn), [0, 1, 2].map(|i| parent_place[i] + moved[i])));
    }
    world.into_iter().map(|(_, place)| place).collect()
}

/// The rotation about an axis by a right-handed angle.
fn rotation(axis: usize, angle_rad: f64) -> Matrix {
    let (s, c) = angle_rad.sin_cos();
    match axis {
        0 => [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]],
        1 => [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]],
        _ => [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]],
    }
}

fn applied(m: Matrix, v: Vector) -> Vector {
    m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

fn product(a: Matrix, b: Matrix) -> Matrix {
    let column = |j: usize| applied(a, [b[0][j], b[1][j], b[2][j]]);
    let columns = [column(0), column(1), column(2)];
    [0, 1, 2].map(|i| [columns[0][i], columns[1][i], columns[2][i]])
}
