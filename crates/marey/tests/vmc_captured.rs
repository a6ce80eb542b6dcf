//! Captured people who are sent as a VMC stream and received again.
#![expect(clippy::print_stdout, reason = "the test prints what it measured")]

use std::net::UdpSocket;
use std::time::Duration;

use marey::live::vmc::VmcSender;
use marey::live::{MarkerStream, Performer};
use marey::motion::{Clip, Observer, Role, WorldPose};
use marey::perform::CharacterState;
use marey_capture::{Half, files_of_half};

/// The largest distance in metres and angle in degrees between the joints of a clip, fingers left out, and what is received, with the joint that is
/// farthest, and the warnings.
fn round_trip(clip: &Clip) -> ((f32, Role), f32, Vec<&'static str>) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let address = format!("vmc:{}", socket.local_addr().unwrap().port()).parse().unwrap();
    let stream = MarkerStream::receive_vmc(socket, "test");
    let mut sender = VmcSender::open(&address, clip.skeleton()).unwrap();
    let sent = clip.clone();
    let sending = std::thread::spawn(move || {
        for pose in sent.poses() {
            sender.send(pose, (1.0 / sent.rate_hz()) as f32).unwrap();
            std::thread::sleep(Duration::from_millis(2));
        }
    });
    let mut performer = stream.into_performer(Observer::ignore()).unwrap();
    let (mut sent, mut found) =
        (WorldPose::scratch(clip.skeleton()), WorldPose::scratch(performer.skeleton()));
    let (rest, found_rest) =
        (clip.skeleton().rest_world_rotations(), performer.skeleton().rest_world_rotations());
    let (mut farthest, mut angle_rad) = ((0.0f32, Role::Hips), 0.0f32);
    for pose in clip.poses() {
        let frame = performer.next_frame(&CharacterState::default()).unwrap().expect("no frame is lost");
        sent.set(pose);
        found.set(frame.pose.view());
        for (role, joint) in clip.skeleton().roles().filter(|(role, _)| Role::BODY.contains(role)) {
            let Some(other) = performer.skeleton().joint_of(role) else { continue };
            let distance_m = sent.positions[joint].distance(found.positions[other]);
            if distance_m > farthest.0 {
                farthest = (distance_m, role);
            }
            let turn = sent.rotations[joint] * rest[joint].inverse();
            let between = turn.inverse() * found.rotations[other] * found_rest[other].inverse();
            angle_rad = angle_rad.max(2.0 * between.xyz().length().min(1.0).asin());
        }
    }
    sending.join().unwrap();
    (farthest, angle_rad.to_degrees(), performer.report().codes())
}

#[test]
fn captured_motion_comes_back_as_it_was_sent() {
    for subfolder in ["cmu/salsa_60_61", "cmu/walk_styles", "bandai"] {
        let Some(folder) = marey_capture::folder(subfolder) else { return };
        let files = files_of_half(&folder, "bvh", Half::Tuning);
        let file = files.first().unwrap();
        let take = marey::inputs::take(file).unwrap();
        let clip = take.first();
        let clip = clip.slice(0..clip.frames().min(240)).unwrap();
        let ((distance_m, role), angle_deg, warnings) = round_trip(&clip);
        let millimetres = 1e3 * distance_m;
        println!("{}: {millimetres:.3} mm ({role}), {angle_deg:.4} degrees, {warnings:?}", file.display());
        assert!(angle_deg < 0.1, "{}: {angle_deg} degrees", file.display());
        // Joints without a role are not sent, as in the neck of some bodies.
        let limit = if warnings.is_empty() { 1.0 } else { 30.0 };
        assert!(millimetres < limit, "{}: {millimetres} mm", file.display());
    }
}
