//! The size, floor and heading of a performer, so that performers of any size can play in the same world (section 9.1).

use std::sync::Arc;

use glam::Vec3;
use marey_motion::{LocalPose, Role, Skeleton, WorldPose};
use marey_ops::OutOfRange;

use crate::character_body::CharacterBody;
use crate::engage::Effector;
use crate::recording::Recording;
use crate::{PerformError, Result};

/// The size, floor height and heading of a performer.
#[derive(Debug, Clone)]
pub struct Calibration {
    skeleton: Arc<Skeleton>,
    height_m: f32,
    floor_m: f32,
    yaw_rad: f32,
    /// The height of the head above the floor, as a fraction of the height.
    upright: f32,
}

impl Calibration {
    /// Measures a performer in frames in any pose. A session measures the floor again when the performer is more upright.
    ///
    /// ```
    /// use marey_motion::LocalPose;
    /// use marey_perform::Calibration;
    /// let skeleton = marey_body::BodyProportions { height_m: 1.5, ..Default::default() }.skeleton()?;
    /// let standing = LocalPose::rest(&skeleton);
    /// let calibration = Calibration::of(skeleton, [&standing])?;
    /// assert!((calibration.height_m() - 1.5).abs() < 1e-3 && calibration.floor_m().abs() < 1e-3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of<'a>(skeleton: Arc<Skeleton>, frames: impl IntoIterator<Item = &'a LocalPose>) -> Result<Self> {
        let body = CharacterBody::new(skeleton.clone())?;
        OutOfRange::check("height_m", body.height_m(), 0.3..=5.0)?;
        let mut world = WorldPose::scratch(&skeleton);
        let head = skeleton.require(Role::Head)?;
        let (mut floors, mut heads, mut headings) = (Vec::new(), Vec::new(), Vec3::ZERO);
        for pose in frames {
            let fits_skeleton =
                pose.rotations.len() == skeleton.len() && pose.positions.len() == skeleton.movers().len();
            if !fits_skeleton {
                continue;
            }
            world.set(pose.view());
            let feet = [Effector::LeftFoot, Effector::RightFoot].map(|foot| body.end(&world, foot).y);
            let lowest_m = feet[0].min(feet[1]);
            if let Some(yaw_rad) = body.yaw_rad(&world).filter(|_| lowest_m.is_finite()) {
                floors.push(lowest_m);
                heads.push(world.positions[head].y);
                headings += Vec3::new(yaw_rad.sin(), 0.0, yaw_rad.cos());
            }
        }
        floors.sort_by(f32::total_cmp);
        let Some(floor_m) = floors.get(floors.len() / 2).copied() else {
            return Err(PerformError::Calibration { problem: "no frame shows the whole performer".into() });
        };
        heads.sort_by(f32::total_cmp);
        let upright = (heads[heads.len() / 2] - floor_m) / body.height_m();
        Ok(Self {
            skeleton,
            height_m: body.height_m(),
            floor_m,
            yaw_rad: headings.x.atan2(headings.z),
            upright,
        })
    }

    /// Measures a performer in the most upright half second (at 60 Hz) of a whole motion.
    ///
    /// # Errors
    /// If no frame shows the whole performer.
    pub fn most_upright(skeleton: Arc<Skeleton>, frames: &[LocalPose]) -> Result<Self> {
        let windows = frames.chunks(Recording::OPENING);
        let measured = windows.map(|window| Self::of(skeleton.clone(), window));
        let best = measured.reduce(|best, next| match (&best, &next) {
            (Ok(one), Ok(other)) if other.upright > one.upright => next,
            (Err(_), Ok(_)) => next,
            _ => best,
        });
        best.unwrap_or_else(|| Self::of(skeleton, []))
    }

    /// The same performer on the floor of another calibration.
    pub fn on_floor_of(self, other: &Calibration) -> Self {
        Self { floor_m: other.floor_m, upright: other.upright, ..self }
    }

    /// How upright the performer was: the height of the head above the floor, as a fraction of the height.
    pub(crate) fn upright(&self) -> f32 {
        self.upright
    }

    /// The performer's skeleton.
    pub fn skeleton(&self) -> &Arc<Skeleton> {
        &self.skeleton
    }

    /// The performer's height, in metres.
    pub fn height_m(&self) -> f32 {
        self.height_m
    }

    /// The height of the performer's floor, in metres.
    pub fn floor_m(&self) -> f32 {
        self.floor_m
    }

    /// The performer's heading: rotation about +Y, in radians.
    pub fn yaw_rad(&self) -> f32 {
        self.yaw_rad
    }
}
