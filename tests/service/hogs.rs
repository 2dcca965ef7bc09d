// Whatever a few callers do, the others are answered. The places and bytes are those of `src/service/capacity.rs`.

use crate::senders_world;
use crate::support::{ADA, BOB, Service, WORLD, options};
use reqwest::Method;
use serde_json::json;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

const PLACES: usize = 512;
const BODY: usize = 1024 * 1024;
/// Waited for only where a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A connection from one of the addresses of this machine.
async fn connect(service: &Service, last: u8) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((Ipv4Addr::new(127, 0, 0, last), 0).into()).unwrap();
    let address: SocketAddr = service.root().strip_prefix("http://").unwrap().parse().unwrap();
    socket.connect(address).await.unwrap()
}

/// What comes next; nothing where the connection is closed.
async fn exchange(stream: &mut TcpStream, request: &str) -> String {
    let mut answer = [0; 4096];
    if stream.write_all(request.as_bytes()).await.is_err() {
        return String::new();
    }
    let length = stream.read(&mut answer).await.unwrap_or_default();
    String::from_utf8_lossy(&answer[..length]).into_owned()
}

fn me(token: &str) -> String {
    format!("GET /api/user/me HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {token}\r\n\r\n")
}

fn login(body: &str) -> String {
    let length = body.len();
    format!(
        "POST /api/white-label/login HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

/// Ordinary clients of Bob's, each of which has been answered once.
async fn ordinary(service: &Service) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for _ in 0..20 {
        let mut stream = connect(service, 1).await;
        assert!(exchange(&mut stream, &me(BOB)).await.starts_with("HTTP/1.1 200"));
        streams.push(stream);
    }
    streams
}

/// The ordinary clients are answered on the connections that they have, and a new one on its own.
async fn nobody_is_shut_out(service: &Service, ordinary: Vec<TcpStream>) {
    for mut stream in ordinary {
        assert!(exchange(&mut stream, &me(BOB)).await.starts_with("HTTP/1.1 200"));
    }
    let mut new = connect(service, 9).await;
    let answer = timeout(PATIENCE, exchange(&mut new, &me(BOB))).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let mut guest = connect(service, 10).await;
    let right = login(r#"{"email": "ada@example.com", "password": "correct horse"}"#);
    let answer = timeout(PATIENCE, exchange(&mut guest, &right)).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

async fn with_password() -> Service {
    let world = senders_world::WORLD.replacen("tokens =", "password = \"correct horse\"\ntokens =", 1);
    Service::with(options(&world)).await
}

#[tokio::test]
async fn logins_whose_bodies_do_not_come_shut_nobody_out() {
    let service = with_password().await;
    let ordinary = ordinary(&service).await;
    let awaited = "POST /api/white-label/login HTTP/1.1\r\nhost: h\r\ncontent-type: multipart/form-data; boundary=q\r\n\
                   expect: 100-continue\r\ncontent-length: 1000\r\n\r\n";
    let mut hogs = Vec::new();
    for n in 0..PLACES - ordinary.len() {
        let mut stream = connect(&service, 2 + u8::try_from(n % 2).unwrap()).await;
        // Its body is awaited once the service has said so.
        assert!(exchange(&mut stream, awaited).await.starts_with("HTTP/1.1 100"));
        hogs.push(stream);
    }
    nobody_is_shut_out(&service, ordinary).await;
}

#[tokio::test]
async fn user_with_many_idle_connections_shuts_nobody_out() {
    let service = with_password().await;
    let ordinary = ordinary(&service).await;
    let mut hogs = Vec::new();
    for n in 0..PLACES - ordinary.len() {
        let mut stream = connect(&service, 2 + u8::try_from(n % 2).unwrap()).await;
        assert!(exchange(&mut stream, &me(ADA)).await.starts_with("HTTP/1.1 200"));
        hogs.push(stream);
    }
    nobody_is_shut_out(&service, ordinary).await;
}

#[tokio::test]
async fn bodies_of_one_user_leave_memory_for_those_of_others() {
    let service = Service::with(options(WORLD)).await;
    let mut hogs = Vec::new();
    for _ in 0..20 {
        let mut stream = connect(&service, 2).await;
        let head = format!(
            "POST /api/user/api-keys HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {ADA}\r\n\
             content-type: application/json\r\ncontent-length: {BODY}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.write_all(&vec![b' '; BODY - 1]).await.unwrap();
        hogs.push(stream);
    }
    let large = json!({"name": "x", "more": "y".repeat(1_000_000)});
    let refused = async {
        loop {
            let request = service.request(Method::POST, ADA, "/api/user/api-keys").json(&large);
            let answer = request.send().await.unwrap();
            if answer.status() == 503 {
                return answer;
            }
        }
    };
    let refused = timeout(PATIENCE, refused).await.unwrap();
    assert_eq!(refused.headers()["retry-after"], "1");
    service.post(BOB, "/api/user/api-keys", large.clone()).await.is(201);
}

#[tokio::test]
async fn as_many_bodies_of_a_user_as_have_room_arrive_though_one_more_comes_with_them() {
    let service = Service::with(options(WORLD)).await;
    let body = json!({"name": "x", "more": "y".repeat(BODY - 22)}).to_string();
    assert_eq!(body.len(), BODY);
    let (first, rest) = body.split_at(BODY / 2);
    let mut streams = Vec::new();
    for _ in 0..17 {
        let mut stream = connect(&service, 2).await;
        let head = format!(
            "POST /api/user/api-keys HTTP/1.1\r\nhost: h\r\nauthorization: Bearer {ADA}\r\n\
             content-type: application/json\r\ncontent-length: {BODY}\r\n\r\n{first}"
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        streams.push(stream);
    }
    let mut statuses = Vec::new();
    let answers = streams.into_iter().map(|mut stream| async move {
        let answer = exchange(&mut stream, rest).await;
        answer[9..12].to_owned()
    });
    statuses.extend(timeout(PATIENCE, futures_util::future::join_all(answers)).await.unwrap());
    statuses.sort_unstable();
    assert_eq!(statuses, [["201"; 16].as_slice(), &["503"]].concat());
}

#[tokio::test]
async fn login_has_a_small_body_and_an_email_of_sensible_length() {
    let service = with_password().await;
    let large = json!({"email": "ada@example.com", "password": "x".repeat(20_000)});
    service.post("nonsense", "/api/white-label/login", large).await.is(413);
    let long = json!({"email": "x".repeat(255), "password": "x"});
    let answer = service.post("nonsense", "/api/white-label/login", long).await.is(422);
    assert_eq!(answer["errors"]["email"][0], "The email may not be greater than 254 characters.");
    let longest = json!({"email": "x".repeat(254), "password": "x"});
    service.post("nonsense", "/api/white-label/login", longest).await.is(401);
}
