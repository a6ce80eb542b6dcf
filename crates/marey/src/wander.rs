//! Free movement in the style of a corpus: the `wander` verb.

use serde::{Deserialize, Serialize};

use crate::bodies::on_body;
use crate::motion::Take;
use crate::plan::Seed;
use crate::tween::{self, LearnedStyle, PoseSelector, StyleSettings, TweenDetails, WanderSettings};
use crate::{Context, Error, Outcome};

/// A request for free movement in a style.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WanderRequest {
    /// Takes to learn the style from; if empty, takes of the corpus.
    #[serde(skip)]
    pub training: Vec<Take>,
    /// Takes of the corpus to learn the style from, by name or `#` and number; all if empty. Takes of other bodies are
    /// retargeted onto that of the first pose, or the one that the context asks for.
    pub only: Vec<String>,
    /// How the style is learned.
    pub style: StyleSettings,
    /// The first pose; `None` for the first frame that the style is learned from.
    pub from: Option<PoseSelector>,
    /// Duration in seconds; default 10.
    pub secs: f64,
    /// Random seed; default 1.
    pub seed: u64,
    /// How the random walk chooses its transitions.
    pub settings: WanderSettings,
    /// Name of the resulting take.
    pub name: String,
}

impl Default for WanderRequest {
    fn default() -> Self {
        Self {
            training: vec![],
            only: vec![],
            style: StyleSettings::default(),
            from: None,
            secs: 10.0,
            seed: 1,
            settings: WanderSettings::default(),
            name: "wander".into(),
        }
    }
}

impl WanderRequest {
    /// Checks everything that does not depend on the motion.
    pub fn validate(&self) -> Result<(), Error> {
        self.style.validate()?;
        Ok(self.settings.validate()?)
    }
}

/// Makes free movement in the style of the corpus.
pub fn run(request: &WanderRequest, context: &Context<'_>) -> Result<Outcome<TweenDetails>, Error> {
    request.validate()?;
    context.report("reading the first pose", 0, 3)?;
    let from = request.from.as_ref().map(|from| from.resolve(false, context)).transpose()?;
    context.report("learning the style", 1, 3)?;
    let body = context.body().or(from.as_ref().map(|(clip, _)| clip.skeleton()));
    let style = LearnedStyle::new(&request.training, &request.only, &request.style, body, context)?;
    context.report("walking", 2, 3)?;
    let (clip, frame) = match from {
        Some((clip, frame)) => (on_body(&clip, style.first.skeleton())?, frame),
        None => (style.first.clone(), 0),
    };
    context.budget().check_frames(request.secs * style.rate_hz)?;
    let frames = (request.secs * style.rate_hz).round().max(0.0) as usize;
    let seed = Seed(request.seed);
    let motion = context
        .install(|| {
            tween::wander(&style.style, (&clip, frame), frames, style.rate_hz, &request.settings, seed)
        })?
        .map_err(|error| style.explain(error))?;
    tween::outcome(motion, &style, seed, &request.name, context)
}
