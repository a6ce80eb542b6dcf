//! A studio of a test's own, and requests as they go over the wire.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use marey_corpus::{Corpus, CutMethod, FoundCuts, Provenance};
use marey_examples::walk::{WalkSettings, walk};
use marey_studio::{Ask, Fault, Listening, Made, Opened, Panel, Studio, Work, codes, serve};
use tokio::runtime::Runtime;

/// A server with a corpus of one walk.
pub struct Server {
    pub address: SocketAddr,
    /// The cookie of somebody who was let in.
    pub cookie: String,
    pub path: PathBuf,
    runtime: Option<Runtime>,
}

/// An engine that fails as it is told to.
struct Failing;

impl Panel for Failing {
    fn name(&self) -> &'static str {
        "failing"
    }

    fn run(&self, ask: &Ask<'_>, _: &Work) -> Result<Made, Fault> {
        match ask.wish.as_str() {
            Some("panic") => panic!("as it was told"),
            _ => Err(Fault::new(&codes::REQUEST, "as it was told")),
        }
    }
}

impl Server {
    pub fn start(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("marey-studio-{name}-{}.marey", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let mut corpus = Corpus::create(&path).unwrap();
        let take = walk(&WalkSettings { duration_secs: 6.0, ..WalkSettings::default() }).unwrap().take;
        let id = corpus
            .add(&take, &Provenance { licence: "CC0-1.0".into(), ..Provenance::default() })
            .unwrap()
            .id();
        corpus.put_cuts(id, &FoundCuts::of(&take, CutMethod::Steps).unwrap()).unwrap();
        drop(corpus);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (address, link) = runtime.block_on(async {
            let listening = Listening::at([127, 0, 0, 1].into(), 0).await.unwrap();
            let address = listening.address();
            let opened = Opened { path: path.clone(), is_example: false };
            let studio = Studio::new(listening.guard().unwrap(), opened, vec![Box::new(Failing)]).unwrap();
            let link = studio.link(address).unwrap();
            tokio::spawn(serve(listening, Arc::new(studio), std::future::pending()));
            (address, link)
        });
        let mut server = Self { address, cookie: String::new(), path, runtime: Some(runtime) };
        let query = link.split_once("/?").unwrap().1;
        let answer = server.raw(
            format!("GET /?{query} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").as_bytes(),
        );
        assert_eq!(answer.status, 303, "{}", answer.text());
        let cookie = answer.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        server.cookie = cookie.split(';').next().unwrap().to_owned();
        server
    }

    /// Sends bytes as they are, and reads what comes until the other side hangs up.
    pub fn raw(&self, bytes: &[u8]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        // A server that has heard enough may hang up before all is said.
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(Shutdown::Write);
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        Answer::of(&all)
    }

    /// A request as the studio's own page makes it.
    pub fn ask(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Answer {
        let Self { address, cookie, .. } = self;
        let mut bytes = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\ncookie: {cookie}\r\n\
             content-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        )
        .into_bytes();
        bytes.extend_from_slice(body);
        self.raw(&bytes)
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, "text/plain", b"")
    }

    pub fn post(&self, path: &str, json: &str) -> Answer {
        self.ask("POST", path, "application/json", json.as_bytes())
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

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    fn of(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        Self { status, head, body: bytes[(end + 4).min(bytes.len())..].to_vec() }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }
}
