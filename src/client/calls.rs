//! The operations: a method each.

use super::{Client, Departure, Failure, FailureKind, Observer, Operation};
use crate::api::{
    Account, ApiKey, ApiKeyList, Conversation, ConversationHistory, ConversationQuery, CreateApiKey, CreatedApiKey,
    CreatedApiKeyBody, Data, OutboundAssistant, Page, SendFreeform, SendTemplate, Sender, SentMessage, SessionStatus,
    Template,
};
use serde::de::DeserializeOwned;

impl Client {
    /// `GET /user/conversations`: one page of the conversation list.
    ///
    /// # Errors
    /// A [`Failure`] of the last try.
    pub async fn conversations(
        &self,
        query: &ConversationQuery,
        observe: Observer<'_>,
    ) -> Result<Page<Conversation>, Failure> {
        self.send(Operation::conversations(query), json, observe).await
    }

    /// `GET /user/assistants/outbound`: all the caller's outbound assistants.
    ///
    /// # Errors
    /// A [`Failure`] of the last try.
    pub async fn outbound_assistants(&self, observe: Observer<'_>) -> Result<Vec<OutboundAssistant>, Failure> {
        self.send(Operation::outbound_assistants(), json, observe).await
    }

    /// `GET /user/api-keys`: the caller's keys, without their tokens.
    ///
    /// # Errors
    /// A [`Failure`] of the last try.
    pub async fn api_keys(&self, observe: Observer<'_>) -> Result<Vec<ApiKey>, Failure> {
        self.send(Operation::api_keys(), json, observe).await.map(|list: ApiKeyList| list.api_keys)
    }

    /// `POST /user/api-keys`: a new key, with the only sight of its token.
    ///
    /// # Errors
    /// A [`Failure`] of the one try; after [`FailureKind::NoAnswer`] the key may exist.
    pub async fn create_api_key(&self, key: &CreateApiKey, observe: Observer<'_>) -> Result<CreatedApiKey, Failure> {
        self.send(Operation::create_api_key(key), secret_json, observe)
            .await
            .map(|body: CreatedApiKeyBody| body.api_key)
    }

    /// `DELETE /user/api-keys/{id}`: the end of a key. What the answer says beyond its status is not in the contract.
    ///
    /// # Errors
    /// A [`Failure`] of the one try; after [`FailureKind::NoAnswer`] the key may be gone.
    pub async fn delete_api_key(&self, id: i64, observe: Observer<'_>) -> Result<(), Failure> {
        self.send(Operation::delete_api_key(id), |_| Ok(()), observe).await
    }

    /// `GET /user/me`: the caller's account with its balance.
    ///
    /// # Errors
    /// A [`Failure`] of the last try.
    pub async fn account(&self, observe: Observer<'_>) -> Result<Account, Failure> {
        self.send(Operation::account(), json, observe).await
    }

    /// `GET /user/msgapp/senders`: all senders, online or not. A server may not have this operation.
    ///
    /// # Errors
    /// A [`Failure`] of the last try.
    pub async fn senders(&self, observe: Observer<'_>) -> Result<Vec<Sender>, Failure> {
        self.send(Operation::senders(), json, observe).await.map(|list: Data<Vec<Sender>>| list.data)
    }

    /// `GET /user/msgapp/senders/{senderId}/templates`: all templates of a sender, whatever their status.
    ///
    /// # Errors
    /// A [`Failure`] of the last try.
    pub async fn templates(&self, sender_id: i64, observe: Observer<'_>) -> Result<Vec<Template>, Failure> {
        self.send(Operation::templates(sender_id), json, observe).await.map(|list: Data<Vec<Template>>| list.data)
    }

    /// `GET /user/msgapp/session-status`: the window of a sender and a recipient. It costs nothing.
    ///
    /// # Errors
    /// A [`Failure`] of the last try.
    pub async fn session_status(
        &self,
        sender_id: i64,
        recipient_phone: &str,
        observe: Observer<'_>,
    ) -> Result<SessionStatus, Failure> {
        self.send(Operation::session_status(sender_id, recipient_phone), json, observe).await
    }

    /// `POST /user/msgapp/send`: a template message. It costs money.
    ///
    /// It waits for its turn, so that the service's limit is kept, and where the service asks for a wait all the same (429)
    /// it has not been sent, and is sent again. Nothing else is ever repeated. Until it leaves, `departure` can take it
    /// back, and says afterwards whether it may have reached the service.
    ///
    /// # Errors
    /// A [`Failure`] of the last try; [`FailureKind::Cancelled`] where it was taken back.
    pub async fn send_template(
        &self,
        message: &SendTemplate,
        departure: &Departure,
        observe: Observer<'_>,
    ) -> Result<SentMessage, Failure> {
        self.send_message(Operation::send_template(message), json, departure, observe).await
    }

    /// `POST /user/msgapp/send-freeform`: text, into an open window. A server may not have this operation. It leaves like a
    /// template message.
    ///
    /// # Errors
    /// Those of a template message.
    pub async fn send_freeform(
        &self,
        message: &SendFreeform,
        departure: &Departure,
        observe: Observer<'_>,
    ) -> Result<SentMessage, Failure> {
        self.send_message(Operation::send_freeform(message), json, departure, observe).await
    }

    /// `GET /conversations/{uuid}`: a conversation with its messages. A server may not have this operation.
    ///
    /// # Errors
    /// A [`Failure`] of the last try.
    pub async fn conversation(&self, id: &str, observe: Observer<'_>) -> Result<ConversationHistory, Failure> {
        self.send(Operation::conversation(id), json, observe).await
    }
}

/// Reads JSON, and names the field where it is not as the contract says.
fn json<T: DeserializeOwned>(body: &[u8]) -> Result<T, FailureKind> {
    parse(body).map_err(|(path, fault)| unreadable(body, &path, &fault, &fault.to_string()))
}

/// Like [`json`], for answers that hold a secret: a fault's own text would quote the value it stumbled over.
fn secret_json<T: DeserializeOwned>(body: &[u8]) -> Result<T, FailureKind> {
    parse(body).map_err(|(path, fault)| {
        let said = format!("not as expected at line {} column {}", fault.line(), fault.column());
        unreadable(body, &path, &fault, &said)
    })
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T, (String, serde_json::Error)> {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut reader)
        .map_err(|error| (error.path().to_string(), error.into_inner()))?;
    reader.end().map_err(|fault| (".".to_owned(), fault))?;
    Ok(value)
}

fn unreadable(body: &[u8], path: &str, fault: &serde_json::Error, said: &str) -> FailureKind {
    // Every answer of the API is an object or a list: a page for browsers comes from somewhere else.
    let begins_as_json = matches!(body.trim_ascii_start().first(), Some(b'{' | b'['));
    FailureKind::Unreadable(match path {
        _ if !begins_as_json && !fault.is_data() => "it is not JSON; is the base URL right?".to_owned(),
        "." => said.to_owned(),
        path => format!("{path}: {said}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault<T: DeserializeOwned + std::fmt::Debug>(body: &str) -> String {
        json::<T>(body.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn an_unreadable_answer_names_the_field() {
        let text = fault::<CreatedApiKeyBody>(r#"{"message": "", "api_key": {"name": 7}}"#);
        assert!(text.contains("api_key.name: invalid type: integer"), "{text}");
        let text = fault::<Vec<OutboundAssistant>>(r#"[{"id": 1}, 7]"#);
        assert!(text.contains("[1]: invalid type"), "{text}");
        let text = fault::<Page<Conversation>>(r#"{"current_page": 1}"#);
        assert!(text.contains("missing field `data`"), "{text}");
    }

    #[test]
    fn a_token_in_an_unreadable_answer_is_not_quoted() {
        for body in [r#"{"message": "", "api_key": "1|very-secret"}"#, r#"{"api_key": {"token": ["very-secret"]}}"#] {
            let fault = secret_json::<CreatedApiKeyBody>(body.as_bytes()).unwrap_err().to_string();
            assert!(fault.contains("api_key") && !fault.contains("very-secret"), "{fault}");
        }
    }

    #[test]
    fn what_is_no_json_or_more_than_one_value_is_unreadable() {
        for page in ["<html>", "\n<!DOCTYPE html>", "Not found", ""] {
            assert!(fault::<ApiKeyList>(page).contains("it is not JSON; is the base URL right?"), "{page:?}");
        }
        assert!(fault::<ApiKeyList>(r#"{"api_keys": ["#).contains("EOF"));
        assert!(fault::<ApiKeyList>(r#"{"api_keys": []} {}"#).contains("trailing characters"));
    }
}
