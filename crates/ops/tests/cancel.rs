//! Work on one long clip can be cancelled while it is done.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Clip, Coded, Observer, Progress};
use marey_ops::OpsError;
use marey_ops::contacts::{ContactSettings, detect_observed};
use marey_ops::retarget::{RetargetSettings, retarget_clips_observed};

fn walker() -> Clip {
    let settings = WalkSettings { duration_secs: 20.0, rate_hz: 60.0, ..WalkSettings::default() };
    walk(&settings).unwrap().take.first().clone()
}

/// Checks that work reports at least so often, and that it does not go on after it was cancelled at a report.
fn check(least: usize, work: impl Fn(Observer<'_>) -> Result<(), OpsError>) {
    let cancelled_at = |at: usize| {
        let reports = AtomicUsize::new(0);
        let observe = |_: Progress| match reports.fetch_add(1, Ordering::Relaxed) < at {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        (work(Observer::new(&observe)), reports.into_inner())
    };
    let (done, total) = cancelled_at(usize::MAX);
    done.unwrap();
    assert!(total >= least, "{total} reports");
    for at in (0..total).step_by(1 + total / 12) {
        let (result, reports) = cancelled_at(at);
        assert_eq!(result.unwrap_err().code().id, "ops/cancelled", "at {at} of {total}");
        assert_eq!(reports, at + 1, "it goes on");
    }
}

#[test]
fn detecting_contacts_stops() {
    let clip = walker();
    check(10, |observer| detect_observed(&clip, &ContactSettings::default(), observer).map(drop));
}

#[test]
fn retargeting_stops() {
    let clip = walker();
    let other = Arc::new(clip.skeleton().scaled(0.8).unwrap());
    // Twelve passes over 1200 frames, and a look at least every 256.
    check(60, |observer| {
        let (clips, bodies) = ([&clip], [other.clone()]);
        retarget_clips_observed(&clips, &bodies, &RetargetSettings::default(), observer).map(drop)
    });
}
