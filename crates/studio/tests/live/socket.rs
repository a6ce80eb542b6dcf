//! A WebSocket client.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use crate::support::client::Client;

/// A connected WebSocket.
pub(crate) struct Socket {
    pub(crate) stream: TcpStream,
    /// Bytes after the last message.
    unread: Vec<u8>,
}

impl Client {
    /// The head of a request to watch a live session, as the page sends it.
    pub(crate) fn upgrade(&self, path: &str) -> String {
        let Self { address, cookie } = self;
        format!(
            "GET {path} HTTP/1.1\r\nhost: {address}\r\norigin: http://{address}\r\ncookie: {cookie}\r\n\
             connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
             sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
    }

    /// Watches a live session.
    pub(crate) fn watch(&self, number: u64) -> Socket {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream.write_all(self.upgrade(&format!("/api/live/{number}")).as_bytes()).unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0]);
        }
        let head = String::from_utf8(head).unwrap();
        assert!(head.starts_with("HTTP/1.1 101"), "{head}");
        Socket { stream, unread: Vec::new() }
    }
}

impl Socket {
    /// Sends a text, masked as the protocol requires of clients.
    pub(crate) fn send(&mut self, text: &str) {
        self.stream.write_all(&frame(0x81, text.as_bytes())).unwrap();
    }

    /// The next message: its opcode (1 text, 2 bytes, 8 close) and content; `None` if the connection is closed.
    pub(crate) fn next(&mut self) -> Option<(u8, Vec<u8>)> {
        loop {
            if let Some((kind, start, length)) = header(&self.unread)
                && self.unread.len() >= start + length
            {
                let rest = self.unread.split_off(start + length);
                let message = std::mem::replace(&mut self.unread, rest).split_off(start);
                return Some((kind, message));
            }
            let mut more = vec![0; 1 << 16];
            let count = self.stream.read(&mut more).ok().filter(|count| *count > 0)?;
            self.unread.extend_from_slice(&more[..count]);
        }
    }
}

/// The opcode of a message, and the start and length of its content.
fn header(bytes: &[u8]) -> Option<(u8, usize, usize)> {
    let kind = bytes.first()? & 15;
    match bytes.get(1)? & 127 {
        126 => Some((kind, 4, usize::from(u16::from_be_bytes(bytes.get(2..4)?.try_into().ok()?)))),
        127 => Some((kind, 10, u64::from_be_bytes(bytes.get(2..10)?.try_into().ok()?) as usize)),
        short => Some((kind, 2, usize::from(short))),
    }
}

/// A frame of a client: its first byte and its content.
pub(crate) fn frame(first: u8, content: &[u8]) -> Vec<u8> {
    let mut bytes = vec![first];
    match content.len() {
        short @ ..126 => bytes.push(0x80 | short as u8),
        middle @ ..65_536 => {
            bytes.push(0x80 | 126);
            bytes.extend((middle as u16).to_be_bytes());
        }
        long => {
            bytes.push(0x80 | 127);
            bytes.extend((long as u64).to_be_bytes());
        }
    }
    let mask = [1, 2, 3, 4];
    bytes.extend(mask);
    bytes.extend(content.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
    bytes
}
