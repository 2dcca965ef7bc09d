use super::*;
use crate::service::router::router;
use crate::service::state::State;
use crate::service::store::{Data, Store};
use crate::service::world::World;
use crate::service::{Clock, keys};
use jiff::Timestamp;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep, timeout};
use tokio_util::sync::DropGuard;

// The clock of these tests is paused: where all wait for time to pass, it does at once.

const WORLD: &str = "[[users]]\nemail = \"a@b.c\"\ntokens = [\"t\"]";
const LIST: &[u8] = b"GET /api/user/api-keys HTTP/1.1\r\nhost: h\r\nauthorization: Bearer t\r\n\r\n";

struct Served {
    address: SocketAddr,
    _stop: DropGuard,
}

impl Served {
    async fn start(at_once: usize) -> Self {
        let store = Store::open(&Data::Memory).unwrap();
        store.fill(&World::parse(WORLD).unwrap(), Timestamp::UNIX_EPOCH).unwrap();
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let state = State {
            store,
            clock: Clock::fixed(Timestamp::UNIX_EPOCH),
            key_use: keys::KeyUse::default(),
            origin: format!("http://{address}"),
            faults: None,
            stop: stop.clone(),
        };
        tokio::spawn(serve(listener, router(Arc::new(state)), at_once, stop.clone(), tasks));
        Self { address, _stop: stop.drop_guard() }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }
}

async fn some(stream: &mut TcpStream) -> String {
    let mut buffer = [0; 4096];
    let length = stream.read(&mut buffer).await.unwrap_or_default();
    String::from_utf8_lossy(&buffer[..length]).into_owned()
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_says_nothing_is_closed() {
    let served = Served::start(CONNECTIONS).await;
    let (mut stream, begin) = (served.connect().await, Instant::now());
    assert_eq!(some(&mut stream).await, "");
    assert_eq!(begin.elapsed().as_secs(), HEAD_LIMIT.as_secs());
}

#[tokio::test(start_paused = true)]
async fn a_head_that_comes_in_drops_is_not_waited_for() {
    let served = Served::start(CONNECTIONS).await;
    let (mut stream, begin) = (served.connect().await, Instant::now());
    for byte in LIST.iter().cycle() {
        if stream.write_all(&[*byte]).await.is_err() {
            break;
        }
        sleep(Duration::from_secs(1)).await;
        if matches!(stream.try_read(&mut [0]), Ok(0)) {
            break;
        }
    }
    let limit = HEAD_LIMIT.as_secs();
    assert!((limit..limit + 10).contains(&begin.elapsed().as_secs()), "{:?}", begin.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_falls_idle_after_an_answer_is_closed() {
    let served = Served::start(CONNECTIONS).await;
    let mut stream = served.connect().await;
    stream.write_all(LIST).await.unwrap();
    assert!(some(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
    let begin = Instant::now();
    assert_eq!(some(&mut stream).await, "");
    assert!(begin.elapsed() <= HEAD_LIMIT, "{:?}", begin.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_come_is_answered_in_time() {
    let served = Served::start(CONNECTIONS).await;
    let mut stream = served.connect().await;
    let head = b"POST /api/user/api-keys HTTP/1.1\r\nhost: h\r\nauthorization: Bearer t\r\n\
        content-type: application/json\r\ncontent-length: 10\r\n\r\n{";
    stream.write_all(head).await.unwrap();
    let begin = Instant::now();
    assert!(some(&mut stream).await.starts_with("HTTP/1.1 408 Request Timeout"));
    assert_eq!(begin.elapsed().as_secs(), 30);
}

#[tokio::test(start_paused = true)]
async fn a_connection_over_the_limit_waits_for_another_to_end() {
    let served = Served::start(2).await;
    let (one, _other) = (served.connect().await, served.connect().await);
    let mut third = served.connect().await;
    third.write_all(LIST).await.unwrap();
    let early = timeout(Duration::from_secs(5), some(&mut third)).await;
    assert!(early.is_err(), "{early:?}");
    drop(one);
    assert!(some(&mut third).await.starts_with("HTTP/1.1 200 OK"));
}
