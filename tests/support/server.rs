//! The embedded service on a thread of its own, to be stopped and started again.

use super::story::PATIENCE;
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use switchboard::api::{Channel, Token};
use switchboard::service::world::World;
use switchboard::service::{self, Clock, Data, Running};
use tokio::runtime::Runtime;

/// A user with a balance, whose only sender has one template.
pub const SENDER_WORLD: &str = r#"
[[users]]
email = "ada@example.com"
tokens = ["token-of-ada"]
balance = 241.2
[[users.assistants]]
name = "Reception"
[[users.senders]]
phone_number = "+14155550100"
display_name = "Acme Support"
assistant = "Reception"
[[users.senders.templates]]
name = "reminder"
body_text = "See you on {{1}}."
variables = ["date"]
"#;

/// The service, or the place where it was.
pub struct Server {
    world: World,
    pub channel: Channel,
    pub clock: Clock,
    pub address: SocketAddr,
    pub token: Token,
    pub account: Option<String>,
    up: Option<(Runtime, Running)>,
}

impl Server {
    /// A service that stands at this world and this time. Simulated people live in it as its clock is moved on.
    pub fn start(world: &str, clock: Clock) -> Self {
        Self::speaking(Channel::default(), world, clock)
    }

    /// The same, with this word for its messaging channel.
    pub fn speaking(channel: Channel, world: &str, clock: Clock) -> Self {
        let world = World::parse(world).unwrap();
        let free = ([127, 0, 0, 1], 0).into();
        let mut server =
            Self { world, channel, clock, address: free, token: Token::new("none"), account: None, up: None };
        server.restart();
        server
    }

    /// Starts it, at the address it had before.
    pub fn restart(&mut self) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let world = Some(self.world.clone());
        let options = service::Options {
            listen: self.address,
            data: Data::Memory,
            world,
            sandbox: true,
            channel: self.channel.clone(),
            trusted_proxies: Vec::new(),
        };
        let running = runtime.block_on(service::start_at(options, self.clock.clone())).unwrap();
        let origin = running.base_url.strip_prefix("http://").and_then(|rest| rest.strip_suffix("/api"));
        self.address = origin.unwrap().parse().unwrap();
        self.token = running.first_token.clone().unwrap();
        self.account.clone_from(&running.account_email);
        self.up = Some((runtime, running));
    }

    /// Ends it in the middle of whatever it does.
    pub fn stop(&mut self) {
        if let Some((runtime, running)) = self.up.take() {
            drop(running);
            runtime.shutdown_timeout(PATIENCE);
        }
    }

    pub fn base_url(&self) -> String {
        format!("http://{}/api", self.address)
    }

    /// Afflicts the next requests: `{"path", "status"?, "latency_ms"?, "drop"?, "count"}`, or `{"clear": true}`.
    pub fn fault(&self, fault: &serde_json::Value) {
        self.control("faults", fault);
    }

    /// Uses a control of the sandbox.
    pub fn control(&self, name: &str, body: &serde_json::Value) {
        self.request(&format!("POST /sandbox/{name}"), body);
    }

    /// What is at this path below the base URL.
    pub fn get(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(&self.answer(&format!("GET /api{path}"), "")).unwrap()
    }

    /// Makes a request beside the app, such as `PUT /api/user/assistant/1`; it must be answered with 200.
    pub fn request(&self, what: &str, body: &serde_json::Value) {
        self.answer(what, &body.to_string());
    }

    /// Creates something beside the app: the path is below the base URL.
    pub fn create(&self, path: &str, body: &serde_json::Value) {
        let (status, answer) = self.exchange(&format!("POST /api{path}"), &body.to_string());
        assert_eq!(status, 201, "{answer}");
    }

    /// The body of the answer to a request beside the app, which is answered with 200.
    fn answer(&self, what: &str, body: &str) -> String {
        let (status, answer) = self.exchange(what, body);
        assert_eq!(status, 200, "{answer}");
        answer
    }

    /// Status and body of the answer to a request beside the app.
    pub fn exchange(&self, what: &str, body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        // In HTTP/1.0 no body comes in chunks.
        write!(
            stream,
            "{what} HTTP/1.0\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
            self.address,
            self.token.expose(),
            body.len()
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head["HTTP/1.0 ".len()..][..3].parse().unwrap(), body.to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}
