//! `marey perform`.

pub(crate) mod live;

use std::path::{Path, PathBuf};

use clap::Args;
use live::Live;
use marey::examples::playground::PlaygroundSettings;
use marey::formats::write;
use marey::inputs;
use marey::motion::{Report, Take};
use marey::perform::Session;
use marey::performances::{Adventure, Film, play, play_adventure, recording, world};
use marey::render::Look;
use serde::Serialize;

use crate::console::Console;
use crate::convert::usual_options;
use crate::failure::{Failure, Verdict};
use crate::flags::{ForceFlag, JsonFlag};
use crate::follow::warn;
use crate::json;
use crate::render::{Picture, PictureFlags};

/// Let a performance drive a character in a physical world: swing, climb, walk, bounce, swim
///
/// The performer stands in an empty room and acts. What is meant is told from the hands; the character's centre of mass obeys the
/// physics of the world, and its pose the performer, the example motions of the world's features, and what it holds.
/// A figure's fingers say whether hands are closed; of markers, a palm that is hidden does.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey perform adventure --input player -o hero.bvh --picture hero.gif          one who looks and plays, in the world that comes along
  marey perform world.toml --input tcp:127.0.0.1:7777 -o hero.bvh                live, until the sender ends")]
pub(crate) struct PerformArgs {
    /// The world: a file ending in .toml as docs/perform.md describes it, or `adventure`
    #[arg(value_name = "WORLD")]
    world: PathBuf,

    /// The performance: a motion file, markers (.trc, .c3d), - for lines of JSON on the standard input, or tcp:HOST:PORT for the same
    /// from a socket, or player for one who looks at the character and plays the adventure to its finish
    #[arg(long, value_name = "STREAM")]
    input: String,

    /// Where the character's motion goes: a file ending in .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Write what happened: who held what, imitated what and was in which water, from which frame on
    #[arg(long, value_name = "WHY.json")]
    explain: Option<PathBuf>,

    /// Draw the character among the features of the world: a file ending in .gif for an animation, in .png for a contact sheet
    #[arg(long, value_name = "PICTURE")]
    picture: Option<PathBuf>,

    #[command(flatten)]
    drawing: PictureFlags,

    #[command(flatten)]
    force: ForceFlag,

    #[command(flatten)]
    json: JsonFlag,
}

/// The input that is no stream but one who plays.
const PLAYER: &str = "player";

/// What was done, as JSON has it.
#[derive(Debug, Serialize)]
struct Performed {
    output: String,
    frames: usize,
    rate_hz: f64,
    /// How far the character went over the floor, in metres.
    went_m: f32,
    changes: usize,
    /// The frame in which the end of the course was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<usize>,
    warnings: Vec<&'static str>,
}

pub(crate) fn run(args: &PerformArgs, console: &Console) -> Result<Verdict, Failure> {
    let options = usual_options(&args.output)?;
    for output in [Some(&args.output), args.explain.as_ref(), args.picture.as_ref()].into_iter().flatten() {
        args.force.check(output)?;
    }
    let picture =
        args.picture.as_deref().map(|path| Ok::<_, Failure>((path, Picture::of(path)?))).transpose()?;
    if let Some((_, picture)) = picture {
        args.drawing.check(picture)?;
    }
    let (film, session, rate_hz, mut report) = match Live::opened(&args.input)? {
        _ if args.input == PLAYER => args.watch()?,
        Some(live) => live.perform(&args.world)?,
        None => args.play()?,
    };
    report.absorb(session.report().clone());
    let (frames, finished, moments) = (film.frames(), film.finished, film.moments.clone());
    let props = film.scenery.clone().into_props(session.world());
    let clip = film.into_clip(&session, rate_hz)?;
    let ends = [0, frames - 1].map(|frame| clip.pose(frame).root_position().with_y(0.0));
    let take = Take::solo("perform", clip);
    let (bytes, notes) = write(&take, &options)?;
    report.absorb(notes);
    args.force.write(&args.output, &bytes)?;
    if let Some((path, picture)) = picture {
        let shown = args.drawing.frames.map(|frames| frames.within(take.frames()));
        let look = Look { view: args.drawing.view, props, frames: shown, ..Look::default() };
        args.force.write(path, &args.drawing.draw(picture, &take, look)?)?;
    }
    if let Some(path) = &args.explain {
        args.force.write(path, json::object(&moments).as_bytes())?;
    }
    let row = Performed {
        output: args.output.display().to_string(),
        frames,
        rate_hz,
        went_m: ends[0].distance(ends[1]),
        changes: moments.len(),
        finished,
        warnings: report.codes(),
    };
    if args.json.json {
        console.print(&json::array([row].into_iter()))?;
        return Ok(Verdict::AllDone);
    }
    warn(console, &report, Path::new(&args.input));
    let end = finished.map_or(String::new(), |frame| format!("; at the finish in frame {frame}"));
    console.note(&format!(
        "{}: {frames} frames at {rate_hz} Hz, {:.1} m over the floor, {} changes of holds and intentions{end}\n",
        row.output, row.went_m, row.changes,
    ));
    Ok(Verdict::AllDone)
}

impl PerformArgs {
    /// Lets one play who looks.
    fn watch(&self) -> Result<(Film, Session, f64, Report), Failure> {
        let (world, motions) = world(&self.world)?;
        let settings = PlaygroundSettings::default();
        let Adventure { film, session, .. } = play_adventure(world, &motions, &settings, |_| {})
            .map_err(|error| Failure::from(error).in_file(&self.world))?;
        Ok((film, session, settings.rate_hz, Report::default()))
    }

    /// Performs a recording.
    fn play(&self) -> Result<(Film, Session, f64, Report), Failure> {
        let (world, motions) = world(&self.world)?;
        let input = Path::new(&self.input);
        let recorded =
            recording(&inputs::import(input)?).map_err(|error| Failure::from(error).in_file(input))?;
        let (film, session) =
            play(world, &motions, &recorded).map_err(|error| Failure::from(error).in_file(&self.world))?;
        Ok((film, session, recorded.rate_hz, recorded.report))
    }
}
