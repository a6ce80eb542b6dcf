//! GLB files taken apart and put together again.

use marey::examples::character::{CharacterFile, CharacterSettings, character};
use serde_json::Value;

use crate::sandbox::Sandbox;

/// A generated character.
pub(crate) fn hero(file: CharacterFile) -> Vec<u8> {
    character(&CharacterSettings { file, ..CharacterSettings::default() }).unwrap()
}

/// The description and the binary chunk of a GLB.
pub(crate) fn parts(bytes: &[u8]) -> (Value, Vec<u8>) {
    let json = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    (serde_json::from_slice(&bytes[20..20 + json]).unwrap(), bytes[20 + json + 8..].to_vec())
}

/// A GLB of a description and a binary chunk.
pub(crate) fn glb(json: &Value, bin: &[u8]) -> Vec<u8> {
    let mut out = b"glTF\x02\0\0\0\0\0\0\0".to_vec();
    for (kind, data, padding) in [(b"JSON", json.to_string().as_bytes(), b' '), (b"BIN\0", bin, 0)] {
        let length = data.len().next_multiple_of(4);
        out.extend_from_slice(&(length as u32).to_le_bytes());
        out.extend_from_slice(kind);
        out.extend_from_slice(data);
        out.resize(out.len() + length - data.len(), padding);
    }
    let length = out.len() as u32;
    out[8..12].copy_from_slice(&length.to_le_bytes());
    out
}

/// Fails unless the output is the character with an animation, and everything else of the file is as it was: the same members, the same
/// bytes of the buffer. `others` says that further characters share the output: lists may then have more items.
pub(crate) fn assert_animated(sandbox: &Sandbox, character: &str, output: &str, others: bool) {
    let ((old, old_bin), (new, new_bin)) = (parts(&sandbox.read(character)), parts(&sandbox.read(output)));
    assert!(new_bin.starts_with(&old_bin), "{output}: the buffer differs");
    for (key, value) in old.as_object().unwrap() {
        match (value, &new[key]) {
            _ if key == "buffers" => {
                let mut first = new[key][0].clone();
                first["byteLength"] = value[0]["byteLength"].clone();
                assert_eq!((value.as_array().unwrap().len(), &first), (1, &value[0]), "{output} {key}");
            }
            (Value::Array(old), Value::Array(new)) if others && key == "scenes" => {
                assert_eq!(old.len(), new.len());
                let roots = old[0]["nodes"].as_array().unwrap();
                assert_eq!(roots[..], new[0]["nodes"].as_array().unwrap()[..roots.len()], "{output}");
            }
            (Value::Array(old), Value::Array(new))
                if others || ["accessors", "bufferViews"].contains(&key.as_str()) =>
            {
                assert_eq!(old[..], new[..old.len()], "{output} {key}");
            }
            (Value::Object(old), new) if others => {
                assert!(old.iter().all(|(name, value)| new[name] == *value), "{output} {key}");
            }
            (old, new) => assert_eq!(old, new, "{output} {key}"),
        }
    }
    let animations = new["animations"].as_array().unwrap();
    assert_eq!(animations.len(), 1, "{output}");
    let channels = animations[0]["channels"].as_array().unwrap().len();
    assert!(channels > 15, "{output}: {channels}");
}
