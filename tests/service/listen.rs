//! Webhooks from the service to the receiver of this program, and what that makes of them.

use crate::events::started;
use crate::receiver::{Reaction, Told};
use crate::support::{ADA, Answer, client, noon};
use reqwest::{Method, Response};
use serde_json::{Value, json};
use switchboard::api::{SigningSecret, WebhookEvent};
use switchboard::receiver::{self, Arrival, Delivery, Mismatch, Options, Receiver, Signature, Subject};
use tokio::sync::mpsc;

const SECRET: &str = "whsec_c2VjcmV0";

struct Listening {
    receiver: Receiver,
    arrivals: mpsc::Receiver<Arrival>,
}

impl Listening {
    async fn start(secret: Option<&str>, forward: Option<&str>) -> Self {
        let secret = secret.map(SigningSecret::new);
        let forward = forward.map(|url| url.parse().unwrap());
        let (receiver, arrivals) =
            receiver::start(Options { port: 0, secret, forward, now: Box::new(noon) }).await.unwrap();
        Self { receiver, arrivals }
    }

    async fn next(&mut self) -> Delivery {
        match self.arrivals.recv().await.unwrap() {
            Arrival::Delivery(delivery) => *delivery,
            Arrival::Rejected(rejected) => panic!("{rejected:?}"),
        }
    }

    fn nothing_came(&mut self) -> bool {
        self.arrivals.try_recv().is_err()
    }

    /// Posts a body with headers, as a sender would.
    async fn post(&self, headers: &[(&str, &str)], body: impl Into<reqwest::Body>) -> Response {
        let request = client().post(self.receiver.url() + "hook?key=very-secret").body(body);
        let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
        request.send().await.unwrap()
    }

    /// What the receiver says of a body signed with a secret.
    async fn signed_with(&mut self, secret: &str) -> Signature {
        let time = noon().as_second();
        let signature = SigningSecret::new(secret).sign("msg_1", time, b"{}");
        let time = time.to_string();
        let headers = [("webhook-id", "msg_1"), ("webhook-timestamp", &time), ("webhook-signature", &signature)];
        self.post(&headers, "{}").await;
        self.next().await.signature
    }
}

async fn secret(told: &Told) -> String {
    let request = told.service.request(Method::GET, ADA, "/sandbox/webhook-secret");
    Answer::of(request.send().await.unwrap()).await.is(200)["secret"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn end_of_a_widget_chat_arrives_with_a_valid_signature() {
    let told = Told::sandbox().await;
    let mut listening = Listening::start(Some(&secret(&told).await), None).await;
    told.tell(ADA, 1, &listening.receiver.url()).await;
    let test = started(&told, "test", Value::Null).await;
    told.end(ADA, &test).await;
    let id = started(&told, "widget", Value::Null).await;
    told.end(ADA, &id).await;

    let delivery = listening.next().await;
    assert_eq!((delivery.number, delivery.signature), (1, Signature::Valid));
    assert_eq!(delivery.event, Some(WebhookEvent::ConversationEnded));
    assert_eq!(delivery.subject, Some(Subject::Conversation(id.parse().unwrap())));
    assert_eq!((delivery.status, delivery.received_at, delivery.path.as_str()), (200, noon(), "/"));
    assert_eq!(serde_json::from_str::<Value>(&delivery.body).unwrap()["type"], "widget");
    let listed = told.tried(1).await;
    assert_eq!((&listed["status"], &listed["webhook_id"]), (&json!("delivered"), &json!(delivery.webhook_id)));
    assert!(listening.nothing_came(), "a test chat raises no event");
}

#[tokio::test]
async fn completed_call_arrives_with_its_number() {
    let told = Told::sandbox().await;
    let mut listening = Listening::start(Some(&secret(&told).await), None).await;
    let on = json!({"assistant_id": 2, "webhook_url": listening.receiver.url()});
    told.service.post(ADA, "/api/user/assistants/enable-inbound-webhook", on).await.is(200);
    let call = json!({"assistant_id": 2, "customer_phone": "+493012345678"});
    told.service.post(ADA, "/sandbox/inbound-call", call).await.is(200);
    while told.deliveries(ADA).await.is_empty() {
        told.service.advance(60).await;
    }
    let delivery = listening.next().await;
    assert_eq!((delivery.event, delivery.subject), (Some(WebhookEvent::CallCompleted), Some(Subject::Call(1))));
}

#[tokio::test]
async fn nothing_arrives_after_switching_off_not_even_a_retry_that_was_due() {
    let told = Told::sandbox().await;
    let target = crate::receiver::Receiver::start().await;
    target.will([Reaction::Status(500)]);
    let mut listening = Listening::start(Some(&secret(&told).await), Some(&target.url)).await;
    told.tell(ADA, 1, &listening.receiver.url()).await;
    let id = started(&told, "widget", Value::Null).await;
    told.end(ADA, &id).await;
    assert_eq!(listening.next().await.status, 500);
    assert_eq!(told.tried(1).await["last_error"], "the receiver answered 500 Internal Server Error");

    let off = json!({"assistant_id": 1});
    told.service.post(ADA, "/api/user/assistants/disable-conversation-ended-webhook", off).await.is(200);
    told.service.advance(35).await;
    let other = started(&told, "widget", Value::Null).await;
    told.end(ADA, &other).await;
    // Asked for, so it comes; what came without being asked for would have come before it.
    told.service.post(ADA, "/sandbox/deliveries/1/resend", json!({})).await.is(200);
    let again = listening.next().await;
    assert_eq!((again.number, again.status), (2, 200));
    assert_eq!(again.subject, Some(Subject::Conversation(id.parse().unwrap())));
    assert_eq!((told.tried(2).await["id"].clone(), told.deliveries(ADA).await.len()), (json!(1), 1));
    assert!(listening.nothing_came());
}

#[tokio::test]
async fn signature_is_told_valid_invalid_missing_or_unchecked() {
    let mut listening = Listening::start(Some(SECRET), None).await;
    assert_eq!(listening.signed_with(SECRET).await, Signature::Valid);
    assert_eq!(listening.signed_with("whsec_d3Jvbmc=").await, Signature::Invalid(Mismatch::Different));
    assert_eq!(listening.post(&[], "{}").await.status(), 200);
    assert_eq!(listening.next().await.signature, Signature::Missing);
    assert_eq!(Listening::start(None, None).await.signed_with(SECRET).await, Signature::NoSecret);
}

#[tokio::test]
async fn forwarded_delivery_keeps_its_body_and_headers() {
    let mut target = crate::receiver::Receiver::start().await;
    let mut listening = Listening::start(None, Some(&target.url)).await;
    target.will([Reaction::Status(202), Reaction::Redirect("http://127.0.0.1:1/".to_owned())]);
    let headers =
        [("webhook-id", "msg_1"), ("authorization", "Bearer very-secret"), ("content-type", "application/json")];
    assert_eq!(listening.post(&headers, "{\"a\": 1.50}").await.status(), 202);
    let delivery = listening.next().await;
    assert_eq!((delivery.status, &delivery.forward), (202, &Some(Ok(202))));
    assert!(!format!("{delivery:?}").contains("very-secret"), "{delivery:?}");

    for status in [202, 307] {
        let came = target.next().await;
        assert_eq!((came.text.as_str(), came.path.as_str()), ("{\"a\": 1.50}", "/hook?x=1"));
        for (name, value) in headers {
            assert_eq!(came.header(name), value);
        }
        assert!(target.url.contains(came.header("host")));
        if status == 202 {
            assert_eq!(listening.receiver.forward_again(1).await, Some(Ok(307)), "redirects are not followed");
        }
    }
    assert_eq!(listening.receiver.forward_again(2).await, None);
    for _ in 0..50 {
        listening.post(&[], "{}").await;
        listening.next().await;
        target.next().await;
    }
    assert_eq!(listening.receiver.forward_again(1).await, None, "only the last fifty are kept");
    assert_eq!(listening.receiver.forward_again(2).await, Some(Ok(200)));
}

#[tokio::test]
async fn target_that_does_not_answer_is_a_502_with_the_reason() {
    let mut listening = Listening::start(None, Some("http://127.0.0.1:1/")).await;
    assert_eq!(listening.post(&[], "{}").await.status(), 502);
    let delivery = listening.next().await;
    assert_eq!((delivery.status, delivery.forward), (502, Some(Err("connection refused".to_owned()))));
}

#[tokio::test]
async fn url_that_nothing_can_be_forwarded_to_is_refused_at_the_start() {
    for wrong in ["ftp://127.0.0.1/", "mailto:a@b.c", "http://user:very-secret@127.0.0.1/"] {
        let options = Options { port: 0, secret: None, forward: Some(wrong.parse().unwrap()), now: Box::new(noon) };
        let Err(error) = receiver::start(options).await else { panic!("{wrong}") };
        assert!(!error.to_string().contains("very-secret"), "{error}");
    }
}

#[tokio::test]
async fn what_is_no_delivery_is_rejected_and_told() {
    let mut listening = Listening::start(Some(SECRET), None).await;
    let huge = listening.post(&[], vec![b'x'; 3 * 1024 * 1024]).await;
    assert_eq!(huge.status(), 413);
    let get = client().get(listening.receiver.url() + "path?key=very-secret").send().await.unwrap();
    assert_eq!((get.status().as_u16(), get.headers()["allow"].to_str().unwrap()), (405, "POST"));
    let long = client().post(listening.receiver.url()).header("x-long", "x".repeat(300_000)).body("{}").send().await;
    assert!(long.is_ok_and(|answer| answer.status() == 431), "a head that long is refused");
    for (method, path, status) in [("POST", "/hook", 413), ("GET", "/path", 405)] {
        let Arrival::Rejected(rejected) = listening.arrivals.recv().await.unwrap() else { panic!("{status}") };
        assert_eq!((rejected.method.as_str(), rejected.path.as_str(), rejected.status), (method, path, status));
    }
    // As large as it may be, and of any bytes.
    assert_eq!(listening.post(&[], vec![0xff; 1024 * 1024]).await.status(), 200);
    let delivery = listening.next().await;
    assert_eq!((delivery.number, delivery.event, delivery.body.chars().next()), (1, None, Some('\u{fffd}')));
}

#[tokio::test]
async fn delivery_that_nobody_takes_is_not_acknowledged() {
    let Listening { receiver, arrivals } = Listening::start(None, None).await;
    drop(arrivals);
    assert_eq!(client().post(receiver.url()).body("{}").send().await.unwrap().status(), 503);
    let url = receiver.url();
    drop(receiver);
    while client().post(&url).send().await.is_ok() {}
}
