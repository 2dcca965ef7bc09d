//! Every refusal that the service has, met from the form, and the pane on a server with another word for its channel.

use crate::support::canned::{self, Canned};
use crate::support::inside::{Inside, service_clock};
use crate::support::pure::Pure;
use crate::support::server::Server;
use crate::support::story::{Clocked, Stage, Story};
use switchboard::api::ErrorCode;
use switchboard::messaging::{Outcome, Refusal, advice};
use switchboard::ui::Options;

const SIZE: (u16, u16) = (120, 40);

/// The first words of what is told to do about a code.
fn told(code: &ErrorCode) -> String {
    let refusal = Refusal { status: Some(422), code: Some(code.clone()), words: String::new() };
    advice(&refusal).split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Fills the form for a number that nobody is watched under, confirms it and lets it leave.
fn send_to<S: Stage + Clocked>(story: &mut Story<S>, phone: &str) {
    story.press("3 s").sees("Send a template").press("enter").types(phone).press("enter").types("Ada").press("enter");
    story.press("enter").types("3 May").press("enter").sees("Send this message?").passes(1).press("y").passes(6);
}

#[test]
fn what_the_service_refuses_is_told_in_its_words_with_what_to_do_about_it() {
    let server = Server::start(&canned::still_world(), service_clock());
    let mut story = Story(Inside::start(SIZE, Options::default(), server));
    story.sees("live").press("3").sees("appointment_reminder").press("shift-tab shift-tab");
    let numbers = ["010", "011", "012", "013", "014", "015"];
    let codes =
        &["TEMPLATE_NOT_SYNCED", "TEMPLATE_MISMATCH", "MESSAGING_LIMIT_UNAVAILABLE", "VOICE_CALL_LIMIT_NOT_MET"];
    let codes = codes.iter().copied().chain(["PROVIDER_ERROR_63024", "UNKNOWN_ERROR"]);
    for (number, code) in numbers.into_iter().zip(codes) {
        send_to(&mut story, &format!("+14155999{number}"));
        let is_about_it = ["PROVIDER_ERROR_63024", "UNKNOWN_ERROR"].contains(&code);
        let outcome = if is_about_it { "refused" } else { "not sent" };
        story.sees("Not sent to").press("esc o").sees(outcome).sees(&told(&ErrorCode::from(code)));
        story.press("esc").sees("SENDERS");
    }
}

#[test]
fn a_balance_that_does_not_cover_it_is_told() {
    let world = canned::still_world().replacen("[[users]]\n", "[[users]]\nbalance = 0.0\n", 1);
    let mut story = Story(Inside::start(SIZE, Options::default(), Server::start(&world, service_clock())));
    story.sees("live").press("3").sees("appointment_reminder").press("shift-tab shift-tab");
    send_to(&mut story, "+14155550123");
    story.sees("Not sent to").press("esc o").sees(&told(&ErrorCode::InsufficientBalance));
}

/// What the form keeps from leaving can still be refused: the server may have changed since.
#[test]
fn every_code_of_the_contract_is_explained() {
    let of_the_provider = ErrorCode::from("PROVIDER_ERROR_63024");
    for code in ErrorCode::KNOWN.iter().chain([&of_the_provider]) {
        let mut server = Canned::default();
        let words = "The words of the API.".to_owned();
        let refusal = Refusal { status: Some(422), code: Some(code.clone()), words };
        server.desk.outcomes.insert("+14155550199".to_owned(), Outcome::Refused(refusal));
        let mut story = Story(Pure::connected(SIZE, Options::default(), server));
        story.press("3").sees("appointment_reminder").press("shift-tab shift-tab");
        send_to(&mut story, "+14155550199");
        story.sees("Not sent to").press("esc o").sees("The words of the API").sees(&told(code));
    }
}

#[test]
fn a_server_with_another_word_for_its_channel_is_no_different() {
    let server = Server::speaking("whatsapp".parse().unwrap(), &canned::still_world(), service_clock());
    server.control(
        "inbound-message",
        &serde_json::json!({
        "sender_id": 1, "customer_phone": "+14155550123", "text": "Hello?", "customer_name": "Zoë Maier"}),
    );
    let mut story = Story(Inside::start(SIZE, Options::default(), server));
    story.sees("Zoë Maier").press("3").sees("appointment_reminder").sees("● Zoë Maier").sees("23 h 59");
    story.press("f").types("Hello Zoë").press("tab enter").sees("Send this message?").passes(1).press("y");
    story.passes(6).press("o").sees("accepted").press("esc").press("shift-tab shift-tab");
    send_to(&mut story, "+14155550124");
    story.sees("23 h 59").press("o").sees("2 sends").sees("accepted");
}
