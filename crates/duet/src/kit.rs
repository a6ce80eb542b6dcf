//! What several tests work on.

use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};

use crate::Pair;

/// A short bout.
pub(crate) fn bout() -> Vec<Pair> {
    let settings =
        TaekwondoSettings { seed: 3, duration_secs: 25.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    vec![Pair::of_take(&taekwondo(&settings).unwrap().take).unwrap()]
}
