//! Channels: the columns of the motion.

/// One of three axes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Axis {
    X,
    Y,
    Z,
}

/// One value of a joint in every frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Channel {
    /// A translation along an axis, in file units.
    Position(Axis),
    /// A rotation about an axis, in degrees.
    Rotation(Axis),
    /// A channel that Marey does not keep.
    Other,
}

impl Channel {
    /// Parses the name of a channel: `Xposition`, `zRotation`, `Yrot`. `None` if it is not a channel.
    pub(super) fn parse(word: &[u8]) -> Option<Self> {
        let (first, kind) = word.split_first()?;
        let axis = match first.to_ascii_lowercase() {
            b'x' => Axis::X,
            b'y' => Axis::Y,
            b'z' => Axis::Z,
            _ => return None,
        };
        let starts = |prefix: &str| {
            kind.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix.as_bytes()))
        };
        if starts("pos") || starts("tra") {
            Some(Channel::Position(axis))
        } else if starts("rot") {
            Some(Channel::Rotation(axis))
        } else if starts("sca") {
            Some(Channel::Other)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_in_any_case() {
        assert_eq!(Channel::parse(b"Xposition"), Some(Channel::Position(Axis::X)));
        assert_eq!(Channel::parse(b"zROTATION"), Some(Channel::Rotation(Axis::Z)));
        assert_eq!(Channel::parse(b"Yrot"), Some(Channel::Rotation(Axis::Y)));
        assert_eq!(Channel::parse(b"Xscale"), Some(Channel::Other));
        for word in ["", "X", "OFFSET", "JOINT", "Wrotation", "}"] {
            assert_eq!(Channel::parse(word.as_bytes()), None, "{word}");
        }
    }
}
