//! An HTTP client.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// A client with access.
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) cookie: String,
}

impl Client {
    /// Opens a link.
    pub(crate) fn enter(address: SocketAddr, link: &str) -> Self {
        let mut client = Self { address, cookie: String::new() };
        let query = link.split_once("/?").unwrap().1;
        let request = format!("GET /?{query} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n");
        let response = client.raw(request.as_bytes(), false);
        assert_eq!(response.status, 303, "{}", response.text());
        let cookie = response.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        client.cookie = cookie.split(';').next().unwrap().to_owned();
        client
    }

    /// Sends raw bytes and reads until the server closes the connection. `close_sending` closes
    /// the sending side after them.
    pub(crate) fn raw(&self, bytes: &[u8], close_sending: bool) -> Response {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        // The server may close the connection earlier.
        let _ = stream.write_all(bytes);
        if close_sending {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut all = Vec::new();
        let _ = stream.read_to_end(&mut all);
        Response::of(&all)
    }

    /// Sends a request as the page does.
    pub(crate) fn send(&self, method: &str, path: &str, kind: &str, body: &[u8]) -> Response {
        let Self { address, cookie } = self;
        let mut bytes = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\ncookie: {cookie}\r\n\
             content-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
            body.len()
        )
        .into_bytes();
        bytes.extend_from_slice(body);
        self.raw(&bytes, false)
    }

    pub(crate) fn get(&self, path: &str) -> Response {
        self.send("GET", path, "text/plain", b"")
    }

    pub(crate) fn post(&self, path: &str, json: &str) -> Response {
        self.send("POST", path, "application/json", json.as_bytes())
    }
}

/// A response.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Response {
    fn of(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).unwrap_or(0);
        Self { status, head, body: bytes[(end + 4).min(bytes.len())..].to_vec() }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }
}
