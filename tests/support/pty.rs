//! The real program in a pseudo-terminal as a stage.

use super::screen::Screen;
use super::server::Server;
use super::story::{PATIENCE, Stage};
use pty_process::blocking::{Command, Pty, open};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process, kill_process_group, waitid, waitpid,
};
use rustix::termios::{Action, Termios, tcflow, tcgetattr};
use std::io::{Read as _, Write as _};
use std::num::NonZero;
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};
use switchboard::ui::input::{Input, Key, KeyCode, Mouse, MouseKind};
use tempfile::TempDir;

/// One pseudo-terminal is opened and given to its program at a time, so that no other program inherits it.
static OPENING: Mutex<()> = Mutex::new(());

/// A program with its terminal.
pub struct Terminal {
    /// `None` once the window was closed.
    window: Option<Pty>,
    child: Child,
    parser: vt100::Parser,
    /// Everything that was written.
    pub bytes: Vec<u8>,
    /// The terminal's settings before the program started.
    before: String,
    /// The server that the program talks to, where it is ours.
    pub server: Option<Server>,
    pub home: TempDir,
}

/// What happened while the program was listened to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    Something,
    Nothing,
    /// No program has the terminal any more.
    End,
}

impl Terminal {
    /// Runs the dashboard with these arguments.
    pub fn dashboard(size: (u16, u16), args: &[&str]) -> Self {
        let home = TempDir::new().unwrap();
        Self::run(size, dashboard(&home).args(args), home)
    }

    /// Runs the dashboard on this server, with these settings.
    pub fn on(size: (u16, u16), server: Server, settings: &str) -> Self {
        let home = TempDir::new().unwrap();
        let config = home.path().join("config.toml");
        std::fs::write(&config, settings).unwrap();
        let program = dashboard(&home).args(["--base-url", &server.base_url(), "--config"]).arg(config);
        let mut terminal = Self::run(size, program.env("SWITCHBOARD_TOKEN", server.token.expose()), home);
        terminal.server = Some(server);
        terminal
    }

    /// Runs the dashboard once more after it has ended, on the same server and with what it has stored.
    pub fn again(&mut self) {
        let (server, home) = (self.server.take(), std::mem::replace(&mut self.home, TempDir::new().unwrap()));
        let config = home.path().join("config.toml");
        let on = server.as_ref().unwrap();
        let program = dashboard(&home).args(["--base-url", &on.base_url(), "--config"]).arg(config);
        let program = program.env("SWITCHBOARD_TOKEN", on.token.expose());
        let (height, width) = self.parser.screen().size();
        *self = Self::run((width.get(), height.get()), program, home);
        self.server = server;
    }

    /// Runs a program.
    pub fn run((width, height): (u16, u16), program: Command, home: TempDir) -> Self {
        let _one_at_a_time = OPENING.lock().unwrap();
        let (window, inside) = open().unwrap();
        window.resize(pty_process::Size::new(height, width)).unwrap();
        let before = settings(&tcgetattr(&inside).unwrap());
        let child = program.spawn(inside).unwrap();
        let parser = vt100::Parser::new(NonZero::new(height).unwrap(), NonZero::new(width).unwrap(), 0);
        Self { window: Some(window), child, parser, bytes: Vec::new(), before, server: None, home }
    }

    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// Takes what the program writes next, for so long at most.
    fn listen(&mut self, patience: Duration) -> Heard {
        let Some(window) = &mut self.window else { return Heard::End };
        let timeout = Timespec::try_from(patience).unwrap();
        let mut fds = [PollFd::new(&*window, PollFlags::IN)];
        if poll(&mut fds, Some(&timeout)).unwrap() == 0 {
            return Heard::Nothing;
        }
        let mut chunk = [0; 4096];
        // A terminal that no program has open any more answers with an error.
        let Ok(length @ 1..) = window.read(&mut chunk) else { return Heard::End };
        self.parser.process(&chunk[..length]);
        self.bytes.extend_from_slice(&chunk[..length]);
        Heard::Something
    }

    /// Listens until the condition holds; false where it does not in good time.
    pub fn listens_until(&mut self, reached: impl Fn(&Self) -> bool) -> bool {
        let deadline = Instant::now() + PATIENCE;
        while !reached(self) {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || self.listen(left) == Heard::End {
                return reached(self);
            }
        }
        true
    }

    /// Waits until a confirm dialog on screen has rested, so that its key counts.
    pub fn rests(&mut self) {
        while !self.is_quiet(RESTS) {}
    }

    /// True where not one byte comes for so long.
    pub fn is_quiet(&mut self, span: Duration) -> bool {
        self.listen(span) == Heard::Nothing
    }

    /// Sends a signal to the program.
    pub fn signal(&self, signal: Signal) {
        kill_process(self.pid(), signal).unwrap();
    }

    /// The terminal takes nothing more of what is written to it.
    #[cfg(target_os = "linux")]
    pub fn takes_nothing_more(&self) {
        let inside = std::fs::OpenOptions::new().write(true).open(self.inside()).unwrap();
        tcflow(&inside, Action::OOff).unwrap();
    }

    /// The device that the program has for its terminal.
    #[cfg(target_os = "linux")]
    fn inside(&self) -> std::path::PathBuf {
        std::fs::read_link(format!("/proc/{}/fd/0", self.child.id())).unwrap()
    }

    /// Waits until the program's main thread sleeps within a write.
    #[cfg(target_os = "linux")]
    pub fn waits_for_a_stuck_write(&self) {
        let deadline = Instant::now() + PATIENCE;
        // The number of the system call, which the architectures do not share.
        let write = if cfg!(target_arch = "x86_64") { "1 " } else { "64 " };
        let call = format!("/proc/{}/syscall", self.child.id());
        while !std::fs::read_to_string(&call).unwrap().starts_with(write) {
            assert!(Instant::now() < deadline, "it does not write");
            std::thread::yield_now();
        }
    }

    /// Closes the window under the program.
    pub fn closes_the_window(&mut self) {
        self.window = None;
    }

    /// Waits until the program has stopped itself.
    pub fn stops(&mut self) {
        let (pid, (sender, receiver)) = (self.pid(), mpsc::channel());
        std::thread::spawn(move || sender.send(waitpid(Some(pid), WaitOptions::UNTRACED)));
        let status = receiver.recv_timeout(PATIENCE).expect("it does not stop").unwrap();
        assert!(status.is_some_and(|(_, status)| status.stopped()), "{status:?}");
    }

    /// Waits until the program has ended, and listens to its last words.
    pub fn ends(&mut self) -> ExitStatus {
        let pid = self.pid();
        if self.window.is_some() {
            let deadline = Instant::now() + PATIENCE;
            while self.listen(deadline.saturating_duration_since(Instant::now())) == Heard::Something {}
        }
        let (sender, receiver) = mpsc::channel();
        // Waits without taking the status, which is the child's to give.
        std::thread::spawn(move || {
            let ended = waitid(WaitId::Pid(pid), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
            let _ = sender.send(ended.map(drop));
        });
        receiver.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("it does not end\n{}", self.screen())).unwrap();
        self.child.wait().unwrap()
    }

    pub fn screen(&self) -> Screen {
        shown(self.parser.screen())
    }

    /// True where the terminal's settings are as they were before.
    pub fn is_as_before(&self) -> bool {
        self.window.as_ref().is_some_and(|window| settings(&tcgetattr(window).unwrap()) == self.before)
    }

    /// The program's threads that went to sleep so far, all of them together: it grows with each time that one woke.
    #[cfg(target_os = "linux")]
    pub fn naps(&self) -> u64 {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).unwrap();
        let statuses = tasks.map(|task| std::fs::read_to_string(task.unwrap().path().join("status")).unwrap());
        let count = |status: String| -> u64 {
            let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
            line.unwrap().trim().parse().unwrap()
        };
        statuses.map(count).sum()
    }
}

/// Longer than a confirm dialog rests before its key counts.
const RESTS: Duration = Duration::from_millis(400);

/// The dashboard's program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_switchboard");

/// The dashboard, in a home where it finds nothing of the user's.
pub fn dashboard(home: &TempDir) -> Command {
    at_home(Command::new(PROGRAM), home)
}

/// A program in a home where it finds nothing of the user's.
pub fn at_home(program: Command, home: &TempDir) -> Command {
    let users =
        ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "NO_COLOR", "SWITCHBOARD_BASE_URL", "SWITCHBOARD_TOKEN"];
    users
        .iter()
        .fold(program, Command::env_remove)
        .env("HOME", home.path())
        .env("TERM", "xterm-256color")
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "Europe/Berlin")
        .current_dir(home.path())
}

/// A terminal's settings as text that can be compared.
fn settings(termios: &Termios) -> String {
    let Termios { input_modes, output_modes, control_modes, local_modes, .. } = termios;
    format!("{input_modes:?} {output_modes:?} {control_modes:?} {local_modes:?}")
}

impl Stage for Terminal {
    fn input(&mut self, input: Input) {
        let bytes = encode(&input);
        self.window.as_mut().unwrap().write_all(&bytes).unwrap();
    }

    fn resize(&mut self, size: Size) {
        let Size { width, height } = size;
        self.parser.screen_mut().set_size(NonZero::new(height).unwrap(), NonZero::new(width).unwrap());
        self.window.as_ref().unwrap().resize(pty_process::Size::new(height, width)).unwrap();
    }

    fn until(&mut self, wanted: &dyn Fn(&Screen) -> bool) -> Result<Screen, Screen> {
        let reached = self.listens_until(|terminal| wanted(&terminal.screen()));
        let screen = self.screen();
        if reached { Ok(screen) } else { Err(screen) }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        // It may have ended, which is as good. It leads a group, so its own children go with it.
        let _ = kill_process_group(self.pid(), Signal::KILL);
        let _ = self.child.wait();
    }
}

/// What a terminal shows; how it looks is left out.
fn shown(screen: &vt100::Screen) -> Screen {
    let (height, width) = screen.size();
    let mut buffer = Buffer::empty(Rect::new(0, 0, width.get(), height.get()));
    for (y, x) in (0..height.get()).flat_map(|y| (0..width.get()).map(move |x| (y, x))) {
        let shown = screen.cell(y, x).map(vt100::Cell::contents).filter(|shown| !shown.is_empty());
        buffer[(x, y)].set_symbol(shown.unwrap_or(" "));
    }
    let (y, x) = screen.cursor_position();
    Screen { buffer, caret: (!screen.hide_cursor()).then_some(Position { x, y }) }
}

/// What a terminal sends for it.
fn encode(input: &Input) -> Vec<u8> {
    match input {
        Input::Paste(text) => format!("\x1b[200~{text}\x1b[201~").into_bytes(),
        Input::Mouse(Mouse { kind, x, y }) => {
            let button = match kind {
                MouseKind::Press => 0,
                MouseKind::WheelUp => 64,
                MouseKind::WheelDown => 65,
            };
            format!("\x1b[<{button};{};{}M", x + 1, y + 1).into_bytes()
        }
        Input::Key(Key { code: KeyCode::Char(letter), ctrl: true, .. }) => vec![*letter as u8 & 0x1f],
        Input::Key(Key { code, .. }) => match code {
            KeyCode::Char(letter) => letter.to_string(),
            KeyCode::Enter => "\r".to_owned(),
            KeyCode::Esc => "\x1b".to_owned(),
            KeyCode::Tab => "\t".to_owned(),
            KeyCode::BackTab => "\x1b[Z".to_owned(),
            KeyCode::Backspace => "\x7f".to_owned(),
            KeyCode::Delete => "\x1b[3~".to_owned(),
            KeyCode::Up => "\x1b[A".to_owned(),
            KeyCode::Down => "\x1b[B".to_owned(),
            KeyCode::Right => "\x1b[C".to_owned(),
            KeyCode::Left => "\x1b[D".to_owned(),
            KeyCode::Home => "\x1b[H".to_owned(),
            KeyCode::End => "\x1b[F".to_owned(),
            KeyCode::PageUp => "\x1b[5~".to_owned(),
            KeyCode::PageDown => "\x1b[6~".to_owned(),
            KeyCode::F(number) => format!("\x1b[{}~", 10 + number),
        }
        .into_bytes(),
    }
}
