//! How good motion is, each number beside its threshold: what `marey check` says, and `marey realise` of what it made.

mod usual;
mod witness;

use serde::Serialize;
pub use usual::{Usual, coverage, names_of};
pub use witness::{Named, Witness};
pub(crate) use witness::{holds_in, holds_of, joins};

use crate::Error;
use crate::measure::card::{QualityCard, Thresholds};
use crate::measure::variety::from_others_m;
use crate::motion::{Actor, Take};
use crate::ops;
use crate::ops::cloud::{self, Cloud};

/// The card of one actor.
#[derive(Debug, Clone, Serialize)]
pub struct ActorCard {
    /// The take.
    pub take: String,
    /// Whose card it is.
    pub actor: String,
    /// Whether no threshold is missed.
    pub passed: bool,
    /// The numbers.
    #[serde(flatten)]
    pub card: QualityCard,
    /// What it is compared with others by, where its body allows.
    #[serde(skip)]
    cloud: Option<Cloud>,
}

impl ActorCard {
    /// The card of an actor of a take.
    pub(crate) fn new(take: &Take, actor: &Actor, card: QualityCard) -> Self {
        Self {
            take: take.name().to_owned(),
            actor: actor.name.clone(),
            passed: card.is_ok(),
            card,
            cloud: Cloud::of(&actor.clip, 0..actor.clip.frames(), &cloud::CloudSettings::whole_body()).ok(),
        }
    }
}

/// The cards of a take's actors. Frames before the `first` are not judged, as where that is a calibration pose.
pub fn judge(
    take: &Take,
    first: usize,
    witness: &Witness,
    thresholds: &Thresholds,
) -> Result<Vec<ActorCard>, Error> {
    let rest = |actor: &Actor| {
        let clip = actor.clip.slice(first..actor.clip.frames())?;
        Ok(Actor { name: actor.name.clone(), clip })
    };
    let actors = take.actors().iter().map(rest).collect::<Result<_, crate::motion::MotionError>>()?;
    let take = Take::new(take.name(), actors)?;
    let mut cards = Vec::new();
    for (index, actor) in take.actors().iter().enumerate() {
        let found = ops::contacts::detect(&actor.clip, &ops::contacts::ContactSettings::default())?;
        let holds = witness.holds_of(&take, index)?;
        let evidence = witness.evidence(index, &actor.clip, &found, holds.as_ref())?;
        let mut card = QualityCard::of(&actor.clip, &evidence, thresholds)?;
        card.lines.iter_mut().filter_map(|line| line.worst.as_mut()).for_each(|worst| worst.frame += first);
        cards.push(ActorCard::new(&take, actor, card));
    }
    Ok(cards)
}

/// Tells each card how far its clip is from all others, where there are several.
pub fn tell_others<'a>(cards: impl Iterator<Item = &'a mut ActorCard>) -> Result<(), Error> {
    let mut cards: Vec<&mut ActorCard> = cards.filter(|card| card.cloud.is_some()).collect();
    if cards.len() > 1 {
        let clouds: Vec<Cloud> = cards.iter().filter_map(|card| card.cloud.clone()).collect();
        for (card, metres) in cards.iter_mut().zip(from_others_m(&clouds)?) {
            card.card.set_distance_to_others(metres);
        }
    }
    Ok(())
}
