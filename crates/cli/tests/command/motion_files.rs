//! Small motion files, made here.

use std::fmt::Write;

/// Joints of a person 1.77 m tall, in centimetres: depth, name, offset. What has no name is an End Site.
const PERSON: [(usize, &str, [i32; 3]); 23] = [
    (0, "Hips", [0, 0, 0]),
    (1, "Spine", [0, 12, 0]),
    (2, "Neck", [0, 40, 0]),
    (3, "Head", [0, 12, 0]),
    (4, "", [0, 20, 0]),
    (2, "LeftArm", [18, 36, 0]),
    (3, "LeftForeArm", [28, 0, 0]),
    (4, "LeftHand", [25, 0, 0]),
    (5, "", [17, 0, 0]),
    (2, "RightArm", [-18, 36, 0]),
    (3, "RightForeArm", [-28, 0, 0]),
    (4, "RightHand", [-25, 0, 0]),
    (5, "", [-17, 0, 0]),
    (1, "LeftUpLeg", [9, 0, 0]),
    (2, "LeftLeg", [0, -43, 0]),
    (3, "LeftFoot", [0, -43, 0]),
    (4, "LeftToeBase", [0, -7, 13]),
    (5, "", [0, 0, 7]),
    (1, "RightUpLeg", [-9, 0, 0]),
    (2, "RightLeg", [0, -43, 0]),
    (3, "RightFoot", [0, -43, 0]),
    (4, "RightToeBase", [0, -7, 13]),
    (5, "", [0, 0, 7]),
];

/// How many joints the person has.
pub(crate) const JOINTS: usize = 18;

/// The person's tree, its root under a name of its own.
fn tree(root: &str) -> String {
    let mut text = String::new();
    let mut open = 0;
    for (depth, name, [x, y, z]) in PERSON {
        text += &"}\n".repeat(open - depth);
        let title = match (depth, name) {
            (0, _) => format!("ROOT {root}"),
            (_, "") => "End Site".to_owned(),
            _ => format!("JOINT {name}"),
        };
        let channels = match (depth, name) {
            (0, _) => "CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n",
            (_, "") => "",
            _ => "CHANNELS 3 Zrotation Xrotation Yrotation\n",
        };
        write!(text, "{title}\n{{\nOFFSET {x} {y} {z}\n{channels}").unwrap();
        open = depth + 1;
    }
    text + &"}\n".repeat(open)
}

/// A frame: hips at a place, arms lowered by an angle.
fn frame(x: f32, z: f32, arms_deg: f32) -> String {
    let mut values = vec![x, 93.0, z];
    for (_, name, _) in PERSON.iter().filter(|(_, name, _)| !name.is_empty()) {
        let lowered = match *name {
            "LeftArm" => -arms_deg,
            "RightArm" => arms_deg,
            _ => 0.0,
        };
        values.extend([lowered, 0.0, 0.0]);
    }
    values.iter().map(f32::to_string).collect::<Vec<_>>().join(" ")
}

fn motion(rows: &[String]) -> String {
    format!("MOTION\nFrames: {}\nFrame Time: 0.0333333\n{}\n", rows.len(), rows.join("\n"))
}

/// A person who stands for a number of frames and slowly lowers the arms.
pub(crate) fn standing(frames: usize) -> String {
    let rows: Vec<String> = (0..frames).map(|i| frame(0.0, 0.0, 60.0 + i as f32 * 0.5)).collect();
    format!("HIERARCHY\n{}{}", tree("Hips"), motion(&rows))
}

/// The same with a calibration pose in frame 0.
pub(crate) fn calibrated(frames: usize) -> String {
    let rows: Vec<String> =
        (0..frames).map(|i| frame(0.0, 0.0, if i == 0 { 0.0 } else { 60.0 + i as f32 * 0.5 })).collect();
    format!("HIERARCHY\n{}{}", tree("Hips"), motion(&rows))
}

/// Two persons who stand a metre apart.
pub(crate) fn pair(frames: usize) -> String {
    let rows: Vec<String> =
        (0..frames).map(|_| format!("{} {}", frame(-50.0, 0.0, 70.0), frame(50.0, 0.0, 75.0))).collect();
    format!("HIERARCHY\n{}{}{}", tree("Ann"), tree("Bob"), motion(&rows))
}

/// A file that is refused, at a known place.
pub(crate) const BAD: &str = "HIERARCHY\nROOT Hips\n{\nOFFSET 0 zero 0\n}\n";
