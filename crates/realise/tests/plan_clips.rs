//! A plan that carries its clips is realised without any other source, to the same bits.

mod support;

use marey_motion::Coded;
use marey_plan::{Plan, PlanClip};
use marey_realise::{PlanSources, RealiseSettings, SourceClip, Sources, realise};
use support::{Map, bad_plan, bits, source, walks};

fn with_clips(plan: &Plan, map: &Map) -> Plan {
    let clip = |(source, SourceClip { clip, contacts, holds }): (&_, &SourceClip)| PlanClip {
        source: Clone::clone(source),
        clip: clip.clone(),
        contacts: contacts.clone(),
        holds: holds.clone(),
    };
    Plan { clips: map.iter().map(clip).collect(), ..plan.clone() }
}

#[test]
fn a_complete_plan_needs_no_other_source_and_keeps_every_bit() {
    let map = walks(2, 6.0);
    let plan = bad_plan(&map, 5, 4);
    let expected = realise(&plan, &map, &RealiseSettings::default()).unwrap();
    let saved = with_clips(&plan, &map).to_json().unwrap();
    let complete = Plan::from_json(&saved).unwrap();
    let found = realise(&complete, &Map::new(), &RealiseSettings::default()).unwrap();
    assert_eq!(bits(found.take.first()), bits(expected.take.first()));
    assert_eq!(found, expected);
    let refused = realise(&plan, &Map::new(), &RealiseSettings::default()).unwrap_err();
    assert_eq!(refused.code().id, "realise/unknown-source");
}

#[test]
fn clips_of_the_plan_come_before_other_sources() {
    let map = walks(2, 6.0);
    let mut plan = with_clips(&bad_plan(&map, 5, 4), &Map::from([(source(0), map[&source(1)].clone())]));
    let sources = PlanSources::new(&plan, &map);
    assert_eq!(sources.source_clip(&source(0)).unwrap().clip, map[&source(1)].clip);
    assert_eq!(sources.source_clip(&source(1)).unwrap().clip, map[&source(1)].clip);
    plan.clips.clear();
    let sources = PlanSources::new(&plan, &map);
    assert_eq!(sources.source_clip(&source(0)).unwrap().clip, map[&source(0)].clip);
}
