//! How much a reader is willing to take in.

/// Bounds on what a file may ask of the reader. A file beyond one is refused with the code `…/limit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Joints in all figures of a file. Default 4,096: a body with fingers and face has about 150.
    pub joints: usize,
    /// Joints from root to tip. Default 512: a body has about 12, a rope of bones some hundred.
    pub depth: usize,
    /// Frames. Default 20,000,000: 46 hours at 120 Hz.
    pub frames: usize,
    /// Bytes in a line. Default 1 MiB: 4,096 joints of three channels take about 120 kB.
    pub line_bytes: usize,
    /// Bytes the motion may take in memory, beside the file itself. Default 8 GiB.
    pub memory_bytes: usize,
    /// Bytes that compressed content may inflate to. Default 1 GiB: two hours of a body with fingers at 120 Hz.
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
