//! The state of a job: its progress, its cancellation and its result.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::Bytes;
use marey_motion::Progress;
use serde_json::{Value, json};
use tokio::sync::{Notify, watch};

use crate::{MotionId, Result, StudioError, codes};

/// The result of a job: the motions that it made.
pub(crate) type JobResult = Result<Vec<MotionId>>;

/// The state of a job.
#[derive(Debug, Clone)]
pub(crate) enum WorkState {
    /// The fraction that is done, from 0 to 1, and the name of the stage.
    Running(f32, &'static str),
    /// A live session has started; the bytes describe its figures to viewers.
    Open(Bytes),
    /// The job has ended.
    Ended(JobResult),
}

impl WorkState {
    /// The state as JSON, in which a job that has not ended is called `running`.
    pub(crate) fn to_json(&self, running: &str) -> Value {
        match self {
            WorkState::Running(fraction, stage) => {
                json!({ "state": running, "fraction": fraction, "stage": stage })
            }
            WorkState::Open(_) => json!({ "state": running }),
            WorkState::Ended(Ok(motions)) => {
                let ids: Vec<String> = motions.iter().map(MotionId::to_string).collect();
                json!({ "state": "done", "motions": ids })
            }
            WorkState::Ended(Err(error)) => json!({ "state": "failed", "error": error.to_json() }),
        }
    }
}

/// A job that reports its progress and can be cancelled.
#[derive(Debug)]
pub struct Work {
    is_cancelled: AtomicBool,
    cancelled: Notify,
    state: watch::Sender<WorkState>,
}

impl Default for Work {
    fn default() -> Self {
        Self {
            is_cancelled: AtomicBool::new(false),
            cancelled: Notify::new(),
            state: watch::Sender::new(WorkState::Running(0.0, "waiting")),
        }
    }
}

impl Work {
    /// Reports the fraction that is done, from 0 to 1, and the name of the stage. Fails if the job was cancelled.
    pub fn report(&self, fraction: f32, stage: &'static str) -> Result<()> {
        self.state.send_replace(WorkState::Running(fraction, stage));
        if self.is_cancelled() {
            return Err(cancelled());
        }
        Ok(())
    }

    /// Shows the progress of a verb on the page. Cancels the verb if the job was cancelled.
    pub fn observe(&self, progress: Progress) -> ControlFlow<()> {
        let fraction = progress.done as f32 / progress.total.max(1) as f32;
        match self.report(fraction, progress.stage) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }

    /// Asks the job to stop.
    pub(crate) fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
        self.cancelled.notify_one();
    }

    /// Waits until the job is cancelled, and ends it. For a job that has not started.
    pub(crate) async fn end_when_cancelled(&self) {
        self.cancelled.notified().await;
        self.state.send_replace(WorkState::Ended(Err(cancelled())));
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    pub(crate) fn is_active(&self) -> bool {
        !matches!(*self.state.borrow(), WorkState::Ended(_))
    }

    pub(crate) fn open(&self, figures: Bytes) {
        self.state.send_replace(WorkState::Open(figures));
    }

    pub(crate) fn subscribe(&self) -> watch::Receiver<WorkState> {
        self.state.subscribe()
    }

    /// Runs a task on its own thread and stores its result. A panic is reported as a bug and does not end the studio.
    pub(crate) async fn run(&self, task: impl FnOnce() -> JobResult + Send + 'static) {
        let done = tokio::task::spawn_blocking(task).await;
        let result = done.unwrap_or_else(|panic| Err(StudioError::new(&codes::BUG, panic.to_string())));
        self.state.send_replace(WorkState::Ended(result));
    }
}

fn cancelled() -> StudioError {
    StudioError::new(&codes::CANCELLED, "the work was cancelled before it was done")
}
