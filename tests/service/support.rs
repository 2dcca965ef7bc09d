//! A service with a small world, and callers who talk to it over HTTP.

use crate::contract;
use jiff::Timestamp;
use reqwest::{Client, Method, RequestBuilder, Response};
use serde_json::{Value, json};
use switchboard::api::Channel;
use switchboard::service::world::World;
use switchboard::service::{Clock, Data, Options, Running, openapi_document, start_at};

pub const ADA: &str = "token-of-ada";
pub const BOB: &str = "token-of-bob";

/// Ada's assistants are 1 (outbound), 2 (chat) and 3 (outbound); Bob's is 4. Ada's senders are 1 and 2, Bob's is 3;
/// nobody answers on 2.
pub const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
tokens = ["token-of-ada"]
[[users.assistants]]
name = "Reception"
timezone = "Europe/Berlin"
variables = { company = "Acme" }
[[users.assistants]]
name = "受付"
type = "chat"
[[users.assistants]]
name = "Sales"
mode = "multimodal"
status = "inactive"
[[users.senders]]
phone_number = "+14155550100"
display_name = "Acme Support"
assistant = "Reception"
[[users.senders]]
phone_number = "+14155550101"

[[users]]
email = "bob@example.com"
tokens = ["token-of-bob"]
[[users.assistants]]
name = "Bob's"
[[users.senders]]
phone_number = "+14155550102"
assistant = "Bob's"
"#;

pub fn noon() -> Timestamp {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

pub struct Service {
    pub running: Running,
    http: Client,
    document: Value,
}

impl Service {
    /// A sandbox at a clock that stands at noon: nothing happens in it unless the test makes it.
    pub async fn sandbox() -> Self {
        Self::with(Options { sandbox: true, ..options(WORLD) }).await
    }

    pub async fn with(options: Options) -> Self {
        Self::at(options, Clock::fixed(noon())).await
    }

    /// With a clock in the test's own hand.
    pub async fn at(options: Options, clock: Clock) -> Self {
        let document = openapi_document(&options.channel, true);
        Self { running: start_at(options, clock).await.unwrap(), http: client(), document }
    }

    pub fn root(&self) -> &str {
        self.running.base_url.strip_suffix("/api").unwrap()
    }

    /// A request with a token; the path begins at the root of the server.
    pub fn request(&self, method: Method, token: &str, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.root())).bearer_auth(token)
    }

    /// Sends a request and holds the answer against the service's own description.
    async fn answer(&self, request: RequestBuilder) -> Answer {
        let request = request.build().unwrap();
        let (method, path) = (request.method().clone(), request.url().path().to_owned());
        let answer = Answer::of(self.http.execute(request).await.unwrap()).await;
        contract::check(&self.document, &method, &path, answer.status, &answer.body);
        answer
    }

    pub async fn get(&self, token: &str, path: &str) -> Answer {
        self.answer(self.request(Method::GET, token, &format!("/api{path}"))).await
    }

    pub async fn post(&self, token: &str, path: &str, body: Value) -> Answer {
        self.answer(self.request(Method::POST, token, path).json(&body)).await
    }

    pub async fn put(&self, token: &str, path: &str, body: Value) -> Answer {
        self.answer(self.request(Method::PUT, token, &format!("/api{path}")).json(&body)).await
    }

    /// Sends a form: fields, and a file with its name.
    pub async fn upload(
        &self,
        token: &str,
        path: &str,
        fields: &[(&str, &str)],
        file: Option<(&str, &[u8])>,
    ) -> Answer {
        let mut body = Vec::new();
        for (name, value) in fields {
            body.extend(
                format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes(),
            );
        }
        if let Some((name, content)) = file {
            let head = format!("--edge\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n");
            body.extend(head.bytes());
            body.extend_from_slice(content);
            body.extend(b"\r\n");
        }
        body.extend(b"--edge--\r\n");
        let request = self.request(Method::POST, token, &format!("/api{path}"));
        let request = request.header("Content-Type", "multipart/form-data; boundary=edge").body(body);
        self.answer(request).await
    }

    pub async fn delete(&self, token: &str, path: &str) -> Answer {
        self.answer(self.request(Method::DELETE, token, &format!("/api{path}"))).await
    }

    /// A customer of Ada writes to her first sender.
    pub async fn customer_writes(&self, phone: &str, text: &str) -> Answer {
        let body = json!({"sender_id": 1, "customer_phone": phone, "text": text, "customer_name": "Zoë"});
        self.post(ADA, "/sandbox/inbound-message", body).await
    }

    pub async fn advance(&self, seconds: u64) {
        let answer = self.post(ADA, "/sandbox/clock", json!({"advance_seconds": seconds})).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

pub fn client() -> Client {
    // Building a client wants one even where nothing is encrypted; whichever test comes first installs it.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Client::new()
}

pub fn options(world: &str) -> Options {
    Options {
        listen: "127.0.0.1:0".parse().unwrap(),
        data: Data::Memory,
        world: Some(World::parse(world).unwrap()),
        sandbox: false,
        channel: Channel::default(),
        trusted_proxies: Vec::new(),
    }
}

/// A status and a JSON body.
#[derive(Debug, PartialEq)]
pub struct Answer {
    pub status: u16,
    pub body: Value,
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        let kind = response.headers().get("content-type").map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(kind.as_deref(), Some("application/json"), "every answer is JSON");
        Self { status: response.status().as_u16(), body: response.json().await.unwrap() }
    }

    pub fn is(self, status: u16) -> Value {
        assert_eq!(self.status, status, "{}", self.body);
        self.body
    }
}

/// The names of the fields of an object, in their order.
pub fn fields(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}
