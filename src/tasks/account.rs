//! Who is charged for a send: the outbox compares sends by account, however its profile is called and its server spelled.

use super::Requests;
use crate::client::{Failure, FailureKind, Observer, Reply, Request};
use crate::records::Records;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// The account behind a connection. It is asked for once, when something is about to be sent or checked.
#[derive(Clone, Default)]
pub(super) struct AccountCell(Arc<OnceCell<String>>);

impl AccountCell {
    /// The name of the account: the server's origin with the account's e-mail, or where the server does not tell
    /// accounts, with a keyed digest of the token.
    ///
    /// # Errors
    /// Where the server cannot be asked, or answers anything else. It is asked again the next time.
    pub(super) async fn get<R: Requests>(
        &self,
        requests: &R,
        records: &Arc<Records>,
        observe: Observer<'_>,
    ) -> Result<String, Failure> {
        self.0.get_or_try_init(|| find(requests, records, observe)).await.cloned()
    }
}

async fn find<R: Requests>(requests: &R, records: &Arc<Records>, observe: Observer<'_>) -> Result<String, Failure> {
    let (origin, operation) = (requests.origin(), Request::GetAccount.operation());
    let reply = match requests.call(Request::GetAccount, observe).await {
        Ok(reply) => reply,
        Err(Failure { kind: FailureKind::Status { status: 404 | 405, .. }, .. }) => {
            let (records, token) = (Arc::clone(records), requests.token());
            let digest = tokio::task::spawn_blocking(move || records.digest(token.expose().as_bytes())).await;
            return match digest {
                Ok(Ok(digest)) => Ok(format!("{origin} token {digest}")),
                Ok(Err(error)) => Err(FailureKind::Local(error.to_string()).into()),
                Err(_) => Err(FailureKind::Internal("a task panicked".to_owned()).into()),
            };
        }
        Err(failure) => return Err(failure),
    };
    let account = Reply::get_account(reply);
    let email = account.as_ref().and_then(|account| account.email.known()).map(|email| email.trim().to_lowercase());
    match email.filter(|email| !email.is_empty()) {
        Some(email) => Ok(format!("{origin} {email}")),
        None => Err(Failure::of(operation, FailureKind::Unreadable("the account has no e-mail".to_owned()))),
    }
}
