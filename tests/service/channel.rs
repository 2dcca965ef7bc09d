//! The channel's own word, in place of `msgapp` (spec: Conventions).

use crate::receiver::Receiver;
use crate::senders_world::{WORLD, ZOE, fields, sale};
use crate::support::{ADA, Service, options};
use serde_json::json;
use switchboard::service::Options;

async fn whatsapp() -> Service {
    let world = WORLD.replacen("Acme Support", "msgapp", 1);
    Service::with(Options { sandbox: true, channel: "whatsapp".parse().unwrap(), ..options(&world) }).await
}

#[tokio::test]
async fn paths_have_the_channels_word_and_no_other() {
    let service = whatsapp().await;
    service.post(ADA, "/api/user/whatsapp/send", sale(ZOE)).await.is(200);
    service.get(ADA, "/user/whatsapp/senders").await.is(200);
    service.get(ADA, "/user/whatsapp/senders/1/templates").await.is(200);
    service.post(ADA, "/api/user/msgapp/send", sale(ZOE)).await.is(404);
    service.get(ADA, "/user/msgapp/senders").await.is(404);
}

#[tokio::test]
async fn fields_have_the_channels_word() {
    let service = whatsapp().await;
    let sent = service.post(ADA, "/api/user/whatsapp/send", sale(ZOE)).await.is(200);
    assert_eq!(
        fields(&sent),
        ["success", "conversation_id", "message_id", "whatsapp_message_id", "message_sid", "status"]
    );
    let listed = &service.conversations(ADA).await[0];
    assert_eq!(listed["type"], "whatsapp");
    assert_eq!(listed["whatsapp_sender"], json!({"name": "msgapp", "phone": "+14155550100"}), "a name is the user's");
    assert!(!fields(listed).contains(&"msgapp_sender"));
}

#[tokio::test]
async fn queries_have_the_channels_word_and_so_have_the_links_of_the_answer() {
    let service = whatsapp().await;
    service.post(ADA, "/api/user/whatsapp/send", sale(ZOE)).await.is(200);
    let page = service.get(ADA, "/user/conversations?type=whatsapp").await.is(200);
    assert_eq!(page["total"], 1);
    assert!(page["first_page_url"].as_str().unwrap().ends_with("?type=whatsapp&page=1"));
    let answer = service.get(ADA, "/user/conversations?type=msgapp").await.is(422);
    assert_eq!(answer["errors"]["type"], json!(["The selected type is invalid."]));
}

#[tokio::test]
async fn webhooks_have_the_channels_word() {
    let (service, mut receiver) = (whatsapp().await, Receiver::start().await);
    let listen = json!({"assistant_id": 1, "webhook_url": receiver.url});
    service.post(ADA, "/api/user/assistants/enable-conversation-ended-webhook", listen).await.is(200);
    service.post(ADA, "/api/user/whatsapp/send", sale(ZOE)).await.is(200);
    let id = service.conversations(ADA).await[0]["id"].clone();
    service.post(ADA, "/sandbox/end-conversation", json!({"conversation_id": id})).await.is(200);
    assert_eq!(receiver.next().await.json()["type"], "whatsapp");
}
