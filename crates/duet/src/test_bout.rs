//! A short recording for tests.

use marey_examples::taekwondo::{TaekwondoSettings, taekwondo};

use crate::RecordedPair;

pub(crate) fn bout() -> Vec<RecordedPair> {
    let settings =
        TaekwondoSettings { seed: 3, duration_secs: 25.0, rate_hz: 30.0, ..TaekwondoSettings::default() };
    vec![RecordedPair::from_take(&taekwondo(&settings).unwrap().take).unwrap()]
}
