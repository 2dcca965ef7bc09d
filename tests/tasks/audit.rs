//! The audit: what was confirmed, what is on the server and what the outbox says, behind a proxy that breaks connections.

use super::outbox::{Channel, WORLD, message, text, word};
use super::server::{PATIENCE, nobody};
use crate::support::proxy::{Fault, Proxy};
use crate::support::server::Server;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;
use switchboard::api::{ConversationQuery, Role};
use switchboard::client::{Client, ClientConfig, Request};
use switchboard::records::Entry;
use switchboard::service::Clock;
use switchboard::tasks::Work;

/// Messages that are confirmed for each kind of fault.
const CONFIRMS: u64 = 20;

/// What came of [`CONFIRMS`] messages: each entry with how often its message is on the server.
struct Audit(Vec<(Entry, usize)>);

impl Audit {
    /// Confirms messages at this URL, and counts at the server itself.
    fn at(base_url: &str, server: &Server) -> Self {
        let mut config = ClientConfig::new(base_url.parse().unwrap(), server.token.clone());
        config.deadline = Duration::from_millis(1_500);
        let channel = Channel::of(&config);
        for number in 0..CONFIRMS {
            channel.run(number, Work::Send(message(number)));
        }
        assert!(channel.handle.wait_idle(PATIENCE * 6));
        let on_server = texts(server);
        let counted = |entry: Entry| {
            let number = u64::try_from(entry.intent.id.as_u128()).unwrap() - 1;
            let count = on_server.get(&text(number)).copied().unwrap_or_default();
            (entry, count)
        };
        Self(channel.outbox().into_iter().map(counted).collect())
    }

    /// What holds whatever happened; and the figures, printed.
    fn holds(self, kind: &str) -> Self {
        let count = |outcome: &str| self.0.iter().filter(|(entry, _)| word(entry) == outcome).count();
        let on_server: usize = self.0.iter().map(|(_, count)| count).sum();
        let doubled = self.0.iter().filter(|(_, count)| *count > 1).count();
        println!(
            "{kind:<16} confirms {CONFIRMS}, on the server {on_server}, accepted {}, refused {}, unknown {}, doubled {doubled}",
            count("accepted"),
            count("refused"),
            count("unknown"),
        );
        assert_eq!(u64::try_from(self.0.len()).unwrap(), CONFIRMS, "every confirm has an entry");
        assert_eq!(doubled, 0);
        for (entry, count) in &self.0 {
            match word(entry) {
                "accepted" => assert_eq!(*count, 1, "{entry:?}"),
                "refused" | "not sent" => assert_eq!(*count, 0, "{entry:?}"),
                "unknown" => {}
                other => panic!("{other}: {entry:?}"),
            }
        }
        self
    }

    /// Every message ended in this way, and is there so often.
    fn all(&self, outcome: &str, on_server: usize) {
        for (entry, count) in &self.0 {
            assert_eq!((word(entry), *count), (outcome, on_server), "{entry:?}");
        }
    }
}

/// How often each text is on the server, in whatever conversation.
fn texts(server: &Server) -> BTreeMap<String, usize> {
    let config = ClientConfig::new(server.base_url().parse().unwrap(), server.token.clone());
    let client = Client::new(config).unwrap();
    let mut texts = BTreeMap::new();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let query = ConversationQuery { per_page: 100, ..ConversationQuery::default() };
        let request = Request::ListConversations { query };
        let page = client.call(&request, &mut |_| ()).await.unwrap().list_conversations().unwrap();
        assert!(page.rows().len() < 100, "there may be more");
        for row in page.rows() {
            let request = Request::GetConversation { uuid: row.id.known().unwrap().as_str().into() };
            let conversation = client.call(&request, &mut |_| ()).await.unwrap().get_conversation().unwrap();
            for said in conversation.history.iter().filter(|said| said.role.known() != Some(&Role::User)) {
                *texts.entry(said.content.known().unwrap().clone()).or_default() += 1;
            }
        }
    });
    texts
}

fn audit(kind: &str, fault: impl Fn() -> Fault + Send + Sync + 'static) -> Audit {
    let server = Server::start(WORLD, Clock::system());
    let proxy = Proxy::start(server.address, fault);
    Audit::at(&proxy.base_url(), &server).holds(kind)
}

#[test]
fn behind_a_proxy_that_does_nothing_every_message_is_accepted() {
    audit("no fault", || Fault::None).all("accepted", 1);
}

#[test]
fn without_a_server_no_message_leaves_and_none_is_recorded() {
    let server = Server::start(WORLD, Clock::system());
    let Audit(entries) = Audit::at(&nobody(), &server);
    assert!(entries.is_empty(), "whose account is charged is not known");
}

#[test]
fn a_connection_that_breaks_before_the_head_sends_nothing_and_is_unknown() {
    audit("before the head", || Fault::BeforeHead).all("unknown", 0);
}

#[test]
fn a_connection_that_breaks_before_the_body_sends_nothing_and_is_unknown() {
    audit("before the body", || Fault::BeforeBody).all("unknown", 0);
}

#[test]
fn a_connection_that_breaks_in_the_body_sends_nothing_and_is_unknown() {
    audit("in the body", || Fault::DuringBody).all("unknown", 0);
}

#[test]
fn a_connection_that_breaks_after_the_body_is_unknown() {
    let audit = audit("after the body", || Fault::AfterBody);
    assert!(audit.0.iter().all(|(entry, count)| word(entry) == "unknown" && *count <= 1));
}

#[test]
fn a_connection_that_breaks_before_the_answer_is_unknown_and_the_message_is_there() {
    audit("before the answer", || Fault::BeforeAnswer).all("unknown", 1);
}

#[test]
fn a_connection_that_breaks_after_the_answers_head_is_unknown_and_the_message_is_there() {
    audit("in the answer", || Fault::AfterAnswerHead).all("unknown", 1);
}

#[test]
fn an_answer_that_comes_too_late_is_unknown_and_the_message_is_there() {
    audit("too late", || Fault::Late(Duration::from_secs(3))).all("unknown", 1);
}

#[test]
fn a_connection_that_breaks_now_and_then_never_doubles_a_message() {
    let rng = Mutex::new(fastrand::Rng::with_seed(5));
    let fault = move || {
        let mut rng = rng.lock().unwrap();
        let late = Fault::Late(Duration::from_millis(200));
        let kinds = [[Fault::None, late, Fault::None].as_slice(), &Fault::BREAKS].concat();
        kinds[rng.usize(..kinds.len())]
    };
    let audit = audit("now and then", fault);
    assert!(audit.0.iter().any(|(entry, _)| word(entry) == "accepted"));
    assert!(audit.0.iter().any(|(entry, _)| word(entry) == "unknown"));
}
