//! Where a VMC stream is received, or where it is sent.

use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs, UdpSocket};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{LiveError, Result};

/// The port on which receivers of motion listen: a Marionette in the words of the protocol.
const DEFAULT_PORT: u16 = 39539;
/// This machine only.
const LOOPBACK: &str = "127.0.0.1";

/// An address of a VMC stream: `vmc`, `vmc:PORT`, `vmc:HOST` or `vmc:HOST:PORT`. The host is 127.0.0.1 and the port 39539 if they are left
/// out.
///
/// ```
/// use marey_live::vmc::VmcAddress;
/// assert_eq!("vmc:39540".parse::<VmcAddress>()?.to_string(), "vmc:127.0.0.1:39540");
/// assert_eq!("vmc:0.0.0.0".parse::<VmcAddress>()?.to_string(), "vmc:0.0.0.0:39539");
/// assert!("vmc:localhost:many".parse::<VmcAddress>().is_err());
/// # Ok::<(), marey_live::LiveError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct VmcAddress {
    host: String,
    port: u16,
}

impl VmcAddress {
    /// Whether a text means a VMC stream.
    pub fn is_meant_by(text: &str) -> bool {
        text == "vmc" || text.starts_with("vmc:")
    }

    /// A socket that receives from this address.
    pub(crate) fn listen(&self) -> Result<UdpSocket> {
        UdpSocket::bind((self.host.as_str(), self.port))
            .map_err(|error| LiveError::Listen { name: self.to_string(), error })
    }

    /// The first address of the host.
    pub(crate) fn resolve(&self) -> Result<SocketAddr> {
        let found = (self.host.as_str(), self.port).to_socket_addrs().and_then(|mut all| {
            let first = all.next();
            first.ok_or_else(|| std::io::Error::new(std::io::ErrorKind::NotFound, "the host has no address"))
        });
        found.map_err(|error| LiveError::Stream { name: self.to_string(), error })
    }
}

impl FromStr for VmcAddress {
    type Err = LiveError;

    fn from_str(text: &str) -> Result<Self> {
        let invalid = || LiveError::Address { text: text.to_owned() };
        let rest = match text.strip_prefix("vmc").ok_or_else(invalid)? {
            "" => "",
            rest => rest.strip_prefix(':').ok_or_else(invalid)?,
        };
        let (host, port) = match (rest.rsplit_once(':'), rest.parse::<u16>()) {
            // An IPv6 address has colons of its own, and brackets around it.
            (Some((host, port)), _) if !rest.ends_with(']') => (host, port.parse().map_err(|_| invalid())?),
            (_, Ok(port)) => (LOOPBACK, port),
            (_, Err(_)) => (rest, DEFAULT_PORT),
        };
        let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        Ok(Self { host: if host.is_empty() { LOOPBACK } else { host }.to_owned(), port })
    }
}

impl TryFrom<String> for VmcAddress {
    type Error = LiveError;

    fn try_from(text: String) -> Result<Self> {
        text.parse()
    }
}

impl From<VmcAddress> for String {
    fn from(address: VmcAddress) -> Self {
        address.to_string()
    }
}

impl fmt::Display for VmcAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "vmc:[{}]:{}", self.host, self.port),
            false => write!(f, "vmc:{}:{}", self.host, self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;

    #[test]
    fn host_and_port_have_defaults_and_read_back() {
        for (text, whole) in [
            ("vmc", "vmc:127.0.0.1:39539"),
            ("vmc:", "vmc:127.0.0.1:39539"),
            ("vmc:40000", "vmc:127.0.0.1:40000"),
            ("vmc:studio.local", "vmc:studio.local:39539"),
            ("vmc:10.0.0.7:39540", "vmc:10.0.0.7:39540"),
            ("vmc::39540", "vmc:127.0.0.1:39540"),
            ("vmc:[::1]", "vmc:[::1]:39539"),
            ("vmc:[::1]:7", "vmc:[::1]:7"),
        ] {
            let address: VmcAddress = text.parse().unwrap();
            assert_eq!(address.to_string(), whole);
            assert_eq!(whole.parse::<VmcAddress>().unwrap(), address);
        }
        for text in ["", "vm", "vmcs", "tcp:1", "vmc:host:70000", "vmc:host:"] {
            assert_eq!(text.parse::<VmcAddress>().unwrap_err().code().id, "live/address", "{text}");
        }
    }

    #[test]
    fn a_port_that_is_taken_is_an_error() {
        let first = "vmc:0".parse::<VmcAddress>().unwrap().listen().unwrap();
        let port = first.local_addr().unwrap().port();
        let second = format!("vmc:{port}").parse::<VmcAddress>().unwrap().listen().unwrap_err();
        assert_eq!(second.code().id, "live/listen");
    }
}
