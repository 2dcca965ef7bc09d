// Endpoints, Assistants: voices, providers, models; languages as the live platform has them.

use crate::support::{ADA, Service, fields};
use serde_json::{Value, json};

async fn rows(service: &Service, path: &str) -> Vec<Value> {
    service.get(ADA, &format!("/user/assistants/{path}")).await.is(200).as_array().unwrap().clone()
}

#[tokio::test]
async fn a_voice_has_every_field() {
    let service = Service::sandbox().await;
    let voices = rows(&service, "voices").await;
    assert!(voices.len() >= 30);
    for voice in voices {
        assert_eq!(
            fields(&voice),
            ["id", "name", "language_id", "gender", "preview_url", "accent", "age", "synthesizer_provider_id"]
        );
        assert!(["male", "female"].contains(&voice["gender"].as_str().unwrap()));
        assert!(voice["preview_url"].as_str().unwrap().starts_with("https://"));
    }
}

#[tokio::test]
async fn a_voice_has_an_accent_and_an_age_or_null() {
    let service = Service::sandbox().await;
    let voices = rows(&service, "voices").await;
    for field in ["accent", "age"] {
        let (known, unknown): (Vec<_>, Vec<_>) =
            voices.iter().map(|voice| &voice[field]).partition(|value| value.is_string());
        assert!(!known.is_empty() && known.iter().all(|value| **value != ""), "{field}");
        assert!(!unknown.is_empty() && unknown.iter().all(|value| value.is_null()), "{field}: {unknown:?}");
    }
}

#[tokio::test]
async fn voices_are_filtered_by_mode_and_language() {
    let service = Service::sandbox().await;
    let all = rows(&service, "voices").await;
    let multimodal = rows(&service, "voices?mode=multimodal").await;
    assert!(multimodal.iter().all(|voice| voice["synthesizer_provider_id"].is_null()));
    for mode in ["pipeline", "dualplex"] {
        let voices = rows(&service, &format!("voices?mode={mode}")).await;
        assert!(voices.iter().all(|voice| voice["synthesizer_provider_id"].is_i64()));
        assert_eq!(voices.len() + multimodal.len(), all.len());
    }
    let german = rows(&service, "voices?language_id=2").await;
    assert!(!german.is_empty() && german.iter().all(|voice| voice["language_id"] == 2));
    let both = rows(&service, "voices?language_id=2&mode=multimodal").await;
    assert!(!both.is_empty() && both.len() < german.len());
}

#[tokio::test]
async fn providers_are_filtered_by_language() {
    let service = Service::sandbox().await;
    for path in ["synthesizer-providers", "transcriber-providers"] {
        let all = rows(&service, path).await;
        assert!(all.iter().all(|provider| fields(provider) == ["id", "name", "code"]));
        let arabic = rows(&service, &format!("{path}?language_id=11")).await;
        assert!(!arabic.is_empty() && arabic.len() < all.len(), "{path}");
    }
}

#[tokio::test]
async fn models_are_those_of_a_type_and_language_models_by_default() {
    let service = Service::sandbox().await;
    let llm = rows(&service, "models").await;
    assert!(llm.iter().all(|model| fields(model) == ["id", "name"]));
    assert_eq!(rows(&service, "models?type=llm").await, llm);
    let multimodal = rows(&service, "models?type=multimodal").await;
    let dualplex = rows(&service, "models?type=dualplex").await;
    for models in [&multimodal, &dualplex] {
        assert!(!models.is_empty() && models.iter().all(|model| fields(model) == ["id", "name", "code"]));
    }
    assert!(multimodal.iter().all(|model| !dualplex.contains(model)));
}

#[tokio::test]
async fn languages_have_a_name_and_two_letters() {
    let service = Service::sandbox().await;
    let languages = rows(&service, "languages").await;
    assert_eq!(languages[1], json!({"id": 2, "name": "German", "iso_2": "de"}));
    assert_eq!(languages.len(), 12);
}

#[tokio::test]
async fn filters_that_name_nothing_are_faults() {
    let service = Service::sandbox().await;
    for (path, field) in [
        ("voices?mode=telepathy", "mode"),
        ("voices?language_id=99", "language_id"),
        ("voices?language_id=german", "language_id"),
        ("synthesizer-providers?language_id=0", "language_id"),
        ("transcriber-providers?language_id=x", "language_id"),
        ("models?type=pipeline", "type"),
    ] {
        let answer = service.get(ADA, &format!("/user/assistants/{path}")).await.is(422);
        assert_eq!(fields(&answer["errors"]), [field], "{path}");
    }
    let both = service.get(ADA, "/user/assistants/voices?mode=x&language_id=x").await.is(422);
    assert_eq!(fields(&both["errors"]), ["language_id", "mode"]);
}

#[tokio::test]
async fn assistants_of_a_world_speak_the_language_of_their_time_zone_with_a_voice_for_their_mode() {
    let service = Service::sandbox().await;
    let voices = rows(&service, "voices").await;
    let outbound = rows(&service, "outbound").await;
    let voice = |row: &Value| voices.iter().find(|voice| voice["id"] == row["voice_id"]).unwrap().clone();
    assert_eq!((&outbound[0]["language_id"], &voice(&outbound[0])["language_id"]), (&json!(2), &json!(2)));
    assert!(voice(&outbound[0])["synthesizer_provider_id"].is_i64(), "a pipeline");
    assert_eq!(outbound[1]["language_id"], 1);
    assert!(voice(&outbound[1])["synthesizer_provider_id"].is_null(), "multimodal");
}
