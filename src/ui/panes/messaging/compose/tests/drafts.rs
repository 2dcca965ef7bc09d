//! What is typed is kept, and is offered to nobody else.

use super::*;

fn saved(bench: &Bench) -> Vec<(&str, Option<i64>, Vec<&str>)> {
    bench
        .known
        .drafts
        .iter()
        .map(|draft| (draft.phone.as_str(), draft.template_id, draft.values.values().map(String::as_str).collect()))
        .collect()
}

#[test]
fn what_is_typed_is_saved_after_a_pause_and_not_letter_by_letter() {
    let mut bench = Bench::new(100, 30).form(preset(MARIA, "Maria Souza"));
    bench.press("tab tab tab tab M").wait(200).press("ay");
    assert!(bench.keeps.is_empty());
    bench.wait(300);
    assert_eq!(saved(&bench), [(MARIA, Some(1), vec!["May"])]);
    assert_eq!(bench.keeps.len(), 1);
    bench.wait(10_000);
    assert_eq!(bench.keeps.len(), 1, "nothing new was typed");
}

#[test]
fn leaving_saves_at_once_and_says_so() {
    let mut bench = Bench::new(100, 30).form(preset(MARIA, "Maria Souza"));
    bench.press("tab tab tab tab May esc");
    assert!(bench.is_closed() && bench.screen().contains("Draft saved"));
    assert_eq!(saved(&bench), [(MARIA, Some(1), vec!["May"])]);
    let mut bench = Bench::new(100, 30).form(preset(MARIA, "Maria Souza"));
    bench.press("esc");
    assert!(bench.is_closed() && !bench.screen().contains("Draft saved"), "nothing was typed");
    assert!(bench.keeps.is_empty());
}

#[test]
fn a_draft_is_there_again_with_its_template_and_for_nobody_else() {
    let mut bench = Bench::new(100, 30);
    bench.known.drafts = vec![draft(MARIA, Some(2), &[("order_number", "A-17")], None)];
    let bench = bench.form(preset(MARIA, "Maria Souza"));
    let screen = bench.screen();
    assert!(screen.contains("A-17") && screen.contains("draft from 11:23"), "{screen}");
    let mut bench = bench.form(preset(JOERG, "Jörg Brandt"));
    assert!(!bench.screen().contains("A-17"));
    bench.press("order enter");
    assert!(!bench.screen().contains("A-17"));
}

#[test]
fn another_number_takes_the_draft_back() {
    let mut bench = Bench::new(100, 30);
    bench.known.drafts = vec![draft(MARIA, Some(2), &[("order_number", "A-17")], None)];
    let mut bench = bench.form(preset(MARIA, "Maria Souza"));
    bench.press("tab ctrl-u");
    assert!(!bench.screen().contains("A-17"), "{}", bench.screen());
    bench.press("+4915112345678 enter");
    assert!(!bench.screen().contains("A-17"), "{}", bench.screen());
    assert!(!bench.screen().contains("Maria"), "nor is anybody called by another's name: {}", bench.screen());
    bench.press("esc");
    let drafts = saved(&bench);
    assert!(drafts.contains(&(MARIA, Some(2), vec!["A-17"])), "it stays where it belongs: {drafts:?}");
}

#[test]
fn a_form_without_a_recipient_offers_the_newest_draft_whole() {
    let mut bench = Bench::new(100, 30);
    bench.known.drafts = vec![draft(MARIA, Some(2), &[("order_number", "A-17")], None)];
    let mut bench = bench.form(Preset::default());
    bench.press("enter enter");
    let screen = bench.screen();
    assert!(
        screen.contains("A-17") && screen.contains("+55 11 91234-5678") && screen.contains("order_update"),
        "{screen}"
    );
}

#[test]
fn a_number_typed_over_leaves_no_drafts_of_its_beginnings() {
    let mut bench = Bench::new(100, 30).form(Preset::default());
    bench.press("enter");
    for digit in ["+", "4", "9", "1", "5", "1", "1", "2", "3", "4", "5", "6", "7", "8"] {
        bench.press(digit).wait(400);
    }
    bench.press("enter").wait(400);
    assert_eq!(saved(&bench), [(JOERG, Some(1), vec![])]);
}

#[test]
fn somebody_elses_draft_is_not_typed_over_unseen() {
    let mut bench = Bench::new(100, 30);
    bench.known.drafts = vec![draft(JOERG, Some(1), &[("date", "Freitag")], None)];
    let mut bench = bench.form(Preset { template_id: Some(1), ..Preset::default() });
    bench.press("+4915112345678").wait(400);
    assert_eq!(saved(&bench), [(JOERG, Some(1), vec!["Freitag"])]);
    bench.press("enter");
    assert!(bench.screen().contains("Freitag"), "{}", bench.screen());
}

#[test]
fn a_draft_that_is_emptied_goes() {
    let mut bench = Bench::new(100, 30);
    bench.known.drafts = vec![draft(MARIA, Some(2), &[("order_number", "A-17")], None)];
    let mut bench = bench.form(preset(MARIA, "Maria Souza"));
    bench.press("tab tab tab ctrl-u esc");
    assert_eq!(saved(&bench), []);
}

#[test]
fn a_text_of_ones_own_is_kept_for_its_recipient() {
    let mut bench = Bench::new(100, 30).editor(preset(MARIA, "Maria Souza"));
    bench.press("Oi enter tudo").wait(400);
    assert_eq!(bench.known.drafts[0].message.as_deref(), Some("Oi\ntudo"));
    bench.press("esc");
    let bench = bench.editor(preset(MARIA, "Maria Souza"));
    assert!(bench.screen().contains("tudo"));
    let bench = bench.editor(preset(JOERG, "Jörg Brandt"));
    assert!(!bench.screen().contains("tudo"));
    let bench = bench.form(preset(MARIA, "Maria Souza"));
    assert!(!bench.screen().contains("tudo"), "a template is no text of one's own");
}

#[test]
fn what_is_typed_for_one_person_stays_theirs_when_the_number_becomes_anothers() {
    for pause in [0, 400] {
        let mut bench = Bench::new(100, 30).form(preset(MARIA, "Maria Souza"));
        bench.press("enter enter May").wait(pause).press("shift-tab shift-tab shift-tab ctrl-u");
        let screen = bench.screen();
        assert!(!screen.contains("May") && screen.contains("kept for Maria Souza"), "{screen}");
        bench.press("+4915112345678").wait(pause).press("enter").wait(400);
        let screen = bench.screen();
        assert!(!screen.contains("May") && !screen.contains("Maria"), "{screen}");
        bench.press("esc");
        let marias = (MARIA, Some(1), vec!["Maria Souza", "May"]);
        assert!(saved(&bench).contains(&marias), "{:?}", saved(&bench));
        let joergs = saved(&bench).into_iter().filter(|(phone, ..)| *phone == JOERG);
        assert!(joergs.flat_map(|(.., values)| values).next().is_none(), "{:?}", saved(&bench));
        let mut bench = bench.form(preset(MARIA, "Maria Souza"));
        bench.press("enter").wait(500);
        assert!(bench.is_asking() && bench.screen().contains("see you on May"), "{}", bench.screen());
    }
}

#[test]
fn a_number_that_is_what_it_was_again_has_its_words_back() {
    let mut bench = Bench::new(100, 30).form(preset(MARIA, "Maria Souza"));
    bench.press("enter enter May shift-tab shift-tab shift-tab backspace").wait(400).press("8").wait(400);
    assert!(bench.screen().contains("see you on May"), "{}", bench.screen());
    assert_eq!(saved(&bench), [(MARIA, Some(1), vec!["Maria Souza", "May"])]);
    // Where nothing was typed nothing is kept, and the name is there again.
    let mut bench = Bench::new(100, 30).form(preset(MARIA, "Maria Souza"));
    bench.press("tab backspace").wait(400).press("8 tab").wait(400);
    assert!(bench.screen().contains("Maria Souza"), "{}", bench.screen());
    assert_eq!(saved(&bench), []);
}

#[test]
fn what_is_typed_before_the_number_belongs_to_the_number() {
    let mut bench = Bench::new(100, 30).form(Preset::default());
    bench.press("tab tab tab tab May shift-tab shift-tab shift-tab +49").wait(400).press("15112345678 enter").wait(400);
    assert_eq!(saved(&bench), [(JOERG, Some(1), vec!["May"])]);
    assert!(bench.screen().contains("see you on May"), "{}", bench.screen());
}

#[test]
fn a_text_of_ones_own_is_the_senders_that_it_was_written_from() {
    let from = |sender_id| Preset { sender_id: Some(sender_id), ..preset(MARIA, "Maria Souza") };
    let mut bench = Bench::new(100, 30).editor(from(1));
    bench.press("Hello esc");
    let mut bench = bench.editor(from(2));
    assert!(!bench.screen().contains("Hello"), "{}", bench.screen());
    bench.press("Hallo esc");
    let mut texts: Vec<_> =
        bench.known.drafts.iter().map(|draft| (draft.sender_id, draft.message.as_deref())).collect();
    texts.sort_unstable();
    assert_eq!(texts, [(Some(1), Some("Hello")), (Some(2), Some("Hallo"))]);
    // Emptied, one goes and the other stays.
    let mut bench = bench.editor(from(1));
    bench.press("backspace backspace backspace backspace backspace esc");
    assert_eq!(bench.known.drafts.len(), 1);
    assert!(bench.editor(from(2)).screen().contains("Hallo"));
}

#[test]
fn a_login_code_is_in_no_draft() {
    let mut bench = Bench::new(100, 30);
    let login = json!({"id": 3, "name": "login_code", "language": "en", "category": "authentication",
        "status": "approved", "body_text": "{{1}} is your code.", "variables": ["code"]});
    bench.known.templates.insert(1, Remote::loaded(vec![template(login)].into()));
    let mut bench = bench.form(preset(MARIA, "Maria Souza"));
    bench.press("enter 4321").wait(400);
    assert!(bench.screen().contains("4321 is your code"), "{}", bench.screen());
    bench.press("esc");
    assert!(bench.keeps.is_empty() && saved(&bench).is_empty(), "{:?}", bench.keeps);
    // What may be saved beside it still is.
    let mut bench = bench.form(Preset::default());
    bench.press("enter +4915112345679 enter Kim enter 4321 esc");
    let [StorageRequest::SaveDraft(draft)] = &bench.keeps[..] else { panic!("{:?}", bench.keeps) };
    assert_eq!((&*draft.phone, &*draft.name, draft.values.len()), ("+4915112345679", "Kim", 0));
}
