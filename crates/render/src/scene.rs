//! A take prepared for drawing: its frames, figures, floor and extent.

use glam::{Vec2, Vec3};
use marey_motion::{Clip, Role, Take, Terrain, WorldPose};

use crate::camera::{Camera, CameraAxes, Viewport};
use crate::figure::Figure;
use crate::floor::Floor;
use crate::solid::Solid;
use crate::{Prop, RenderError, Result, SceneOptions};

/// Largest distance of a joint from the origin, in metres.
const FARTHEST_M: f32 = 1e6;
/// Half the averaging window of a following camera, in seconds.
const FOLLOW_SECS: f64 = 0.3;
/// Margin around a motion, as a fraction of the picture.
const MARGIN: f32 = 0.05;

/// The drawn frames of a take, with their figures, floor and extent.
#[derive(Debug)]
pub(crate) struct Scene {
    actors: Vec<SceneActor>,
    /// The first drawn frame, counted in the whole take.
    pub(crate) first_frame: usize,
    pub(crate) floor: Floor,
    /// Uneven ground in place of the floor.
    pub(crate) terrain: Option<Terrain>,
    props: Vec<Prop>,
    axes: CameraAxes,
    follow: bool,
}

/// One actor.
#[derive(Debug)]
struct SceneActor {
    clip: Clip,
    figure: Figure,
    /// Position of the hips in each frame.
    track: Vec<Vec3>,
}

impl Scene {
    /// Measures a take. An error if the range of frames is invalid, or if a joint is too far away.
    pub(crate) fn of(take: &Take, options: &SceneOptions) -> Result<Scene> {
        let frames = options.frames.clone().unwrap_or(0..take.frames());
        let first_frame = frames.start;
        let mut floor = Floor { height_m: options.floor_m, low: Vec2::INFINITY, high: Vec2::NEG_INFINITY };
        let mut actors = Vec::new();
        for (number, actor) in take.actors().iter().enumerate() {
            let clip = actor.clip.slice(frames.clone())?;
            let hips = clip.skeleton().joint_of(Role::Hips).unwrap_or(0);
            let mut track = Vec::with_capacity(clip.frames());
            let mut pose = WorldPose::scratch(clip.skeleton());
            for (frame, local) in clip.poses().enumerate() {
                pose.set(local);
                check_near(&pose, &actor.name, first_frame + frame)?;
                floor.reach(pose.positions.iter().copied().chain(pose.tips()));
                track.push(pose.positions[hips]);
            }
            // The body is measured on the whole motion, so that it does not depend on the range of frames.
            actors.push(SceneActor { figure: Figure::of(&actor.clip, number), clip, track });
        }
        // Uneven ground runs along +Z, regardless of the figure's heading.
        let figure = actors.first().filter(|_| options.terrain.is_none());
        let heading = figure.map_or(Vec3::Z, |actor| {
            actor.figure.heading(&WorldPose::of(actor.clip.skeleton(), actor.clip.pose(0)))
        });
        let (axes, terrain) = (CameraAxes::of(options.view, heading), options.terrain.clone());
        Ok(Scene {
            actors,
            first_frame,
            floor,
            terrain,
            props: options.props.clone(),
            axes,
            follow: options.follow,
        })
    }

    pub(crate) fn frames(&self) -> usize {
        self.clip().frames()
    }

    pub(crate) fn rate_hz(&self) -> f64 {
        self.clip().rate_hz()
    }

    pub(crate) fn duration_secs(&self) -> f64 {
        self.clip().duration_secs()
    }

    /// The clip of the first actor. All actors have the same rate and number of frames.
    fn clip(&self) -> &Clip {
        &self.actors[0].clip
    }

    pub(crate) fn actors(&self) -> usize {
        self.actors.len()
    }

    /// Whether any figure is a person.
    pub(crate) fn has_people(&self) -> bool {
        self.actors.iter().any(|actor| matches!(actor.figure, Figure::Human(_)))
    }

    /// The number of joints of each figure.
    pub(crate) fn joints(&self) -> impl Iterator<Item = usize> + '_ {
        self.actors.iter().map(|actor| actor.clip.skeleton().len())
    }

    /// The bodies of all actors at a time, counted from the first drawn frame.
    pub(crate) fn solids_at(&self, time_secs: f64) -> Vec<Solid> {
        let mut solids = Vec::new();
        for actor in &self.actors {
            let local = actor.clip.sample(time_secs);
            let pose = WorldPose::of(actor.clip.skeleton(), local.view());
            actor.figure.build(&pose, &mut solids);
        }
        solids
    }

    /// Whether figures stand on the plain floor, without terrain and objects.
    pub(crate) fn is_plain(&self) -> bool {
        self.terrain.is_none() && self.props.is_empty()
    }

    /// Adds the objects around the figures at a time.
    pub(crate) fn add_props(&self, time_secs: f64, solids: &mut Vec<Solid>) {
        let frame = self.first_frame + self.frame_at(time_secs);
        self.props.iter().for_each(|prop| prop.build(frame, solids));
    }

    /// The path of each actor up to a time.
    pub(crate) fn trails_until(&self, time_secs: f64) -> impl Iterator<Item = &[Vec3]> {
        let until = self.frame_at(time_secs);
        self.actors.iter().map(move |actor| &actor.track[..=until])
    }

    /// The last frame at or before a time.
    fn frame_at(&self, time_secs: f64) -> usize {
        ((time_secs * self.rate_hz() + 1e-6) as usize).min(self.frames() - 1)
    }

    /// The position on the floor that a following camera looks at.
    fn followed_position(&self, time_secs: f64) -> Vec3 {
        let from = self.frame_at(time_secs - FOLLOW_SECS);
        let to = self.frame_at(time_secs + FOLLOW_SECS);
        let sum: Vec3 = self.actors.iter().flat_map(|actor| &actor.track[from..=to]).sum();
        self.floor.under(sum / (self.actors.len() * (to + 1 - from)) as f32)
    }

    /// The position that the camera follows at a time.
    fn camera_target(&self, time_secs: f64) -> Vec3 {
        if self.follow {
            self.followed_position(time_secs)
        } else {
            let middle = 0.5 * (self.floor.low + self.floor.high);
            Vec3::new(middle.x, self.floor.height_m, middle.y)
        }
    }

    /// A camera for each time, all at the smallest common distance from which everything at these times is visible.
    pub(crate) fn cameras(&self, times_secs: &[f64], viewport: Viewport) -> Vec<Camera> {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let mut balls = Vec::new();
        for &time in times_secs {
            let target = self.camera_target(time);
            for ball in self.solids_at(time).iter().flat_map(|solid| &solid.balls) {
                let offset = self.axes.rotate(ball.at - target);
                low = low.min(offset - ball.radius_m);
                high = high.max(offset + ball.radius_m);
                balls.push((offset, ball.radius_m));
            }
        }
        let middle = (0.5 * (low + high)).with_z(0.0);
        let distances = balls.iter().map(|&(at, radius)| viewport.distance_to_see(at - middle, radius));
        let distance_m = distances.fold(1e-3, f32::max) / (1.0 - 2.0 * MARGIN);
        let shift = self.axes.right * middle.x + self.axes.up * middle.y;
        let camera =
            |&time: &f64| Camera::new(self.axes, self.camera_target(time) + shift, distance_m, viewport);
        times_secs.iter().map(camera).collect()
    }
}

/// An error if a joint or tip is not finite, or too far away.
fn check_near(pose: &WorldPose, actor: &str, frame: usize) -> Result<()> {
    let tips = pose.skeleton().tips().iter().map(|tip| tip.parent).zip(pose.tips());
    let mut points = pose.positions.iter().copied().enumerate().chain(tips);
    // Rejects NaN too.
    match points.find(|(_, p)| !(p.abs().max_element() <= FARTHEST_M && p.is_finite())) {
        None => Ok(()),
        Some((joint, _)) => Err(RenderError::TooFar {
            actor: actor.to_owned(),
            joint: pose.skeleton().joints()[joint].name.clone(),
            frame,
            limit_m: FARTHEST_M,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{View, person};

    const VIEWPORT: Viewport = Viewport { width_px: 300.0, height_px: 200.0 };

    #[test]
    fn every_pose_is_fully_visible_and_all_have_one_scale() {
        let take = Take::solo("walk", person::walking(90, 30.0));
        for view in View::ALL {
            for follow in [false, true] {
                let scene =
                    Scene::of(&take, &SceneOptions { view, follow, ..SceneOptions::default() }).unwrap();
                let times = [0.0, 1.0, 2.0, 2.9];
                let cameras = scene.cameras(&times, VIEWPORT);
                for (camera, &time) in cameras.iter().zip(&times) {
                    assert_eq!(camera.distance_m, cameras[0].distance_m);
                    for ball in scene.solids_at(time).iter().flat_map(|solid| &solid.balls) {
                        let spot = camera.project(ball.at).unwrap();
                        let margin = Vec2::splat(ball.radius_m * spot.px_per_m);
                        assert!((spot.at - margin).cmpge(Vec2::ZERO).all(), "{view}");
                        assert!((spot.at + margin).cmple(Vec2::new(300.0, 200.0)).all(), "{view}");
                    }
                }
                let moved = cameras[0].target.distance(cameras[3].target);
                assert!(if follow { moved > 2.0 } else { moved == 0.0 });
            }
        }
    }

    #[test]
    fn a_trail_ends_at_the_figure() {
        let take = Take::solo("walk", person::walking(90, 30.0));
        let options = SceneOptions { frames: Some(30..90), ..SceneOptions::default() };
        let scene = Scene::of(&take, &options).unwrap();
        let trail = scene.trails_until(0.5).next().unwrap();
        assert_eq!(trail.len(), 16);
        assert!((trail[15].z - 1.2 * 1.5).abs() < 1e-4);
    }
}
