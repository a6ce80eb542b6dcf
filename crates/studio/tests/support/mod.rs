//! A studio for a test.

pub(crate) mod client;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use client::{Client, Response};
use marey_corpus::{Corpus, CutMethod, DetectedCuts, Provenance};
use marey_examples::walk::{WalkSettings, walk};
use marey_motion::Take;
use marey_studio::{
    Listening, LiveOutput, Motion, Panel, PanelRequest, Studio, StudioCorpus, StudioError, StudioResult,
    Work, codes, serve,
};
use serde_json::json;
use tokio::runtime::Runtime;

/// A server with a corpus of one walk.
pub(crate) struct Server {
    pub(crate) client: Client,
    pub(crate) path: PathBuf,
    runtime: Option<Runtime>,
}

/// A panel that fails as requested.
struct Failing;

impl Panel for Failing {
    fn name(&self) -> &'static str {
        "failing"
    }

    fn run(&self, request: &PanelRequest<'_>, _: &Work) -> Result<Vec<StudioResult>, StudioError> {
        match request.message.as_str() {
            Some("panic") => panic!("as requested"),
            _ => Err(StudioError::new(&codes::REQUEST, "as requested")),
        }
    }
}

/// A panel that plays a walk live. The message sets the number of frames, and the number of letters that each frame carries.
struct Marching;

impl Panel for Marching {
    fn name(&self) -> &'static str {
        "marching"
    }

    fn run(&self, request: &PanelRequest<'_>, work: &Work) -> Result<Vec<StudioResult>, StudioError> {
        work.report(0.5, "marching")?;
        let take = request.corpus.take(request.corpus.find("walk")?)?;
        let take = Take::solo("march", take.first().slice(0..90)?);
        let Motion { take, contacts, .. } = Motion::from_take(take)?;
        Ok(vec![StudioResult {
            command: "marey march".into(),
            overlay: json!({}),
            ..StudioResult::new(take, contacts)
        }])
    }

    fn preview(&self, request: &PanelRequest<'_>) -> Result<serde_json::Value, StudioError> {
        Ok(json!({ "received": request.message }))
    }

    fn play(
        &self,
        request: &PanelRequest<'_>,
        live: &mut LiveOutput,
    ) -> Result<Option<StudioResult>, StudioError> {
        let number = |name: &str| request.message[name].as_u64().unwrap_or_default();
        let take = request.corpus.take(request.corpus.find("walk")?)?;
        let clip = take.first().clone();
        live.work().report(0.5, "warming up")?;
        live.open(&Motion::from_take(take)?, &json!({ "frames": number("frames") }))?;
        // Wait until all viewers are connected.
        while live.next(60.0).is_some_and(|messages| !messages.contains(&json!("go"))) {}
        let letters = "x".repeat(number("letters") as usize);
        for frame in 0..number("frames") {
            let Some(messages) = live.next(60.0) else { break };
            let pose = clip.pose(frame as usize % clip.frames());
            live.send(&json!({ "letters": letters, "received": messages.len() }), std::iter::once(pose));
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
            let opened = StudioCorpus { path: path.clone(), is_example: false };
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

    pub(crate) fn get(&self, path: &str) -> Response {
        self.client.get(path)
    }

    pub(crate) fn post(&self, path: &str, json: &str) -> Response {
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
