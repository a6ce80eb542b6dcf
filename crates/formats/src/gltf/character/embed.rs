//! Puts the files that a glTF refers to into it.
//!
//! The first buffer becomes the binary chunk of a GLB. Further buffers become data URIs, so that no buffer view has to change.
//! Images become buffer views at the end. What is embedded already stays as it is.

use marey_motion::{Place, Report};

use super::super::buffers::{data_of, percent_decoded};
use super::super::{base64, codes as gltf_codes};
use super::codes;
use super::json_tree::JsonTree;
use crate::{FormatsError, Neighbours};

/// Embeds buffers and images, and returns the content of the first buffer: at least its declared length.
pub(super) fn embed(
    tree: &mut JsonTree,
    bin: Option<&[u8]>,
    neighbours: &dyn Neighbours,
    report: &mut Report,
) -> Result<Vec<u8>, FormatsError> {
    let mut content = bin.unwrap_or_default().to_vec();
    for (index, buffer) in tree.get_mut("buffers").into_iter().flat_map(items_of).enumerate() {
        let uri = buffer.get("uri").and_then(JsonTree::text);
        let loaded = uri.as_deref().map(|uri| load(uri, index, neighbours)).transpose()?;
        let length = buffer.get("byteLength").and_then(JsonTree::index).unwrap_or(0);
        match (index, loaded) {
            (0, Some(loaded)) => {
                content = loaded;
                buffer.remove("uri");
            }
            (0, None) => {}
            // A buffer without content is a fallback of a compressed one.
            (_, None) => continue,
            (_, Some(loaded)) => {
                check_length(index, loaded.len(), length)?;
                if uri.is_some_and(|uri| !uri.starts_with("data:")) {
                    let uri = format!("data:application/octet-stream;base64,{}", base64::encode(&loaded));
                    buffer.set("uri", JsonTree::string(&uri));
                }
                continue;
            }
        }
        check_length(index, content.len(), length)?;
    }
    if tree.items("buffers").is_empty() {
        content.clear();
    }
    embed_images(tree, &mut content, neighbours, report);
    Ok(content)
}

/// The items of an array.
fn items_of(tree: &mut JsonTree) -> impl Iterator<Item = &mut JsonTree> {
    match tree {
        JsonTree::Array(items) => items.iter_mut(),
        _ => [].iter_mut(),
    }
}

fn check_length(index: usize, found: usize, wanted: usize) -> Result<(), FormatsError> {
    if found >= wanted {
        return Ok(());
    }
    let message = format!("buffer {index} has {found} of {wanted} bytes");
    Err(FormatsError::refused(&gltf_codes::BUFFER, Place::default(), message))
}

/// The content of a data URI or of a file beside the character's.
fn load(uri: &str, index: usize, neighbours: &dyn Neighbours) -> Result<Vec<u8>, FormatsError> {
    let wrong = |problem: &str| {
        FormatsError::refused(
            &gltf_codes::BUFFER,
            Place::default(),
            format!("the URI of buffer {index} is {problem}"),
        )
    };
    match uri.strip_prefix("data:") {
        Some(data) => data_of(data).ok_or_else(|| wrong("not base64")),
        None => neighbours.open(&percent_decoded(uri).ok_or_else(|| wrong("not a file name"))?),
    }
}

/// Embeds images that are files. An image that cannot be read is reported and stays as it is.
fn embed_images(
    tree: &mut JsonTree,
    content: &mut Vec<u8>,
    neighbours: &dyn Neighbours,
    report: &mut Report,
) {
    let mut embedded = Vec::new();
    for (index, image) in tree.items("images").iter().enumerate() {
        let Some(uri) = image.get("uri").and_then(JsonTree::text) else { continue };
        if uri.starts_with("data:") {
            continue;
        }
        let bytes = percent_decoded(&uri).ok_or_else(|| "not a file name".to_owned());
        let bytes = bytes.and_then(|name| neighbours.open(&name).map_err(|error| error.to_string()));
        match bytes
            .and_then(|bytes| Ok((mime_type(&bytes).ok_or("neither PNG nor JPEG, WebP or KTX 2")?, bytes)))
        {
            Ok((mime, bytes)) => embedded.push((index, mime, bytes)),
            Err(problem) => {
                report.warn(&codes::IMAGE, Place::default(), format!("image {index}, {uri:?}: {problem}"))
            }
        }
    }
    for (index, mime, bytes) in embedded {
        let view = add_view(tree, content, &bytes);
        let images = tree.items_mut("images");
        if let Some((image, view)) = images.and_then(|images| images.get_mut(index)).zip(view) {
            image.remove("uri");
            image.set("bufferView", JsonTree::number(view));
            image.set("mimeType", JsonTree::string(mime));
        }
    }
}

/// Appends bytes to the first buffer, which is added if there is none, and returns the index of their view.
pub(super) fn add_view(tree: &mut JsonTree, content: &mut Vec<u8>, bytes: &[u8]) -> Option<usize> {
    let start = extend(tree, content, bytes)?;
    let mut view = JsonTree::Object(Vec::new());
    view.set("buffer", JsonTree::number(0));
    view.set("byteOffset", JsonTree::number(start));
    view.set("byteLength", JsonTree::number(bytes.len()));
    let views = tree.items_mut("bufferViews")?;
    views.push(view);
    Some(views.len() - 1)
}

/// Appends bytes to the first buffer, aligned to four bytes, and returns where they start.
pub(super) fn extend(tree: &mut JsonTree, content: &mut Vec<u8>, bytes: &[u8]) -> Option<usize> {
    content.resize(content.len().next_multiple_of(4), 0);
    let start = content.len();
    content.extend_from_slice(bytes);
    let buffers = tree.items_mut("buffers")?;
    if buffers.is_empty() {
        buffers.push(JsonTree::Object(Vec::new()));
    }
    buffers.first_mut()?.set("byteLength", JsonTree::number(content.len()));
    Some(start)
}

/// The media type of an image, by its first bytes.
fn mime_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', ..] => Some("image/ktx2"),
        _ => None,
    }
}
