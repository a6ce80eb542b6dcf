//! The report of a study, as one HTML file without anything from elsewhere.

use crate::plots::{escaped, forest, scale};
use crate::{
    FTest, Interval, NestedAnova, PreferenceResult, RecordedResult, ScaleResult, StudyDesign, StudyResults,
};

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:#222}\
h1,h2,h3{line-height:1.2}table{border-collapse:collapse;margin:1rem 0;font-size:.9rem;display:block;overflow-x:auto}\
th,td{padding:.25rem .7rem;border-bottom:1px solid #ddd;text-align:right;white-space:nowrap}\
th:first-child,td:first-child{text-align:left}svg{width:100%;height:auto}.note{background:#fff4d6;padding:.5rem 1rem}";

/// A p-value as it is printed.
pub(crate) fn p_text(p: f64) -> String {
    if p < 0.0001 { "< 0.0001".to_owned() } else { format!("{p:.4}") }
}

fn table(heading: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let cells = |kind: &str, cells: &mut dyn Iterator<Item = String>| {
        cells.map(|cell| format!("<{kind}>{}</{kind}>", escaped(&cell))).collect::<String>()
    };
    let mut html =
        format!("<table><tr>{}</tr>\n", cells("th", &mut heading.iter().map(|cell| (*cell).to_owned())));
    for row in rows {
        html += &format!("<tr>{}</tr>\n", cells("td", &mut row.into_iter()));
    }
    html + "</table>\n"
}

fn range(interval: &Interval) -> String {
    format!("{:+.2} … {:+.2}", interval.low, interval.high)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

impl StudyResults {
    /// The report. The same results give the same bytes.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
             <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
        );
        let asked = match self.design {
            StudyDesign::Ratings => "rated each clip",
            StudyDesign::Pairs => "chose the better of two clips",
            StudyDesign::Recorded => "chose which of two clips was recorded",
        };
        html += &format!(
            "<p>{} raters {asked}; {} of them answered everything. {} answers about {} clips of {} conditions: {}.</p>\n",
            self.raters,
            self.complete,
            self.answers,
            self.clips,
            self.conditions.len(),
            escaped(&self.conditions.join(", "))
        );
        for note in &self.notes {
            html += &format!("<p class=\"note\">{}</p>\n", escaped(note));
        }
        self.scales.iter().for_each(|result| html += &scale_section(result));
        if let Some(preferences) = &self.preferences {
            html += &preference_section(preferences, &self.conditions);
        }
        if !self.recorded.is_empty() {
            html += &recorded_section(&self.recorded);
        }
        html + "</body></html>\n"
    }
}

fn scale_section(result: &ScaleResult) -> String {
    let mut html = format!("<h2>{}</h2>\n", escaped(&result.name));
    html += &scale(result);
    html += "<p>Bars: how often each point was given. Dots: clips. Diamonds: means.</p>\n";
    let summaries = result.conditions.iter().map(|condition| {
        vec![
            condition.name.clone(),
            format!("{:.2}", condition.mean),
            format!("{:.1}", condition.median),
            format!("{:.2}", condition.deviation),
            format!("{:.3}", condition.transformed_mean),
        ]
    });
    html += &table(&["condition", "mean", "median", "standard deviation", "transformed mean"], summaries);
    if !result.comparisons.is_empty() {
        let name = |first: &str, second: &str| format!("{second} − {first}");
        let rows: Vec<(String, f64, Interval)> = result
            .comparisons
            .iter()
            .map(|c| (name(&c.first, &c.second), c.points.difference, c.points.interval))
            .collect();
        let reach = rows.iter().fold(0.5_f64, |reach, (_, _, at)| reach.max(at.low.abs()).max(at.high.abs()));
        html += "<h3>Differences, in points</h3>\n";
        html += &forest(&rows, -reach, reach, 0.0, false);
        let rows = result.comparisons.iter().map(|c| {
            vec![
                name(&c.first, &c.second),
                format!("{:+.2}", c.points.difference),
                range(&c.points.interval),
                format!("{:+.2}", c.test.d),
                range(&c.test.d_interval),
                format!("t({:.1}) = {:.2}", c.test.df, c.test.t),
                p_text(c.test.p),
                p_text(c.p_adjusted),
            ]
        });
        let heading = ["difference", "points", "95 %", "d", "95 %", "test", "p", "p, Holm"];
        html += &table(&heading, rows);
    }
    if let Some(anova) = &result.anova {
        html += &anova_section(anova);
    }
    html
}

fn anova_section(anova: &NestedAnova) -> String {
    let f = |test: &Option<FTest>| test.map_or_else(String::new, |test| format!("{:.2}", test.f));
    let df = |test: &Option<FTest>| {
        test.map_or_else(String::new, |test| format!("{:.0}, {:.1}", test.df_effect, test.df_error))
    };
    let rows = anova.rows.iter().map(|row| {
        vec![
            row.name.to_owned(),
            format!("{:.0}", row.squares.df),
            format!("{:.2}", row.squares.sum),
            format!("{:.3}", row.mean_square),
            f(&row.test),
            df(&row.test),
            row.test.map_or_else(String::new, |test| p_text(test.p)),
            row.intraclass.map_or_else(String::new, percent),
        ]
    });
    let heading =
        ["source", "df", "sum of squares", "mean square", "F", "df of F", "p", "intraclass correlation"];
    format!(
        "<h3>Analysis of variance</h3>\n{}<p>Importance of the method: ω² {}, η² {}.</p>\n",
        table(&heading, rows),
        percent(anova.omega_squared),
        percent(anova.eta_squared)
    )
}

fn preference_section(result: &PreferenceResult, conditions: &[String]) -> String {
    let mut html = "<h2>Preferences</h2>\n".to_owned();
    let rows: Vec<(String, f64, Interval)> = result
        .comparisons
        .iter()
        .map(|c| (format!("{} over {}", c.second, c.first), c.direct.share, c.direct.interval))
        .collect();
    html += &forest(&rows, 0.0, 1.0, 0.5, true);
    let rows = result.comparisons.iter().map(|c| {
        vec![
            format!("{} over {}", c.second, c.first),
            format!("{} of {}", c.direct.successes, c.direct.trials),
            percent(c.direct.share),
            format!("{} … {}", percent(c.direct.interval.low), percent(c.direct.interval.high)),
            c.modelled.map_or_else(String::new, |at| format!("{} … {}", percent(at.low), percent(at.high))),
            p_text(c.direct.p),
            p_text(c.p_adjusted),
        ]
    });
    html +=
        &table(&["preferred", "chosen", "share", "95 %", "95 %, Bradley and Terry", "p", "p, Holm"], rows);
    if let Some(model) = &result.model {
        html += "<h3>Strengths (Bradley and Terry)</h3>\n";
        let rows = conditions.iter().zip(&model.strengths).map(|(name, strength)| {
            vec![name.clone(), format!("{:+.3}", strength.logit), format!("{:.3}", strength.standard_error)]
        });
        html += &table(&["condition", "logit", "standard error"], rows);
    }
    html
}

fn recorded_section(results: &[RecordedResult]) -> String {
    let name =
        |result: &RecordedResult| result.condition.clone().unwrap_or_else(|| "all together".to_owned());
    let rows: Vec<(String, f64, Interval)> =
        results.iter().map(|result| (name(result), result.test.share, result.test.interval)).collect();
    let mut html = "<h2>Which one was recorded?</h2>\n".to_owned();
    html += &forest(&rows, 0.0, 1.0, 0.5, true);
    html += "<p>How often the recorded clip was found beside one of each condition; 50 % is guessing.</p>\n";
    let rows = results.iter().map(|result| {
        vec![
            name(result),
            format!("{} of {}", result.test.successes, result.test.trials),
            percent(result.test.share),
            format!("{} … {}", percent(result.test.interval.low), percent(result.test.interval.high)),
            p_text(result.test.p),
            p_text(result.p_adjusted),
        ]
    });
    html + &table(&["beside", "found", "share", "95 %", "p", "p, Holm"], rows)
}

#[cfg(test)]
mod tests {
    use crate::results::tests::study;
    use crate::{SimulatedEffects, StudyDesign, VarianceComponents};

    #[test]
    fn the_report_shows_every_condition_and_contains_no_markup_of_names() {
        let effects = SimulatedEffects { better: vec![0.0, -1.0], variances: VarianceComponents::default() };
        for design in [StudyDesign::Ratings, StudyDesign::Pairs, StudyDesign::Recorded] {
            let mut study = study(design);
            study.definition.conditions[1].name = "a <b> & \"c\"".into();
            let html = study.simulated(20, &effects, 2).results().to_html();
            assert!(html.contains("a &lt;b&gt; &amp; &quot;c&quot;") && !html.contains("<b>"), "{design:?}");
            let parts: &[&str] = match design {
                StudyDesign::Ratings => {
                    &["awkwardness", "intraclass correlation", "Differences, in points", "ω²"]
                }
                StudyDesign::Pairs => &["Preferences", "Bradley and Terry"],
                StudyDesign::Recorded => &["Which one was recorded?", "all together"],
            };
            for part in parts {
                assert!(html.contains(part), "{design:?}: {part}");
            }
            assert!(html.matches("<svg").count() == html.matches("</svg>").count() && html.contains("<svg"));
            // Nothing is loaded from elsewhere, and no number is missing.
            assert!(!html.contains("http") && !html.contains("NaN") && !html.contains("inf"), "{design:?}");
            // A study without answers has a report too.
            assert!(study.results().to_html().ends_with("</html>\n"));
        }
    }
}
