//! Writes various GLB and glTF files into a folder, for the tests of `web/`, which load them in the validator and in a browser. A JSON
//! file beside each contains the positions of its joints in some frames.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use marey_examples::character::{CharacterFile, CharacterSettings, character};
use marey_examples::walk::{WalkSettings, walk};
use marey_formats::gltf::character::{GltfCharacter, animate};
use marey_formats::gltf::{self, Form, GltfOptions, Shape};
use marey_formats::{NoNeighbours, ReadOptions, read};
use marey_motion::{Actor, Clip, ClipParts, Ground, Joint, Quat, Role, Skeleton, Take, Tip, Vec3};
use marey_ops::keyframes::KeyTolerance;
use marey_ops::retarget::{Retarget, RetargetSettings};
use marey_ops::root::RootMotion;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).ok_or("name a folder to write to")?;
    let folder = Path::new(&folder);
    fs::create_dir_all(folder)?;
    let walk = walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() })?.take;
    let usual = GltfOptions::default();
    let samples = [
        ("walk", walk.clone(), usual),
        ("walk-text", cut(&walk, 20)?, GltfOptions { form: Form::Text, ..usual }),
        ("walk-without-mesh", cut(&walk, 20)?, GltfOptions { shape: Shape::None, ..usual }),
        ("walk-in-place", rooted(&cut(&walk, 90)?, RootMotion::InPlace)?, usual),
        ("walk-root-bone", rooted(&cut(&walk, 90)?, RootMotion::Bone)?, usual),
        ("walk-reduced", cut(&walk, 90)?, GltfOptions { reduce: Some(KeyTolerance::Metres(0.002)), ..usual }),
        ("pair", pair(&cut(&walk, 60)?)?, usual),
        ("one-frame", cut(&walk, 1)?, usual),
        ("still", still(&walk)?, usual),
        ("odd-names", odd_names(&cut(&walk, 20)?)?, usual),
        ("snake", snake(40)?, usual),
        ("many-joints", snake(300)?, usual),
        ("point", snake(1)?, usual),
        ("no-length", no_length()?, usual),
        ("movers", movers()?, usual),
        ("folded-legs", folded_legs()?, usual),
    ];
    for (name, take, options) in samples {
        let (bytes, _) = gltf::write(&take, &options)?;
        let ending = if options.form == Form::Text { "gltf" } else { "glb" };
        fs::write(folder.join(format!("{name}.{ending}")), &bytes)?;
        // Without some of its keyframes, the motion differs from the take.
        let again = gltf::read(&bytes, &Default::default(), &marey_formats::NoNeighbours)?;
        let truth = truth(if options.reduce.is_some() { &again.takes[0] } else { &take });
        fs::write(folder.join(format!("{name}.{ending}.truth.json")), serde_json::to_vec(&truth)?)?;
    }
    characters(folder, &cut(&walk, 90)?)?;
    vrm_animations(&folder.join("vrma"), &cut(&walk, 90)?)
}

/// Writes VRM animations of a walk, made on the body of a VRM character and on another one. The truth is the walk on that character.
fn vrm_animations(folder: &Path, walk: &Take) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let original =
        character(&CharacterSettings { file: CharacterFile::Vrm1, ..CharacterSettings::default() })?;
    let (model, _) = GltfCharacter::read(&original, None, &ReadOptions::default(), &NoNeighbours)?;
    let retarget =
        Retarget::new(walk.first().skeleton(), model.skeleton.clone(), &RetargetSettings::default())?;
    let own = Take::solo("walk", retarget.apply(walk.first())?);
    let clip = own.first();
    let frame = |frame: usize| {
        let world = clip.world();
        let bone = |(role, joint): (Role, usize)| {
            let name = role.name();
            (
                name[..1].to_lowercase() + &name[1..],
                serde_json::json!(world.positions_at(frame)[joint].to_array()),
            )
        };
        let bones: serde_json::Map<_, _> = clip.skeleton().roles().map(bone).collect();
        serde_json::json!({ "secs": frame as f64 / clip.rate_hz(), "bones": bones })
    };
    let frames: Vec<_> = (0..clip.frames()).step_by(10).chain([clip.frames() - 1]).map(frame).collect();
    for (name, take) in [("own", &own), ("other", walk)] {
        fs::write(folder.join(format!("{name}.vrma")), gltf::write_vrma(take)?.0)?;
        let truth = serde_json::to_vec(&serde_json::json!({ "frames": frames }))?;
        fs::write(folder.join(format!("{name}.vrma.truth.json")), truth)?;
    }
    Ok(())
}

/// Writes characters that walk, alone and together. The folder `originals` has them as they were.
fn characters(folder: &Path, walk: &Take) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder.join("originals"))?;
    let kinds = [
        ("hero", CharacterFile::Glb),
        ("hero-armature", CharacterFile::Armature),
        ("hero-vrm0", CharacterFile::Vrm0),
        ("hero-vrm1", CharacterFile::Vrm1),
    ];
    let mut all: Vec<(GltfCharacter, Clip)> = Vec::new();
    for (name, file) in kinds {
        let original = character(&CharacterSettings { file, ..CharacterSettings::default() })?;
        fs::write(folder.join(format!("originals/{name}.glb")), &original)?;
        let (model, _) = GltfCharacter::read(&original, None, &ReadOptions::default(), &NoNeighbours)?;
        let retarget =
            Retarget::new(walk.first().skeleton(), model.skeleton.clone(), &RetargetSettings::default())?;
        let clip = retarget.apply(walk.first())?;
        let take = Take::solo("walk", clip.clone());
        write_characters(folder, name, &[&model], &take)?;
        all.push((model, clip.moved(Ground::new(all.len() as f32, 0.0, 0.0))));
    }
    let models: Vec<&GltfCharacter> = all.iter().map(|(model, _)| model).collect();
    let actors =
        all.iter().enumerate().map(|(n, (_, clip))| Actor { name: n.to_string(), clip: clip.clone() });
    write_characters(folder, "heroes", &models, &Take::new("walk", actors.collect())?)
}

fn write_characters(
    folder: &Path,
    name: &str,
    models: &[&GltfCharacter],
    take: &Take,
) -> Result<(), Box<dyn Error>> {
    let (bytes, _) = animate(models, &[take], None, Form::Binary)?;
    fs::write(folder.join(format!("{name}.glb")), bytes)?;
    let truth = truth(take);
    Ok(fs::write(folder.join(format!("{name}.glb.truth.json")), serde_json::to_vec(&truth)?)?)
}

/// The take with its travel elsewhere.
fn rooted(take: &Take, root: RootMotion) -> Result<Take, Box<dyn Error>> {
    Ok(Take::solo("walk", root.apply(take.first().clone(), "root")?))
}

/// The position of each joint in some frames.
fn truth(take: &Take) -> serde_json::Value {
    let last = take.frames() - 1;
    let mut frames: Vec<usize> =
        [0, 1, last / 3, last / 2, last].into_iter().filter(|f| *f <= last).collect();
    frames.dedup();
    let frame = |frame: usize| {
        let actors: Vec<Vec<[f32; 3]>> = take
            .actors()
            .iter()
            .map(|actor| actor.clip.world().positions_at(frame).iter().map(|at| at.to_array()).collect())
            .collect();
        serde_json::json!({ "secs": frame as f64 / take.rate_hz(), "actors": actors })
    };
    serde_json::json!({ "frames": frames.into_iter().map(frame).collect::<Vec<_>>() })
}

fn cut(take: &Take, frames: usize) -> Result<Take, marey_motion::MotionError> {
    let start = if frames == 1 { 0 } else { 60 };
    Ok(Take::solo(take.name(), take.first().slice(start..start + frames)?))
}

/// Two people who walk side by side.
fn pair(take: &Take) -> Result<Take, marey_motion::MotionError> {
    let mut parts = take.first().clone().into_parts();
    parts.positions.iter_mut().for_each(|place| place.x += 1.0);
    let beside = Clip::new(take.first().skeleton().clone(), take.rate_hz(), parts)?;
    let actor = |name: &str, clip: Clip| Actor { name: name.into(), clip };
    Take::new("pair", vec![actor("leader", take.first().clone()), actor("follower", beside)])
}

/// A person who stands still.
fn still(take: &Take) -> Result<Take, marey_motion::MotionError> {
    Ok(Take::solo("still", Clip::concat(&vec![take.first().slice(0..1)?; 12])?))
}

fn odd_names(take: &Take) -> Result<Take, marey_motion::MotionError> {
    let skeleton = take.first().skeleton();
    let odd = ["a b", "", "a.b", "x:y/z", "\"quoted\"", "[0]", "ünï ❄", "tab\there", "a b_1", "node"];
    let name = |i: usize| odd.get(i).map_or_else(|| format!("joint.{i}"), |name| (*name).to_owned());
    let joints =
        skeleton.joints().iter().enumerate().map(|(i, joint)| Joint { name: name(i), ..joint.clone() });
    let skeleton = Skeleton::new(joints.collect(), skeleton.tips().to_vec())?;
    Ok(Take::solo("odd \\ \"names\"", take.first().clone().with_skeleton(Arc::new(skeleton))?))
}

/// A winding chain, which is not a person.
fn snake(joints: usize) -> Result<Take, marey_motion::MotionError> {
    let joint =
        |i: usize| Joint::new(format!("s{i}"), i.checked_sub(1), Vec3::new(0.0, 0.0, 0.05 * i.min(1) as f32));
    let skeleton = Arc::new(Skeleton::new((0..joints).map(joint).collect(), vec![])?);
    let mut parts = ClipParts::default();
    for frame in 0..30 {
        let turn = |i: usize| Quat::from_rotation_y(0.2 * (0.3 * i as f32 + 0.2 * frame as f32).sin());
        parts.rotations.extend((0..joints).map(turn));
        parts.positions.push(Vec3::new(0.0, 0.1, 0.02 * frame as f32));
    }
    Ok(Take::solo("snake", Clip::new(skeleton, 24.0, parts)?))
}

/// A figure whose bones have no length except for a tip.
fn no_length() -> Result<Take, marey_motion::MotionError> {
    let joints = (0..4).map(|i: usize| Joint::new(format!("j{i}"), i.checked_sub(1), Vec3::ZERO)).collect();
    let skeleton = Arc::new(Skeleton::new(joints, vec![Tip { parent: 3, offset: Vec3::X }])?);
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; 8], positions: vec![Vec3::Y, Vec3::ONE] };
    Ok(Take::solo("no length", Clip::new(skeleton, 30.0, parts)?))
}

/// A root and a joint below it that also moves, both rotated at rest.
fn movers() -> Result<Take, marey_motion::MotionError> {
    let quarter = Quat::from_rotation_z(std::f32::consts::FRAC_PI_2);
    let mut joints = vec![
        Joint::new("root", None, Vec3::new(5.0, -3.0, 2.0)),
        Joint::new("slide", Some(0), Vec3::X),
        Joint::new("end", Some(1), Vec3::X),
    ];
    joints[1].moves = true;
    joints[0].rest_rotation = quarter;
    joints[1].rest_rotation = quarter.inverse();
    let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
    let mut parts = ClipParts::default();
    for frame in 0..25 {
        let turn = Quat::from_rotation_x(0.1 * frame as f32);
        parts.rotations.extend([turn, quarter, turn]);
        parts.positions.extend([Vec3::Y * frame as f32 * 0.01, Vec3::X * (1.0 + 0.02 * frame as f32)]);
    }
    Ok(Take::solo("movers", Clip::new(skeleton, 119.88, parts)?))
}

/// A person whose rest pose is a frame of the motion.
fn folded_legs() -> Result<Take, Box<dyn Error>> {
    let bytes = include_bytes!("../../../fixtures/bvh/good/person-with-folded-legs.bvh");
    Ok(read(bytes, Some("bvh"), &ReadOptions::default())?.into_first()?.take)
}
