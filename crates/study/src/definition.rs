//! The definition of a study: `STUDY.toml`.

use std::path::PathBuf;

use marey_motion::Place;
use serde::{Deserialize, Serialize};

use crate::{RatingTransform, Result, StudyError};

/// A definition with comments, in which everything can be changed.
pub const EXAMPLE_DEFINITION: &str = include_str!("example.toml");

/// What raters are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StudyDesign {
    /// Each clip on every scale. Analysed by the nested model of the paper.
    Ratings,
    /// Which of two clips is better. Analysed by the model of Bradley and Terry.
    Pairs,
    /// Which of two clips was recorded. Analysed by exact binomial tests.
    Recorded,
}

/// In which order raters see clips.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PresentationOrder {
    /// Rows of a balanced Latin square: over the raters, each clip is equally often at each position and after each other clip.
    #[default]
    Balanced,
    /// At random, differently for each rater.
    Random,
}

/// A scale of a study of ratings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingScale {
    /// The name, in results.
    pub name: String,
    /// The question, for raters; the name if empty.
    #[serde(default)]
    pub question: String,
    /// What 1 means.
    pub low: String,
    /// What the largest rating means.
    pub high: String,
    /// Number of points, from 2 to 9; default 5.
    #[serde(default = "five")]
    pub points: u8,
}

fn five() -> u8 {
    5
}

/// A class of raters, such as dancers, or the students of a course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RaterClass {
    /// The name. Raters see only their own.
    pub name: String,
}

/// How clips are made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClipRecipe {
    /// What makes them: a verb, or a baseline.
    pub verb: String,
    /// The condition whose clips are its input, one for each.
    #[serde(default)]
    pub of: Option<String>,
    /// Fields of the request of the verb, as `--json` and plans name them.
    #[serde(default)]
    pub settings: toml::Table,
}

/// One way in which clips came about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyCondition {
    /// The name, in results. Raters never see it.
    pub name: String,
    /// Whether its clips were recorded from people.
    #[serde(default)]
    pub recorded: bool,
    /// Motion files, folders or patterns, relative to the definition.
    #[serde(default)]
    pub clips: Vec<PathBuf>,
    /// How its clips are made, instead of files.
    #[serde(default)]
    pub make: Option<ClipRecipe>,
}

/// A study, as its file defines it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyDefinition {
    /// The title, which raters see.
    pub title: String,
    /// What raters read before they begin.
    #[serde(default)]
    pub welcome: String,
    /// What raters are asked.
    pub design: StudyDesign,
    /// The question of a study of pairs.
    #[serde(default)]
    pub question: Option<String>,
    /// The order of presentation.
    #[serde(default)]
    pub order: PresentationOrder,
    /// Random seed of the order and of clips that are made; default 1.
    #[serde(default = "one")]
    pub seed: u64,
    /// How ratings are transformed before the analysis of variance.
    #[serde(default)]
    pub transform: RatingTransform,
    /// Longest clip in seconds; longer ones are cut to their middle. Default 10.
    #[serde(default = "ten")]
    pub secs: f64,
    /// Frame rate of all clips, so that it tells nothing about them; default 60.
    #[serde(default = "sixty")]
    pub rate_hz: f64,
    /// Whether all clips are shown on one body, so that it tells nothing about them; default yes.
    #[serde(default = "yes")]
    pub one_body: bool,
    /// A character whose body all clips get. It is shown as a mannequin.
    #[serde(default)]
    pub character: Option<PathBuf>,
    /// The corpus of verbs that make clips.
    #[serde(default)]
    pub corpus: Option<PathBuf>,
    /// The scales of a study of ratings.
    #[serde(default, rename = "scale")]
    pub scales: Vec<RatingScale>,
    /// The classes of raters; one if there is none.
    #[serde(default, rename = "class")]
    pub classes: Vec<RaterClass>,
    /// The conditions that are compared.
    #[serde(default, rename = "condition")]
    pub conditions: Vec<StudyCondition>,
}

fn one() -> u64 {
    1
}

fn ten() -> f64 {
    10.0
}

fn sixty() -> f64 {
    60.0
}

fn yes() -> bool {
    true
}

impl StudyDefinition {
    /// Reads and checks a definition.
    ///
    /// ```
    /// use marey_study::{EXAMPLE_DEFINITION, StudyDefinition};
    /// assert_eq!(StudyDefinition::parse(EXAMPLE_DEFINITION)?.conditions.len(), 2);
    /// # Ok::<(), marey_study::StudyError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self> {
        let wrong = |error: toml::de::Error| StudyError::Syntax {
            place: error.span().map_or_else(Place::default, |span| place_at(text, span.start)),
            message: error.message().to_owned(),
        };
        let mut definition: Self = toml::from_str(text).map_err(wrong)?;
        if definition.classes.is_empty() {
            definition.classes.push(RaterClass { name: "all".to_owned() });
        }
        definition.check(text)?;
        Ok(definition)
    }

    /// What raters are asked about two clips.
    pub fn question(&self) -> &str {
        match (&self.question, self.design) {
            (Some(question), _) => question,
            (None, StudyDesign::Recorded) => "One of these was recorded from a person. Which one?",
            (None, _) => "Which one looks more natural?",
        }
    }

    /// The number of values of one answer.
    pub fn values_per_answer(&self) -> usize {
        if self.design == StudyDesign::Ratings { self.scales.len() } else { 1 }
    }

    /// Whether an answer is one that raters can give.
    pub fn is_answer(&self, values: &[u8]) -> bool {
        match self.design {
            StudyDesign::Ratings => {
                values.len() == self.scales.len()
                    && values
                        .iter()
                        .zip(&self.scales)
                        .all(|(value, scale)| (1..=scale.points).contains(value))
            }
            StudyDesign::Pairs | StudyDesign::Recorded => matches!(values, [0 | 1]),
        }
    }

    /// Checks what the types do not.
    fn check(&self, text: &str) -> Result<()> {
        let wrong = |place: Place, message: String| Err(StudyError::Definition { place, message });
        let names = |table: &str, names: Vec<&str>| {
            for (index, name) in names.iter().enumerate() {
                let place = place_of(text, &format!("[[{table}]]"), index);
                if name.trim().is_empty() || name.chars().count() > 60 || name.contains(char::is_control) {
                    return wrong(
                        place,
                        format!("the name of a {table} must have 1 to 60 characters on one line"),
                    );
                }
                if names.iter().take(index).any(|other| other == name) {
                    return wrong(place, format!("two of the {table} tables are called {name:?}"));
                }
            }
            Ok(())
        };
        names("condition", self.conditions.iter().map(|condition| condition.name.as_str()).collect())?;
        names("class", self.classes.iter().map(|class| class.name.as_str()).collect())?;
        names("scale", self.scales.iter().map(|scale| scale.name.as_str()).collect())?;
        let at = |key: &str| place_of(text, key, 0);
        if self.conditions.len() < 2 {
            return wrong(
                Place::default(),
                format!("{} conditions; at least 2 are compared", self.conditions.len()),
            );
        }
        if !(0.5..=600.0).contains(&self.secs) {
            return wrong(at("secs"), format!("secs is {}; it must be from 0.5 to 600", self.secs));
        }
        if !(1.0..=240.0).contains(&self.rate_hz) {
            return wrong(at("rate_hz"), format!("rate_hz is {}; it must be from 1 to 240", self.rate_hz));
        }
        match self.design {
            StudyDesign::Ratings if self.scales.is_empty() => {
                return wrong(at("design"), "a study of ratings needs a [[scale]]".to_owned());
            }
            StudyDesign::Pairs | StudyDesign::Recorded if !self.scales.is_empty() => {
                let message =
                    "only a study of ratings has scales; raters of pairs answer one question".to_owned();
                return wrong(at("[[scale]]"), message);
            }
            _ => {}
        }
        for (index, scale) in self.scales.iter().enumerate() {
            if !(2..=9).contains(&scale.points) {
                let message = format!(
                    "the scale {:?} has {} points; from 2 to 9 are possible",
                    scale.name, scale.points
                );
                return wrong(place_of(text, "[[scale]]", index), message);
            }
        }
        let recorded = self.conditions.iter().filter(|condition| condition.recorded).count();
        if self.design == StudyDesign::Recorded && recorded != 1 {
            let message =
                format!("{recorded} conditions are recorded; a study of what was recorded has exactly one");
            return wrong(at("design"), message);
        }
        for (index, condition) in self.conditions.iter().enumerate() {
            let place = place_of(text, "[[condition]]", index);
            if condition.clips.is_empty() == condition.make.is_none() {
                let message = format!("the condition {:?} needs either clips or make", condition.name);
                return wrong(place, message);
            }
            if let Some(of) = condition.make.as_ref().and_then(|make| make.of.as_ref()) {
                let earlier = self.conditions.iter().take(index).any(|other| other.name == *of);
                if !earlier {
                    let message = format!(
                        "the clips of {:?} are made of those of {of:?}, which must be an earlier condition",
                        condition.name
                    );
                    return wrong(place, message);
                }
            }
        }
        Ok(())
    }
}

/// The position of a byte.
fn place_at(text: &str, byte: usize) -> Place {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    Place::at(line, column)
}

/// The position of the n-th line that starts with a key or a table; nowhere if there is none.
pub fn place_of(text: &str, start: &str, number: usize) -> Place {
    let mut lines = text.lines().zip(1..).filter(|(line, _)| line.trim_start().starts_with(start));
    lines.nth(number).map_or_else(Place::default, |(_, line)| Place::at(line, 1))
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn the_example_defines_the_study_of_the_paper() {
        let study = StudyDefinition::parse(EXAMPLE_DEFINITION).unwrap();
        assert_eq!(study.design, StudyDesign::Ratings);
        let scales: Vec<&str> = study.scales.iter().map(|scale| scale.low.as_str()).collect();
        assert_eq!(scales, ["awkward", "impossible", "unpleasing"]);
        assert!(study.is_answer(&[1, 5, 3]) && !study.is_answer(&[0, 5, 3]) && !study.is_answer(&[6, 5, 3]));
        assert!(!study.is_answer(&[1, 2]));
    }

    #[test]
    fn mistakes_are_refused_with_their_lines() {
        let refused = |from: &str, to: &str| {
            assert!(EXAMPLE_DEFINITION.contains(from), "{from}");
            let error = StudyDefinition::parse(&EXAMPLE_DEFINITION.replacen(from, to, 1)).unwrap_err();
            let line = error.place().line;
            (
                error.code().id,
                line.map(|line| EXAMPLE_DEFINITION.lines().nth(line - 1).unwrap().to_owned()),
                error.to_string(),
            )
        };
        let (code, line, _) = refused("design = \"ratings\"", "design = \"rating\"");
        assert_eq!((code, line.as_deref()), ("study/syntax", Some("design = \"ratings\"")));
        let (code, line, _) = refused("points = 5", "point = 5");
        assert_eq!((code, line.is_some()), ("study/syntax", true));
        let (code, line, message) = refused("points = 5", "points = 12");
        assert_eq!((code, line.as_deref()), ("study/definition", Some("[[scale]]")), "{message}");
        for (from, to, part) in [
            ("name = \"computer\"", "name = \"human\"", "two of the condition tables"),
            ("name = \"computer\"", "name = \"\"", "1 to 60 characters"),
            ("of = \"human\"", "of = \"computer\"", "an earlier condition"),
            ("secs = 10", "secs = 0", "from 0.5 to 600"),
            ("rate_hz = 60", "rate_hz = 1000", "from 1 to 240"),
            ("clips = [\"human/\"]", "clips = []", "either clips or make"),
            ("design = \"ratings\"", "design = \"pairs\"", "only a study of ratings has scales"),
        ] {
            let (code, _, message) = refused(from, to);
            assert_eq!(code, "study/definition", "{message}");
            assert!(message.contains(part), "{message}");
        }
        let none = StudyDefinition::parse("title = \"a\"\ndesign = \"recorded\"\n").unwrap_err();
        assert!(none.to_string().contains("at least 2"), "{none}");
        let two = "title = \"a\"\ndesign = \"recorded\"\n[[condition]]\nname = \"a\"\nclips = [\"a\"]\n[[condition]]\nname = \"b\"\nclips = [\"b\"]\n";
        assert!(StudyDefinition::parse(two).unwrap_err().to_string().contains("exactly one"));
        let ratings = StudyDefinition::parse(&two.replace("recorded", "ratings")).unwrap_err();
        assert!(ratings.to_string().contains("needs a [[scale]]"));
        let pairs = StudyDefinition::parse(&two.replace("recorded", "pairs")).unwrap();
        assert!(pairs.is_answer(&[1]) && !pairs.is_answer(&[2]) && pairs.question().contains("natural"));
    }
}
