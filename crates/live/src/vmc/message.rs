//! The messages of the Virtual Motion Capture protocol (VMC) that carry motion.
//!
//! Unity's axes are left-handed, with Y up: the position p = (x, y, z) is (−x, y, z) here, and the quaternion q = (x, y, z, w) is
//! (x, −y, −z, w). Both are their own inverse. Values are converted here and nowhere else.

use std::fmt;

use marey_motion::{Quat, Vec3};

use super::{OscArgumentIter, OscBundle, OscError, OscMessage, OscValue};

/// The largest coordinate of a position, in metres.
const MAX_COORDINATE_M: f32 = 1000.0;
/// The squared length from which a quaternion can be normalised.
const MIN_LENGTH_SQUARED: f32 = 1e-8;

/// A position and a rotation, in Marey's axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VmcPose {
    /// Position, in metres.
    pub position: Vec3,
    /// Rotation, of unit length.
    pub rotation: Quat,
}

impl Default for VmcPose {
    fn default() -> Self {
        Self { position: Vec3::ZERO, rotation: Quat::IDENTITY }
    }
}

/// A kind of tracked device.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum VmcDevice {
    /// A headset: `Hmd`.
    Headset,
    /// A controller in a hand: `Con`.
    Controller,
    /// A tracker on the body: `Tra`.
    Tracker,
}

/// A message with a meaning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum VmcMessage<'a> {
    /// `/VMC/Ext/OK`: whether the sender shows a performer.
    Available(bool),
    /// `/VMC/Ext/T`: the time of the frame since any start, in seconds.
    Time(f32),
    /// `/VMC/Ext/Root/Pos`: where the performer's root is in the room.
    Root(VmcPose),
    /// `/VMC/Ext/Bone/Pos`: a bone relative to its parent bone.
    Bone {
        /// The name of the bone in Unity's `HumanBodyBones`.
        name: &'a str,
        /// Position and rotation relative to the parent bone.
        pose: VmcPose,
    },
    /// `/VMC/Ext/Hmd/Pos`, `/VMC/Ext/Con/Pos`, `/VMC/Ext/Tra/Pos`, also with `/Local` at the end: a tracked device in the room.
    Device {
        /// The kind of device.
        kind: VmcDevice,
        /// Its serial number, unique for each device.
        serial: &'a str,
        /// Whether the pose is measured in the room (`/Local`), instead of being fitted to the size of an avatar.
        is_local: bool,
        /// Where it is.
        pose: VmcPose,
    },
}

/// Why a message of a known address has no meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VmcError {
    /// The packet or message cannot be read.
    Osc(OscError),
    /// An argument is missing or has the wrong type. Arguments count from 1.
    Argument {
        /// The argument.
        number: usize,
        /// What is expected there.
        wanted: &'static str,
    },
    /// A number is not finite.
    NotFinite,
    /// A position is farther away than a kilometre.
    TooFar,
    /// A rotation has no length.
    NoRotation,
}

impl fmt::Display for VmcError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            VmcError::Osc(error) => error.fmt(f),
            VmcError::Argument { number, wanted } => write!(f, "argument {number} is not {wanted}"),
            VmcError::NotFinite => write!(f, "a number is not finite"),
            VmcError::TooFar => write!(f, "a position is farther away than {MAX_COORDINATE_M} m"),
            VmcError::NoRotation => write!(f, "a rotation is zero"),
        }
    }
}

impl std::error::Error for VmcError {}

impl From<OscError> for VmcError {
    fn from(error: OscError) -> Self {
        VmcError::Osc(error)
    }
}

impl<'a> VmcMessage<'a> {
    /// The meaning of a message; `None` if its address is not one of those above. Surplus arguments are ignored.
    ///
    /// # Errors
    /// If an argument is missing, has the wrong type or is not finite.
    pub fn read(message: &OscMessage<'a>) -> Result<Option<Self>, VmcError> {
        let Some(address) = message.address.strip_prefix("/VMC/Ext/") else { return Ok(None) };
        let mut arguments = Arguments { rest: message.arguments(), number: 0 };
        let device = |address: &str| {
            let (kind, is_local) = match address.strip_suffix("/Local") {
                Some(kind) => (kind, true),
                None => (address, false),
            };
            let kind = match kind {
                "Hmd/Pos" => VmcDevice::Headset,
                "Con/Pos" => VmcDevice::Controller,
                "Tra/Pos" => VmcDevice::Tracker,
                _ => return None,
            };
            Some((kind, is_local))
        };
        Ok(Some(match address {
            "OK" => VmcMessage::Available(arguments.number()? != 0.0),
            "T" => VmcMessage::Time(arguments.number()?),
            "Root/Pos" => {
                arguments.text()?;
                VmcMessage::Root(arguments.pose()?)
            }
            "Bone/Pos" => VmcMessage::Bone { name: arguments.text()?, pose: arguments.pose()? },
            other => match device(other) {
                Some((kind, is_local)) => {
                    VmcMessage::Device { kind, serial: arguments.text()?, is_local, pose: arguments.pose()? }
                }
                None => return Ok(None),
            },
        }))
    }

    /// Adds the message to a bundle; false if it is full.
    #[must_use]
    pub fn add_to(&self, bundle: &mut OscBundle) -> bool {
        let mut add = |address: &str, name: &str, pose: &VmcPose| {
            let [x, y, z] = mirrored(pose.position).to_array().map(OscValue::Float);
            let [a, b, c, d] = mirrored_rotation(pose.rotation).to_array().map(OscValue::Float);
            bundle.add(address, &[OscValue::Text(name), x, y, z, a, b, c, d])
        };
        match self {
            VmcMessage::Available(is_loaded) => {
                bundle.add("/VMC/Ext/OK", &[OscValue::Int(i32::from(*is_loaded))])
            }
            VmcMessage::Time(secs) => bundle.add("/VMC/Ext/T", &[OscValue::Float(*secs)]),
            VmcMessage::Root(pose) => add("/VMC/Ext/Root/Pos", "root", pose),
            VmcMessage::Bone { name, pose } => add("/VMC/Ext/Bone/Pos", name, pose),
            VmcMessage::Device { kind, serial, is_local, pose } => {
                let address = match (kind, is_local) {
                    (VmcDevice::Headset, false) => "/VMC/Ext/Hmd/Pos",
                    (VmcDevice::Headset, true) => "/VMC/Ext/Hmd/Pos/Local",
                    (VmcDevice::Controller, false) => "/VMC/Ext/Con/Pos",
                    (VmcDevice::Controller, true) => "/VMC/Ext/Con/Pos/Local",
                    (VmcDevice::Tracker, false) => "/VMC/Ext/Tra/Pos",
                    (VmcDevice::Tracker, true) => "/VMC/Ext/Tra/Pos/Local",
                };
                add(address, serial, pose)
            }
        }
    }
}

/// The arguments of a message, one after the other.
struct Arguments<'a> {
    rest: OscArgumentIter<'a>,
    /// The number of arguments that were read.
    number: usize,
}

impl<'a> Arguments<'a> {
    fn next(&mut self, wanted: &'static str) -> Result<OscValue<'a>, VmcError> {
        self.number += 1;
        Ok(self.rest.next().ok_or(VmcError::Argument { number: self.number, wanted })??)
    }

    fn text(&mut self) -> Result<&'a str, VmcError> {
        match self.next("a text")? {
            OscValue::Text(text) => Ok(text),
            _ => Err(VmcError::Argument { number: self.number, wanted: "a text" }),
        }
    }

    /// A number. Scripts often send whole numbers as such.
    fn number(&mut self) -> Result<f32, VmcError> {
        match self.next("a number")? {
            OscValue::Float(value) if value.is_finite() => Ok(value),
            OscValue::Float(_) => Err(VmcError::NotFinite),
            OscValue::Int(value) => Ok(value as f32),
            _ => Err(VmcError::Argument { number: self.number, wanted: "a number" }),
        }
    }

    fn pose(&mut self) -> Result<VmcPose, VmcError> {
        let mut numbers = [0.0; 7];
        for number in &mut numbers {
            *number = self.number()?;
        }
        let [x, y, z, a, b, c, d] = numbers;
        let rotation = mirrored_rotation(Quat::from_xyzw(a, b, c, d));
        let length_squared = rotation.length_squared();
        if !(length_squared > MIN_LENGTH_SQUARED && length_squared.is_finite()) {
            return Err(VmcError::NoRotation);
        }
        let position = mirrored(Vec3::new(x, y, z));
        if position.abs().max_element() > MAX_COORDINATE_M {
            return Err(VmcError::TooFar);
        }
        Ok(VmcPose { position, rotation: rotation.normalize() })
    }
}

/// A position in Unity's axes in Marey's, and the other way round.
fn mirrored(position: Vec3) -> Vec3 {
    Vec3::new(-position.x, position.y, position.z)
}

/// A rotation in Unity's axes in Marey's, and the other way round.
fn mirrored_rotation(rotation: Quat) -> Quat {
    Quat::from_xyzw(rotation.x, -rotation.y, -rotation.z, rotation.w)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vmc::OscPacket;

    fn read(address: &str, values: &[OscValue<'_>]) -> Result<Option<String>, VmcError> {
        let mut bundle = OscBundle::default();
        assert!(bundle.add(address, values));
        let message = OscPacket::new(bundle.bytes()).next().unwrap().unwrap();
        VmcMessage::read(&message).map(|message| message.map(|message| format!("{message:?}")))
    }

    fn bone<'a>(name: &'a str, numbers: [f32; 7]) -> Vec<OscValue<'a>> {
        let mut values = vec![OscValue::Text(name)];
        values.extend(numbers.map(OscValue::Float));
        values
    }

    #[test]
    fn every_message_reads_back() {
        let rotation = Quat::from_rotation_x(0.3) * Quat::from_rotation_z(0.7);
        let pose = VmcPose { position: Vec3::new(0.1, 0.9, -2.0), rotation };
        let mut messages = vec![
            VmcMessage::Available(true),
            VmcMessage::Available(false),
            VmcMessage::Time(12.5),
            VmcMessage::Root(pose),
            VmcMessage::Bone { name: "LeftUpperArm", pose },
        ];
        for kind in [VmcDevice::Headset, VmcDevice::Controller, VmcDevice::Tracker] {
            for is_local in [false, true] {
                messages.push(VmcMessage::Device { kind, serial: "LHR-1", is_local, pose });
            }
        }
        let mut bundle = OscBundle::default();
        messages.iter().for_each(|message| assert!(message.add_to(&mut bundle)));
        for (message, sent) in OscPacket::new(bundle.bytes()).zip(&messages) {
            let found = VmcMessage::read(&message.unwrap()).unwrap().unwrap();
            let VmcMessage::Bone { name, pose: found } = found else {
                assert_eq!(std::mem::discriminant(&found), std::mem::discriminant(sent));
                continue;
            };
            assert_eq!((name, found.position), ("LeftUpperArm", pose.position));
            assert!(found.rotation.angle_between(rotation) < 1e-3);
        }
    }

    #[test]
    fn unitys_axes_are_mirrored() {
        // In Unity, the left arm of a person who faces +Z points to −X. Lowering it by 90 degrees turns about +Z by 90 degrees.
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let mut bundle = OscBundle::default();
        assert!(
            bundle.add("/VMC/Ext/Bone/Pos", &bone("LeftUpperArm", [-0.1, 0.2, 0.3, 0.0, 0.0, half, half]))
        );
        let message = OscPacket::new(bundle.bytes()).next().unwrap().unwrap();
        let Ok(Some(VmcMessage::Bone { pose, .. })) = VmcMessage::read(&message) else { panic!("no bone") };
        assert_eq!(pose.position, Vec3::new(0.1, 0.2, 0.3));
        assert!((pose.rotation * Vec3::X).distance(Vec3::NEG_Y) < 1e-6);
    }

    #[test]
    fn surplus_arguments_and_unknown_addresses_are_ignored_and_short_or_wrong_messages_are_errors() {
        let pose = [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0];
        let whole = bone("Hips", pose);
        let scaled = [&bone("root", pose)[..], &[OscValue::Float(1.0), OscValue::Text("?")]].concat();
        let plain = read("/VMC/Ext/Root/Pos", &bone("root", pose)).unwrap();
        assert_eq!(read("/VMC/Ext/Root/Pos", &scaled).unwrap(), plain);
        // A rotation of length 2 becomes one of length 1.
        assert!(plain.unwrap().contains("1.0)"));
        for address in ["/VMC/Ext/Blend/Val", "/VMC/Ext/Cam", "/VMC/Ext/Hmd", "/VMC/Ext/Hmd/Pos/Far", "/x"] {
            assert_eq!(read(address, &[]), Ok(None), "{address}");
        }
        let missing = |number| Err(VmcError::Argument { number, wanted: "a number" });
        assert_eq!(read("/VMC/Ext/Bone/Pos", &whole[..7]), missing(8));
        assert_eq!(read("/VMC/Ext/T", &[OscValue::Text("now")]), missing(1));
        assert_eq!(read("/VMC/Ext/OK", &[OscValue::Other]), missing(1));
        let unnamed = VmcError::Argument { number: 1, wanted: "a text" };
        assert_eq!(read("/VMC/Ext/Bone/Pos", &whole[1..]), Err(unnamed));
        for (number, error) in [
            (f32::NAN, VmcError::NotFinite),
            (f32::INFINITY, VmcError::NotFinite),
            (0.0, VmcError::NoRotation),
            (1e38, VmcError::NoRotation),
        ] {
            let values = bone("Hips", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, number]);
            assert_eq!(read("/VMC/Ext/Bone/Pos", &values), Err(error));
        }
        let far = bone("Hips", [0.0, -1e30, 0.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(read("/VMC/Ext/Bone/Pos", &far), Err(VmcError::TooFar));
    }
}
