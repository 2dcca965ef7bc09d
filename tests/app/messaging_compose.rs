//! Writing to one person: who it goes to, what is warned of, what is known beforehand, and what is never stored.

use super::scenes::Scene;
use crate::support::canned::{self, Canned, Mood};
use crate::support::inside::{Inside, service_clock};
use crate::support::pty::Terminal;
use crate::support::pure::Pure;
use crate::support::server::Server;
use crate::support::story::Story;
use jiff::SignedDuration;
use serde_json::json;
use std::path::Path;
use std::sync::Arc;
use switchboard::records::{Draft, ProfileData, Records, StorageRequest, Used, Watched};
use switchboard::ui::{Options, Place};

const SIZE: (u16, u16) = (120, 40);
const MARIA: &str = "+5511912345678";

fn server(change: impl FnOnce(&mut Canned)) -> Canned {
    let mut server = Canned::default();
    change(&mut server);
    server
}

fn story(change: impl FnOnce(&mut Canned)) -> Story<Pure> {
    let live = Options { place: Place::Profile("live".to_owned()), ..Options::default() };
    let mut story = Story(Pure::connected(SIZE, live, server(change)));
    story.press("3").sees("WINDOWS");
    story
}

fn watched(phone: &str, name: Option<&str>) -> Watched {
    Watched { sender_id: 1, phone: phone.to_owned(), name: name.map(str::to_owned) }
}

fn draft(phone: &str, values: &[(&str, &str)]) -> Draft {
    Draft {
        sender_id: Some(1),
        phone: phone.to_owned(),
        template_id: Some(12),
        name: String::new(),
        values: values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
        message: None,
        saved: canned::noon() - SignedDuration::from_mins(37),
    }
}

/// The places of these texts from the top, each once on screen.
fn places(story: &mut Story<Pure>, texts: &[&str]) -> Vec<usize> {
    let lines = story.screen().lines();
    let at =
        |text: &&str| lines.iter().position(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}\n{lines:#?}"));
    texts.iter().map(at).collect()
}

// The recipient.

#[test]
fn mar_and_enter_take_maria_in_a_fresh_state() {
    let mut story = story(|_| {});
    story.press("tab s").sees("Send a template").press("enter");
    for letter in ["m", "a", "r"] {
        // Longer than it takes to save what is typed.
        story.types(letter).passes(1);
    }
    story.sees("Maria Souza  +55 11 91234-5678").sees_no_more("draft from").press("enter");
    story.sees("To (phone)     +55 11 91234-5678").sees("Name           Maria Souza");
}

#[test]
fn what_the_form_itself_has_saved_is_not_offered_to_it() {
    let mut story = story(|_| {});
    story.press("tab tab j").sees("Your order").press("s").sees("Send a template").press("tab tab").types("A-17");
    story.press("shift-tab shift-tab").types("mar").passes(1).types("i").passes(1).press("backspace").passes(1);
    story.sees("Maria Souza  +55 11 91234-5678").sees_no_more("draft from");
    story.press("ctrl-u").types("+498912345678").passes(1).press("backspace").passes(1).types("9");
    story.sees_no_more("draft from");
}

#[test]
fn people_come_first_then_numbers_and_drafts_only_once_they_hold_something() {
    let mut story = story(|server| {
        let people = [watched("+14155559991", None), watched("+14155559992", Some("Zoë Kim"))];
        let drafts = vec![draft("+14155559993", &[]), draft("+1415", &[]), draft("+1415555", &[("order", "A-17")])];
        server.desk.kept = ProfileData { watched: Some(people.into()), drafts, ..ProfileData::default() };
    });
    story.press("tab s").sees("Send a template").press("enter").sees("Zoë Kim");
    let order = ["Zoë Kim  +1 415-555-9992", "+1 415-555-9993 ", "+1415555  "];
    assert!(places(&mut story, &order).is_sorted());
    assert!(places(&mut story, &["Zoë Kim", "+1 415-555-9991"]).is_sorted());
    assert!(!story.screen().shows("+1415  "), "{}", story.screen());
    // Digits match the number of Zoë as well as the others.
    story.types("1415555");
    assert!(places(&mut story, &["Zoë Kim", "+1 415-555-9991"]).is_sorted());
}

#[test]
fn a_national_number_is_offered_in_the_senders_country() {
    let british =
        json!([{"id": 1, "phone_number": "+442079460958", "display_name": "Acme London", "status": "online"}]);
    let british =
        move |server: &mut Canned| server.desk.senders = Some(serde_json::from_value(british.clone()).unwrap());
    let mut first = story(british.clone());
    first
        .press("tab s")
        .sees("Send a template")
        .press("enter")
        .types("07704 633987")
        .sees("+44 7704 633987  (United Kingdom)");
    first.press("enter").sees("Number   +44 7704 633987 · United Kingdom").sees("▌ Name");
    // Where the profile has a country, that one is read, and the other is offered while the number looks wrong.
    let live =
        Options { place: Place::Profile("live".to_owned()), country: Some("US".to_owned()), ..Options::default() };
    let mut other = Story(Pure::connected(SIZE, live, server(british.clone())));
    other.press("3 tab s").sees("Send a template").press("enter").types("(415) 555-0100").sees("· United States");
    other.sees_no_more("(United Kingdom)").press("ctrl-u").types("07704 633987").sees("▲ no number of United States");
    other.sees("+44 7704 633987  (United Kingdom)").press("down enter").sees("· United Kingdom");
    let mut watch = story(british);
    watch.press("a").types("07704 633987").sees("+44 7704 633987  (United Kingdom)").press("down enter");
    watch.types("Zoë").press("enter").sees_no_more("Watch a number").sees("Zoë");
    assert!(watch.0.server.desk.kept.watched.unwrap().contains(&watched("+447704633987", Some("Zoë"))));
}

fn warned(size: (u16, u16)) -> Story<Pure> {
    let mut story = Story(Pure::connected(size, Options::default(), Canned::default()));
    story.press("3 tab").sees("SENDERS").press("s").sees("Send a template").press("enter").types("+1 415 555 010");
    story.sees("▲ no number of North America has this length").press("enter").sees("▌ Name");
    story.sees("▲ no number of North America has this length").sees("known");
    story
}

#[test]
fn a_warning_stands_whole_below_the_number_and_again_before_it_is_sent() {
    for size in [(80, 24), SIZE] {
        let mut story = warned(size);
        story.types("Kim").press("enter enter").types("3 May").press("enter").sees("Send this message?");
        story.sees("number   ▲ no number of North America has this length, as far as").press("esc");
        // Numbers that nobody gives out are warned of too.
        story.press("shift-tab shift-tab shift-tab ctrl-u").types("+11115550100");
        story.sees("▲ no number of North America begins with these").sees("known");
    }
}

// What is known beforehand.

#[test]
fn a_sender_that_cannot_send_is_known_before_a_word_is_written() {
    for (status, state) in [("offline", "✕ offline: nothing can be sent from it"), ("online", "● online")] {
        let mut story = story(|server| {
            let sender =
                json!({"id": 1, "phone_number": "+14155550100", "display_name": "Acme Support", "status": status});
            server.desk.senders = Some(serde_json::from_value(json!([sender])).unwrap());
        });
        story.press("f").sees("Write to Maria Souza").sees("From     Acme Support  +1 415-555-0100  ").sees(state);
        story.press("esc s").sees("Send a template").sees(state);
    }
}

#[test]
fn names_in_lists_are_not_cut_while_there_is_room() {
    let long = "Katharina Hohenstein";
    let mut story = story(|server| {
        server.desk.kept.watched = Some(vec![watched(MARIA, Some(long)), watched("+81312345678", None)]);
    });
    story.press("tab s").sees("Send a template").press("enter");
    story.sees("Katharina Hohenstein").resizes(200, 50).sees(&format!("{long}  +55 11 91234-5678  closes 7:4"));
}

const TALK: [(&str, &str); 4] = [
    ("user", "Hello, is my order on its way?"),
    ("assistant", "One moment, I will look it up."),
    ("assistant", "It left our warehouse this morning and is with you tomorrow before noon."),
    (
        "user",
        "Great. Can it be left with my neighbour, Mrs Lima, on the second floor? I am at work until six and would rather not miss it.",
    ),
];

fn talking(server: &mut Canned) {
    let message = |(role, content): &(&str, &str)| json!({"role": role, "content": content});
    let history = json!({"status": true, "history": TALK.iter().map(message).collect::<Vec<_>>()});
    for id in server.rows.iter().filter_map(|row| row.id.known()) {
        server.talks.insert(id.clone(), serde_json::from_value(history.clone()).unwrap());
    }
}

#[test]
fn the_last_lines_of_the_conversation_stand_above_a_freeform_message() {
    let mut story = story(talking);
    story.press("f").sees("Write to Maria Souza").sees("Customer   Great. Can it be left with my neighbour");
    assert!(
        places(&mut story, &["From  ", "Window  ", "One moment", "with you tomorrow", "Great.", "▌ Message"])
            .is_sorted()
    );
    story
        .types("Of course.")
        .sees("Great.")
        .resizes(80, 24)
        .sees("Great.")
        .sees("Of course.")
        .sees("Then")
        .sees("[Send]");
    story.press("tab enter").sees("Send this message?").passes(1).press("y").passes(6);
    assert_eq!(story.0.server.desk.sent.len(), 1);
}

#[test]
fn a_server_without_conversations_to_read_is_not_complained_of() {
    let mut story = story(|server| server.has_messages = false);
    story.press("f").sees("Write to Maria Souza").passes(20).sees_no_more("Customer").sees_no_more("could not");
    story.sees("▌ Message").press("esc");
    story.0.server.mood = Mood::Silent;
    story.press("f").sees("Write to Maria Souza").types("Hi").passes(5).sees_no_more("oading").sees("Hi");
    // What comes late is not shown to another.
    story.press("esc j f").sees("Write to Jörg Brandt");
    (story.0.server.mood, story.0.server.has_messages) = (Mood::Well, true);
    talking(&mut story.0.server);
    story.0.answers();
    story.sees("Customer   Great.").press("esc k").press("f").sees("Write to Maria Souza").sees("Customer   Great.");
}

#[test]
fn the_conversation_is_read_over_http() {
    const PHONE: &str = "+498912345678";
    let mut story = Story(Inside::still(SIZE));
    story.sees("live");
    let message =
        json!({"sender_id": 1, "customer_phone": PHONE, "text": "Is anybody there?", "customer_name": "Zoë Maier"});
    story.0.server.control("inbound-message", &message);
    story.press("3").sees("appointment_reminder").press("a").types(PHONE).press("enter").types("Zoë").press("enter");
    story.sees("▌● Zoë").0.settle();
    story.press("f").sees("Write to Zoë").sees("Customer   Is anybody there?");
}

// Codes.

fn world_with_codes() -> String {
    let template = "[[users.senders.templates]]\nname = \"login_code\"\nlanguage = \"en\"\ncategory = \"authentication\"\n\
                    status = \"approved\"\nbody_text = \"{{1}} is your code.\"\nvariables = [\"code\"]\n";
    format!("{}{template}", canned::still_world())
}

/// The files below a folder that hold a text.
fn holding(folder: &Path, text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            found.extend(holding(&path, text));
        } else if std::fs::read(&path).unwrap().windows(text.len()).any(|window| window == text.as_bytes()) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn a_code_is_in_no_file_of_the_program() {
    let lists = tempfile::tempdir().unwrap();
    let list = lists.path().join("codes.csv");
    std::fs::write(&list, "phone,code\n+14155550131,846215\n+14155550132,846216\n").unwrap();
    let server = Server::start(&world_with_codes(), service_clock());
    let settings = "log_level = 'trace'\n[messaging]\nhold_seconds = 0\nkeep_text = true\n";
    let mut story = Story(Terminal::on(SIZE, server, settings));
    story.sees("live").press("3").sees("login_code").press("tab s").sees("Send a template");
    story.types("login").press("enter").types("+14155550123").press("enter").types("Kim Lee").press("enter");
    story.types("739154").sees("739154 is your code").press("esc").sees("Draft saved");
    // It is gone with the form; what may be stored is there again.
    story.press("s").sees("Send a template").types("login").press("enter").types("+14155550123").press("enter");
    story.sees("Kim Lee").sees("draft from").sees_no_more("739154").press("ctrl-u").types("739154").press("enter");
    story.sees("Send this message?");
    story.0.rests();
    story.press("y").sees("Accepted: the message to Kim Lee");
    story.press("o").sees("login_code").sees("Kim Lee").sees_no_more("739154").press("esc");
    story.press("shift-tab shift-tab").press("tab tab").press("/").types("login").press("enter").sees("is your code");
    story.press("b").sees("Many recipients").types(list.to_str().unwrap()).press("enter").sees("846215 is your code");
    story.sees("2 messages: deducted");
    story.press("enter").sees("Send 2 messages?");
    story.0.rests();
    story.press("y").sees("The results are in").press("esc").press("q");
    assert!(story.0.ends().success());
    for code in ["739154", "846215", "846216"] {
        assert_eq!(holding(story.0.home.path(), code), Vec::<String>::new(), "{code}");
    }
    assert!(!holding(story.0.home.path(), "Kim Lee").is_empty(), "the outbox knows who it went to");
}

#[test]
fn codes_that_an_earlier_version_has_stored_are_deleted() {
    let dir = tempfile::tempdir().unwrap();
    let records = Arc::new(Records::open(dir.path()).unwrap());
    let at = |template_id, values: &[(&str, &str)]| Draft {
        template_id: Some(template_id),
        ..draft("+14155550123", values)
    };
    let (code, other) = (at(3, &[("code", "739154")]), at(1, &[("date", "3 May")]));
    let used = Used { template_id: 3, variable: "code".to_owned(), value: "739155".to_owned() };
    for request in [
        StorageRequest::SaveDraft(code),
        StorageRequest::SaveDraft(other.clone()),
        StorageRequest::SaveValues(vec![used]),
    ] {
        records.store("sandbox", &request, canned::noon()).unwrap();
    }
    assert!(!holding(dir.path(), "739154").is_empty());
    let server = Server::start(&world_with_codes(), service_clock());
    let mut story = Story(Inside::start_on(SIZE, Options::default(), server, Arc::clone(&records)));
    story.sees("live").press("3").sees("login_code").0.settle();
    let kept = records.profile_data("sandbox").unwrap();
    assert_eq!((kept.drafts, kept.used), (vec![other], Vec::new()));
    for code in ["739154", "739155"] {
        assert_eq!(holding(dir.path(), code), Vec::<String>::new(), "{code}");
    }
}

#[test]
fn a_draft_that_another_window_has_sent_is_told_before_it_is_sent_again() {
    let mut story = story(|_| {});
    story.press("/").types("Maria").press("enter f").sees("Write to Maria Souza").types("Your bag is here.").passes(1);
    story.0.server.desk.kept.drafts.clear();
    story.press("ctrl-s").sees("Not yet: another window has sent or discarded this draft").sees("Your bag is here.");
    story.sees_no_more("Send this message?").passes(1).press("y").passes(6).press("backspace");
    assert!(story.0.server.desk.sent.is_empty());
    story.press("ctrl-s").sees("Send this message?").passes(1).press("y").passes(6);
    assert_eq!(story.0.server.desk.sent.len(), 1);
}

// The outbox.

fn sent(size: (u16, u16)) -> Story<Pure> {
    let mut story = Story(Pure::connected(size, Options::default(), Canned::default()));
    story.press("3").sees("Maria Souza").press("s").sees("Send a template").press("enter enter").types("3 December");
    story.press("enter").sees("Send this message?").passes(1).press("y").passes(6).press("/").types("Jörg");
    story.press("enter f").sees("Write to Jörg Brandt").types("Wir sind bis 18 Uhr da.").press("tab enter");
    story.sees("Send this message?").passes(1).press("y").passes(6).press("esc o").sees("2 sends");
    story
}

#[test]
fn the_outbox_says_what_was_sent_and_is_narrowed_and_copied() {
    let mut story = sent(SIZE);
    story.sees("freeform · Wir sind").sees("appointment_reminder").sees("text          Wir sind bis 18 Uhr da.");
    story
        .sees("provider id   SM1")
        .sees_no_more("message_sid")
        .press("y")
        .sees("Number copied")
        .press("Y")
        .sees("Text copied");
    assert_eq!(story.0.copied, ["+4930901820", "Wir sind bis 18 Uhr da."]);
    story.press("/").types("seeing you").sees("1 of 1").sees("Maria Souza").sees_no_more("Jörg Brandt");
    story
        .press("enter")
        .sees("/ seeing you")
        .press("esc")
        .sees("Jörg Brandt")
        .press("/")
        .types("zzz")
        .sees("No matching send");
    story.press("esc").sees("1 of 2").press("esc").sees("WINDOWS");
}

#[test]
fn what_an_earlier_run_has_sent_is_only_known_where_the_settings_store_it() {
    let mut server = sent(SIZE).0.server.clone();
    server.desk.entries[0].intent.text = Some("Hi Maria, as stored.".to_owned());
    let mut story = Story(Pure::connected(SIZE, Options::default(), server));
    story
        .press("3 o")
        .sees("2 sends")
        .sees("freeform")
        .sees_no_more("Wir sind")
        .press("Y")
        .sees("Not now: its text is not known");
    story.press("j").sees("Hi Maria, as stored.");
}

fn scene(size: (u16, u16), change: fn(&mut Canned), tell: fn(&mut Story<Pure>)) -> Pure {
    let mut story = Story(Pure::connected(size, Options::default(), server(change)));
    story.press("3");
    tell(&mut story);
    story.0
}

pub const SCENES: &[Scene] = &[
    ("compose warned number", |size| warned(size).0),
    ("compose warned confirm", |size| {
        let mut story = warned(size);
        story.types("Kim").press("enter enter").types("3 May").press("enter");
        story.0
    }),
    ("compose recipients", |size| {
        scene(
            size,
            |_| {},
            |story| {
                story.press("tab s enter").types("a");
            },
        )
    }),
    ("compose freeform in a conversation", |size| {
        scene(size, talking, |story| {
            story.press("f").types("Of course. I have told the driver.");
        })
    }),
    ("compose freeform offline", |size| {
        let offline = |server: &mut Canned| {
            server.has_messages = false;
            let sender = server.desk.senders.as_mut().unwrap().iter_mut().next().unwrap();
            sender.status = switchboard::api::SenderStatus::Offline.into();
        };
        scene(size, offline, |story| {
            story.press("f");
        })
    }),
    ("compose outbox", |size| sent(size).0),
    ("compose outbox narrowed", |size| {
        let mut story = sent(size);
        story.press("/").types("maria");
        story.0
    }),
];
