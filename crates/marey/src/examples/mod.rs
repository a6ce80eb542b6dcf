//! Generated motion with known truth: the `examples` verb, and the generators of [`marey_examples`].

mod corpus_example;

pub use corpus_example::{CorpusExample, ExampleCut};
pub use marey_examples::*;

use crate::Error;
use crate::formats::trc;

/// Generates an example: one motion, or several.
///
/// With the feature `perform`, `playground` includes a performer that plays the adventure.
pub fn run(request: &ExampleRequest) -> Result<Vec<GeneratedExample>, Error> {
    if let Some(setting) = request.unused_setting() {
        let message = format!("{} has no setting for {setting}", request.name);
        return Err(Error::usage(&crate::codes::NOT_FOR_EXAMPLE, message));
    }
    #[cfg_attr(not(feature = "perform"), expect(unused_mut, reason = "only a performance is added"))]
    let mut generated = request.generate()?;
    #[cfg(feature = "perform")]
    if request.name == ExampleName::Playground {
        generated.push(adventurer(&request.playground_settings())?);
    }
    Ok(generated)
}

/// A performer that plays the adventure.
#[cfg(feature = "perform")]
fn adventurer(settings: &playground::PlaygroundSettings) -> Result<GeneratedExample, Error> {
    use crate::perform::{Player, WorldFile, perform};
    let mut player = Player::new(settings)?;
    perform(WorldFile::adventure()?, Box::new(&mut player), &crate::Context::new())?;
    Ok(player.into_stream()?.into())
}

/// The files that belong beside a generated motion, as file name ending and content.
pub fn companion_files(generated: &GeneratedExample) -> Result<Vec<(&'static str, Vec<u8>)>, Error> {
    let truth = json(&generated.example.truth)?;
    let terrain = generated.terrain.as_ref().map(json).transpose()?;
    let markers = generated.markers.as_ref().map(trc::write);
    let path = generated.path.as_ref().map(|path| path.to_string().into_bytes());
    let files =
        [("truth.json", Some(truth)), ("terrain.json", terrain), ("trc", markers), ("path.csv", path)];
    Ok(files.into_iter().filter_map(|(ending, content)| Some((ending, content?))).collect())
}

fn json<T: serde::Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    let mut text = serde_json::to_vec_pretty(value)
        .map_err(|error| Error::new(&crate::codes::NOT_A_TRUTH, error.to_string()))?;
    text.push(b'\n');
    Ok(text)
}
