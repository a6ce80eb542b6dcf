//! Sends motion as a VMC stream.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::Arc;

use marey_motion::{LocalPoseRef, Quat, Role, Skeleton, WorldPose};

use super::bone_name::bone_of_role;
use super::{OscBundle, VmcAddress, VmcMessage, VmcPose};
use crate::{LiveError, Result};

/// Sends the poses of a skeleton, as a Performer in the words of the protocol. The root stays at the origin, and the hips carry the
/// motion.
///
/// ```
/// use marey_body::BodyProportions;
/// use marey_live::vmc::VmcSender;
/// use marey_motion::LocalPose;
/// let skeleton = BodyProportions::default().skeleton()?;
/// let mut sender = VmcSender::open(&"vmc:127.0.0.1:39541".parse()?, &skeleton)?;
/// sender.send(LocalPose::rest(&skeleton).view(), 1.0 / 60.0)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct VmcSender {
    socket: UdpSocket,
    to: SocketAddr,
    name: String,
    bones: Vec<SentBone>,
    world: WorldPose,
    bundle: OscBundle,
    secs: f64,
}

/// A joint with a role.
#[derive(Debug)]
struct SentBone {
    name: &'static str,
    joint: usize,
    /// The nearest joint above that has a role; `None` for the hips.
    parent: Option<usize>,
    /// From the joint's rotation in the world to its rotation from the T-pose, and the same of the parent.
    turn_from_rotation: [Quat; 2],
}

impl VmcSender {
    /// Opens a socket that sends to an address.
    ///
    /// # Errors
    /// If the host is not known, or the skeleton has no hips.
    pub fn open(address: &VmcAddress, skeleton: &Arc<Skeleton>) -> Result<Self> {
        let bones = sent_bones(skeleton)?;
        let to = address.resolve()?;
        let any: SocketAddr = match to {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let name = address.to_string();
        let socket = UdpSocket::bind(any).map_err(|error| LiveError::Stream { name: name.clone(), error })?;
        let (world, bundle) = (WorldPose::scratch(skeleton), OscBundle::default());
        Ok(Self { socket, to, name, bones, world, bundle, secs: 0.0 })
    }

    /// Sends a pose, `secs` seconds after the last one. Nobody has to receive it.
    ///
    /// # Errors
    /// If a packet cannot be sent.
    pub fn send(&mut self, pose: LocalPoseRef<'_>, secs: f32) -> Result<()> {
        self.world.set(pose);
        self.secs += if secs.is_finite() { f64::from(secs) } else { 0.0 };
        self.bundle.clear();
        self.add(&VmcMessage::Root(VmcPose::default()))?;
        for index in 0..self.bones.len() {
            if let Some((name, pose)) = self.bones.get(index).and_then(|bone| bone.pose(&self.world)) {
                self.add(&VmcMessage::Bone { name, pose })?;
            }
        }
        self.add(&VmcMessage::Available(true))?;
        self.add(&VmcMessage::Time(self.secs as f32))?;
        self.flush()
    }

    /// Says that no more poses follow.
    ///
    /// # Errors
    /// If the packet cannot be sent.
    pub fn finish(mut self) -> Result<()> {
        self.bundle.clear();
        self.add(&VmcMessage::Available(false))?;
        self.flush()
    }

    /// Adds a message to the packet, which is sent first if it is full.
    fn add(&mut self, message: &VmcMessage<'_>) -> Result<()> {
        if !message.add_to(&mut self.bundle) {
            self.flush()?;
            // The names of bones are short, so that every message fits into an empty packet.
            let _ = message.add_to(&mut self.bundle);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let sent = self.socket.send_to(self.bundle.bytes(), self.to);
        self.bundle.clear();
        match sent {
            Ok(_) => Ok(()),
            Err(error) => Err(LiveError::NotSent { name: self.name.clone(), error }),
        }
    }
}

impl SentBone {
    /// The pose relative to the parent bone; `None` if it is not finite.
    fn pose(&self, world: &WorldPose) -> Option<(&'static str, VmcPose)> {
        let turn = |joint: usize, from: Quat| Some(*world.rotations.get(joint)? * from);
        let own = turn(self.joint, self.turn_from_rotation[0])?;
        let at = *world.positions.get(self.joint)?;
        let pose = match self.parent {
            Some(parent) => {
                let inverse = turn(parent, self.turn_from_rotation[1])?.inverse();
                VmcPose { position: inverse * (at - *world.positions.get(parent)?), rotation: inverse * own }
            }
            None => VmcPose { position: at, rotation: own },
        };
        (pose.position.is_finite() && pose.rotation.is_finite()).then_some((self.name, pose))
    }
}

/// The joints with a role, parents first.
fn sent_bones(skeleton: &Skeleton) -> Result<Vec<SentBone>> {
    let hips = skeleton.require(Role::Hips)?;
    let rest = skeleton.rest_world_rotations();
    let inverse = |joint: usize| rest.get(joint).map_or(Quat::IDENTITY, |rotation| rotation.inverse());
    let joints = skeleton.joints();
    let is_sent = |joint: usize| {
        let has_role = joints.get(joint).is_some_and(|joint| joint.role.is_some());
        has_role && skeleton.is_under(joint, hips)
    };
    let above = |joint: usize| {
        let mut parents = std::iter::successors(joints.get(joint), |joint| joints.get(joint.parent?));
        parents.find_map(|joint| joint.parent.filter(|parent| is_sent(*parent)))
    };
    let sent = joints.iter().enumerate().filter(|(joint, _)| is_sent(*joint));
    Ok(sent
        .filter_map(|(joint, about)| {
            let parent = if joint == hips { None } else { Some(above(joint)?) };
            let turn_from_rotation = [inverse(joint), parent.map_or(Quat::IDENTITY, inverse)];
            Some(SentBone { name: bone_of_role(about.role?), joint, parent, turn_from_rotation })
        })
        .collect())
}
