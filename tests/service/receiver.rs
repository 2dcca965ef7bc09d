//! A receiver of webhooks: it keeps what it is sent and answers as it is told.

use crate::support::{ADA, Answer, Service, WORLD, options};
use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use reqwest::Method;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use switchboard::service::{Data, Options};
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

pub struct Received {
    pub path: String,
    pub headers: HeaderMap,
    pub text: String,
}

impl Received {
    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap()
    }
}

/// What the receiver answers: a status, a redirect, or nothing at all.
#[derive(Clone)]
pub enum Reaction {
    Status(u16),
    Redirect(String),
    Silence,
}

#[derive(Clone)]
struct Shared {
    came: UnboundedSender<Received>,
    script: Arc<Mutex<VecDeque<Reaction>>>,
}

pub struct Receiver {
    pub url: String,
    came: UnboundedReceiver<Received>,
    script: Arc<Mutex<VecDeque<Reaction>>>,
}

impl Receiver {
    /// It answers 200 unless it is told otherwise.
    pub async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook?x=1", listener.local_addr().unwrap());
        let (sender, came) = unbounded_channel();
        let script = Arc::new(Mutex::new(VecDeque::new()));
        let router = Router::new().fallback(receive).with_state(Shared { came: sender, script: Arc::clone(&script) });
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { url, came, script }
    }

    /// What it answers next, once each.
    pub fn will(&self, reactions: impl IntoIterator<Item = Reaction>) {
        self.script.lock().unwrap().extend(reactions);
    }

    pub async fn next(&mut self) -> Received {
        self.came.recv().await.unwrap()
    }

    pub fn nothing_came(&mut self) -> bool {
        self.came.try_recv().is_err()
    }
}

async fn receive(State(shared): State<Shared>, uri: Uri, headers: HeaderMap, body: Bytes) -> Response {
    let text = String::from_utf8(body.to_vec()).unwrap();
    shared.came.send(Received { path: uri.to_string(), headers, text }).unwrap();
    let reaction = shared.script.lock().unwrap().pop_front();
    match reaction {
        None => StatusCode::OK.into_response(),
        Some(Reaction::Status(status)) => StatusCode::from_u16(status).unwrap().into_response(),
        Some(Reaction::Redirect(to)) => (StatusCode::TEMPORARY_REDIRECT, [("location", to)]).into_response(),
        Some(Reaction::Silence) => std::future::pending().await,
    }
}

/// A sandbox on a file, whose assistants can be given receivers.
pub struct Told {
    pub service: Service,
    pub path: PathBuf,
    pub folder: tempfile::TempDir,
}

impl Told {
    pub async fn sandbox() -> Self {
        Self::with(options(WORLD)).await
    }

    pub async fn with(options: Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.db");
        let service = Service::with(Options { data: Data::File(path.clone()), sandbox: true, ..options }).await;
        Self { service, path, folder }
    }

    /// The chats of an assistant are told of there when they end.
    pub async fn tell(&self, token: &str, assistant_id: i64, url: &str) {
        let body = json!({"assistant_id": assistant_id, "webhook_url": url});
        self.service.post(token, "/api/user/assistants/enable-conversation-ended-webhook", body).await.is(200);
    }

    /// A chat of a customer of Ada, which has ended.
    pub async fn ended_chat(&self, phone: &str) -> String {
        self.service.customer_writes(phone, "Hallo").await.is(200);
        let id = self.newest(ADA).await;
        self.end(ADA, &id).await;
        id
    }

    pub async fn newest(&self, token: &str) -> String {
        let page = self.service.get(token, "/user/conversations?per_page=1").await.is(200);
        page["data"][0]["id"].as_str().unwrap().to_owned()
    }

    pub async fn end(&self, token: &str, id: &str) {
        self.service.post(token, "/sandbox/end-conversation", json!({"conversation_id": id})).await.is(200);
    }

    pub async fn deliveries(&self, token: &str) -> Vec<Value> {
        let request = self.service.request(Method::GET, token, "/sandbox/deliveries");
        let list = Answer::of(request.send().await.unwrap()).await.is(200);
        list["data"].as_array().unwrap().clone()
    }

    /// The newest delivery, once it has been tried so often.
    pub async fn tried(&self, attempts: u64) -> Value {
        loop {
            let newest = self.deliveries(ADA).await.remove(0);
            if newest["attempts"] == attempts {
                return newest;
            }
        }
    }
}
