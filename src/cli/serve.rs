//! `switchboard serve`: the service alone, until it is told to end.

use super::{LAST_WORK, USAGE};
use crate::api::Channel;
use crate::service::world::World;
use crate::service::{self, Data, Options, Running};
use clap::Args as ClapArgs;
use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::prelude::*;

/// Serve the API on a socket, from a database or from memory.
#[derive(Debug, ClapArgs)]
pub struct Args {
    /// Address to listen on; port 0 picks a free port.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8787")]
    listen: SocketAddr,
    /// Database file, created if missing; `:memory:` lasts until the process exits.
    #[arg(long, value_name = "PATH", default_value = ":memory:")]
    data: String,
    /// World file (TOML) that fills an empty database.
    #[arg(long, value_name = "FILE")]
    world: Option<PathBuf>,
    /// Simulate customers, and serve the controls under `/sandbox/`.
    #[arg(long)]
    sandbox: bool,
    /// Name of the messaging channel, used instead of `msgapp` in paths, fields and values.
    #[arg(long, value_name = "WORD", default_value = "msgapp")]
    channel: Channel,
    /// Address of a proxy in front of the service, whose X-Forwarded headers are believed; may be given several times.
    #[arg(long, value_name = "ADDRESS")]
    trusted_proxy: Vec<IpAddr>,
    /// Log level on stderr; `RUST_LOG` sets it per module.
    #[arg(long, value_name = "LEVEL", value_parser = ["off", "error", "warn", "info", "debug", "trace"])]
    log_level: Option<String>,
}

/// Serves until SIGINT or SIGTERM: 0 then, 1 where it cannot start, 2 where the world file is wrong.
///
/// # Errors
/// Where the process cannot get a runtime, its signals or its stdout.
pub fn run(args: Args) -> color_eyre::Result<ExitCode> {
    let Args { listen, data, world, sandbox, channel, trusted_proxy, log_level } = args;
    let levels = log_level.or_else(|| std::env::var("RUST_LOG").ok());
    let levels = levels.and_then(|levels| levels.parse().ok());
    let levels = levels.unwrap_or_else(|| Targets::new().with_default(LevelFilter::WARN));
    let log = tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_filter(levels);
    // Where something else already listens to the log, it stays.
    let _ = tracing_subscriber::registry().with(log).try_init();

    let world = match world.as_deref().map(read_world).transpose() {
        Ok(world) => world,
        Err(mistake) => return Ok(super::refuse(&mistake, ExitCode::from(USAGE))),
    };
    let trusted_proxies = trusted_proxy;
    let options = Options { listen, data: Data::from(data.as_str()), world, sandbox, channel, trusted_proxies };
    // Looks at sockets after 8 steps of tasks and not 61, so that one who asks now and then is heard beside many who do always.
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().event_interval(8).build()?;
    let ended = runtime.block_on(async {
        match service::start(options).await {
            Ok(running) => serve(running).await,
            Err(error) => Ok(super::refuse(&error, ExitCode::FAILURE)),
        }
    });
    runtime.shutdown_timeout(LAST_WORK);
    ended
}

async fn serve(running: Running) -> color_eyre::Result<ExitCode> {
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    announce(&running)?;
    first_of(&mut interrupt, &mut terminate).await;
    running.shutdown().await;
    Ok(ExitCode::SUCCESS)
}

async fn first_of(one: &mut Signal, other: &mut Signal) {
    tokio::select! {
        _ = one.recv() => {}
        _ = other.recv() => {}
    }
}

/// Tells whoever started it where it is. A program reads these lines, so they leave at once and nothing else does.
fn announce(running: &Running) -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    writeln!(stdout, "SWITCHBOARD_BASE_URL={}", running.base_url)?;
    stdout.flush()?;
    if let Some(token) = &running.first_token {
        writeln!(stdout, "SWITCHBOARD_TOKEN={}", token.expose())?;
        stdout.flush()?;
    }
    if let Some(reason) = running.no_token {
        eprintln!("no token to show: {reason}");
    }
    Ok(())
}

fn read_world(path: &Path) -> Result<World, String> {
    let named = |mistake: &dyn std::fmt::Display| format!("{}: {mistake}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| named(&error))?;
    World::parse(&text).map_err(|error| named(&error))
}
