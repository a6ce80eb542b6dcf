//! The characters that a request chooses.

use std::collections::BTreeMap;
use std::path::Path;

use marey::character::CharacterRequest;
use marey_corpus::{CharacterId, CharacterInfo};
use marey_motion::Take;

use super::imports::{pairs, percent_decoded};
use crate::{Result, StudioError, codes};

/// Characters of the corpus: one for every actor, and others for actors by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct CharacterChoice {
    pub(crate) every: Option<CharacterId>,
    pub(crate) named: BTreeMap<String, CharacterId>,
}

impl CharacterChoice {
    /// The choice of a query, as in `character=2&character=3:red`: the actor `red` has character 3, all others have character 2.
    pub(super) fn of_query(query: Option<&str>) -> Result<Self> {
        let mut choice = Self::default();
        for (_, value) in pairs(query.unwrap_or_default()).filter(|(key, _)| *key == "character") {
            let (number, actor) = match value.split_once(':') {
                Some((number, actor)) => (number, Some(actor)),
                None => (value, None),
            };
            let refused = |what: &str| StudioError::new(&codes::REQUEST, what.to_owned());
            let id = CharacterId(number.parse().map_err(|_| refused("no number of a character"))?);
            let before = match actor {
                Some(actor) => {
                    let name = percent_decoded(actor).filter(|name| !name.is_empty());
                    choice.named.insert(name.ok_or_else(|| refused("no name of an actor"))?, id)
                }
                None => choice.every.replace(id),
            };
            if before.is_some() {
                return Err(refused("two characters for one actor"));
            }
        }
        Ok(choice)
    }

    /// The values of `--character` that put a take of a corpus on the chosen characters.
    pub(super) fn arguments(
        &self,
        take: &Take,
        corpus: &Path,
        characters: &[CharacterInfo],
    ) -> Vec<CharacterRequest> {
        let request = |actor: Option<&String>, id: CharacterId| {
            let mut request =
                CharacterRequest { actor: actor.cloned(), file: corpus.to_owned(), ..Default::default() };
            request.read.take = Some(characters.iter().find(|info| info.id == id)?.name.clone());
            Some(request)
        };
        let is_there = |name: &String| take.actors().iter().any(|actor| actor.name == *name);
        let named = self.named.iter().filter(|(name, _)| is_there(name));
        let named = named.map(|(name, id)| (Some(name), *id));
        self.every
            .map(|id| (None, id))
            .into_iter()
            .chain(named)
            .filter_map(|(name, id)| request(name, id))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_read_from_queries() {
        let choice = |query: &str| CharacterChoice::of_query(Some(query));
        let both = choice("frames=3-9&character=2&character=3:the%20red&character=4:b").unwrap();
        assert_eq!(both.every, Some(CharacterId(2)));
        assert_eq!(both.named, [("b".into(), CharacterId(4)), ("the red".into(), CharacterId(3))].into());
        assert_eq!(CharacterChoice::of_query(None).unwrap(), CharacterChoice::default());
        for bad in
            ["character=x", "character=1&character=2", "character=1:", "character=1:%ff", "character=:a"]
        {
            assert!(choice(bad).is_err(), "{bad}");
        }
    }
}
