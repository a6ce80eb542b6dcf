//! The same work for many files: in parallel, in the order given, past the ones that fail.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;

use crate::inputs::Input;
use crate::{Context, Error};

/// The outcome of one file.
#[derive(Debug, Clone)]
pub struct FileOutcome<T> {
    /// The file.
    pub file: PathBuf,
    /// What was made of it, or why it failed.
    pub result: Result<T, Error>,
}

impl<T> FileOutcome<T> {
    /// The error, if the file failed.
    pub fn error(&self) -> Option<&Error> {
        self.result.as_ref().err()
    }
}

/// Runs `work` for every input, on the threads of the context. The outcomes are in the order of the inputs.
pub(crate) fn each<T: Send>(
    inputs: &[Input],
    stage: &'static str,
    context: &Context<'_>,
    work: impl Fn(&Input) -> Result<T, Error> + Sync + Send,
) -> Result<Vec<FileOutcome<T>>, Error> {
    let (done, total) = (AtomicUsize::new(0), inputs.len());
    let one = |input: &Input| {
        let result = match &input.refused {
            Some(refused) => Err(refused.clone()),
            None => context.report(stage, done.load(Ordering::Relaxed), total).and_then(|()| work(input)),
        };
        // A report that cancels the work is heard before the next file.
        let _ = context.report(stage, done.fetch_add(1, Ordering::Relaxed) + 1, total);
        FileOutcome { file: input.path.clone(), result: result.map_err(|error| error.in_file(&input.path)) }
    };
    // Files differ too much in size to be divided among threads in advance.
    context.install(|| inputs.par_iter().with_max_len(1).map(one).collect())
}
