//! Random seeds.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// A random seed: the same seed gives the same result.
///
/// ```
/// use marey_plan::Seed;
/// use rand::RngExt;
/// let draw = |stream| Seed(7).rng(stream).random::<u64>();
/// assert_eq!(draw(0), draw(0));
/// // Streams are apart, so that one thing can be drawn more often without changing another.
/// assert_ne!(draw(0), draw(1));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// A generator for this seed; each stream is independent of the others.
    pub fn rng(self, stream: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.0);
        rng.set_stream(stream);
        rng
    }
}
