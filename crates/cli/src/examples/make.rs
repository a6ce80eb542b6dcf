//! Making examples from what was asked for.

use std::path::PathBuf;

use marey::body::BodyProportions;
use marey::examples::ballet::{BalletSettings, ballet};
use marey::examples::lindy::{self, LindySettings};
use marey::examples::luxo::{self, LuxoSettings};
use marey::examples::playground::{self, Cycle, PlaygroundSettings};
use marey::examples::taekwondo::{TaekwondoSettings, taekwondo};
use marey::examples::walk::{WalkSettings, drawn_path, walk};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::examples::{Example, GaitStyle};
use marey::perform::{Player, WorldFile, perform};

use super::{ExamplesArgs, Name, Piece};
use crate::flags::ForceFlag;
use marey::{Context, Error};

/// How much shorter a follower is than a leader whose height was given, in metres.
const SHORTER_M: f32 = 0.12;

/// How many episodes of a walk go backwards or aside.
const BACKWARD_OR_ASIDE: f32 = 0.15;

/// Length and rate of small versions.
const SMALL_SECS: f64 = 14.0;
const SMALL_HZ: f64 = 60.0;

impl ExamplesArgs {
    /// A small version of an example, for a show: what is made in seconds, and no more than a few pieces of it.
    pub(crate) fn small(name: Name, seed: u64) -> Result<Vec<Piece>, Error> {
        let mut args = Self::of(name, seed);
        match name {
            // One dance; its settings have no length.
            Name::Lindy => {
                let settings = LindySettings { seed, rate_hz: SMALL_HZ, ..LindySettings::default() };
                Ok(lindy::database(&settings)?.into_iter().take(1).map(Piece::from).collect())
            }
            // Every few phrases one.
            Name::Ballet => Ok(args.make()?.into_iter().step_by(10).collect()),
            // One performer, and what is imitated.
            Name::Playground => Ok(args.make()?.split_off(playground::HEIGHTS_M.len() - 1)),
            _ => {
                args.secs = name.has_length().then_some(SMALL_SECS);
                args.make()
            }
        }
    }

    /// What `marey examples NAME` is without flags.
    fn of(name: Name, seed: u64) -> Self {
        Self {
            name,
            output: PathBuf::new(),
            seed,
            secs: None,
            rate: SMALL_HZ,
            height: None,
            style: None,
            speed: None,
            noise: None,
            force: ForceFlag::default(),
        }
    }

    /// Makes what is asked for: one piece, or as many as go into a folder.
    pub(crate) fn make(&self) -> Result<Vec<Piece>, Error> {
        match self.name {
            Name::Ballet => self.make_ballet(),
            Name::Lindy => self.make_lindy(),
            Name::Luxo => self.make_luxo(),
            Name::Playground => self.make_playground(),
            Name::Taekwondo => Ok(vec![self.make_taekwondo()?.into()]),
            Name::Walk => {
                let example = self.make_walk()?;
                let way = Some(drawn_path(&example.take).to_string());
                Ok(vec![Piece { way, ..example.into() }])
            }
            Name::Waltz => Ok(vec![self.make_waltz()?.into()]),
        }
    }

    fn make_walk(&self) -> Result<Example, Error> {
        let defaults = WalkSettings::default();
        let style = self.style.unwrap_or(defaults.style);
        let style = GaitStyle { speed_mps: self.speed.unwrap_or(style.speed_mps), ..style };
        let settings = WalkSettings {
            seed: self.seed,
            duration_secs: self.secs.unwrap_or(30.0),
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            backward_or_aside: BACKWARD_OR_ASIDE,
            body: self.body(defaults.body, 0.0),
            style,
            ..defaults
        };
        Ok(walk(&settings)?)
    }

    fn make_waltz(&self) -> Result<Example, Error> {
        let defaults = WaltzSettings::default();
        let settings = WaltzSettings {
            seed: self.seed,
            duration_secs: self.secs.unwrap_or(30.0),
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            leader: self.body(defaults.leader, 0.0),
            follower: self.body(defaults.follower, SHORTER_M),
            ..defaults
        };
        Ok(waltz(&settings)?)
    }

    fn make_taekwondo(&self) -> Result<Example, Error> {
        let defaults = TaekwondoSettings::default();
        let settings = TaekwondoSettings {
            seed: self.seed,
            duration_secs: self.secs.unwrap_or(defaults.duration_secs),
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            red: self.body(defaults.red, 0.0),
            blue: self.body(defaults.blue, 0.0),
        };
        Ok(taekwondo(&settings)?)
    }

    fn make_ballet(&self) -> Result<Vec<Piece>, Error> {
        let defaults = BalletSettings::default();
        let settings = BalletSettings {
            seed: self.seed,
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            body: self.body(defaults.body, 0.0),
            ..defaults
        };
        Ok(ballet(&settings)?.into_iter().map(Piece::from).collect())
    }

    fn make_lindy(&self) -> Result<Vec<Piece>, Error> {
        let defaults = LindySettings::default();
        let settings = LindySettings {
            seed: self.seed,
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            leader: self.body(defaults.leader, 0.0),
            follower: self.body(defaults.follower, SHORTER_M),
        };
        let mut dances = lindy::database(&settings)?;
        dances.extend(lindy::tests(&settings)?);
        Ok(dances.into_iter().map(Piece::from).collect())
    }

    fn make_luxo(&self) -> Result<Vec<Piece>, Error> {
        let settings = LuxoSettings { seed: self.seed, rate_hz: self.rate, ..LuxoSettings::default() };
        let pieces = luxo::datasets(&settings)?
            .map(|crossing| Piece { terrain: Some(crossing.terrain), ..crossing.example.into() });
        Ok(pieces.into())
    }

    fn make_playground(&self) -> Result<Vec<Piece>, Error> {
        let defaults = PlaygroundSettings::default();
        let settings = PlaygroundSettings {
            seed: self.seed,
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(defaults.noise_mm),
            marker_noise_mm: self.noise.unwrap_or(defaults.marker_noise_mm),
            ..defaults
        };
        let streams = playground::streams(&settings)?.into_iter();
        let mut pieces: Vec<Piece> =
            streams.map(|stream| Piece { markers: Some(stream.markers), ..stream.example.into() }).collect();
        for which in Cycle::ALL {
            pieces.push(playground::cycle(which, &settings.body, self.rate)?.into());
        }
        let mut player = Player::new(&settings)?;
        perform(WorldFile::adventure()?, Box::new(&mut player), &Context::new())?;
        let adventurer = player.into_stream()?;
        pieces.push(Piece { markers: Some(adventurer.markers), ..adventurer.example.into() });
        Ok(pieces)
    }

    fn body(&self, body: BodyProportions, shorter_m: f32) -> BodyProportions {
        BodyProportions {
            height_m: self.height.map_or(body.height_m, |height_m| height_m - shorter_m),
            ..body
        }
    }
}
