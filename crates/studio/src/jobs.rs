//! Long work: one thread each, a few at once, with progress, and cancelled when asked.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use marey_motion::Progress;
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore};

use crate::{MotionId, Result, StudioError, codes};

/// How much work may wait or go on.
const MOST_WAITING: usize = 8;
/// How much of it may go on at once.
const AT_ONCE: usize = 2;
/// How many jobs are remembered that have ended.
const REMEMBERED: usize = 64;
/// How long a question after a job waits for news of it.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far a piece of work is, and whether it is still wanted.
#[derive(Debug, Default)]
pub struct Work {
    is_cancelled: AtomicBool,
    state: Mutex<(f32, &'static str)>,
    news: Notify,
}

impl Work {
    /// Says how far it is, from 0 to 1, and what is being done. Refused where it is not wanted any more.
    pub fn at(&self, share: f32, doing: &'static str) -> Result<()> {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = (share, doing);
        self.news.notify_waiters();
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(StudioError::new(&codes::CANCELLED, "it was cancelled while it went on"));
        }
        Ok(())
    }
}

impl Work {
    /// Shows the progress of a verb on the page; cancels the verb if the job was cancelled.
    pub fn observe(&self, progress: Progress) -> ControlFlow<()> {
        let share = progress.done as f32 / progress.total.max(1) as f32;
        match self.at(share, progress.stage) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// How a job ended: with motions.
type Ended = Result<Vec<MotionId>>;

#[derive(Debug)]
struct Job {
    work: Arc<Work>,
    ended: Mutex<Option<Ended>>,
}

/// All jobs.
#[derive(Debug)]
pub(crate) struct Jobs {
    jobs: Mutex<(u64, BTreeMap<u64, Arc<Job>>)>,
    room: Arc<Semaphore>,
}

impl Default for Jobs {
    fn default() -> Self {
        Self { jobs: Mutex::default(), room: Arc::new(Semaphore::new(AT_ONCE)) }
    }
}

impl Jobs {
    /// Takes work on; its number. Refused where too much waits.
    pub(crate) fn start(&self, task: impl FnOnce(&Work) -> Ended + Send + 'static) -> Result<u64> {
        let job = Arc::new(Job { work: Arc::default(), ended: Mutex::default() });
        let number = {
            let mut jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
            let (last, all) = &mut *jobs;
            if all.values().filter(|job| job.ended().is_none()).count() >= MOST_WAITING {
                return Err(StudioError::new(
                    &codes::BUSY,
                    format!("{MOST_WAITING} pieces of work are waiting"),
                ));
            }
            *last += 1;
            all.insert(*last, job.clone());
            while all.len() > REMEMBERED {
                let Some(oldest) =
                    all.iter().find(|(_, job)| job.ended().is_some()).map(|(number, _)| *number)
                else {
                    break;
                };
                all.remove(&oldest);
            }
            *last
        };
        let room = self.room.clone();
        tokio::spawn(async move {
            let permit = room.acquire_owned().await;
            let (doer, work) = (job.clone(), job.work.clone());
            let done = tokio::task::spawn_blocking(move || {
                work.at(0.0, "starting")?;
                task(&work)
            });
            // A panic in an engine is our bug, not the end of the studio.
            let ended =
                done.await.unwrap_or_else(|panic| Err(StudioError::new(&codes::BUG, panic.to_string())));
            *doer.ended.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
            doer.work.news.notify_waiters();
            drop(permit);
        });
        Ok(number)
    }

    /// What there is to say about a job, as soon as there is something new, or after a second.
    pub(crate) async fn news(&self, number: u64) -> Result<Value> {
        let job = self.find(number)?;
        let news = job.work.news.notified();
        if job.ended().is_none() {
            // Whichever comes first is told below.
            let _ = tokio::time::timeout(PATIENCE, news).await;
        }
        let (share, doing) = *job.work.state.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(match job.ended() {
            None => json!({ "state": "running", "share": share, "doing": doing }),
            Some(Ok(motions)) => {
                let names: Vec<String> = motions.iter().map(MotionId::to_string).collect();
                json!({ "state": "done", "motions": names })
            }
            Some(Err(fault)) => json!({ "state": "failed", "fault": fault.to_json() }),
        })
    }

    /// Says that a job is not wanted any more. It ends when it next looks.
    pub(crate) fn cancel(&self, number: u64) -> Result<()> {
        self.find(number)?.work.is_cancelled.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn find(&self, number: u64) -> Result<Arc<Job>> {
        let jobs = self.jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.1
            .get(&number)
            .cloned()
            .ok_or_else(|| StudioError::new(&codes::NO_JOB, format!("no job {number}")))
    }
}

impl Job {
    fn ended(&self) -> Option<Ended> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn ended(jobs: &Jobs, number: u64) -> Value {
        loop {
            let news = jobs.news(number).await.unwrap();
            if news["state"] != "running" {
                return news;
            }
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn work_ends_well_badly_or_cancelled() {
        let jobs = Jobs::default();
        let good = jobs.start(|_| Ok(vec![MotionId::Made(7)])).unwrap();
        assert_eq!(ended(&jobs, good).await["motions"], json!(["m7"]));
        let bad = jobs.start(|_| panic!("for a test")).unwrap();
        assert_eq!(ended(&jobs, bad).await["fault"]["code"], "studio/bug");
        let endless = jobs
            .start(|work| {
                loop {
                    work.at(0.5, "waiting")?;
                    std::thread::sleep(Duration::from_millis(2));
                }
            })
            .unwrap();
        jobs.cancel(endless).unwrap();
        assert_eq!(ended(&jobs, endless).await["fault"]["code"], "studio/cancelled");
        assert_eq!(jobs.news(99).await.unwrap_err().code.id, "studio/no-job");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn no_more_is_taken_on_than_can_wait() {
        let jobs = Jobs::default();
        let gate = Arc::new(AtomicBool::new(false));
        let start = || {
            let gate = gate.clone();
            jobs.start(move |_| {
                while !gate.load(Ordering::Relaxed) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok(vec![MotionId::Made(1)])
            })
        };
        let numbers: Vec<u64> = (0..MOST_WAITING).map(|_| start().unwrap()).collect();
        assert_eq!(start().unwrap_err().code.id, "studio/busy");
        gate.store(true, Ordering::Relaxed);
        for number in numbers {
            assert_eq!(ended(&jobs, number).await["state"], "done");
        }
        for _ in 0..2 * REMEMBERED {
            let number = start().unwrap();
            ended(&jobs, number).await;
        }
        assert_eq!(jobs.jobs.lock().unwrap().1.len(), REMEMBERED);
    }
}
