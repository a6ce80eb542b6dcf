//! The studio's panel for chaotic variation: many variations of a take at once, and the attractor they went around.

use std::sync::Arc;

use marey::corpus::{Corpus, TakeId};
use marey::motion::Take;
use marey::phrases::Phrases;
use marey::plan::{Seed, Trace};
use marey::realise::constrain::propagated;
use marey::realise::{self, Realised, realise};
use marey::studio::{Again, Ask, Fault, Floor, Made, MotionId, Panel, Planned, Work, codes, quoted};
use marey::vary::{Chunk, Settings, Statistics, System, Travel, Varied, Wrapped};
use serde::Deserialize;
use serde_json::{Value, json};

use super::realise::understood;

/// How many variations are made at once, at most.
const MOST: u64 = 24;
/// How long a variation may be, in seconds.
const LONGEST_SECS: f64 = 600.0;
/// Of a longer itinerary only so many places are sent.
const MOST_PLACES: usize = 3000;

/// Takes, varied.
#[derive(Debug)]
pub(super) struct VaryPanel;

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// Which take, by the page's name.
    take: String,
    /// How many variations; each has the next seed.
    count: u64,
    seed: u64,
    /// As `--system` takes it.
    system: String,
    shift: f64,
    /// Cells of a turn.
    turn: f64,
    /// Cells that are played at least.
    least_chunk: usize,
    keep_first: bool,
    keep_last: bool,
}

impl Panel for VaryPanel {
    fn name(&self) -> &'static str {
        "vary"
    }

    fn run(&self, ask: &Ask<'_>, work: &Work) -> Result<Vec<Made>, Fault> {
        let wish: Wish = understood(ask.wish)?;
        if !(1..=MOST).contains(&wish.count) {
            return Err(Fault::new(&codes::REQUEST, format!("1 to {MOST} variations are made at once")));
        }
        let MotionId::Take(number) = wish.take.parse()? else {
            return Err(Fault::new(&codes::NO_MOTION, "what is varied is a take of the corpus"));
        };
        let info = ask.corpus.info(TakeId(number))?;
        if info.duration_secs() > LONGEST_SECS {
            let most =
                format!("takes of up to {LONGEST_SECS} s are varied here; `marey vary` has no such limit");
            return Err(Fault::new(&codes::TOO_LARGE, most));
        }
        work.at(0.02, "reading the take")?;
        let phrases =
            Phrases::of_corpus(Corpus::open_read_only(ask.path)?, std::slice::from_ref(&info.name), &[])?;
        let settings = wish.settings(phrases.dance.rate_hz)?;
        work.at(0.05, "wrapping it around the attractor")?;
        let wrapped = phrases.dance.wrapped(&settings)?;
        let sources = Arc::new(phrases.sources);
        let mut all = Vec::new();
        for number in 0..wish.count {
            work.at(0.1 + 0.9 * number as f32 / wish.count as f32, "dancing along other ways")?;
            let seed = Seed(wish.seed.wrapping_add(number));
            let mut varied = phrases.dance.vary(&wrapped, &settings, Travel::Onward, None, seed)?;
            if varied.plan.actors.len() > 1 {
                varied.plan.meetings.extend(propagated(&varied.plan, &*sources)?);
            }
            let again = Again { sources: sources.clone(), settings: realise::Settings::default() };
            let Realised { take, contacts, report } =
                realise(&varied.plan, &*again.sources, &again.settings)?;
            let shows =
                json!({ "attractor": attractor(&wrapped, &varied, &settings, phrases.dance.rate_hz) });
            let notes = notes(&wrapped, &varied.chunks, &settings, phrases.dance.rate_hz);
            all.push(Made {
                take: Take::new(format!("{} varied {}", info.name, seed.0), take.into_actors())?,
                contacts,
                planned: Some(Planned { plan: varied.plan, trace: Trace::default(), again: Some(again) }),
                report,
                command: wish.command(ask, &info.name, seed),
                files: vec![],
                notes,
                beside: Some(info.id.0),
                floor: Floor::Level,
                shows,
            });
        }
        Ok(all)
    }
}

impl Wish {
    fn settings(&self, rate_hz: f64) -> Result<Settings, Fault> {
        let settings = Settings {
            system: self.system.parse::<System>()?,
            shift: self.shift,
            cells_per_turn: self.turn,
            least_chunk_cells: self.least_chunk,
            keep_first: self.keep_first,
            keep_last: self.keep_last,
            ..Settings::for_motion(rate_hz)
        };
        settings.validate()?;
        Ok(settings)
    }

    fn command(&self, ask: &Ask<'_>, name: &str, seed: Seed) -> String {
        let Self { system, shift, turn, least_chunk, .. } = self;
        let keep = |on: bool, flag: &'static str| if on { flag } else { "" };
        format!(
            "marey vary {} --only {} -o varied.bvh --seed {} --system {} --shift {shift} --turn {turn} --least-chunk {least_chunk}{}{}",
            quoted(&ask.path.display().to_string()),
            quoted(name),
            seed.0,
            quoted(system),
            keep(self.keep_first, " --keep-first"),
            keep(self.keep_last, " --keep-last"),
        )
    }
}

/// Both ways around the attractor, in its own units, and when the variation is where.
fn attractor(wrapped: &Wrapped, varied: &Varied, settings: &Settings, rate_hz: f64) -> Value {
    let cell_secs = settings.elements_per_cell as f64 / rate_hz;
    let way = varied.variation.points.get(..MOST_PLACES).unwrap_or(&varied.variation.points);
    // What is played when: chunks, which may be early or late on the itinerary.
    let played: Vec<usize> = varied.chunks.iter().flat_map(Chunk::range).take(MOST_PLACES).collect();
    json!({
        "cell_secs": cell_secs,
        "original": wrapped.points().get(..MOST_PLACES).unwrap_or(wrapped.points()),
        "variation": way,
        "played": played,
    })
}

fn notes(wrapped: &Wrapped, chunks: &[Chunk], settings: &Settings, rate_hz: f64) -> Vec<(String, String)> {
    let original: Vec<usize> = (0..wrapped.points().len()).collect();
    let played: Vec<usize> = chunks.iter().flat_map(Chunk::range).collect();
    let found = Statistics::of(&original, &played);
    let run_secs = found.mean_run * settings.elements_per_cell as f64 / rate_hz;
    vec![
        ("chunks".into(), chunks.len().to_string()),
        ("mean run".into(), format!("{run_secs:.1} s")),
        ("moved".into(), format!("{:.0} %", 100.0 * found.moved)),
        ("of the original".into(), format!("{:.0} %", 100.0 * found.used)),
    ]
}
