//! A proxy between a client and the service that breaks connections where it is told to.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::time::Duration;

/// What happens to a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Nothing: it is passed on, and so is its answer.
    None,
    /// The connection is closed at its first byte; nothing is passed on.
    BeforeHead,
    /// The connection is closed after its head, which is passed on.
    BeforeBody,
    /// The connection is closed in the middle of its body, which is passed on so far.
    DuringBody,
    /// All of it is passed on, and both connections are closed at once.
    AfterBody,
    /// All of it is passed on, and the connection is closed when the answer is there.
    BeforeAnswer,
    /// The connection is closed after the head of the answer.
    AfterAnswerHead,
    /// The answer is held back so long.
    Late(Duration),
    /// It is read and not passed on; the answer is this status with a message of the API.
    Answer(u16),
    /// The same, with a code of the API.
    Coded(u16, &'static str),
}

impl Fault {
    /// Every kind that breaks a connection.
    pub const BREAKS: [Self; 6] = [
        Self::BeforeHead,
        Self::BeforeBody,
        Self::DuringBody,
        Self::AfterBody,
        Self::BeforeAnswer,
        Self::AfterAnswerHead,
    ];
}

/// A running proxy; it stops when the process does.
pub struct Proxy {
    address: SocketAddr,
}

impl Proxy {
    /// A proxy of the service at this address; `fault` is asked for each write.
    pub fn start(service: SocketAddr, fault: impl Fn() -> Fault + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let fault = Arc::new(fault);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let fault = Arc::clone(&fault);
                std::thread::spawn(move || {
                    let client = stream.unwrap();
                    let service = TcpStream::connect(service).unwrap();
                    // Whatever breaks ends both sides.
                    let _ = pass(&client, &service, &*fault);
                    let _ = client.shutdown(Shutdown::Both);
                    let _ = service.shutdown(Shutdown::Both);
                });
            }
        });
        Self { address }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/api", self.address)
    }
}

/// Passes requests and answers on until a fault or an end.
fn pass(mut client: &TcpStream, mut service: &TcpStream, fault: &dyn Fn() -> Fault) -> io::Result<()> {
    loop {
        let mut first = [0];
        client.read_exact(&mut first)?;
        // Reads pass.
        let fault = if first == *b"P" { fault() } else { Fault::None };
        if fault == Fault::BeforeHead {
            return Ok(());
        }
        let head = head(client, first[0])?;
        let answer = match fault {
            Fault::Answer(status) => Some((status, r#"{"message": "No."}"#.to_owned())),
            Fault::Coded(status, code) => {
                Some((status, format!(r#"{{"success": false, "error": "No.", "error_code": "{code}"}}"#)))
            }
            _ => None,
        };
        if let Some((status, said)) = answer {
            body(client, &head)?;
            let head = format!("HTTP/1.1 {status} Turned away\r\nContent-Length: {}\r\n\r\n{said}", said.len());
            client.write_all(head.as_bytes())?;
            continue;
        }
        service.write_all(&head)?;
        if fault == Fault::BeforeBody {
            return Ok(());
        }
        let body = body(client, &head)?;
        if fault == Fault::DuringBody {
            return service.write_all(&body[..body.len() / 2]);
        }
        service.write_all(&body)?;
        if fault == Fault::AfterBody {
            return Ok(());
        }
        service.read_exact(&mut first)?;
        let head = self::head(service, first[0])?;
        let body = self::body(service, &head)?;
        match fault {
            Fault::BeforeAnswer => return Ok(()),
            Fault::AfterAnswerHead => return client.write_all(&head),
            Fault::Late(wait) => std::thread::sleep(wait),
            _ => {}
        }
        client.write_all(&head)?;
        client.write_all(&body)?;
    }
}

/// The rest of a head, with its empty line.
fn head(mut from: &TcpStream, first: u8) -> io::Result<Vec<u8>> {
    let mut head = vec![first];
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        from.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    Ok(head)
}

/// The body that a head announces.
fn body(mut from: &TcpStream, head: &[u8]) -> io::Result<Vec<u8>> {
    let head = String::from_utf8_lossy(head).to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    let mut body = vec![0; length.map_or(0, |length| length.trim().parse().unwrap())];
    from.read_exact(&mut body)?;
    Ok(body)
}
