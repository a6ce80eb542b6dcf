//! Distance of a motion from a reference, per joint and frame.

use marey_motion::{Clip, Ground, Role, Vec3};
use marey_ops::align::align;
use serde::Serialize;

use crate::{MeasureError, Result, Worst};

/// Distance of a motion from a reference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Likeness {
    /// Mean distance of joints with the same roles over roles and frames, in centimetres.
    pub mean_cm: f64,
    /// The largest, in centimetres.
    pub largest_cm: f64,
    /// Its role and frame.
    pub worst: Option<Worst>,
    /// Number of roles that were compared.
    pub roles: usize,
}

/// Whether motions are aligned before they are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    /// Compared in world coordinates.
    AsTheyAre,
    /// Aligned by the best horizontal translation and rotation of the whole motion.
    Aligned,
}

/// Compares a clip with a reference of the same rate and length, on bodies that share roles.
///
/// ```
/// use std::sync::Arc;
/// use marey_measure::likeness::{Alignment, likeness};
/// use marey_motion::{Clip, ClipParts, Joint, Quat, Role, Skeleton, Vec3};
/// let joints = vec![
///     Joint::new("hips", None, Vec3::ZERO).with_role(Role::Hips),
///     Joint::new("head", Some(0), Vec3::Y).with_role(Role::Head),
/// ];
/// let skeleton = Arc::new(Skeleton::new(joints, vec![])?);
/// let at = |x: f32| {
///     let positions = (0..3).map(|f| Vec3::new(x, 0.0, f as f32)).collect();
///     Clip::new(skeleton.clone(), 30.0, ClipParts { rotations: vec![Quat::IDENTITY; 6], positions })
/// };
/// // The same walk, 50 cm beside.
/// assert!((likeness(&at(0.5)?, &at(0.0)?, Alignment::AsTheyAre)?.mean_cm - 50.0).abs() < 1e-4);
/// assert!(likeness(&at(0.5)?, &at(0.0)?, Alignment::Aligned)?.mean_cm < 1e-4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn likeness(clip: &Clip, reference: &Clip, put: Alignment) -> Result<Likeness> {
    check(clip, reference)?;
    let roles: Vec<Role> = clip
        .skeleton()
        .roles()
        .map(|(role, _)| role)
        .filter(|role| reference.skeleton().joint_of(*role).is_some())
        .collect();
    if roles.is_empty() {
        return Err(MeasureError::NotComparable("no role is in both bodies".into()));
    }
    let (points, wanted) = (clip.points(&roles)?, reference.points(&roles)?);
    let there_from_here = match put {
        Alignment::AsTheyAre => Ground::IDENTITY,
        Alignment::Aligned => align(wanted.flat(), points.flat(), &vec![1.0; points.flat().len()])?.x_from_a,
    };
    let off = |a: &Vec3, b: &Vec3| f64::from(there_from_here.point(*a).distance(*b));
    let mut sum = 0.0;
    let mut worst = (0.0, 0);
    for (index, (a, b)) in points.flat().iter().zip(wanted.flat()).enumerate() {
        let off = off(a, b);
        sum += off;
        if off > worst.0 {
            worst = (off, index);
        }
    }
    let named = |index: usize| {
        let role = roles.get(index % roles.len())?;
        Some(Worst { what: role.name().to_owned(), frame: index / roles.len() })
    };
    Ok(Likeness {
        mean_cm: 100.0 * sum / points.flat().len() as f64,
        largest_cm: 100.0 * worst.0,
        worst: (worst.0 > 0.0).then(|| named(worst.1)).flatten(),
        roles: roles.len(),
    })
}

/// Rejects motions of different rates or lengths.
pub(crate) fn check(clip: &Clip, reference: &Clip) -> Result<()> {
    if clip.frames() != reference.frames() || (clip.rate_hz() - reference.rate_hz()).abs() > 1e-6 {
        return Err(MeasureError::NotComparable(format!(
            "{} frames at {} Hz against {} at {} Hz",
            clip.frames(),
            clip.rate_hz(),
            reference.frames(),
            reference.rate_hz()
        )));
    }
    Ok(())
}
