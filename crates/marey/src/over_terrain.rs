//! A corpus as examples of hops and strides.

use crate::corpus::{self, Corpus, Said, TakeInfo};
use crate::motion::{Clip, Code, Coded, Contacts, Place, Role, Tag};
use crate::ops::contacts;
use crate::plan::SourceRef;
use crate::traverse::{self, Example};

/// Why a corpus gives no examples.
#[derive(Debug)]
pub enum Error {
    /// The corpus refused.
    Corpus(corpus::Error),
    /// The engine refused.
    Traverse(traverse::Error),
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Corpus(error) => error.fmt(f),
            Error::Traverse(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<corpus::Error> for Error {
    fn from(error: corpus::Error) -> Self {
        Error::Corpus(error)
    }
}

impl From<traverse::Error> for Error {
    fn from(error: traverse::Error) -> Self {
        Error::Traverse(error)
    }
}

impl Coded for Error {
    fn code(&self) -> &'static Code {
        match self {
            Error::Corpus(error) => error.code(),
            Error::Traverse(error) => error.code(),
        }
    }

    fn place(&self) -> Place {
        match self {
            Error::Corpus(error) => error.place(),
            Error::Traverse(error) => error.place(),
        }
    }
}

/// The first actors of a corpus's takes, or of those that are named, as examples for [`Database::new`](traverse::Database::new). When
/// feet stand is as annotated, or else as seen in the motion; what hops are called is as tagged.
pub fn examples(corpus: &Corpus, takes: &[String]) -> Result<Vec<Example>, Error> {
    let named = takes.iter().map(|name| corpus.info(corpus.find(name)?));
    let mut infos = named.collect::<corpus::Result<Vec<TakeInfo>>>()?;
    if takes.is_empty() {
        infos = corpus.takes()?;
    }
    infos.iter().map(|info| example(corpus, info)).collect()
}

fn example(corpus: &Corpus, info: &TakeInfo) -> Result<Example, Error> {
    let clip = corpus.take(info.id)?.first().clone();
    let told = corpus.floor_contacts(info.id, 0)?;
    let contacts = if told.all().is_empty() { seen(&clip)? } else { told };
    let tags = corpus.annotations(info.id)?.into_iter().filter_map(|annotation| match annotation.what {
        Said::Tag(tag) => Some(tag),
        _ => None,
    });
    let tags: Vec<Tag> = tags.collect();
    Ok(Example { source: SourceRef { take: info.name.clone(), actor: 0 }, clip, contacts, tags })
}

/// The contacts of a figure with feet; those of others are for the engine to see.
fn seen(clip: &Clip) -> Result<Contacts, Error> {
    let has_feet =
        [Role::LeftFoot, Role::RightFoot].iter().all(|role| clip.skeleton().joint_of(*role).is_some());
    if !has_feet {
        return Ok(Contacts::default());
    }
    // Ground may be uneven: plants may be a few steps above each other.
    let settings = contacts::Settings { uneven_m: 0.4, floor_range_m: 5.0, ..contacts::Settings::default() };
    let found = contacts::detect(clip, &settings);
    Ok(found.map_err(traverse::Error::from)?.contacts)
}
