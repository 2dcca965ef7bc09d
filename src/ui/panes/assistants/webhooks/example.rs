//! What a receiver of a webhook is sent, and what is odd about where that goes.

use crate::api::{CallCompletion, ConversationEnded, ConversationType, ExtractedVariables, Role, TranscriptLine};
use crate::records::Webhook;
use crate::ui::hosts::{self, Reach};
use crate::ui::panes::assistants::row::Row;
use serde_json::{Map, json};
use url::Url;

/// An example of the body, as JSON.
pub fn body(webhook: Webhook, row: Option<&Row>) -> String {
    let uuid = row.and_then(|row| row.record.uuid.known().cloned());
    let variables = row.and_then(|row| row.record.base.variables.known().cloned());
    let input_variables = variables.unwrap_or_else(|| Map::from_iter([("company".to_owned(), json!("Acme"))]));
    let extracted_variables =
        ExtractedVariables { status: true, summary: "Asked for the opening hours".to_owned(), more: Map::new() };
    let (created_at, ended) = ("2026-03-02T09:30:00+01:00".to_owned(), "2026-03-02T09:31:35+01:00".to_owned());
    let customer_phone = Some("+14155550123".to_owned());
    let (question, answer) = ("When do you open?", "At nine.");
    let written = match webhook {
        Webhook::ConversationEnded => {
            let line = |role, content: &str, timestamp_unix| TranscriptLine {
                role,
                content: content.to_owned(),
                timestamp: created_at.clone(),
                timestamp_unix,
            };
            serde_json::to_string(&ConversationEnded {
                id: 4711,
                conversation_id: "0d9b8a52-6c1e-4d0f-9a51-3f2c71b0aa10".to_owned(),
                assistant_id: uuid.unwrap_or_else(|| "1b77c0de-52f4-4c1b-8a57-6b0d7e7d3c01".to_owned()),
                kind: ConversationType::Widget,
                message_count: 2,
                status: "ended".to_owned(),
                extracted_variables,
                input_variables,
                transcript: vec![
                    line(Role::User, question, 1_772_440_200),
                    line(Role::Assistant, answer, 1_772_440_200),
                ],
                formatted_transcript: format!("Customer: {question}\nAI: {answer}"),
                attachments: Vec::new(),
                customer_phone,
                customer_name: Some("Maria Souza".to_owned()),
                sender: None,
                created_at,
                ended_at: ended,
            })
        }
        Webhook::InboundCall | Webhook::PostCall => serde_json::to_string(&CallCompletion {
            id: 815,
            customer_phone,
            assistant_phone: Some("+14155550100".to_owned()),
            duration: 95,
            status: "completed".to_owned(),
            extracted_variables,
            input_variables,
            transcript: format!("Customer: {question}\nAI: {answer}"),
            recording_url: None,
            created_at,
            finished_at: ended,
            lead: None,
            campaign: None,
        }),
    };
    written.unwrap_or_default()
}

/// What is odd about a URL that the rules allow, as sentences.
pub fn oddities(url: &str) -> Vec<String> {
    let Ok(url) = Url::parse(url) else { return Vec::new() };
    let Some((host, reach)) = hosts::host(&url) else { return Vec::new() };
    let mut said = Vec::new();
    if url.scheme() == "http" {
        said.push("http is not encrypted: others on the way can read it.".to_owned());
    }
    match reach {
        Reach::Own => said.push(format!("{host} is the server's own machine: reached only where that is this one.")),
        Reach::Private => {
            said.push(format!("{host} is in a private network, which a server elsewhere does not reach."));
        }
        Reach::Public => {}
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_and_private_hosts_are_named() {
        for fine in ["https://example.com/hook", "https://8.8.8.8/", "https://[2606:4700::1]/", "nonsense", ""] {
            assert_eq!(oddities(fine), Vec::<String>::new(), "{fine}");
        }
        let said = |url: &str| oddities(url).join(" ");
        assert!(said("http://example.com").contains("not encrypted"));
        for own in ["https://127.0.0.1:1/", "https://localhost/", "https://[::1]/", "https://[::ffff:127.0.0.1]/"] {
            assert!(said(own).contains("own machine"), "{own}");
        }
        for private in ["https://10.1.2.3/", "https://192.168.1.5/", "https://printer.local/", "https://[fd00::1]/"] {
            assert!(said(private).contains("private network"), "{private}");
        }
    }

    #[test]
    fn examples_have_the_fields_of_the_contract() {
        for webhook in Webhook::ALL {
            let body: serde_json::Value = serde_json::from_str(&body(webhook, None)).unwrap();
            assert!(body["extracted_variables"]["summary"].is_string(), "{webhook:?}");
        }
    }
}
