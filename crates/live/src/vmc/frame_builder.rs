//! Builds frames of a performer from the messages of a VMC stream.
//!
//! A frame ends at its time (`T`), or at the next `Hips` if the sender states no times. Senders split frames into several packets and
//! leave out what does not move, and packets get lost: every bone keeps its last pose until a new one arrives.

use std::collections::BTreeMap;

use marey_motion::Role;

use super::bone_name::role_of_bone;
use super::device_roles::DeviceRoles;
use super::{OscPacket, VmcError, VmcMessage, VmcPose};
use crate::{MarkerFrame, MarkerRead, Result, RotationFrame, StreamHeader, StreamTime};

/// The largest number of bones that are not known by name. Further ones are dropped.
const MAX_UNKNOWN: usize = 16;
/// The largest number of bytes of a name.
const MAX_NAME_BYTES: usize = 64;
/// A position nearer to the parent than this is not given, in metres. Many senders leave positions zero.
const ZERO_M: f32 = 1e-4;
/// The time of the first frame, in seconds.
const FIRST_SECS: f64 = 1.0 / 60.0;
/// Times of the sender may differ by this much from those of arrival, in seconds. Otherwise its clock was set anew.
const MAX_DELAY_SECS: f64 = 0.25;
/// The shortest time between frames, in seconds.
const MIN_SECS: f64 = 1e-4;

/// Builds frames from packets.
///
/// ```
/// use marey_live::vmc::{OscBundle, VmcFrameBuilder, VmcMessage, VmcPose};
/// use marey_live::MarkerRead;
/// let mut bundle = OscBundle::default();
/// assert!(VmcMessage::Bone { name: "Hips", pose: VmcPose::default() }.add_to(&mut bundle));
/// assert!(VmcMessage::Time(0.0).add_to(&mut bundle));
/// let mut reads = Vec::new();
/// VmcFrameBuilder::new()?.receive(bundle.bytes(), 0.0, |read| reads.push(read));
/// assert!(matches!(&reads[..], [MarkerRead::Frame(frame)] if frame.rotations.len() == 1));
/// # Ok::<(), marey_live::LiveError>(())
/// ```
#[derive(Debug, Clone)]
pub struct VmcFrameBuilder {
    bones: BTreeMap<Role, VmcPose>,
    /// Bones that are not known by name.
    unknown: BTreeMap<String, VmcPose>,
    root: VmcPose,
    devices: DeviceRoles,
    clock: SenderClock,
    /// Whether a bone, and the hips, arrived since the last frame.
    has_bone: bool,
    has_hips: bool,
    is_available: bool,
}

impl VmcFrameBuilder {
    /// A builder before the first packet.
    ///
    /// # Errors
    /// If the default body cannot be built, which estimates what three trackers do not show.
    pub fn new() -> Result<Self> {
        Ok(Self {
            bones: BTreeMap::new(),
            unknown: BTreeMap::new(),
            root: VmcPose::default(),
            devices: DeviceRoles::new()?,
            clock: SenderClock::default(),
            has_bone: false,
            has_hips: false,
            is_available: true,
        })
    }

    /// What the numbers of frames mean.
    pub fn header() -> StreamHeader {
        StreamHeader {
            unit: Some("m".into()),
            up: Some("y".into()),
            time: Some(StreamTime::Intervals),
            rotations: RotationFrame::Parent,
            ..StreamHeader::default()
        }
    }

    /// Whether the sender says that it shows a performer.
    pub fn is_available(&self) -> bool {
        self.is_available
    }

    /// Reads a packet that arrived at a time in seconds since any start, and calls `emit` for every frame that it completes. What the
    /// packet holds besides is counted as [`MarkerRead::Dropped`].
    pub fn receive(&mut self, packet: &[u8], arrival_secs: f64, mut emit: impl FnMut(MarkerRead)) {
        let (mut dropped, mut first) = (0, None);
        for message in OscPacket::new(packet) {
            let message = message.map_err(VmcError::from).and_then(|message| VmcMessage::read(&message));
            match message {
                Ok(Some(message)) => {
                    if let Some(frame) = self.add(&message, arrival_secs) {
                        emit(MarkerRead::Frame(frame));
                    }
                }
                Ok(None) => {}
                Err(error) => {
                    dropped += 1;
                    first.get_or_insert(error);
                }
            }
        }
        if let Some(error) = first {
            emit(MarkerRead::Dropped { count: dropped, problem: error.to_string() });
        }
    }

    /// Adds a message; returns the frame that it ends.
    fn add(&mut self, message: &VmcMessage<'_>, arrival_secs: f64) -> Option<MarkerFrame> {
        match *message {
            VmcMessage::Available(is_available) => self.is_available = is_available,
            VmcMessage::Root(pose) => self.root = pose,
            VmcMessage::Time(secs) => {
                return self.clock.is_new(secs).then(|| self.end(Some(secs), arrival_secs)).flatten();
            }
            VmcMessage::Bone { name, pose } => return self.add_bone(name, pose, arrival_secs),
            VmcMessage::Device { kind, serial, is_local, pose } if self.bones.is_empty() => {
                let ended = self.devices.has(kind, serial, is_local).then(|| self.end(None, arrival_secs));
                self.devices.set(kind, serial, is_local, pose);
                return ended.flatten();
            }
            // A sender that shows bones has already solved where devices are.
            VmcMessage::Device { .. } => {}
        }
        None
    }

    fn add_bone(&mut self, name: &str, pose: VmcPose, arrival_secs: f64) -> Option<MarkerFrame> {
        let role = role_of_bone(name);
        let is_next = role == Some(Role::Hips) && self.has_hips;
        let ended = is_next.then(|| self.end(None, arrival_secs)).flatten();
        match role {
            Some(role) => {
                self.bones.insert(role, pose);
                self.has_bone = true;
                self.has_hips |= role == Role::Hips;
            }
            None if name.len() <= MAX_NAME_BYTES
                && (self.unknown.len() < MAX_UNKNOWN || self.unknown.contains_key(name)) =>
            {
                self.unknown.insert(name.to_owned(), pose);
            }
            None => {}
        }
        ended
    }

    /// The frame of what arrived; `None` if nothing did.
    fn end(&mut self, sent_secs: Option<f32>, arrival_secs: f64) -> Option<MarkerFrame> {
        let mut frame = if self.has_bone { self.bone_frame() } else { self.devices.take_frame()? };
        (self.has_bone, self.has_hips) = (false, false);
        frame.secs = Some(self.clock.interval(sent_secs, arrival_secs));
        Some(frame)
    }

    fn bone_frame(&self) -> MarkerFrame {
        let mut frame = MarkerFrame::default();
        let is_placed = |pose: &VmcPose| pose.position.length() > ZERO_M;
        let has_offsets = self.bones.iter().any(|(role, pose)| *role != Role::Hips && is_placed(pose));
        for (role, pose) in &self.bones {
            let mut rotation = pose.rotation;
            if *role == Role::Hips {
                rotation = self.root.rotation * rotation;
                if is_placed(pose) {
                    let at = self.root.position + self.root.rotation * pose.position;
                    frame.points.insert(role.name().to_owned(), at.to_array());
                } else {
                    frame.root = Some(self.root.position.to_array());
                }
            } else if has_offsets {
                frame.offsets.insert(role.name().to_owned(), pose.position.to_array());
            }
            frame.rotations.insert(role.name().to_owned(), rotation.to_array());
        }
        let unknown = self.unknown.iter().map(|(name, pose)| (name.clone(), pose.rotation.to_array()));
        frame.rotations.extend(unknown);
        frame
    }
}

/// The times of frames: as the sender states them, or as they arrive.
#[derive(Debug, Clone, Copy, Default)]
struct SenderClock {
    sent: Option<f32>,
    /// The sender's time of the last frame, and when it arrived.
    last_sent: Option<f32>,
    last_arrival: Option<f64>,
}

impl SenderClock {
    /// Whether a time is not that of the last message. Some senders state the time in each packet of a frame.
    fn is_new(&mut self, secs: f32) -> bool {
        self.sent.replace(secs) != Some(secs)
    }

    /// The time since the last frame, in seconds.
    fn interval(&mut self, sent: Option<f32>, arrival: f64) -> f64 {
        let last_arrival = self.last_arrival.replace(arrival);
        let last_sent = std::mem::replace(&mut self.last_sent, sent);
        let Some(last_arrival) = last_arrival else { return FIRST_SECS };
        let arrived = (arrival - last_arrival).max(MIN_SECS);
        match sent.zip(last_sent).map(|(sent, last)| f64::from(sent) - f64::from(last)) {
            Some(stated) if stated > 0.0 && (stated - arrived).abs() < MAX_DELAY_SECS => stated,
            _ => arrived,
        }
    }
}
