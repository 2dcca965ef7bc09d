//! The one place where effects become requests.

use super::{Answer, Work};
use crate::client::{Client, Failure, FailureKind, Observer};

/// Turns work into requests. The HTTP client does; tests put something else in its place.
pub trait Requests: Clone + Send + Sync + 'static {
    /// Does the work, and tells of each try.
    fn perform(&self, work: Work, observe: Observer<'_>) -> impl Future<Output = Result<Answer, Failure>> + Send;
}

impl Requests for Client {
    async fn perform(&self, work: Work, observe: Observer<'_>) -> Result<Answer, Failure> {
        match work {
            Work::Conversations(query) => {
                self.conversations(&query, observe).await.map(|page| Answer::Conversations(Box::new(page)))
            }
            Work::OutboundAssistants => self.outbound_assistants(observe).await.map(Answer::OutboundAssistants),
            Work::Account => self.account(observe).await.map(|account| Answer::Account(Box::new(account))),
            Work::Senders => self.senders(observe).await.map(Answer::Senders),
            Work::Templates(sender_id) => self.templates(sender_id, observe).await.map(Answer::Templates),
            Work::Window { sender_id, phone } => {
                self.session_status(sender_id, &phone, observe).await.map(|status| Answer::Window(Box::new(status)))
            }
            work @ (Work::Send(_) | Work::Check(_) | Work::Keep(_)) => {
                Err(Failure { operation: work.operation(), kind: FailureKind::Internal("not made yet".to_owned()) })
            }
        }
    }
}
