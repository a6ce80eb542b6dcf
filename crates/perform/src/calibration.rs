//! A performer's size and floor, from a few frames; so that users of any size play in the same world (section 9.1).

use std::sync::Arc;

use glam::Vec3;
use marey_motion::{LocalPose, Skeleton, WorldPose};
use marey_ops::OutOfRange;

use crate::body::Body;
use crate::engage::Effector;
use crate::{Error, Result};

/// How a performer is brought into a world.
#[derive(Debug, Clone)]
pub struct Calibration {
    skeleton: Arc<Skeleton>,
    height_m: f32,
    floor_m: f32,
    yaw_rad: f32,
}

impl Calibration {
    /// From frames in which the performer stands: how tall, where the floor is, and which way is ahead.
    ///
    /// ```
    /// use marey_motion::LocalPose;
    /// use marey_perform::Calibration;
    /// let skeleton = marey_examples::Body { height_m: 1.5, ..Default::default() }.skeleton()?;
    /// let standing = LocalPose::rest(&skeleton);
    /// let calibration = Calibration::of(skeleton, [&standing])?;
    /// assert!((calibration.height_m() - 1.5).abs() < 1e-3 && calibration.floor_m().abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<'a>(skeleton: Arc<Skeleton>, frames: impl IntoIterator<Item = &'a LocalPose>) -> Result<Self> {
        let body = Body::new(skeleton.clone())?;
        OutOfRange::check("height_m", body.height_m(), 0.3..=5.0)?;
        let mut world = WorldPose::scratch(&skeleton);
        let (mut floors, mut ways) = (Vec::new(), Vec3::ZERO);
        for pose in frames {
            let fits =
                pose.rotations.len() == skeleton.len() && pose.positions.len() == skeleton.movers().len();
            if !fits {
                continue;
            }
            world.set(pose.view());
            let feet = [Effector::LeftFoot, Effector::RightFoot].map(|foot| body.end(&world, foot).y);
            let low = feet[0].min(feet[1]);
            if let Some(yaw_rad) = body.yaw_rad(&world).filter(|_| low.is_finite()) {
                floors.push(low);
                ways += Vec3::new(yaw_rad.sin(), 0.0, yaw_rad.cos());
            }
        }
        floors.sort_by(f32::total_cmp);
        let Some(floor_m) = floors.get(floors.len() / 2).copied() else {
            return Err(Error::Calibration { problem: "no frame shows the whole performer".into() });
        };
        Ok(Self { skeleton, height_m: body.height_m(), floor_m, yaw_rad: ways.x.atan2(ways.z) })
    }

    /// The performer's skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// How tall the performer is, in metres.
    pub fn height_m(&self) -> f32 {
        self.height_m
    }

    /// Where the real floor is, in metres.
    pub fn floor_m(&self) -> f32 {
        self.floor_m
    }

    /// Which way is ahead: the turn about +Y, in radians.
    pub fn yaw_rad(&self) -> f32 {
        self.yaw_rad
    }
}
