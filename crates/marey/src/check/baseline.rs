//! Examples that clips are compared with, from files and corpora.

use std::path::{Path, PathBuf};

use crate::corpus::{Corpus, TakeInfo};
use crate::measure::card::BaselineStatistics;
use crate::motion::Clip;
use crate::{Error, inputs};

/// Statistics of examples, and their names.
#[derive(Debug)]
pub(super) struct Baseline {
    pub(super) statistics: BaselineStatistics,
    /// The names by which a plan can refer to each example.
    pub(super) names: Vec<Vec<String>>,
}

impl Baseline {
    /// Reads motion files, folders of them and corpora; `None` without any.
    pub(super) fn read(examples: &[PathBuf], corpus: Option<&Path>) -> Result<Option<Self>, Error> {
        let (mut clips, mut names): (Vec<Clip>, _) = (Vec::new(), Vec::new());
        let (corpora, files): (Vec<&Path>, Vec<&Path>) =
            examples.iter().map(PathBuf::as_path).chain(corpus).partition(|path| is_corpus(path));
        for path in corpora {
            let in_file = |error| Error::from(error).in_file(path);
            let corpus = Corpus::open_read_only(path).map_err(in_file)?;
            let takes = corpus.takes().map_err(in_file)?;
            names.extend(names_of(&takes));
            for take in takes {
                let actors = corpus.take(take.id).map_err(in_file)?.into_actors();
                clips.extend(actors.into_iter().map(|actor| actor.clip));
            }
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
        let statistics = || BaselineStatistics::learn(&clips);
        Ok(if clips.is_empty() { None } else { Some(Self { statistics: statistics(), names }) })
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
