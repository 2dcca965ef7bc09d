//! The request of a tool, sent once from this machine. It never carries the platform's token and follows no redirect.

use super::cause::{self, spell};
use super::mask::{self, MASK};
use super::masked_headers;
use super::transport::builder;
use crate::api::{ToolHeader, ToolMethod};
use reqwest::Method;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use std::fmt;
use std::time::{Duration, Instant};
use url::Url;

/// Bytes of the answer's body that are read at most.
pub const BODY_MAX: usize = 256 * 1024;
/// Secrets shorter than this are not looked for in the answer: the letters of a short one occur by chance.
const ECHO_MIN: usize = 6;

/// A request to the endpoint of a tool.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Trial {
    /// The method.
    pub method: ToolMethod,
    /// The endpoint, with the parameters that go into its query.
    pub url: Url,
    /// What the tool sends along.
    pub headers: Vec<ToolHeader>,
    /// A JSON body.
    pub body: Option<String>,
    /// For the whole of it, in seconds.
    pub timeout: u64,
}

impl fmt::Debug for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (method, host) = (self.method.as_str(), self.url.host_str());
        f.debug_struct("Trial").field("method", &method).field("host", &host).finish_non_exhaustive()
    }
}

/// What came of a trial.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tried {
    /// From the first byte sent to the last byte read.
    pub took: Duration,
    /// The answer, or why there is none, for people.
    pub answer: Result<TrialAnswer, String>,
}

/// The answer of an endpoint, with its secrets masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrialAnswer {
    /// The HTTP status.
    pub status: u16,
    /// E.g. `HTTP/1.1 200 OK`.
    pub status_line: String,
    /// Names and values, in the order received.
    pub headers: Vec<(String, String)>,
    /// The body as text, at most its first 256 KiB; what is not UTF-8 is replaced.
    pub body: String,
    /// True where the end of the body was not read.
    pub is_cut: bool,
}

impl Trial {
    /// True where it only reads, by its method.
    pub fn is_read(&self) -> bool {
        self.method == ToolMethod::Get
    }

    /// Sends it, once.
    pub async fn send(&self) -> Tried {
        let began = Instant::now();
        let answer = self.exchange().await;
        Tried { took: began.elapsed(), answer }
    }

    async fn exchange(&self) -> Result<TrialAnswer, String> {
        let limit = Duration::from_secs(self.timeout);
        let http = builder(&self.url, limit, limit).build().map_err(|error| error.to_string())?;
        let method = Method::from_bytes(self.method.as_str().as_bytes()).map_err(|error| error.to_string())?;
        let mut request = http.request(method, self.url.clone()).headers(self.header_map()?);
        if let Some(body) = &self.body {
            request = request.body(body.clone());
        }
        let failed = |error: reqwest::Error| {
            if error.is_timeout() {
                format!("no answer within the tool's timeout of {}", spell(limit))
            } else {
                cause::root_cause(&error)
            }
        };
        let mut response = request.send().await.map_err(failed)?;
        let (status, headers) = (response.status(), masked_headers(response.headers()));
        let mut body = Vec::new();
        let mut is_cut = false;
        while let Some(chunk) = response.chunk().await.map_err(failed)? {
            let room = BODY_MAX - body.len();
            body.extend_from_slice(&chunk[..chunk.len().min(room)]);
            if chunk.len() > room {
                is_cut = true;
                break;
            }
        }
        let mut body = mask::body(&String::from_utf8_lossy(&body));
        for header in self.headers.iter().filter(|header| header.is_secret() && header.value.len() >= ECHO_MIN) {
            body = body.replace(&header.value, MASK);
        }
        let status_line = format!("{:?} {status}", response.version());
        Ok(TrialAnswer { status: status.as_u16(), status_line, headers, body, is_cut })
    }

    fn header_map(&self) -> Result<HeaderMap, String> {
        let mut headers = HeaderMap::new();
        for ToolHeader { name, value } in &self.headers {
            let wrong = || format!("the header {name} cannot be sent");
            let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| wrong())?;
            let mut value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| wrong())?;
            value.set_sensitive(true);
            headers.append(name, value);
        }
        if self.body.is_some() && !headers.contains_key(CONTENT_TYPE) {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        }
        Ok(headers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    fn trial(port: u16, timeout: u64) -> Trial {
        let header = |name: &str, value: &str| ToolHeader { name: name.to_owned(), value: value.to_owned() };
        Trial {
            method: ToolMethod::Post,
            url: format!("http://127.0.0.1:{port}/x?a=1").parse().unwrap(),
            headers: vec![header("X-Api-Key", "very-secret"), header("Accept", "*/*")],
            body: Some("{\"a\":1}".to_owned()),
            timeout,
        }
    }

    /// Answers one request with these bytes, and returns the request.
    fn answering(answer: &'static [u8]) -> (u16, std::thread::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let thread = std::thread::spawn(move || {
            let mut stream = listener.accept().unwrap().0;
            let mut request = String::new();
            let mut buffer = [0; 4096];
            while !request.ends_with('}') {
                let read = stream.read(&mut buffer).unwrap();
                request.push_str(&String::from_utf8_lossy(&buffer[..read]));
            }
            // The other side may have read enough.
            let _ = stream.write_all(answer);
            request
        });
        (port, thread)
    }

    #[tokio::test]
    async fn request_is_sent_as_the_tool_says_and_secrets_come_back_masked() {
        let answer = b"HTTP/1.1 201 Created\r\nset-cookie: a=b\r\ncontent-length: 48\r\n\r\n\
                       {\"token\": \"abc\", \"echo\": \"key very-secret there\"}";
        let (port, thread) = answering(answer);
        let tried = trial(port, 5).send().await;
        let request = thread.join().unwrap().to_ascii_lowercase();
        assert!(request.starts_with("post /x?a=1 http/1.1"), "{request}");
        assert!(request.contains("x-api-key: very-secret") && request.contains("content-type: application/json"));
        assert!(!request.contains("authorization"), "the platform's token stays here");
        let answer = tried.answer.unwrap();
        assert_eq!((answer.status, &*answer.status_line), (201, "HTTP/1.1 201 Created"));
        assert!(!format!("{answer:?}").contains("very-secret") && !answer.body.contains("abc"), "{answer:?}");
    }

    #[tokio::test]
    async fn redirect_is_not_followed() {
        let answer = b"HTTP/1.1 302 Found\r\nlocation: http://elsewhere.example/?k=v\r\ncontent-length: 0\r\n\r\n";
        let (port, thread) = answering(answer);
        let answer = trial(port, 5).send().await.answer.unwrap();
        thread.join().unwrap();
        assert_eq!(answer.status, 302);
        assert!(answer.headers.contains(&("location".to_owned(), "http://elsewhere.example/?•••".to_owned())));
    }

    #[tokio::test]
    async fn long_body_is_cut() {
        static LONG: std::sync::LazyLock<Vec<u8>> =
            std::sync::LazyLock::new(|| [&b"HTTP/1.1 200 OK\r\n\r\n"[..], &vec![b'x'; BODY_MAX + 4096]].concat());
        let (port, thread) = answering(&LONG);
        let answer = trial(port, 5).send().await.answer.unwrap();
        thread.join().unwrap();
        assert_eq!((answer.body.len(), answer.is_cut), (BODY_MAX, true));
    }

    #[tokio::test]
    async fn tool_s_own_timeout_ends_it() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let tried = trial(listener.local_addr().unwrap().port(), 1).send().await;
        assert_eq!(tried.answer.unwrap_err(), "no answer within the tool's timeout of 1 s");
    }

    #[test]
    fn trial_is_logged_without_its_secrets() {
        let text = format!("{:?}", trial(1, 1));
        assert!(!text.contains("very-secret") && !text.contains("a=1"), "{text}");
    }
}
