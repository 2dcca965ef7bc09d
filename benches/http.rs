//! How many requests a second the service answers: `cargo bench --bench http [ROWS]`, a million conversations and as many
//! calls where no number is given. A route that answers a constant body of the same size is measured in the same run, so that the figures are
//! ratios. Service and constant route share a runtime; the callers have their own.

use axum::Router;
use axum::routing::get;
use serde_json::Value;
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use switchboard::api::Channel;
use switchboard::service::world::{DEMO, Generate, World};
use switchboard::service::{self, Data, Options};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::{Builder, Runtime};

type Failure = Box<dyn Error + Send + Sync>;

/// Connections at a time, each with one request in flight.
const CONNECTIONS: usize = 32;
const WARM_UP: Duration = Duration::from_millis(500);
const MEASURED: Duration = Duration::from_secs(2);
/// Pages drawn from all there are, where each request is for another one; the service keeps fewer.
const DRAWN: usize = 20_000;
const STARTS: usize = 5;

fn main() -> Result<(), Failure> {
    let rows = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(1_000_000);
    let mut world = World::parse(DEMO)?;
    world.users.truncate(1);
    for user in &mut world.users {
        user.generate = Some(Generate { conversations: rows, calls: rows, seed: 42 });
    }
    let folder = tempfile::tempdir()?;
    let database = folder.path().join("http.db");

    let server = Builder::new_multi_thread().enable_all().build()?;
    let callers = Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let options = Options {
        listen: "127.0.0.1:0".parse()?,
        data: Data::File(database.clone()),
        world: Some(world),
        sandbox: false,
        channel: Channel::default(),
        trusted_proxies: Vec::new(),
    };
    let filling = Instant::now();
    let running = server.block_on(service::start(options))?;
    println!("{rows} conversations and calls, filled in {:.1?}", filling.elapsed());
    let token = running.first_token.as_ref().ok_or("the world has no token")?.expose().to_owned();
    let host = running.base_url.trim_start_matches("http://").trim_end_matches("/api").to_owned();
    let service = Target { host, token };

    let routes = callers.block_on(routes(&service))?;
    let size = callers.block_on(service.body(&routes[0].1[0]))?.len();
    let constant = constant(&server, size)?;
    println!("{CONNECTIONS} connections, {size} bytes a page");
    println!("{:34} {:>10} {:>10} {:>10} {:>10} {:>6}", "", "requests/s", "p50", "p99", "constant", "ratio");
    let nothing = ["/".to_owned()];
    for (name, paths) in &routes {
        // Right before and after each, so that a machine that others use too distorts both alike.
        let before = callers.block_on(measure(&constant, &nothing))?;
        let speed = callers.block_on(measure(&service, paths))?;
        let after = callers.block_on(measure(&constant, &nothing))?;
        speed.print(name, f64::midpoint(before.per_second, after.per_second));
    }
    server.block_on(running.shutdown());

    let mut starts = (0..STARTS).map(|_| start_up(&database)).collect::<Result<Vec<_>, _>>()?;
    starts.sort_unstable();
    println!(
        "start on that database until it accepts: {:.1?} at the best, {:.1?} at the worst",
        starts[0],
        starts[STARTS - 1]
    );
    Ok(())
}

/// Where requests go.
#[derive(Debug, Clone)]
struct Target {
    host: String,
    token: String,
}

impl Target {
    fn request(&self, path: &str) -> Vec<u8> {
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n", self.host, self.token).into()
    }

    async fn body(&self, path: &str) -> Result<Vec<u8>, Failure> {
        Caller::connect(self, [self.request(path)].into(), 0).await?.call().await.map(<[u8]>::to_vec)
    }

    async fn json(&self, path: &str) -> Result<Value, Failure> {
        Ok(serde_json::from_slice(&self.body(path).await?)?)
    }
}

/// A connection that asks for the same things again and again.
struct Caller {
    stream: TcpStream,
    requests: Arc<[Vec<u8>]>,
    next: usize,
    buffer: Vec<u8>,
}

impl Caller {
    /// Makes these requests in turn, beginning with the one of this number.
    async fn connect(target: &Target, requests: Arc<[Vec<u8>]>, next: usize) -> Result<Self, Failure> {
        let stream = TcpStream::connect(&target.host).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, requests, next, buffer: Vec::with_capacity(64 * 1024) })
    }

    /// One request: the body of its answer, which must be a 200. A long one is given in its chunks, as they came.
    async fn call(&mut self) -> Result<&[u8], Failure> {
        self.stream.write_all(&self.requests[self.next % self.requests.len()]).await?;
        self.next += 1;
        self.buffer.clear();
        loop {
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err("the service closed a connection".into());
            }
            let Some(head) = self.buffer.windows(4).position(|end| end == b"\r\n\r\n") else { continue };
            let (start, length) = (head + 4, length(&self.buffer[..head])?);
            let is_whole = match length {
                Some(length) => self.buffer.len() >= start + length,
                None => self.buffer.ends_with(b"\r\n0\r\n\r\n"),
            };
            if is_whole {
                return Ok(&self.buffer[start..]);
            }
        }
    }
}

/// None where the body comes in chunks.
fn length(head: &[u8]) -> Result<Option<usize>, Failure> {
    let head = std::str::from_utf8(head)?.to_ascii_lowercase();
    if !head.starts_with("http/1.1 200") {
        return Err(head.into());
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length:"));
    Ok(length.map(|length| length.trim().parse()).transpose()?)
}

/// What is measured: a name and a path, or several in turn.
async fn routes(service: &Target) -> Result<Vec<(&'static str, Vec<String>)>, Failure> {
    let all = "/api/user/conversations";
    let first = service.json(all).await?;
    let last = first["last_page"].as_u64().ok_or("no last page")?;
    let messaging = service.json(&format!("{all}?type=msgapp")).await?;
    let last_messaging = messaging["last_page"].as_u64().ok_or("no last page")?;
    let row = &messaging["data"][0];
    let senders = service.json("/api/user/msgapp/senders?status=all").await?;
    let of_row = |sender: &&Value| sender["phone_number"] == row["msgapp_sender"]["phone"];
    let sender = senders["data"].as_array().and_then(|senders| senders.iter().find(of_row)).ok_or("no sender")?;
    let (sender, phone) = (&sender["id"], row["customer"]["phone"].as_str().ok_or("no phone")?.replace('+', "%2B"));
    let assistants = service.json("/api/user/assistants/get?per_page=100").await?;
    let of_row = |assistant: &&Value| assistant["uuid"] == row["assistant_id"];
    let assistant = &assistants["data"].as_array().and_then(|all| all.iter().find(of_row)).ok_or("no assistant")?["id"];
    let today = jiff::Timestamp::now().to_zoned(jiff::tz::TimeZone::UTC).date();
    let day = |ago: i64| today.saturating_sub(jiff::Span::new().days(ago));
    let dates = format!("date_from={}&date_to={}", day(30), day(20));
    let calls = "/api/user/calls";
    let first = service.json(calls).await?;
    let last_call = first["last_page"].as_u64().ok_or("no last page")?;
    let called = first["data"][0]["client_phone_number"].as_str().ok_or("no phone")?.replace('+', "%2B");
    let busy = service.json(&format!("{calls}?status=busy")).await?;
    let last_busy = busy["last_page"].as_u64().ok_or("no last page")?;
    // Any page as likely as any other, so that hardly one is answered from memory.
    let mut rng = fastrand::Rng::with_seed(1);
    let mut drawn = |list: &str, last| (0..DRAWN).map(|_| format!("{list}?page={}", rng.u64(1..=last))).collect();
    let (drawn, drawn_calls) = (drawn(all, last), drawn(calls, last_call));
    let routes = [
        ("conversations, page 1", all.to_owned()),
        ("conversations, middle page", format!("{all}?page={}", last / 2)),
        ("conversations, last page", format!("{all}?page={last}")),
        ("one type, page 1", format!("{all}?type=msgapp")),
        ("one type, middle page", format!("{all}?type=msgapp&page={}", last_messaging / 2)),
        ("one assistant, page 1", format!("{all}?assistant_id={assistant}")),
        ("ten days, page 1", format!("{all}?{dates}")),
        ("type, assistant and days, page 1", format!("{all}?type=msgapp&assistant_id={assistant}&{dates}")),
        ("calls, page 1", calls.to_owned()),
        ("calls, middle page", format!("{calls}?page={}", last_call / 2)),
        ("calls, last page", format!("{calls}?page={last_call}")),
        ("calls of one status, page 1", format!("{calls}?status=busy")),
        ("calls of one status, middle page", format!("{calls}?status=busy&page={}", last_busy / 2)),
        ("calls of one number", format!("{calls}?phone_number={called}")),
        ("calls of ten days, page 1", format!("{calls}?{dates}")),
        ("templates of a sender", format!("/api/user/msgapp/senders/{sender}/templates?status=all")),
        ("session status", format!("/api/user/msgapp/session-status?sender_id={sender}&recipient_phone={phone}")),
    ];
    let mut routes: Vec<_> = routes.into_iter().map(|(name, path)| (name, vec![path])).collect();
    routes.insert(3, ("conversations, pages at random", drawn));
    routes.insert(12, ("calls, pages at random", drawn_calls));
    Ok(routes)
}

/// A server with one route, which answers a body of this size.
fn constant(server: &Runtime, size: usize) -> Result<Target, Failure> {
    let body = format!("\"{}\"", "x".repeat(size.saturating_sub(2)));
    let answer = move || std::future::ready(([("content-type", "application/json")], body.clone()));
    let listener = server.block_on(TcpListener::bind("127.0.0.1:0"))?;
    let host = listener.local_addr()?.to_string();
    server.spawn(async move { axum::serve(listener, Router::new().route("/", get(answer))).await });
    Ok(Target { host, token: "none".to_owned() })
}

/// What was measured.
struct Speed {
    per_second: f64,
    p50: Duration,
    p99: Duration,
}

impl Speed {
    fn print(&self, name: &str, constant: f64) {
        let Self { per_second, p50, p99 } = self;
        let ratio = per_second / constant;
        println!("{name:34} {per_second:>10.0} {p50:>10.1?} {p99:>10.1?} {constant:>10.0} {ratio:>6.2}");
    }
}

async fn measure(target: &Target, paths: &[String]) -> Result<Speed, Failure> {
    let begin = Instant::now() + WARM_UP;
    let end = begin + MEASURED;
    let mut tasks = Vec::with_capacity(CONNECTIONS);
    let requests: Arc<[_]> = paths.iter().map(|path| target.request(path)).collect();
    for nth in 0..CONNECTIONS {
        let mut caller = Caller::connect(target, requests.clone(), nth * paths.len() / CONNECTIONS).await?;
        tasks.push(tokio::spawn(async move {
            let mut times = Vec::new();
            loop {
                let start = Instant::now();
                if start >= end {
                    return Ok::<_, Failure>(times);
                }
                caller.call().await?;
                if start >= begin {
                    times.push(start.elapsed());
                }
            }
        }));
    }
    let mut times = Vec::new();
    for task in tasks {
        times.append(&mut task.await??);
    }
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().ok_or("nothing was answered");
    let count = u32::try_from(times.len())?;
    Ok(Speed { per_second: f64::from(count) / MEASURED.as_secs_f64(), p50: at(50)?, p99: at(99)? })
}

/// From the start of the process until it says that it accepts.
fn start_up(database: &Path) -> Result<Duration, Failure> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(database);
    let start = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let mut ready = String::new();
    let read = child.stdout.take().map(|stdout| BufReader::new(stdout).read_line(&mut ready));
    let took = start.elapsed();
    child.kill()?;
    child.wait()?;
    read.ok_or("no stdout")??;
    if ready.starts_with("SWITCHBOARD_BASE_URL=") { Ok(took) } else { Err("the service did not start".into()) }
}
