use super::*;
use crate::service::capacity::{BODIES, GUEST_BODY_LIMIT, HEAD_LIMIT, PLACES};
use crate::service::http::Body;
use axum::Extension;
use axum::routing::{get, post};
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep};
use tokio_util::sync::DropGuard;

// The clock of these tests is paused: where all wait for time to pass, it does at once.

const GET: &[u8] = b"GET / HTTP/1.1\r\nhost: h\r\n\r\n";

struct Server {
    address: SocketAddr,
    _stop: DropGuard,
}

impl Server {
    async fn start(at_once: usize) -> Self {
        let (stop, tasks) = (CancellationToken::new(), TaskTracker::new());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        // These routes act as if a token were shown: every caller is user 1.
        let hello = async |Extension(place): Extension<Arc<Place>>| {
            place.belongs_to(1);
            "hello"
        };
        let large = async |Extension(place): Extension<Arc<Place>>| {
            place.belongs_to(1);
            vec![b'x'; 64 << 20]
        };
        let body = async |_: Body| "body";
        let router = Router::new().route("/", get(hello)).route("/large", get(large)).route("/body", post(body));
        let connections = Arc::new(Connections::new(at_once, at_once.div_ceil(2), BODIES));
        let served = super::Served { router, clock: Clock::system(), writers: Handle::current(), proxies: [].into() };
        tokio::spawn(serve(listener, served, connections, stop.clone(), tasks));
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
    let served = Server::start(PLACES).await;
    let (mut stream, begin) = (served.connect().await, Instant::now());
    assert_eq!(some(&mut stream).await, "");
    assert_eq!(begin.elapsed().as_secs(), HEAD_LIMIT.as_secs());
}

#[tokio::test(start_paused = true)]
async fn a_head_that_comes_in_drops_is_not_waited_for() {
    let served = Server::start(PLACES).await;
    let (mut stream, begin) = (served.connect().await, Instant::now());
    for byte in b"GET / HTTP/1.1\r\nhost: ".iter().chain(std::iter::repeat(&b'h')) {
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
    let served = Server::start(PLACES).await;
    let mut stream = served.connect().await;
    stream.write_all(GET).await.unwrap();
    assert!(some(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
    let begin = Instant::now();
    assert_eq!(some(&mut stream).await, "");
    assert!(begin.elapsed() <= IDLE_LIMIT, "{:?}", begin.elapsed());
}

#[tokio::test(start_paused = true)]
async fn request_that_is_under_way_outlives_the_time_of_its_connection() {
    let served = Server::start(PLACES).await;
    let (mut stream, begin) = (served.connect().await, Instant::now());
    // The end of the body does not wait for an acknowledgement of its beginning, which takes real time.
    stream.set_nodelay(true).unwrap();
    while begin.elapsed() + Duration::from_secs(8) < LIFETIME {
        stream.write_all(GET).await.unwrap();
        assert!(some(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
        sleep(Duration::from_secs(7)).await;
    }
    let head = b"POST /body HTTP/1.1\r\nhost: h\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{";
    stream.write_all(head).await.unwrap();
    sleep(Duration::from_secs(20)).await;
    assert!(begin.elapsed() > LIFETIME + GRACE);
    stream.write_all(b"}").await.unwrap();
    let answer = some(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK") && answer.contains("connection: close"), "{answer}");
    assert_eq!(some(&mut stream).await, "");
}

#[tokio::test(start_paused = true)]
async fn user_with_every_place_loses_the_oldest_to_a_newcomer_at_once() {
    let served = Server::start(2).await;
    let mut streams = Vec::new();
    for _ in 0..2 {
        let mut stream = served.connect().await;
        stream.write_all(GET).await.unwrap();
        assert!(some(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
        streams.push(stream);
    }
    let (mut third, begin) = (served.connect().await, Instant::now());
    third.write_all(GET).await.unwrap();
    assert!(some(&mut third).await.starts_with("HTTP/1.1 200 OK"));
    assert_eq!(begin.elapsed(), Duration::ZERO);
    assert_eq!(some(&mut streams[0]).await, "");
    streams[1].write_all(GET).await.unwrap();
    assert!(some(&mut streams[1]).await.starts_with("HTTP/1.1 200 OK"));
}

#[tokio::test(start_paused = true)]
async fn bodies_that_do_not_come_shut_nobody_out() {
    let served = Server::start(2).await;
    let mut waiting = Vec::new();
    for _ in 0..8 {
        let mut stream = served.connect().await;
        let head = b"POST /body HTTP/1.1\r\nhost: h\r\ncontent-type: multipart/form-data\r\ncontent-length: 9\r\n\r\n";
        stream.write_all(head).await.unwrap();
        waiting.push(stream);
    }
    let (mut stream, begin) = (served.connect().await, Instant::now());
    stream.write_all(GET).await.unwrap();
    assert!(some(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
    assert_eq!(begin.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn guest_has_ten_seconds_for_a_body_whatever_its_type() {
    let served = Server::start(PLACES).await;
    for kind in ["multipart/form-data", "application/json"] {
        let (mut stream, begin) = (served.connect().await, Instant::now());
        let head = format!("POST /body HTTP/1.1\r\nhost: h\r\ncontent-type: {kind}\r\ncontent-length: 9\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        assert!(some(&mut stream).await.starts_with("HTTP/1.1 408"));
        assert_eq!(begin.elapsed().as_secs(), GUEST_BODY_LIMIT.as_secs());
    }
}

#[tokio::test(start_paused = true)]
async fn head_has_a_bounded_size() {
    let served = Server::start(PLACES).await;
    let mut stream = served.connect().await;
    stream.write_all(b"GET / HTTP/1.1\r\nhost: ").await.unwrap();
    stream.write_all(&vec![b'h'; HEAD]).await.unwrap();
    assert!(some(&mut stream).await.starts_with("HTTP/1.1 431"));
}

#[tokio::test(start_paused = true)]
async fn half_heads_shut_nobody_out() {
    let served = Server::start(2).await;
    let mut halves = Vec::new();
    for _ in 0..8 {
        let mut half = served.connect().await;
        half.write_all(b"GET / HTTP/1.1\r\nhost: ").await.unwrap();
        halves.push(half);
    }
    let (mut stream, begin) = (served.connect().await, Instant::now());
    stream.write_all(GET).await.unwrap();
    assert!(some(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
    assert!(begin.elapsed() < HEAD_LIMIT, "{:?}", begin.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_reader_that_stands_still_loses_its_place() {
    let served = Server::start(1).await;
    let mut slow = served.connect().await;
    slow.write_all(b"GET /large HTTP/1.1\r\nhost: h\r\n\r\n").await.unwrap();
    assert!(some(&mut slow).await.starts_with("HTTP/1.1 200 OK"));
    let (mut stream, begin) = (served.connect().await, Instant::now());
    stream.write_all(GET).await.unwrap();
    assert!(some(&mut stream).await.starts_with("HTTP/1.1 200 OK"));
    assert!(begin.elapsed() <= Duration::from_secs(20), "{:?}", begin.elapsed());
}
