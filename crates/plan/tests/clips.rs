//! A plan carries motion, and gives it back to the bit.

use std::sync::Arc;

use marey_motion::{Clip, ClipParts, Coded, Contact, Contacts, Joint, Quat, Role, Skeleton, Vec3};
use marey_plan::{ActorPlan, Hold, Placement, Plan, PlanClip, Seed, SourceRef};
use proptest::prelude::*;

fn clip(rotations: &[[f32; 4]]) -> Clip {
    let arm = Joint::new("arm", Some(0), Vec3::new(0.1, 0.2, 0.3));
    let skeleton = Skeleton::new(vec![Joint::new("root", None, Vec3::Y), arm], vec![]).unwrap();
    let rotations: Vec<Quat> = rotations.iter().map(|q| Quat::from_array(*q)).collect();
    let positions = (0..rotations.len() / 2).map(|i| Vec3::splat(1.0 / (i + 3) as f32)).collect();
    Clip::new(Arc::new(skeleton), 59.94, ClipParts { rotations, positions }).unwrap()
}

fn plan_clip(take: &str, clip: Clip) -> PlanClip {
    let frames = clip.frames();
    let contacts = Contacts::new(vec![Contact { role: Role::LeftFoot, frames: 0..frames }], frames).unwrap();
    let hold = Hold {
        role: Role::LeftHand,
        with_actor: 1,
        with_role: Role::RightHand,
        frames: 0..frames,
        gap_m: 0.123_456_79,
    };
    PlanClip { source: SourceRef { take: take.into(), actor: 0 }, clip, contacts, holds: vec![hold] }
}

fn plan(clips: Vec<PlanClip>) -> Plan {
    let frames = clips[0].clip.frames();
    let placement = Placement {
        source: clips[0].source.clone(),
        source_start: 0,
        source_end: frames,
        start: 0,
        frames,
        key_times: vec![],
        world_from_source: Default::default(),
        mirrored: false,
    };
    let actors = vec![ActorPlan { name: "a".into(), placements: vec![placement] }];
    Plan { seed: Seed(3), clips, ..Plan::new(30.0, actors) }
}

fn bits(clip: &Clip) -> Vec<u32> {
    let rotations = clip.rotations().iter().flat_map(Quat::to_array);
    rotations.chain(clip.positions().iter().flat_map(Vec3::to_array)).map(f32::to_bits).collect()
}

proptest! {
    #[test]
    fn plans_with_clips_read_back_to_the_bit(
        rotations in prop::collection::vec([-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0, 0.1f32..1.0], 2..30),
        number in -1e9f64..1e9,
    ) {
        let rotations = &rotations[..rotations.len() / 2 * 2];
        let clips = vec![plan_clip("leader", clip(rotations)), plan_clip("bridge 1", clip(&rotations[..2]))];
        let mut plan = plan(clips);
        plan.realise = Some(serde_json::json!({"join": {"fade_secs": number}, "ground": [number, null]}));
        let text = plan.to_json().unwrap();
        let read = Plan::from_json(&text).unwrap();
        prop_assert_eq!(read.to_json().unwrap(), text);
        for (read, written) in read.clips.iter().zip(&plan.clips) {
            prop_assert_eq!(bits(&read.clip), bits(&written.clip));
        }
        prop_assert_eq!(read, plan);
    }
}

fn sample() -> Plan {
    let still = [[0.0, 0.0, 0.0, 1.0]; 4];
    plan(vec![plan_clip("leader", clip(&still)), plan_clip("bridge", clip(&still[..2]))])
}

#[test]
fn each_clip_is_one_line_at_the_end() {
    let text = sample().to_json().unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.iter().position(|line| *line == "  \"clips\": [").unwrap();
    assert!(
        lines[at + 1].starts_with("    {\"source\":{\"take\":\"leader\",\"actor\":0}"),
        "{}",
        lines[at + 1]
    );
    assert!(lines[at + 2].starts_with("    {\"source\":{\"take\":\"bridge\""));
    assert_eq!(lines[at + 3..], ["  ]", "}"]);
    let without = Plan { clips: vec![], ..sample() }.to_json().unwrap();
    assert!(!without.contains("clips") && !without.contains("realise"));
}

#[test]
fn invalid_clips_are_rejected_with_their_place() {
    let code = |change: fn(&mut Plan)| {
        let mut plan = sample();
        change(&mut plan);
        plan.validate().unwrap_err().code().id
    };
    assert_eq!(code(|plan| plan.clips[1].source.take = "leader".into()), "plan/clip");
    assert_eq!(code(|plan| plan.clips[0].holds[0].frames = 0..3), "plan/clip");
    assert_eq!(code(|plan| plan.clips[0].holds[0].gap_m = f32::NAN), "plan/clip");
    let long = Contacts::new(vec![Contact { role: Role::LeftFoot, frames: 0..9 }], 9).unwrap();
    let mut plan = sample();
    plan.clips[0].contacts = long;
    assert_eq!(plan.validate().unwrap_err().code().id, "plan/clip");
    assert_eq!(code(|plan| plan.realise = Some(serde_json::json!([1]))), "plan/realise");

    let text = sample().to_json().unwrap();
    let line = |needle: &str| Some(1 + text.lines().position(|line| line.contains(needle)).unwrap());
    let twice = text.replace("\"take\":\"bridge\"", "\"take\":\"leader\"");
    let refused = Plan::from_json(&twice).unwrap_err();
    assert_eq!((refused.code().id, refused.place().line), ("plan/clip", line("bridge")));
    for (from, to) in [("\"rotations\":\"", "\"rotations\":\"#"), ("\"frames\":2,", "\"frames\":7,")] {
        let refused = Plan::from_json(&text.replacen(from, to, 1)).unwrap_err();
        assert_eq!((refused.code().id, refused.place().line), ("plan/json", line("{\"take\":\"leader\"")));
    }
}
