//! `marey study`: plans, makes clips, shows them blind, keeps every answer that it acknowledged, and analyses them.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Stdio};

use marey::corpus::Corpus;
use serde_json::{Value, json};

use crate::sandbox::Sandbox;
use crate::studio::client::{Client, Response};

/// Three recorded walks, and what interpolation and pasting make of them.
const STUDY: &str = r#"title = "Walks"
design = "ratings"
secs = 3
rate_hz = 30

[[scale]]
name = "natural"
low = "no"
high = "yes"

[[condition]]
name = "captured"
recorded = true
clips = ["human/"]

[[condition]]
name = "interpolated"
make = { verb = "slerp", of = "captured" }

[[condition]]
name = "pasted"
make = { verb = "cut-and-paste", of = "captured" }
"#;

fn walks(name: &str, study: &str) -> Sandbox {
    let sandbox = Sandbox::new(name).with("study.toml", study);
    std::fs::create_dir_all(sandbox.path("human")).unwrap();
    for seed in ["1", "2", "3"] {
        let file = format!("human/walk-{seed}.bvh");
        sandbox.ok(&["examples", "walk", &file, "--secs", "6", "--seed", seed]);
    }
    sandbox.ok(&["study", "new", "study.toml"]);
    sandbox
}

/// A server of raters, killed when it goes out of scope.
struct Server {
    child: Child,
    client: Client,
    /// Kind, class and path of each link.
    links: Vec<(String, String)>,
}

impl Server {
    fn start(sandbox: &Sandbox, links: usize, args: &[&str]) -> Self {
        let mut command = sandbox.command(&[&["study", "serve", "study.marey"], args].concat());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut address = None;
        let links: Vec<(String, String)> = (0..links)
            .map(|_| {
                let line = lines.next().unwrap().unwrap();
                let (kind, link) = (line.split_whitespace().next(), line.split_whitespace().last());
                let (host, path) = link.unwrap().strip_prefix("http://").unwrap().split_once('/').unwrap();
                address = Some(host.parse::<SocketAddr>().unwrap());
                (kind.unwrap().to_owned(), format!("/{path}"))
            })
            .collect();
        let address = address.unwrap();
        assert!(address.ip().is_loopback());
        Self { child, client: Client { address, cookie: String::new() }, links }
    }

    /// The token of a new rater.
    fn join(&self) -> String {
        let joined = self.client.post(&format!("/api{}", self.links[0].1), "{}");
        joined.json()["rater"].as_str().unwrap().to_owned()
    }

    fn answer(&self, rater: &str, position: usize, values: &[u8]) -> Response {
        let answer = json!({ "values": values, "secs": 2.5 });
        self.client.post(&format!("/api/raters/{rater}/answers/{position}"), &answer.to_string())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_definition_with_comments_is_written_once() {
    let sandbox = Sandbox::new("study-example");
    sandbox.ok(&["study", "new", "study.toml", "--example"]);
    let text = String::from_utf8(sandbox.read("study.toml")).unwrap();
    assert!(text.contains("# ratings:  each clip on every scale") && text.contains("[[condition]]"));
    let again = sandbox.run(&["study", "new", "study.toml", "--example"]);
    assert!(again.code == 1 && again.err.contains("file/exists"), "{}", again.screen());
    sandbox.ok(&["study", "new", "study.toml", "--example", "--force"]);
    // Its clips do not exist here.
    let missing = sandbox.run(&["study", "new", "study.toml"]);
    assert!(missing.code == 1 && missing.err.contains("human"), "{}", missing.screen());
}

#[test]
fn mistakes_of_a_definition_are_refused_with_line_and_hint() {
    let sandbox = walks("study-mistakes", STUDY);
    for (from, to, line, code) in [
        ("design = \"ratings\"", "design = \"stars\"", "study.toml:2:", "study/syntax"),
        ("secs = 3", "secs = 0", "study.toml:3:", "study/definition"),
        ("of = \"captured\" }\n\n", "of = \"recorded\" }\n\n", "study.toml:16:", "study/definition"),
        ("verb = \"slerp\"", "verb = \"blend\"", "study.toml:16:", "study/make"),
        ("verb = \"slerp\"", "verb = \"vary\", settings = { shft = 1 }", "study.toml:16:", "study/make"),
    ] {
        let sandbox = Sandbox::new("study-mistake").with("study.toml", STUDY.replacen(from, to, 1));
        std::fs::create_dir_all(sandbox.path("human")).unwrap();
        std::fs::copy(walk_of(&sandbox), sandbox.path("human/walk.bvh")).unwrap();
        let run = sandbox.run(&["study", "new", "study.toml"]);
        assert!(run.code == 1 && run.err.contains(code) && run.err.contains(line), "{to}: {}", run.screen());
        assert!(!sandbox.files().iter().any(|file| file.ends_with(".marey")), "{:?}", sandbox.files());
    }
    // An existing study is kept.
    let kept = sandbox.read("study.marey");
    let again = sandbox.run(&["study", "new", "study.toml"]);
    assert!(again.code == 1 && again.err.contains("file/exists"), "{}", again.screen());
    assert!(sandbox.read("study.marey") == kept);
    sandbox.ok(&["study", "new", "study.toml", "--force"]);
}

/// A short walk.
fn walk_of(sandbox: &Sandbox) -> std::path::PathBuf {
    sandbox.ok(&["examples", "walk", "walk.bvh", "--secs", "6", "--force"]);
    sandbox.path("walk.bvh")
}

#[test]
fn the_same_definition_gives_the_same_clips() {
    let sandbox = walks("study-clips", STUDY);
    let corpus = Corpus::open_read_only(&sandbox.path("study.marey")).unwrap();
    let study = corpus.study().unwrap();
    assert_eq!(study.clips.len(), 9);
    let contents = |corpus: &Corpus| -> Vec<String> {
        study.clips.iter().map(|clip| corpus.info(clip.take).unwrap().content).collect()
    };
    for clip in &study.clips {
        let take = corpus.take(clip.take).unwrap();
        assert_eq!((take.frames(), take.rate_hz()), (90, 30.0), "{}", clip.name);
        // All start at the same place and face the same way.
        let start = take.first().ground_track().frames[0];
        assert!(start.x.hypot(start.z) < 1e-3 && start.yaw_rad.abs() < 1e-2, "{start:?}");
    }
    let first = contents(&corpus);
    drop(corpus);
    sandbox.ok(&["study", "new", "study.toml", "-o", "again.marey"]);
    assert_eq!(contents(&Corpus::open_read_only(&sandbox.path("again.marey")).unwrap()), first);
}

#[test]
fn raters_see_nothing_about_conditions_and_answers_survive_a_kill() {
    let sandbox = walks("study-kill", STUDY);
    let mut answered = 0;
    let mut rater = String::new();
    let mut port = String::from("0");
    for round in 0..3 {
        let mut server = Server::start(&sandbox, 1, &["--port", &port]);
        port = server.client.address.port().to_string();
        if round == 0 {
            rater = server.join();
        }
        let about = server.client.get(&format!("/api/raters/{rater}"));
        let told = about.json();
        assert_eq!(
            told["answered"].as_array().unwrap().iter().filter(|done| **done == true).count(),
            answered
        );
        for name in ["captured", "interpolated", "pasted", "human", "walk"] {
            assert!(!about.text().contains(name), "{}", about.text());
        }
        for _ in 0..3 {
            let clip = server.client.get(&format!("/api/raters/{rater}/clips/{}", 2 * answered));
            assert!(clip.status == 200 && clip.body.starts_with(b"marey 1\n"));
            assert!(!clip.text().contains("captured") && !clip.text().contains("pasted"));
            let response = server.answer(&rater, answered, &[1 + (answered % 5) as u8]);
            assert_eq!(response.status, 200, "{}", response.text());
            answered += 1;
        }
        // SIGKILL, on systems that have it.
        server.child.kill().unwrap();
        server.child.wait().unwrap();
        let corpus = Corpus::open(&sandbox.path("study.marey")).unwrap();
        assert_eq!(corpus.study_answers(None).unwrap().len(), answered);
        assert_eq!(corpus.check().unwrap().faults, [""; 0]);
    }
    // Nine of nine.
    let rows = sandbox.rows(&["study", "results", "study.marey", "--json"]);
    assert_eq!((&rows[0]["complete"], &rows[0]["answers"]), (&json!(1), &json!(9)));
}

#[test]
fn what_no_rater_may_ask_is_refused() {
    let sandbox = walks("study-refused", STUDY);
    let server = Server::start(&sandbox, 3, &["--raters", "2"]);
    let kinds: Vec<&str> = server.links.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["join", "rate", "rate"]);
    let rater = server.links[1].1.strip_prefix("/rate/").unwrap();
    let refused = |response: Response, status: u16, code: &str| {
        assert_eq!(
            (response.status, &response.json()["code"]),
            (status, &json!(code)),
            "{}",
            response.text()
        );
    };
    refused(server.client.get("/api/raters/0000"), 404, "studio/rater");
    refused(server.client.post("/api/join/0000", "{}"), 404, "studio/rater");
    refused(server.client.get(&format!("/api/raters/{rater}/clips/18")), 404, "studio/rater");
    refused(server.client.get(&format!("/api/raters/{rater}/clips/1")), 404, "studio/rater");
    refused(server.answer(rater, 9, &[3]), 404, "studio/rater");
    refused(server.answer(rater, 0, &[6]), 400, "studio/request");
    refused(server.answer(rater, 0, &[3, 3]), 400, "studio/request");
    let path = format!("/api/raters/{rater}/answers/0");
    let host = server.client.address;
    // Without a body: a server that refuses before it has read one may reset the connection.
    let raw = |origin: &str, length: usize| {
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {host}\r\norigin: http://{origin}\r\nconnection: close\r\n"
        );
        let body = format!("content-type: application/json\r\ncontent-length: {length}\r\n\r\n");
        server.client.raw((head + &body).as_bytes(), false)
    };
    refused(raw("evil.example", 0), 403, "studio/origin");
    refused(raw(&host.to_string(), 5000), 413, "studio/too-large");
    let renamed = "GET / HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n";
    refused(server.client.raw(renamed.as_bytes(), false), 421, "studio/host");
    // Corrected answers replace earlier ones.
    assert_eq!(server.answer(rater, 0, &[2]).status, 200);
    assert_eq!(server.answer(rater, 0, &[4]).status, 200);
    let corpus = Corpus::open_read_only(&sandbox.path("study.marey")).unwrap();
    assert_eq!(corpus.study_answers(Some(0)).unwrap()[0].values, [4]);
}

#[test]
fn a_choice_is_stored_for_the_clip_and_not_for_its_side() {
    let pairs = STUDY
        .replace("ratings", "recorded")
        .replace("[[scale]]\nname = \"natural\"\nlow = \"no\"\nhigh = \"yes\"\n", "");
    let sandbox = walks("study-pairs", &pairs);
    let server = Server::start(&sandbox, 1, &[]);
    let corpus = Corpus::open_read_only(&sandbox.path("study.marey")).unwrap();
    let study = marey::study::read(&corpus).unwrap();
    assert_eq!(study.trials().len(), 6);
    for number in 0..2 {
        let rater = server.join();
        for (position, shown) in study.definition.presentation(6, number).into_iter().enumerate() {
            // The recorded clip is the first of its trial, and is shown second if the trial is swapped.
            assert_eq!(server.answer(&rater, position, &[u8::from(shown.is_swapped)]).status, 200);
        }
    }
    drop(corpus);
    let rows = sandbox.rows(&["study", "results", "study.marey", "--json"]);
    let all = rows[0]["recorded"].as_array().unwrap().last().unwrap().clone();
    assert_eq!((&all["test"]["successes"], &all["test"]["trials"]), (&json!(12), &json!(12)));
    let screen = sandbox.ok(&["study", "results", "study.marey"]).out;
    assert!(screen.contains("all together") && screen.contains("12 of 12"), "{screen}");
}

#[test]
fn simulated_raters_show_what_a_result_looks_like() {
    let sandbox = walks("study-simulated", STUDY);
    let args = ["study", "results", "study.marey", "--simulate", "30", "--better", "-1.5", "-2"];
    let outputs = ["-o", "report.html", "-o", "numbers.json", "-o", "answers.csv"];
    let run = sandbox.ok(&[&args[..], &outputs].concat());
    assert!(
        run.out.contains("interpolated − captured") && run.out.contains("pasted − interpolated"),
        "{}",
        run.out
    );
    let html = String::from_utf8(sandbox.read("report.html")).unwrap();
    assert!(html.contains("<svg") && html.contains("Analysis of variance"));
    let numbers: Value = serde_json::from_slice(&sandbox.read("numbers.json")).unwrap();
    assert_eq!(numbers["complete"], 30);
    assert_eq!(String::from_utf8(sandbox.read("answers.csv")).unwrap().lines().count(), 1 + 30 * 9);
    let again = sandbox.run(&[&args[..], &["-o", "report.html"]].concat());
    assert!(again.code == 1 && again.err.contains("file/exists"), "{}", again.screen());
    let odd = sandbox.run(&["study", "results", "study.marey", "-o", "report.pdf"]);
    assert!(odd.code == 2 && odd.err.contains("command/output-ending"), "{}", odd.screen());
    let none = sandbox.ok(&["study", "results", "study.marey"]);
    assert!(
        none.err.contains("0 raters") && none.err.contains("no rater has answered everything"),
        "{}",
        none.err
    );
    // A corpus without a study.
    sandbox.ok(&["corpus", "new", "walks.marey"]);
    let no_study = sandbox.run(&["study", "results", "walks.marey"]);
    assert!(no_study.code == 1 && no_study.err.contains("corpus/study"), "{}", no_study.screen());
}

#[test]
fn a_plan_says_how_many_raters_are_needed() {
    let sandbox = Sandbox::new("study-plan");
    let rows = sandbox.rows(&[
        "study",
        "plan",
        "--difference",
        "1",
        "--difference",
        "0.2",
        "--simulate",
        "200",
        "--json",
    ]);
    assert!(rows[0]["raters"].as_u64().unwrap() > 2 && rows[0]["power"].as_f64().unwrap() >= 0.8);
    assert!((rows[0]["simulated"].as_f64().unwrap() - 0.8).abs() < 0.12, "{rows:?}");
    assert!(rows[1]["raters"].is_null(), "ten clips cannot show a difference of 0.2: {rows:?}");
    let pairs = sandbox.ok(&["study", "plan", "--design", "recorded", "--difference", "0.7", "--clips", "7"]);
    assert!(pairs.out.lines().nth(1).unwrap().starts_with("       0.7       7"), "{}", pairs.out);
    let wrong = sandbox.run(&["study", "plan", "--power", "2"]);
    assert!(wrong.code == 2 && wrong.err.contains("study/setting"), "{}", wrong.screen());
}

#[test]
fn a_study_of_marey_is_made_of_generated_walks() {
    let sandbox = Sandbox::new("study-own");
    let args = ["study", "own", "-o", "own.marey", "--clips", "2", "--secs", "3", "--json"];
    let rows = sandbox.rows(&args);
    let names: Vec<&str> =
        rows[0]["clips"].as_array().unwrap().iter().map(|clip| clip[0].as_str().unwrap()).collect();
    assert_eq!(names, ["captured", "follow", "tween", "slerp", "vary", "cut-and-paste", "wander"]);
    assert_eq!(rows[0]["trials"], 14);
    assert_eq!(sandbox.files(), ["own.marey"]);
    let results = sandbox.rows(&["study", "results", "own.marey", "--simulate", "12", "--json"]);
    assert_eq!(results[0]["scales"].as_array().unwrap().len(), 3);
    let again = sandbox.run(&args);
    assert!(again.code == 1 && again.err.contains("file/exists"), "{}", again.screen());
}
