//! What is kept, as those who use it meet it; also while programs die, and several at once.

use super::*;
use crate::api::ErrorCode;
use crate::messaging::{Accepted, LastMessage, Outcome, Refusal};
use jiff::{SignedDuration, Timestamp};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use uuid::Uuid;

const ACCOUNT: &str = "http://localhost:80 ada@example.com";
/// Names the folder for a child, and what it does there.
const FOLDER: &str = "SWITCHBOARD_TEST_RECORDS";

fn now() -> Timestamp {
    "2026-11-21T12:00:00.5Z".parse().unwrap()
}

fn later(seconds: i64) -> Timestamp {
    now() + SignedDuration::from_secs(seconds)
}

pub(super) fn intent(id: u128) -> Intent {
    Intent {
        id: Uuid::from_u128(id),
        profile: "live".to_owned(),
        sender_id: 3,
        sender: "+14155550100".to_owned(),
        phone: "+4930901820".to_owned(),
        name: None,
        content: Content::Freeform,
        row: None,
        before: None,
        text: None,
    }
}

fn row(id: u128, batch: u128, line: u64) -> Intent {
    Intent { row: Some(RowOf { batch: Uuid::from_u128(batch), line }), ..intent(id) }
}

fn accepted() -> Outcome {
    Outcome::Accepted(Accepted { message_id: Some(9), status: Some("queued".to_owned()), ..Accepted::default() })
}

fn unknown(why: &str) -> Outcome {
    Outcome::Unknown { why: why.to_owned() }
}

fn known(begun: Begun) -> Entry {
    match begun {
        Begun::Known(entry) => *entry,
        other => panic!("it was not known: {other:?}"),
    }
}

fn begins(records: &Records, intent: &Intent) {
    assert_eq!(records.begin(&Departing::again(intent, ACCOUNT), now()).unwrap(), Begun::Recorded(intent.id));
}

mod the_outbox {
    use super::*;

    #[test]
    fn has_all_that_was_confirmed_and_what_became_of_it() {
        let records = Records::in_memory().unwrap();
        let whole = Intent {
            name: Some("Maria Souza".to_owned()),
            content: Content::Template(TemplateName { id: 12, name: "appointment".to_owned() }),
            before: Some(Before { open: true, expiry: Some(later(60)), last_message: LastMessage::Untold }),
            text: Some("Hello Maria".to_owned()),
            ..row(1, 7, 42)
        };
        begins(&records, &whole);
        let waiting = Entry { intent: whole.clone(), began: now(), ended: None, outcome: None, mark: None };
        assert_eq!(records.entry(whole.id).unwrap(), Some(waiting.clone()));
        let settled = records.settle(whole.id, &accepted(), later(1)).unwrap();
        assert_eq!(settled, Entry { ended: Some(later(1)), outcome: Some(accepted()), ..waiting });
        assert_eq!(records.outbox(Some("live"), 10).unwrap(), [settled]);
    }

    #[test]
    fn keeps_every_kind_of_outcome() {
        let records = Records::in_memory().unwrap();
        let refused = Outcome::Refused(Refusal {
            status: Some(403),
            code: Some(ErrorCode::TemplateNotApproved),
            words: "The template is not approved.".to_owned(),
        });
        for (id, outcome) in [(1, accepted()), (2, refused), (3, unknown("time-out"))] {
            begins(&records, &intent(id));
            assert_eq!(records.settle(Uuid::from_u128(id), &outcome, later(1)).unwrap().outcome, Some(outcome));
        }
    }

    #[test]
    fn calls_a_send_that_waited_when_its_program_died_not_sent() {
        let home = tempfile::tempdir().unwrap();
        let records = Records::open(home.path()).unwrap();
        for id in 1..=3 {
            begins(&records, &intent(id));
        }
        records.waits(Uuid::from_u128(1), true).unwrap();
        records.waits(Uuid::from_u128(2), true).unwrap();
        records.waits(Uuid::from_u128(2), false).unwrap();
        drop(records);
        let entries = Records::open(home.path()).unwrap().outbox(None, 9).unwrap();
        let words: Vec<_> = entries.iter().map(|entry| entry.outcome.as_ref().unwrap().word()).collect();
        assert_eq!(words, ["unknown", "unknown", "not sent"]);
    }

    #[test]
    fn records_again_what_was_not_sent_under_another_id() {
        let records = Records::in_memory().unwrap();
        begins(&records, &row(1, 7, 1));
        let words = "no connection".to_owned();
        let not_sent = Outcome::NotSent(Refusal { status: None, code: None, words });
        records.settle(Uuid::from_u128(1), &not_sent, now()).unwrap();
        let again = records.begin(&Departing::again(&row(1, 7, 1), ACCOUNT), later(1)).unwrap();
        let Begun::Recorded(id) = again else { panic!("{again:?}") };
        assert_ne!(id, Uuid::from_u128(1));
        known(records.begin(&Departing::again(&row(1, 7, 1), ACCOUNT), later(2)).unwrap());
        records.settle(id, &unknown("time-out"), later(2)).unwrap();
        records.mark(id, Mark::NotSent, later(3)).unwrap();
        let again = records.begin(&Departing::again(&row(1, 7, 1), ACCOUNT), later(4)).unwrap();
        assert!(matches!(again, Begun::Recorded(third) if third != id));
    }

    #[test]
    fn never_records_an_intent_or_a_row_of_a_batch_twice() {
        let records = Records::in_memory().unwrap();
        begins(&records, &row(1, 7, 1));
        records.settle(Uuid::from_u128(1), &accepted(), later(1)).unwrap();
        assert_eq!(
            known(records.begin(&Departing::again(&intent(1), ACCOUNT), later(2)).unwrap()).outcome,
            Some(accepted())
        );
        let other_try = known(records.begin(&Departing::again(&row(2, 7, 1), ACCOUNT), later(2)).unwrap());
        assert_eq!((other_try.intent.id, other_try.outcome), (Uuid::from_u128(1), Some(accepted())));
        begins(&records, &row(3, 7, 2));
        begins(&records, &row(4, 8, 1));
        let lines: Vec<_> =
            records.batch(Uuid::from_u128(7)).unwrap().into_iter().map(|entry| entry.intent.id).collect();
        assert_eq!(lines, [Uuid::from_u128(1), Uuid::from_u128(3)]);
    }

    #[test]
    fn is_listed_newest_first_by_profile_and_by_what_is_unknown() {
        let records = Records::in_memory().unwrap();
        begins(&records, &intent(1));
        begins(&records, &Intent { profile: "trial".to_owned(), ..intent(2) });
        begins(&records, &intent(3));
        records.settle(Uuid::from_u128(1), &unknown("time-out"), later(1)).unwrap();
        let ids = |entries: Vec<Entry>| entries.iter().map(|entry| entry.intent.id.as_u128()).collect::<Vec<_>>();
        assert_eq!(ids(records.outbox(None, 10).unwrap()), [3, 2, 1]);
        assert_eq!(ids(records.outbox(None, 2).unwrap()), [3, 2]);
        assert_eq!(ids(records.outbox(Some("live"), 10).unwrap()), [3, 1]);
        assert_eq!(ids(records.unknown(None, 10).unwrap()), [1]);
        assert!(records.unknown(Some("trial"), 10).unwrap().is_empty());
    }

    #[test]
    fn lets_what_is_known_stand_and_replaces_what_was_unknown() {
        let records = Records::in_memory().unwrap();
        let id = Uuid::from_u128(1);
        begins(&records, &intent(1));
        records.settle(id, &unknown("time-out"), later(1)).unwrap();
        records.mark(id, Mark::NotSent, later(2)).unwrap();
        let still = records.settle(id, &unknown("shutdown"), later(3)).unwrap();
        assert_eq!((still.outcome, still.mark), (Some(unknown("time-out")), Some(Mark::NotSent)));
        let found_out = records.settle(id, &accepted(), later(4)).unwrap();
        assert_eq!((found_out.outcome, found_out.ended, found_out.mark), (Some(accepted()), Some(later(4)), None));
        assert_eq!(records.settle(id, &unknown("shutdown"), later(5)).unwrap().outcome, Some(accepted()));
        let missing = records.settle(Uuid::from_u128(2), &accepted(), now()).unwrap_err();
        assert!(matches!(missing, RecordsError::NotThere(_)), "{missing}");
    }

    #[test]
    fn lets_a_person_mark_only_what_is_unknown() {
        let records = Records::in_memory().unwrap();
        let id = Uuid::from_u128(1);
        assert!(matches!(records.mark(id, Mark::Sent, now()), Err(RecordsError::NotThere(_))));
        begins(&records, &intent(1));
        assert!(matches!(records.mark(id, Mark::Sent, now()), Err(RecordsError::NotUnknown(_))), "on its way");
        records.settle(id, &unknown("time-out"), now()).unwrap();
        assert_eq!(records.mark(id, Mark::Sent, now()).unwrap().mark, Some(Mark::Sent));
        assert_eq!(records.mark(id, Mark::NotSent, now()).unwrap().mark, Some(Mark::NotSent));
        records.settle(id, &accepted(), now()).unwrap();
        assert!(matches!(records.mark(id, Mark::Sent, now()), Err(RecordsError::NotUnknown(_))), "accepted");
    }
}

mod several_programs {
    use super::*;

    #[test]
    fn see_that_another_still_waits_for_its_answer_and_that_it_has_ended() {
        let home = tempfile::tempdir().unwrap();
        let (one, other) = (Records::open(home.path()).unwrap(), Records::open(home.path()).unwrap());
        begins(&one, &intent(1));
        assert_eq!(other.entry(Uuid::from_u128(1)).unwrap().unwrap().outcome, None);
        drop(one);
        let settled = other.outbox(None, 10).unwrap().remove(0);
        assert_eq!((settled.outcome, settled.ended), (Some(unknown(runs::DIED)), None));
        assert_eq!(std::fs::read_dir(home.path().join("runs")).unwrap().count(), 1, "only the one that lives");
        let begun_again = known(other.begin(&Departing::again(&intent(1), ACCOUNT), now()).unwrap());
        assert_eq!(begun_again.outcome, Some(unknown(runs::DIED)), "it is not sent again");
    }

    #[test]
    fn never_both_record_the_same_row() {
        let home = tempfile::tempdir().unwrap();
        let children: Vec<_> = (0..3).map(|_| Writer::start(home.path(), "rows")).collect();
        let mut lines: Vec<String> = children.into_iter().flat_map(Writer::finish).collect();
        lines.sort();
        let all: BTreeSet<_> = lines.iter().cloned().collect();
        assert_eq!((lines.len(), all.len()), (60, 60));
        assert_eq!(Records::open(home.path()).unwrap().batch(Uuid::from_u128(7)).unwrap().len(), 60);
    }

    #[test]
    fn that_are_killed_leave_all_that_they_said_they_had_recorded() {
        let home = tempfile::tempdir().unwrap();
        let reader = Records::open(home.path()).unwrap();
        let mut recorded = BTreeSet::new();
        for kill in 0..6 {
            let mut writer = Writer::start(home.path(), "intents");
            let mine: BTreeSet<String> = writer.lines.by_ref().take(1 + kill * 7).collect();
            writer.child.kill().unwrap();
            recorded.extend(mine);
            recorded.extend(writer.finish());
            let entries = reader.outbox(None, 10_000).unwrap();
            assert!(entries.iter().all(|entry| entry.outcome == Some(unknown(runs::DIED))), "after {kill}");
            let there: BTreeSet<String> = entries.iter().map(|entry| entry.intent.id.to_string()).collect();
            let lost: Vec<_> = recorded.difference(&there).collect();
            assert!(lost.is_empty(), "after {kill} kills: {lost:?}");
            // A kill may fall between the record and the word of it.
            assert!(there.len() <= recorded.len() + kill + 1);
        }
        println!(
            "6 kills: {} said to be recorded, {} there",
            recorded.len(),
            reader.outbox(None, 10_000).unwrap().len()
        );
    }

    /// A program that writes, and says on its standard error what it has recorded.
    struct Writer {
        child: Child,
        lines: Box<dyn Iterator<Item = String>>,
    }

    impl Writer {
        fn start(folder: &Path, what: &str) -> Self {
            let name = format!("{}::a_program_that_writes_{what}", module_path!().split_once("::").unwrap().1);
            let mut child = Command::new(std::env::current_exe().unwrap())
                .args(["--exact", &name, "--ignored", "--nocapture"])
                .env(FOLDER, folder)
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let said = BufReader::new(child.stderr.take().unwrap()).lines();
            let lines = said.map_while(Result::ok).filter_map(|line| Some(line.strip_prefix("recorded ")?.to_owned()));
            Self { child, lines: Box::new(lines) }
        }

        /// What else it said until its end.
        fn finish(mut self) -> Vec<String> {
            let rest = self.lines.collect();
            self.child.wait().unwrap();
            rest
        }
    }

    fn as_a_child(write: impl FnOnce(Records)) {
        if let Some(folder) = std::env::var_os(FOLDER) {
            write(Records::open(Path::new(&folder)).unwrap());
        }
    }

    #[test]
    #[ignore = "a part of the tests above"]
    fn a_program_that_writes_rows() {
        as_a_child(|records| {
            for line in 1..=60 {
                let intent = row(fastrand::u128(..), 7, line);
                if matches!(records.begin(&Departing::again(&intent, ACCOUNT), now()).unwrap(), Begun::Recorded(_)) {
                    eprintln!("recorded {line}");
                }
            }
        });
    }

    #[test]
    #[ignore = "a part of the tests above"]
    fn a_program_that_writes_intents() {
        as_a_child(|records| {
            loop {
                let intent = intent(fastrand::u128(..));
                begins(&records, &intent);
                eprintln!("recorded {}", intent.id);
            }
        });
    }
}

mod what_is_kept_for_a_profile {
    use super::*;

    fn kept(records: &Records) -> ProfileData {
        match records.store("live", &StorageRequest::Load, now()).unwrap() {
            StorageReply::ProfileData(kept) => *kept,
            other => panic!("{other:?}"),
        }
    }

    fn keep(records: &Records, keep: &StorageRequest) {
        let done = match keep {
            StorageRequest::SaveDraft(draft) => StorageReply::DraftSaved(Box::new(draft.clone())),
            StorageRequest::DeleteDraft(key) => StorageReply::DraftDeleted(key.clone()),
            _ => StorageReply::Done,
        };
        assert_eq!(records.store("live", keep, now()).unwrap(), done);
    }

    fn watched(phone: &str, name: Option<&str>) -> Watched {
        Watched { sender_id: 3, phone: phone.to_owned(), name: name.map(str::to_owned) }
    }

    fn draft(phone: &str, template_id: Option<i64>, value: &str) -> Draft {
        Draft {
            sender_id: Some(3),
            phone: phone.to_owned(),
            template_id,
            name: "Maria".to_owned(),
            values: [("day".to_owned(), value.to_owned())].into(),
            message: None,
            saved: later(5),
        }
    }

    #[test]
    fn survives_the_program() {
        let home = tempfile::tempdir().unwrap();
        let records = Records::open(home.path()).unwrap();
        keep(&records, &StorageRequest::Watch(vec![watched("+4930901820", Some("Maria"))]));
        keep(&records, &StorageRequest::AddId { resource: Resource::Sender, id: 5 });
        keep(&records, &StorageRequest::SaveDraft(draft("+4930901820", Some(12), "Monday")));
        let before = kept(&records);
        drop(records);
        assert_eq!(kept(&Records::open(home.path()).unwrap()), before);
    }

    #[test]
    fn is_another_ones_with_another_profile() {
        let records = Records::in_memory().unwrap();
        keep(&records, &StorageRequest::Watch(vec![watched("+4930901820", None)]));
        keep(&records, &StorageRequest::AddId { resource: Resource::Sender, id: 5 });
        keep(&records, &StorageRequest::SaveDraft(draft("+4930901820", None, "Monday")));
        assert_eq!(records.profile_data("trial").unwrap(), ProfileData::default());
    }

    #[test]
    fn is_a_watch_list_in_the_order_in_which_it_grew() {
        let records = Records::in_memory().unwrap();
        assert_eq!(kept(&records).watched, None, "nothing was ever watched");
        keep(&records, &StorageRequest::Watch(vec![watched("+4930901821", Some("Ada")), watched("+4930901822", None)]));
        keep(&records, &StorageRequest::Watch(vec![watched("+4930901821", None), watched("+4930901822", Some("Bob"))]));
        let both = vec![watched("+4930901821", Some("Ada")), watched("+4930901822", Some("Bob"))];
        assert_eq!(kept(&records).watched, Some(both));
        for phone in ["+4930901821", "+4930901822", "+4930901823"] {
            keep(&records, &StorageRequest::Unwatch { sender_id: 3, phone: phone.to_owned() });
        }
        assert_eq!(kept(&records).watched, Some(vec![]), "nothing any more");
    }

    #[test]
    fn is_which_senders_were_added() {
        let records = Records::in_memory().unwrap();
        for sender in [5, 2, 5, 9] {
            keep(&records, &StorageRequest::AddId { resource: Resource::Sender, id: sender });
        }
        keep(&records, &StorageRequest::RemoveId { resource: Resource::Sender, id: 2 });
        assert_eq!(kept(&records).senders, [5, 9]);
        keep(&records, &StorageRequest::AddId { resource: Resource::Tool, id: 5 });
        let listed = |resource| records.store("live", &StorageRequest::ListIds(resource), now()).unwrap();
        assert_eq!(listed(Resource::Sender), StorageReply::Ids(vec![5, 9]));
        assert_eq!(listed(Resource::Tool), StorageReply::Ids(vec![5]));
        assert_eq!(listed(Resource::Knowledgebase), StorageReply::Ids(vec![]));
    }

    #[test]
    fn is_one_draft_for_each_recipient_and_template_the_newest_first() {
        let records = Records::in_memory().unwrap();
        let (template, freeform) = (draft("+4930901820", Some(12), "Monday"), draft("+4930901820", None, ""));
        keep(&records, &StorageRequest::SaveDraft(template.clone()));
        keep(&records, &StorageRequest::SaveDraft(Draft { message: Some("Hi".to_owned()), ..freeform.clone() }));
        keep(&records, &StorageRequest::SaveDraft(Draft { message: Some("Hi!".to_owned()), ..freeform.clone() }));
        let newest = Draft { message: Some("Hi!".to_owned()), ..freeform };
        assert_eq!(kept(&records).drafts, [newest.clone(), template.clone()]);
        keep(&records, &StorageRequest::SaveDraft(draft("+4930901820", Some(12), "Tuesday")));
        assert_eq!(kept(&records).drafts, [draft("+4930901820", Some(12), "Tuesday"), newest.clone()]);
        let has = |key| match records.store("live", &StorageRequest::FindDraft(key), now()).unwrap() {
            StorageReply::HasDraft(has) => has,
            reply => panic!("{reply:?}"),
        };
        assert!(has(newest.key()));
        keep(&records, &StorageRequest::DeleteDraft(newest.key()));
        assert!(!has(newest.key()));
        keep(&records, &StorageRequest::DeleteDraft(draft("+4930901821", Some(12), "").key()));
        assert_eq!(kept(&records).drafts, [draft("+4930901820", Some(12), "Tuesday")]);
    }

    #[test]
    fn is_one_draft_in_ones_own_words_for_each_recipient_and_sender() {
        let records = Records::in_memory().unwrap();
        let from = |sender_id, text: Option<&str>| Draft {
            sender_id: Some(sender_id),
            message: text.map(str::to_owned),
            ..draft("+4930901820", None, "")
        };
        // The last one is a form in which no template is chosen yet.
        let all = [from(1, Some("Hi")), from(2, Some("Hallo")), from(1, None)];
        for draft in &all {
            keep(&records, &StorageRequest::SaveDraft(draft.clone()));
        }
        let [first, second, third] = all;
        assert_eq!(kept(&records).drafts, [third.clone(), second.clone(), first.clone()]);
        let newer = from(1, Some("Hi!"));
        keep(&records, &StorageRequest::SaveDraft(newer.clone()));
        assert_eq!(kept(&records).drafts, [newer, third.clone(), second.clone()]);
        keep(&records, &StorageRequest::DeleteDraft(first.key()));
        assert_eq!(kept(&records).drafts, [third, second]);
    }

    /// The drafts that are left once this is accepted.
    fn drafts_after(sent: &Intent, outcome: &Outcome, drafts: &[Draft]) -> Vec<Draft> {
        let records = Records::in_memory().unwrap();
        for draft in drafts {
            keep(&records, &StorageRequest::SaveDraft(draft.clone()));
        }
        let _ = records.begin(&Departing::again(sent, ACCOUNT), later(9)).unwrap();
        records.settle(sent.id, outcome, later(10)).unwrap();
        kept(&records).drafts
    }

    #[test]
    fn is_no_draft_of_a_message_that_was_accepted() {
        let content = Content::Template(TemplateName { id: 12, name: "reminder".to_owned() });
        let template = Intent { content, ..intent(1) };
        let freeform = |sender| Draft {
            sender_id: Some(sender),
            message: Some("Hi".to_owned()),
            ..draft("+4930901820", None, "")
        };
        let all = [
            draft("+4930901820", Some(12), "Monday"),
            draft("+4930901820", Some(13), "Monday"),
            draft("+4930901821", Some(12), "Monday"),
            freeform(3),
            freeform(4),
        ];
        let newest_first = |left: &[usize]| left.iter().rev().map(|at| all[*at].clone()).collect::<Vec<_>>();
        assert_eq!(drafts_after(&template, &accepted(), &all), newest_first(&[1, 2, 3, 4]));
        assert_eq!(drafts_after(&intent(1), &accepted(), &all), newest_first(&[0, 1, 2, 4]));
        let of_file = Intent { row: row(1, 7, 2).row, ..template.clone() };
        let call = Intent { content: Content::Call, ..intent(1) };
        let other = Intent { profile: "other".to_owned(), ..template.clone() };
        for kept in [of_file, call, other] {
            assert_eq!(drafts_after(&kept, &accepted(), &all).len(), 5, "{kept:?}");
        }
        assert_eq!(drafts_after(&template, &unknown("the connection broke"), &all).len(), 5);
        let newer = Draft { saved: later(10), ..all[0].clone() };
        assert_eq!(drafts_after(&template, &accepted(), &[newer]).len(), 1, "it was typed while the message was sent");
    }

    #[test]
    fn is_the_last_eight_values_of_each_variable() {
        let records = Records::in_memory().unwrap();
        let used = |template_id, variable: &str, value: &str| Used {
            template_id,
            variable: variable.to_owned(),
            value: value.to_owned(),
        };
        keep(
            &records,
            &StorageRequest::SaveValues(vec![
                used(12, "time", "10:00"),
                used(12, "day", ""),
                used(13, "day", "Sunday"),
            ]),
        );
        for day in ["1", "2", "3", "4", "5", "6", "7", "8", "9", "3"] {
            keep(&records, &StorageRequest::SaveValues(vec![used(12, "day", day)]));
        }
        let all = kept(&records).used;
        let days: Vec<_> = all
            .iter()
            .filter(|used| (used.template_id, &*used.variable) == (12, "day"))
            .map(|used| &*used.value)
            .collect();
        assert_eq!(days, ["3", "9", "8", "7", "6", "5", "4", "2"]);
        assert_eq!(all.len(), 10, "other variables and templates have their own");
    }

    #[test]
    fn is_its_outbox_and_files() {
        let records = Records::in_memory().unwrap();
        let content = Content::Template(TemplateName { id: 5, name: "reminder".to_owned() });
        begins(&records, &Intent { content, ..row(1, 7, 1) });
        records.settle(Uuid::from_u128(1), &unknown("time-out"), now()).unwrap();
        keep(&records, &StorageRequest::MarkEntry { id: Uuid::from_u128(1), mark: Mark::Sent });
        let entries = records.outbox(None, 10).unwrap();
        assert_eq!(entries[0].mark, Some(Mark::Sent));
        let outbox = records.store("live", &StorageRequest::ListOutbox { limit: 5 }, now()).unwrap();
        assert_eq!(outbox, StorageReply::Entries(entries.clone()));
        assert_eq!(
            records.store("trial", &StorageRequest::ListOutbox { limit: 5 }, now()).unwrap(),
            StorageReply::Entries(vec![])
        );
        let since = |template_id, since| {
            let keep = StorageRequest::ListSentSince { account: ACCOUNT.to_owned(), template_id, since };
            let Ok(StorageReply::Entries(entries)) = records.store("live", &keep, now()) else { panic!("{keep:?}") };
            entries.len()
        };
        let before = entries[0].began - SignedDuration::from_secs(1);
        let found = [since(5, before), since(5, entries[0].began), since(6, before)];
        assert_eq!(found, [1, 0, 0], "as the guard counts the span");
        let batch = records.store("live", &StorageRequest::ListBatch(Uuid::from_u128(7)), now()).unwrap();
        assert_eq!(batch, StorageReply::Entries(entries));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.csv");
        let write = StorageRequest::WriteFile { path: path.clone(), text: "line".to_owned() };
        assert_eq!(records.store("live", &write, now()).unwrap(), StorageReply::Written(path.clone()));
        let read = records.store("live", &StorageRequest::ReadFile(path), now()).unwrap();
        assert_eq!(read, StorageReply::File(b"line".to_vec()));
    }
}

#[test]
fn what_nobody_knows_of_is_read_however_old_it_is_until_it_is_marked() {
    let records = Records::in_memory().unwrap();
    for id in 1..=6 {
        begins(&records, &intent(id));
        let outcome = if id <= 2 { unknown("timed out") } else { accepted() };
        records.settle(Uuid::from_u128(id), &outcome, now()).unwrap();
    }
    begins(&records, &Intent { profile: "other".to_owned(), ..intent(7) });
    let read = |limit| {
        let StorageReply::Entries(entries) =
            records.store("live", &StorageRequest::ListOutbox { limit }, now()).unwrap()
        else {
            panic!("no entries")
        };
        entries.iter().map(|entry| entry.intent.id.as_u128()).collect::<Vec<_>>()
    };
    assert_eq!(read(2), [6, 5, 2, 1]);
    records.mark(Uuid::from_u128(1), Mark::NotSent, now()).unwrap();
    assert_eq!(read(2), [6, 5, 2]);
    assert_eq!(read(100), [6, 5, 4, 3, 2, 1]);
}
