//! A world with senders and templates of every state, and the words to use it.

use crate::support::{ADA, Answer, Service, options};
use reqwest::Method;
use serde_json::{Value, json};
use switchboard::service::Options;

pub const CAROL: &str = "token-of-carol";
/// Somebody with an ordinary number.
pub const ZOE: &str = "+493012345678";

/// Ada's senders: 1 with templates 1 to 4, 2 offline with template 5, 3 without an assistant with template 6. Bob, who
/// pays in minutes, has sender 4 with template 7; Carol, who can pay for two messages, sender 5 with template 8.
pub const WORLD: &str = r#"
[[users]]
email = "ada@example.com"
name = "Ada Lindqvist"
balance = 10.0
tokens = ["token-of-ada"]
[[users.assistants]]
name = "Reception"
[[users.senders]]
phone_number = "+14155550100"
display_name = "Acme Support"
assistant = "Reception"
messaging_limit = 1000
[[users.senders.templates]]
name = "appointment_reminder"
body_text = "Hi {{1}}, see you on {{2}}."
variables = ["customer_name", "date"]
[[users.senders.templates]]
name = "sale"
language = "pt_BR"
category = "marketing"
body_text = "Sale!"
[[users.senders.templates]]
name = "newsletter"
status = "pending"
body_text = "News."
[[users.senders.templates]]
name = "spam"
status = "rejected"
body_text = "Spam."
[[users.senders]]
phone_number = "+14155550101"
assistant = "Reception"
status = "offline"
quality_rating = "RED"
[[users.senders.templates]]
name = "away"
body_text = "Away."
[[users.senders]]
phone_number = "+14155550102"
[[users.senders.templates]]
name = "alone"
body_text = "Alone."

[[users]]
email = "bob@example.com"
kind = "direct"
balance = 5.0
tokens = ["token-of-bob"]
[[users.assistants]]
name = "Bob's"
[[users.senders]]
phone_number = "+14155550103"
assistant = "Bob's"
[[users.senders.templates]]
name = "hello"
category = "authentication"
body_text = "Hello."

[[users]]
email = "carol@example.com"
balance = 0.065
tokens = ["token-of-carol"]
[[users.assistants]]
name = "Carol's"
[[users.senders]]
phone_number = "+14155550104"
assistant = "Carol's"
[[users.senders.templates]]
name = "hello"
body_text = "Hello."
"#;

pub async fn sandbox() -> Service {
    Service::with(Options { sandbox: true, ..options(WORLD) }).await
}

/// Ada's second template, which needs no variables, to a number.
pub fn sale(phone: &str) -> Value {
    json!({"sender_id": 1, "template_id": 2, "recipient_phone": phone})
}

pub fn freeform(phone: &str) -> Value {
    json!({"sender_id": 1, "recipient_phone": phone, "message": "Hello there"})
}

/// A body with some fields replaced; `null` takes one out.
pub fn but(mut body: Value, changes: Value) -> Value {
    let Value::Object(changes) = changes else { panic!("changes are an object") };
    for (field, value) in changes {
        if value.is_null() {
            body.as_object_mut().unwrap().remove(&field);
        } else {
            body[field.as_str()] = value;
        }
    }
    body
}

impl Service {
    pub async fn send(&self, body: Value) -> Answer {
        self.post(ADA, "/api/user/msgapp/send", body).await
    }

    pub async fn send_freeform(&self, body: Value) -> Answer {
        self.post(ADA, "/api/user/msgapp/send-freeform", body).await
    }

    /// The connection breaks in place of an answer.
    pub async fn send_and_break(&self, body: Value) {
        let request = self.request(Method::POST, ADA, "/api/user/msgapp/send").json(&body);
        assert!(request.send().await.is_err());
    }

    pub async fn session(&self, phone: &str) -> Value {
        let phone = phone.replace('+', "%2B");
        self.get(ADA, &format!("/user/msgapp/session-status?sender_id=1&recipient_phone={phone}")).await.is(200)
    }

    pub async fn balance(&self, token: &str) -> f64 {
        self.get(token, "/user/me").await.is(200)["total_balance"].as_f64().unwrap()
    }

    /// The conversations as they are listed, newest first.
    pub async fn conversations(&self, token: &str) -> Vec<Value> {
        let page = self.get(token, "/user/conversations?per_page=100").await.is(200);
        page["data"].as_array().unwrap().clone()
    }
}

/// The names of an object's fields, in their order.
pub fn fields(object: &Value) -> Vec<&str> {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// The code and the words of a coded refusal, which has nothing else.
pub fn coded(answer: &Value) -> (&str, &str) {
    assert_eq!(fields(answer), ["success", "error", "error_code"]);
    assert_eq!(answer["success"], false);
    (answer["error_code"].as_str().unwrap(), answer["error"].as_str().unwrap())
}
