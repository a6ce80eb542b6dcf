//! A trained pair that can generate new motion.

use marey_motion::Ground;
use marey_plan::{ActorPlan, Plan, PlanClip, Seed};

use crate::repertoire::Repertoire;
use crate::{
    DuetModel, DuetPath, DuetRunSettings, DuetSession, PlacedMovement, RecordedPair, Result,
    SeparationSettings,
};

/// How fast limbs of people who hold each other are moved out of the partner, in metres per second.
const HELD_CORRECTION_MPS: f32 = 1.0;

/// A trained model together with the recordings it was trained on.
#[derive(Debug, Clone)]
pub struct Duet {
    pub(crate) model: DuetModel,
    pub(crate) repertoire: Repertoire,
    /// Positions of both people at the start of each movement of the first.
    pub(crate) start_positions: Vec<[Ground; 2]>,
}

/// A generated run.
#[derive(Debug, Clone)]
pub struct DuetRun {
    /// Which movement is shown when and where. It carries the generated movements.
    pub plan: Plan,
    /// The movements in order of their start, with group, kind and contact frame.
    pub placed: Vec<PlacedMovement>,
    /// Whether the two move in unison and may hold each other.
    pub in_unison: bool,
    /// How the bodies are kept apart.
    pub separation: SeparationSettings,
}

impl Duet {
    /// Combines a model with the recordings it was trained on, in the same order.
    pub fn new(pairs: &[RecordedPair], model: DuetModel) -> Result<Self> {
        model.validate()?;
        crate::labelling::check(pairs, &crate::DuetLabelSettings::default())?;
        let repertoire = Repertoire::new(pairs, &model)?;
        let tracks: Vec<[Vec<Ground>; 2]> = pairs
            .iter()
            .map(|pair| pair.people.each_ref().map(|person| person.clip.ground_track().frames))
            .collect();
        let first = model.labels.people[0].all.iter();
        let start_positions = first
            .map(|movement| tracks[movement.pair].each_ref().map(|t| t[movement.frames.start]))
            .collect();
        Ok(Self { model, repertoire, start_positions })
    }

    /// Returns the model.
    pub fn model(&self) -> &DuetModel {
        &self.model
    }

    /// Returns the frame rate of the generated motion.
    pub fn rate_hz(&self) -> f64 {
        self.repertoire.rate_hz
    }

    /// Returns how the bodies are kept apart. People who make exchanges may be as deep in each other as
    /// in the recordings; they hold each other, so corrections are gradual.
    pub fn separation(&self) -> SeparationSettings {
        let default = SeparationSettings::default();
        if !self.model.in_unison {
            return default;
        }
        let overlap_m = self.repertoire.held_overlap_m.max(default.overlap_m);
        SeparationSettings { overlap_m, correction_mps: Some(HELD_CORRECTION_MPS) }
    }

    /// Generates a run of `frames` frames, with one person on a path if one is given. The same seed
    /// gives the same run.
    pub fn run(
        &self,
        frames: usize,
        path: Option<DuetPath>,
        settings: &DuetRunSettings,
        seed: Seed,
    ) -> Result<DuetRun> {
        let mut session = DuetSession::new(self, settings, seed)?;
        if let Some(path) = path {
            session.follow_path(path)?;
        }
        let mut placed = Vec::new();
        while session.planned_frames() < frames.max(1) {
            placed.extend(session.advance()?);
        }
        self.run_from(placed, frames.max(1), seed)
    }

    /// Builds a plan from placed movements, cut off at `frames`.
    pub fn run_from(&self, placed: Vec<PlacedMovement>, frames: usize, seed: Seed) -> Result<DuetRun> {
        let mut actors = [0, 1]
            .map(|person| ActorPlan { name: self.model.people[person].name.clone(), placements: Vec::new() });
        let mut clips = Vec::new();
        let kept: Vec<PlacedMovement> =
            placed.into_iter().filter(|movement| movement.placement.start < frames).collect();
        for movement in &kept {
            let mut placement = movement.placement.clone();
            if placement.end() > frames {
                placement.source_end = (placement.source_frame_at((frames - placement.start) as f64).round()
                    as usize)
                    .clamp(1, placement.source_end);
                placement.frames = frames - placement.start;
                let (end, last) = (placement.source_end as f64, frames as f64);
                placement.key_times.retain(|key| key.source_frame < end && key.frame < last);
            }
            clips.push(PlanClip {
                source: placement.source.clone(),
                clip: movement.clip.clone(),
                contacts: movement.contacts.clone(),
                holds: Vec::new(),
            });
            actors[movement.person].placements.push(placement);
        }
        let plan = Plan { seed, clips, ..Plan::new(self.rate_hz(), actors.into()) };
        plan.validate()?;
        Ok(DuetRun { plan, placed: kept, in_unison: self.model.in_unison, separation: self.separation() })
    }
}
