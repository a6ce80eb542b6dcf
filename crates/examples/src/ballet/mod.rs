//! Short ballet phrases from a vocabulary, with a grammar that can be checked.
//!
//! After the corpus of Stuart, Bradley, Capps and Luftig (*Stylistically consonant variations and interpolations of human
//! movement*, 2007): 38 short ballets of 1,720 postures, with 23 joints besides the root. Their corpus came from a library of
//! key-framed steps. These phrases are generated with a posture each quarter of a second: [`Word`]s (plié, tendu, arabesque …), each of
//! which starts and ends in fifth position, and positions of the [`Arms`], which move along defined paths. Between postures the body
//! moves smoothly, standing feet do not move, and pointed feet brush the floor.
//!
//! The [`Grammar`] checks a posture: legs turned out, arms as units, arms and legs opposed.
//!
//! Truth: heel and ball contacts; a label for each word; a cut at the start of each word; a beat for each posture.
//!
//! Known limits: there are no jumps and no turns on one leg, the standing foot does not rotate, and heads do not spot.

mod arms;
mod dancer;
mod grammar;
mod legs;
mod phrase;
mod posture;
mod settings;
mod steps;
mod vocabulary;

pub use arms::Arms;
use dancer::Dancer;
pub use grammar::{Grammar, GrammarCheck};
use legs::secs;
use marey_motion::{Marker, Tag, Take};
use phrase::Phrase;
use rand::RngExt;
pub use settings::BalletSettings;
pub use vocabulary::Word;

use crate::clock::Clock;
use crate::figure::Figure;
use crate::random::rng_stream;
use crate::{ActorTruth, Example, Result, Truth, sensor};

/// Time between postures, in seconds.
pub const POSTURE_SECS: f64 = 0.25;
/// Approximate range of the number of postures in a phrase.
const POSTURES: [usize; 2] = [44, 52];

/// Generates the phrases.
///
/// ```
/// use marey_examples::ballet::{BalletSettings, ballet};
/// // One frame per posture.
/// let settings = BalletSettings { phrases: 2, rate_hz: 4.0, ..BalletSettings::default() };
/// let phrases = ballet(&settings)?;
/// assert_eq!(phrases[1].take.name(), "ballet-02");
/// assert_eq!(phrases[0].truth.labels()[0].name, "ready");
/// assert_eq!(phrases[0].truth.beats().len(), phrases[0].take.frames());
/// # Ok::<(), marey_examples::ExamplesError>(())
/// ```
pub fn ballet(settings: &BalletSettings) -> Result<Vec<Example>> {
    settings.validate()?;
    let mut rng = rng_stream(settings.seed, 0);
    (0..settings.phrases)
        .map(|i| {
            let phrase = Phrase::improvised(rng.random_range(POSTURES[0]..=POSTURES[1]), &mut rng);
            generate(&format!("ballet-{:02}", i + 1), settings, &phrase, settings.seed.wrapping_add(i as u64))
        })
        .collect()
}

fn generate(name: &str, settings: &BalletSettings, phrase: &Phrase, seed: u64) -> Result<Example> {
    let dancer = Dancer::new(Figure::new(&settings.body)?, phrase, &mut rng_stream(seed, 1));
    let frames = (dancer.duration_secs * settings.rate_hz).round() as usize;
    let clock = Clock { rate_hz: settings.rate_hz, frames };
    let take = Take::solo(name, dancer.record(clock)?);
    let truth = truth(&take, &dancer, phrase)?;
    let take = sensor::captured_take(take, settings.noise_mm, &mut rng_stream(seed, 2))?;
    Ok(Example { take, truth })
}

fn truth(take: &Take, dancer: &Dancer, phrase: &Phrase) -> Result<Truth> {
    let clock = Clock::of(take);
    let (mut cuts, mut labels) = (Vec::new(), Vec::new());
    let words: Vec<Word> = phrase.postures.iter().map(|posture| posture.word).collect();
    let mut start = 0;
    for i in 1..=words.len() {
        if i < words.len() && words[i] == words[i - 1] {
            continue;
        }
        let end = if i < words.len() { clock.frame_at(secs(i)) } else { clock.frames };
        let name = words[i - 1].name();
        cuts.push(Marker::new(name, start, clock.frames)?);
        labels.push(Tag::new(name, start..end, clock.frames)?);
        start = end;
    }
    let actor = ActorTruth { name: take.name().to_owned(), contacts: dancer.contacts(&clock)? };
    let beats = (0..words.len()).filter_map(|i| clock.nearest(secs(i))).collect();
    Ok(Truth::of(take, vec![actor], cuts, labels).with_music(beats, Vec::new()))
}
