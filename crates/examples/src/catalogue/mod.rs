//! The examples by name, and one request for all of them.
//!
//! ```
//! use marey_examples::{ExampleName, ExampleRequest};
//! let request = ExampleRequest { duration_secs: Some(6.0), ..ExampleRequest::new(ExampleName::Walk) };
//! let generated = request.generate()?;
//! assert_eq!(generated[0].example.take.frames(), 360);
//! assert!(generated[0].path.is_some());
//! # Ok::<(), marey_examples::ExamplesError>(())
//! ```

mod generate;
mod name;
mod request;

pub use name::ExampleName;
pub use request::ExampleRequest;

use marey_motion::{PointClip, Terrain};

use crate::Example;
use crate::playground::PerformerStream;
use crate::walk::DrawnPath;

/// A generated motion with everything that is known about it.
#[derive(Debug, Clone, PartialEq)]
pub struct GeneratedExample {
    /// The motion and its truth.
    pub example: Example,
    /// The ground, if it is uneven.
    pub terrain: Option<Terrain>,
    /// Captured markers.
    pub markers: Option<PointClip>,
    /// The path of a walk, as a user would draw it.
    pub path: Option<DrawnPath>,
}

impl From<Example> for GeneratedExample {
    fn from(example: Example) -> Self {
        Self { example, terrain: None, markers: None, path: None }
    }
}

impl From<PerformerStream> for GeneratedExample {
    fn from(PerformerStream { example, markers }: PerformerStream) -> Self {
        Self { markers: Some(markers), ..example.into() }
    }
}
