//! The server: connections in, answers out.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use crate::guard::{self, Entry, Guard};
use crate::{Result, Studio, StudioError, api, codes, page};

/// A place at which the studio listens, and who may come in there.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listening {
    /// Starts to listen at an address of this machine; port 0 for any that is free.
    pub async fn at(ip: IpAddr, port: u16) -> Result<Self> {
        let refused = |message: String| StudioError::new(&codes::ADDRESS, message);
        if ip.is_unspecified() || ip.is_multicast() {
            return Err(refused(format!("{ip} is not the address of one network interface")));
        }
        let listener =
            TcpListener::bind((ip, port)).await.map_err(|error| refused(format!("{ip}:{port}: {error}")))?;
        let address = listener.local_addr().map_err(|error| refused(error.to_string()))?;
        Ok(Self { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A guard for this address.
    pub fn guard(&self) -> Result<Guard> {
        Guard::new(self.address)
    }
}

impl Studio {
    /// An address that lets one browser in, once.
    pub fn link(&self, address: SocketAddr) -> Result<String> {
        Ok(format!("http://{address}/?token={}", self.guard.new_token()?))
    }

    /// Whether the page was built into this program.
    pub fn has_page() -> bool {
        page::is_built()
    }
}

/// Answers requests until the future that is given is done.
pub async fn serve(listening: Listening, studio: Arc<Studio>, end: impl Future<Output = ()>) {
    let room = Arc::new(Semaphore::new(guard::MOST_CONNECTIONS));
    let router = api::router(listening.address)
        .layer(axum::middleware::from_fn_with_state(studio.clone(), guarded))
        .with_state(studio.clone());
    let around = studio.clone();
    tokio::task::spawn_blocking(move || around.look_around());
    tokio::pin!(end);
    loop {
        let accepted = tokio::select! {
            accepted = listening.listener.accept() => accepted,
            () = &mut end => return,
        };
        let Ok((stream, _)) = accepted else {
            // As when all file handles are in use: others will be given back.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        match room.clone().try_acquire_owned() {
            Ok(permit) => {
                let router = router.clone();
                tokio::spawn(async move {
                    connection(stream, router).await;
                    drop(permit);
                });
            }
            Err(_) => {
                tokio::spawn(turn_away(stream));
            }
        }
    }
}

/// One connection to its end. What breaks is the other side's affair.
async fn connection(stream: TcpStream, router: Router) {
    // Small answers should not wait for others.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(guard::HEAD_SECS))
        .max_buf_size(guard::HEAD_BYTES)
        .max_headers(guard::MOST_HEADERS);
    let served = http.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router));
    let _ = served.with_upgrades().await;
}

/// Says that there is no room, and hangs up.
async fn turn_away(mut stream: TcpStream) {
    let fault = StudioError::new(&codes::CONNECTIONS, format!("{} are open", guard::MOST_CONNECTIONS));
    let body = fault.to_json().to_string();
    let head = "HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nconnection: close\r\n";
    let answer = format!("{head}content-length: {}\r\n\r\n{body}", body.len());
    // Who does not listen is not told.
    let _ = tokio::time::timeout(Duration::from_secs(1), stream.write_all(answer.as_bytes())).await;
}

/// Every request goes through here, and every answer.
async fn guarded(State(studio): State<Arc<Studio>>, request: Request, next: Next) -> Response {
    let wants_page = request.uri().path() == "/";
    let entry = studio.guard.check(request.method(), request.uri(), request.headers());
    let mut response = match entry {
        Ok(Entry::Pass) => next.run(request).await,
        Ok(Entry::Redeemed(cookie)) => redeemed(&cookie),
        Err(fault) if wants_page && fault.code == &codes::TOKEN => page::no_token(),
        Err(fault) => fault.into_response(),
    };
    guard::seal(response.headers_mut());
    response
}

/// Gives the cookie, and takes the token out of the address.
fn redeemed(cookie: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/"));
    response.headers_mut().extend(HeaderValue::from_str(cookie).map(|cookie| (header::SET_COOKIE, cookie)));
    response
}
