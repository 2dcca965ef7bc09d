//! What is kept on this machine, through the channel.

use super::outbox::Channel;
use std::path::PathBuf;
use std::sync::Arc;
use switchboard::client::{Client, FailureKind};
use switchboard::records::{ProfileData, Records, Resource, StorageReply, StorageRequest, Watched};
use switchboard::tasks::{Answer, Config, Connected, Event, Report, TaskId};

type Connecting = Result<Connected<Client>, String>;

fn watched(number: u64) -> Watched {
    Watched { sender_id: 1, phone: format!("+4930555{number:05}"), name: None }
}

fn recalled(channel: &Channel) -> ProfileData {
    let result = channel.result();
    let Ok(Answer::Stored(StorageReply::ProfileData(kept))) = result else {
        panic!("what is kept was due, not {result:?}")
    };
    *kept
}

#[test]
fn what_is_kept_needs_no_server_and_is_no_request() {
    let records = || Arc::new(Records::in_memory().unwrap());
    let connecting = Channel::when(std::future::pending::<Connecting>(), records(), |config| config);
    let absent = Channel::when(std::future::ready(Connecting::Err("no".to_owned())), records(), |config| config);
    absent.until(|event| matches!(event, Event::NotConnected { .. }).then_some(()));
    for channel in [connecting, absent] {
        channel.run(1, StorageRequest::Watch(vec![watched(1)]));
        channel.run(2, StorageRequest::Load);
        let events: Vec<Event> = (0..2).map(|_| channel.until(Some)).collect();
        let [
            Event::Done(Report { result: Ok(Answer::Stored(StorageReply::Done)), .. }),
            Event::Done(Report { result: Ok(Answer::Stored(StorageReply::ProfileData(kept))), .. }),
        ] = &events[..]
        else {
            panic!("{events:?}")
        };
        assert_eq!(kept.watched, Some(vec![watched(1)]));
    }
}

#[test]
fn what_is_kept_changes_in_the_order_given_and_is_there_after_the_end() {
    let records = Arc::new(Records::in_memory().unwrap());
    let channel = Channel::when(std::future::pending::<Connecting>(), Arc::clone(&records), |config| config);
    for number in 0..50 {
        channel.run(number, StorageRequest::Watch(vec![watched(number)]));
    }
    channel.handle.shutdown(super::server::PATIENCE);
    let kept = records.profile_data(super::outbox::PROFILE).unwrap().watched.unwrap();
    assert_eq!(kept, (0..50).map(watched).collect::<Vec<_>>());
    let done = channel.events.try_iter().filter(|event| matches!(event, Event::Done(report) if report.result.is_ok()));
    assert_eq!(done.count(), 50);
}

#[test]
fn what_is_kept_may_change_where_it_is_read_only() {
    let connecting = std::future::pending::<Connecting>();
    let records = Arc::new(Records::in_memory().unwrap());
    let channel = Channel::when(connecting, records, |config| Config { read_only: true, ..config });
    channel.run(1, StorageRequest::AddId { resource: Resource::Sender, id: 7 });
    channel.run(2, StorageRequest::Load);
    assert_eq!(channel.result(), Ok(Answer::Stored(StorageReply::Done)));
    assert_eq!(recalled(&channel).senders, [7]);
}

#[test]
fn a_file_that_is_not_there_is_told_in_a_sentence() {
    let records = Arc::new(Records::in_memory().unwrap());
    let channel = Channel::when(std::future::pending::<Connecting>(), records, |config| config);
    channel.run(1, StorageRequest::ReadFile(PathBuf::from("/nowhere/people.csv")));
    let kind = channel.result().unwrap_err();
    let FailureKind::Local(why) = kind else { panic!("{kind}") };
    assert!(why.starts_with("/nowhere/people.csv "), "{why}");
}

#[test]
fn what_nobody_waits_for_any_more_is_kept_all_the_same() {
    let records = Arc::new(Records::in_memory().unwrap());
    let channel = Channel::when(std::future::pending::<Connecting>(), Arc::clone(&records), |config| config);
    channel.run(1, StorageRequest::AddId { resource: Resource::Sender, id: 7 });
    channel.handle.cancel(TaskId(1));
    channel.handle.shutdown(super::server::PATIENCE);
    assert_eq!(records.profile_data(super::outbox::PROFILE).unwrap().senders, [7]);
    assert_eq!(channel.events.try_iter().filter(|event| matches!(event, Event::Done(_))).count(), 1);
}
