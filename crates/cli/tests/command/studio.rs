//! `marey studio`: starts, lets in whoever has the link, and keeps every change that it confirmed. That it makes the same motion as
//! the command is tested in `python/tests/test_front_ends.py`.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

use client::Client;
use marey::corpus::{AnnotationContent, Corpus};
use marey::plan::Plan;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;

#[path = "../../../studio/tests/support/client.rs"]
pub(crate) mod client;

/// A studio in a process of its own, killed when it goes out of scope.
struct Studio {
    child: Child,
    client: Client,
}

impl Studio {
    fn start(sandbox: &Sandbox, args: &[&str]) -> Self {
        let mut command = sandbox.command(&[&["studio", "--no-open"], args].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut link = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut link).unwrap();
        let address: SocketAddr =
            link.trim().strip_prefix("http://").unwrap().split('/').next().unwrap().parse().unwrap();
        assert!(address.ip().is_loopback());
        Self { child, client: Client::enter(address, link.trim()) }
    }

    /// Starts a job, waits for it, and returns the description of its first motion.
    fn work(&self, path: &str, wish: &Value) -> Value {
        let job = self.client.post(path, &wish.to_string()).json()["job"].clone();
        loop {
            let news = self.client.get(&format!("/api/jobs/{job}")).json();
            match news["state"].as_str() {
                Some("running") => {}
                Some("done") => {
                    let id = news["motions"][0].as_str().unwrap();
                    return self.client.get(&format!("/api/motions/{id}")).json();
                }
                _ => panic!("{news}"),
            }
        }
    }

    /// The motion of a result as BVH.
    fn export(&self, id: &str) -> Vec<u8> {
        let export = self.client.get(&format!("/api/motions/{id}/export/bvh"));
        assert_eq!(export.status, 200);
        export.body
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A corpus of a walk that is cut into steps.
fn walks(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.ok(&["examples", "walk", "recorded.bvh", "--secs", "30", "--seed", "4"]);
    sandbox.ok(&["corpus", "new", "walks.marey"]);
    sandbox.ok(&["corpus", "add", "walks.marey", "recorded.bvh"]);
    sandbox.ok(&["corpus", "segment", "walks.marey", "--by", "steps"]);
    sandbox
}

#[test]
fn what_was_acknowledged_survives_a_kill() {
    let sandbox = walks("studio-kill");
    for round in 0..5 {
        let mut studio = Studio::start(&sandbox, &["walks.marey"]);
        let tag = json!({ "put_tags": [{ "name": format!("round {round}"), "start": round, "end": 40, "maker": "person" }] });
        assert_eq!(studio.client.post("/api/takes/t1/edits", &tag.to_string()).status, 200);
        // SIGKILL, on systems that have it.
        studio.child.kill().unwrap();
        studio.child.wait().unwrap();
        let corpus = Corpus::open(&sandbox.path("walks.marey")).unwrap();
        let said = corpus.annotations(corpus.find("recorded").unwrap()).unwrap();
        let tags = said
            .iter()
            .filter(|one| matches!(&one.what, AnnotationContent::Tag(tag) if tag.name.starts_with("round")));
        assert_eq!(tags.count(), round + 1);
        assert_eq!(corpus.check().unwrap().faults, [""; 0]);
    }
}

#[test]
fn another_candidate_of_a_choice_changes_the_motion() {
    let sandbox = walks("studio-follow");
    let studio = Studio::start(&sandbox, &["walks.marey"]);
    // Four seconds ahead and to the left.
    let points: Vec<[f64; 2]> =
        (0..120).map(|i| f64::from(i) / 119.0).map(|s| [1.5 * s * s, 4.0 * s]).collect();
    let path = json!({ "points": points, "rate_hz": 30, "smooth_m": 0.1 });
    let made = studio.work("/api/panels/follow", &json!({ "control": { "path": path }, "k": 3 }));
    let plan: Plan = serde_json::from_value(made["plan"].clone()).unwrap();
    plan.validate().unwrap();
    assert!((plan.duration_secs() - 4.0).abs() < 0.1);
    let choices = made["trace"]["choices"].as_array().unwrap();
    assert_eq!(choices.len(), plan.actors[0].placements.len());
    let id = made["id"].as_str().unwrap();
    let motion = studio.export(id);
    let (placement, other) = choices
        .iter()
        .enumerate()
        .find_map(|(index, choice)| {
            let taken = choice["taken"].as_u64()?;
            (choice["candidates"].as_array()?.len() > 1).then_some((index, u64::from(taken == 0)))
        })
        .unwrap();
    let number = &id[1..];
    let swap = json!({ "actor": 0, "placement": placement, "candidate": other });
    let swapped = studio.work(&format!("/api/results/{number}/swap"), &swap);
    assert!(studio.export(swapped["id"].as_str().unwrap()) != motion, "another candidate changes nothing");
}

#[test]
fn example_motion_goes_with_the_studio_and_bad_addresses_are_refused() {
    let sandbox = Sandbox::new("studio-examples");
    let mut studio = Studio::start(&sandbox, &[]);
    let takes = loop {
        let takes = studio.client.get("/api/takes").json()["takes"].clone();
        if takes.as_array().is_some_and(|takes| takes.len() >= 2) {
            break takes;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    assert_eq!(takes[0]["licence"], env!("CARGO_PKG_LICENSE"));
    // Ctrl-C, a terminal that is closed, and the system's own wish, where there are such.
    for signal in ["-INT", "-HUP", "-TERM"] {
        let number = studio.child.id().to_string();
        let folder = sandbox.path(&format!("marey-studio-{number}"));
        if cfg!(unix) {
            assert!(folder.is_dir());
            assert!(Command::new("kill").args([signal, &number]).status().unwrap().success());
            assert!(studio.child.wait().unwrap().success());
            assert!(!folder.exists());
        }
        studio = Studio::start(&sandbox, &[]);
    }
    for address in ["0.0.0.0", "224.0.0.1", "203.0.113.7"] {
        let refused = sandbox.run(&["studio", "--no-open", "--listen", address]);
        assert!(refused.code == 1 && refused.err.contains("studio/address"), "{}", refused.err);
    }
    let refused = sandbox.run(&["studio", "--no-open", "nothing.marey"]);
    assert!(refused.code == 1 && refused.err.contains("file/not-found"), "{}", refused.err);
}

/// How much memory a process has, in MiB, where the system tells.
fn memory_mib(process: u32) -> Option<u64> {
    let statm = std::fs::read_to_string(format!("/proc/{process}/statm")).ok()?;
    Some(statm.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096 / (1 << 20))
}

#[test]
fn bad_requests_leave_memory_as_it_was() {
    let sandbox = walks("studio-memory");
    let studio = Studio::start(&sandbox, &["walks.marey"]);
    let round = || {
        for _ in 0..20 {
            let stranger = studio
                .client
                .raw(b"GET /api/takes HTTP/1.1\r\nhost: evil\r\nconnection: close\r\n\r\n", false);
            assert_eq!(stranger.status, 421);
            assert_eq!(studio.client.post("/api/takes/t1/edits", &"[".repeat(200_000)).status, 400);
            let file = studio.client.send(
                "POST",
                "/api/imports?name=x.bvh",
                "application/octet-stream",
                b"HIERARCHY",
            );
            assert_eq!(file.status, 422);
            assert_eq!(studio.client.get("/api/motions/t1/export/bvh?frames=9-3").status, 422);
        }
        assert_eq!(studio.client.post("/api/takes/t1/edits", &"x".repeat(4 << 20)).status, 400);
    };
    (0..3).for_each(|_| round());
    let before = memory_mib(studio.child.id());
    (0..4).for_each(|_| round());
    let after = memory_mib(studio.child.id());
    if let (Some(before), Some(after)) = (before, after) {
        assert!(after < before + 16, "from {before} to {after} MiB");
    }
}
