//! The Virtual Motion Capture protocol (VMC): motion as OSC packets over UDP, in and out.
//!
//! | step | file |
//! |---|---|
//! | bytes of a packet ⇄ OSC messages | `osc_packet.rs`, `osc_bundle.rs` |
//! | OSC messages ⇄ messages of VMC, in Marey's axes | `message.rs`, `bone_name.rs` |
//! | messages → frames of a performer | `frame_builder.rs`, `device_roles.rs` |
//! | a socket → frames; poses → a socket | `receiver.rs`, `sender.rs` |
//!
//! [`MarkerStream::listen_vmc`](crate::MarkerStream::listen_vmc) receives a performer, [`VmcSender`] sends a character.

mod address;
mod bone_name;
mod device_roles;
mod frame_builder;
mod message;
mod osc_bundle;
mod osc_packet;
mod receiver;
mod sender;

pub use address::VmcAddress;
pub use frame_builder::VmcFrameBuilder;
pub use message::{VmcDevice, VmcError, VmcMessage, VmcPose};
pub use osc_bundle::{MAX_SENT_BYTES, OscBundle};
pub use osc_packet::{MAX_PACKET_BYTES, OscArgumentIter, OscError, OscMessage, OscPacket, OscValue};
pub(crate) use receiver::receive;
pub use sender::VmcSender;
