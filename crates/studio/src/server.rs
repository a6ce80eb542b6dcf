//! The server: accepts connections and guards every request.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Extension, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};

use crate::connections::{Connection, Connections};
use crate::guard::{self, Entry, Guard};
use crate::{Result, Studio, StudioError, api, codes, page};

/// A socket at which the studio listens.
#[derive(Debug)]
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
}

impl Listening {
    /// Listens at an address of this machine. Port 0 chooses a free port.
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

    /// The address.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A guard for this address.
    pub fn guard(&self) -> Result<Guard> {
        Guard::new(self.address)
    }
}

impl Studio {
    /// A link that gives one browser access, once.
    pub fn link(&self, address: SocketAddr) -> Result<String> {
        Ok(format!("http://{address}/?token={}", self.guard.new_token()?))
    }

    /// Whether this program contains the page.
    pub fn has_page() -> bool {
        page::is_built()
    }
}

/// Serves requests until the future `end` is done.
pub async fn serve(listening: Listening, studio: Arc<Studio>, end: impl Future<Output = ()>) {
    let router = api::router(listening.address)
        .layer(axum::middleware::from_fn_with_state(studio.clone(), guarded))
        .with_state(studio.clone());
    let measured = studio.clone();
    tokio::task::spawn_blocking(move || measured.measure_travel_speeds());
    accept(listening, router, guard::MAX_CONNECTIONS, end).await;
}

/// Serves connections until the future `end` is done. At most `places` of them have access at once.
pub(crate) async fn accept(
    listening: Listening,
    router: Router,
    places: usize,
    end: impl Future<Output = ()>,
) {
    let connections = Connections::new(places);
    tokio::pin!(end);
    loop {
        let accepted = tokio::select! {
            accepted = listening.listener.accept() => accepted,
            () = &mut end => return,
        };
        let Ok((stream, _)) = accepted else {
            // For example, if no file handle is free; wait until one is.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        tokio::spawn(serve_connection(stream, router.clone(), connections.accept()));
    }
}

/// Serves one connection until it ends. Errors of the connection are ignored.
async fn serve_connection(stream: TcpStream, router: Router, connection: Arc<Connection>) {
    // Small responses are sent at once.
    let _ = stream.set_nodelay(true);
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(Duration::from_secs(guard::HEAD_SECS))
        .max_buf_size(guard::HEAD_BYTES)
        .max_headers(guard::MAX_HEADERS);
    let router = TowerToHyperService::new(router);
    let known = connection.clone();
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(known.clone());
        router.call(request)
    });
    let served = http.serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        _ = served.with_upgrades() => {}
        () = connection.evicted() => {}
    }
}

/// Checks every request, and adds the security headers to every response.
async fn guarded(
    State(studio): State<Arc<Studio>>,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
    next: Next,
) -> Response {
    let wants_page = request.uri().path() == "/";
    let entry = studio.guard.check(request.method(), request.uri(), request.headers());
    let mut response = match entry {
        Ok(Entry::Pass) if connection.admit() => next.run(request).await,
        Ok(Entry::Pass) => too_many_connections(guard::MAX_CONNECTIONS),
        Ok(Entry::Redeemed(cookie)) => redeemed(&cookie),
        Err(error) if wants_page && error.code == &codes::TOKEN => page::no_token(),
        Err(error) => error.into_response(),
    };
    guard::add_security_headers(response.headers_mut());
    response
}

/// Refuses a request because too many connections with access are open, and closes its connection.
pub(crate) fn too_many_connections(open: usize) -> Response {
    let message = format!("{open} connections are open");
    let mut response = StudioError::new(&codes::CONNECTIONS, message).into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Sets the cookie and redirects to the page without the token.
fn redeemed(cookie: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    response.headers_mut().insert(header::LOCATION, HeaderValue::from_static("/"));
    response.headers_mut().extend(HeaderValue::from_str(cookie).map(|cookie| (header::SET_COOKIE, cookie)));
    response
}
