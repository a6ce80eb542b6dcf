//! A slow, simple second reader for good Acclaim files, directly from the definition: for every joint it multiplies the matrices C, B
//! and C⁻¹ in `f64`. It shares no code with the reader.

use std::collections::HashMap;

use glam::{DMat3, DVec3};

/// Positions of the joints and tips of a motion, in file units.
pub(crate) struct Plain {
    /// Joints, the root first, by name.
    pub(crate) joints: Vec<String>,
    /// The start of each bone in each frame.
    pub(crate) starts: Vec<Vec<DVec3>>,
    /// The end of each bone in each frame. The root ends at its start.
    pub(crate) ends: Vec<Vec<DVec3>>,
    /// Whether each joint has children.
    pub(crate) has_children: Vec<bool>,
    /// Whether each bone changes its length.
    pub(crate) stretches: Vec<bool>,
}

#[derive(Default)]
struct Bone {
    parent: Option<usize>,
    direction: DVec3,
    length: f64,
    axis: DVec3,
    axis_order: String,
    dof: Vec<String>,
}

/// The words of a text, line by line, without comments.
fn lines(bytes: &[u8]) -> Vec<Vec<String>> {
    let text = String::from_utf8_lossy(bytes).replace(['(', ')', ','], " ").replace('\r', "\n");
    let words =
        |line: &str| line.split('#').next().unwrap().split_whitespace().map(str::to_lowercase).collect();
    text.lines().map(words).filter(|line: &Vec<String>| !line.is_empty()).collect()
}

fn number(word: &str) -> f64 {
    word.parse().unwrap_or_else(|error| panic!("{word:?}: {error}"))
}

fn vector(words: &[String]) -> DVec3 {
    DVec3::new(number(&words[0]), number(&words[1]), number(&words[2]))
}

fn about(axis: char, angle: f64) -> DMat3 {
    match axis {
        'x' => DMat3::from_rotation_x(angle),
        'y' => DMat3::from_rotation_y(angle),
        'z' => DMat3::from_rotation_z(angle),
        other => panic!("axis {other:?}"),
    }
}

/// The rotation by three angles in an order. The first letter rotates first.
fn matrix(angles: DVec3, order: &str, unit: f64) -> DMat3 {
    let angle = |axis: char| angles["xyz".find(axis).unwrap()] * unit;
    order.chars().fold(DMat3::IDENTITY, |m, axis| about(axis, angle(axis)) * m)
}

/// Reads both files.
pub(crate) fn read(asf: &[u8], amc: &[u8]) -> Plain {
    let mut names = vec!["root".to_owned()];
    let mut bones: Vec<Bone> = vec![Bone { axis_order: "xyz".into(), ..Bone::default() }];
    let mut unit = 1f64.to_radians();
    let mut links: Vec<Vec<String>> = Vec::new();
    let mut position = DVec3::ZERO;
    let mut section = String::new();
    for line in lines(asf) {
        let word = line[0].as_str();
        if word.starts_with(':') {
            section = word.to_owned();
            continue;
        }
        let last = bones.last_mut().unwrap();
        match (section.as_str(), word) {
            (":units", "angle") => unit = if line[1].starts_with("rad") { 1.0 } else { 1f64.to_radians() },
            (":root", "order") => last.dof = line[1..].to_vec(),
            (":root", "axis") => last.axis_order = line[1].clone(),
            (":root", "position") => position = vector(&line[1..]),
            (":root", "orientation") => last.axis = vector(&line[1..]),
            (":bonedata", "begin") => bones.push(Bone::default()),
            (":bonedata", "name") => names.push(line[1].clone()),
            (":bonedata", "direction") => last.direction = vector(&line[1..]),
            (":bonedata", "length") => last.length = number(&line[1]),
            (":bonedata", "axis") => {
                last.axis = vector(&line[1..]);
                last.axis_order = line[4].clone();
            }
            (":bonedata", "dof") => last.dof = line[1..].to_vec(),
            (":hierarchy", "begin" | "end") => {}
            (":hierarchy", _) => links.push(line),
            _ => {}
        }
    }
    let index =
        |name: &String| names.iter().position(|n| n == name).unwrap_or_else(|| panic!("no bone {name}"));
    let mut has_children = vec![false; bones.len()];
    for link in &links {
        for child in &link[1..] {
            bones[index(child)].parent = Some(index(&link[0]));
            has_children[index(&link[0])] = true;
        }
    }

    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    let mut motion_unit = unit;
    let mut frame: HashMap<String, Vec<f64>> = HashMap::new();
    let mut all: Vec<HashMap<String, Vec<f64>>> = Vec::new();
    for line in lines(amc) {
        match line[0].as_str() {
            ":degrees" => motion_unit = 1f64.to_radians(),
            ":radians" => motion_unit = 1.0,
            word if word.starts_with(':') => {}
            word if line.len() == 1 && word.bytes().all(|b| b.is_ascii_digit()) => {
                if !frame.is_empty() {
                    all.push(frame.clone());
                }
            }
            _ => drop(frame.insert(line[0].clone(), line[1..].iter().map(|w| number(w)).collect())),
        }
    }
    all.push(frame);
    for frame in &all {
        let figure = Figure { names: &names, bones: &bones, unit, motion_unit, position, frame };
        let places: Vec<(DVec3, DVec3)> = (0..bones.len()).map(|bone| figure.place(bone)).collect();
        starts.push(places.iter().map(|place| place.0).collect());
        ends.push(places.iter().map(|place| place.1).collect());
    }
    let stretches = bones.iter().map(|bone| bone.dof.iter().any(|dof| dof == "l")).collect();
    Plain { joints: names, starts, ends, has_children, stretches }
}

/// One frame.
struct Figure<'a> {
    names: &'a [String],
    bones: &'a [Bone],
    unit: f64,
    motion_unit: f64,
    position: DVec3,
    frame: &'a HashMap<String, Vec<f64>>,
}

impl Figure<'_> {
    fn value(&self, bone: usize, dof: &str) -> Option<f64> {
        let index = self.bones[bone].dof.iter().position(|d| d == dof)?;
        Some(self.frame.get(&self.names[bone])?[index])
    }

    fn axes(&self, bone: usize) -> DMat3 {
        matrix(self.bones[bone].axis, &self.bones[bone].axis_order, self.unit)
    }

    /// The motion in the bone's own axes.
    fn turn(&self, bone: usize) -> DMat3 {
        let rotations = self.bones[bone].dof.iter().filter(|dof| dof.starts_with('r'));
        rotations.fold(DMat3::IDENTITY, |m, dof| {
            about(dof.chars().nth(1).unwrap(), self.value(bone, dof).unwrap_or(0.0) * self.motion_unit) * m
        })
    }

    fn shift(&self, bone: usize) -> DVec3 {
        DVec3::new(
            self.value(bone, "tx").unwrap_or(0.0),
            self.value(bone, "ty").unwrap_or(0.0),
            self.value(bone, "tz").unwrap_or(0.0),
        )
    }

    fn world_rotation(&self, bone: usize) -> DMat3 {
        let c = self.axes(bone);
        match self.bones[bone].parent {
            None => c * self.turn(bone),
            Some(parent) => self.world_rotation(parent) * c * self.turn(bone) * c.inverse(),
        }
    }

    /// The start and end of a bone.
    fn place(&self, bone: usize) -> (DVec3, DVec3) {
        let shift = self.axes(bone) * self.shift(bone);
        let start = match self.bones[bone].parent {
            None => self.position + shift,
            Some(parent) => self.place(parent).1 + self.world_rotation(parent) * shift,
        };
        let length = self.value(bone, "l").unwrap_or(self.bones[bone].length);
        (start, start + self.world_rotation(bone) * self.bones[bone].direction * length)
    }
}
