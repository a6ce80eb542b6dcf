//! Bounds on what a reader accepts.

use serde::{Deserialize, Serialize};

/// Bounds on the content of a file. A file that exceeds one gives an error with the code `…/limit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Joints of all figures in a file. Default 4,096. A body with fingers and face has about 150.
    pub joints: usize,
    /// Joints from root to tip. Default 512. A body has about 12, a rope of bones a few hundred.
    pub depth: usize,
    /// Frames. Default 20,000,000, which is 46 hours at 120 Hz.
    pub frames: usize,
    /// Bytes in a line. Default 1 MiB. 4,096 joints of three channels need about 120 kB.
    pub line_bytes: usize,
    /// Bytes of memory for the motion, in addition to the file itself. Default 8 GiB.
    pub memory_bytes: usize,
    /// Bytes of decompressed content. Default 1 GiB, which is two hours of a body with fingers at 120 Hz.
    pub inflated_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            joints: 4096,
            depth: 512,
            frames: 20_000_000,
            line_bytes: 1 << 20,
            memory_bytes: 8 << 30,
            inflated_bytes: 1 << 30,
        }
    }
}

impl Limits {
    /// The names of the limits.
    pub const NAMES: [&str; 6] =
        ["joints", "depth", "frames", "line-bytes", "memory-bytes", "inflated-bytes"];

    /// Changes the limit with a name; false if there is none.
    pub fn set(&mut self, name: &str, value: usize) -> bool {
        let fields = [
            &mut self.joints,
            &mut self.depth,
            &mut self.frames,
            &mut self.line_bytes,
            &mut self.memory_bytes,
            &mut self.inflated_bytes,
        ];
        let field = Self::NAMES.iter().zip(fields).find(|(known, _)| **known == name);
        field.map(|(_, field)| *field = value).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_sets_its_own_limit() {
        let mut limits = Limits::default();
        for (i, name) in Limits::NAMES.into_iter().enumerate() {
            assert!(limits.set(name, i + 1));
        }
        let expected =
            Limits { joints: 1, depth: 2, frames: 3, line_bytes: 4, memory_bytes: 5, inflated_bytes: 6 };
        assert_eq!(limits, expected);
        assert!(!limits.set("toes", 3));
    }
}
