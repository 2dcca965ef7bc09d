//! Webhooks received on this machine, and the proof that one works, against the real service.

use super::snapshots::{UUIDS, picture};
use crate::support::inside::Inside;
use crate::support::story::Story;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use switchboard::ui::{Options, Place};

/// Ports, ids and signatures differ in each run.
const FILTERS: &[(&str, &str)] = &[
    (r"127\.0\.0\.1:[0-9]{5}", "127.0.0.1:[...]"),
    (UUIDS.0, "[- a UUID of thirty-six letters -]--"),
    (r"[0-9a-f]{8}-[0-9a-f-]*", "[part of a UUID]"),
    ("(?m)(│ +)[0-9a-f]{3,12}\",?$", "$1[its rest]"),
    (r"v1,[A-Za-z0-9+/=…]+", "v1,[signature]"),
    (r"msg_[A-Za-z0-9_]+", "msg_[id]"),
];

fn story(size: (u16, u16), options: Options) -> Story<Inside> {
    let mut story = Story(Inside::small_with(size, options));
    story.sees("page 1 of 3").press("2").sees(" of 6");
    // The full list comes after the outbound one, in another order.
    story.0.settle();
    story.press("g").sees("1 of 6");
    story
}

/// Listens on a free port, and gives it.
fn listen(story: &mut Story<Inside>, then: &str) -> u16 {
    story.press("L").sees("Receive webhooks on this machine").press("ctrl-u").types("0").press(then);
    story.sees("Listening on http://127.0.0.1:");
    let screen = story.screen().to_string();
    let rest = screen.split("Listening on http://127.0.0.1:").nth(1).unwrap();
    rest.split('/').next().unwrap().parse().unwrap()
}

/// Sends something to this port, and gives the answer.
fn post(port: u16, method: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let length = body.len();
    write!(stream, "{method} /hook HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn webhook_is_proven_with_one_key_in_a_sandbox() {
    for (size, at) in [((120, 40), "120x40"), ((80, 24), "80x24")] {
        let mut story = story(size, Options::default());
        story.press("p").sees("PROVED").sees("● 14:02:30 Signature valid").sees("1 delivery received");
        picture(&mut story, &format!("assistants_proof_{at}"), FILTERS);
        story.press("enter").sees("Signature     signature valid").sees("\"conversation_id\":");
        if at == "80x24" {
            picture(&mut story, "assistants_delivery_80x24", FILTERS);
        }
        story.press("esc esc").sees("ASSISTANTS").sees("listening, 1 received");
        story.press("p").sees("PROVED").sees("2 deliveries received").sees("before: on");
    }
}

#[test]
fn listening_goes_on_in_other_panes_until_it_is_stopped() {
    let mut story = story((80, 24), Options::default());
    let port = listen(&mut story, "enter");
    picture(&mut story, "assistants_listen_80x24", FILTERS);
    story.press("8").sees("listening, 0 received");
    let answer = post(port, "POST", r#"{"id": 9, "duration": 3, "finished_at": "x"}"#);
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    story.sees("listening, 1 received");
    let answer = post(port, "GET", "");
    assert!(answer.starts_with("HTTP/1.1 405"), "{answer}");
    story.press("L").sees("GET /hook").sees("call_completed").sees("none sent").sees("2 deliveries received");
    story.press("x").sees("Not listening").press("8").sees_no_more("listening,");
    assert!(TcpStream::connect(("127.0.0.1", port)).is_err());
    // The form opens again with the port of before.
    story.press("L").sees("Receive webhooks").press("enter").sees("Listening on");
}

#[test]
fn delivery_is_forwarded_and_once_more_by_hand() {
    let target = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = target.local_addr().unwrap();
    let taken = std::thread::spawn(move || {
        for _ in 0..2 {
            let (mut stream, _) = target.accept().unwrap();
            let mut read = [0; 4096];
            let mut request = String::new();
            while !request.ends_with("{}") {
                let count = stream.read(&mut read).unwrap();
                request.push_str(&String::from_utf8_lossy(&read[..count]));
            }
            stream.write_all(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").unwrap();
        }
    });
    let mut story = story((120, 40), Options::default());
    story.press("L").sees("Receive webhooks").press("ctrl-u").types("0").press("tab");
    story.types(&format!("http://{address}/in")).press("enter").sees("forwards to").sees("Listening on");
    let screen = story.screen().to_string();
    let rest = screen.split("Listening on http://127.0.0.1:").nth(1).unwrap();
    let answer = post(rest.split('/').next().unwrap().parse().unwrap(), "POST", "{}");
    assert!(answer.starts_with("HTTP/1.1 202"), "{answer}");
    story.sees("Forwarded     202").press("f").sees("Forwarded again: answered with 202");
    taken.join().unwrap();
}

#[test]
fn failed_step_says_why_and_what_to_do() {
    let mut story = story((80, 24), Options::default());
    let path = "/user/assistants/enable-conversation-ended-webhook";
    story.0.server.fault(&serde_json::json!({"path": path, "status": 500, "count": 1}));
    story.press("p").sees("NOT PROVED").sees("p tries again");
    picture(&mut story, "assistants_proof_failed_80x24", FILTERS);
    story.press("p").sees("PROVED").sees("Signature valid").press("x").sees("Not listening").sees("PROVED");
}

#[test]
fn wrong_secret_is_found_out() {
    let mut story = story((80, 24), Options::default());
    story.press("L").sees("Receive webhooks").press("ctrl-u").types("0").press("tab tab").types("whsec_b3RoZXI=");
    story.press("enter").sees("Listening on").press("p").sees("NOT PROVED");
    story.sees("Check the").sees("invalid").sees("● 14:02:30 Notification received");
}

#[test]
fn live_server_needs_a_public_address() {
    let options = Options { place: Place::Profile("live".to_owned()), ..Options::default() };
    let mut story = story((80, 24), options);
    story.press("p").sees("none: signatures are not checked").press("ctrl-u").types("0").press("enter");
    story.sees("signatures not checked").press("p").sees("Public URL").sees("a tunnel to it");
    story.press("enter").sees("This field is required");
    story.types("https://tunnel.example/hook");
    picture(&mut story, "assistants_tunnel_80x24", FILTERS);
    story.press("enter").sees("Waiting for a notification");
    picture(&mut story, "assistants_proof_live_80x24", FILTERS);
}

#[test]
fn port_in_use_is_said() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let mut story = story((80, 24), Options::default());
    story.press("L").sees("Receive webhooks").press("ctrl-u").types("70000").press("enter").sees("from 0 to 65535");
    story.press("ctrl-u").types(&port.to_string()).press("enter").sees("Not listening: cannot listen on");
    story.press("L").sees("Receive webhooks");
}
