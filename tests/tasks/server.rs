//! A server that answers each request with the next line of its script, and remembers what it was asked.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// A bound on waiting for what must come; nothing waits for it to pass.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// How one request is answered.
#[derive(Clone)]
pub enum Reply {
    /// Status line, headers and body; the length is added.
    Answer { status: u16, headers: Vec<(&'static str, String)>, body: Vec<u8> },
    /// The connection is closed without a byte.
    Drop,
    /// The head promises more than comes before the connection is closed.
    BreakOff,
    /// Nothing comes until the client leaves.
    Hang,
}

impl Reply {
    pub fn json(status: u16, body: &str) -> Self {
        Self::Answer { status, headers: Vec::new(), body: body.as_bytes().to_vec() }
    }

    pub fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        if let Self::Answer { headers, .. } = &mut self {
            headers.push((name, value.into()));
        }
        self
    }
}

/// A request as it arrived.
#[derive(Debug, Clone)]
pub struct Request {
    pub line: String,
    pub headers: Vec<String>,
    pub body: String,
    /// Connections are numbered from 1.
    pub connection: usize,
}

impl Request {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }
}

/// A running server; it stops when the process does.
pub struct Server {
    address: SocketAddr,
    requests: mpsc::Receiver<Request>,
    left: mpsc::Receiver<()>,
}

impl Server {
    /// Starts with a script; a request beyond its end is dropped. The account is told whenever it is asked for.
    pub fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let script = Arc::new(Mutex::new(script.into_iter().collect::<VecDeque<_>>()));
        let (requests_in, requests) = mpsc::channel();
        let (left_in, left) = mpsc::channel();
        std::thread::spawn(move || {
            for (number, stream) in listener.incoming().enumerate() {
                let (script, requests, left) = (Arc::clone(&script), requests_in.clone(), left_in.clone());
                std::thread::spawn(move || serve(stream.unwrap(), number + 1, &script, &requests, &left));
            }
        });
        Self { address, requests, left }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/api", self.address)
    }

    /// The next request, waited for.
    pub fn request(&self) -> Request {
        self.requests.recv_timeout(PATIENCE).expect("a request was due")
    }

    /// Requests that arrived and were not looked at.
    pub fn unseen(&self) -> Vec<Request> {
        self.requests.try_iter().collect()
    }

    /// Waits until the client has broken off a request that hangs.
    pub fn client_left(&self) -> bool {
        self.left.recv_timeout(PATIENCE).is_ok()
    }
}

/// An address where nobody listens.
pub fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}/api", listener.local_addr().unwrap())
}

fn serve(
    stream: TcpStream,
    connection: usize,
    script: &Mutex<VecDeque<Reply>>,
    requests: &mpsc::Sender<Request>,
    left: &mpsc::Sender<()>,
) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    while let Some(request) = read(&mut reader, connection) {
        // What asks for the account before a message leaves is in no script.
        let is_of_script = !request.line.starts_with("GET /api/user/me ");
        let reply = if is_of_script {
            // The test may be over by now.
            let _ = requests.send(request);
            script.lock().unwrap().pop_front().unwrap_or(Reply::Drop)
        } else {
            Reply::json(200, r#"{"email": "ada@example.com"}"#)
        };
        match reply {
            Reply::Answer { status, headers, body } => {
                let mut answer =
                    format!("HTTP/1.1 {status} Scripted\r\nContent-Length: {}\r\n", body.len()).into_bytes();
                for (name, value) in headers {
                    write!(answer, "{name}: {value}\r\n").unwrap();
                }
                answer.extend_from_slice(b"\r\n");
                answer.extend_from_slice(&body);
                if stream.write_all(&answer).is_err() {
                    return;
                }
            }
            Reply::Drop => break,
            Reply::BreakOff => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n[{\"id\"");
                break;
            }
            Reply::Hang => {
                let _ = reader.read(&mut [0]);
                let _ = left.send(());
                return;
            }
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}

fn read(reader: &mut BufReader<TcpStream>, connection: usize) -> Option<Request> {
    let line = |reader: &mut BufReader<TcpStream>| {
        let mut line = String::new();
        let count = reader.read_line(&mut line).ok()?;
        (count > 0).then(|| line.trim_end().to_owned())
    };
    let first = line(reader)?;
    let mut request = Request { line: first, headers: Vec::new(), body: String::new(), connection };
    loop {
        match line(reader)? {
            end if end.is_empty() => break,
            header => request.headers.push(header),
        }
    }
    let length = request.header("content-length").map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).unwrap();
    Some(request)
}
