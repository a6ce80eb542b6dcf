//! `--character` of every verb that writes motion.

use marey::examples::character::CharacterFile;

use crate::glb_parts::{assert_animated, hero, parts};
use crate::motion_files::{pair, standing};
use crate::sandbox::Sandbox;

fn sandbox(name: &str) -> Sandbox {
    Sandbox::new(name)
        .with("hero.glb", hero(CharacterFile::Armature))
        .with("ann.vrm", hero(CharacterFile::Vrm1))
}

#[test]
fn every_verb_animates_a_character() {
    let terrain = r#"{"pieces": [[[0, 0], [2, 0], [2, 0.08], [5, 0.1]]]}"#;
    let sandbox =
        sandbox("characters").with("path.csv", "t,x,z\n0,0,0\n2,0,2\n4,1,4\n").with("ground.json", terrain);
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "40", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "w.marey"]);
    sandbox.ok(&["corpus", "add", "w.marey", "a.bvh"]);
    sandbox.ok(&["corpus", "segment", "w.marey", "--by", "steps"]);
    let runs: [(&[&str], &str); 7] = [
        (&["convert", "a.bvh", "convert.glb"], "convert.glb"),
        (&["follow", "w.marey", "path.csv", "-o", "follow.glb", "--plan", "plan.json"], "follow.glb"),
        (&["realise", "w.marey", "plan.json", "-o", "realise.glb"], "realise.glb"),
        (&["traverse", "w.marey", "ground.json", "-o", "traverse.glb"], "traverse.glb"),
        (&["vary", "a.bvh", "-o", "vary.glb"], "vary.glb"),
        (&["tween", "w.marey", "a@100", "a@600", "-o", "tween.glb"], "tween.glb"),
        (&["wander", "w.marey", "-o", "wander.glb", "--secs", "3"], "wander.glb"),
    ];
    for (args, output) in runs {
        for character in ["hero.glb", "ann.vrm"] {
            sandbox.ok(&[args, &["--character", character, "--force"]].concat());
            assert_animated(&sandbox, character, output, false);
        }
    }
    // The plan gives the same motion on the same character.
    let animation = |name: &str| parts(&sandbox.read(name)).1;
    assert_eq!(animation("follow.glb"), animation("realise.glb"));
    // A corpus keeps characters under their names, as the studio stores them.
    let mut corpus = marey::corpus::Corpus::open(&sandbox.path("w.marey")).unwrap();
    corpus.add_character("ann#2.vrm", &sandbox.read("ann.vrm")).unwrap();
    drop(corpus);
    sandbox.ok(&["convert", "a.bvh", "kept.glb", "--character", "w.marey@ann#2.vrm"]);
    assert_animated(&sandbox, "ann.vrm", "kept.glb", false);
}

#[test]
fn a_character_of_another_size_stays_on_the_path() {
    let sandbox = sandbox("character-path").with("path.csv", "t,x,z\n0,0,0\n2,0,2.2\n4,1,4.2\n6,3,5\n");
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "40", "--rate", "30"]);
    let grown = marey::inputs::take(&sandbox.path("a.bvh")).unwrap();
    let child = marey::motion::Take::solo("child", grown.first().clone().scaled(0.7).unwrap());
    let bytes = marey::formats::bvh::write(&child, &Default::default()).0;
    let sandbox = sandbox.with("child.bvh", bytes);
    let follow = ["follow", "a.bvh", "path.csv", "-o", "out.bvh", "--plan", "plan.json"];
    sandbox.ok(&[&follow[..], &["--character", "follower=child.bvh"]].concat());
    let made = marey::inputs::take(&sandbox.path("out.bvh")).unwrap();
    // Shorter legs take smaller steps, and still arrive.
    let end = made.first().root_positions().last().unwrap();
    let off_m = (end.x - 3.0).hypot(end.z - 5.0);
    assert!(off_m < 0.25, "{off_m} m from the end of the path");
    // The plan has the body: it needs no character, and is not changed by the same one.
    sandbox.ok(&["realise", "a.bvh", "plan.json", "-o", "again.bvh"]);
    sandbox.ok(&["realise", "a.bvh", "plan.json", "-o", "same.bvh", "--character", "child.bvh"]);
    assert_eq!(sandbox.read("out.bvh"), sandbox.read("again.bvh"));
    assert_eq!(sandbox.read("out.bvh"), sandbox.read("same.bvh"));
}

#[test]
fn a_performance_and_a_bout_move_characters() {
    let world = "[[feature]]\nname = \"ground\"\nlike = \"floor\"\ngeometry = { plane = { at = [0, 0, 0] } }\nmotion = \"walk\"\n";
    let sandbox = sandbox("character-perform").with("world.toml", world);
    sandbox.ok(&["examples", "playground", "play"]);
    let perform = ["perform", "world.toml", "--input", "play/performer-3.bvh", "-o", "moves.glb", "--force"];
    for character in ["hero.glb", "ann.vrm"] {
        sandbox.ok(&[&perform[..], &["--character", character]].concat());
        assert_animated(&sandbox, character, "moves.glb", false);
    }
    sandbox.ok(&["examples", "taekwondo", "bout.glb", "--secs", "40", "--rate", "30", "--seed", "4"]);
    sandbox.ok(&["corpus", "new", "c.marey"]);
    sandbox.ok(&["corpus", "add", "c.marey", "bout.glb"]);
    sandbox.ok(&["duet", "label", "c.marey", "--iterations", "30"]);
    sandbox.ok(&["duet", "train", "c.marey"]);
    let duet = ["duet", "run", "c.marey", "-o", "bout-new.glb", "--secs", "4"];
    sandbox.ok(&[&duet[..], &["--character", "red=hero.glb", "--character", "blue=ann.vrm"]].concat());
    assert_animated(&sandbox, "hero.glb", "bout-new.glb", true);
    let bout = parts(&sandbox.read("bout-new.glb")).0;
    assert_eq!(
        (bout["skins"].as_array().unwrap().len(), bout["animations"].as_array().unwrap().len()),
        (2, 1)
    );
}

#[test]
fn a_lamp_is_a_character_too() {
    let terrain = r#"{"pieces": [[[-0.5, 0], [1, 0], [1, 0.05], [2, 0.05]], [[2.08, 0.05], [3.5, 0]]]}"#;
    let sandbox = sandbox("character-lamp").with("steps.json", terrain);
    sandbox.ok(&["examples", "luxo", "lamp"]);
    sandbox.ok(&["corpus", "new", "lamp.marey"]);
    sandbox.ok(&["corpus", "add", "lamp.marey", "lamp"]);
    let traverse = ["traverse", "lamp.marey", "steps.json", "-o"];
    sandbox.ok(&[&traverse[..], &["lamp.glb"]].concat());
    // A file with the joints of the lamp; its own animation stays first.
    sandbox.ok(&[&traverse[..], &["again.glb", "--character", "lamp.glb"]].concat());
    let (lamp, again) = (parts(&sandbox.read("lamp.glb")), parts(&sandbox.read("again.glb")));
    assert!(again.1.starts_with(&lamp.1));
    assert_eq!(again.0["animations"].as_array().unwrap().len(), 2);
    assert_eq!(again.0["animations"][0], lamp.0["animations"][0]);
    // A person is no lamp.
    let run = sandbox.run(&[&traverse[..], &["no.glb", "--character", "hero.glb"]].concat());
    assert_eq!(run.code, 1, "{}", run.err);
}

#[test]
fn actors_have_characters_of_their_own() {
    let sandbox = sandbox("character-pair").with("pair.bvh", pair(20));
    sandbox.ok(&["convert", "pair.bvh", "both.glb", "--character", "hero.glb"]);
    let both = parts(&sandbox.read("both.glb")).0;
    assert_eq!(both["skins"].as_array().unwrap().len(), 2);
    let run = sandbox.run(&["convert", "pair.bvh", "no.glb", "--character", "nobody=hero.glb"]);
    assert_eq!(run.code, 1);
    assert!(run.err.contains("character/no-actor"), "{}", run.err);
    // The message lists the names of the actors.
    let name = run.err.split("among \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    sandbox.ok(&["convert", "pair.bvh", "one.glb", "--character", &format!("{name}=ann.vrm")]);
    let one = parts(&sandbox.read("one.glb")).0;
    assert_eq!(one["skins"].as_array().unwrap().len(), 2);
    assert!(one["extensions"]["VRMC_vrm"].is_object());
    assert_eq!(one["animations"].as_array().unwrap().len(), 1);
}

#[test]
fn characters_are_not_changed_and_bad_ones_refused() {
    let sandbox = sandbox("character-bad").with("a.bvh", standing(10)).with("junk.glb", "glTF");
    let hero = sandbox.read("hero.glb");
    for (args, code, id) in [
        (&["convert", "a.bvh", "hero.glb", "--character", "hero.glb"][..], 1, "file/exists"),
        (&["convert", "a.bvh", "x.glb", "--character", "absent.glb"], 1, "file/not-found"),
        (&["convert", "a.bvh", "x.glb", "--character", "junk.glb"], 1, "gltf/chunk"),
        (&["convert", "a.bvh", "x.glb", "--character", "hero.glb#Bob"], 1, "character/no-figure"),
        (
            &["convert", "a.bvh", "x.glb", "--character", "hero.glb", "--for", "unity"],
            2,
            "character/not-for-character",
        ),
        (
            &["convert", "a.bvh", "x.glb", "--character", "hero.glb", "--skeleton", "a.bvh"],
            2,
            "character/not-for-character",
        ),
    ] {
        let run = sandbox.run(args);
        assert_eq!(run.code, code, "{args:?} {}", run.err);
        assert!(run.err.contains(id), "{args:?} {}", run.err);
    }
    assert_eq!(sandbox.read("hero.glb"), hero);
    // Roles can be corrected.
    sandbox.ok(&["inspect", "hero.glb", "--save-roles", "roles.toml"]);
    sandbox.ok(&[
        "convert",
        "a.bvh",
        "roles.glb",
        "--character",
        "hero.glb",
        "--character-roles",
        "roles.toml",
    ]);
    assert_animated(&sandbox, "hero.glb", "roles.glb", false);
    // Other formats get the skeleton of the character.
    sandbox.ok(&["convert", "a.bvh", "out.bvh", "--character", "hero.glb"]);
    assert!(String::from_utf8(sandbox.read("out.bvh")).unwrap().contains("UpperChest"));
}
