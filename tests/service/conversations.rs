use crate::support::{ADA, BOB, Service};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Five conversations of Ada with customers, a day apart; the newest comes last.
async fn service() -> Service {
    let service = Service::sandbox().await;
    for n in 0..5 {
        service.customer_writes(&format!("+4930123456{n}"), "Hallo").await.is(200);
        service.advance(86_400).await;
    }
    service
}

fn ids(page: &Value) -> Vec<String> {
    page["data"].as_array().unwrap().iter().map(|row| row["id"].as_str().unwrap().to_owned()).collect()
}

async fn total(service: &Service, query: &str) -> u64 {
    service.get(ADA, &format!("/user/conversations{query}")).await.is(200)["total"].as_u64().unwrap()
}

#[tokio::test]
async fn a_messaging_row_has_its_nine_fields_and_both_parties() {
    let service = service().await;
    let page = service.get(ADA, "/user/conversations?per_page=1").await.is(200);
    let row = page["data"][0].as_object().unwrap();
    let fields = "id assistant_id assistant_name type message_count total_cost ai_enabled created_at updated_at \
                  msgapp_sender customer";
    assert_eq!(row.keys().map(String::as_str).collect::<Vec<_>>(), fields.split_whitespace().collect::<Vec<_>>());
    assert_eq!(row["assistant_name"], "Reception");
    assert_eq!(row["type"], "msgapp");
    assert_eq!((&row["message_count"], &row["total_cost"], &row["ai_enabled"]), (&json!(1), &json!(0.0), &json!(true)));
    assert_eq!(row["created_at"], "2026-11-25 12:00:00");
    assert_eq!(row["updated_at"], "2026-11-25 12:00:00");
    assert_eq!(row["msgapp_sender"], json!({"name": "Acme Support", "phone": "+14155550100"}));
    assert_eq!(row["customer"], json!({"name": "Zoë", "phone": "+49301234564"}));
}

#[tokio::test]
async fn the_envelope_has_its_thirteen_fields() {
    let service = service().await;
    let mut page = service.get(ADA, "/user/conversations?per_page=2&page=2&type=msgapp&x=a%20b").await.is(200);
    page["data"] = json!(page["data"].as_array().unwrap().len());
    let path = format!("{}/user/conversations", service.running.base_url);
    let url = |page: u32| format!("{path}?per_page=2&type=msgapp&x=a+b&page={page}");
    let link = |label: &str, at: u32| json!({"url": url(at), "label": label, "active": label == "2"});
    assert_eq!(
        page,
        json!({
            "current_page": 2, "data": 2, "first_page_url": url(1), "from": 3, "last_page": 3,
            "last_page_url": url(3),
            "links": [
                link("&laquo; Previous", 1), link("1", 1), link("2", 2), link("3", 3), link("Next &raquo;", 3)
            ],
            "next_page_url": url(3), "path": path, "per_page": 2, "prev_page_url": url(1), "to": 4, "total": 5
        })
    );
}

#[tokio::test]
async fn links_lead_back_the_way_the_caller_came() {
    let service = service().await;
    let request = service.request(reqwest::Method::GET, ADA, "/api/user/conversations");
    let page: Value = request.header("Host", "switchboard.test:99").send().await.unwrap().json().await.unwrap();
    assert_eq!(page["path"], "http://switchboard.test:99/api/user/conversations");
}

#[tokio::test]
async fn following_the_links_shows_every_row_once_newest_first() {
    let service = service().await;
    let mut next = Some("/user/conversations?per_page=2".to_owned());
    let (mut seen, mut times) = (Vec::new(), Vec::new());
    while let Some(path) = next {
        let page = service.get(ADA, &path).await.is(200);
        seen.extend(ids(&page));
        times.extend(page["data"].as_array().unwrap().iter().map(|row| row["updated_at"].as_str().unwrap().to_owned()));
        let link = page["next_page_url"].as_str().map(str::to_owned);
        next = link.map(|url| url.strip_prefix(&service.running.base_url).unwrap().to_owned());
    }
    assert_eq!(seen.len(), 5);
    assert_eq!(seen.iter().collect::<BTreeSet<_>>().len(), 5);
    assert!(times.is_sorted_by(|one, next| one >= next));
}

#[tokio::test]
async fn each_filter_lets_through_what_it_says() {
    let service = service().await;
    for (query, expected) in [
        ("", 5),
        ("?type=msgapp", 5),
        ("?type=api", 0),
        ("?type=", 5),
        ("?assistant_id=1", 5),
        ("?assistant_id=2", 0),
        ("?date_from=2026-11-23", 3),
        ("?date_to=2026-11-22", 2),
        ("?date_from=2026-11-22&date_to=2026-11-24", 3),
        ("?date_from=2026-11-24&date_to=2026-11-22", 0),
        ("?date_from=9999-12-31", 0),
        ("?date_to=0000-01-01", 0),
        ("?type=msgapp&assistant_id=1&date_from=2026-11-25&date_to=2026-11-25", 1),
    ] {
        assert_eq!(total(&service, query).await, expected, "{query}");
    }
    assert_eq!(service.get(BOB, "/user/conversations").await.is(200)["total"], 0);
}

#[tokio::test]
async fn the_filter_by_date_goes_by_the_beginning_and_not_by_the_last_change() {
    let service = service().await;
    service.customer_writes("+49301234560", "Noch etwas").await.is(200);
    let page = service.get(ADA, "/user/conversations?date_to=2026-11-21").await.is(200);
    assert_eq!(page["total"], 1);
    assert_eq!(page["data"][0]["updated_at"], "2026-11-26 12:00:00");
    assert_eq!(page["data"][0]["message_count"], 2);
    let first = service.get(ADA, "/user/conversations?per_page=1").await.is(200);
    assert_eq!(ids(&first), ids(&page), "what changed last comes first");
}

#[tokio::test]
async fn an_assistant_of_somebody_else_is_answered_as_one_that_is_not_there() {
    let service = service().await;
    let foreign = service.get(ADA, "/user/conversations?assistant_id=4").await;
    assert_eq!(foreign.status, 404);
    assert_eq!(foreign, service.get(ADA, "/user/conversations?assistant_id=999").await);
    assert_eq!(foreign, service.get(ADA, "/user/conversations?assistant_id=-1").await);
    service.get(ADA, "/user/conversations?assistant_id=x").await.is(422);
}

#[tokio::test]
async fn bad_parameters_are_named() {
    let service = service().await;
    for (query, field) in [
        ("per_page=0", "per_page"),
        ("per_page=101", "per_page"),
        ("per_page=ten", "per_page"),
        ("type=Msgapp", "type"),
        ("date_from=2026-02-30", "date_from"),
        ("date_to=tomorrow", "date_to"),
    ] {
        let answer = service.get(ADA, &format!("/user/conversations?{query}")).await.is(422);
        assert_eq!(answer["errors"].as_object().unwrap().keys().collect::<Vec<_>>(), [field], "{query}");
    }
}

#[tokio::test]
async fn odd_pages_are_page_one_and_pages_beyond_the_end_are_empty() {
    let service = service().await;
    for odd in ["0", "-1", "x", "1.5", "", "99999999999999999999999"] {
        let page = service.get(ADA, &format!("/user/conversations?page={odd}")).await.is(200);
        assert_eq!((&page["current_page"], &page["from"]), (&json!(1), &json!(1)), "{odd}");
    }
    let beyond = service.get(ADA, "/user/conversations?page=9").await.is(200);
    assert_eq!((&beyond["current_page"], &beyond["data"], &beyond["total"]), (&json!(9), &json!([]), &json!(5)));
    assert_eq!((&beyond["from"], &beyond["to"], &beyond["next_page_url"]), (&Value::Null, &Value::Null, &Value::Null));
    assert!(beyond["prev_page_url"].as_str().unwrap().ends_with("page=8"));
    service.get(ADA, "/user/conversations?page=18446744073709551615&per_page=100").await.is(200);
}

#[tokio::test]
async fn an_empty_list_is_one_empty_page() {
    let service = Service::sandbox().await;
    let page = service.get(ADA, "/user/conversations").await.is(200);
    assert_eq!((&page["last_page"], &page["total"], &page["from"]), (&json!(1), &json!(0), &Value::Null));
    assert_eq!(page["per_page"], 15);
}

#[tokio::test]
async fn a_page_asked_for_again_shows_what_has_changed_since() {
    let service = Service::sandbox().await;
    service.customer_writes("+493012345678", "Hallo").await.is(200);
    let row = async || service.get(ADA, "/user/conversations").await.is(200)["data"][0].clone();
    let before = row().await;
    assert_eq!(row().await, before);

    let id = before["id"].as_str().unwrap();
    service.post(ADA, &format!("/api/automate/conversations/{id}/disable-ai"), json!({})).await.is(200);
    service.put(ADA, "/user/assistant/1", json!({"name": "Front desk"})).await.is(200);
    let after = row().await;
    assert_eq!((&after["ai_enabled"], &after["assistant_name"]), (&json!(false), &json!("Front desk")));

    service.customer_writes("+493012345678", "Noch da?").await.is(200);
    assert_eq!(row().await["message_count"], 2);
    assert_eq!(service.get(BOB, "/user/conversations").await.is(200)["total"], 0, "each user has pages of their own");
}
