//! Captured pairs on other bodies: hands that touch or hold the partner, and wrists that must not pass through each other.
//!
//! Both people of a take get one kind of body, or two different ones. If both become smaller, they are also nearer to each
//! other, so distances are compared at the size of the result: that of the distance between their hips.

use std::path::{Path, PathBuf};

use marey::inputs;
use marey_body::{BodyCapsule, BodyCapsules};
use marey_capture::files_of_half;
use marey_formats::file::read_file;
use marey_formats::{MotionFile, ReadRequest};
use marey_motion::{Actor, Clip, Role, Side, Take, Vec3, WorldPose};

use super::body_figures::TOUCH_M;
use super::kinds::BodyKind;
use super::{CONTACT_CM, MAX_SECS, convert_onto, on_bodies, rotations_alone, write};
use crate::BoxError;
use crate::args::Args;
use crate::eval::feet::ruler::median;
use crate::row::{Aim, Row};

/// CMU subjects who were captured together.
const COUPLES: [(&str, &str); 3] = [("18", "19"), ("20", "21"), ("22", "23")];
/// Hands that are nearer than this, about the length of a hand, are near, in metres.
const NEAR_M: f32 = 0.18;

pub(super) fn rows(
    folder: &Path,
    output: &Path,
    kinds: &[BodyKind],
    args: &Args,
) -> Result<Vec<Row>, BoxError> {
    let takes = takes(folder, output, args)?;
    let (mut ours, mut copied) = (PartnerFigures::default(), PartnerFigures::default());
    let mut runs = 0;
    for take in &takes {
        for (number, kind) in kinds.iter().enumerate() {
            for other in [kind, &kinds[(number + 1) % kinds.len()]] {
                measure(take, [kind, other], output, [&mut ours, &mut copied])?;
                runs += 1;
            }
        }
    }
    for place in [&ours.touch_place, &ours.near_place, &ours.wrists_place, &ours.deeper_place] {
        eprintln!("partners: {place}");
    }
    let subject = format!("{} captured pairs on {runs} pairs of bodies", takes.len());
    let row = |name: &str, of: fn(&PartnerFigures) -> f64| {
        Row::new(&format!("retarget: partners, {name}"), &subject, of(&ours), "cm")
            .against("rotations alone", of(&copied))
            .of_half(args.half)
    };
    Ok(vec![
        row("contact of hands changes, worst", |f| f.touch_cm).aim(Aim::AtMost(CONTACT_CM)),
        row("distance of near hands changes, 95th percentile", PartnerFigures::near_cm)
            .aim(Aim::AtMost(CONTACT_CM)),
        row("nearest wrists change, worst", |f| f.wrists_cm).aim(Aim::AtMost(CONTACT_CM)),
        row("hands into the partner beyond the source, worst", |f| f.deeper_cm).aim(Aim::AtMost(CONTACT_CM)),
    ])
}

/// Takes of couples, each in a file.
fn takes(folder: &Path, output: &Path, args: &Args) -> Result<Vec<PathBuf>, BoxError> {
    let files = files_of_half(&folder.join("cmu/two_person"), "bvh", args.half);
    let name = |file: &Path| file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut takes = Vec::new();
    for (first, second) in COUPLES {
        for file in files.iter().filter(|file| name(file).starts_with(&format!("{first}_"))) {
            let partner = file.with_file_name(name(file).replacen(first, second, 1) + ".bvh");
            if !partner.exists() {
                continue;
            }
            let actor = |(actor, file): (&str, &Path)| -> Result<Actor, BoxError> {
                let options = ReadRequest { trim_rest: true, ..ReadRequest::default() }.options()?;
                let take = read_file(file, &options).and_then(MotionFile::into_first)?.take;
                let frames = ((MAX_SECS * take.rate_hz()) as usize).min(take.frames());
                Ok(Actor { name: actor.into(), clip: take.first().slice(0..frames)? })
            };
            let actors = [("a", &**file), ("b", &*partner)].into_iter().map(actor);
            let path = output.join(format!("{}.bvh", name(file)));
            write(&Take::new(name(file), actors.collect::<Result<_, _>>()?)?, &path)?;
            takes.push(path);
        }
    }
    if args.quick {
        takes.truncate(2);
    }
    Ok(takes)
}

/// Puts a take on two bodies, and measures it before and after, and with rotations alone.
fn measure(
    file: &Path,
    [one, other]: [&BodyKind; 2],
    output: &Path,
    [ours, copied]: [&mut PartnerFigures; 2],
) -> Result<(), BoxError> {
    let take = file.file_stem().unwrap_or_default().to_string_lossy();
    let name = format!("{take} on {} and {}", one.name, other.name);
    let path = output.join(format!("{name}.bvh"));
    let bodies = [one, other].map(|kind| kind.files.first().ok_or("a kind without a file"));
    let [one, other] = [bodies[0]?, bodies[1]?];
    convert_onto(file, &[format!("a={}", one.display()), format!("b={}", other.display())], &path)?;
    let before = inputs::take(file)?;
    ours.add(&name, &before, &inputs::take(&path)?);
    let mut skeletons = Vec::new();
    for body in [one, other] {
        skeletons.push(inputs::take(body)?.first().skeleton().clone());
    }
    copied.add(&name, &before, &on_bodies(&before, &skeletons, &rotations_alone())?);
    Ok(())
}

/// The figures of several takes, in centimetres.
#[derive(Debug, Default)]
struct PartnerFigures {
    touch_cm: f64,
    touch_place: String,
    /// Changes of the distances of near hands.
    near: Vec<f64>,
    nearest_change_cm: f64,
    near_place: String,
    wrists_cm: f64,
    wrists_place: String,
    deeper_cm: f64,
    deeper_place: String,
}

/// A couple in one frame.
struct Couple {
    worlds: [WorldPose; 2],
    placed: [Vec<BodyCapsule>; 2],
}

impl Couple {
    fn all(take: &Take) -> impl Iterator<Item = Couple> + '_ {
        let clips = [0, 1].map(|actor: usize| &take.actors()[actor].clip);
        let bodies = clips.map(|clip| BodyCapsules::of(clip.skeleton()));
        (0..take.frames()).map(move |frame| {
            let world = |clip: &Clip| WorldPose::of(clip.skeleton(), clip.pose(frame));
            let worlds = clips.map(world);
            let mut placed = [Vec::new(), Vec::new()];
            for ((body, world), placed) in bodies.iter().zip(&worlds).zip(&mut placed) {
                body.place(world, placed);
            }
            Couple { worlds, placed }
        })
    }

    fn at(&self, actor: usize, role: Role) -> Vec3 {
        let world = &self.worlds[actor];
        world.skeleton().joint_of(role).map_or(Vec3::ZERO, |joint| world.positions[joint])
    }

    fn apart_m(&self, one: Role, other: Role) -> f64 {
        f64::from(self.at(0, one).distance(self.at(1, other)))
    }

    /// The gap between the hand of an actor and what `is_part` accepts of the other actor, in metres.
    fn gap_m(&self, actor: usize, hand: Role, is_part: impl Fn(Role) -> bool) -> Option<f32> {
        let own = self.placed[actor].iter().find(|part| part.role == hand)?;
        let parts = self.placed[1 - actor].iter().filter(|part| is_part(part.role));
        parts.map(|part| own.capsule.gap_m(&part.capsule)).min_by(f32::total_cmp)
    }
}

impl PartnerFigures {
    fn add(&mut self, name: &str, before: &Take, after: &Take) {
        let hips_m = |couple: &Couple| couple.apart_m(Role::Hips, Role::Hips);
        let frames: Vec<(Couple, Couple)> = Couple::all(before).zip(Couple::all(after)).collect();
        let size = median(frames.iter().map(|(was, is)| hips_m(is) / hips_m(was).max(1e-3)).collect());
        for (frame, (was, is)) in frames.iter().enumerate() {
            for (actor, side) in [0, 1].into_iter().flat_map(|actor| Side::BOTH.map(|side| (actor, side))) {
                let hand = Role::LeftHand.on(side);
                let gaps = [was, is].map(|couple| couple.gap_m(actor, hand, |_| true));
                if let [Some(was_m), Some(is_m)] = gaps.map(|gap| gap.map(f64::from)) {
                    let place = || {
                        format!(
                            "{name}, frame {frame}: {hand} of {actor} {:.1} cm, then {:.1} cm",
                            100.0 * was_m,
                            100.0 * is_m
                        )
                    };
                    keep_worst(
                        &mut self.deeper_cm,
                        &mut self.deeper_place,
                        100.0 * ((-is_m).max(0.0) - (-was_m).max(0.0)),
                        place,
                    );
                    if was_m < f64::from(TOUCH_M) {
                        let change_cm = 100.0 * (is_m - was_m).abs();
                        keep_worst(&mut self.touch_cm, &mut self.touch_place, change_cm, place);
                    }
                }
            }
            for (one, other) in hands() {
                let gaps = [was, is].map(|couple| couple.gap_m(0, one, |part| part == other));
                if let [Some(was_m), Some(is_m)] = gaps.map(|gap| gap.map(f64::from))
                    && was_m < f64::from(NEAR_M)
                {
                    let change_cm = 100.0 * (is_m - size * was_m.max(0.0) - was_m.min(0.0)).abs();
                    self.near.push(change_cm);
                    let place = || {
                        format!(
                            "{name}, frame {frame}: {one} and {other} {:.1} cm, then {:.1} cm at {size:.2}",
                            100.0 * was_m,
                            100.0 * is_m
                        )
                    };
                    keep_worst(&mut self.nearest_change_cm, &mut self.near_place, change_cm, place);
                }
            }
        }
        for (one, other) in hands() {
            let is_near = |(was, _): &(Couple, Couple)| {
                was.gap_m(0, one, |part| part == other).is_some_and(|gap_m| gap_m < NEAR_M)
            };
            if !frames.iter().any(is_near) {
                continue;
            }
            let nearest_m = |of: fn(&(Couple, Couple)) -> &Couple| {
                frames.iter().map(|both| of(both).apart_m(one, other)).fold(f64::INFINITY, f64::min)
            };
            let (was_m, is_m) = (nearest_m(|both| &both.0), nearest_m(|both| &both.1));
            let place = || {
                format!(
                    "{name}: wrists of {one} and {other} {:.1} cm, then {:.1} cm at {size:.2}",
                    100.0 * was_m,
                    100.0 * is_m
                )
            };
            keep_worst(
                &mut self.wrists_cm,
                &mut self.wrists_place,
                100.0 * (is_m - size * was_m).abs(),
                place,
            );
        }
    }

    /// The 95th percentile of changes of the distances of near hands.
    fn near_cm(&self) -> f64 {
        let mut sorted = self.near.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() * 95 / 100).copied().unwrap_or(0.0)
    }
}

/// Each hand of one person with each of the other.
fn hands() -> impl Iterator<Item = (Role, Role)> {
    let hand = |side: Side| Role::LeftHand.on(side);
    Side::BOTH.into_iter().flat_map(move |one| Side::BOTH.map(|other| (hand(one), hand(other))))
}

fn keep_worst(worst: &mut f64, place: &mut String, value: f64, of: impl Fn() -> String) {
    if value > *worst {
        *worst = value;
        *place = of();
    }
}
