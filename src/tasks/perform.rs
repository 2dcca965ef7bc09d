//! The one place where effects become requests.

use super::{Answer, Work};
use crate::client::{Client, Failure, Observer};

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
        }
    }
}
