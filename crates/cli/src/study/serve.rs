//! `marey study serve`.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use marey::Error;
use marey_studio::{Listening, RatingServer, Studio, codes, serve_raters};

use crate::console::Console;
use crate::studio::{end_signal, failure};
use crate::table;
use crate::verdict::Verdict;

/// Show a study to raters in their browsers and store their answers
///
/// Prints a link for each class of raters: everyone who opens it takes part as a new rater, and can reload or return. Raters see
/// clips blind, each in an order of their own. An answer is on disk before the page goes on. Ctrl-C ends the server; started again
/// with the same --port, all links work again. Only this machine can reach the server, unless --listen says otherwise.
#[derive(Debug, Args)]
#[command(before_help = "Examples:
  marey study serve study.marey --port 8123                          on this machine
  marey study serve study.marey --port 8123 --listen 192.168.1.20    for phones and computers in its network")]
pub(crate) struct ServeArgs {
    /// The study
    #[arg(value_name = "STUDY.marey")]
    study: PathBuf,

    /// Port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Listen on another address of this machine, to allow access from its network
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    listen: IpAddr,

    /// Also print this many personal links for each class
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true, value_parser = clap::value_parser!(u16).range(0..=1000))]
    raters: u16,
}

pub(super) fn run(args: &ServeArgs, console: &Console) -> Result<Verdict, Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread().max_blocking_threads(16).enable_all().build();
    let runtime = runtime.map_err(|error| Error::new(&codes::ADDRESS, error.to_string()))?;
    runtime.block_on(async {
        let listening = Listening::at(args.listen, args.port).await.map_err(failure)?;
        let guard = listening.guard().map_err(failure)?;
        let server = RatingServer::open(&args.study, guard, args.raters.into());
        let server = Arc::new(server.map_err(|error| failure(error).in_file(&args.study))?);
        let address = listening.address();
        // Signals are caught before the links are printed, because a caller that has read them may end the server at once.
        let end = end_signal();
        let joins =
            server.join_links(address).into_iter().map(|(class, link)| vec!["join".into(), class, link]);
        let raters = if args.raters > 0 { server.rater_links(address) } else { Vec::new() };
        let raters = raters.into_iter().map(|(class, link)| vec!["rate".into(), class, link]);
        console.print(&table::plain_columns(joins.chain(raters).collect()))?;
        if !Studio::has_page() {
            console.note("this build of marey does not contain the page; build it with `cargo xtask web`\n");
        }
        console.note("ready; Ctrl-C ends the server\n");
        serve_raters(listening, server, end).await;
        Ok::<_, Error>(())
    })?;
    runtime.shutdown_background();
    Ok(Verdict::AllDone)
}
