//! Headset, controllers and trackers as the reduced set of markers of `perform`: waist, hands and feet.
//!
//! Devices do not say where they are worn. While the performer stands in view for the first half second, the controller on the left of
//! the headset becomes the left hand. One tracker is at the waist; two are at the feet; of three, the highest is at the waist. What is
//! not tracked follows the headset: the waist is below it, and the feet stand on the floor.

use std::collections::BTreeMap;
use std::sync::Arc;

use marey_body::BodyProportions;
use marey_motion::{Quat, Role, Side, Skeleton, Vec3};

use super::{VmcDevice, VmcPose};
use crate::{MarkerFrame, Result};

/// The largest number of devices that are followed.
const MAX_DEVICES: usize = 16;
/// The largest number of bytes of a serial number.
const MAX_SERIAL_BYTES: usize = 64;
/// The number of frames that show which device is where: half a second at 60 Hz.
const OPENING: usize = 30;
/// The middle of the eyes, where a headset is, in the frame of the head's joint, in metres.
const EYES_M: Vec3 = Vec3::new(0.0, 0.08, 0.09);
/// The least height of the waist above the floor, relative to that of a standing performer.
const LOWEST_WAIST: f32 = 0.3;

type DeviceId = (bool, VmcDevice, String);

/// Finds out which device is where, and makes frames of markers.
#[derive(Debug, Clone)]
pub(super) struct DeviceRoles {
    devices: BTreeMap<DeviceId, Device>,
    roles: BTreeMap<DeviceId, Role>,
    frames: usize,
    body: Arc<Skeleton>,
    /// The height of the head, in the highest frame so far.
    head_m: f32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Device {
    /// The pose, if it arrived since the last frame.
    pose: Option<VmcPose>,
    /// Sums over the first frames: how far left of the headset the device is, and how high.
    left_m: f32,
    height_m: f32,
}

impl DeviceRoles {
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            devices: BTreeMap::new(),
            roles: BTreeMap::new(),
            frames: 0,
            body: BodyProportions::default().skeleton()?,
            head_m: 0.0,
        })
    }

    /// Whether a device was set since the last frame.
    pub(super) fn has(&self, kind: VmcDevice, serial: &str, is_local: bool) -> bool {
        let id = (is_local, kind, serial.to_owned());
        self.devices.get(&id).is_some_and(|device| device.pose.is_some())
    }

    /// Sets the pose of a device. Devices that are measured in the room replace those that are fitted to an avatar.
    pub(super) fn set(&mut self, kind: VmcDevice, serial: &str, is_local: bool, pose: VmcPose) {
        let id = (is_local, kind, serial.to_owned());
        if self.devices.keys().any(|(other, ..)| *other && !is_local) || serial.len() > MAX_SERIAL_BYTES {
            return;
        }
        self.devices.retain(|(other, ..), _| *other == is_local);
        if !self.devices.contains_key(&id) {
            if self.devices.len() >= MAX_DEVICES {
                return;
            }
            // Another device may change which is where.
            self.roles.clear();
            self.frames = 0;
        }
        self.devices.entry(id).or_default().pose = Some(pose);
    }

    /// The frame of what was set since the last one; `None` without a headset, and until it is known which device is where.
    pub(super) fn take_frame(&mut self) -> Option<MarkerFrame> {
        let headset = self.devices.iter().find(|((_, kind, _), _)| *kind == VmcDevice::Headset)?;
        let head = headset.1.pose?;
        let facing = heading(head.rotation);
        let found = if self.roles.is_empty() {
            self.observe(head.position, facing);
            None
        } else {
            Some(self.frame(head, facing))
        };
        self.devices.values_mut().for_each(|device| device.pose = None);
        found
    }

    fn observe(&mut self, head: Vec3, facing: Quat) {
        for device in self.devices.values_mut() {
            let Some(pose) = device.pose else { continue };
            device.left_m += (facing * Vec3::X).dot(pose.position - head);
            device.height_m += pose.position.y;
        }
        self.frames += 1;
        if self.frames < OPENING {
            return;
        }
        let of_kind = |wanted: VmcDevice| {
            let devices = self.devices.iter().filter(move |((_, kind, _), _)| *kind == wanted);
            devices.map(|(id, device)| (id.clone(), *device)).collect::<Vec<_>>()
        };
        let (mut hands, mut trackers) = (of_kind(VmcDevice::Controller), of_kind(VmcDevice::Tracker));
        trackers.sort_by(|(_, a), (_, b)| b.height_m.total_cmp(&a.height_m));
        let waists = if trackers.len() == 2 { 0 } else { trackers.len().min(1) };
        let mut feet = trackers.split_off(waists);
        feet.truncate(2);
        self.roles.extend(of_kind(VmcDevice::Headset).into_iter().map(|(id, _)| (id, Role::Head)));
        self.roles.extend(trackers.into_iter().map(|(id, _)| (id, Role::Hips)));
        for (pair, role) in [(&mut hands, Role::LeftHand), (&mut feet, Role::LeftFoot)] {
            pair.sort_by(|(_, a), (_, b)| b.left_m.total_cmp(&a.left_m));
            let sides = match pair.as_slice() {
                [(_, only)] if only.left_m < 0.0 => [Side::Right, Side::Left],
                _ => Side::BOTH,
            };
            self.roles.extend(pair.drain(..).zip(sides).map(|((id, _), side)| (id, role.on(side))));
        }
    }

    fn frame(&mut self, headset: VmcPose, facing: Quat) -> MarkerFrame {
        let mut frame = MarkerFrame::default();
        let mut points: BTreeMap<Role, Vec3> = BTreeMap::new();
        for (id, role) in &self.roles {
            if let Some(pose) = self.devices.get(id).and_then(|device| device.pose) {
                points.insert(*role, pose.position);
            }
        }
        let head = headset.position - headset.rotation * EYES_M;
        points.insert(Role::Head, head);
        self.head_m = self.head_m.max(head.y);
        for (role, point) in self.below(head, facing) {
            // A device that is hidden for a while keeps its role.
            if !self.roles.values().any(|tracked| *tracked == role) {
                points.insert(role, point);
            }
        }
        frame.points = points.into_iter().map(|(role, at)| (role.name().to_owned(), at.to_array())).collect();
        frame.rotations.insert(Role::Head.name().to_owned(), headset.rotation.to_array());
        frame
    }

    /// Waist and feet of a performer who stands below a head.
    fn below(&self, head: Vec3, facing: Quat) -> [(Role, Vec3); 3] {
        let rest = self.body.rest_positions();
        let at = |role: Role| {
            self.body.joint_of(role).and_then(|joint| rest.get(joint)).copied().unwrap_or(Vec3::ZERO)
        };
        let scale = self.head_m / at(Role::Head).y.max(1e-3);
        let waist_m = scale * at(Role::Hips).y;
        let height_m = (head.y - self.head_m + waist_m).max(LOWEST_WAIST * waist_m);
        let foot = |role: Role| head.with_y(0.0) + facing * (scale * at(role)).with_z(0.0);
        [
            (Role::Hips, head.with_y(height_m)),
            (Role::LeftFoot, foot(Role::LeftFoot)),
            (Role::RightFoot, foot(Role::RightFoot)),
        ]
    }
}

/// The rotation about the vertical axis of a device that faces +Z at rest.
fn heading(rotation: Quat) -> Quat {
    let ahead = rotation * Vec3::Z;
    // A head that looks straight up or down shows its heading by its crown.
    let ahead = if ahead.y.abs() < 0.95 { ahead } else { rotation * Vec3::NEG_Y * ahead.y.signum() };
    Quat::from_rotation_y(ahead.x.atan2(ahead.z))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: Vec3 = Vec3::new(1.0, 1.55, 2.0);

    /// A performer who faces +X: the left is −Z. Serial numbers do not show the side.
    fn frame(devices: &mut DeviceRoles, trackers: usize) -> Option<MarkerFrame> {
        let facing = Quat::from_rotation_y(std::f32::consts::FRAC_PI_2);
        let pose = |position: Vec3| VmcPose { position, rotation: facing };
        devices.set(VmcDevice::Headset, "0", true, pose(HEAD + facing * EYES_M));
        devices.set(VmcDevice::Controller, "1", true, pose(Vec3::new(1.1, 0.8, 2.3)));
        devices.set(VmcDevice::Controller, "2", true, pose(Vec3::new(1.1, 0.8, 1.7)));
        let worn = [Vec3::new(1.0, 0.1, 1.9), Vec3::new(1.0, 0.1, 2.1), Vec3::new(1.0, 0.95, 2.0)];
        for (number, at) in worn.into_iter().take(trackers).enumerate() {
            devices.set(VmcDevice::Tracker, &format!("t{number}"), true, pose(at));
        }
        // What is fitted to an avatar is left out.
        devices.set(VmcDevice::Headset, "0", false, pose(Vec3::ZERO));
        devices.take_frame()
    }

    #[test]
    fn devices_become_waist_hands_and_feet_of_a_performer_in_view() {
        for trackers in [0, 2, 3] {
            let mut devices = DeviceRoles::new().unwrap();
            for _ in 0..OPENING {
                assert_eq!(frame(&mut devices, trackers), None);
            }
            let frame = frame(&mut devices, trackers).unwrap();
            let at = |role: Role| Vec3::from(frame.points[role.name()]);
            assert_eq!(frame.points.len(), 6);
            assert!(at(Role::Head).distance(HEAD) < 1e-5);
            assert_eq!((at(Role::LeftHand).z, at(Role::RightHand).z), (1.7, 2.3));
            assert!((at(Role::Hips).y - 0.95).abs() < 0.04, "{trackers}: {}", at(Role::Hips));
            assert!((at(Role::LeftFoot).z - 1.9).abs() < 0.05, "{trackers}: {}", at(Role::LeftFoot));
            assert!((at(Role::RightFoot).z - 2.1).abs() < 0.05 && at(Role::RightFoot).y < 0.12);
        }
    }

    #[test]
    fn a_lost_device_is_missing_and_a_flood_of_serial_numbers_is_bounded() {
        let mut devices = DeviceRoles::new().unwrap();
        (0..=OPENING).for_each(|_| drop(frame(&mut devices, 3)));
        let pose = VmcPose { position: HEAD, ..VmcPose::default() };
        devices.set(VmcDevice::Headset, "0", true, pose);
        let seen = devices.take_frame().unwrap();
        assert_eq!(seen.points.keys().collect::<Vec<_>>(), ["Head"]);
        for number in 0..1000 {
            devices.set(VmcDevice::Tracker, &format!("x{number}"), true, pose);
        }
        assert_eq!(devices.devices.len(), MAX_DEVICES);
        devices.set(VmcDevice::Tracker, &"x".repeat(100), true, pose);
        assert_eq!(devices.devices.len(), MAX_DEVICES);
    }
}
