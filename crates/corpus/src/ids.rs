//! Ids of the objects in a corpus.

use std::fmt;

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "#{}", self.0)
            }
        }
    };
}

id! {
    /// Id of a take in its corpus; never reused.
    TakeId
}
id! {
    /// Id of a character in its corpus; never reused.
    CharacterId
}
id! {
    /// Id of a segment in its corpus; never reused.
    SegmentId
}
