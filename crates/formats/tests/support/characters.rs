//! A walk on a generated character.

use marey_examples::character::{CharacterFile, CharacterSettings, character};
use marey_formats::gltf::character::GltfCharacter;
use marey_formats::{NoNeighbours, ReadOptions};
use marey_motion::Take;
use marey_ops::retarget::{Retarget, RetargetSettings};

use super::takes::walker;

/// A character, and a walk on its skeleton.
pub(crate) fn on_character(file: CharacterFile) -> (GltfCharacter, Take) {
    let original = character(&CharacterSettings { file, ..CharacterSettings::default() }).unwrap();
    let (model, _) = GltfCharacter::read(&original, None, &ReadOptions::default(), &NoNeighbours).unwrap();
    let walk = walker();
    let settings = RetargetSettings::default();
    let retarget = Retarget::new(walk.first().skeleton(), model.skeleton.clone(), &settings).unwrap();
    let take = Take::solo("walk", retarget.apply(walk.first()).unwrap());
    (model, take)
}
