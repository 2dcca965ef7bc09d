//! Spec: Endpoints, `GET /user/msgapp/senders/{senderId}/templates`, and the list of senders.

use crate::senders_world::{WORLD, coded, sandbox};
use crate::support::{ADA, BOB, Service, options};
use serde_json::{Value, json};
use switchboard::service::Options;

async fn ids(service: &Service, path: &str) -> Vec<i64> {
    let answer = service.get(ADA, path).await.is(200);
    answer["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

// ---- Templates.

#[tokio::test]
async fn a_template_has_the_eight_fields_of_the_spec() {
    let service = sandbox().await;
    let answer = service.get(ADA, "/user/msgapp/senders/1/templates").await.is(200);
    assert_eq!(
        answer,
        json!({"data": [
            {
                "id": 1, "name": "appointment_reminder", "language": "en", "category": "utility", "status": "approved",
                "body_text": "Hi {{1}}, see you on {{2}}.", "variables": ["customer_name", "date"],
                "has_variables": true
            },
            {
                "id": 2, "name": "sale", "language": "pt_BR", "category": "marketing", "status": "approved",
                "body_text": "Sale!", "variables": [], "has_variables": false
            }
        ]})
    );
}

#[tokio::test]
async fn templates_are_the_approved_ones_unless_others_are_asked_for() {
    let service = sandbox().await;
    for (query, expected) in [
        ("", vec![1, 2]),
        ("?status=approved", vec![1, 2]),
        ("?status=all", vec![1, 2, 3, 4]),
        ("?status=pending", vec![3]),
        ("?status=rejected", vec![4]),
    ] {
        assert_eq!(ids(&service, &format!("/user/msgapp/senders/1/templates{query}")).await, expected, "{query}");
    }
    let answer = service.get(ADA, "/user/msgapp/senders/1/templates?status=lost").await.is(422);
    assert_eq!(answer["errors"]["status"], json!(["The selected status is invalid."]));
}

#[tokio::test]
async fn templates_of_a_sender_that_is_not_there_or_not_the_callers_are_not_found() {
    let service = sandbox().await;
    let unknown = service.get(ADA, "/user/msgapp/senders/99/templates").await;
    for id in ["4", "nonsense", "99999999999999999999"] {
        assert_eq!(service.get(ADA, &format!("/user/msgapp/senders/{id}/templates?status=all")).await, unknown, "{id}");
    }
    assert_eq!(coded(&unknown.is(404)), ("SENDER_NOT_FOUND", "Sender not found"));
}

// ---- Template status: refreshed every 4 hours.

async fn statuses(service: &Service) -> Vec<Value> {
    let answer = service.get(ADA, "/user/msgapp/senders/1/templates?status=all").await.is(200);
    answer["data"].as_array().unwrap().iter().map(|row| row["status"].clone()).collect()
}

#[tokio::test]
async fn a_pending_template_is_decided_after_4_hours_and_the_others_stay() {
    let service = sandbox().await;
    service.advance(4 * 3600 - 1).await;
    assert_eq!(statuses(&service).await, ["approved", "approved", "pending", "rejected"]);
    service.advance(1).await;
    let decided = statuses(&service).await;
    assert!(decided[2] == "approved" || decided[2] == "rejected", "{decided:?}");
    service.advance(400 * 3600).await;
    assert_eq!(statuses(&service).await, decided, "a decision stands");

    let again = sandbox().await;
    again.advance(4 * 3600).await;
    assert_eq!(statuses(&again).await, decided, "the same each time");
}

#[tokio::test]
async fn pending_templates_get_approved_or_rejected() {
    let pending = "[[users.senders.templates]]\nname = \"t\"\nstatus = \"pending\"\nbody_text = \"T\"\n".repeat(30);
    let world = WORLD.replacen("[[users.senders.templates]]\n", &format!("{pending}[[users.senders.templates]]\n"), 1);
    let service = Service::with(Options { sandbox: true, ..options(&world) }).await;
    service.advance(4 * 3600).await;
    let decided = &statuses(&service).await[..30];
    assert!(decided.iter().any(|status| status == "approved") && decided.iter().any(|status| status == "rejected"));
    assert!(decided.iter().all(|status| status != "pending"));
}

// ---- Senders.

#[tokio::test]
async fn a_sender_has_its_number_its_status_and_its_limits() {
    let service = sandbox().await;
    let answer = service.get(ADA, "/user/msgapp/senders?status=all").await.is(200);
    assert_eq!(
        answer["data"][0],
        json!({
            "id": 1, "phone_number": "+14155550100", "display_name": "Acme Support", "status": "online",
            "quality_rating": "GREEN", "messaging_limit": 1000, "messaging_limit_formatted": "1,000 / 24hr"
        })
    );
    assert_eq!(
        answer["data"][1],
        json!({
            "id": 2, "phone_number": "+14155550101", "display_name": "+14155550101", "status": "offline",
            "quality_rating": "RED", "messaging_limit": null, "messaging_limit_formatted": "Unlimited"
        })
    );
}

#[tokio::test]
async fn senders_are_the_callers_and_online_unless_others_are_asked_for() {
    let service = sandbox().await;
    for (query, expected) in
        [("", vec![1, 3]), ("?status=online", vec![1, 3]), ("?status=offline", vec![2]), ("?status=all", vec![1, 2, 3])]
    {
        assert_eq!(ids(&service, &format!("/user/msgapp/senders{query}")).await, expected, "{query}");
    }
    service.get(ADA, "/user/msgapp/senders?status=asleep").await.is(422);
    assert_eq!(service.get(BOB, "/user/msgapp/senders?status=offline").await.is(200), json!({"data": []}));
}
