//! What is usual: examples in files and corpora.

use std::path::{Path, PathBuf};

use crate::Error;
use crate::corpus::{Corpus, TakeInfo};
use crate::inputs;
use crate::measure::card::BaselineStatistics;
use crate::measure::variety::{self, Coverage};
use crate::motion::Clip;
use crate::plan::Plan;

/// What examples are like, and which there are.
#[derive(Debug)]
pub struct Usual {
    /// What they are like.
    pub habits: BaselineStatistics,
    /// What a plan may call each of them.
    names: Vec<Vec<String>>,
}

impl Usual {
    /// Whether a path names a corpus.
    pub fn is_corpus(path: &Path) -> bool {
        path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("marey"))
    }

    /// Reads motion files, folders of them and corpora; `None` where none were named.
    pub fn gather(examples: &[PathBuf], corpus: Option<&Path>) -> Result<Option<Self>, Error> {
        let (mut clips, mut names) = (Vec::new(), Vec::new());
        let (corpora, files): (Vec<&Path>, Vec<&Path>) =
            examples.iter().map(PathBuf::as_path).chain(corpus).partition(|path| Self::is_corpus(path));
        for path in &corpora {
            read_corpus(path, &mut clips, &mut names).map_err(|error| Error::from(error).in_file(path))?;
        }
        let files: Vec<PathBuf> = files.into_iter().map(Path::to_owned).collect();
        for input in inputs::gather(&files)?.files {
            if let Some(refused) = input.refused {
                return Err(refused);
            }
            let take = inputs::take(&input.path)?;
            names.push(vec![take.name().to_owned()]);
            clips.extend(take.into_actors().into_iter().map(|actor| actor.clip));
        }
        Ok(if clips.is_empty() {
            None
        } else {
            Some(Self { habits: BaselineStatistics::learn(&clips), names })
        })
    }

    /// How many of them a plan uses; `None` where it uses none of them.
    pub fn coverage(&self, plan: &Plan) -> Option<Coverage> {
        Some(coverage(plan, &self.names)).filter(|coverage| coverage.used > 0)
    }
}

fn read_corpus(
    path: &Path,
    clips: &mut Vec<Clip>,
    names: &mut Vec<Vec<String>>,
) -> Result<(), crate::corpus::CorpusError> {
    let corpus = Corpus::open_read_only(path)?;
    let takes = corpus.takes()?;
    names.extend(names_of(&takes));
    for take in takes {
        clips.extend(corpus.take(take.id)?.into_actors().into_iter().map(|actor| actor.clip));
    }
    Ok(())
}

/// What a plan may call each take of a corpus: its name, or its number.
pub fn names_of(takes: &[TakeInfo]) -> Vec<Vec<String>> {
    takes.iter().map(|take| vec![take.name.clone(), take.id.to_string()]).collect()
}

/// How many of the examples a plan uses.
pub fn coverage(plan: &Plan, names: &[Vec<String>]) -> Coverage {
    let placements = plan.actors.iter().flat_map(|actor| &actor.placements);
    let uses = placements
        .filter_map(|placement| names.iter().position(|names| names.contains(&placement.source.take)));
    variety::coverage(uses, names.len())
}
