//! VMC streams over loopback: what was sent is received, real senders are understood, and hostile packets are counted.

use std::net::UdpSocket;
use std::thread;
use std::time::{Duration, Instant};

use marey_body::BodyProportions;
use marey_examples::playground::{PlaygroundSettings, stream};
use marey_live::vmc::{
    OscBundle, OscValue, VmcAddress, VmcDevice, VmcFrameBuilder, VmcMessage, VmcPose, VmcSender,
};
use marey_live::{
    FrameClock, MarkerFrame, MarkerPerformer, MarkerRead, MarkerStream, PerformedFrame, Performer,
};
use marey_motion::{Clip, Observer, Quat, Role, Vec3, WorldPose};
use marey_perform::CharacterState;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Packets that are damaged and read.
const DAMAGED: u32 = 20_000;

/// A performer whose proportions are not those of the default body.
fn performer() -> Clip {
    let body =
        BodyProportions { height_m: 1.58, leg_length: 1.05, shoulder_width: 1.12, ..Default::default() };
    stream(&PlaygroundSettings { seed: 5, body, ..Default::default() }).unwrap().example.take.first().clone()
}

/// A socket on a free port of this machine, and its address.
fn receiver() -> (UdpSocket, VmcAddress) {
    let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, format!("vmc:{port}").parse().unwrap())
}

/// Performs the frames that arrive, and notes when.
fn perform(
    stream: MarkerStream,
    frames: usize,
) -> (MarkerPerformer<'static>, Vec<(PerformedFrame, Instant)>) {
    let mut performer = stream.into_performer(Observer::ignore()).unwrap();
    let mut performed = Vec::new();
    while performed.len() < frames
        && let Some(frame) = performer.next_frame(&CharacterState::default()).unwrap()
    {
        performed.push((frame, Instant::now()));
    }
    (performer, performed)
}

/// Sends a clip at a rate and returns when each frame was sent.
fn send(clip: Clip, address: VmcAddress, rate_hz: f64) -> thread::JoinHandle<Vec<Instant>> {
    thread::spawn(move || {
        let mut sender = VmcSender::open(&address, clip.skeleton()).unwrap();
        let mut clock = FrameClock::start();
        let mut sent = Vec::new();
        for pose in clip.poses() {
            clock.wait(rate_hz);
            sent.push(Instant::now());
            sender.send(pose, (1.0 / clip.rate_hz()) as f32).unwrap();
        }
        sender.finish().unwrap();
        sent
    })
}

/// The largest distance and angle between the joints of two bodies, in metres and radians.
fn difference(sent: &WorldPose, found: &WorldPose) -> (f32, f32) {
    let (rest, other_rest) =
        (sent.skeleton().rest_world_rotations(), found.skeleton().rest_world_rotations());
    let (mut distance_m, mut angle_rad) = (0.0f32, 0.0f32);
    for (role, joint) in sent.skeleton().roles() {
        let other = found.skeleton().joint_of(role).unwrap_or_else(|| panic!("{role} is missing"));
        distance_m = distance_m.max(sent.positions[joint].distance(found.positions[other]));
        let turn = sent.rotations[joint] * rest[joint].inverse();
        let other_turn = found.rotations[other] * other_rest[other].inverse();
        // The angle by the vector part, which is exact near zero.
        let between = turn.inverse() * other_turn;
        angle_rad = angle_rad.max(2.0 * between.xyz().length().min(1.0).asin());
    }
    (distance_m, angle_rad)
}

#[test]
fn motion_that_is_sent_is_received() {
    let clip = performer().slice(0..400).unwrap();
    let (socket, address) = receiver();
    let stream = MarkerStream::receive_vmc(socket, "test");
    let sending = send(clip.clone(), address, 400.0);
    let (performer, performed) = perform(stream, clip.frames());
    sending.join().unwrap();
    assert_eq!(performed.len(), clip.frames());
    assert!(performer.report().is_empty(), "{:?}", performer.report());
    let (mut sent, mut found) =
        (WorldPose::scratch(clip.skeleton()), WorldPose::scratch(performer.skeleton()));
    let (mut distance_m, mut angle_rad) = (0.0f32, 0.0f32);
    for (pose, (frame, _)) in clip.poses().zip(&performed) {
        sent.set(pose);
        found.set(frame.pose.view());
        let (distance, angle) = difference(&sent, &found);
        (distance_m, angle_rad) = (distance_m.max(distance), angle_rad.max(angle));
    }
    assert!(distance_m < 1e-3, "{} mm", 1e3 * distance_m);
    assert!(angle_rad.to_degrees() < 0.1, "{} degrees", angle_rad.to_degrees());
    let secs: f32 = performed.iter().map(|(frame, _)| frame.secs).sum();
    assert!((secs - 400.0 / clip.rate_hz() as f32).abs() < 0.01, "{secs}");
}

#[test]
#[expect(clippy::print_stderr, reason = "the latency is reported, and depends on the machine")]
fn no_frame_is_lost_at_sixty_frames_a_second() {
    let clip = performer().slice(0..300).unwrap();
    let (socket, address) = receiver();
    let stream = MarkerStream::receive_vmc(socket, "test");
    let sending = send(clip.clone(), address, 60.0);
    let (performer, performed) = perform(stream, clip.frames());
    let sent = sending.join().unwrap();
    assert_eq!(performed.len(), clip.frames());
    assert!(performer.report().is_empty(), "{:?}", performer.report());
    // The first half second measures the performer.
    let latencies = performed.iter().zip(sent).skip(MarkerPerformer::OPENING);
    let mut latencies: Vec<f64> =
        latencies.map(|((_, at), sent)| 1e3 * at.duration_since(sent).as_secs_f64()).collect();
    latencies.sort_by(f64::total_cmp);
    let at = |part: f64| latencies[(part * (latencies.len() - 1) as f64) as usize];
    eprintln!(
        "from datagram to pose: median {:.3} ms, p99 {:.3} ms, largest {:.3} ms",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

/// The packets of a frame of a person who stands still, as some sender would write them.
fn packets(bones: &[(&str, [f32; 7])], time: Option<f32>) -> Vec<Vec<u8>> {
    let mut packets = Vec::new();
    for (name, numbers) in bones {
        let mut bundle = OscBundle::default();
        let mut values = vec![OscValue::Text(name)];
        values.extend(numbers.map(OscValue::Float));
        assert!(bundle.add("/VMC/Ext/Bone/Pos", &values));
        packets.push(bundle.bytes().to_vec());
    }
    if let Some(secs) = time {
        let mut bundle = OscBundle::default();
        assert!(VmcMessage::Time(secs).add_to(&mut bundle));
        packets.push(bundle.bytes().to_vec());
    }
    packets
}

/// Reads packets that arrive 60 times a second.
fn frames(packets: &[Vec<Vec<u8>>]) -> (Vec<MarkerFrame>, usize) {
    let mut builder = VmcFrameBuilder::new().unwrap();
    let (mut frames, mut dropped) = (Vec::new(), 0);
    for (number, packet) in packets.iter().enumerate().flat_map(|(n, all)| all.iter().map(move |p| (n, p))) {
        builder.receive(packet, number as f64 / 60.0, |read| match read {
            MarkerRead::Frame(frame) => frames.push(frame),
            MarkerRead::Dropped { count, problem } => {
                assert!(!problem.is_empty());
                dropped += count;
            }
            other => panic!("{other:?}"),
        });
    }
    (frames, dropped)
}

/// Poses of the frames of a stream.
fn poses(frames: Vec<MarkerFrame>) -> (Vec<PerformedFrame>, MarkerPerformer<'static>) {
    let header = VmcFrameBuilder::header();
    let mut reads =
        std::iter::once(MarkerRead::Header(header)).chain(frames.into_iter().map(MarkerRead::Frame));
    let mut performer = MarkerPerformer::new(move || Ok(reads.next().unwrap_or(MarkerRead::End))).unwrap();
    let mut performed = Vec::new();
    while let Some(frame) = performer.next_frame(&CharacterState::default()).unwrap() {
        performed.push(frame);
    }
    (performed, performer)
}

#[test]
fn senders_without_positions_root_times_and_lengths_of_rotations_are_understood() {
    // A knee is bent by 90 degrees, with a rotation that is not normalised. In Unity, the axis x is the same.
    let bones: [(&str, [f32; 7]); 4] = [
        ("Hips", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0]),
        ("LeftUpperLeg", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
        ("LeftLowerLeg", [0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 2.0]),
        ("LeftThumbProximal", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]),
    ];
    let all: Vec<_> = (0..41).map(|_| packets(&bones, None)).collect();
    let (frames, dropped) = frames(&all);
    // The last frame has no end yet.
    assert_eq!((frames.len(), dropped), (40, 0));
    assert!(frames.iter().all(|frame| (frame.secs.unwrap() - 1.0 / 60.0).abs() < 1e-6));
    let (performed, performer) = poses(frames);
    assert!(performer.skeleton().joint_of(Role::LeftThumbMetacarpal).is_some());
    let world = WorldPose::of(performer.skeleton(), performed[35].pose.view());
    let at = |role: Role| world.positions[performer.skeleton().joint_of(role).unwrap()];
    // The body stands on the other foot, in the size of the default body.
    assert!(world.lowest().abs() < 1e-4 && (at(Role::Head).y - 1.5).abs() < 0.1, "{}", at(Role::Head));
    let shin = at(Role::LeftFoot) - at(Role::LeftLowerLeg);
    assert!(shin.normalize().distance(Vec3::NEG_Z) < 1e-3, "{shin}");
}

#[test]
fn a_root_moves_a_body_whose_hips_have_no_position() {
    let bones: [(&str, [f32; 7]); 1] = [("Hips", [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])];
    let root = VmcPose { position: Vec3::new(2.0, 0.5, 1.0), rotation: Quat::from_rotation_y(1.0) };
    let mut first = OscBundle::default();
    assert!(VmcMessage::Root(root).add_to(&mut first));
    let all: Vec<_> = (0..40u16)
        .map(|n| [vec![first.bytes().to_vec()], packets(&bones, Some(f32::from(n) / 50.0))].concat())
        .collect();
    let (frames, _) = frames(&all);
    assert_eq!(frames.len(), 40);
    assert!((frames[9].secs.unwrap() - 0.02).abs() < 1e-6);
    let (performed, performer) = poses(frames);
    let world = WorldPose::of(performer.skeleton(), performed[35].pose.view());
    assert!((world.lowest() - 0.5).abs() < 1e-4);
    assert!(world.positions[0].distance(root.position.with_y(world.positions[0].y)) < 1e-4);
    assert!(world.rotations[0].angle_between(root.rotation) < 1e-3);
}

#[test]
fn trackers_of_six_points_drive_a_performer() {
    let mut bundle = OscBundle::default();
    let device = |kind, serial, x: f32, y: f32, z: f32| {
        let pose = VmcPose { position: Vec3::new(x, y, z), rotation: Quat::IDENTITY };
        VmcMessage::Device { kind, serial, is_local: true, pose }
    };
    let all: Vec<_> = (0..80u16)
        .map(|number| {
            let secs = f32::from(number) / 60.0;
            let raised = 0.85 + 0.9 * secs;
            bundle.clear();
            for message in [
                device(VmcDevice::Headset, "hmd", 0.0, 1.62, 0.08),
                device(VmcDevice::Controller, "a", -0.3, 0.85, 0.05),
                device(VmcDevice::Controller, "b", 0.3, raised, 0.05),
                device(VmcDevice::Tracker, "x", 0.1, 0.09, 0.0),
                device(VmcDevice::Tracker, "y", -0.1, 0.09, 0.0),
                device(VmcDevice::Tracker, "z", 0.0, 0.95, 0.0),
                VmcMessage::Time(secs),
            ] {
                assert!(message.add_to(&mut bundle));
            }
            vec![bundle.bytes().to_vec()]
        })
        .collect();
    let (frames, dropped) = frames(&all);
    // The first half second shows which device is where.
    assert_eq!((frames.len(), dropped), (50, 0));
    let (performed, performer) = poses(frames);
    let world = WorldPose::of(performer.skeleton(), performed[49].pose.view());
    let at = |role: Role| world.positions[performer.skeleton().joint_of(role).unwrap()];
    assert!(at(Role::LeftHand).y > 1.6 && at(Role::RightHand).y < 1.1, "{}", at(Role::LeftHand));
    assert!((at(Role::Hips).y - 0.95).abs() < 0.02);
}

/// Packets that nobody should send, and how many messages each loses.
fn hostile() -> Vec<(Vec<u8>, usize)> {
    let nested = |depth: usize| {
        let mut packet = b"/VMC/Ext/T\0\0,f\0\0\0\0\0\0".to_vec();
        for _ in 0..depth {
            let size = (packet.len() as u32).to_be_bytes();
            packet = [&b"#bundle\0"[..], &[0; 8], &size, &packet].concat();
        }
        packet
    };
    let message = |address: &str, values: &[OscValue<'_>]| {
        let mut bundle = OscBundle::default();
        assert!(bundle.add(address, values));
        bundle.bytes().to_vec()
    };
    let bone = |number: f32| {
        let mut values = vec![OscValue::Text("Hips")];
        values.extend([OscValue::Float(number); 7]);
        message("/VMC/Ext/Bone/Pos", &values)
    };
    vec![
        (vec![0; 20_000], 1),
        (nested(600), 1),
        (bone(f32::NAN), 1),
        (bone(f32::INFINITY), 1),
        (bone(0.0), 1),
        (message("/VMC/Ext/Bone/Pos", &[OscValue::Text("Hips")]), 1),
        (message("/VMC/Ext/Bone/Pos", &[OscValue::Int(1); 8]), 1),
        (message("/VMC/Ext/T", &[OscValue::Text("noon")]), 1),
        (message("/VMC/Ext/Blend/Val", &[OscValue::Text("Joy")]), 0),
        (message("/other", &[]), 0),
        (b"#bundle\0".to_vec(), 1),
        (b"GET / HTTP/1.1\r\n".to_vec(), 1),
        (Vec::new(), 1),
    ]
}

#[test]
fn hostile_packets_are_counted_and_change_nothing() {
    let bones: [(&str, [f32; 7]); 2] = [
        ("Hips", [0.1, 0.9, 0.0, 0.0, 0.0, 0.0, 1.0]),
        ("LeftUpperLeg", [-0.1, -0.05, 0.0, 0.0, 0.0, 0.0, 1.0]),
    ];
    let clean: Vec<_> = (0..60u16).map(|n| packets(&bones, Some(f32::from(n) / 60.0))).collect();
    let hostile = hostile();
    let mut mixed = clean.clone();
    let mut wanted = 0;
    for (number, frame) in mixed.iter_mut().enumerate() {
        let (packet, count) = &hostile[number % hostile.len()];
        frame.insert(number % 3, packet.clone());
        wanted += count;
    }
    let (undisturbed, none) = frames(&clean);
    let (disturbed, dropped) = frames(&mixed);
    assert_eq!((undisturbed.len(), none, dropped), (60, 0, wanted));
    assert_eq!(disturbed, undisturbed);
}

#[test]
fn a_flood_of_names_is_bounded_and_reported_and_a_stream_that_ended_ends_the_performance() {
    let (socket, _) = receiver();
    let to = socket.local_addr().unwrap();
    let stream = MarkerStream::receive_vmc(socket, "test");
    let clip = performer().slice(0..40).unwrap();
    let flood = thread::spawn(move || {
        let mut sender =
            VmcSender::open(&format!("vmc:{}", to.port()).parse().unwrap(), clip.skeleton()).unwrap();
        let other = UdpSocket::bind("127.0.0.1:0").unwrap();
        for (number, pose) in clip.poses().enumerate() {
            for name in 0..20 {
                let name = format!("tail {number} {name}");
                for packet in packets(&[(&name, [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])], None) {
                    other.send_to(&packet, to).unwrap();
                }
            }
            other.send_to(&[0; 20_000], to).unwrap();
            sender.send(pose, 1.0 / 60.0).unwrap();
            thread::sleep(Duration::from_millis(4));
        }
        sender.finish().unwrap();
    });
    let (performer, performed) = perform(stream, usize::MAX);
    flood.join().unwrap();
    assert_eq!(performed.len(), 40);
    assert_eq!(performer.report().codes(), ["live/dropped", "live/unknown-joint"]);
    let counts: Vec<usize> = performer.report().warnings().iter().map(|warning| warning.count).collect();
    assert_eq!(counts[0], 40);
}

/// A packet that was written from the specification, not by our encoder.
fn fixture(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/vmc");
    std::fs::read(format!("{folder}/{name}.osc")).unwrap()
}

#[test]
fn packets_of_the_specification_are_read() {
    let (read, dropped) = frames(&[vec![fixture("performer"), fixture("nested"), fixture("time")]]);
    assert_eq!((read.len(), dropped), (2, 0));
    let [first, second] = &read[..] else { panic!("two frames") };
    assert_eq!((first.rotations.len(), first.offsets.len()), (22, 21));
    // The root is one metre ahead; the left is +X.
    assert!(Vec3::from(first.points["Hips"]).distance(Vec3::new(-0.02, 0.95, 1.1)) < 1e-6);
    assert!(Vec3::from(first.offsets["LeftUpperArm"]).distance(Vec3::X * 0.12) < 1e-6);
    assert!(first.offsets.contains_key("LeftThumbMetacarpal"));
    let lowered = Quat::from_array(first.rotations["LeftUpperArm"]) * Vec3::X;
    assert!(lowered.distance(Vec3::NEG_Y) < 1e-6, "{lowered}");
    // The root turns by 90 degrees to Unity's right.
    let ahead = Quat::from_array(second.rotations["Hips"]) * Vec3::Z;
    assert!(ahead.distance(Vec3::NEG_X) < 1e-6, "{ahead}");
    let (read, dropped) = frames(&[vec![fixture("short")]]);
    assert_eq!((read.len(), dropped), (0, 4));
    let (read, _) = frames(&(0..31).map(|_| vec![fixture("trackers")]).collect::<Vec<_>>());
    // The time does not change, so that a frame ends at the next headset.
    assert_eq!(read.len(), 0);
    let (read, _) = frames(&(0..32).map(|_| vec![fixture("trackers")]).collect::<Vec<_>>());
    assert_eq!(read.len(), 1);
    assert!(Vec3::from(read[0].points["LeftHand"]).distance(Vec3::new(0.3, 0.9, 0.1)) < 1e-6);
    assert!(read[0].points["Head"][1] > 1.6);
}

#[test]
fn damaged_packets_give_frames_that_are_finite_and_bounded() {
    let whole = ["performer", "nested", "trackers", "short"].map(fixture);
    let words =
        [[0xff; 4], [0x7f, 0xff, 0xff, 0xff], [0x7f, 0xc0, 0, 0], [0x7f, 0x80, 0, 0], *b",fff", *b"Hips"];
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let mut builder = VmcFrameBuilder::new().unwrap();
    let (mut frames, mut dropped) = (0usize, 0usize);
    for number in 0..DAMAGED {
        let mut bytes = whole[rng.random_range(0..whole.len())].clone();
        for _ in 0..rng.random_range(1..8) {
            let word = 4 * rng.random_range(0..bytes.len() / 4);
            match rng.random_range(0..5) {
                0 => bytes[word..word + 4].copy_from_slice(&words[rng.random_range(0..words.len())]),
                1 => bytes[word + rng.random_range(0..4)] = rng.random(),
                2 => bytes.truncate(word.max(4)),
                3 => drop(bytes.splice(word..word, *b"#bundle\0\0\0\0\0\0\0\0\x01")),
                _ => {
                    let part = bytes[word..].to_vec();
                    bytes.extend(part);
                }
            }
        }
        builder.receive(&bytes, f64::from(number) / 60.0, |read| match read {
            MarkerRead::Frame(frame) => {
                frames += 1;
                assert!(frame.secs.is_some_and(|secs| secs > 0.0 && secs.is_finite()));
                let points = frame.points.values().chain(frame.offsets.values()).chain(&frame.root);
                assert!(points.flatten().all(|number| number.is_finite()));
                let turns = frame.rotations.values().map(|turn| Quat::from_array(*turn));
                assert!(turns.into_iter().all(|turn| (turn.length() - 1.0).abs() < 1e-3));
                assert!(frame.rotations.len() <= Role::ALL.len() + 16);
            }
            MarkerRead::Dropped { count, .. } => dropped += count,
            other => panic!("{other:?} is not of a packet"),
        });
    }
    assert!(frames > DAMAGED as usize / 10 && dropped > DAMAGED as usize / 10, "{frames}, {dropped}");
}
