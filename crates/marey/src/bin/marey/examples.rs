//! `marey examples`.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use marey::codes;
use marey::examples::lindy::{self, LindySettings};
use marey::examples::luxo::{self, LuxoSettings};
use marey::examples::playground::{self, Cycle, PlaygroundSettings};
use marey::examples::walk::{WalkSettings, walk};
use marey::examples::waltz::{WaltzSettings, waltz};
use marey::examples::{Body, Example, Style};
use marey::formats::file::make_folder;
use marey::formats::{trc, write};
use marey::motion::{PointClip, Terrain};

use crate::console::Console;
use crate::convert::usual_options;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, finite, hertz};
use crate::json;

/// Make example motion, with what is true of it beside it
///
/// The motion is generated, not recorded: the same flags give the same bytes. Beside OUT stands a .truth.json: when
/// each heel and ball is on the floor, where the motion may be cut, what is being done, and, for dances, the beats and which
/// hand holds whom. `lindy`, `luxo` and `playground` write a folder of several; a lamp's motion has its
/// .terrain.json beside it, a performer's the markers as .trc.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey examples walk tall.bvh --seed 7 --height 1.9 --speed 1.6  half a minute of walking, in a hurry
  marey examples lindy dances/                                    fifteen dances of a couple")]
pub(crate) struct ExamplesArgs {
    /// What to make
    name: Name,

    /// A file ending in .bvh, .glb or .gltf; for lindy, luxo and playground, a folder
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// Where chance starts: another seed is another motion
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// How long it lasts, in seconds [default: 30; for walk and waltz]
    #[arg(long, value_name = "SECS")]
    secs: Option<f64>,

    /// Frames a second
    #[arg(long, value_name = "HZ", default_value_t = 60.0, value_parser = hertz)]
    rate: f64,

    /// How tall the walker is, or the leader; the follower is 12 cm shorter, in metres
    #[arg(long, value_name = "M", value_parser = finite)]
    height: Option<f32>,

    /// How fast the walker mostly goes, in metres a second
    #[arg(long, value_name = "M/S", value_parser = finite)]
    speed: Option<f32>,

    /// How much noise to add, as capture has it, in millimetres [default: 0; playground: 1]
    #[arg(long, value_name = "MM", value_parser = finite)]
    noise: Option<f32>,

    #[command(flatten)]
    force: ForceFlag,
}

/// How much shorter a follower is than a leader whose height was given, in metres.
const SHORTER_M: f32 = 0.12;

/// Length and rate of small versions.
const SMALL_SECS: f64 = 14.0;
const SMALL_HZ: f64 = 60.0;

/// The examples, by name.
#[derive(Debug, Clone, Copy, PartialEq, ValueEnum)]
pub(crate) enum Name {
    /// A couple dances Lindy Hop: twelve dances of seven patterns, three that improvise others
    Lindy,
    /// A lamp hops over uneven ground: two datasets, each with its terrain
    Luxo,
    /// Six performers who imagine a bar, a rope, water, with their markers; and what they imitate
    Playground,
    /// Walking: starts, stops, curves, sharp turns, changing speed
    Walk,
    /// A couple waltzes round a floor
    Waltz,
}

/// Motion that was made, and what stands beside it.
#[derive(Debug)]
pub(crate) struct Piece {
    pub(crate) example: Example,
    /// The ground, where it is uneven.
    pub(crate) terrain: Option<Terrain>,
    /// Markers, where they were captured.
    markers: Option<PointClip>,
}

impl From<Example> for Piece {
    fn from(example: Example) -> Self {
        Self { example, terrain: None, markers: None }
    }
}

impl Piece {
    /// Ending and contents of each file beside the motion.
    pub(crate) fn beside(&self) -> Vec<(&'static str, Vec<u8>)> {
        let truth = json::object(&self.example.truth).into_bytes();
        let terrain = self.terrain.as_ref().map(|terrain| json::object(terrain).into_bytes());
        let markers = self.markers.as_ref().map(trc::write);
        let more = [("terrain.json", terrain), ("trc", markers)];
        let more = more.into_iter().filter_map(|(ending, bytes)| Some((ending, bytes?)));
        [("truth.json", truth)].into_iter().chain(more).collect()
    }
}

impl Name {
    /// Whether it lasts as long as is asked for.
    fn has_length(self) -> bool {
        matches!(self, Name::Walk | Name::Waltz)
    }

    /// Whether it is several motions, in a folder.
    fn is_folder(self) -> bool {
        matches!(self, Name::Lindy | Name::Luxo | Name::Playground)
    }
}

pub(crate) fn run(args: &ExamplesArgs, console: &Console) -> Result<Verdict, Failure> {
    args.check_flags()?;
    if args.name.is_folder() {
        return args.write_folder(console);
    }
    usual_options(&args.output)?;
    args.force.check(&args.output)?;
    args.force.check(&truth_path(&args.output))?;
    for piece in args.make()? {
        args.write(&args.output, &piece, console)?;
    }
    Ok(Verdict::AllDone)
}

fn truth_path(output: &Path) -> PathBuf {
    output.with_extension("truth.json")
}

impl ExamplesArgs {
    /// A small version of an example, for a show: what is made in seconds, and no more than a few pieces of it.
    pub(crate) fn small(name: Name, seed: u64) -> Result<Vec<Piece>, Failure> {
        let mut args = Self::of(name, seed);
        match name {
            // One dance; its settings have no length.
            Name::Lindy => {
                let settings = LindySettings { seed, rate_hz: SMALL_HZ, ..LindySettings::default() };
                Ok(lindy::database(&settings)?.into_iter().take(1).map(Piece::from).collect())
            }
            // One performer without the noise of capture, and what is imitated.
            Name::Playground => {
                args.noise = Some(0.0);
                Ok(args.make()?.split_off(playground::HEIGHTS_M.len() - 1))
            }
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
            speed: None,
            noise: None,
            force: ForceFlag::default(),
        }
    }

    /// A flag that would say nothing is refused.
    fn check_flags(&self) -> Result<(), Failure> {
        let given = [
            ("--secs", self.secs.is_some(), self.name.has_length()),
            ("--speed", self.speed.is_some(), self.name == Name::Walk),
            ("--height", self.height.is_some(), !matches!(self.name, Name::Luxo | Name::Playground)),
            ("--noise", self.noise.is_some(), self.name != Name::Luxo),
        ];
        let idle = given.into_iter().find_map(|(flag, given, meant)| (given && !meant).then_some(flag));
        match idle {
            None => Ok(()),
            Some(flag) => Err(Failure::usage(&codes::NOT_FOR_EXAMPLE, format!("{flag} was given"))),
        }
    }

    /// Makes what is asked for: one piece, or as many as go into a folder.
    pub(crate) fn make(&self) -> Result<Vec<Piece>, Failure> {
        match self.name {
            Name::Lindy => self.make_lindy(),
            Name::Luxo => self.make_luxo(),
            Name::Playground => self.make_playground(),
            Name::Walk => Ok(vec![self.make_walk()?.into()]),
            Name::Waltz => Ok(vec![self.make_waltz()?.into()]),
        }
    }

    fn make_walk(&self) -> Result<Example, Failure> {
        let defaults = WalkSettings::default();
        let style = Style { speed_mps: self.speed.unwrap_or(defaults.style.speed_mps), ..defaults.style };
        let settings = WalkSettings {
            seed: self.seed,
            duration_secs: self.secs.unwrap_or(30.0),
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(0.0),
            body: self.body(defaults.body, 0.0),
            style,
            ..defaults
        };
        Ok(walk(&settings)?)
    }

    fn make_waltz(&self) -> Result<Example, Failure> {
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

    fn make_lindy(&self) -> Result<Vec<Piece>, Failure> {
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

    fn make_luxo(&self) -> Result<Vec<Piece>, Failure> {
        let settings = LuxoSettings { seed: self.seed, rate_hz: self.rate, ..LuxoSettings::default() };
        let pieces = luxo::datasets(&settings)?
            .map(|crossing| Piece { terrain: Some(crossing.terrain), ..crossing.example.into() });
        Ok(pieces.into())
    }

    fn make_playground(&self) -> Result<Vec<Piece>, Failure> {
        let settings = PlaygroundSettings {
            seed: self.seed,
            rate_hz: self.rate,
            noise_mm: self.noise.unwrap_or(PlaygroundSettings::default().noise_mm),
            ..PlaygroundSettings::default()
        };
        let streams = playground::streams(&settings)?.into_iter();
        let mut pieces: Vec<Piece> =
            streams.map(|stream| Piece { markers: Some(stream.markers), ..stream.example.into() }).collect();
        for which in Cycle::ALL {
            pieces.push(playground::cycle(which, &settings.body, self.rate)?.into());
        }
        Ok(pieces)
    }

    fn body(&self, body: Body, shorter_m: f32) -> Body {
        Body { height_m: self.height.map_or(body.height_m, |height_m| height_m - shorter_m), ..body }
    }

    /// Makes a folder and writes every piece into it, named after its take; nothing where any of it is there.
    fn write_folder(&self, console: &Console) -> Result<Verdict, Failure> {
        let pieces = self.make()?;
        let path = |piece: &Piece| self.output.join(piece.example.take.name()).with_extension("bvh");
        for piece in &pieces {
            self.force.check(&path(piece))?;
            for (ending, _) in piece.beside() {
                self.force.check(&path(piece).with_extension(ending))?;
            }
        }
        make_folder(&self.output).map_err(|error| Failure::from(error).in_file(&self.output))?;
        for piece in &pieces {
            self.write(&path(piece), piece, console)?;
        }
        Ok(Verdict::AllDone)
    }

    fn write(&self, path: &Path, piece: &Piece, console: &Console) -> Result<(), Failure> {
        let (motion, _) = write(&piece.example.take, &usual_options(path)?)?;
        self.force.write(path, &motion)?;
        let mut names = vec![path.display().to_string()];
        for (ending, bytes) in piece.beside() {
            let beside = path.with_extension(ending);
            self.force.write(&beside, &bytes)?;
            names.push(beside.display().to_string());
        }
        console.note(&format!("wrote {}\n", names.join(", ")));
        Ok(())
    }
}
