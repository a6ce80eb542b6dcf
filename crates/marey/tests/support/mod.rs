//! A folder for the files of one test.

use std::path::{Path, PathBuf};

use marey::corpus::{CutMethod, DetectedCuts};
use marey::prelude::*;

/// A folder that is removed when it goes out of scope.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// `name` is that of the test.
    pub(crate) fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A context with a new corpus of these takes, cut into segments by a method.
    #[allow(dead_code, reason = "not every test that includes this module needs a corpus")]
    pub(crate) fn context<'a>(
        &self,
        takes: impl IntoIterator<Item = &'a Take>,
        cut: Option<CutMethod>,
    ) -> Context<'static> {
        let mut corpus = Corpus::create(&self.path("corpus.marey")).unwrap();
        for take in takes {
            let id = corpus.add(take, &Provenance::default()).unwrap().id();
            if let Some(method) = cut {
                corpus.store_cuts(id, &DetectedCuts::of(take, method).unwrap()).unwrap();
            }
        }
        Context::with_corpus(corpus)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
