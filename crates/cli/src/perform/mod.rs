//! `marey perform`.

use std::path::{Path, PathBuf};

use clap::Args;
use marey::perform::{PerformInput, PerformRequest, VmcAddress, run as perform};
use marey::render::{Stage, check_options};
use marey::{Context, Error};
use serde::Serialize;

use crate::console::Console;
use crate::output::OutputFlags;
use crate::render::{PictureFlags, picture_format};
use crate::verdict::Verdict;

/// Let a performance drive a character in a physical world: swing, climb, walk, bounce, swim
///
/// The performer stands in an empty room and acts. The hands show the performer's intentions. The character's centre of mass obeys the
/// physics of the world; its pose follows the performer, the example motions of the world's features, and what it holds.
/// A skeleton's fingers show whether hands are closed; with markers, a hidden palm does. Without either, a hand grips by keeping still.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey perform adventure --input player -o hero.bvh --picture hero.gif          a generated player in the built-in world
  marey perform world.toml --input vmc -o hero.bvh --send vmc:39540              live, from and to other programs, until Ctrl-C")]
pub(crate) struct PerformArgs {
    /// The world: a .toml file as docs/engines/perform.md describes it, or `adventure`, the built-in one
    #[arg(value_name = "WORLD")]
    world: PathBuf,

    /// The performance: a motion file, markers (.trc, .c3d), a recording (.json), - for lines of JSON on the standard input,
    /// tcp:HOST:PORT for the same from a socket, vmc, vmc:PORT or vmc:HOST:PORT for a VMC stream that is received there, or player for a generated player of the adventure
    #[arg(long, value_name = "STREAM")]
    input: PerformInput,

    /// Also record the input, frame by frame: a .json file that gives the same motion as --input in the same world
    #[arg(long, value_name = "RECORDING.json")]
    record: Option<PathBuf>,

    /// A motion file or recording in which the same performer stands: it gives the floor, if the input does not begin by standing
    #[arg(long, value_name = "FILE")]
    calibrate: Option<PathBuf>,

    /// Also send the character to another program while it performs: vmc, vmc:PORT, vmc:HOST or vmc:HOST:PORT
    #[arg(long, value_name = "VMC")]
    send: Option<VmcAddress>,

    /// Also write the events: what the character held, imitated and swam in, from which frame on
    #[arg(long, value_name = "WHY.json")]
    explain: Option<PathBuf>,

    /// Also draw the character among the features of the world: an animation (.gif) or a contact sheet (.png)
    #[arg(long, value_name = "PICTURE")]
    picture: Option<PathBuf>,

    #[command(flatten)]
    drawing: PictureFlags,

    #[command(flatten)]
    output: OutputFlags,
}

/// What `--json` adds.
#[derive(Debug, Serialize)]
struct PerformRow {
    /// How far the character moved over the floor, in metres.
    went_m: f32,
    changes: usize,
    /// The frame in which the end of the course was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    finished: Option<usize>,
}

pub(crate) fn run(args: &PerformArgs, console: &Console) -> Result<Verdict, Error> {
    args.output.check(&[&args.record, &args.explain, &args.picture])?;
    let options = args.drawing.options();
    let picture = args.picture.as_deref().map(|path| Ok::<_, Error>((path, picture_format(path)?)));
    let picture = picture.transpose()?;
    picture.map_or(Ok(()), |(_, format)| check_options(&options, format))?;
    let request = PerformRequest {
        world: args.world.clone(),
        input: args.input.clone(),
        record: args.record.clone(),
        calibrate: args.calibrate.clone(),
        send: args.send.clone(),
    };
    let context = args.output.context(Context::new())?;
    let outcome = console.observed(|observer| perform(&request, &console.context(context, observer)))?;
    let details = &outcome.details;
    args.output.write_json(&args.explain, &details.events)?;
    if let Some((path, format)) = picture {
        let stage = Stage::on_floor(outcome.take.clone(), 0.0);
        let bytes = options.draw(format, &stage, None, details.scenery.clone())?;
        args.output.force.write(path, &bytes)?;
    }
    let row =
        PerformRow { went_m: details.distance_m, changes: details.events.len(), finished: details.finished };
    let end = row.finished.map_or(String::new(), |frame| format!("; finished in frame {frame}"));
    let summary =
        format!("{:.1} m over the floor, {} changes of holds and intentions{end}", row.went_m, row.changes);
    let input = String::from(args.input.clone());
    args.output.save(console, &outcome, None, Some(Path::new(&input)), summary, row)
}
