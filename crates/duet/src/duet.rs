//! A trained pair, ready to go on.

use marey_motion::{Clip, Contacts, Ground};
use marey_plan::{ActorPlan, Cost, Plan, Seed, SourceRef};

use crate::repertoire::Repertoire;
use crate::{Model, Pair, Played, Result, RunSettings, Session, Way};

/// A trained pair with the motion that it was trained on.
#[derive(Debug, Clone)]
pub struct Duet {
    pub(crate) model: Model,
    pub(crate) repertoire: Repertoire,
    /// Where both stood when movements of the first began.
    pub(crate) stands: Vec<[Ground; 2]>,
}

/// What two people do in a run: the plan, and the motion that it is made of.
#[derive(Debug, Clone)]
pub struct Performance {
    /// Which movement is shown when and where.
    pub plan: Plan,
    /// The movements that the plan names, each made for it.
    pub movements: Vec<(SourceRef, Clip, Contacts)>,
    /// The same movements with what they are for, in the order they begin.
    pub played: Vec<Played>,
    /// Whether they hold each other, and move as one.
    pub in_unison: bool,
}

impl Duet {
    /// A model and the recordings it was trained on, in the same order.
    pub fn new(pairs: &[Pair], model: Model) -> Result<Self> {
        model.validate()?;
        crate::labelling::check(pairs, &crate::LabelSettings::default())?;
        let repertoire = Repertoire::of(pairs, &model)?;
        let tracks: Vec<[Vec<Ground>; 2]> = pairs
            .iter()
            .map(|pair| pair.people.each_ref().map(|person| person.clip.ground_track().frames))
            .collect();
        let first = model.labels.people[0].all.iter();
        let stands = first
            .map(|movement| tracks[movement.pair].each_ref().map(|t| t[movement.frames.start]))
            .collect();
        Ok(Self { model, repertoire, stands })
    }

    /// What was learnt.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Frames a second of what is made.
    pub fn rate_hz(&self) -> f64 {
        self.repertoire.rate_hz
    }

    /// Lets both go on for so many frames: by themselves, or one of them along a way. The same seed gives the same run.
    pub fn perform(
        &self,
        frames: usize,
        way: Option<Way>,
        settings: &RunSettings,
        seed: Seed,
    ) -> Result<Performance> {
        let mut session = Session::new(self, settings, seed)?;
        if let Some(way) = way {
            session.follow(way)?;
        }
        let mut played = Vec::new();
        while session.planned() < frames.max(1) {
            played.extend(session.advance()?);
        }
        self.performance(played, frames.max(1), seed)
    }

    /// What was played until a frame, as a plan.
    pub fn performance(&self, played: Vec<Played>, frames: usize, seed: Seed) -> Result<Performance> {
        let mut actors = [0, 1]
            .map(|person| ActorPlan { name: self.model.people[person].name.clone(), placements: Vec::new() });
        let mut movements = Vec::new();
        let kept: Vec<Played> = played.into_iter().filter(|played| played.placement.start < frames).collect();
        for played in &kept {
            let mut placement = played.placement.clone();
            if placement.end() > frames {
                placement.source_end = (placement.source_frame_at((frames - placement.start) as f64).round()
                    as usize)
                    .clamp(1, placement.source_end);
                placement.frames = frames - placement.start;
                let (end, last) = (placement.source_end as f64, frames as f64);
                placement.key_times.retain(|key| key.source_frame < end && key.frame < last);
            }
            movements.push((placement.source.clone(), played.clip.clone(), played.contacts.clone()));
            actors[played.person].placements.push(placement);
        }
        let plan = Plan {
            rate_hz: self.rate_hz(),
            seed,
            cost: Cost::default(),
            actors: actors.into(),
            meetings: Vec::new(),
            targets: Vec::new(),
        };
        plan.validate()?;
        Ok(Performance { plan, movements, played: kept, in_unison: self.model.in_unison })
    }
}
