//! The service is killed under load, again and again: nothing that it acknowledged is lost, and nothing is half done.

use crate::receiver::Receiver;
use crate::serve::{Served, world};
use crate::support::{ADA, WORLD, client};
use reqwest::Client;
use rusqlite::{Connection, OptionalExtension, params};
use rustix::process::Signal;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::JoinSet;
use uuid::Uuid;

const KILLS: usize = 8;
/// The balance in millionths: enough for every reply.
const BALANCE: i64 = 1_000_000_000;

/// Something that the service said it has done.
#[derive(Debug)]
enum Done {
    Key(String),
    Written { message_id: i64, text: String },
    Said { conversation: String, text: String },
    Ended(String),
}

/// A caller that goes on until the service is gone.
#[derive(Clone)]
struct Load {
    http: Client,
    root: String,
    done: UnboundedSender<Done>,
    /// Makes each text and phone number another one, over all kills.
    count: Arc<AtomicU64>,
}

impl Load {
    async fn post(&self, path: &str, body: Value) -> Option<Value> {
        let request = self.http.post(format!("{}{path}", self.root)).bearer_auth(ADA).json(&body);
        let response = request.send().await.ok()?;
        let status = response.status();
        let body: Value = response.json().await.ok()?;
        assert!(status.is_success(), "{status} {body}");
        Some(body)
    }

    fn next(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed)
    }

    fn tell(&self, done: Done) {
        self.done.send(done).unwrap();
    }

    async fn makes_keys(self) -> Option<()> {
        loop {
            let made = self.post("/api/user/api-keys", json!({"name": "load"})).await?;
            self.tell(Done::Key(made["api_key"]["token"].as_str()?.to_owned()));
        }
    }

    async fn writes(self) -> Option<()> {
        loop {
            let number = self.next();
            let (phone, text) = (format!("+4930{:07}", number % 40), format!("message {number}"));
            let body = json!({"sender_id": 1, "customer_phone": phone, "text": text});
            let written = self.post("/sandbox/inbound-message", body).await?;
            self.tell(Done::Written { message_id: written["message_id"].as_i64()?, text });
        }
    }

    /// As fast as it may, and faster: what is refused is not acknowledged.
    async fn sends(self) -> Option<()> {
        loop {
            let number = self.next();
            let (phone, text) = (format!("+4930{:07}", number % 40), format!("sale {number}"));
            let body = json!({
                "sender_id": 1, "template_id": 1, "recipient_phone": phone, "variables": {"what": text}
            });
            let request = self.http.post(format!("{}/api/user/msgapp/send", self.root)).bearer_auth(ADA).json(&body);
            let response = request.send().await.ok()?;
            let status = response.status().as_u16();
            let sent: Value = response.json().await.ok()?;
            match status {
                200 => self.tell(Done::Written { message_id: sent["message_id"].as_i64()?, text }),
                429 => {}
                _ => panic!("{status} {sent}"),
            }
        }
    }

    async fn chats(self, assistant: String) -> Option<()> {
        loop {
            let started = json!({"assistant_id": assistant, "type": "widget"});
            let started = self.post("/api/conversations", started).await?;
            let conversation = started["conversation_id"].as_str()?.to_owned();
            for _ in 0..3 {
                let text = format!("chat {}", self.next());
                self.post(&format!("/api/conversations/{conversation}/messages"), json!({"message": text})).await?;
                self.tell(Done::Said { conversation: conversation.clone(), text });
            }
            self.post("/sandbox/end-conversation", json!({"conversation_id": conversation})).await?;
            self.tell(Done::Ended(conversation));
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_under_load_it_has_all_that_it_acknowledged_and_nothing_by_halves() {
    let mut receiver = Receiver::start().await;
    let second = "[[users.senders]]\nphone_number = \"+14155550101\"";
    let template = "[[users.senders.templates]]\nname = \"sale\"\nbody_text = \"{{1}}\"\nvariables = [\"what\"]\n";
    let rich = WORLD.replacen("tokens =", "balance = 1000\ntokens =", 1);
    let (folder, file) = world(&rich.replacen(second, &format!("{template}{second}"), 1));
    let data = folder.path().join("data.db");
    let args = ["--listen", "127.0.0.1:0", "--sandbox", "--data", data.to_str().unwrap(), "--world"];
    let args = [&args[..], &[file.to_str().unwrap()]].concat();
    let (count, mut all) = (Arc::new(AtomicU64::new(0)), Vec::new());
    let seed = fastrand::u64(..);
    let http = client();
    let mut random = fastrand::Rng::with_seed(seed);

    for kill in 0..=KILLS {
        let mut served = Served::start(&args);
        let root = served.ready("SWITCHBOARD_BASE_URL").strip_suffix("/api").unwrap().to_owned();
        let database = Connection::open(&data).unwrap();
        audit(&database, &all);
        let keys = all.iter().filter_map(|done| if let Done::Key(token) = done { Some(token) } else { None });
        for token in keys.rev().take(50) {
            let request = http.get(format!("{root}/api/user/assistants/outbound")).bearer_auth(token);
            assert_eq!(request.send().await.unwrap().status(), 200, "a key is lost (seed {seed})");
        }
        if kill == KILLS {
            all_arrive(&database, &mut receiver).await;
            assert_eq!(served.end(Signal::TERM).0, Some(0));
            break;
        }
        let assistant = "SELECT lower(hex(uuid)) FROM assistants WHERE id = 1";
        let assistant: String = database.query_row(assistant, [], |row| row.get(0)).unwrap();

        let (done, mut acknowledged) = unbounded_channel();
        let load = Load { http: http.clone(), root, done, count: Arc::clone(&count) };
        let told = json!({"assistant_id": 1, "webhook_url": receiver.url});
        load.post("/api/user/assistants/enable-conversation-ended-webhook", told).await.unwrap();
        let mut callers = JoinSet::new();
        callers.spawn(load.clone().makes_keys());
        callers.spawn(load.clone().writes());
        callers.spawn(load.clone().writes());
        callers.spawn(load.clone().sends());
        callers.spawn(load.clone().chats(assistant.clone()));
        callers.spawn(load.chats(assistant));
        for _ in 0..random.u32(1..300) {
            all.push(acknowledged.recv().await.unwrap());
        }
        served.end(Signal::KILL);
        while let Some(ended) = callers.join_next().await {
            ended.unwrap();
        }
        // What was answered before the end, but not yet counted.
        while let Some(done) = acknowledged.recv().await {
            all.push(done);
        }
    }
    println!("{KILLS} kills, {} writes acknowledged, 0 lost", all.len());
}

fn audit(database: &Connection, all: &[Done]) {
    let number = |sql: &str| database.query_row(sql, [], |row| row.get::<_, i64>(0)).unwrap();
    let text = |sql: &str| database.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
    assert_eq!(text("PRAGMA integrity_check"), "ok");

    for done in all {
        let found = match done {
            Done::Key(token) => {
                let id: i64 = token.split_once('|').unwrap().0.parse().unwrap();
                let find = "SELECT 1 FROM api_keys WHERE id = $1 AND length(token_hash) = 32";
                database.query_row(find, [id], |_| Ok(())).optional()
            }
            Done::Written { message_id, text } => {
                let find = "SELECT 1 FROM messages WHERE id = $1 AND content = $2";
                database.query_row(find, params![message_id, text], |_| Ok(())).optional()
            }
            Done::Said { conversation, text } => {
                let find = "SELECT 1 FROM conversations AS c JOIN messages AS m ON m.conversation_id = c.id \
                            WHERE c.uuid = $1 AND m.content = $2";
                database.query_row(find, params![uuid(conversation), text], |_| Ok(())).optional()
            }
            Done::Ended(conversation) => {
                let find = "SELECT 1 FROM conversations WHERE uuid = $1 AND ended_at IS NOT NULL";
                database.query_row(find, [uuid(conversation)], |_| Ok(())).optional()
            }
        };
        assert!(found.unwrap().is_some(), "lost: {done:?}");
    }

    let miscounted = "SELECT COUNT(*) FROM conversations AS c WHERE message_count <> \
                      (SELECT COUNT(*) FROM messages AS m WHERE m.conversation_id = c.id)";
    assert_eq!(number(miscounted), 0, "messages are miscounted");
    let real = "SELECT user_id, assistant_id || '/' || type, updated_at / 86400000000, created_at / 86400000000, COUNT(*) \
                FROM conversations GROUP BY 1, 2, 3, 4";
    let kept = "SELECT user_id, narrowing, stretch, created_day, count FROM list_counts \
                WHERE list = 1 AND level = 0 AND narrowing LIKE '_%/_%'";
    for (one, other) in [(real, kept), (kept, real)] {
        let differing = format!("SELECT COUNT(*) FROM (SELECT * FROM ({one}) EXCEPT SELECT * FROM ({other}))");
        assert_eq!(number(&differing), 0, "conversations are miscounted");
    }
    let spent = number("SELECT COALESCE(SUM(total_cost_micros), 0) FROM conversations");
    assert_eq!(number("SELECT balance_micros FROM users WHERE id = 1"), BALANCE - spent, "the balance is off");
    let unpaid = "SELECT COUNT(*) FROM messages AS m WHERE m.content LIKE 'sale %' AND NOT EXISTS \
                  (SELECT 1 FROM outgoing_messages AS o WHERE o.message_id = m.id)";
    assert_eq!(number(unpaid), 0, "a message was written and not sent");
    let untold = "SELECT COUNT(*) FROM conversations AS c WHERE ended_at IS NOT NULL AND 1 <> \
                  (SELECT COUNT(*) FROM webhook_deliveries AS d WHERE d.subject = 'conversation:' || c.id)";
    assert_eq!(number(untold), 0, "an end was not told of exactly once");
    let early = "SELECT COUNT(*) FROM webhook_deliveries AS d WHERE NOT EXISTS \
                 (SELECT 1 FROM conversations AS c WHERE d.subject = 'conversation:' || c.id AND ended_at IS NOT NULL)";
    assert_eq!(number(early), 0, "an end was told of that did not happen");
}

fn uuid(text: &str) -> [u8; 16] {
    Uuid::parse_str(text).unwrap().into_bytes()
}

/// Every delivery reaches the receiver, those under way at a kill among them.
async fn all_arrive(database: &Connection, receiver: &mut Receiver) {
    let mut statement = database.prepare("SELECT webhook_id FROM webhook_deliveries").unwrap();
    let mut expected: BTreeSet<String> =
        statement.query_map([], |row| row.get(0)).unwrap().collect::<Result<_, _>>().unwrap();
    assert!(!expected.is_empty());
    while !expected.is_empty() {
        expected.remove(receiver.next().await.header("webhook-id"));
    }
}
