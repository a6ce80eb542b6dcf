//! The course of the adventure: a list of parts, each of which lasts until the character is at the start of the next one.
//!
//! Positions are those of the world `adventure` of `marey perform`. The course runs along +Z.

use super::adventurer::CharacterView;
use super::gesture::Gesture;
use super::hand_path::HandPath;
use super::session::Activity;

/// An action of the player.
#[derive(Debug, Clone, Copy)]
pub(super) enum Action {
    /// Moves to a gesture within a number of seconds, and keeps it.
    To(Gesture, f64),
    /// An activity of the playground, with the duration of a cycle in seconds.
    Do(Activity, f64),
    /// A movement of the hands only, likewise.
    Hands(HandPath, f64),
}

/// A step of a part: an action and its end condition.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) action: Action,
    /// The end condition. A gesture is completed first.
    pub(super) until: fn(&CharacterView) -> bool,
    /// Longest duration, in seconds.
    pub(super) max_secs: f64,
    /// Whether the condition is required. If it is not met, the part is repeated.
    pub(super) is_required: bool,
}

/// A part of the course.
#[derive(Debug, Clone, Copy)]
pub(super) struct CoursePart {
    pub(super) name: &'static str,
    pub(super) steps: &'static [Step],
    /// Whether the character has completed the part. If not, the part is repeated.
    pub(super) reached: fn(&CharacterView) -> bool,
}

const WALK_SECS: f64 = 1.1;

const OVERHEAD: Gesture = Gesture::both(0.02, 0.9, 0.1);
const AT_ROPE: Gesture = Gesture::both(-0.3, 0.77, 0.42).right(-0.3, 0.55, 0.42);
const AT_POLE: Gesture = Gesture::both(-0.3, 0.5, 0.7).right(-0.3, 0.3, 0.75);
const ON_POLE: Gesture = Gesture::both(-0.3, 0.5, 0.28).right(-0.3, 0.3, 0.3);
const AT_ROCKS: Gesture = Gesture::both(0.16, 0.7, 0.46);
const THROUGH: Gesture = Gesture::both(0.45, -0.35, -0.35);
const RAISED: Gesture = Gesture::both(0.3, -0.2, 0.75);
const AIMED: Gesture = Gesture::RELAXED.right(0.1, 0.85, 0.4);

fn at_once(_: &CharacterView) -> bool {
    true
}

fn hangs(character: &CharacterView) -> bool {
    character.holds[0] && character.holds[1]
}

fn stands(character: &CharacterView) -> bool {
    character.holds[2] && character.holds[3]
}

/// Whether a swinging character can let go: beyond `good_z`, or beyond `enough_z` at the end of the swing.
fn is_over(character: &CharacterView, enough_z: f32, good_z: f32) -> bool {
    character.centre.z > good_z || character.centre.z > enough_z && character.velocity.z < 0.3
}

/// Moves to a gesture.
const fn to(gesture: Gesture, secs: f64) -> Step {
    wait(gesture, secs, at_once, secs)
}

/// Moves to a gesture and waits.
const fn wait(gesture: Gesture, secs: f64, until: fn(&CharacterView) -> bool, max_secs: f64) -> Step {
    Step { action: Action::To(gesture, secs), until, max_secs, is_required: false }
}

/// Moves to a gesture with closed hands until they hold.
const fn hold(gesture: Gesture, secs: f64) -> Step {
    Step { is_required: true, ..wait(gesture.closed(), secs, hangs, secs + 0.5) }
}

/// Moves the hands until a condition is met.
const fn hands(path: HandPath, secs: f64, until: fn(&CharacterView) -> bool, max_secs: f64) -> Step {
    Step { action: Action::Hands(path, secs), until, max_secs, is_required: true }
}

const fn walk(until: fn(&CharacterView) -> bool) -> Step {
    Step { action: Action::Do(Activity::Walk, WALK_SECS), until, max_secs: 12.0, is_required: false }
}

/// Comes to rest in standing.
const REST: Step = wait(Gesture::RELAXED, 0.8, stands, 2.5);

/// The whole course.
pub(super) const COURSE: &[CoursePart] = &[
    CoursePart { name: "stand", steps: &[to(Gesture::RELAXED, 1.2)], reached: at_once },
    CoursePart {
        name: "bars",
        steps: &[
            walk(|character| character.centre.z > 3.1),
            REST,
            to(OVERHEAD, 0.7),
            hold(OVERHEAD, 0.4),
            hands(HandPath::Rungs, 1.3, |character| hangs(character) && character.centre.z > 5.9, 15.0),
            to(OVERHEAD, 0.3),
            REST,
        ],
        reached: |character| character.centre.z > 5.4,
    },
    CoursePart {
        name: "rope",
        steps: &[
            walk(|character| character.centre.z > 6.42),
            REST,
            to(AT_ROPE, 0.7),
            hold(AT_ROPE, 0.3),
            Step {
                action: Action::Do(Activity::Climb, 1.8),
                until: |character| is_over(character, 7.6, 7.85),
                max_secs: 8.0,
                is_required: true,
            },
            REST,
        ],
        reached: |character| character.centre.z > 7.4,
    },
    CoursePart {
        name: "pole",
        steps: &[
            walk(|character| character.centre.z > 8.5),
            REST,
            to(AT_POLE, 0.7),
            hold(AT_POLE, 0.3),
            to(ON_POLE.closed(), 0.5),
            to(ON_POLE.closed().lifted(0.12, 0.0), 0.35),
            to(ON_POLE.closed().lifted(0.0, 0.12), 0.35),
            hands(HandPath::Pole, 1.8, |character| character.centre.y < -0.4, 8.0),
            REST,
        ],
        reached: |character| character.centre.y < -0.4,
    },
    CoursePart {
        name: "rocks",
        steps: &[
            walk(|character| character.centre.z > 10.3),
            REST,
            to(AT_ROCKS, 0.7),
            hold(AT_ROCKS, 0.3),
            hands(
                HandPath::Rocks,
                1.8,
                |character| character.centre.y > 0.6 && (hangs(character) || stands(character)),
                12.0,
            ),
            wait(THROUGH.closed(), 1.0, |character| character.centre.z > 11.1, 2.0),
            REST,
        ],
        reached: |character| character.centre.y > 0.3,
    },
    CoursePart {
        name: "trampoline",
        steps: &[
            walk(|character| character.centre.z > 12.3),
            REST,
            to(RAISED.sunk(0.2), 0.47),
            to(RAISED.sunk(-0.01), 0.25),
            to(RAISED, 0.21),
            to(RAISED.sunk(0.2), 0.47),
            to(RAISED.sunk(-0.01), 0.25),
            to(RAISED.sunk(0.1), 0.5),
            wait(Gesture::RELAXED, 1.5, stands, 3.0),
        ],
        reached: |character| character.centre.z > 11.9,
    },
    CoursePart {
        name: "breast-stroke",
        steps: &[
            walk(|character| character.swims),
            REST,
            Step {
                action: Action::Do(Activity::Swim, 1.9),
                until: |character| character.centre.z > 17.9,
                max_secs: 25.0,
                is_required: true,
            },
            REST,
            walk(|character| character.centre.z > 18.9),
            REST,
        ],
        reached: |character| character.centre.z > 18.4,
    },
    CoursePart {
        name: "web",
        steps: &[
            walk(|character| character.centre.z > 18.9),
            to(AIMED, 0.7),
            wait(AIMED.right_closed(), 0.1, |character| is_over(character, 22.5, 23.3), 4.0),
            REST,
        ],
        reached: |character| character.centre.z > 22.3,
    },
    CoursePart {
        name: "walk",
        steps: &[walk(|character| character.centre.z > 24.5), REST, to(Gesture::RELAXED, 0.5)],
        reached: at_once,
    },
];
