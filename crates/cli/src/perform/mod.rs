//! `marey perform`.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::formats::write;
use marey::perform::{PerformInput, PerformRequest, run as perform};
use marey::render::Look;
use marey::{Context, Error};
use serde::Serialize;

use crate::console::Console;
use crate::convert::usual_options;
use crate::flags::{ForceFlag, JsonFlag};
use crate::follow::warn;
use crate::json;
use crate::render::{Picture, PictureFlags};
use crate::verdict::Verdict;

/// Let a performance drive a character in a physical world: swing, climb, walk, bounce, swim
///
/// The performer stands in an empty room and acts. The hands show what the performer intends. The character's centre of mass obeys the
/// physics of the world; its pose follows the performer, the example motions of the world's features, and what it holds.
/// A skeleton's fingers show whether hands are closed; with markers, a hidden palm does.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey perform adventure --input player -o hero.bvh --picture hero.gif          a generated player in the built-in world
  marey perform world.toml --input tcp:127.0.0.1:7777 -o hero.bvh                live, until the sender ends")]
pub(crate) struct PerformArgs {
    /// The world: a .toml file as docs/perform.md describes it, or `adventure`, the built-in one
    #[arg(value_name = "WORLD")]
    world: PathBuf,

    /// The performance: a motion file, markers (.trc, .c3d), a recording (.json), - for lines of JSON on the standard input,
    /// tcp:HOST:PORT for the same from a socket, or player for a generated player of the adventure
    #[arg(long, value_name = "STREAM")]
    input: PerformInput,

    /// Write the character's motion: a file ending in .bvh, .glb or .gltf
    #[arg(short, long, value_name = "OUT")]
    output: PathBuf,

    /// Record the input: a .json file that gives the same motion as --input in the same world
    #[arg(long, value_name = "RECORDING.json")]
    record: Option<PathBuf>,

    /// Write what happened: what the character held, imitated and swam in, from which frame on
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

/// The result as JSON.
#[derive(Debug, Serialize)]
struct PerformRow {
    output: String,
    frames: usize,
    rate_hz: f64,
    /// How far the character moved over the floor, in metres.
    went_m: f32,
    changes: usize,
    /// The frame in which the end of the course was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<usize>,
    warnings: Vec<&'static str>,
}

pub(crate) fn run(args: &PerformArgs, console: &Console) -> Result<Verdict, Error> {
    let options = usual_options(&args.output)?;
    let outputs = [Some(&args.output), args.record.as_ref(), args.explain.as_ref(), args.picture.as_ref()];
    for output in outputs.into_iter().flatten() {
        args.force.check(output)?;
    }
    let picture =
        args.picture.as_deref().map(|path| Ok::<_, Error>((path, Picture::of(path)?))).transpose()?;
    if let Some((_, picture)) = picture {
        args.drawing.check(picture)?;
    }
    let request = PerformRequest { world: args.world.clone(), input: args.input.clone() };
    let outcome = perform(&request, &Context::new())?;
    let (take, details, mut report) = (outcome.take, outcome.details, outcome.report);
    let (bytes, notes) = write(&take, &options)?;
    report.absorb(notes);
    args.force.write(&args.output, &bytes)?;
    if let Some(path) = &args.record {
        args.force.write(path, json::object(&details.recording).as_bytes())?;
    }
    if let Some((path, picture)) = picture {
        let frames = args.drawing.frames.map(|frames| frames.within(take.frames()));
        let look = Look { view: args.drawing.view, props: details.scenery, frames, ..Look::default() };
        args.force.write(path, &args.drawing.draw(picture, &take, look)?)?;
    }
    if let Some(path) = &args.explain {
        args.force.write(path, json::object(&details.events).as_bytes())?;
    }
    let row = PerformRow {
        output: args.output.display().to_string(),
        frames: take.frames(),
        rate_hz: take.rate_hz(),
        went_m: details.distance_m,
        changes: details.events.len(),
        finished: details.finished,
        warnings: report.codes(),
    };
    if args.json.json {
        console.print(&json::array([row].into_iter()))?;
        return Ok(Verdict::AllDone);
    }
    warn(console, &report, Path::new(&String::from(args.input.clone())));
    let end = row.finished.map_or(String::new(), |frame| format!("; finished in frame {frame}"));
    console.note(&format!(
        "{}: {} frames at {} Hz, {:.1} m over the floor, {} changes of holds and intentions{end}\n",
        row.output, row.frames, row.rate_hz, row.went_m, row.changes,
    ));
    Ok(Verdict::AllDone)
}
