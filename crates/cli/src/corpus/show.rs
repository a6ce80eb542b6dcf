//! `marey corpus show`.

use clap::Args;
use marey::corpus::{Annotation, Corpus, Said, Segment, TakeInfo};
use marey::cuts::chosen;
use serde::Serialize;

use super::CorpusFlag;
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;
use crate::{json, table};
use marey::Error;

/// Show everything that is known of takes: where they come from, what was said about them, how they are cut
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey corpus show walks.marey walk1   one take, by its name
  marey corpus show walks.marey '#3'    or by its number")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// Names of takes, or # and a number
    #[arg(required = true, value_name = "TAKE")]
    takes: Vec<String>,

    #[command(flatten)]
    json: JsonFlag,
}

/// A take, as JSON has it.
#[derive(Debug, Serialize)]
struct Shown {
    id: i64,
    name: String,
    content: String,
    frames: usize,
    rate_hz: f64,
    duration_secs: f64,
    actors: Vec<ShownActor>,
    source: String,
    licence: String,
    credit: String,
    history: String,
    said: Vec<ShownSaid>,
    segments: Vec<ShownSegment>,
}

#[derive(Debug, Serialize)]
struct ShownActor {
    name: String,
    joints: usize,
}

/// Anything that was said; what does not apply is left out.
#[derive(Debug, Default, Serialize)]
struct ShownSaid {
    kind: &'static str,
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    actor: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    segment: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<String>,
    made_by: String,
}

#[derive(Debug, Serialize)]
struct ShownSegment {
    id: i64,
    actor: Option<usize>,
    name: String,
    start: usize,
    end: usize,
    made_by: String,
}

pub(super) fn run(args: &ShowArgs, console: &Console) -> Result<Verdict, Error> {
    let corpus = args.corpus.look()?;
    let shown = show_all(args, &corpus).map_err(|failure| args.corpus.about(failure))?;
    if args.json.json {
        console.print(&json::array(shown.iter()))?;
    } else {
        for take in &shown {
            console.print(&take.page(console))?;
        }
    }
    Ok(Verdict::AllDone)
}

fn show_all(args: &ShowArgs, corpus: &Corpus) -> Result<Vec<Shown>, Error> {
    let one = |take: TakeInfo| {
        let (said, segments) = (corpus.annotations(take.id)?, corpus.segments_of(take.id)?);
        Ok(Shown::new(take, said, segments))
    };
    chosen(corpus, &args.takes)?.into_iter().map(one).collect()
}

impl Shown {
    fn new(take: TakeInfo, said: Vec<Annotation>, segments: Vec<Segment>) -> Self {
        let duration_secs = take.duration_secs();
        let segment = |segment: Segment| ShownSegment {
            id: segment.id.0,
            actor: segment.actor,
            name: segment.name,
            start: segment.frames.start,
            end: segment.frames.end,
            made_by: segment.maker.to_string(),
        };
        Self {
            id: take.id.0,
            name: take.name,
            content: take.content,
            frames: take.frames,
            rate_hz: take.rate_hz,
            duration_secs,
            actors: take
                .actors
                .into_iter()
                .map(|actor| ShownActor { name: actor.name, joints: actor.joints })
                .collect(),
            source: take.provenance.source,
            licence: take.provenance.licence,
            credit: take.provenance.credit,
            history: take.provenance.history,
            said: said.into_iter().map(ShownSaid::new).collect(),
            segments: segments.into_iter().map(segment).collect(),
        }
    }

    /// The take as a page for people.
    fn page(&self, console: &Console) -> String {
        let mut text =
            format!("{}\n", console.out.heading(&format!("#{} {}", self.id, crate::ink::plain(&self.name))));
        let actors: Vec<String> =
            self.actors.iter().map(|actor| format!("{} ({} joints)", actor.name, actor.joints)).collect();
        let rows = [
            ("frames", format!("{} at {} Hz, {:.2} s", self.frames, self.rate_hz, self.duration_secs)),
            ("actors", actors.join(", ")),
            ("source", self.source.clone()),
            ("licence", self.licence.clone()),
            ("credit", self.credit.clone()),
            ("read as", self.history.clone()),
            ("content", self.content.clone()),
        ];
        let rows = rows.into_iter().filter(|(_, value)| !value.is_empty());
        text += &table::plain_columns(rows.map(|(name, value)| vec![name.to_owned(), value]).collect());
        if !self.said.is_empty() {
            let rows = self.said.iter().map(ShownSaid::row).collect();
            text += &format!(
                "\n{}",
                table::columns(console.out, ["what", "name", "frames", "of", "made by"], rows)
            );
        }
        if !self.segments.is_empty() {
            let rows = self.segments.iter().map(ShownSegment::row).collect();
            let heading = ["segment", "name", "frames", "actor", "made by"];
            text += &format!("\n{}", table::columns(console.out, heading, rows));
        }
        text + "\n"
    }
}

impl ShownSaid {
    fn new(annotation: Annotation) -> Self {
        let made_by = annotation.maker.to_string();
        match annotation.what {
            Said::Tag(tag) => {
                let (start, end) = (Some(tag.start), Some(tag.end));
                Self { kind: "tag", name: tag.name, start, end, made_by, ..Self::default() }
            }
            Said::Marker(marker) => Self {
                kind: "marker",
                name: marker.name,
                start: Some(marker.frame),
                made_by,
                ..Self::default()
            },
            Said::Contact(touch) => {
                let on = touch.on.to_string();
                Self {
                    kind: "contact",
                    name: touch.role.name().to_owned(),
                    start: Some(touch.start),
                    end: Some(touch.end),
                    actor: Some(touch.actor),
                    value: Some(if on.is_empty() { "floor".to_owned() } else { on }),
                    made_by,
                    ..Self::default()
                }
            }
            Said::Label { key, value } => {
                Self { kind: "label", name: key, value: Some(value), made_by, ..Self::default() }
            }
            Said::SegmentLabel { segment, key, value } => {
                let segment = Some(segment.0);
                Self { kind: "label", name: key, value: Some(value), segment, made_by, ..Self::default() }
            }
        }
    }

    fn row(&self) -> Vec<String> {
        let name = match (&self.value, self.kind) {
            (Some(value), "label") => format!("{}={value}", self.name),
            (Some(value), _) => format!("{} on {value}", self.name),
            (None, _) => self.name.clone(),
        };
        let frames = match (self.start, self.end) {
            (Some(start), Some(end)) => format!("{start}..{end}"),
            (Some(frame), None) => frame.to_string(),
            _ => String::new(),
        };
        let of = match (self.actor, self.segment) {
            (Some(actor), _) => format!("actor {actor}"),
            (None, Some(segment)) => format!("segment {segment}"),
            _ => String::new(),
        };
        vec![self.kind.to_owned(), name, frames, of, self.made_by.clone()]
    }
}

impl ShownSegment {
    fn row(&self) -> Vec<String> {
        let actor = self.actor.map_or_else(|| "all".to_owned(), |actor| actor.to_string());
        vec![
            self.id.to_string(),
            self.name.clone(),
            format!("{}..{}", self.start, self.end),
            actor,
            self.made_by.clone(),
        ]
    }
}
