//! Examples that clips are compared with, from files and corpora.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::corpus::{Corpus, TakeInfo};
use crate::measure::card::BaselineStatistics;
use crate::motion::{Clip, Take};
use crate::plan::Plan;
use crate::{Error, inputs};

/// Statistics of examples, and their names.
#[derive(Debug)]
pub(super) struct Baseline {
    pub(super) statistics: BaselineStatistics,
    /// The names by which a plan can refer to each example.
    pub(super) names: Vec<Vec<String>>,
}

impl Baseline {
    /// Reads motion files, folders of them and corpora; `None` without any. Statistics are those of the examples
    /// that a plan uses, or of all if it uses none of them.
    pub(super) fn read(
        examples: &[PathBuf],
        corpus: Option<&Path>,
        plan: Option<&Plan>,
    ) -> Result<Option<Self>, Error> {
        let (mut takes, mut names): (Vec<Take>, Vec<Vec<String>>) = (Vec::new(), Vec::new());
        let (corpora, files): (Vec<&Path>, Vec<&Path>) =
            examples.iter().map(PathBuf::as_path).chain(corpus).partition(|path| is_corpus(path));
        for path in corpora {
            let in_file = |error| Error::from(error).in_file(path);
            let corpus = Corpus::open_read_only(path).map_err(in_file)?;
            let listed = corpus.takes().map_err(in_file)?;
            names.extend(names_of(&listed));
            for take in listed {
                takes.push(corpus.take(take.id).map_err(in_file)?);
            }
        }
        let files: Vec<PathBuf> = files.into_iter().map(Path::to_owned).collect();
        for input in inputs::gather(&files)?.files {
            if let Some(refused) = input.refused {
                return Err(refused);
            }
            let take = inputs::take(&input.path)?;
            names.push(vec![take.name().to_owned()]);
            takes.push(take);
        }
        if takes.is_empty() {
            return Ok(None);
        }
        let placements = plan.iter().flat_map(|plan| &plan.actors).flat_map(|actor| &actor.placements);
        let sources: BTreeSet<&str> = placements.map(|placement| placement.source.take.as_str()).collect();
        let is_used = |names: &Vec<String>| names.iter().any(|name| sources.contains(name.as_str()));
        let uses_any = names.iter().any(is_used);
        let used = takes.into_iter().zip(&names).filter(|(_, names)| !uses_any || is_used(names));
        let clips: Vec<Clip> =
            used.flat_map(|(take, _)| take.into_actors()).map(|actor| actor.clip).collect();
        Ok(Some(Self { statistics: BaselineStatistics::learn(&clips), names }))
    }
}

/// Whether a path has the ending of a corpus.
pub fn is_corpus(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("marey"))
}

/// The names by which a plan can refer to each take of a corpus: its name, or its number.
pub(crate) fn names_of(takes: &[TakeInfo]) -> Vec<Vec<String>> {
    takes.iter().map(|take| vec![take.name.clone(), take.id.to_string()]).collect()
}
