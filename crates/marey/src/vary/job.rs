//! A prepared request: varies the same dance any number of times.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::bridge::bridge;
use super::count::dance_count;
use super::keyframes::KeyframeJob;
use super::{
    Bridge, CellMap, Chunk, CutFit, CutRule, DanceCount, DanceMoments, DanceSources, StatePoint,
    VariationStatistics, VaryDetails, VaryRequest, VarySettings,
};
use crate::motion::{Clip, Take};
use crate::plan::{Plan, PlanClip, Seed, SourceRef, Trace};
use crate::realise::constrain::propagate_holds;
use crate::realise::{Realisation, RealiseSettings, SourceClip, join};
use crate::tween::{GapExample, GapModel, NearSettings};
use crate::{Context, Error, Outcome, codes};

/// A request whose dance is read and wrapped around its attractor.
pub struct VaryJob<'a> {
    request: &'a VaryRequest,
    material: Material,
    context: Context<'a>,
}

/// What is varied.
enum Material {
    Takes(Arc<Prepared>),
    Keyframes(Box<KeyframeJob>),
}

/// What does not depend on the seed.
struct Prepared {
    dance: DanceSources,
    settings: VarySettings,
    cell_map: CellMap,
    /// Where the dance can be cut; `None` if the trajectory alone decides.
    moments: Option<DanceMoments>,
    /// The count that cuts keep.
    count: Option<DanceCount>,
    reference: Arc<[StatePoint]>,
    /// How in-betweens are made.
    gaps: Option<GapModel>,
}

impl<'a> VaryJob<'a> {
    /// Reads the dance and wraps it around the attractor.
    pub fn new(request: &'a VaryRequest, context: &Context<'a>) -> Result<Self, Error> {
        request.validate()?;
        context.report("reading the dance", 0, 3)?;
        let material = match &request.keyframes {
            Some(path) => Material::Keyframes(Box::new(KeyframeJob::new(path, request)?)),
            None => Material::Takes(Self::prepared(request, context)?),
        };
        Ok(Self { request, material, context: context.clone() })
    }

    fn prepared(request: &VaryRequest, context: &Context<'_>) -> Result<Arc<Prepared>, Error> {
        if request.motion.is_empty() {
            let VaryRequest { only, tags, .. } = request;
            // Only these do not matter here.
            let key = VaryRequest { seed: 0, secs: None, name: String::new(), ..request.clone() };
            context.cached(("vary", key, context.bodies(), context.budget().examples), || {
                let dance = DanceSources::from_corpus(&*context.corpus()?, only, tags, context)?;
                Prepared::new(dance, request, context)
            })
        } else {
            let dance = DanceSources::from_takes(&request.motion, context)?;
            Ok(Arc::new(Prepared::new(dance, request, context)?))
        }
    }

    /// Makes the variation with a seed, as a take of this name.
    pub fn run(&self, seed: u64, name: &str) -> Result<Outcome<VaryDetails>, Error> {
        let Self { request, material, context } = self;
        let prepared = match material {
            Material::Takes(prepared) => prepared,
            Material::Keyframes(job) => return job.run(request, seed, name, context),
        };
        let Prepared { dance, settings, cell_map, moments, count, reference, gaps } = &**prepared;
        let DanceSources { dance, sources, bodies, report } = dance;
        context.report("varying", 2, 3)?;
        let frames = request.secs.map(|secs| (secs * dance.rate_hz).round() as usize);
        let asked = frames.unwrap_or(reference.len() * settings.elements_per_cell);
        context.budget().check_frames(asked as f64 * dance.actors.len() as f64)?;
        let fit = moments.as_ref().map(|moments| CutFit { moments, count: count.as_ref() });
        let varied = dance.vary(cell_map, settings, fit, request.travel, frames, Seed(seed))?;
        let mut plan = varied.plan;
        let realisation = Realisation { passes: passes(request.bridge), ..Realisation::default() };
        if plan.actors.len() > 1 && realisation.passes.constrain.is_some() {
            plan.meetings.extend(propagate_holds(&plan, sources)?);
        }
        let mut report = report.clone();
        if let Some(gaps) = gaps {
            plan = context.install(|| bridge(&plan, sources, gaps))??;
        }
        if request.motion.is_empty() {
            plan.bodies.clone_from(bodies);
        } else {
            embed_sources(&mut plan, sources);
        }
        realisation.write_to(&mut plan)?;
        let realised =
            context.install(|| realisation.realise(&plan, sources, context.observer(), Error::from))??;
        report.absorb(realised.report);
        let original: Vec<usize> = (0..reference.len()).collect();
        let played: Vec<usize> = varied.chunks.iter().flat_map(Chunk::range).collect();
        Ok(Outcome {
            take: Take::new(name, realised.take.into_actors())?,
            contacts: realised.contacts,
            plan: Some(plan),
            trace: Trace::default(),
            report,
            details: VaryDetails {
                seed,
                reference: reference.clone(),
                itinerary: varied.itinerary,
                chunks: varied.chunks,
                statistics: VariationStatistics::new(&original, &played),
                cell_secs: settings.elements_per_cell as f64 / dance.rate_hz,
            },
        })
    }
}

impl Prepared {
    fn new(mut dance: DanceSources, request: &VaryRequest, context: &Context<'_>) -> Result<Self, Error> {
        let defaults = VarySettings::for_motion(dance.dance.rate_hz, dance.dance.frames());
        let settings = request.settings(defaults);
        context.report("wrapping the dance around the attractor", 1, 3)?;
        let cell_map = dance.dance.cell_map(&settings)?;
        let (mut moments, mut count) = (None, None);
        if request.cut == CutRule::Fit {
            let DanceSources { dance, sources, report, .. } = &mut dance;
            let per_cell = settings.elements_per_cell;
            let actors = dance.actors.len();
            let clip = |take: &str, actor: usize| -> Option<&Clip> {
                sources.get(&SourceRef { take: take.to_owned(), actor }).map(|source| &source.clip)
            };
            let clips = |take: &str| (0..actors).filter_map(|actor| clip(take, actor)).collect();
            moments = Some(DanceMoments::of(dance, per_cell, clips)?);
            if request.beats {
                count = dance_count(dance, per_cell, request.tempo_bpm, |take| clip(take, 0), report)?;
            }
        }
        let gaps = match request.bridge {
            Bridge::Tween if dance.dance.actors.len() > 1 => {
                return Err(Error::usage(&codes::BRIDGE, "in-betweens are for one dancer"));
            }
            Bridge::Tween => {
                let example =
                    |(take, example): (usize, &SourceClip)| GapExample { clip: example.clip.clone(), take };
                let examples: Vec<GapExample> = dance.sources.values().enumerate().map(example).collect();
                let settings = NearSettings::default();
                Some(context.install(|| GapModel::learn(&examples, &settings, None, context.observer()))??)
            }
            Bridge::Join | Bridge::None => None,
        };
        let reference = cell_map.points().into();
        Ok(Self { dance, settings, cell_map, moments, count, reference, gaps })
    }
}

/// Returns the passes that realise a variation.
fn passes(bridge: Bridge) -> RealiseSettings {
    let defaults = RealiseSettings::default();
    match bridge {
        Bridge::Join | Bridge::Tween => defaults,
        Bridge::None => {
            let join = join::JoinSettings { method: join::JoinMethod::None, ..defaults.join };
            RealiseSettings { join, plant: None, constrain: None, ..defaults }
        }
    }
}

/// Adds to a plan the clips of the sources that it uses and does not carry yet.
fn embed_sources(plan: &mut Plan, sources: &BTreeMap<SourceRef, SourceClip>) {
    let placements = plan.actors.iter().flat_map(|actor| &actor.placements);
    let used: BTreeSet<SourceRef> = placements.map(|placement| placement.source.clone()).collect();
    for source in used {
        if let (None, Some(example)) = (plan.clip(&source), sources.get(&source)) {
            let SourceClip { clip, contacts, holds } = example.clone();
            plan.clips.push(PlanClip { source, clip, contacts, holds });
        }
    }
}
