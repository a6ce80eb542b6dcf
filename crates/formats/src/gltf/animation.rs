//! The channels of an animation.

use std::collections::BTreeMap;
use std::rc::Rc;

use glam::{DVec3, Quat, Vec3};
use marey_motion::{Code, Place, Report};

use super::accessor::{Numbers, ROTATIONS, SCALARS, VECTORS};
use super::codes;
use super::curve::{Curve, Interpolation};
use super::document::{Animation, Channel, Document, Sampler};
use super::nodes::{Nodes, is_plain_scale};
use crate::FormatsError;

/// Largest plausible coordinate, in metres.
const MAX_COORDINATE: f32 = 1e9;

/// The curves of one animation, by node.
#[derive(Debug, Default)]
pub(super) struct AnimationCurves {
    pub(super) name: Option<String>,
    pub(super) translations: BTreeMap<usize, Curve<Vec3>>,
    pub(super) rotations: BTreeMap<usize, Curve<Quat>>,
}

impl AnimationCurves {
    /// The distinct key times of all curves with several keys, ascending.
    pub(super) fn times(&self) -> Vec<f64> {
        let lists = self.translations.values().map(|curve| &curve.times);
        let lists = lists.chain(self.rotations.values().map(|curve| &curve.times));
        let mut seen: Vec<*const f64> = Vec::new();
        let mut times: Vec<f64> = Vec::new();
        for list in lists.filter(|list| list.len() > 1) {
            // Most curves share one list of times.
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

/// Whether each node is translated or rotated by an animation. An error if a channel refers to a node that does not exist.
pub(super) fn animated_nodes(document: &Document) -> Result<Vec<bool>, FormatsError> {
    let mut animated_nodes = vec![false; document.nodes.len()];
    for channel in document.animations.iter().flat_map(|animation| &animation.channels) {
        let Some(node) = channel.target.node else { continue };
        let Some(slot) = animated_nodes.get_mut(node) else {
            return refuse(&codes::INDEX, format!("a channel animates node {node}, which does not exist"));
        };
        *slot |= matches!(channel.target.path.as_str(), "translation" | "rotation");
    }
    Ok(animated_nodes)
}

/// Reads animations of one file.
pub(super) struct AnimationReader<'a> {
    pub(super) numbers: Numbers<'a>,
    pub(super) nodes: &'a Nodes,
    /// Whether each node is part of a figure, or above one.
    pub(super) wanted: &'a [bool],
    /// Lists of times by accessor. Many channels share one.
    pub(super) times: BTreeMap<usize, Rc<[f64]>>,
}

impl AnimationReader<'_> {
    /// Reads the channels that move figures, and reports what is omitted.
    pub(super) fn read(
        &mut self,
        animation: &Animation,
        report: &mut Report,
    ) -> Result<AnimationCurves, FormatsError> {
        let mut curves = AnimationCurves { name: animation.name.clone(), ..AnimationCurves::default() };
        for channel in &animation.channels {
            let target = channel.target.node.filter(|node| self.wanted.get(*node) == Some(&true));
            let path = channel.target.path.as_str();
            let Some(node) = target.filter(|_| matches!(path, "translation" | "rotation" | "scale")) else {
                let of_node = channel.target.node.map_or_else(String::new, |node| format!(" of node {node}"));
                report.warn(&codes::LEFT_OUT, Place::default(), format!("{path}{of_node}"));
                continue;
            };
            let is_second = match path {
                "translation" => curves.translations.contains_key(&node),
                "rotation" => curves.rotations.contains_key(&node),
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
                    drop(curves.translations.insert(node, self.translation(sampler, node, report)?))
                }
                "rotation" => drop(curves.rotations.insert(node, self.rotation(sampler, node, report)?)),
                _ => self.scale(sampler, node, report)?,
            }
        }
        Ok(curves)
    }

    fn translation(
        &mut self,
        sampler: &Sampler,
        node: usize,
        report: &mut Report,
    ) -> Result<Curve<Vec3>, FormatsError> {
        let (times, interpolation) = self.key_times(sampler, report)?;
        let numbers = self.numbers.read(sampler.output, VECTORS)?;
        let mut values: Vec<Vec3> = numbers.as_chunks().0.iter().map(|n| Vec3::from_array(*n)).collect();
        let rest = self.nodes.locals.get(node).map_or(Vec3::ZERO, |local| local.translation.as_vec3());
        let is_plausible = |p: &Vec3| p.is_finite() && p.abs().max_element() < MAX_COORDINATE;
        replace_invalid(&mut values, interpolation, (rest, Vec3::ZERO), is_plausible, report);
        curve(times, values, interpolation, sampler)
    }

    fn rotation(
        &mut self,
        sampler: &Sampler,
        node: usize,
        report: &mut Report,
    ) -> Result<Curve<Quat>, FormatsError> {
        let (times, interpolation) = self.key_times(sampler, report)?;
        let numbers = self.numbers.read(sampler.output, ROTATIONS)?;
        let mut values: Vec<Quat> = numbers.as_chunks().0.iter().map(|n| Quat::from_array(*n)).collect();
        let rest = self.nodes.locals.get(node).map_or(Quat::IDENTITY, |local| local.rotation.as_quat());
        let tangent = Quat::from_xyzw(0.0, 0.0, 0.0, 0.0);
        replace_invalid(&mut values, interpolation, (rest, tangent), |q| is_rotation(*q), report);
        let keys = values.iter_mut().skip(interpolation.values_per_key() / 2);
        for key in keys.step_by(interpolation.values_per_key()) {
            // Unit quaternions within rounding error are kept bit for bit.
            if (key.length_squared() - 1.0).abs() > 1e-6 {
                *key = key.normalize();
            }
        }
        curve(times, values, interpolation, sampler)
    }

    /// Reports animated scale, which a skeleton cannot have.
    fn scale(&mut self, sampler: &Sampler, node: usize, report: &mut Report) -> Result<(), FormatsError> {
        let numbers = self.numbers.read(sampler.output, VECTORS)?;
        let (_, interpolation) = self.key_times(sampler, report)?;
        let Some(rest) = self.nodes.locals.get(node).map(|local| local.scale) else { return Ok(()) };
        let keys = numbers.as_chunks().0.iter().skip(interpolation.values_per_key() / 2);
        let keys = keys.step_by(interpolation.values_per_key()).map(|n| Vec3::from_array(*n).as_dvec3());
        let is_rest = |scale: DVec3| {
            is_plain_scale(scale / rest) && is_plain_scale(DVec3::new(1.0, (scale / rest).x, 1.0))
        };
        let changed: Vec<DVec3> = keys.filter(|scale| !is_rest(*scale)).collect();
        if let Some(first) = changed.first() {
            let message = format!(
                "node {node} is scaled by {first} in motion and by {rest} at rest; the latter was used"
            );
            report.warn_many(&codes::SCALE, Place::default(), changed.len(), message);
        }
        Ok(())
    }

    /// The key times of a sampler, and its interpolation.
    fn key_times(
        &mut self,
        sampler: &Sampler,
        report: &mut Report,
    ) -> Result<(Rc<[f64]>, Interpolation), FormatsError> {
        let Some(interpolation) = Interpolation::of(sampler.interpolation.as_deref()) else {
            let name = sampler.interpolation.as_deref().unwrap_or_default();
            return refuse(&codes::KEY_TIMES, format!("the interpolation {name:?} is unknown"));
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
            let message = format!("accessor {}: times are missing or do not increase", sampler.input);
            return refuse(&codes::KEY_TIMES, message);
        }
        let repeated = times.windows(2).filter(|pair| matches!(pair, [a, b] if a == b)).count();
        report.warn_many(&codes::REPEATED_KEY, Place::default(), repeated, "two keys have the same time");
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
    if values.len() != times.len() * interpolation.values_per_key() {
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

/// Replaces invalid keys by the previous key, or by the rest value at the start. Replaces tangents that are not finite by zero.
fn replace_invalid<V: Copy + Into<Finite>>(
    values: &mut [V],
    interpolation: Interpolation,
    (rest, tangent): (V, V),
    is_valid: impl Fn(&V) -> bool,
    report: &mut Report,
) {
    let each = interpolation.values_per_key();
    let mut past = rest;
    for (index, value) in values.iter_mut().enumerate() {
        let is_key = index % each == each / 2;
        if is_key && is_valid(value) {
            past = *value;
        } else if is_key || !Into::<Finite>::into(*value).0 {
            *value = if is_key { past } else { tangent };
            let message = format!("key {} is invalid", index / each);
            report.warn(&codes::HELD_VALUE, Place::default(), message);
        }
    }
}

/// Whether all components of a value are finite and plausible.
struct Finite(bool);

impl From<Vec3> for Finite {
    fn from(value: Vec3) -> Self {
        Self(value.is_finite() && value.abs().max_element() < MAX_COORDINATE)
    }
}

impl From<Quat> for Finite {
    fn from(value: Quat) -> Self {
        Self(value.is_finite() && value.length_squared() < MAX_COORDINATE)
    }
}

fn refuse<T>(code: &'static Code, message: impl Into<String>) -> Result<T, FormatsError> {
    Err(FormatsError::refused(code, Place::default(), message))
}
