//! From a recipient to a message that leaves.

use super::*;
use crate::messaging::Outgoing;
use crate::records::Used;

fn maria() -> Bench {
    Bench::new(100, 30).form(preset(MARIA, "Maria Souza"))
}

fn variables(sending: &Sending) -> Vec<(&str, &str)> {
    match &sending.outgoing {
        Outgoing::Template(message) => message.variables.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect(),
        Outgoing::Freeform(_) | Outgoing::Call(_) => Vec::new(),
    }
}

#[test]
fn a_known_recipient_is_written_to_in_a_few_keys() {
    let mut bench = maria();
    // The template stands there, the name is offered, and the day is typed.
    bench.press("enter enter May enter").confirm().wait(6_000);
    assert_eq!(variables(&bench.sent[0]), [("customer_name", "Maria Souza"), ("date", "May")]);
    assert_eq!(bench.sent[0].intent.phone, MARIA);
    assert!(bench.presses <= 7, "{} keys", bench.presses);
}

#[test]
fn what_was_used_before_is_chosen_by_hand_and_read_before_the_box() {
    let mut bench = Bench::new(100, 30);
    let used = |value: &str| Used { template_id: 1, variable: "date".to_owned(), value: value.to_owned() };
    bench.known.used = vec![used("3 December"), used("4 December")];
    let mut bench = bench.form(preset(MARIA, "Maria Souza"));
    bench.press("enter enter");
    assert!(bench.screen().contains("used before"), "{}", bench.screen());
    bench.press("enter").wait(400);
    assert!(!bench.is_asking() && bench.screen().contains("needs a value"), "nobody has chosen it\n{}", bench.screen());
    bench.press("down down enter");
    assert!(!bench.is_asking() && bench.screen().contains("see you on 4 December"), "{}", bench.screen());
    bench.press("enter").confirm().wait(6_000);
    assert_eq!(variables(&bench.sent[0])[1], ("date", "4 December"));
    assert_eq!(bench.known.used[0].value, "4 December", "the last one used is the first one offered");
    assert!(bench.known.used.iter().all(|used| used.variable == "date"), "names are nobody else's");
}

#[test]
fn up_from_the_first_value_used_before_is_none_and_then_the_field_above() {
    let mut bench = Bench::new(100, 30);
    bench.known.used = vec![Used { template_id: 1, variable: "date".to_owned(), value: "3 December".to_owned() }];
    let mut bench = bench.form(preset(MARIA, "Maria Souza"));
    bench.press("enter enter down down");
    assert!(bench.screen().contains("▌ 3 December"), "{}", bench.screen());
    bench.press("up");
    assert!(bench.screen().contains("▌ Date") && !bench.screen().contains("▌ 3 December"), "{}", bench.screen());
    bench.press("up");
    assert!(bench.screen().contains("▌ Customer name"), "{}", bench.screen());
}

#[test]
fn a_code_is_neither_offered_to_the_next_one_nor_kept() {
    let login = |category: &str| {
        template(json!({"id": 3, "name": "login_code", "language": "en", "category": category, "status": "approved",
            "body_text": "{{1}} is your code.", "variables": ["code"]}))
    };
    for category in ["authentication", "of another kind"] {
        let mut bench = Bench::new(100, 30);
        bench.known.templates.insert(1, Remote::loaded(vec![login(category)].into()));
        let mut bench = bench.form(preset(MARIA, "Maria Souza"));
        bench.press("enter 4321 enter").confirm().wait(6_000);
        assert_eq!(variables(&bench.sent[0]), [("code", "4321")]);
        let is_kept = |keep: &StorageRequest| matches!(keep, StorageRequest::SaveValues(_));
        assert!(!bench.keeps.iter().any(is_kept) && bench.known.used.is_empty(), "{:?}", bench.keeps);
        // One that an older version has kept is not offered either.
        bench.known.used = vec![Used { template_id: 3, variable: "code".to_owned(), value: "4321".to_owned() }];
        let mut bench = bench.form(preset(JOERG, "Jörg Brandt"));
        bench.press("enter down");
        assert!(!bench.screen().contains("4321"), "{}", bench.screen());
    }
}

#[test]
fn an_enter_that_takes_an_offer_never_opens_the_box() {
    let mut bench = Bench::new(100, 30);
    bench.known.drafts =
        vec![Draft { name: "Maria Souza".to_owned(), ..draft(MARIA, Some(2), &[("order_number", "A-17")], None) }];
    let mut bench = bench.form(Preset::default());
    bench.press("enter enter");
    assert!(!bench.is_asking() && bench.screen().contains("A-17"), "{}", bench.screen());
    bench.press("enter");
    assert!(bench.is_asking());
    let body = json!({"id": 2, "name": "thanks", "language": "en", "category": "utility", "status": "approved",
        "body_text": "Thank you, {{1}}!", "variables": ["customer_name"]});
    bench.known.templates.insert(1, Remote::loaded(vec![template(body)].into()));
    bench.known.drafts.clear();
    let mut bench = bench.form(preset(MARIA, "Maria Souza"));
    bench.press("enter enter");
    assert!(!bench.is_asking() && bench.screen().contains("Thank you, Maria Souza!"), "{}", bench.screen());
    bench.press("enter");
    assert!(bench.is_asking());
}

#[test]
fn a_number_is_completed_from_the_profiles_country_and_formatted() {
    let mut bench = Bench::new(100, 30);
    bench.options.country = Some("DE".to_owned());
    let mut bench = bench.form(Preset::default());
    bench.press("enter 030901820");
    assert!(bench.screen().contains("+49 30 901820 · Germany"), "{}", bench.screen());
    bench.press("enter Kim enter");
    assert!(bench.screen().contains("To (phone)     +49 30 901820 "), "{}", bench.screen());
}

#[test]
fn a_recipient_is_found_by_name() {
    let mut bench = Bench::new(100, 30).form(Preset::default());
    bench.press("enter lima enter enter May enter").confirm().wait(6_000);
    assert_eq!(bench.sent[0].intent.phone, ANA);
    assert_eq!(bench.sent[0].intent.name.as_deref(), Some("Ana Lima"));
    let before = bench.sent[0].intent.before.unwrap();
    assert!(!before.open);
}

#[test]
fn a_template_is_found_by_letters_and_one_that_is_not_approved_is_not_taken() {
    let mut bench = maria();
    bench.press("login enter");
    assert!(bench.screen().contains("pending: the platform"), "{}", bench.screen());
    bench.press("ctrl-u greet enter");
    assert!(bench.is_asking(), "a greeting has no variables\n{}", bench.screen());
}

#[test]
fn a_fault_is_shown_when_its_field_is_left_and_nothing_typed_is_lost() {
    let mut bench = Bench::new(100, 30).form(Preset::default());
    bench.press("enter +4912");
    assert!(!bench.screen().contains("too short"), "{}", bench.screen());
    bench.press("enter");
    assert!(bench.screen().contains("too short"), "{}", bench.screen());
    bench.press("tab tab");
    assert!(bench.screen().contains("+4912"), "{}", bench.screen());
    bench.press("enter");
    assert!(bench.screen().contains("needs a value"), "{}", bench.screen());
    assert!(!bench.is_asking());
}

#[test]
fn nothing_is_sent_from_a_sender_that_is_offline() {
    let mut bench = maria();
    bench.learn(|known| known.senders[0].status = Some(SenderStatus::Offline));
    bench.press("enter enter May enter");
    assert!(!bench.is_asking());
    assert!(bench.screen().contains("offline: nothing can be sent"), "{}", bench.screen());
}

#[test]
fn read_only_keeps_the_box_from_asking() {
    let mut bench = Bench::new(100, 30);
    bench.options.read_only = true;
    let mut bench = bench.form(preset(MARIA, "Maria Souza"));
    bench.press("enter enter May enter");
    assert!(!bench.is_asking());
    assert!(bench.screen().contains("read-only"), "{}", bench.screen());
}

#[test]
fn the_default_is_to_go_back() {
    for key in ["esc", "enter", "n", "q"] {
        let mut bench = maria();
        bench.press("enter enter May enter");
        assert!(bench.is_asking());
        bench.wait(1_000).press(key);
        assert!(!bench.is_asking() && !bench.is_closed(), "{key}");
        assert!(bench.screen().contains("May"), "everything is as typed");
    }
}

#[test]
fn a_key_that_is_held_down_or_pasted_does_not_send() {
    let mut bench = maria();
    bench.options.settings.messaging.hold = Duration::ZERO;
    let mut bench = bench.form(preset(MARIA, "Maria Souza"));
    bench.press("enter enter May enter y y");
    for _ in 0..100 {
        bench.wait(30).press("y");
    }
    assert!(bench.is_asking() && bench.sent.is_empty(), "a key held down is no answer");
    bench.paste("y\ny\n").wait(100);
    assert!(bench.is_asking() && bench.sent.is_empty(), "a paste is none either");
    bench.wait(1_000).press("y").wait(0);
    assert_eq!(bench.sent.len(), 1, "let go and pressed again");
}

#[test]
fn a_held_message_is_taken_back_or_leaves_once_while_other_work_goes_on() {
    for key in ["u", "ctrl-t"] {
        let mut bench = maria();
        bench.press("enter enter May enter").confirm();
        assert!(bench.is_closed() && bench.screen().contains("Sending to Maria Souza in 5 s"), "{}", bench.screen());
        bench.wait(4_900).press(key);
        assert!(bench.screen().contains("Taken back: nothing was sent to Maria Souza"), "{}", bench.screen());
        bench.wait(20_000);
        assert!(bench.sent.is_empty(), "{key}");
        // The draft is offered as always.
        let mut bench = bench.form(preset(MARIA, "Maria Souza"));
        assert!(bench.screen().contains("see you on May"), "{}", bench.screen());
        bench.press("esc");
    }
    let mut bench = maria();
    bench.press("enter enter May enter").confirm().press("y enter esc").wait(4_999);
    assert!(bench.sent.is_empty(), "not before its time");
    bench.wait(1).wait(60_000).press("y u").wait(60_000);
    assert_eq!(bench.sent.len(), 1);
}

#[test]
fn several_messages_are_held_and_the_newest_is_taken_back_first() {
    let mut bench = maria();
    bench.press("enter enter May enter").confirm();
    bench.change_pane(|pane, cx| pane.open_composer(preset(JOERG, "Jörg Brandt"), false, cx));
    bench.press("enter enter Juni enter").confirm();
    assert_eq!(bench.held(), 2);
    assert!(bench.screen().contains("2 sending, next in 5 s · u takes back the newest"), "{}", bench.screen());
    bench.press("u");
    assert!(bench.screen().contains("Sending to Maria Souza"), "{}", bench.screen());
    bench.wait(20_000);
    assert_eq!(bench.sent.iter().map(|sent| sent.intent.phone.as_str()).collect::<Vec<_>>(), [MARIA]);
    assert_eq!(bench.sent.len(), 1);
}

#[test]
fn letters_typed_for_the_next_recipient_take_nothing_back() {
    let mut bench = maria();
    bench.press("enter enter May enter").confirm();
    bench.change_pane(|pane, cx| pane.open_composer(preset(JOERG, "Jörg Brandt"), false, cx));
    bench.press("enter enter u");
    assert!(bench.held() == 1 && bench.screen().contains("ctrl-t takes it back"), "{}", bench.screen());
    bench.press("ctrl-t");
    assert_eq!(bench.held(), 0);
}

#[test]
fn the_draft_stays_until_the_message_is_accepted() {
    let mut bench = maria();
    bench.press("enter enter May enter").confirm();
    let is_delete = |keep: &StorageRequest| matches!(keep, StorageRequest::DeleteDraft(_));
    let is_save = |keep: &StorageRequest| matches!(keep, StorageRequest::SaveDraft(_));
    bench.wait(60_000);
    assert_eq!(bench.sent.len(), 1);
    assert!(bench.keeps.iter().any(is_save) && !bench.keeps.iter().any(is_delete), "{:?}", bench.keeps);
}

#[test]
fn what_is_typed_to_the_same_person_during_a_hold_is_not_lost() {
    let mut bench = maria();
    bench.press("enter enter May enter").confirm();
    bench.change_pane(|pane, cx| pane.open_composer(preset(MARIA, "Maria Souza"), false, cx));
    assert!(bench.screen().contains("still being sent"), "{}", bench.screen());
    bench.press("tab tab tab tab Or space June").wait(400);
    let draft = |bench: &Bench| bench.known.drafts.iter().find(|draft| draft.phone == MARIA).cloned();
    assert_eq!(draft(&bench).unwrap().values["date"], "MayOr June");
    bench.wait(60_000);
    assert_eq!(bench.sent.len(), 1);
    assert_eq!(draft(&bench).unwrap().values["date"], "MayOr June", "it is newer than what was sent");
}

#[test]
fn quitting_asks_while_a_message_is_held_and_takes_it_back() {
    for key in ["q", "ctrl-c"] {
        let mut bench = maria();
        bench.press("enter enter May enter").confirm().press(key);
        assert!(bench.held() == 1 && bench.screen().contains("waiting to be sent"), "{}", bench.screen());
        bench.press(key);
        assert!(bench.held() == 0 && bench.sent.is_empty());
        assert_eq!(bench.known.drafts[0].values["date"], "May");
    }
}

#[test]
fn a_long_message_is_edited_in_the_users_editor() {
    let mut bench = Bench::new(100, 30).editor(preset(MARIA, "Maria Souza"));
    bench.press("Oi ctrl-x");
    assert_eq!(bench.edited, ["Oi"]);
    bench.tell(Message::Edited(Err("the editor ended with 1".to_owned())));
    assert!(bench.screen().contains("The text is as it was") && bench.screen().contains("Oi"), "{}", bench.screen());
    bench.tell(Message::Edited(Ok("Oi\nMaria".to_owned())));
    bench.wait(400);
    assert_eq!(bench.known.drafts[0].message.as_deref(), Some("Oi\nMaria"));
    bench.press("ctrl-s");
    assert!(bench.is_asking() && bench.screen().contains("Maria"), "{}", bench.screen());
}

#[test]
fn without_a_hold_it_leaves_at_once() {
    let mut bench = Bench::new(100, 30);
    bench.options.settings.messaging.hold = Duration::ZERO;
    let mut bench = bench.form(preset(MARIA, "Maria Souza"));
    bench.press("enter enter May enter").confirm().wait(0);
    assert_eq!(bench.sent.len(), 1);
}

#[test]
fn stopping_the_program_takes_a_hold_back() {
    let mut bench = maria();
    bench.press("enter enter May enter").confirm().wait(1_000);
    bench.tell(Message::Suspend);
    assert_eq!(bench.held(), 0);
    bench.wait(60_000);
    assert!(bench.sent.is_empty());
    assert!(bench.screen().contains("Nothing was sent"), "{}", bench.screen());
}

#[test]
fn a_hold_that_was_slept_through_sends_nothing() {
    let mut bench = maria();
    bench.press("enter enter May enter").confirm();
    bench.now = bench.now.plus(Duration::from_secs(3_600));
    bench.wait(10);
    assert!(bench.sent.is_empty());
}

#[test]
fn what_changed_after_it_was_confirmed_is_not_sent() {
    let mut bench = maria();
    bench.press("enter enter May enter").confirm().wait(1_000);
    let pay = "Pay {{1}} {{2}}".to_owned();
    bench.learn(|known| known.templates.get_mut(&1).unwrap().update(|list| list[0].body_text = pay.into()));
    bench.wait(10_000);
    assert!(bench.sent.is_empty());
    assert!(bench.screen().contains("the template has changed"), "{}", bench.screen());
}

#[test]
fn each_send_has_a_name_of_its_own() {
    let mut ids = std::collections::HashSet::new();
    for _ in 0..3 {
        let mut bench = Bench::new(100, 30);
        bench.options.settings.messaging.hold = Duration::ZERO;
        let mut bench = bench.form(preset(MARIA, "Maria Souza"));
        bench.press("enter enter May enter").confirm().wait(0);
        ids.insert(bench.sent[0].intent.id);
        bench = bench.form(preset(JOERG, "Jörg Brandt"));
        bench.press("enter enter May enter").confirm().wait(0);
        ids.insert(bench.sent[1].intent.id);
    }
    // The three runs are alike to the nanosecond, and so are their names: a replay has no chance in it.
    assert_eq!(ids.len(), 2);
}

#[test]
fn the_text_is_recorded_only_where_the_settings_ask_for_it() {
    for keep in [false, true] {
        let mut bench = Bench::new(100, 30);
        bench.options.settings.messaging.keep_text = keep;
        let mut bench = bench.form(preset(MARIA, "Maria Souza"));
        bench.press("enter enter May enter").confirm().wait(6_000);
        let text = bench.sent[0].intent.text.as_deref();
        assert_eq!(text, keep.then_some("Hi Maria Souza, see you on May."));
    }
}

#[test]
fn words_of_ones_own_go_into_an_open_window() {
    let mut bench = Bench::new(100, 30).editor(preset(MARIA, "Maria Souza"));
    bench.press("Oi enter Maria! tab enter");
    assert!(bench.is_asking());
    bench.confirm().wait(6_000);
    let Outgoing::Freeform(message) = &bench.sent[0].outgoing else { panic!("a template") };
    assert_eq!(message.message, "Oi\nMaria!");
}

#[test]
fn where_no_window_is_open_the_form_of_a_template_opens_and_says_why() {
    let bench = Bench::new(100, 30).editor(preset(ANA, "Ana Lima"));
    assert!(bench.screen().contains("only a template can be sent"), "{}", bench.screen());
    assert!(bench.screen().contains("Send a template") && bench.screen().contains("Ana Lima"), "{}", bench.screen());
}

#[test]
fn a_window_that_expires_while_somebody_types_is_told_and_keeps_the_text() {
    let mut bench = Bench::new(100, 30).editor(preset(JOERG, "Jörg Brandt"));
    bench.press("Hallo tab").wait(470_000).press("enter");
    assert!(!bench.is_asking());
    let screen = bench.screen();
    assert!(screen.contains("expired") && screen.contains("Hallo"), "{screen}");
}

#[test]
fn a_window_that_expires_during_the_hold_sends_nothing() {
    let mut bench = Bench::new(100, 30).editor(preset(JOERG, "Jörg Brandt"));
    bench.wait(456_500).press("Hallo tab enter").confirm().wait(10_000);
    assert!(bench.sent.is_empty());
    assert!(bench.screen().contains("the window has expired"), "{}", bench.screen());
}

#[test]
fn what_is_unknown_is_requested_once_and_again_after_a_failure() {
    let mut bench = Bench::new(100, 30).form(Preset::default());
    bench.known.templates.clear();
    let mut composer = Composer::new(preset("+14155550199", "Kim"), false, Vec::new(), &snapshot!(bench));
    let requests = composer.take_requests(&snapshot!(bench));
    let window = Request::session_status(1, "+14155550199");
    assert_eq!(requests, [Request::ListTemplates { sender_id: 1 }, window]);
    assert_eq!(composer.take_requests(&snapshot!(bench)), []);
    composer.failed(&requests[1], Duration::ZERO, bench.now.mono);
    assert_eq!(composer.take_requests(&snapshot!(bench)), [], "not at once");
    bench.now.mono = composer.next_change(&snapshot!(bench)).unwrap();
    assert_eq!(composer.take_requests(&snapshot!(bench)), requests[1..]);
    assert_eq!(composer.take_requests(&snapshot!(bench)), []);
    let mut known = known();
    known.other_windows.insert((1, "+14155550199".to_owned()), Window::None);
    bench.known = known;
    let bench = bench.form(preset("+14155550199", "Kim"));
    assert!(bench.screen().contains("none yet: this template opens"), "{}", bench.screen());
    assert!(bench.screen().contains("appointment_reminder"), "{}", bench.screen());
}

#[test]
fn a_recipient_that_becomes_known_late_is_taken_all_the_same() {
    let mut bench = Bench::new(100, 30);
    let windows = std::mem::take(&mut bench.known.windows);
    let mut bench = bench.form(Preset { sender_id: Some(1), template_id: Some(1), ..Preset::default() });
    bench.press("enter");
    assert!(bench.screen().contains("needs a phone number"), "{}", bench.screen());
    bench.learn(|known| known.windows = windows);
    bench.wait(10).press("enter enter May enter");
    assert!(bench.is_asking(), "{}", bench.screen());
}

#[test]
fn what_cannot_be_read_is_not_sent() {
    let mut bench = maria();
    bench.press("enter enter May enter");
    bench.resize(100, 6);
    bench.confirm();
    assert!(bench.is_asking() && bench.screen().contains("too small to read it"), "{}", bench.screen());
    bench.resize(100, 14);
    assert!(bench.screen().contains("Hi Maria Souza, see you on May."), "{}", bench.screen());
    bench.confirm();
    assert!(!bench.is_asking());
}

#[test]
fn a_long_text_says_in_the_form_that_there_is_more() {
    let mut bench = Bench::new(80, 24);
    let long = "{{1}} {{2}} and on. ".repeat(80);
    bench.known.templates.get_mut(&1).unwrap().update(|list| list[0].body_text = long.into());
    let bench = bench.form(preset(MARIA, "Maria Souza"));
    assert!(bench.screen().contains("the whole text is shown before it is sent"), "{}", bench.screen());
}

#[test]
fn somebody_who_may_have_got_a_message_already_is_written_to_with_a_warning() {
    for leaving in [false, true] {
        let mut bench = maria();
        let send = UnresolvedSend { phone: MARIA.to_owned(), began: noon(), leaving };
        bench.change_pane(|pane, _| {
            let Front::Composer(composer, _) = &mut pane.front else { return };
            composer.unresolved = vec![send];
        });
        let said = if leaving { "still being sent" } else { "check the conversation" };
        assert!(bench.screen().contains(said), "{}", bench.screen());
        bench.press("enter enter May enter");
        assert!(bench.screen().contains("caution") && bench.screen().contains(said), "{}", bench.screen());
        let bench = bench.form(preset(JOERG, "Jörg Brandt"));
        assert!(!bench.screen().contains(said));
    }
}
