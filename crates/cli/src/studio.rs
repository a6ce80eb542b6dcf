//! `marey studio`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use marey::corpus::Corpus;
use marey_studio::{
    Listening, Studio, StudioCorpus, StudioError, codes, engine_panels, fill_with_examples, serve,
};

use crate::console::Console;
use crate::verdict::Verdict;
use marey::Error;

/// Maximum number of threads for blocking work, besides those that handle requests.
const MAX_THREADS: usize = 16;

/// Open the studio: view, draw and generate motion in a browser
///
/// Starts a server that only this machine can reach, and opens its page. Without a corpus, the studio contains example motion, which is
/// deleted when the studio ends. The printed address works once, for one browser. Every edit is saved to the corpus immediately.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey studio                       with example motion
  marey studio walks.marey --no-open with a corpus; prints the address to open")]
pub(crate) struct StudioArgs {
    /// The corpus, a file ending in .marey [default: example motion]
    #[arg(value_name = "CORPUS")]
    corpus: Option<PathBuf>,

    /// Port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Print the address without opening a browser
    #[arg(long)]
    no_open: bool,

    /// Listen on another address of this machine, to allow access from its network; visitors need a link
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    listen: IpAddr,
}

pub(crate) fn run(args: &StudioArgs, console: &Console) -> Result<Verdict, Error> {
    let started = Instant::now();
    // Waiting work takes no thread, so that memory stays bounded.
    let runtime =
        tokio::runtime::Builder::new_multi_thread().max_blocking_threads(MAX_THREADS).enable_all().build();
    let runtime = runtime.map_err(|error| Error::new(&codes::ADDRESS, error.to_string()))?;
    let folder = Folder::new()?;
    let opened = match &args.corpus {
        Some(path) => StudioCorpus { path: path.clone(), is_example: false },
        None => {
            let path = folder.0.join("examples.marey");
            Corpus::create(&path).map_err(|error| Error::from(error).in_file(&path))?;
            StudioCorpus { path, is_example: true }
        }
    };
    let is_example = opened.is_example;
    runtime.block_on(async {
        let listening = Listening::at(args.listen, args.port).await.map_err(failure)?;
        let in_corpus = |error: StudioError| {
            args.corpus.iter().fold(failure(error), |failure, path| failure.in_file(path))
        };
        let studio = Arc::new(
            Studio::new(listening.guard().map_err(failure)?, opened, engine_panels()).map_err(in_corpus)?,
        );
        if is_example {
            let studio = studio.clone();
            // The page opens before all motion is generated.
            tokio::task::spawn_blocking(move || fill_with_examples(&studio));
        }
        let link = studio.link(listening.address()).map_err(failure)?;
        // Signals are caught before the address is printed, because a caller that has read it may end the studio at once.
        let end = end_signal();
        console.print(&format!("{link}\n"))?;
        if !Studio::has_page() {
            console.note(
                "this build of marey does not contain the page; the address explains how to build it\n",
            );
        }
        let millis = started.elapsed().as_millis();
        console.note(&format!("ready after {millis} ms; Ctrl-C ends the studio\n"));
        if !args.no_open {
            open(&link);
        }
        serve(listening, studio, end).await;
        Ok::<_, Error>(())
    })?;
    // Unfinished work is abandoned.
    runtime.shutdown_background();
    Ok(Verdict::AllDone)
}

/// Catches Ctrl-C, a closed terminal and the system's request to end, from this call on; the future waits for the first.
#[cfg(unix)]
pub(crate) fn end_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{SignalKind, signal};
    // A signal that cannot be caught ends the program as the system does by default.
    let catch = |kind| signal(kind).ok();
    let mut caught = [SignalKind::interrupt(), SignalKind::hangup(), SignalKind::terminate()].map(catch);
    std::future::poll_fn(move |context| {
        let is_sent = caught.iter_mut().flatten().any(|signal| signal.poll_recv(context).is_ready());
        if is_sent { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
}

/// Waits for Ctrl-C. If it cannot be caught, the studio runs until it is killed.
#[cfg(not(unix))]
pub(crate) async fn end_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

pub(crate) fn failure(error: StudioError) -> Error {
    Error { place: error.place, ..Error::new(error.code, error.message) }
}

/// Asks the system to open an address in a browser. If that fails, the user can open the printed address.
fn open(link: &str) {
    let command: &[&str] = match std::env::consts::OS {
        "macos" => &["open"],
        "windows" => &["rundll32", "url.dll,FileProtocolHandler"],
        _ => &["xdg-open"],
    };
    let Some((program, rest)) = command.split_first() else { return };
    let quiet = || Stdio::null();
    let _ = Command::new(program).args(rest).arg(link).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn();
}

/// A temporary folder that is deleted when the studio ends.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self, Error> {
        let path = std::env::temp_dir().join(format!("marey-studio-{}", std::process::id()));
        std::fs::create_dir_all(&path)
            .map_err(|error| Error::from(marey::formats::FormatsError::file(&path, error)).in_file(&path))?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If this fails, the system cleans up its temporary files.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
