//! The HTTP interface, as the page uses it.

mod support;

use marey_corpus::Corpus;
use marey_examples::character::{CharacterSettings, character};
use marey_formats::bvh::{self, BvhOptions};
use serde_json::json;
use support::Server;

#[test]
fn takes_are_listed_described_shown_and_exported() {
    let server = Server::start("use");
    let list = server.get("/api/takes").json();
    let take = &list["takes"][0];
    assert_eq!(
        (&take["id"], &take["licence"], &take["actors"][0]),
        (&json!("t1"), &json!("CC0-1.0"), &json!("walk"))
    );
    assert!(take["segments"].as_u64().unwrap() > 2);
    let about = server.get("/api/motions/t1").json();
    assert_eq!(
        about["marks"]["segments"].as_array().unwrap().len() as u64,
        take["segments"].as_u64().unwrap()
    );
    assert!(about["command"].as_str().unwrap().starts_with("marey corpus export "));
    let poses = server.get("/api/motions/t1/poses");
    assert!(poses.body.starts_with(b"marey 1\n"));
    // Poses that the browser has are not sent again, even after tags have changed.
    let etag = poses.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let put = json!({ "put_tags": [{ "name": "start", "start": 0, "end": 30, "maker": "person" }] });
    assert_eq!(server.post("/api/takes/t1/edits", &put.to_string()).status, 200);
    let request = format!(
        "GET /api/motions/t1/poses HTTP/1.1\r\nhost: {}\r\ncookie: {}\r\nif-none-match: {etag}\r\nconnection: close\r\n\r\n",
        server.client.address, server.client.cookie
    );
    let again = server.client.raw(request.as_bytes(), false);
    assert_eq!((again.status, again.body.len()), (304, 0));
    for (what, start) in [
        ("bvh", &b"HIERARCHY"[..]),
        ("glb", b"glTF"),
        ("fbx", b"Kaydara FBX Binary"),
        ("vrma", b"glTF"),
        ("usda", b"#usda 1.0"),
        ("npz", b"PK"),
        ("png", b"\x89PNG"),
        ("gif", b"GIF8"),
    ] {
        let file = server.get(&format!("/api/motions/t1/export/{what}?frames=10-40"));
        assert_eq!(file.status, 200, "{what}");
        assert!(file.body.starts_with(start), "{what}");
        assert!(file.head.contains(&format!("attachment; filename=\"walk.{what}\"")), "{}", file.head);
    }
    assert!(server.get("/api/motions/t1/thumb").body.starts_with(b"GIF8"));
}

#[test]
fn a_confirmed_edit_is_in_the_file() {
    let server = Server::start("edits");
    let put = json!({ "put_tags": [{ "name": "<b>start</b>", "start": 0, "end": 30, "maker": "person" }] });
    let done = server.post("/api/takes/t1/edits", &put.to_string()).json();
    assert_eq!(done["marks"]["tags"][0]["name"], "<b>start</b>");
    let corpus = Corpus::open_read_only(&server.path).unwrap();
    let annotations = corpus.annotations(corpus.find("walk").unwrap()).unwrap();
    assert!(annotations.iter().any(
        |annotation| matches!(&annotation.what, marey_corpus::AnnotationContent::Tag(tag) if tag.end == 30)
    ));
    let revision = server.get("/api/about").json()["revision"].as_u64().unwrap();
    assert!(server.get("/api/changes/0").json()["revision"].as_u64().unwrap() >= revision);
    let segmented = server.post("/api/takes/t1/segments", r#"{"by":"instants"}"#).json();
    let makers = segmented["marks"]["segments"].as_array().unwrap().iter();
    assert!(
        makers.clone().any(|one| one["maker"] == "method instants")
            && makers.clone().any(|one| one["maker"] == "method steps")
    );
}

#[test]
fn actors_have_characters_of_their_own() {
    let server = Server::start("characters");
    let file = character(&CharacterSettings::default()).unwrap();
    let kind = "application/octet-stream";
    let added = server.client.send("POST", "/api/characters?name=my%20hero.glb", kind, &file).json();
    assert_eq!(added["id"], 1);
    let poses = |query: &str| server.get(&format!("/api/motions/t1/poses{query}"));
    let (own, on_hero) = (poses(""), poses("?character=1"));
    assert_ne!(own.body, on_hero.body);
    assert_eq!(poses("?character=1:walk").body, on_hero.body);
    // Motions are not concerned by characters of actors that they do not have.
    assert_eq!(poses("?character=1:red").body, own.body);
    for bad in ["character=x", "character=1&character=1", "character=1:%zz", "character=1:"] {
        assert_eq!(poses(&format!("?{bad}")).status, 400, "{bad}");
    }
    let skins = |query: &str| {
        let glb = server.get(&format!("/api/motions/t1/export/glb?frames=0-9{query}")).body;
        let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
        let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
        json["nodes"].as_array().unwrap().iter().any(|node| node["name"] == "tail 1")
    };
    assert!(skins("&character=1:walk") && !skins("&character=1:red"));
    // The command names the characters of the result's actors, in the corpus.
    let job = server.post("/api/panels/marching?character=1:march", "{}").json()["job"].as_u64().unwrap();
    let state = loop {
        let state = server.get(&format!("/api/jobs/{job}")).json();
        if state["state"] == "done" {
            break state;
        }
    };
    let id = state["motions"][0].as_str().unwrap();
    let path = server.path.display();
    for (query, wanted) in [
        ("", "marey march".to_owned()),
        ("?character=1:march&character=1:red", format!("marey march --character 'march={path}@my hero.glb'")),
        ("?character=1", format!("marey march --character '{path}@my hero.glb'")),
    ] {
        assert_eq!(server.get(&format!("/api/motions/{id}{query}")).json()["command"], wanted);
    }
}

#[test]
fn a_dropped_file_is_read_changed_and_kept() {
    let server = Server::start("imports");
    let walk = marey_examples::walk::walk(&marey_examples::walk::WalkSettings {
        seed: 9,
        duration_secs: 6.0,
        ..Default::default()
    });
    let (file, _) = bvh::write(&walk.unwrap().take, &BvhOptions::default());
    let found = server
        .client
        .send("POST", "/api/imports?name=my%20walk.bvh", "application/octet-stream", &file)
        .json();
    assert_eq!(
        (&found["name"], &found["motion"], &found["format"]),
        (&json!("my walk.bvh"), &json!("i1"), &json!("bvh"))
    );
    assert!(server.get("/api/motions/i1/poses").body.starts_with(b"marey 1\n"));
    let again = server.post("/api/imports/1", r#"{"rate_hz": 30, "floor": true}"#).json();
    assert_eq!(again["takes"][0]["rate_hz"], 30.0);
    let kept = server.post("/api/imports/1/keep", r#"{"licence": "CC-BY-4.0", "credit": "me"}"#).json();
    assert_eq!(kept["takes"][0], json!({ "id": "t2", "already": false }));
    let take = server.get("/api/takes").json()["takes"][1].clone();
    assert_eq!(
        (&take["name"], &take["licence"], &take["rate_hz"]),
        (&json!("my walk"), &json!("CC-BY-4.0"), &json!(30.0))
    );
    assert_eq!(server.client.send("DELETE", "/api/imports/1", "text/plain", b"").status, 404);
    assert_eq!(server.get("/api/motions/i1").status, 404);
}

#[test]
fn a_file_is_read_with_its_companion() {
    let server = Server::start("beside");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let (amc, asf) = (&root.join("acclaim/good/leg.amc"), &root.join("acclaim/good/leg.asf"));
    let name = |path: &std::path::Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    let send = |path: String, file: &std::path::Path| {
        server.client.send("POST", &path, "application/octet-stream", &std::fs::read(file).unwrap())
    };
    let alone = send(format!("/api/imports?name={}", name(amc)), amc);
    assert_eq!(alone.status, 422);
    let companion = send(format!("/api/companions?name={}", name(asf)), asf).json()["companion"].clone();
    let found = send(format!("/api/imports?name={}&companion={companion}", name(amc)), amc);
    assert_eq!(found.status, 200, "{}", found.text());
}

#[test]
fn a_link_gives_another_browser_access_once() {
    let server = Server::start("links");
    let url = server.post("/api/links", "{}").json()["url"].as_str().unwrap().to_owned();
    let path = url.split_once(&server.client.address.to_string()).unwrap().1;
    let request =
        format!("GET {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\r\n", server.client.address);
    let first = server.client.raw(request.as_bytes(), false);
    assert!(first.status == 303 && first.head.contains("location: /\r\n"), "{}", first.head);
    let second = server.client.raw(request.as_bytes(), false);
    assert_eq!(second.status, 401);
    assert!(second.text().contains("has no access"));
    assert_eq!(server.get("/").status, 200);
}

#[test]
fn a_result_is_measured_and_kept_with_its_provenance() {
    let server = Server::start("made");
    let job = server.post("/api/panels/marching", "{}").json()["job"].as_u64().unwrap();
    let state = loop {
        let state = server.get(&format!("/api/jobs/{job}")).json();
        if state["state"] != "running" {
            break state;
        }
    };
    assert_eq!(state, json!({ "state": "done", "motions": ["m1"] }));
    let card = server.get("/api/results/1/card").json();
    let lines = card["actors"][0]["lines"].as_array().unwrap();
    assert!(lines.iter().any(|line| line["name"] == "foot skate" && line["ok"] == true), "{card}");
    let kept = server.post("/api/results/1/keep", r#"{"name": "my march"}"#).json();
    assert_eq!(kept, json!({ "id": "t2", "already": false }));
    let again = server.post("/api/results/1/keep", r#"{"name": "my march"}"#).json();
    assert_eq!(again, json!({ "id": "t2", "already": true }));
    let take = server.get("/api/takes").json()["takes"][1].clone();
    assert_eq!(
        (&take["name"], &take["history"]),
        (&json!("my march"), &json!("made by the studio: marey march"))
    );
    for bad in [r#"{"name": " "}"#, r#"{"name": "a\nb"}"#, "{}", r#"{"name": 1}"#] {
        assert_eq!(server.post("/api/results/1/keep", bad).status, 400, "{bad}");
    }
    assert_eq!(server.post("/api/results/9/keep", r#"{"name": "x"}"#).status, 404);
    let preview = server.post("/api/panels/marching/preview", r#"{"a": 1}"#);
    assert_eq!(preview.json(), json!({ "received": { "a": 1 } }));
    assert_eq!(server.post("/api/panels/failing/preview", "{}").status, 404);
}
