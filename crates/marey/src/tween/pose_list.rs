//! The poses of a request, one by one.

use std::borrow::Cow;

use super::keyframes::with_keyframes;
use super::pose::{PoseReader, ResolvedPose};
use super::{PoseSelector, TweenRequest};
use crate::motion::Report;
use crate::{Context, Error, codes};

/// What follows the name of a take whose every frame is a pose.
const EVERY_FRAME: &str = "@*";

/// A slower take is keyframes rather than motion, in frames per second.
const LEAST_RATE_HZ: f64 = 20.0;

/// The rate of motion through keyframes, in frames per second.
const KEYFRAMES_RATE_HZ: f64 = 30.0;

/// Largest number of poses that a take stands for.
const MAX_POSES: usize = 100_000;

/// The request with every pose listed: a table of keyframes and `@*` are replaced by their poses.
pub(super) fn listed<'a>(
    request: &'a TweenRequest,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Cow<'a, TweenRequest>, Error> {
    let mut request = with_keyframes(request, report)?;
    let is_whole = |pose: &PoseSelector| whole_take(pose).is_some();
    if request.poses.iter().any(is_whole) {
        let mut poses = Vec::new();
        for pose in &request.poses {
            match whole_take(pose) {
                Some(name) => poses.extend(every_frame(name, context)?),
                None => poses.push(pose.clone()),
            }
        }
        request.to_mut().poses = poses;
    }
    Ok(request)
}

/// The take whose every frame a selector stands for.
fn whole_take(pose: &PoseSelector) -> Option<&str> {
    match pose {
        PoseSelector::Text(text) => text.strip_suffix(EVERY_FRAME),
        PoseSelector::Frame(..) => None,
    }
}

/// Every frame of a take or file.
fn every_frame(name: &str, context: &Context<'_>) -> Result<Vec<PoseSelector>, Error> {
    let frames = PoseReader::new(context).read(&name.into(), false)?.clip.frames();
    if frames > MAX_POSES {
        let message = format!("{name} has {frames} frames; at most {MAX_POSES} can be poses");
        return Err(Error::usage(&codes::TWEEN_REQUEST, message));
    }
    Ok((0..frames).map(|frame| PoseSelector::Text(format!("{name}@{frame}"))).collect())
}

/// Finds the poses, all on one body and at the rate of the first, or at 30 Hz if the first is of a file of keyframes.
pub(super) fn resolve_all(request: &TweenRequest, context: &Context<'_>) -> Result<Vec<ResolvedPose>, Error> {
    let mut reader = PoseReader::new(context);
    let mut poses: Vec<ResolvedPose> = Vec::with_capacity(request.poses.len());
    let body_of = |pose: &ResolvedPose| context.body().unwrap_or(pose.clip.skeleton()).clone();
    for (number, selector) in request.poses.iter().enumerate() {
        let is_first = number == 0;
        let mut pose = reader.read(selector, is_first)?;
        // The motion before the first pose and after the last one continues in the result.
        if !is_first && number + 1 < request.poses.len() {
            pose = pose.alone()?;
        }
        let (body, rate_hz) = match poses.first() {
            Some(first) => (first.clip.skeleton().clone(), first.clip.rate_hz()),
            None if pose.clip.rate_hz() < LEAST_RATE_HZ => (body_of(&pose), KEYFRAMES_RATE_HZ),
            None => (body_of(&pose), pose.clip.rate_hz()),
        };
        let mut pose = pose.on(&body, rate_hz, context.observer())?;
        if let Some(start) = request.start.filter(|_| is_first) {
            pose = pose.at(start)?;
        }
        poses.push(pose);
    }
    Ok(poses)
}
