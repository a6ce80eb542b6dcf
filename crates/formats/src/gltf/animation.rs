//! The channels of an animation.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{DVec3, Quat, Vec3};
use marey_motion::{Code, Place, Report};

use super::accessor::{Numbers, PLACES, ROTATIONS, SCALARS};
use super::codes;
use super::curve::{Curve, Interpolation};
use super::document::{Animation, Channel, Document, Sampler};
use super::nodes::{Nodes, is_plain_scale};
use crate::FormatsError;

/// Places beyond this are faults.
const FARTHEST: f32 = 1e9;

/// How the nodes of one animation move, by node.
#[derive(Debug, Default)]
pub(super) struct Moves {
    pub(super) name: Option<String>,
    pub(super) translations: BTreeMap<usize, Curve<Vec3>>,
    pub(super) rotations: BTreeMap<usize, Curve<Quat>>,
}

impl Moves {
    /// The times of all keys of properties that have several, ascending, each once.
    pub(super) fn times(&self) -> Vec<f64> {
        let lists = self.translations.values().map(|curve| &curve.times);
        let lists = lists.chain(self.rotations.values().map(|curve| &curve.times));
        let mut seen: Vec<*const f64> = Vec::new();
        let mut times: Vec<f64> = Vec::new();
        for list in lists.filter(|list| list.len() > 1) {
            // Most curves share one list.
            if let Err(place) = seen.binary_search(&list.as_ptr()) {
                seen.insert(place, list.as_ptr());
                times.extend_from_slice(list);
            }
        }
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}

/// Which nodes move or turn in an animation; what its channels name is there.
pub(super) fn moving(document: &Document) -> Result<Vec<bool>, FormatsError> {
    let mut moving = vec![false; document.nodes.len()];
    for channel in document.animations.iter().flat_map(|animation| &animation.channels) {
        let Some(node) = channel.target.node else { continue };
        let Some(slot) = moving.get_mut(node) else {
            return refuse(&codes::INDEX, format!("a channel moves node {node}, which is not there"));
        };
        *slot |= matches!(channel.target.path.as_str(), "translation" | "rotation");
    }
    Ok(moving)
}

/// Reads animations of one file.
pub(super) struct Reader<'a> {
    pub(super) numbers: Numbers<'a>,
    pub(super) nodes: &'a Nodes,
    /// Whether a node is part of a figure, or above one.
    pub(super) wanted: &'a [bool],
    /// Lists of times by accessor: many channels share one.
    pub(super) times: BTreeMap<usize, Rc<[f64]>>,
}

impl Reader<'_> {
    /// Reads the channels that move figures, and reports what is omitted.
    pub(super) fn read(&mut self, animation: &Animation, report: &mut Report) -> Result<Moves, FormatsError> {
        let mut moves = Moves { name: animation.name.clone(), ..Moves::default() };
        for channel in &animation.channels {
            let target = channel.target.node.filter(|node| self.wanted.get(*node) == Some(&true));
            let path = channel.target.path.as_str();
            let Some(node) = target.filter(|_| matches!(path, "translation" | "rotation" | "scale")) else {
                let whose = channel.target.node.map_or_else(String::new, |node| format!(" of node {node}"));
                report.warn(&codes::LEFT_OUT, Place::default(), format!("{path}{whose}"));
                continue;
            };
            let is_second = match path {
                "translation" => moves.translations.contains_key(&node),
                "rotation" => moves.rotations.contains_key(&node),
                _ => false,
            };
            if is_second {
                let message = format!("the {path} of node {node} is animated twice");
                report.warn(&codes::CHANNEL_TWICE, Place::default(), message);
                continue;
            }
            let sampler = sampler_of(animation, channel)?;
            match path {
                "translation" => {
                    drop(moves.translations.insert(node, self.translation(sampler, node, report)?))
                }
                "rotation" => drop(moves.rotations.insert(node, self.rotation(sampler, node, report)?)),
                _ => self.scale(sampler, node, report)?,
            }
        }
        Ok(moves)
    }

    fn translation(
        &mut self,
        sampler: &Sampler,
        node: usize,
        report: &mut Report,
    ) -> Result<Curve<Vec3>, FormatsError> {
        let (times, interpolation) = self.clock(sampler, report)?;
        let numbers = self.numbers.read(sampler.output, PLACES)?;
        let mut values: Vec<Vec3> = numbers.as_chunks().0.iter().map(|n| Vec3::from_array(*n)).collect();
        let rest = self.nodes.locals.get(node).map_or(Vec3::ZERO, |local| local.translation.as_vec3());
        let is_place = |p: &Vec3| p.is_finite() && p.abs().max_element() < FARTHEST;
        hold(&mut values, interpolation, (rest, Vec3::ZERO), is_place, report);
        curve(times, values, interpolation, sampler)
    }

    fn rotation(
        &mut self,
        sampler: &Sampler,
        node: usize,
        report: &mut Report,
    ) -> Result<Curve<Quat>, FormatsError> {
        let (times, interpolation) = self.clock(sampler, report)?;
        let numbers = self.numbers.read(sampler.output, ROTATIONS)?;
        let mut values: Vec<Quat> = numbers.as_chunks().0.iter().map(|n| Quat::from_array(*n)).collect();
        let rest = self.nodes.locals.get(node).map_or(Quat::IDENTITY, |local| local.rotation.as_quat());
        let tangent = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        hold(&mut values, interpolation, (rest, tangent), |q| is_rotation(*q), report);
        let keys = values.iter_mut().skip(interpolation.values_a_key() / 2);
        for key in keys.step_by(interpolation.values_a_key()) {
            // What is of unit length but for rounding is kept bit for bit.
            if (key.length_squared() - 1.0).abs() > 1e-6 {
                *key = key.normalize();
            }
        }
        curve(times, values, interpolation, sampler)
    }

    /// Reports animated scale, which a skeleton cannot have.
    fn scale(&mut self, sampler: &Sampler, node: usize, report: &mut Report) -> Result<(), FormatsError> {
        let numbers = self.numbers.read(sampler.output, PLACES)?;
        let (_, interpolation) = self.clock(sampler, report)?;
        let Some(rest) = self.nodes.locals.get(node).map(|local| local.scale) else { return Ok(()) };
        let keys = numbers.as_chunks().0.iter().skip(interpolation.values_a_key() / 2);
        let keys = keys.step_by(interpolation.values_a_key()).map(|n| Vec3::from_array(*n).as_dvec3());
        let is_rest = |scale: DVec3| {
            is_plain_scale(scale / rest) && is_plain_scale(DVec3::new(1.0, (scale / rest).x, 1.0))
        };
        let changed: Vec<DVec3> = keys.filter(|scale| !is_rest(*scale)).collect();
        if let Some(first) = changed.first() {
            let message =
                format!("node {node} is scaled by {first} in motion, and by {rest} at rest, which was taken");
            report.warn_many(&codes::SCALE, Place::default(), changed.len(), message);
        }
        Ok(())
    }

    /// The times of a sampler's keys, and what is between them.
    fn clock(
        &mut self,
        sampler: &Sampler,
        report: &mut Report,
    ) -> Result<(Rc<[f64]>, Interpolation), FormatsError> {
        let Some(interpolation) = Interpolation::of(sampler.interpolation.as_deref()) else {
            let name = sampler.interpolation.as_deref().unwrap_or_default();
            return refuse(&codes::KEY_TIMES, format!("an interpolation {name:?} is not known"));
        };
        if let Some(times) = self.times.get(&sampler.input) {
            return Ok((times.clone(), interpolation));
        }
        let times = self.numbers.read(sampler.input, SCALARS)?;
        let wrong = |pair: &&[f32]| !matches!(pair, [a, b] if a <= b);
        if times.is_empty()
            || !times.iter().all(|time| time.is_finite())
            || times.windows(2).any(|pair| wrong(&pair))
        {
            let message = format!("accessor {}: times that do not ascend, or none", sampler.input);
            return refuse(&codes::KEY_TIMES, message);
        }
        let repeated = times.windows(2).filter(|pair| matches!(pair, [a, b] if a == b)).count();
        report.warn_many(&codes::REPEATED_KEY, Place::default(), repeated, "two keys at one time");
        let times: Rc<[f64]> = times.into_iter().map(f64::from).collect();
        self.times.insert(sampler.input, times.clone());
        Ok((times, interpolation))
    }
}

fn sampler_of<'a>(animation: &'a Animation, channel: &Channel) -> Result<&'a Sampler, FormatsError> {
    animation.samplers.get(channel.sampler).ok_or_else(|| {
        let message = format!("an animation has no sampler {}", channel.sampler);
        FormatsError::refused(&codes::INDEX, Place::default(), message)
    })
}

fn curve<V>(
    times: Rc<[f64]>,
    values: Vec<V>,
    interpolation: Interpolation,
    sampler: &Sampler,
) -> Result<Curve<V>, FormatsError> {
    if values.len() != times.len() * interpolation.values_a_key() {
        let (input, output) = (sampler.input, sampler.output);
        let message = format!(
            "{} values in accessor {output} for {} times in accessor {input}",
            values.len(),
            times.len()
        );
        return refuse(&codes::KEY_COUNT, message);
    }
    Ok(Curve { times, values, interpolation })
}

fn is_rotation(q: Quat) -> bool {
    let length = q.length();
    (1e-4..1e4).contains(&length)
}

/// Puts the key before in the place of one that is none, the rest value in the first one's place, and no tangent in that of
/// a tangent that is not finite.
fn hold<V: Copy + Into<Finite>>(
    values: &mut [V],
    interpolation: Interpolation,
    (rest, tangent): (V, V),
    is_sound: impl Fn(&V) -> bool,
    report: &mut Report,
) {
    let each = interpolation.values_a_key();
    let mut past = rest;
    for (index, value) in values.iter_mut().enumerate() {
        let is_key = index % each == each / 2;
        if is_key && is_sound(value) {
            past = *value;
        } else if is_key || !Into::<Finite>::into(*value).0 {
            *value = if is_key { past } else { tangent };
            let message = format!("key {}", index / each);
            report.warn(&codes::HELD_VALUE, Place::default(), message);
        }
    }
}

/// Whether every part of a value is finite, and no tangent beyond measure.
struct Finite(bool);

impl From<Vec3> for Finite {
    fn from(value: Vec3) -> Self {
        Self(value.is_finite() && value.abs().max_element() < FARTHEST)
    }
}

impl From<Quat> for Finite {
    fn from(value: Quat) -> Self {
        Self(value.is_finite() && value.length_squared() < FARTHEST)
    }
}

fn refuse<T>(code: &'static Code, message: impl Into<String>) -> Result<T, FormatsError> {
    Err(FormatsError::refused(code, Place::default(), message))
}
