//! Merges the files of several characters into one.
//!
//! Elements of a further file are appended to those of the first, and its references are renumbered (`references.rs`). The first
//! file stays as it is. What a glTF can have only once stays that of the first file; a further one is kept in the extras, and
//! reported.

use std::collections::HashSet;

use marey_motion::{Place, Report};

use super::codes;
use super::embed::extend;
use super::json_tree::JsonTree;
use super::references::{LISTS, extensions, is_known, renumber, visit};

/// Lists that `merge` appends itself.
const LISTS_OF_ITS_OWN: [&str; 1] = ["buffers"];

/// Extensions of the whole file that hold one character.
const ONE_CHARACTER: [&str; 3] = ["VRM", "VRMC_vrm", "VRMC_vrm_animation"];

/// Extensions that compress a buffer view, whose content is in a buffer too.
const COMPRESSED_VIEWS: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// The member of the extras that keeps what a file can have only once.
const MERGED: &str = "merged";

/// Appends a file to another. Returns the number of nodes that were there before. `None` if a list is not an array.
pub(super) fn merge(
    tree: &mut JsonTree,
    content: &mut Vec<u8>,
    mut added: JsonTree,
    added_content: &[u8],
    report: &mut Report,
) -> Option<usize> {
    for name in extensions(&added).iter().filter(|name| !is_known(name)) {
        report.warn(&codes::UNKNOWN_EXTENSION, Place::default(), name.clone());
    }
    let counts: Vec<(&str, usize)> = LISTS.iter().map(|list| (*list, count(tree, list))).collect();
    let before = |list: &str| counts.iter().find(|(name, _)| *name == list).map_or(0, |(_, count)| *count);
    renumber(&mut added, &before);
    move_buffers(tree, content, &mut added, added_content)?;
    let shown = take_scene(&mut added);
    for list in LISTS.iter().filter(|list| !LISTS_OF_ITS_OWN.contains(list)) {
        let parts: Vec<&str> = list.split('/').collect();
        if let Some(items) = take_items(&mut added, &parts) {
            append(tree, &parts, items)?;
        }
    }
    show(tree, shown, before("nodes"))?;
    for list in ["extensionsUsed", "extensionsRequired"] {
        for name in added.remove(list).iter().flat_map(|names| match names {
            JsonTree::Array(names) => names.as_slice(),
            _ => &[],
        }) {
            let known = tree.items_mut(list)?;
            if !known.contains(name) {
                known.push(name.clone());
            }
        }
    }
    merge_extensions(tree, &mut added, before("materials"), report);
    keep_rest(tree, added, report);
    Some(before("nodes"))
}

fn count(tree: &JsonTree, list: &str) -> usize {
    let found = list.split('/').try_fold(tree, |tree, part| tree.get(part));
    match found {
        Some(JsonTree::Array(items)) => items.len(),
        _ => 0,
    }
}

/// Appends the first buffer of a file to that of another, and its other buffers to the list.
fn move_buffers(
    tree: &mut JsonTree,
    content: &mut Vec<u8>,
    added: &mut JsonTree,
    added_content: &[u8],
) -> Option<()> {
    let start = if added_content.is_empty() { 0 } else { extend(tree, content, added_content)? };
    let first = tree.items("buffers").len();
    // Buffer 0 becomes part of buffer 0; buffer n follows the buffers that are there.
    let move_view = |view: &mut JsonTree| match view.get("buffer").and_then(JsonTree::index) {
        Some(0) => {
            let offset = view.get("byteOffset").and_then(JsonTree::index).unwrap_or(0);
            view.set("byteOffset", JsonTree::number(start.saturating_add(offset)));
        }
        Some(buffer) => view.set("buffer", JsonTree::number(buffer.saturating_add(first).saturating_sub(1))),
        None => {}
    };
    visit(added, &["bufferViews", "*"], &mut |view| {
        move_view(view);
        for name in COMPRESSED_VIEWS {
            visit(view, &["extensions", name], &mut |compressed| move_view(compressed));
        }
    });
    if let Some(JsonTree::Array(buffers)) = added.remove("buffers") {
        tree.items_mut("buffers")?.extend(buffers.into_iter().skip(1));
    }
    Some(())
}

/// Removes the scene that a file shows, and returns the nodes at its top. What else it has takes the place of its number.
///
/// Two scenes could share nodes, but viewers move a node to the last scene that has it.
fn take_scene(tree: &mut JsonTree) -> Vec<JsonTree> {
    let scene = tree.remove("scene").and_then(|scene| scene.index()).unwrap_or(0);
    let Some(JsonTree::Array(scenes)) = tree.get_mut("scenes") else { return Vec::new() };
    if scene >= scenes.len() {
        return Vec::new();
    }
    let mut scene = scenes.remove(scene);
    let nodes = scene.remove("nodes");
    if scene != JsonTree::Object(Vec::new()) {
        tree.set("scene", scene);
    }
    match nodes {
        Some(JsonTree::Array(nodes)) => nodes,
        _ => Vec::new(),
    }
}

/// Removes a list and returns its items. Objects that are empty without it are removed too.
fn take_items(tree: &mut JsonTree, path: &[&str]) -> Option<Vec<JsonTree>> {
    let (name, rest) = path.split_first()?;
    if rest.is_empty() {
        return match tree.remove(name)? {
            JsonTree::Array(items) => Some(items),
            _ => None,
        };
    }
    let below = tree.get_mut(name)?;
    let items = take_items(below, rest);
    if *below == JsonTree::Object(Vec::new()) {
        tree.remove(name);
    }
    items
}

/// Appends items to a list, which is added if there is none.
fn append(tree: &mut JsonTree, path: &[&str], items: Vec<JsonTree>) -> Option<()> {
    let (name, rest) = path.split_first()?;
    if rest.is_empty() {
        tree.items_mut(name)?.extend(items);
        return Some(());
    }
    append(tree.entry(name, || JsonTree::Object(Vec::new()))?, rest, items)
}

/// Adds nodes to the scene that the file shows. A file without a scene gets one, with its own nodes: those below `own` without a parent.
fn show(tree: &mut JsonTree, nodes: Vec<JsonTree>, own: usize) -> Option<()> {
    let scene = tree.get("scene").and_then(JsonTree::index).unwrap_or(0);
    if tree.items("scenes").get(scene).is_none() {
        let children: HashSet<usize> = tree
            .items("nodes")
            .iter()
            .flat_map(|node| node.items("children"))
            .filter_map(JsonTree::index)
            .collect();
        let roots = (0..own).filter(|node| !children.contains(node)).map(JsonTree::number);
        let mut only = JsonTree::Object(Vec::new());
        only.set("nodes", JsonTree::Array(roots.collect()));
        let scenes = tree.items_mut("scenes")?;
        scenes.push(only);
        let number = JsonTree::number(scenes.len() - 1);
        tree.set("scene", number);
    }
    let scene = tree.get("scene").and_then(JsonTree::index).unwrap_or(0);
    tree.items_mut("scenes")?.get_mut(scene)?.items_mut("nodes")?.extend(nodes);
    Some(())
}

/// Moves extensions of the whole file that the other file does not have.
fn merge_extensions(tree: &mut JsonTree, added: &mut JsonTree, materials: usize, report: &mut Report) {
    let Some(JsonTree::Object(members)) = added.remove("extensions") else { return };
    let mut left = Vec::new();
    for (name, mut value) in members {
        if name == "VRM" {
            pad_material_properties(&mut value, materials);
        }
        let Some(extensions) = tree.entry("extensions", || JsonTree::Object(Vec::new())) else { return };
        let is_second = ONE_CHARACTER.contains(&name.as_str())
            && ONE_CHARACTER.iter().any(|other| extensions.get(other).is_some());
        let rest = if is_second {
            Some(value)
        } else {
            extensions
                .entry(&name, || JsonTree::Object(Vec::new()))
                .and_then(|present| add_members(present, value))
        };
        left.extend(rest.map(|rest| (name, rest)));
    }
    if !left.is_empty() {
        for (name, _) in &left {
            report.warn(&codes::NOT_MERGED, Place::default(), format!("the extension {name}"));
        }
        added.set("extensions", JsonTree::Object(left));
    }
}

/// Adds the members that an object lacks, and returns those that it has with another value.
fn add_members(present: &mut JsonTree, added: JsonTree) -> Option<JsonTree> {
    let JsonTree::Object(members) = added else { return (*present != added).then_some(added) };
    let mut rest = Vec::new();
    for (key, value) in members {
        match present.get(&key) {
            None => present.set(&key, value),
            Some(same) if *same == value => {}
            Some(_) => rest.push((key, value)),
        }
    }
    (!rest.is_empty()).then_some(JsonTree::Object(rest))
}

/// VRM 0 lists properties by the index of their material: those of other materials come first.
fn pad_material_properties(vrm: &mut JsonTree, materials: usize) {
    let mut plain = JsonTree::Object(Vec::new());
    plain.set("name", JsonTree::string(""));
    plain.set("shader", JsonTree::string("VRM_USE_GLTFSHADER"));
    plain.set("renderQueue", JsonTree::number(2000));
    for name in ["floatProperties", "vectorProperties", "textureProperties", "keywordMap", "tagMap"] {
        plain.set(name, JsonTree::Object(Vec::new()));
    }
    if let Some(JsonTree::Array(properties)) = vrm.get_mut("materialProperties") {
        properties.splice(0..0, std::iter::repeat_n(plain, materials));
    }
}

/// Keeps what is left of a file in the extras of the other: `asset`, its scene, unknown members, extensions that are there once.
fn keep_rest(tree: &mut JsonTree, added: JsonTree, report: &mut Report) {
    let extras = tree.entry("extras", || JsonTree::Object(Vec::new()));
    match extras.and_then(|extras| extras.items_mut(MERGED)) {
        Some(merged) => merged.push(added),
        None => report.warn(&codes::NOT_MERGED, Place::default(), "the extras are no object"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> JsonTree {
        JsonTree::parse(text.as_bytes()).unwrap()
    }

    /// Merges two descriptions without content, and returns the result and the codes of warnings.
    fn merged(first: &str, second: &str) -> (JsonTree, Vec<&'static str>) {
        let (mut base, mut report) = (tree(first), Report::default());
        merge(&mut base, &mut vec![1, 2, 3, 4], tree(second), &[5, 6], &mut report).unwrap();
        (base, report.codes())
    }

    #[test]
    fn references_of_the_second_file_are_renumbered() {
        let first = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0},{}],"meshes":[{"primitives":[]}],
            "materials":[{}],"textures":[{}],"buffers":[{"byteLength":4}],"bufferViews":[{"buffer":0,"byteLength":4}],"accessors":[{"bufferView":0}]}"#;
        let second = r#"{"asset":{"version":"2.0","copyright":"Ann"},"scenes":[{"nodes":[1]}],
            "nodes":[{"mesh":0,"skin":0},{"children":[0],"extensions":{"VRMC_node_constraint":{"constraint":{"roll":{"source":0}}}}}],
            "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0,"targets":[{"POSITION":0}],"extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}}}]}],
            "materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0,"texCoord":0}},"extensions":{"VRMC_materials_mtoon":{"matcapTexture":{"index":0}}}}],
            "textures":[{"source":0,"sampler":0}],"samplers":[{}],"images":[{"bufferView":0}],
            "skins":[{"joints":[0,1],"inverseBindMatrices":0,"skeleton":1}],
            "animations":[{"channels":[{"sampler":0,"target":{"node":1,"path":"rotation"}},{"sampler":0,"target":{"path":"pointer","extensions":{"KHR_animation_pointer":{"pointer":"/nodes/1/rotation"}}}}],"samplers":[{"input":0,"output":0}]}],
            "buffers":[{"byteLength":2},{"byteLength":1,"uri":"data:,"}],"bufferViews":[{"buffer":0,"byteLength":2},{"buffer":1,"byteLength":1}],
            "accessors":[{"bufferView":0}],
            "extensionsUsed":["VRMC_vrm","VRMC_springBone"],
            "extensions":{"VRMC_vrm":{"humanoid":{"humanBones":{"hips":{"node":1}}},"expressions":{"preset":{"happy":{"morphTargetBinds":[{"node":0,"index":0}]}}}},
                "VRMC_springBone":{"specVersion":"1.0","springs":[{"joints":[{"node":0}],"center":1}]}}}"#;
        let (result, codes) = merged(first, second);
        assert!(codes.is_empty(), "{codes:?}");
        let text = result.to_json();
        for wanted in [
            r#""scenes":[{"nodes":[0,3]}]"#,
            r#"{"mesh":1,"skin":0},{"children":[2]"#,
            r#""constraint":{"roll":{"source":2}}"#,
            r#""attributes":{"POSITION":1},"material":1,"targets":[{"POSITION":1}]"#,
            r#""KHR_draco_mesh_compression":{"bufferView":1,"attributes":{"POSITION":0}}"#,
            r#""baseColorTexture":{"index":1,"texCoord":0}"#,
            r#""matcapTexture":{"index":1}"#,
            r#"{"joints":[2,3],"inverseBindMatrices":1,"skeleton":3}"#,
            r#""target":{"node":3,"path":"rotation"}"#,
            r#""pointer":"/nodes/3/rotation""#,
            r#""samplers":[{"input":1,"output":1}]"#,
            r#""buffers":[{"byteLength":6},{"byteLength":1,"uri":"data:,"}]"#,
            r#"{"buffer":0,"byteLength":2,"byteOffset":4},{"buffer":1,"byteLength":1}"#,
            r#""humanBones":{"hips":{"node":3}}"#,
            r#""morphTargetBinds":[{"node":2,"index":0}]"#,
            r#""springs":[{"joints":[{"node":2}],"center":3}]"#,
            r#""extras":{"merged":[{"asset":{"version":"2.0","copyright":"Ann"}}]}"#,
        ] {
            assert!(text.contains(wanted), "{wanted}\n{text}");
        }
    }

    #[test]
    fn what_a_file_has_once_is_kept_in_the_extras() {
        let vrm = r#"{"asset":{"version":"2.0"},"nodes":[{}],"extensions":{"VRMC_vrm":{"meta":{"name":"NAME"}},
            "VRMC_springBone":{"specVersion":"1.0","colliders":[{"node":0}],"colliderGroups":[{"colliders":[0]}]},"ACME_thing":{"node":0}}}"#;
        let (result, codes) = merged(vrm, &vrm.replace("NAME", "Bob"));
        assert_eq!(codes, ["character/unknown-extension", "character/not-merged"]);
        let text = result.to_json();
        for wanted in [
            r#""colliders":[{"node":0},{"node":1}]"#,
            r#""colliderGroups":[{"colliders":[0]},{"colliders":[1]}]"#,
            r#""merged":[{"asset":{"version":"2.0"},"extensions":{"VRMC_vrm":{"meta":{"name":"Bob"}}}}]"#,
        ] {
            assert!(text.contains(wanted), "{wanted}\n{text}");
        }
    }

    #[test]
    fn material_properties_of_vrm_0_stay_beside_their_materials() {
        let second = r#"{"asset":{},"materials":[{"name":"skin"}],"extensions":{"VRM":{"materialProperties":[{"name":"skin","textureProperties":{"_MainTex":0}}],
            "firstPerson":{"firstPersonBone":-1}}}}"#;
        let (result, _) = merged(r#"{"asset":{},"materials":[{},{}],"textures":[{}]}"#, second);
        let vrm = result.get("extensions").unwrap().get("VRM").unwrap();
        assert_eq!(vrm.items("materialProperties").len(), 3);
        assert!(vrm.items("materialProperties")[2].to_json().contains(r#""_MainTex":1"#));
        assert!(vrm.to_json().contains(r#""firstPersonBone":-1"#));
    }
}
