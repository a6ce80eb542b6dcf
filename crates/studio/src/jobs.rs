//! Long work: a thread for each job, a few at once, with progress and cancellation.

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Semaphore;

use crate::session_store::SessionStore;
use crate::work::JobResult;
use crate::{Result, StudioError, Work, codes};

/// Maximum number of jobs that wait or run.
const MAX_ACTIVE: usize = 8;
/// Maximum number of jobs that run at once.
const MAX_RUNNING: usize = 2;
/// Number of jobs whose state can be requested, including those that have ended.
const MAX_REMEMBERED: usize = 64;
/// How long a request for the state of a job waits for a change.
const MAX_WAIT: Duration = Duration::from_secs(1);

/// All jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    jobs: SessionStore<Work>,
    running: Arc<Semaphore>,
}

impl Default for Jobs {
    fn default() -> Self {
        Self { jobs: SessionStore::new(MAX_REMEMBERED), running: Arc::new(Semaphore::new(MAX_RUNNING)) }
    }
}

impl Jobs {
    /// Adds a job to the queue, and returns its number. Fails if too many jobs are waiting or running.
    pub(crate) fn start(&self, task: impl FnOnce(&Work) -> JobResult + Send + 'static) -> Result<u64> {
        let work = Arc::new(Work::default());
        let number = self.jobs.insert_active(work.clone(), MAX_ACTIVE, Work::is_active);
        let busy = || StudioError::new(&codes::BUSY, format!("{MAX_ACTIVE} jobs are waiting or running"));
        let number = number.ok_or_else(busy)?;
        let running = self.running.clone();
        tokio::spawn(async move {
            let permit = tokio::select! {
                permit = running.acquire_owned() => permit,
                () = work.end_when_cancelled() => return,
            };
            let runner = work.clone();
            work.run(move || {
                runner.report(0.0, "starting")?;
                task(&runner)
            })
            .await;
            drop(permit);
        });
        Ok(number)
    }

    /// The state of a job as JSON, after its next change or a second.
    pub(crate) async fn state(&self, number: u64) -> Result<Value> {
        let work = self.find(number)?;
        let mut state = work.subscribe();
        if work.is_active() {
            // After a timeout, the current state is returned.
            let _ = tokio::time::timeout(MAX_WAIT, state.changed()).await;
        }
        let state = state.borrow().to_json("running");
        Ok(state)
    }

    /// Asks a job to stop. It ends when it next reports its progress.
    pub(crate) fn cancel(&self, number: u64) -> Result<()> {
        self.find(number)?.cancel();
        Ok(())
    }

    fn find(&self, number: u64) -> Result<Arc<Work>> {
        self.jobs
            .get(number)
            .ok_or_else(|| StudioError::new(&codes::NO_JOB, format!("there is no job {number}")))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use serde_json::json;

    use super::*;
    use crate::MotionId;

    async fn ended(jobs: &Jobs, number: u64) -> Value {
        loop {
            let state = jobs.state(number).await.unwrap();
            if state["state"] != "running" {
                return state;
            }
        }
    }

    /// Starts a job that ends when the gate opens.
    fn start_behind(jobs: &Jobs, gate: &Arc<AtomicBool>) -> Result<u64> {
        let gate = gate.clone();
        jobs.start(move |_| {
            while !gate.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(1));
            }
            Ok(vec![MotionId::Result(1)])
        })
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn jobs_succeed_fail_or_are_cancelled() {
        let jobs = Jobs::default();
        let good = jobs.start(|_| Ok(vec![MotionId::Result(7)])).unwrap();
        assert_eq!(ended(&jobs, good).await["motions"], json!(["m7"]));
        let bad = jobs.start(|_| panic!("for a test")).unwrap();
        assert_eq!(ended(&jobs, bad).await["error"]["code"], "studio/bug");
        let endless = jobs
            .start(|work| {
                loop {
                    work.report(0.5, "waiting")?;
                    std::thread::sleep(Duration::from_millis(2));
                }
            })
            .unwrap();
        jobs.cancel(endless).unwrap();
        assert_eq!(ended(&jobs, endless).await["error"]["code"], "studio/cancelled");
        assert_eq!(jobs.state(99).await.unwrap_err().code.id, "studio/no-job");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_cancelled_job_leaves_the_queue_at_once() {
        let jobs = Jobs::default();
        let gate = Arc::new(AtomicBool::new(false));
        let start = || start_behind(&jobs, &gate);
        let numbers: Vec<u64> = (0..MAX_ACTIVE).map(|_| start().unwrap()).collect();
        // The last one waits for those before it, which do not end.
        let last = numbers[MAX_ACTIVE - 1];
        jobs.cancel(last).unwrap();
        assert_eq!(ended(&jobs, last).await["error"]["code"], "studio/cancelled");
        assert!(start().is_ok(), "its place is free");
        gate.store(true, Ordering::Relaxed);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn the_number_of_jobs_is_limited() {
        let jobs = Jobs::default();
        let gate = Arc::new(AtomicBool::new(false));
        let start = || start_behind(&jobs, &gate);
        let numbers: Vec<u64> = (0..MAX_ACTIVE).map(|_| start().unwrap()).collect();
        assert_eq!(start().unwrap_err().code.id, "studio/busy");
        gate.store(true, Ordering::Relaxed);
        for number in &numbers {
            assert_eq!(ended(&jobs, *number).await["state"], "done");
        }
        for _ in 0..2 * MAX_REMEMBERED {
            let number = start().unwrap();
            ended(&jobs, number).await;
        }
        assert_eq!(jobs.state(numbers[0]).await.unwrap_err().code.id, "studio/no-job");
    }
}
