//! The studio's panel for uneven ground: a terrain that is drawn point by point is crossed by a lamp or a person.

use std::fmt::Write as _;
use std::sync::Arc;

use marey::corpus::TakeId;
use marey::motion::{Report, Take, Terrain, Vec2};
use marey::over_terrain::examples;
use marey::plan::{Seed, Trace};
use marey::studio::{Ask, Fault, Floor, Made, MotionId, Panel, Planned, Work, codes, quoted};
use marey::traverse::{Amount, Crossing, Database, Error, Footings, Settings, Taste};
use serde::Deserialize;
use serde_json::{Value, json};

use super::kept::Kept;
use super::realise::understood;

/// Ground has no more points, and is no longer, in metres.
const MOST_POINTS: usize = 2000;
const LONGEST_M: f32 = 200.0;

/// Ground, crossed.
#[derive(Debug, Default)]
pub(super) struct TraversePanel {
    kept: Kept<Database>,
}

/// What the page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Wish {
    /// The ground: pieces of points, along and up, in metres.
    pieces: Vec<Vec<[f32; 2]>>,
    /// Whose hops or strides, by the page's name of the take.
    take: String,
    /// How long they should be.
    #[serde(default)]
    length: Option<Amount>,
    /// How high.
    #[serde(default)]
    height: Option<Amount>,
    /// How many are looked ahead.
    #[serde(default)]
    lookahead: Option<usize>,
    #[serde(default)]
    seed: u64,
}

impl Panel for TraversePanel {
    fn name(&self) -> &'static str {
        "traverse"
    }

    fn run(&self, ask: &Ask<'_>, work: &Work) -> Result<Vec<Made>, Fault> {
        let wish: Wish = understood(ask.wish)?;
        let terrain = wish.terrain()?;
        work.at(0.1, "cutting the examples")?;
        let (name, database) = self.database(ask, &wish)?;
        let brief = wish.crossing(&terrain, &database);
        work.at(0.4, "looking for a way")?;
        let footings = database.footings(&terrain);
        let mut trace = Trace::default();
        let (plan, effort) = database.plan_on(&footings, &brief, Seed(wish.seed), Some(&mut trace))?;
        work.at(0.8, "bending the hops")?;
        let crossed = database.realise(&plan, &footings)?;
        let ends = crossed.landings.first().zip(crossed.landings.last());
        let hops = crossed.landings.len().saturating_sub(1);
        let went_m = ends.map_or(0.0, |(first, last)| last.1.at.x - first.1.at.x);
        let landings: Vec<Value> = crossed
            .landings
            .iter()
            .map(|(frame, at)| json!([frame, at.at.x, at.at.y, at.slope_rad]))
            .collect();
        let ground = serde_json::to_vec_pretty(&terrain).unwrap_or_default();
        Ok(vec![Made {
            take: Take::solo(format!("{name} over the ground"), crossed.clip),
            contacts: vec![crossed.contacts],
            planned: Some(Planned { plan, trace, again: None }),
            report: Report::default(),
            command: wish.command(ask, &name, &database),
            files: vec![("ground.terrain.json".into(), ground)],
            notes: vec![
                ("hops".into(), hops.to_string()),
                ("mean length".into(), format!("{:.2} m", went_m / hops.max(1) as f32)),
                ("to choose from".into(), database.primitives().len().to_string()),
                ("looked at".into(), effort.looked_at.to_string()),
            ],
            beside: None,
            shows: json!({ "ground": { "pieces": terrain.pieces(), "landings": landings } }),
            floor: Floor::Uneven(terrain),
        }])
    }

    /// Where the figure cannot stand, where it does not come to, and why.
    fn look(&self, ask: &Ask<'_>) -> Result<Value, Fault> {
        let wish: Wish = understood(ask.wish)?;
        let terrain = wish.terrain()?;
        let (_, database) = self.database(ask, &wish)?;
        let footings = database.footings(&terrain);
        let told = |error: &Error| Fault::from(error.clone()).to_json();
        let (reached, fault) = match database.reached(&footings, &wish.crossing(&terrain, &database)) {
            Ok((reached, fault)) => (reached, fault.as_ref().map(told)),
            Err(error) => (vec![false; footings.all().len()], Some(told(&error))),
        };
        let along = footings.all().iter().map(|footing| footing.at.x);
        // What lies behind the start, or before the first place that is come to, is nobody's goal.
        let start_m = terrain.start_m().max(0.0);
        let comes_to =
            along.clone().zip(&reached).filter(|(along_m, reached)| **reached && *along_m > start_m + AWAY_M);
        let from_m = comes_to.map(|(along_m, _)| along_m).next().unwrap_or(start_m);
        Ok(json!({
            "unsteady": unsteady(&terrain, &footings, database.half_sole_m()),
            "unreached": spans(along.zip(reached).filter(|(along_m, _)| *along_m >= from_m)),
            "fault": fault,
            "longest_m": database.longest_m(),
        }))
    }
}

impl TraversePanel {
    /// The hops or strides of a take, cut once; and its name.
    fn database(&self, ask: &Ask<'_>, wish: &Wish) -> Result<(String, Arc<Database>), Fault> {
        let MotionId::Take(number) = wish.take.parse()? else {
            return Err(Fault::new(&codes::NO_MOTION, "who crosses is a take of the corpus"));
        };
        let name = ask.corpus.info(TakeId(number))?.name;
        let key = format!("{} {number} {:?}", ask.revision, wish.lookahead);
        let database = self.kept.get(key, || {
            let examples = examples(ask.corpus, std::slice::from_ref(&name))?;
            let figure = examples.first().map(|example| example.clip.skeleton().clone());
            let usual = figure.map(|skeleton| Settings::for_figure(&skeleton)).unwrap_or_default();
            let settings = Settings { lookahead: wish.lookahead.unwrap_or(usual.lookahead), ..usual };
            settings.validate()?;
            Ok(Database::new(examples, &settings)?)
        })?;
        Ok((name, database))
    }
}

impl Wish {
    fn terrain(&self) -> Result<Terrain, Fault> {
        let points: usize = self.pieces.iter().map(Vec::len).sum();
        let point = |[along, up]: &[f32; 2]| Vec2::new(*along, *up);
        let pieces = self.pieces.iter().map(|piece| piece.iter().map(point).collect()).collect();
        let terrain = Terrain::new(pieces)?;
        if points > MOST_POINTS || terrain.end_m() - terrain.start_m() > LONGEST_M {
            let most = format!("ground has at most {MOST_POINTS} points and {LONGEST_M} m");
            return Err(Fault::new(&codes::TOO_LARGE, most));
        }
        Ok(terrain)
    }

    fn crossing(&self, terrain: &Terrain, database: &Database) -> Crossing {
        let taste = Taste { length: self.length, height: self.height, style: None };
        Crossing { taste, ..Crossing::of(terrain.clone(), database.rate_hz()) }
    }

    fn command(&self, ask: &Ask<'_>, name: &str, database: &Database) -> String {
        let mut words = format!(
            "marey traverse {} ground.terrain.json -o crossing.bvh --take {} --lookahead {}",
            quoted(&ask.path.display().to_string()),
            quoted(name),
            database.settings().lookahead
        );
        let amount = |amount: Amount, [little, much]: [&str; 2]| match amount {
            Amount::Little => little.to_owned(),
            Amount::Much => much.to_owned(),
            Amount::Metres(metres) => metres.to_string(),
        };
        let length = self.length.map(|length| format!("length={}", amount(length, ["short", "long"])));
        let height = self.height.map(|height| format!("height={}", amount(height, ["low", "high"])));
        let wishes: Vec<String> = length.into_iter().chain(height).collect();
        if !wishes.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(words, " --prefer {}", wishes.join(","));
        }
        if self.seed != 0 {
            let _ = write!(words, " --seed {}", self.seed);
        }
        words
    }
}

/// What is no farther from the start is the start itself, in metres.
const AWAY_M: f32 = 0.03;

/// How far places may be apart and yet be one span, in metres.
const NEAR_M: f32 = 3.0 * marey::traverse::SPACING_M;

/// The places that are not reached, as spans along the way.
fn spans(places: impl Iterator<Item = (f32, bool)>) -> Vec<[f32; 2]> {
    let mut spans: Vec<[f32; 2]> = Vec::new();
    let mut goes_on = false;
    for (along_m, reached) in places {
        match spans.last_mut().filter(|span| goes_on && along_m - span[1] <= NEAR_M) {
            _ if reached => {}
            Some(span) => span[1] = along_m,
            None => spans.push([along_m, along_m]),
        }
        goes_on = !reached;
    }
    spans
}

/// Ground on which a sole does not come to rest, as spans along the way. Beyond its ends and at gaps half a sole has no ground by
/// itself, which is no news.
fn unsteady(terrain: &Terrain, footings: &Footings, half_m: f32) -> Vec<[f32; 2]> {
    let mut spans = Vec::new();
    for piece in terrain.pieces() {
        let (Some(first), Some(last)) = (piece.first(), piece.last()) else { continue };
        let inner = first.x + half_m..=last.x - half_m;
        let stands = footings.all().iter().map(|footing| footing.at.x);
        let mut from_m = *inner.start();
        for along_m in stands.filter(|along| inner.contains(along)).chain([*inner.end()]) {
            if along_m - from_m > NEAR_M {
                spans.push([from_m, along_m]);
            }
            from_m = along_m.max(from_m);
        }
    }
    spans
}
