//! Rows about feet, the same for every engine: skate, slip, standing time and sink beside other motion.

use marey_measure::feet::{FootFigures, feet};
use marey_motion::Clip;

use crate::row::{Aim, Row};

/// The median figures of several clips.
#[derive(Default)]
pub(crate) struct FootTable(Vec<FootFigures>);

impl FootTable {
    pub(crate) fn of<'a>(clips: impl IntoIterator<Item = &'a Clip>) -> Self {
        Self(clips.into_iter().filter_map(feet).collect())
    }

    pub(crate) fn add(&mut self, clip: &Clip) {
        self.0.extend(feet(clip));
    }

    /// A row for each figure beside the same figure of `others`; no rows without clips.
    pub(crate) fn rows(&self, engine: &str, subject: &str, baseline: &str, others: &FootTable) -> Vec<Row> {
        let (Some(own), Some(others)) = (FootFigures::median(&self.0), FootFigures::median(&others.0)) else {
            return Vec::new();
        };
        let row = |name: &str, figure: fn(&FootFigures) -> f64, unit| {
            let name = format!("{engine}: {name}");
            Row::new(&name, subject, figure(&own), unit).against(baseline, figure(&others))
        };
        vec![
            row("foot skate", |figures| figures.skate_cm_per_sec, "cm/s").aim(Aim::RatioAtMost(1.0)),
            row("slip of the slowest foot", |figures| figures.slip_cm_per_sec, "cm/s").lower_is_better(),
            row("frames in which a foot stands", |figures| figures.standing_pct, "%")
                .aim(Aim::RatioAtLeast(0.95)),
            row("sink of the toes", |figures| figures.sink_cm, "cm").lower_is_better(),
        ]
    }

    /// The median slip beside that of `others`: the only figure that needs no level floor.
    pub(crate) fn slip(
        &self,
        engine: &str,
        subject: &str,
        baseline: &str,
        others: &FootTable,
    ) -> Option<Row> {
        self.rows(engine, subject, baseline, others).into_iter().nth(1)
    }
}
