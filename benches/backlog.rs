//! Whether a queue of webhook deliveries slows the service down: `cargo bench --bench backlog [DELIVERIES]`, a million
//! due ones where no number is given. Half of the users have receivers that answer, the others' never do. Measured are
//! `GET /api/user/me` with an empty queue and with that one, what leaves meanwhile, and how long SIGTERM takes.

use rusqlite::Connection;
use rustix::process::{Pid, Signal, kill_process};
use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

type Failure = Box<dyn Error + Send + Sync>;

const USERS: usize = 16;
/// Bytes of a body: a short conversation.
const BODY: usize = 600;
const MEASURED: Duration = Duration::from_secs(10);
/// Between two requests.
const PAUSE: Duration = Duration::from_millis(2);

fn main() -> Result<(), Failure> {
    // The client wants one, though nothing here is encrypted.
    drop(rustls::crypto::ring::default_provider().install_default());
    let deliveries = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(1_000_000);
    let folder = tempfile::tempdir()?;
    let (database, world) = (folder.path().join("backlog.db"), folder.path().join("world.toml"));
    std::fs::write(&world, users()?)?;
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(async {
        let arrived = Arc::new(AtomicUsize::new(0));
        let (answering, silent) = (receiver(Some(Arc::clone(&arrived))).await?, receiver(None).await?);

        let server = Server::start(&database, Some(&world))?;
        Times::of(&server).await?.print("empty queue");
        server.terminate()?;
        let filling = Instant::now();
        fill(&database, deliveries, &[answering, silent])?;
        println!("{deliveries} due deliveries of {USERS} users, filled in {:.1?}", filling.elapsed());

        let starting = Instant::now();
        let server = Server::start(&database, None)?;
        println!("accepts after {:.1?}", starting.elapsed());
        let before = arrived.load(Ordering::Relaxed);
        let measuring = Instant::now();
        Times::of(&server).await?.print("with that queue");
        let left = arrived.load(Ordering::Relaxed) - before;
        println!("{:.0} deliveries a second arrived meanwhile", per_second(left, measuring.elapsed())?);
        println!("SIGTERM took {:.1?}", server.terminate()?);
        Ok(())
    })
}

/// The world file.
fn users() -> Result<String, Failure> {
    let mut world = String::new();
    for user in 1..=USERS {
        write!(world, "[[users]]\nemail = \"user{user}@example.com\"\ntokens = [\"token-{user}\"]\n")?;
        world.push_str("[[users.assistants]]\nname = \"Reception\"\n");
    }
    Ok(world)
}

/// A receiver of webhooks: one that counts what it takes, or one that never answers.
async fn receiver(arrived: Option<Arc<AtomicUsize>>) -> Result<String, Failure> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let url = format!("http://{}/", listener.local_addr()?);
    tokio::spawn(async move {
        let mut kept = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            match &arrived {
                Some(arrived) => drop(tokio::spawn(take(stream, Arc::clone(arrived)))),
                None => kept.push(stream),
            }
        }
    });
    Ok(url)
}

async fn take(mut stream: TcpStream, arrived: Arc<AtomicUsize>) -> Result<(), Failure> {
    let (mut received, mut bytes) = (0, vec![0; 64 * 1024]);
    loop {
        let read = stream.read(&mut bytes[received..]).await?;
        received += read;
        if read == 0 {
            return Ok(());
        }
        let Some(head) = bytes[..received].windows(4).position(|end| end == b"\r\n\r\n") else { continue };
        if received - head - 4 == BODY {
            arrived.fetch_add(1, Ordering::Relaxed);
            stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await?;
            received = 0;
        }
    }
}

/// Queues deliveries for all users in turn, straight in the database.
fn fill(database: &Path, deliveries: usize, receivers: &[String; 2]) -> Result<(), Failure> {
    let mut connection = Connection::open(database)?;
    let tx = connection.transaction()?;
    let body = "x".repeat(BODY);
    let insert = "INSERT INTO webhook_deliveries \
        (user_id, assistant_id, event, subject, webhook_id, url, body, attempts, tries, due_at, created_at) \
        VALUES (?1, ?1, 'conversation_ended', ?2, ?3, ?4, ?5, 0, 0, ?6, ?6)";
    let mut insert = tx.prepare(insert)?;
    let now = jiff::Timestamp::now().as_microsecond();
    for nth in 0..deliveries {
        let user = nth % USERS;
        let (subject, id) = (format!("conversation:{nth}"), format!("msg_{nth:032x}"));
        insert.execute((i64::try_from(user + 1)?, subject, id, &receivers[user % 2], &body, now))?;
    }
    drop(insert);
    tx.commit()?;
    Ok(())
}

/// The service in a process of its own, as a sandbox: only there receivers may be on this machine.
struct Server {
    child: Child,
    base_url: String,
}

impl Server {
    fn start(database: &Path, world: Option<&Path>) -> Result<Self, Failure> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command.args(["serve", "--sandbox", "--listen", "127.0.0.1:0", "--data"]).arg(database);
        if let Some(world) = world {
            command.arg("--world").arg(world);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().ok_or("no stdout")?).read_line(&mut line)?;
        let base_url = line.trim().strip_prefix("SWITCHBOARD_BASE_URL=").ok_or("the service did not start")?.to_owned();
        Ok(Self { child, base_url })
    }

    /// How long its end took.
    fn terminate(mut self) -> Result<Duration, Failure> {
        let start = Instant::now();
        kill_process(Pid::from_child(&self.child), Signal::TERM)?;
        self.child.wait()?;
        Ok(start.elapsed())
    }
}

/// How long one request after the other took, sorted.
struct Times(Vec<Duration>);

impl Times {
    async fn of(server: &Server) -> Result<Self, Failure> {
        let client = reqwest::Client::builder().no_proxy().build()?;
        let url = format!("{}/user/me", server.base_url);
        let (end, mut times) = (Instant::now() + MEASURED, Vec::new());
        while Instant::now() < end {
            let start = Instant::now();
            client.get(&url).bearer_auth("token-1").send().await?.error_for_status()?.bytes().await?;
            times.push(start.elapsed());
            tokio::time::sleep(PAUSE).await;
        }
        times.sort_unstable();
        Ok(Self(times))
    }

    fn print(&self, what: &str) {
        let at = |permille: usize| self.0.get(self.0.len() * permille / 1000).or(self.0.last()).copied();
        let figure = |permille| at(permille).map_or("none".to_owned(), |time| format!("{time:.1?}"));
        println!(
            "GET /user/me, {what}: p50 {}, p99 {}, longest {} of {}",
            figure(500),
            figure(990),
            figure(1000),
            self.0.len()
        );
    }
}

fn per_second(count: usize, time: Duration) -> Result<f64, Failure> {
    Ok(f64::from(u32::try_from(count)?) / time.as_secs_f64())
}
