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
/// // Streams are independent: drawing more numbers from one does not change another.
/// assert_ne!(draw(0), draw(1));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// Returns a generator for this seed. Each stream is independent of the others.
    pub fn rng(self, stream: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::seed_from_u64(self.0);
        rng.set_stream(stream);
        rng
    }
}
