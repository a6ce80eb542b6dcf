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
