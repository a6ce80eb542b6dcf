//! Making a corpus smaller: `marey corpus cluster`, and `segment --drop-redundant`.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::corpus::{refused, walks};

/// How many segments each cluster has, and how many stand for it.
fn clusters(rows: &[Value]) -> BTreeMap<u64, (usize, usize)> {
    let mut clusters: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for row in rows {
        let cluster = clusters.entry(row["cluster"].as_u64().unwrap()).or_default();
        cluster.0 += 1;
        cluster.1 += usize::from(row["representative"] == true);
    }
    clusters
}

#[test]
fn segments_are_put_into_clusters_by_either_method() {
    let sandbox = walks("corpus-cluster");
    sandbox.ok(&["corpus", "segment", "c.marey", "--by", "steps"]);
    let run = |more: &[&str]| sandbox.rows(&[&["corpus", "cluster", "c.marey", "--json"], more].concat());
    for method in ["linkage", "kmeans"] {
        let rows = run(&["--method", method]);
        let found = clusters(&rows);
        assert!(found.len() > 1 && found.len() < rows.len(), "{method}: {found:?}");
        assert!(found.values().all(|(_, standing)| *standing == 1), "{method}: {found:?}");
        assert_eq!(rows, run(&["--method", method]), "{method}");
        let by_chance = run(&["--method", method, "--random", "3"]);
        assert_eq!(clusters(&by_chance), found, "{method}");
    }
    // A larger radius makes fewer clusters, up to one of all.
    let count = |radius: &str| clusters(&run(&["--method", "kmeans", "--radius", radius])).len();
    let counts = [count("0.03"), count("0.1"), count("5")];
    assert!(counts[0] > counts[1] && counts[1] > counts[2] && counts[2] == 1, "{counts:?}");
    // Rules that cannot both hold: the radius does, and a warning says that the distance does not.
    let torn = sandbox.ok(&[
        "corpus",
        "cluster",
        "c.marey",
        "--method",
        "kmeans",
        "--radius",
        "0.02",
        "--spacing",
        "3",
    ]);
    assert!(torn.err.contains("warning[corpus/spacing]"), "{}", torn.err);
    for wrong in [&["--radius=-1"][..], &["--spacing", "2000"], &["--warp", "3"]] {
        let run = sandbox.run(&[&["corpus", "cluster", "c.marey", "--method", "kmeans"], wrong].concat());
        refused(&run, 1, "ops/setting");
    }
    refused(&sandbox.run(&["corpus", "cluster", "c.marey", "--threshold=-1"]), 1, "ops/setting");
}

#[test]
fn redundant_segments_are_left_out_and_the_rest_stays_the_same() {
    let sandbox = walks("corpus-redundant");
    let segment = |more: &[&str]| {
        let args = [&["corpus", "segment", "c.marey", "--by", "steps", "--json"], more].concat();
        let rows = sandbox.rows(&args);
        let sum = |key: &str| rows.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
        (sum("segments"), sum("redundant"), sum("new"), sum("removed"), sum("cuts"))
    };
    let (all, none, .., cuts) = segment(&[]);
    assert!(all > 10 && none == 0);
    let (kept, left_out, new, removed, still) = segment(&["--drop-redundant", "0.08"]);
    assert!(kept > 2 && left_out > 2 && kept + left_out == all, "{kept} and {left_out} of {all}");
    assert_eq!((new, removed, still), (0, left_out, cuts));
    // The same again, of all takes or of one, changes nothing; another method's segments do not count.
    assert_eq!(segment(&["--drop-redundant", "0.08"]), (kept, left_out, 0, 0, cuts));
    let (.., new, removed, _) = segment(&["walk2", "--drop-redundant", "0.08"]);
    assert_eq!((new, removed), (0, 0));
    assert_eq!(segment(&["--drop-redundant", "100"]).0, 1);
    assert_eq!(segment(&[]).0, all);
    let table = "take,start,end,name\nwalk1,0,30,a\nwalk2,0,30,b\nwalk2,0,31,c\n";
    let sandbox = sandbox.with("cuts.csv", table);
    let by_hand =
        ["corpus", "segment", "c.marey", "--by", "csv", "--csv", "cuts.csv", "--drop-redundant", "0.05"];
    let said = sandbox.ok(&by_hand).err;
    assert!(said.contains("left out as redundant") && !said.contains(" 0 left out"), "{said}");
    sandbox.ok(&["corpus", "tag", "c.marey", "walk1", "part", "--frames", "0..30"]);
    sandbox.ok(&["corpus", "tag", "c.marey", "walk1", "again", "--frames", "1..30"]);
    let by_tags = ["corpus", "segment", "c.marey", "--by", "tags", "--drop-redundant", "0.1", "--json"];
    assert_eq!(sandbox.rows(&by_tags)[0]["redundant"], 1);
    refused(
        &sandbox.run(&["corpus", "segment", "c.marey", "--by", "tags", "--drop-redundant=-1"]),
        1,
        "ops/setting",
    );
}
