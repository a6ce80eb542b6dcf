//! `--limit NAME=N`.

use std::str::FromStr;

use marey::formats::Limits;

/// A changed limit of the reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit {
    name: &'static str,
    value: usize,
}

/// The names of all limits.
const NAMES: [&str; 6] = ["joints", "depth", "frames", "line-bytes", "memory-bytes", "inflated-bytes"];

impl Limit {
    pub(crate) fn set(self, limits: &mut Limits) {
        let field = match self.name {
            "joints" => &mut limits.joints,
            "depth" => &mut limits.depth,
            "frames" => &mut limits.frames,
            "line-bytes" => &mut limits.line_bytes,
            "memory-bytes" => &mut limits.memory_bytes,
            _ => &mut limits.inflated_bytes,
        };
        *field = self.value;
    }
}

impl FromStr for Limit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (name, number) = text.split_once('=').ok_or("not NAME=N")?;
        let name = NAMES.into_iter().find(|known| *known == name);
        let name = name.ok_or_else(|| format!("limits are {}", NAMES.join(", ")))?;
        let value = number.parse().map_err(|_| format!("{number:?} is not a whole number"))?;
        Ok(Self { name, value })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_sets_its_own_field() {
        let mut limits = Limits::default();
        for (i, name) in NAMES.into_iter().enumerate() {
            format!("{name}={}", i + 1).parse::<Limit>().unwrap().set(&mut limits);
        }
        let wanted =
            Limits { joints: 1, depth: 2, frames: 3, line_bytes: 4, memory_bytes: 5, inflated_bytes: 6 };
        assert_eq!(limits, wanted);
        for bad in ["joints", "joints=", "joints=-1", "toes=3"] {
            assert!(bad.parse::<Limit>().is_err(), "{bad}");
        }
    }
}
