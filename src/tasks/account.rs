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
    /// The account, where it has been asked for.
    pub(super) fn known(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }

    /// The account that the server charges: its origin with the e-mail that the account has, or had when the server last
    /// told it; else with a keyed digest of the token.
    ///
    /// # Errors
    /// Where the server cannot be asked, or answers anything but an account, 404 or 405. It is asked again the next time.
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
    let origin = requests.origin();
    let email = match requests.call(Request::GetAccount, observe).await {
        Ok(reply) => Some(email(reply).ok_or_else(|| {
            let unreadable = FailureKind::Unreadable("the account has no e-mail".to_owned());
            Failure::of(Request::GetAccount.operation(), unreadable)
        })?),
        Err(Failure { kind: FailureKind::Status { status: 404 | 405, .. }, .. }) => None,
        Err(failure) => return Err(failure),
    };
    let name = email.map(|email| format!("{origin} {email}"));
    let (records, token) = (Arc::clone(records), requests.token());
    let found = tokio::task::spawn_blocking(move || {
        let token = format!("{origin} token {}", records.digest(token.expose().as_bytes())?);
        records.account_of(&token, name.as_deref())
    });
    match found.await {
        Ok(found) => found.map_err(|error| FailureKind::Local(error.to_string()).into()),
        Err(_) => Err(FailureKind::Internal("a task panicked".to_owned()).into()),
    }
}

/// The e-mail of an account, in its one spelling.
fn email(reply: Reply) -> Option<String> {
    let account = Reply::get_account(reply)?;
    account.email.known().map(|email| email.trim().to_lowercase()).filter(|email| !email.is_empty())
}
