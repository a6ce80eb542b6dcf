//! Tables of keyframes with `marey tween` and `marey vary`.

use marey::motion::{Clip, Ground};

use crate::sandbox::Sandbox;

/// A corpus of a walk, and a folder with a short walk and a table of keyframes.
fn tables(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    std::fs::create_dir(sandbox.path("tables")).unwrap();
    sandbox.ok(&["examples", "walk", "a.bvh", "--secs", "30", "--rate", "30"]);
    sandbox.ok(&["corpus", "new", "w.marey"]);
    sandbox.ok(&["corpus", "add", "w.marey", "a.bvh"]);
    sandbox.ok(&["examples", "walk", "tables/b.bvh", "--secs", "6", "--rate", "30", "--seed", "5"]);
    sandbox
}

fn clip(sandbox: &Sandbox, file: &str) -> Clip {
    marey::inputs::take(&sandbox.path(file)).unwrap().first().clone()
}

fn ground(clip: &Clip, frame: usize) -> Ground {
    clip.ground_track().frames[frame]
}

#[test]
fn tween_goes_through_the_keyframes_of_a_table() {
    let sandbox = tables("keyframes-tween");
    let table = "pose,t,x,z,degrees\na@100,0.5,2,3,90\nb.bvh@20,1.3,,,\na@600,3,2.5,4,0\n";
    let sandbox = sandbox.with("tables/keys.csv", table);
    let tween = ["tween", "w.marey", "tables/keys.csv", "--gap-only", "--json", "-o"];
    let row = &sandbox.rows(&[&tween[..], &["way.bvh", "--plan", "p.json"]].concat())[0];
    assert_eq!((&row["frames"], &row["gaps"][0]["end"]), (&76.into(), &24.into()));
    sandbox.ok(&["realise", "p.json", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("way.bvh"), sandbox.read("again.bvh"));
    let made = clip(&sandbox, "way.bvh");
    for (frame, place) in [(0, Ground::new(2.0, 3.0, 90f32.to_radians())), (75, Ground::new(2.5, 4.0, 0.0))] {
        let found = ground(&made, frame);
        assert!((found.translation() - place.translation()).length() < 1e-3, "{found:?}");
        assert!((found.yaw_rad - place.yaw_rad).abs() < 1e-3, "{found:?}");
    }
    // The pose between is that of the file beside the table.
    let (between, wanted) = (made.pose(24), clip(&sandbox, "tables/b.bvh"));
    let turns = between.rotations.iter().zip(wanted.pose(20).rotations).skip(1);
    assert!(turns.fold(0f32, |most, (a, b)| most.max(a.angle_between(*b))) < 1e-2);
}

#[test]
fn every_frame_of_a_file_can_be_a_keyframe() {
    let sandbox = tables("keyframes-file");
    sandbox.ok(&["convert", "tables/b.bvh", "keys.bvh", "--rate", "1"]);
    let keys = clip(&sandbox, "keys.bvh");
    let tween = ["tween", "w.marey", "keys.bvh@*", "--gap-only", "--json", "-o"];
    let row = &sandbox.rows(&[&tween[..], &["way.bvh", "--frames", "21"]].concat())[0];
    assert_eq!(row["frames"], 20 * (keys.frames() - 1) + 1);
    let few = sandbox.run(&[&tween[..], &["few.bvh", "--at", "0,1"]].concat());
    assert!(few.err.contains("error[command/tween]"), "{}", few.err);
}

#[test]
fn what_contradicts_a_table_is_refused() {
    let sandbox = tables("keyframes-refused")
        .with("keys.csv", "pose,t,x,z\na@100,0,,\na@200,1,1,1\n")
        .with("bad.csv", "pose,t\na@100,0\na@200,0\n");
    let run = |args: &[&str]| sandbox.run(&[&["tween", "w.marey"], args, &["-o", "x.bvh"]].concat()).err;
    for args in [&["keys.csv", "--at", "0,2"][..], &["keys.csv", "a@9"], &["keys.csv", "--place", "1,1"]] {
        assert!(run(args).contains("error[command/tween]"), "{args:?}: {}", run(args));
    }
    let bad = run(&["bad.csv"]);
    assert!(bad.contains("error[keyframes/time-order]") && bad.contains("bad.csv:3"), "{bad}");
}

#[test]
fn vary_changes_the_order_of_keyframes_and_keeps_their_length() {
    let row =
        |number: usize| format!("a@{},{}\n", 20 * number, 0.2 * number as f64 + 0.05 * (number % 3) as f64);
    let table: String = (0..16).map(row).collect();
    let sandbox = tables("keyframes-vary").with("keys.csv", format!("pose,t\n{table}"));
    let vary = ["vary", "w.marey", "--keys", "keys.csv", "--json", "-o"];
    let rows = sandbox.rows(&[&vary[..], &["new.bvh", "--count", "2", "--plan", "new.json"]].concat());
    assert!(rows.iter().all(|row| row["moved"].as_f64().unwrap() >= 0.5), "{rows:?}");
    // 3 s at 30 Hz.
    assert_eq!([1, 2].map(|number| clip(&sandbox, &format!("new-0{number}.bvh")).frames()), [91; 2]);
    assert_ne!(sandbox.read("new-01.bvh"), sandbox.read("new-02.bvh"));
    sandbox.ok(&["realise", "new-02.json", "-o", "again.bvh"]);
    assert_eq!(sandbox.read("again.bvh"), sandbox.read("new-02.bvh"));
    sandbox.ok(&[&vary[..], &["long.bvh", "--secs", "6"]].concat());
    assert_eq!(clip(&sandbox, "long.bvh").frames(), 181);
    let both = sandbox.run(&[&vary[..], &["x.bvh", "--lines", "keys.csv"]].concat());
    assert_eq!(both.code, 2, "{}", both.err);
}
