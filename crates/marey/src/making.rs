//! A plan as motion, and how good it is: what `marey realise` does.

use crate::corpus::Corpus;
use crate::failure::Failure;
use crate::measure::card::{Card, Evidence, Thresholds};
use crate::motion::{Report, Take};
use crate::plan::Plan;
use crate::quality::{ActorCard, coverage, holds_in, holds_of, joins, names_of};
use crate::realise::constrain::propagated;
use crate::realise::{self, Realised, Settings};
use crate::sources::CorpusSources;

/// How a plan is realised, as a person says it.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// The passes.
    pub settings: Settings,
    /// Whether the holds that the examples show are kept too, where two actors of the plan show the two who hold each other.
    pub keeps_holds: bool,
    /// A motion that the result should be like, of the same rate and length; more lines of the card.
    pub reference: Option<Take>,
}

/// What came of a plan.
#[derive(Debug, Clone)]
pub struct Made {
    /// The motion.
    pub take: Take,
    /// The plan, with the holds that were kept.
    pub plan: Plan,
    /// A card for each actor.
    pub cards: Vec<ActorCard>,
    /// What was met on the way.
    pub report: Report,
}

/// Realises a plan, written as JSON, with the takes of a corpus, and measures what was made, which gets this name.
pub fn make(corpus: Corpus, json: &str, wish: &Wish, name: &str) -> Result<Made, Failure> {
    let mut plan = Plan::from_json(json)?;
    let refused = |error: realise::Error| {
        let place = error.place_in(json);
        Failure { place: Box::new(place), ..error.into() }
    };
    let sources = CorpusSources::new(corpus);
    if wish.keeps_holds {
        plan.meetings.extend(propagated(&plan, &sources).map_err(refused)?);
    }
    let Realised { take, contacts, report } =
        realise::realise(&plan, &sources, &wish.settings).map_err(refused)?;
    let take = Take::new(name, take.into_actors())?;
    let takes = sources.takes()?;
    let (joins, coverage) = (joins(&plan), coverage(&plan, &names_of(&takes)));
    let mut cards = Vec::new();
    for (number, (actor, contacts)) in take.actors().iter().zip(&contacts).enumerate() {
        let habits = sources.habits(&plan, number).map_err(refused)?;
        let holds = holds_of(&take, number, &holds_in(&plan))?;
        let reference = wish.reference.as_ref().and_then(|take| take.actors().get(number));
        let evidence = Evidence {
            reference: reference.map(|actor| &actor.clip),
            examples: Some(&habits),
            joins: joins.get(number).map_or(&[], Vec::as_slice),
            holds: holds.as_ref(),
            coverage: Some(&coverage),
            ..Evidence::of_feet(contacts, 0.0)
        };
        let card = Card::of(&actor.clip, &evidence, &Thresholds::default())?;
        cards.push(ActorCard::new(&take, actor, card));
    }
    Ok(Made { take, plan, cards, report })
}
