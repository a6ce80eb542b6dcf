//! Files of other programs, if they are available.

use marey_formats::file::read_file;
use marey_formats::{Format, ReadOptions};

/// Joints, takes and frames of the first take of each file.
const FILES: [(&str, usize, usize, usize); 9] = [
    ("gltf/assimp/simple_skin.gltf", 2, 1, 133),
    ("gltf/khronos/AnimatedTriangle/glTF/AnimatedTriangle.gltf", 1, 1, 25),
    ("gltf/khronos/BoxAnimated/glTF-Binary/BoxAnimated.glb", 3, 1, 90),
    ("gltf/khronos/CesiumMan/glTF-Binary/CesiumMan.glb", 19, 1, 48),
    ("gltf/khronos/Fox/glTF-Binary/Fox.glb", 24, 3, 83),
    ("gltf/khronos/RiggedFigure/glTF/RiggedFigure.gltf", 19, 1, 31),
    ("gltf/khronos/RiggedSimple/glTF-Embedded/RiggedSimple.gltf", 2, 1, 50),
    ("gltf/khronos/SimpleSkin/glTF-Embedded/SimpleSkin.gltf", 2, 1, 133),
    ("vrm/three-vrm/test.vrma", 51, 1, 73),
];

#[test]
fn files_of_other_programs_are_read() {
    let Some(folder) = marey_capture::folder("conformance") else { return };
    for (name, joints, takes, frames) in FILES {
        let import =
            read_file(&folder.join(name), &ReadOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let take = import.take().unwrap();
        let found = (take.first().skeleton().len(), import.takes().len(), take.frames());
        assert_eq!(found, (joints, takes, frames), "{name}");
    }
}

#[test]
fn every_available_file_is_read() {
    let Some(folder) = marey_capture::folder("conformance") else { return };
    let endings = ["gltf", "glb", "vrm", "vrma"];
    let files: Vec<_> = endings.iter().flat_map(|ending| marey_capture::files(&folder, ending)).collect();
    assert!(files.len() >= FILES.len());
    for path in files {
        let import = read_file(&path, &ReadOptions::default());
        let import = import.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(matches!(import.format, Format::Gltf | Format::Glb));
    }
}
