//! The log: a file in the state folder, bounded in size, written by a thread of its own. Never the screen.

use super::choice::LogLevel;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_appender::non_blocking::{NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;

/// Lines that may wait for the disk; beyond them lines are dropped, nobody waits.
const QUEUE: usize = 2048;
/// The name of the log file in the state folder; older ones have `.1` and `.2` behind it.
pub const FILE_NAME: &str = "switchboard.log";
/// A file that has reached this size, in bytes, is set aside.
const SIZE_MAX: u64 = 4 * 1024 * 1024;
/// How many files that were set aside are kept.
const KEPT: u32 = 2;

/// Keeps the log going; what is still to be written is written when it is dropped.
#[must_use = "the log ends when this is dropped"]
pub struct LogGuard(Option<WorkerGuard>);

impl LogGuard {
    /// Whether anything is logged.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }
}

/// Starts the log of the process in this folder, which is made (for the user alone) where it is missing.
///
/// It opens files and starts a thread: call it behind the first frame. At [`LogLevel::Off`] it does nothing.
///
/// # Errors
/// Where the folder or the file cannot be made, or the process has a log already.
pub fn start(level: LogLevel, state_dir: &Path) -> io::Result<LogGuard> {
    if level == LogLevel::Off {
        return Ok(LogGuard(None));
    }
    DirBuilder::new().recursive(true).mode(0o700).create(state_dir)?;
    let file = RollingFile::open(state_dir.join(FILE_NAME), SIZE_MAX, KEPT)?;
    // The queue is allocated whole; the default of 128,000 lines would cost 4 MiB for a log that is mostly still.
    let (writer, guard) = NonBlockingBuilder::default().buffered_lines_limit(QUEUE).finish(file);
    tracing::subscriber::set_global_default(subscriber(level, writer)).map_err(io::Error::other)?;
    Ok(LogGuard(Some(guard)))
}

/// Our own events at the level asked for, those of other crates from warnings up: at finer levels HTTP crates may
/// write headers, and a token is one.
fn subscriber<W>(level: LogLevel, writer: W) -> impl Subscriber + Send + Sync
where
    W: for<'w> MakeWriter<'w> + Send + Sync + 'static,
{
    let ours = filter(level);
    let targets = Targets::new().with_default(ours.min(LevelFilter::WARN)).with_target(env!("CARGO_PKG_NAME"), ours);
    let layer = tracing_subscriber::fmt::layer().with_ansi(false).with_writer(writer);
    tracing_subscriber::registry().with(targets).with(layer)
}

fn filter(level: LogLevel) -> LevelFilter {
    match level {
        LogLevel::Off => LevelFilter::OFF,
        LogLevel::Error => LevelFilter::ERROR,
        LogLevel::Warn => LevelFilter::WARN,
        LogLevel::Info => LevelFilter::INFO,
        LogLevel::Debug => LevelFilter::DEBUG,
        LogLevel::Trace => LevelFilter::TRACE,
    }
}

/// A file that sets itself aside when it has grown: `log` becomes `log.1`, that becomes `log.2`, the last one goes.
struct RollingFile {
    path: PathBuf,
    file: File,
    size: u64,
    size_max: u64,
    kept: u32,
}

impl RollingFile {
    fn open(path: PathBuf, size_max: u64, kept: u32) -> io::Result<Self> {
        let file = append(&path)?;
        let size = file.metadata()?.len();
        Ok(Self { path, file, size, size_max, kept })
    }

    fn roll(&mut self) -> io::Result<()> {
        let numbered = |number: u32| {
            let mut name = self.path.clone().into_os_string();
            if number > 0 {
                name.push(format!(".{number}"));
            }
            PathBuf::from(name)
        };
        for number in (0..self.kept).rev() {
            match fs::rename(numbered(number), numbered(number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.file = append(&self.path)?;
        self.size = self.file.metadata()?.len();
        Ok(())
    }
}

impl Write for RollingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // An empty file takes a line of any length, so that nothing is lost.
        if self.size > 0 && self.size + bytes.len() as u64 > self.size_max {
            self.roll()?;
        }
        let written = self.file.write(bytes)?;
        self.size += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn append(path: &Path) -> io::Result<File> {
    OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;
    use std::sync::Mutex;

    fn logged(level: LogLevel, events: impl FnOnce()) -> String {
        let dir = tempfile::tempdir().unwrap();
        let file = RollingFile::open(dir.path().join(FILE_NAME), SIZE_MAX, KEPT).unwrap();
        tracing::subscriber::with_default(subscriber(level, Mutex::new(file)), events);
        fs::read_to_string(dir.path().join(FILE_NAME)).unwrap()
    }

    #[test]
    fn the_level_is_ours_and_other_crates_are_heard_from_warnings_up() {
        let log = logged(LogLevel::Debug, || {
            tracing::debug!("ours");
            tracing::trace!("too fine");
            tracing::debug!(target: "hyper::proto", "authorization");
            tracing::warn!(target: "hyper::proto", "broken");
        });
        assert!(log.contains("ours") && log.contains("broken"), "{log}");
        assert!(!log.contains("too fine") && !log.contains("authorization"), "{log}");
    }

    #[test]
    fn a_level_above_warnings_holds_for_other_crates_too() {
        let log = logged(LogLevel::Error, || tracing::warn!(target: "hyper::proto", "broken"));
        assert_eq!(log, "");
    }

    #[test]
    fn a_log_has_no_control_characters_from_elsewhere() {
        let log = logged(LogLevel::Info, || tracing::info!("a{}b", "\u{1b}[31m"));
        assert!(!log.contains('\u{1b}'), "{log:?}");
    }

    #[test]
    fn a_file_that_has_grown_is_set_aside_and_the_oldest_goes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let mut file = RollingFile::open(path.clone(), 8, 2).unwrap();
        for line in ["first\n", "second\n", "third\n", "fourth\n"] {
            file.write_all(line.as_bytes()).unwrap();
        }
        let read = |name: &str| fs::read_to_string(dir.path().join(name)).unwrap();
        assert_eq!(
            (read("log"), read("log.1"), read("log.2")),
            ("fourth\n".into(), "third\n".into(), "second\n".into())
        );
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 3);
        assert_eq!(fs::metadata(path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_file_goes_on_where_the_last_run_ended() {
        let dir = tempfile::tempdir().unwrap();
        let open = || RollingFile::open(dir.path().join("log"), 10, 1).unwrap();
        open().write_all(b"before\n").unwrap();
        open().write_all(b"now\n").unwrap();
        assert_eq!(fs::read_to_string(dir.path().join("log.1")).unwrap(), "before\n");
        assert_eq!(fs::read_to_string(dir.path().join("log")).unwrap(), "now\n");
    }

    #[test]
    fn a_log_that_is_off_makes_no_folder() {
        let dir = tempfile::tempdir().unwrap();
        let state = dir.path().join("state");
        assert!(!start(LogLevel::Off, &state).unwrap().is_on());
        assert!(!state.exists());
    }
}
