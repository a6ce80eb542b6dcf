//! `transcribe`: what a control does when, in the labels of a corpus's segments.

use crate::follow::{FollowRequest, TranscriptEntry, prepare};
use crate::motion::Report;
use crate::{Context, Error};

/// What `transcribe` returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Transcript {
    /// The labels in order, without gaps.
    pub entries: Vec<TranscriptEntry>,
    /// Warnings.
    pub report: Report,
}

/// Interprets a control as [`follow::run`](crate::follow::run) does, and returns the labels of the segments.
pub fn run(request: &FollowRequest, context: &Context<'_>) -> Result<Transcript, Error> {
    let prepared = prepare(request, context)?;
    let (interpretation, _) = context.install(|| prepared.interpret(request, context))??;
    let entries = interpretation.transcript(&prepared.examples.mapping);
    Ok(Transcript { entries, report: prepared.report })
}
