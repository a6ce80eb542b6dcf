//! A studio of a test's own.

pub(crate) mod wire;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use marey_corpus::{Corpus, CutMethod, DetectedCuts, Provenance};
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::{Report, Take};
use marey_studio::{
    Floor, Listening, Live, Motion, Opened, Panel, PanelRequest, Studio, StudioError, StudioResult, Work,
    codes, serve,
};
use serde_json::json;
use tokio::runtime::Runtime;
use wire::{Answer, Client};

/// A server with a corpus of one walk.
pub(crate) struct Server {
    pub(crate) client: Client,
    pub(crate) path: PathBuf,
    runtime: Option<Runtime>,
}

/// An engine that fails as it is told to.
struct Failing;

impl Panel for Failing {
    fn name(&self) -> &'static str {
        "failing"
    }

    fn run(&self, ask: &PanelRequest<'_>, _: &Work) -> Result<Vec<StudioResult>, StudioError> {
        match ask.wish.as_str() {
            Some("panic") => panic!("as it was told"),
            _ => Err(StudioError::new(&codes::REQUEST, "as it was told")),
        }
    }
}

/// A walk on the spot that is watched: as many frames as it is told, each with so many letters beside it.
struct Marching;

impl Panel for Marching {
    fn name(&self) -> &'static str {
        "marching"
    }

    fn run(&self, ask: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>, StudioError> {
        work.at(0.5, "marching")?;
        let take = ask.corpus.take(ask.corpus.find("walk")?)?;
        let take = Take::solo("march", take.first().slice(0..90)?);
        Ok(vec![StudioResult {
            contacts: Motion::seen(take.clone())?.contacts,
            take,
            planned: None,
            report: Report::default(),
            command: "marey march".into(),
            files: vec![],
            notes: vec![],
            beside: None,
            floor: Floor::Level,
            shows: json!({}),
        }])
    }

    fn look(&self, ask: &PanelRequest<'_>) -> Result<serde_json::Value, StudioError> {
        Ok(json!({ "asked": ask.wish }))
    }

    fn play(&self, ask: &PanelRequest<'_>, live: &mut Live) -> Result<Option<StudioResult>, StudioError> {
        let number = |name: &str| ask.wish[name].as_u64().unwrap_or_default();
        let take = ask.corpus.take(ask.corpus.find("walk")?)?;
        let clip = take.first().clone();
        live.at(0.5, "warming up")?;
        live.open(&Motion::seen(take)?, &json!({ "frames": number("frames") }));
        // Those who are to watch come first.
        while live.next(60.0).is_some_and(|words| !words.contains(&json!("go"))) {}
        let letters = "x".repeat(number("letters") as usize);
        for frame in 0..number("frames") {
            let Some(words) = live.next(60.0) else { break };
            let pose = clip.pose(frame as usize % clip.frames());
            live.show(&json!({ "letters": letters, "heard": words.len() }), std::iter::once(pose));
        }
        Ok(None)
    }
}

impl Server {
    pub(crate) fn start(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("marey-studio-{name}-{}.marey", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut corpus = Corpus::create(&path).unwrap();
        let take = walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() }).unwrap().take;
        let id = corpus
            .add(&take, &Provenance { licence: "CC0-1.0".into(), ..Provenance::default() })
            .unwrap()
            .id();
        corpus.store_cuts(id, &DetectedCuts::of(&take, CutMethod::Steps).unwrap()).unwrap();
        drop(corpus);
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(6)
            .enable_all()
            .build()
            .unwrap();
        let (address, link) = runtime.block_on(async {
            let listening = Listening::at([127, 0, 0, 1].into(), 0).await.unwrap();
            let address = listening.address();
            let opened = Opened { path: path.clone(), is_example: false };
            let studio =
                Studio::new(listening.guard().unwrap(), opened, vec![Box::new(Failing), Box::new(Marching)])
                    .unwrap();
            let link = studio.link(address).unwrap();
            tokio::spawn(serve(listening, Arc::new(studio), std::future::pending()));
            (address, link)
        });
        let client = Client::enter(address, &link);
        Self { client, path, runtime: Some(runtime) }
    }

    pub(crate) fn raw(&self, bytes: &[u8], is_all: bool) -> Answer {
        self.client.raw(bytes, is_all)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.client.get(path)
    }

    pub(crate) fn post(&self, path: &str, json: &str) -> Answer {
        self.client.post(path, json)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_timeout(Duration::from_secs(1));
        }
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{ending}", self.path.display()));
        }
    }
}
