// Gaps: what the demo world's past holds, as an operator reads it.

use crate::support::{BOB, Service, options};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use switchboard::api::{CallStatus, CallType};
use switchboard::service::world::DEMO;

const ADA: &str = "sandbox-ada";

async fn demo() -> Service {
    Service::with(options(DEMO)).await
}

async fn rows(service: &Service, path: &str) -> Vec<Value> {
    service.get(ADA, path).await.is(200)["data"].as_array().unwrap().clone()
}

async fn history(service: &Service, row: &Value) -> Value {
    service.get(ADA, &format!("/conversations/{}", row["id"].as_str().unwrap())).await.is(200)
}

fn last(history: &Value) -> &Value {
    history["history"].as_array().unwrap().last().unwrap()
}

#[tokio::test]
async fn conversations_are_in_the_languages_of_their_customers_and_assistants() {
    let service = demo().await;
    let mut scripts = BTreeSet::new();
    for row in rows(&service, "/user/conversations?per_page=100").await {
        let read = history(&service, &row).await;
        for message in read["history"].as_array().unwrap() {
            assert!(!message["content"].as_str().unwrap().contains(['{', '}']), "{message}");
            for letter in message["content"].as_str().unwrap().chars() {
                match letter {
                    'א'..='ת' => scripts.insert("Hebrew"),
                    'ا'..='ي' => scripts.insert("Arabic"),
                    'ぁ'..='ん' => scripts.insert("Japanese"),
                    'ß' | 'ü' => scripts.insert("German"),
                    '¿' => scripts.insert("Spanish"),
                    _ => false,
                };
            }
        }
    }
    assert!(["Arabic", "German", "Japanese", "Spanish"].iter().all(|script| scripts.contains(script)), "{scripts:?}");
}

#[tokio::test]
async fn tools_are_called_now_and_then_and_what_they_learn_stands_in_the_variables() {
    let service = demo().await;
    let mut names = BTreeSet::new();
    for row in rows(&service, "/user/conversations?per_page=100&type=widget").await {
        let read = history(&service, &row).await;
        let calls: Vec<_> = read["history"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|message| message["function_calls"].as_array())
            .collect();
        for call in calls.iter().copied().flatten() {
            assert!(call["arguments"].is_object() && call["result"].is_object(), "{call}");
            let order = &call["arguments"]["order_number"];
            let text = read["history"].to_string();
            assert!(
                order.is_null() || text.matches(order.as_str().unwrap()).count() > 1,
                "{order} was named by nobody"
            );
            names.insert(call["name"].as_str().unwrap().to_owned());
        }
        let variables = read["variables"].as_object().unwrap();
        assert!(variables.contains_key("page") && variables.contains_key("language"), "{variables:?}");
        let learned = ["order_number", "article", "visit_at"].iter().any(|name| variables.contains_key(*name));
        assert_eq!(learned, !calls.is_empty(), "{read}");
    }
    assert_eq!(names.len(), 3, "{names:?}");
    let tools = service.get(ADA, "/user/tools").await.is(200);
    for tool in tools.as_array().unwrap() {
        assert!(names.contains(tool["name"].as_str().unwrap()), "{tool}");
    }
}

#[tokio::test]
async fn where_the_ai_is_off_most_customers_wait_and_some_have_been_answered() {
    let service = demo().await;
    let (mut waiting, mut answered) = (0, 0);
    for page in 1..=10 {
        for row in rows(&service, &format!("/user/conversations?per_page=100&page={page}")).await {
            if row["ai_enabled"] == false {
                let read = history(&service, &row).await;
                let waits = last(&read)["role"] == "user";
                waiting += usize::from(waits);
                answered += usize::from(!waits);
            }
        }
    }
    assert!(waiting > 20 && answered > 5 && waiting > answered, "{waiting} {answered}");
    let newest = rows(&service, "/user/conversations?per_page=100").await;
    let mut recent = newest.iter().filter(|row| row["ai_enabled"] == false);
    assert!(recent.any(|row| row["updated_at"].as_str().unwrap().starts_with("2026-11-2")), "somebody waits today");
}

#[tokio::test]
async fn the_past_has_calls_of_every_status_and_type_and_the_filters_find_each() {
    let service = demo().await;
    let all = service.get(ADA, "/user/calls?per_page=1").await.is(200)["total"].as_u64().unwrap();
    assert_eq!(all, 400);
    let count = async |query: String| service.get(ADA, &format!("/user/calls?per_page=1&{query}")).await.is(200);
    let mut sum = 0;
    for status in CallStatus::KNOWN {
        let page = count(format!("status={}", status.as_str())).await;
        assert_eq!(page["data"][0]["status"], status.as_str());
        sum += page["total"].as_u64().unwrap();
    }
    assert_eq!(sum, all);
    sum = 0;
    for kind in CallType::KNOWN {
        let page = count(format!("type={}", kind.as_str())).await;
        assert_eq!(page["data"][0]["type"], kind.as_str());
        sum += page["total"].as_u64().unwrap();
    }
    assert_eq!(sum, all);
    let first = count("date_to=2026-11-20".to_owned()).await;
    let phone = first["data"][0]["client_phone_number"].as_str().unwrap().replace('+', "%2B");
    assert!(count(format!("phone_number={phone}")).await["total"].as_u64().unwrap() >= 1);
    assert_eq!(service.get("sandbox-bob", "/user/calls").await.is(200)["total"], 6);
    assert_eq!(service.get(BOB, "/user/calls").await.status, 401);
}

#[tokio::test]
async fn pages_of_the_past_hold_each_call_once_newest_first_and_say_the_same_as_the_call_itself() {
    let service = demo().await;
    let mut seen = Vec::new();
    for page in 1..=8 {
        seen.extend(rows(&service, &format!("/user/calls?per_page=50&page={page}")).await);
    }
    assert_eq!(seen.len(), 400);
    assert!(seen.windows(2).all(|two| two[0]["id"].as_i64() > two[1]["id"].as_i64()));
    assert!(seen.windows(2).all(|two| two[0]["created_at"].as_str() >= two[1]["created_at"].as_str()));
    for listed in seen.iter().step_by(16) {
        assert_eq!(service.get(ADA, &format!("/user/calls/{}", listed["id"])).await.is(200), *listed);
    }
}

#[tokio::test]
async fn a_call_of_the_past_has_words_findings_and_costs_where_somebody_talked() {
    let service = demo().await;
    for call in rows(&service, "/user/calls?per_page=100").await {
        let (seconds, said) = (call["duration"].as_i64().unwrap(), call["transcript"].as_array().unwrap());
        let cost: f64 = call["total_cost"].as_str().unwrap().parse().unwrap();
        assert_eq!(seconds > 0, cost > 0.0, "{call}");
        assert_eq!(seconds > 0, !said.is_empty(), "{call}");
        assert_eq!(seconds > 0, !call["evaluation"].as_array().unwrap().is_empty(), "{call}");
        assert!(call["variables"]["language"].is_string(), "{call}");
        assert!(said.is_empty() || said[0]["sender"] == "bot", "{call}");
        if call["status"] == "completed" {
            assert_eq!(
                call["evaluation"][0],
                json!({
                    "name": "status", "type": "bool", "value": true, "description": "Whether the call reached its goal"
                })
            );
        }
    }
}

#[tokio::test]
async fn the_assistants_of_the_demo_world_use_knowledgebases_and_tools() {
    let service = demo().await;
    let used = rows(&service, "/user/knowledgebases").await;
    assert!(used.iter().filter(|base| base["assistants_count"].as_u64() > Some(0)).count() >= 3, "{used:?}");
    let assistants = rows(&service, "/user/assistants/get?per_page=100").await;
    assert!(assistants.iter().any(|one| one["knowledgebase_id"].is_i64()), "{assistants:?}");
    assert!(assistants.iter().filter(|one| one["tool_ids"] != json!([])).count() >= 5, "{assistants:?}");
}
