//! What holds for every simulated world, and what makes one lifelike.

use super::people::{Happening, NEWEST, People};
use super::*;
use crate::api::{AssistantStatus, AssistantType, SenderStatus, rules};
use crate::service::world::{DEMO, World};
use jiff::SignedDuration;
use proptest::prelude::*;
use std::collections::{HashMap, HashSet};

fn ada() -> User {
    World::parse(DEMO).unwrap().users.remove(0)
}

fn now() -> Timestamp {
    "2026-03-04T15:06:07.123456Z".parse().unwrap()
}

fn past(user: &User, conversations: u64) -> Vec<Generated> {
    generate(user, &Generate { conversations, calls: 0, seed: 42 }, now()).collect()
}

/// What must hold for any conversation of any user.
fn hold(user: &User, now: Timestamp, made: &Generated) {
    let assistant = &user.assistants[made.assistant];
    assert!(made.created_at <= made.updated_at, "{made:?}");
    assert!(made.updated_at <= now, "{made:?}");
    assert!(now.duration_since(made.created_at) <= SignedDuration::from_hours(60 * 24), "{made:?}");
    assert!(made.message_count >= 1 && made.total_cost_micros >= 0, "{made:?}");
    assert_eq!(made.kind == ConversationType::Msgapp, made.customer.is_some(), "{made:?}");
    assert_eq!(made.sender.is_some(), made.customer.is_some(), "{made:?}");
    assert_eq!(made.kind == ConversationType::Test, made.total_cost_micros == 0, "{made:?}");
    let mut retired = assistant.status == AssistantStatus::Inactive;
    if let (Some(sender), Some(customer)) = (made.sender, &made.customer) {
        let sender = &user.senders[sender];
        assert_eq!(sender.assistant.as_ref(), Some(&assistant.name), "{made:?}");
        assert_eq!(rules::e164("phone", &customer.phone), Ok(()), "{made:?}");
        assert_ne!(customer.name.as_deref().map(str::trim), Some(""), "{made:?}");
        retired |= sender.status == SenderStatus::Offline;
    }
    if retired {
        assert!(made.ended, "{made:?}");
        assert!(now.duration_since(made.updated_at) > SignedDuration::from_hours(19 * 24), "{made:?}");
    }
}

/// A share in percent.
fn share(of: &[Generated], which: impl Fn(&Generated) -> bool) -> usize {
    of.iter().filter(|made| which(made)).count() * 100 / of.len()
}

#[test]
fn the_same_seed_and_moment_make_the_same_on_every_platform() {
    let user = ada();
    assert_eq!(past(&user, 2_000), past(&user, 2_000));
    // Written down once: where a draw changes, so does what is seen in every sandbox.
    let user = World::parse(
        "[[users]]\nemail = \"a@b\"\nassistants = [{ name = \"A\", timezone = \"Asia/Tokyo\" }]\n\
         senders = [{ phone_number = \"+14155550100\", assistant = \"A\" }]",
    )
    .unwrap()
    .users
    .remove(0);
    let rows: Vec<_> = past(&user, 40)
        .into_iter()
        .step_by(8)
        .map(|made| {
            let Customer { name, phone } = made.customer.unwrap_or(Customer { name: None, phone: "-".into() });
            format!(
                "{} {} {} {} {} {} {phone} {}",
                &made.uuid.to_string()[..8],
                made.kind.as_str(),
                made.message_count,
                made.total_cost_micros,
                made.created_at,
                made.updated_at,
                name.as_deref().unwrap_or("-")
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            "701a697b widget 6 15829 2026-03-04T14:57:05.972361Z 2026-03-04T15:05:48.440499Z - -",
            "5ff9d2c4 msgapp 7 18763 2026-03-04T10:56:26.305096Z 2026-03-04T10:59:53.041339Z +971505447289 نور منصور",
            "3b1c8704 msgapp 7 21057 2026-03-03T16:40:59.809965Z 2026-03-03T16:47:58.114278Z +15550709715 Priya Bennett",
            "d276c5fe widget 6 16982 2026-01-29T11:57:39.571455Z 2026-01-29T12:00:57.386445Z - -",
            "04c16c0c widget 1 7259 2026-01-18T23:44:10.65402Z 2026-01-18T23:45:18.469842Z - -",
        ]
    );
}

#[test]
fn another_seed_or_user_makes_others() {
    let user = ada();
    let ids = |user: &User, seed| -> HashSet<Uuid> {
        generate(user, &Generate { conversations: 500, calls: 0, seed }, now()).map(|made| made.uuid).collect()
    };
    let (first, other_seed) = (ids(&user, 1), ids(&user, 2));
    let other_user = ids(&User { email: "eve@example.com".into(), ..user }, 1);
    assert_eq!(first.len(), 500);
    assert!(first.is_disjoint(&other_seed) && first.is_disjoint(&other_user));
}

#[test]
fn kinds_and_lengths_are_in_proportion() {
    let made = past(&ada(), 10_000);
    assert!((45..55).contains(&share(&made, |made| made.kind == ConversationType::Msgapp)));
    for kind in [ConversationType::Widget, ConversationType::Api, ConversationType::Test] {
        assert!(share(&made, |made| made.kind == kind) >= 8, "{kind:?}");
    }
    assert!(share(&made, |made| (2..=12).contains(&made.message_count)) > 75);
    assert!(made.iter().any(|made| made.message_count > 40));
    assert!((85..99).contains(&share(&made, |made| made.ai_enabled)));
    // What has been silent for half an hour has ended.
    assert!((95..100).contains(&share(&made, |made| made.ended)));
}

#[test]
fn a_fresh_list_is_alive() {
    for conversations in [20, 2_000] {
        let made = past(&ada(), conversations);
        let since =
            |ago: SignedDuration| made.iter().filter(|made| now().duration_since(made.updated_at) < ago).count();
        assert!(since(SignedDuration::from_mins(15)) >= 2, "{conversations}");
        assert!(since(SignedDuration::from_hours(6)) >= 5, "{conversations}");
        assert!(made.iter().any(|made| !made.ended), "{conversations}");
    }
}

#[test]
fn people_write_on_workdays_and_by_day() {
    let mut user = ada();
    user.assistants.retain(|assistant| assistant.timezone == "Asia/Tokyo");
    user.senders.clear();
    let made = past(&user, 20_000);
    let zone = jiff::tz::TimeZone::get("Asia/Tokyo").unwrap();
    let local = |made: &Generated| made.created_at.to_zoned(zone.clone());
    assert!(share(&made, |made| (8..20).contains(&local(made).hour())) > 70);
    // Two days of seven would be 28 percent.
    assert!(share(&made, |made| local(made).weekday().to_monday_one_offset() >= 6) < 20);
}

#[test]
fn customers_come_again_under_the_same_name() {
    let made = past(&ada(), 2_000);
    let mut names = HashMap::new();
    for customer in made.iter().filter_map(|made| made.customer.as_ref()) {
        assert_eq!(names.entry(&customer.phone).or_insert(&customer.name), &&customer.name, "{}", customer.phone);
    }
    assert!((300..1_000).contains(&names.len()), "{}", names.len());
    assert!(names.values().any(|name| name.is_none()));
    let scripts = |low: char, high: char| {
        let mut letters = names.values().filter_map(|name| name.as_ref()).flat_map(|name| name.chars());
        letters.any(|letter| (low..=high).contains(&letter))
    };
    for (low, high) in
        [('a', 'z'), ('а', 'я'), ('α', 'ω'), ('א', 'ת'), ('ا', 'ي'), ('क', 'ह'), ('一', '龥'), ('가', '힣')]
    {
        assert!(scripts(low, high), "{low}");
    }
}

#[test]
fn whoever_is_missing_is_done_without() {
    let mut user = ada();
    let plan = Generate { conversations: 300, calls: 0, seed: 1 };
    user.senders.clear();
    assert!(generate(&user, &plan, now()).all(|made| made.customer.is_none()));
    assert!(!matches!(People::new(1).next(&user).1, Happening::Starts { customer: Some(_), .. }));
    user.assistants.clear();
    assert_eq!(generate(&user, &plan, now()).count(), 0);
    let mut people = People::new(1);
    assert!((0..100).all(|_| !matches!(people.next(&user).1, Happening::Starts { .. })));
}

#[test]
fn people_start_continue_and_end_conversations() {
    let user = ada();
    let (mut people, mut again) = (People::new(7), People::new(7));
    let (mut starts, mut grows, mut ends) = (0, 0, 0);
    for _ in 0..5_000 {
        let (wait, happening) = people.next(&user);
        assert!((2_000..=6_000).contains(&wait.as_millis()));
        assert_eq!((wait, happening.clone()), again.next(&user));
        match happening {
            Happening::Starts { assistant, kind, sender, customer, text } => {
                starts += 1;
                let assistant = &user.assistants[assistant];
                assert_eq!(assistant.status, AssistantStatus::Active);
                assert_eq!(kind == ConversationType::Msgapp, customer.is_some());
                assert_eq!(sender.is_some(), customer.is_some());
                if let Some(sender) = sender.map(|sender| &user.senders[sender]) {
                    assert_eq!(sender.status, SenderStatus::Online);
                    assert_eq!(sender.assistant.as_ref(), Some(&assistant.name));
                }
                assert!(!text.is_empty());
            }
            Happening::Grows { which, cost_micros } => {
                grows += 1;
                assert!(which < NEWEST && cost_micros > 0);
            }
            Happening::Ends { which } => {
                ends += 1;
                assert!(which < NEWEST);
            }
        }
    }
    assert!(starts > 500 && ends > 500 && grows > starts + ends, "{starts} {grows} {ends}");
}

#[test]
#[ignore = "a measurement: run it in a release build with --nocapture"]
fn a_million_conversations_take_less_than_two_seconds() {
    let user = ada();
    let plan = Generate { conversations: 1_000_000, calls: 0, seed: 42 };
    let start = std::time::Instant::now();
    let messages: u64 = generate(&user, &plan, now()).map(|made| u64::from(made.message_count)).sum();
    let took = start.elapsed();
    println!("{messages} messages in {took:?}");
    assert!(took.as_secs() < 2, "{took:?}");
}

prop_compose! {
    /// A user whose assistants and senders are any selection of the demo world's.
    fn any_user()(assistants in 0u32..512, senders in 0u32..16, chat in any::<bool>()) -> User {
        let mut user = ada();
        let mut at = 0;
        user.assistants.retain(|_| { at += 1; assistants >> (at - 1) & 1 == 1 });
        at = 0;
        user.senders.retain(|_| { at += 1; senders >> (at - 1) & 1 == 1 });
        if chat {
            user.assistants.iter_mut().for_each(|assistant| assistant.kind = AssistantType::Chat);
        }
        user
    }
}

proptest! {
    #![proptest_config(crate::testing::properties())]

    #[test]
    fn what_must_hold_holds_for_any_seed_moment_and_user(
        user in any_user(), seed in any::<u64>(), seconds in 0i64..10_000_000_000, conversations in 0u64..300
    ) {
        let now = Timestamp::from_second(seconds).unwrap();
        let mut count = 0;
        for made in generate(&user, &Generate { conversations, calls: 0, seed }, now) {
            hold(&user, now, &made);
            count += 1;
        }
        prop_assert_eq!(count, if user.assistants.is_empty() { 0 } else { conversations });
    }

    #[test]
    fn people_find_something_to_do_for_any_user(user in any_user(), seed in any::<u64>()) {
        let mut people = People::new(seed);
        for _ in 0..50 {
            let (_, happening) = people.next(&user);
            if let Happening::Starts { assistant, sender, .. } = happening {
                prop_assert!(assistant < user.assistants.len());
                prop_assert!(sender.is_none_or(|sender| sender < user.senders.len()));
            }
        }
    }
}

#[test]
fn an_endless_plan_begins_like_any_other() {
    let user = ada();
    let plan = Generate { conversations: u64::MAX, calls: 0, seed: u64::MAX };
    assert_eq!(generate(&user, &plan, now()).take(1_000).map(|made| hold(&user, now(), &made)).count(), 1_000);
}

#[test]
fn the_ends_of_time_do_no_harm() {
    let user = ada();
    for now in [Timestamp::MIN, Timestamp::UNIX_EPOCH, Timestamp::MAX] {
        for made in generate(&user, &Generate { conversations: 200, calls: 0, seed: 3 }, now) {
            assert!(made.created_at <= made.updated_at && made.updated_at <= now, "{made:?}");
        }
    }
}
