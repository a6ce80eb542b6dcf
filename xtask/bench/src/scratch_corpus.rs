//! A corpus in the scratch folder, so that measurements run the verbs that users run.

use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use marey::Context;
use marey::segment::{self, SegmentRequest};
use marey_corpus::{
    Annotation, AnnotationContent, ContactInterval, ContactTarget, Corpus, ImportRequest, Maker, Provenance,
    Span,
};
use marey_motion::{Contacts, Observer, Take};

use crate::BoxError;
use crate::data;

static CREATED: AtomicUsize = AtomicUsize::new(0);

/// A corpus whose file is removed when it goes out of scope.
pub(crate) struct ScratchCorpus {
    path: PathBuf,
    context: Context<'static>,
}

impl ScratchCorpus {
    pub(crate) fn create() -> Result<Self, BoxError> {
        let number = CREATED.fetch_add(1, Ordering::Relaxed);
        let path = data::scratch_folder()?.join(format!("scratch-{}-{number}.marey", std::process::id()));
        let context = Context::with_corpus(Corpus::create(&path)?);
        Ok(Self { path, context })
    }

    pub(crate) fn context(&self) -> &Context<'static> {
        &self.context
    }

    /// Adds a take that is cut into labelled segments. The contacts are those of its last actor; without any, verbs detect them.
    pub(crate) fn add(
        &self,
        take: &Take,
        contacts: &Contacts,
        cuts: impl IntoIterator<Item = (Range<usize>, String)>,
    ) -> Result<(), BoxError> {
        let maker = Maker::method("truth");
        let mut corpus = self.context.corpus()?;
        let id = corpus.add(take, &Provenance::default())?.id();
        let actor = take.actors().len() - 1;
        let annotation = |contact: &marey_motion::Contact| {
            let (start, end) = (contact.frames.start, contact.frames.end);
            let touch = ContactInterval { start, end, actor, role: contact.role, on: ContactTarget::Floor };
            Annotation { take: id, what: AnnotationContent::Contact(touch), maker: maker.clone() }
        };
        corpus.annotate(&contacts.all().iter().map(annotation).collect::<Vec<_>>())?;
        let cuts = cuts.into_iter().filter(|(frames, _)| frames.len() >= 2);
        let span = |(frames, name): (Range<usize>, String)| Span {
            start: frames.start,
            end: frames.end,
            actor: None,
            name,
        };
        corpus.cut(id, &cuts.map(span).collect::<Vec<_>>(), &maker)?;
        Ok(())
    }

    /// Imports files as the command does, cuts them at steps, and returns their takes.
    pub(crate) fn import_steps(&self, files: &[PathBuf]) -> Result<Vec<Take>, BoxError> {
        let mut takes = Vec::new();
        {
            let mut corpus = self.context.corpus()?;
            let request = ImportRequest { inputs: files.to_vec(), ..ImportRequest::default() };
            corpus.import(&request, Observer::ignore())?;
            for info in corpus.takes()? {
                takes.push(corpus.take(info.id)?);
            }
        }
        segment::run(&SegmentRequest::default(), &self.context)?;
        Ok(takes)
    }
}

impl Drop for ScratchCorpus {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm"] {
            let mut name = self.path.clone().into_os_string();
            name.push(suffix);
            let _ = fs::remove_file(name);
        }
    }
}
