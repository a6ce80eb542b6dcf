//! The places in a glTF that refer to an element by its index.
//!
//! Merging appends the elements of one file to those of another, so that every index in the first file stays valid and every index
//! in the second grows by the number of elements that were there before.

use super::json_tree::JsonTree;

/// Lists of elements that indices refer to: the path of each from the top of the file.
pub(super) const LISTS: [&str; 19] = [
    "accessors",
    "animations",
    "bufferViews",
    "buffers",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
    "extensions/KHR_lights_punctual/lights",
    "extensions/KHR_materials_variants/variants",
    "extensions/KHR_xmp_json_ld/packets",
    "extensions/VRMC_springBone/colliders",
    "extensions/VRMC_springBone/colliderGroups",
    "extensions/VRMC_springBone/springs",
];

/// Paths of references, and the lists that they refer to. `*` stands for any index or name. Buffers of views are not listed, because
/// their content moves; see `merge.rs`.
const REFERENCES: [(&str, &str); 63] = [
    ("accessors/*/bufferView", "bufferViews"),
    ("accessors/*/sparse/indices/bufferView", "bufferViews"),
    ("accessors/*/sparse/values/bufferView", "bufferViews"),
    ("animations/*/channels/*/target/node", "nodes"),
    ("animations/*/samplers/*/input", "accessors"),
    ("animations/*/samplers/*/output", "accessors"),
    ("images/*/bufferView", "bufferViews"),
    ("meshes/*/primitives/*/attributes/*", "accessors"),
    ("meshes/*/primitives/*/indices", "accessors"),
    ("meshes/*/primitives/*/material", "materials"),
    ("meshes/*/primitives/*/targets/*/*", "accessors"),
    ("nodes/*/camera", "cameras"),
    ("nodes/*/children/*", "nodes"),
    ("nodes/*/mesh", "meshes"),
    ("nodes/*/skin", "skins"),
    ("scenes/*/nodes/*", "nodes"),
    ("skins/*/inverseBindMatrices", "accessors"),
    ("skins/*/joints/*", "nodes"),
    ("skins/*/skeleton", "nodes"),
    ("textures/*/sampler", "samplers"),
    ("textures/*/source", "images"),
    // Extensions of the Khronos Group and of several vendors.
    ("asset/extensions/KHR_xmp_json_ld/packet", "extensions/KHR_xmp_json_ld/packets"),
    ("meshes/*/primitives/*/extensions/KHR_draco_mesh_compression/bufferView", "bufferViews"),
    ("meshes/*/primitives/*/extensions/KHR_materials_variants/mappings/*/material", "materials"),
    (
        "meshes/*/primitives/*/extensions/KHR_materials_variants/mappings/*/variants/*",
        "extensions/KHR_materials_variants/variants",
    ),
    ("nodes/*/extensions/EXT_mesh_gpu_instancing/attributes/*", "accessors"),
    ("nodes/*/extensions/KHR_lights_punctual/light", "extensions/KHR_lights_punctual/lights"),
    ("scenes/*/extensions/KHR_xmp_json_ld/packet", "extensions/KHR_xmp_json_ld/packets"),
    ("nodes/*/extensions/KHR_xmp_json_ld/packet", "extensions/KHR_xmp_json_ld/packets"),
    ("meshes/*/extensions/KHR_xmp_json_ld/packet", "extensions/KHR_xmp_json_ld/packets"),
    ("materials/*/extensions/KHR_xmp_json_ld/packet", "extensions/KHR_xmp_json_ld/packets"),
    ("images/*/extensions/KHR_xmp_json_ld/packet", "extensions/KHR_xmp_json_ld/packets"),
    ("animations/*/extensions/KHR_xmp_json_ld/packet", "extensions/KHR_xmp_json_ld/packets"),
    ("textures/*/extensions/EXT_texture_avif/source", "images"),
    ("textures/*/extensions/EXT_texture_webp/source", "images"),
    ("textures/*/extensions/KHR_texture_basisu/source", "images"),
    ("textures/*/extensions/MSFT_texture_dds/source", "images"),
    // VRM 1.
    ("nodes/*/extensions/VRMC_node_constraint/constraint/*/source", "nodes"),
    ("extensions/VRMC_vrm/meta/thumbnailImage", "images"),
    ("extensions/VRMC_vrm/humanoid/humanBones/*/node", "nodes"),
    ("extensions/VRMC_vrm/firstPerson/meshAnnotations/*/node", "nodes"),
    ("extensions/VRMC_vrm/expressions/*/*/morphTargetBinds/*/node", "nodes"),
    ("extensions/VRMC_vrm/expressions/*/*/materialColorBinds/*/material", "materials"),
    ("extensions/VRMC_vrm/expressions/*/*/textureTransformBinds/*/material", "materials"),
    ("extensions/VRMC_springBone/colliders/*/node", "nodes"),
    ("extensions/VRMC_springBone/colliderGroups/*/colliders/*", "extensions/VRMC_springBone/colliders"),
    ("extensions/VRMC_springBone/springs/*/joints/*/node", "nodes"),
    ("extensions/VRMC_springBone/springs/*/colliderGroups/*", "extensions/VRMC_springBone/colliderGroups"),
    ("extensions/VRMC_springBone/springs/*/center", "nodes"),
    ("extensions/VRMC_vrm_animation/humanoid/humanBones/*/node", "nodes"),
    ("extensions/VRMC_vrm_animation/expressions/*/*/node", "nodes"),
    ("extensions/VRMC_vrm_animation/lookAt/node", "nodes"),
    // VRM 0.
    ("extensions/VRM/meta/texture", "textures"),
    ("extensions/VRM/humanoid/humanBones/*/node", "nodes"),
    ("extensions/VRM/firstPerson/firstPersonBone", "nodes"),
    ("extensions/VRM/firstPerson/meshAnnotations/*/mesh", "meshes"),
    ("extensions/VRM/blendShapeMaster/blendShapeGroups/*/binds/*/mesh", "meshes"),
    ("extensions/VRM/secondaryAnimation/boneGroups/*/center", "nodes"),
    ("extensions/VRM/secondaryAnimation/boneGroups/*/bones/*", "nodes"),
    ("extensions/VRM/secondaryAnimation/colliderGroups/*/node", "nodes"),
    ("extensions/VRM/materialProperties/*/textureProperties/*", "textures"),
    // Older extensions.
    ("nodes/*/extensions/MSFT_lod/ids/*", "nodes"),
    ("materials/*/extensions/MSFT_lod/ids/*", "materials"),
];

/// Extensions whose references are renumbered, or that have none.
const KNOWN: [&str; 18] = [
    "EXT_mesh_gpu_instancing",
    "EXT_meshopt_compression",
    "EXT_texture_avif",
    "EXT_texture_webp",
    "KHR_animation_pointer",
    "KHR_draco_mesh_compression",
    "KHR_lights_punctual",
    "KHR_mesh_quantization",
    "KHR_meshopt_compression",
    "KHR_node_visibility",
    "KHR_xmp_json_ld",
    "MSFT_lod",
    "MSFT_texture_dds",
    "VRM",
    "VRMC_node_constraint",
    "VRMC_springBone",
    "VRMC_vrm",
    "VRMC_vrm_animation",
];

/// Whether every reference of an extension is renumbered. Extensions of materials refer to textures only.
pub(super) fn is_known(extension: &str) -> bool {
    let of_surfaces = ["KHR_materials_", "KHR_texture_", "EXT_materials_", "VRMC_materials_"];
    KNOWN.contains(&extension) || of_surfaces.iter().any(|start| extension.starts_with(start))
}

/// Adds to every index in a file the number of elements that its list is appended to.
pub(super) fn renumber(tree: &mut JsonTree, before: &dyn Fn(&str) -> usize) {
    for (path, list) in REFERENCES {
        let added = before(list);
        let parts: Vec<&str> = path.split('/').collect();
        visit(tree, &parts, &mut |value| add(value, added));
    }
    let textures = before("textures");
    visit(tree, &["materials", "*"], &mut |material| renumber_textures(material, textures));
    let pointer =
        ["animations", "*", "channels", "*", "target", "extensions", "KHR_animation_pointer", "pointer"];
    visit(tree, &pointer, &mut |pointer| renumber_pointer(pointer, before));
}

/// Calls a function for every value at a path.
pub(super) fn visit(tree: &mut JsonTree, path: &[&str], change: &mut dyn FnMut(&mut JsonTree)) {
    let Some((first, rest)) = path.split_first() else { return change(tree) };
    match tree {
        JsonTree::Object(members) => {
            for (_, value) in members.iter_mut().filter(|(key, _)| *first == "*" || key == first) {
                visit(value, rest, change);
            }
        }
        JsonTree::Array(items) if *first == "*" => {
            items.iter_mut().for_each(|item| visit(item, rest, change));
        }
        _ => {}
    }
}

/// Adds to an index. Negative numbers, which VRM 0 uses for "none", stay.
fn add(value: &mut JsonTree, added: usize) {
    if let Some(index) = value.index() {
        *value = JsonTree::number(index.saturating_add(added));
    }
}

/// Renumbers the textures of a material and its extensions: the `index` of every member whose name ends in `Texture`.
fn renumber_textures(tree: &mut JsonTree, added: usize) {
    let JsonTree::Object(members) = tree else { return };
    for (key, value) in members.iter_mut().filter(|(key, _)| key != "extras") {
        if key.ends_with("Texture")
            && let Some(index) = value.get_mut("index")
        {
            add(index, added);
        }
        renumber_textures(value, added);
    }
}

/// Renumbers the element that a JSON pointer names: `/nodes/3/translation`.
fn renumber_pointer(pointer: &mut JsonTree, before: &dyn Fn(&str) -> usize) {
    let Some(text) = pointer.text() else { return };
    let found = LISTS.iter().find_map(|list| {
        let rest = text.strip_prefix('/')?.strip_prefix(list)?.strip_prefix('/')?;
        let (index, rest) = rest.split_once('/').map_or((rest, None), |(index, rest)| (index, Some(rest)));
        Some((list, index.parse::<usize>().ok()?, rest))
    });
    if let Some((list, index, rest)) = found {
        let rest = rest.map_or_else(String::new, |rest| format!("/{rest}"));
        *pointer = JsonTree::string(&format!("/{list}/{}{rest}", index.saturating_add(before(list))));
    }
}

/// The names of all extensions in a file, sorted.
pub(super) fn extensions(tree: &JsonTree) -> Vec<String> {
    let mut names: Vec<String> = tree.items("extensionsUsed").iter().filter_map(JsonTree::text).collect();
    collect(tree, &mut names);
    names.sort();
    names.dedup();
    names
}

fn collect(tree: &JsonTree, names: &mut Vec<String>) {
    match tree {
        JsonTree::Object(members) => {
            for (key, value) in members.iter().filter(|(key, _)| key != "extras") {
                if let (true, JsonTree::Object(extensions)) = (key == "extensions", value) {
                    names.extend(extensions.iter().map(|(name, _)| name.clone()));
                }
                collect(value, names);
            }
        }
        JsonTree::Array(items) => items.iter().for_each(|item| collect(item, names)),
        JsonTree::Plain(_) => {}
    }
}
