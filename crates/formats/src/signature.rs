//! Recognises formats whose readers are optional, so that a build without a reader can name what is missing.

/// Whether bytes look like FBX: the binary header, or the first lines of an ASCII file.
pub(crate) fn is_fbx(bytes: &[u8]) -> bool {
    let start = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let has_line = |word: &[u8]| {
        start
            .split(|byte| matches!(byte, b'\n' | b'\r'))
            .any(|line| line.trim_ascii_start().starts_with(word))
    };
    start.starts_with(b"Kaydara FBX Binary") || has_line(b"; FBX ") || has_line(b"FBXHeaderExtension:")
}

/// Whether bytes look like NPZ: a zip archive whose first entry is an array.
pub(crate) fn is_npz(bytes: &[u8]) -> bool {
    let Some(header) = bytes.strip_prefix(b"PK\x03\x04").and_then(|rest| rest.get(..26)) else {
        return false;
    };
    let length = match header {
        [.., low, high, _, _] => usize::from(u16::from_le_bytes([*low, *high])),
        _ => return false,
    };
    bytes.get(30..30 + length).is_some_and(|name| name.ends_with(b".npy"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fbx_is_recognised_in_both_forms() {
        assert!(is_fbx(b"Kaydara FBX Binary  \0\x1a\0"));
        assert!(is_fbx(b"; FBX 7.4.0 project file\n"));
        assert!(is_fbx(b"\r\n  FBXHeaderExtension:  {\n"));
        assert!(!is_fbx(b"HIERARCHY\nROOT FBX\n") && !is_fbx(b""));
    }
}
