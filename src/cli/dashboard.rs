//! `switchboard` without a command: the dashboard in the terminal.

use crate::api::{Channel, TemplateCategory, Token};
use crate::client::{Client, ClientConfig};
use crate::config::{self, Notify, Settings, Start, Target};
use crate::messaging::{BalanceUnit, Charges};
use crate::records::{Records, RecordsError};
use crate::service::world::{DEMO, UserKind, World};
use crate::service::{self, Data, Price};
use crate::tasks::{self, Connected};
use crate::ui::keymap::Keymap;
use crate::ui::terminal::{self, Guard, Screen};
use crate::ui::theme::{Glyphs, Theme};
use crate::ui::{App, Effect, Instant, Message, Moment, Options, Outside, Place};
use jiff::{SignedDuration, Timestamp};
use std::io::{self, IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{self, Duration};

/// How long quitting waits for what is in flight.
const GRACE: Duration = Duration::from_secs(2);

/// A program that fails later than this has opened its address.
const OPENS_WITHIN: Duration = Duration::from_secs(10);

/// The most sends of unknown outcome that are counted at the start.
const UNKNOWN_MAX: u32 = 1000;

/// Opens the dashboard and stays until it is quit: 0 then, 1 where there is no terminal. `load` reads the settings and
/// the token again.
///
/// # Errors
/// Where the terminal fails.
pub fn run(
    start: Start,
    load: impl Fn() -> Result<Target, String> + Send + Sync + 'static,
) -> color_eyre::Result<ExitCode> {
    if !(io::stdin().is_terminal() && io::stdout().is_terminal()) {
        let mistake = "the dashboard needs a terminal; `switchboard serve` runs without one";
        return Ok(super::refuse(&mistake, ExitCode::FAILURE));
    }
    let Start { settings, target, unicode, problems, state_dir } = start;
    let began = time::Instant::now();
    let (sender, inbox) = channel();
    let synchronised = Arc::new(AtomicBool::new(false));
    let (keymap, misnamed) = Keymap::with_overrides(&settings.keys);
    let options = options(settings.clone(), &target, unicode, keymap);
    let (notify, repeat) = (settings.messaging.notify, settings.messaging.repeat);
    let profile = options.place.profile().to_owned();
    let mut app = App::new(options, terminal::size()?, moment(began));

    terminal::restore_after_panic();
    terminal::watch_signals(sending(&sender))?;
    let guard = Guard::enter(settings.mouse)?;
    let mut screen = Screen::new(Arc::clone(&synchronised))?;
    screen.show(&app)?;

    // Everything below happens behind the first frame.
    screen.ask_for_synchronised_updates()?;
    terminal::watch_input(sending(&sender), synchronised)?;
    let _log = state_dir.as_deref().and_then(|dir| {
        config::logs::start(settings.log_level, dir)
            .map_err(|error| {
                let text = format!("Logging is off: {} cannot be written ({error}).", dir.display());
                sending(&sender)(Message::Problem(text));
            })
            .ok()
    });
    let place = match &target {
        Target::Sandbox { .. } => "the sandbox",
        Target::Remote { name, .. } => name,
    };
    tracing::info!(version = env!("CARGO_PKG_VERSION"), place, read_only = target.read_only(), "started");
    let events = sending(&sender);
    // A sandbox costs nothing and reaches no real person.
    let is_real = matches!(target, Target::Remote { .. });
    let (records, no_outbox) = records(state_dir.as_deref())?;
    let no_outbox = no_outbox.filter(|_| is_real);
    let told = no_outbox.as_ref().map(|why| {
        format!("Nothing can be sent: the outbox cannot be opened ({why}). Drafts are kept only until you quit.")
    });
    told.into_iter().chain(warnings(&records, &profile, repeat)).map(Message::Warning).for_each(sending(&sender));
    let connector = Arc::new(Connector::new(target.clone(), load));
    let handle = tasks::start(
        tasks::Config {
            read_only: target.read_only(),
            no_outbox,
            repeat,
            ..tasks::Config::new(Arc::new(records), profile)
        },
        move || {
            let connector = Arc::clone(&connector);
            async move { connector.connect().await }
        },
        Arc::new(move |event| events(Message::Task(event))),
    )?;
    let (zone, unknown_zone) = settings.time_zone.resolve();
    sending(&sender)(Message::Zone(zone));
    let later = misnamed.into_iter().chain(unknown_zone).map(|problem| problem.in_file(settings.file.as_deref()));
    problems.into_iter().chain(later).map(|it| Message::Problem(it.to_string())).for_each(sending(&sender));

    let mut outside = Terminal { began, screen, guard, tasks: handle, notify, inbox: sender.clone() };
    let outcome = crate::ui::run(&mut app, &inbox, &mut outside);
    let Terminal { guard, tasks, .. } = outside;
    drop(guard);
    for unsent in app.unsent() {
        // This fails where the terminal is closed, and there is nowhere else to tell it.
        drop(writeln!(io::stderr(), "{unsent}"));
    }
    tasks.shutdown(GRACE);
    let ended = if app.is_cut_short() { ExitCode::FAILURE } else { ExitCode::SUCCESS };
    tracing::info!("ended");
    match outcome {
        Ok(()) => Ok(ended),
        // The terminal has gone away: there is nobody left to tell, and nothing that could have been done better.
        Err(error) if matches!(error.raw_os_error(), Some(5 /* EIO */ | 9 /* EBADF */ | 32 /* EPIPE */)) => Ok(ended),
        Err(error) => Err(error.into()),
    }
}

/// Opens a web address with the desktop's own program, and tells `failed` why that did not work: here, or within moments
/// from another thread.
fn open_url(url: &str, failed: impl FnOnce(String) + Send + 'static) {
    let program = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if !["http://", "https://"].iter().any(|scheme| url.starts_with(scheme)) {
        return failed("it is no web address".to_owned());
    }
    let quiet = std::process::Stdio::null;
    let mut command = Command::new(program);
    // In a group of its own: Ctrl-C in this terminal does not end the browser.
    command.arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).process_group(0);
    let began = time::Instant::now();
    match command.spawn() {
        Err(error) => failed(format!("{program} cannot be started: {error}")),
        // Waited for apart; some browsers run on in the program that opens them, and how they end later is not told.
        Ok(mut child) => drop(std::thread::spawn(move || match child.wait() {
            Ok(status) if !status.success() && began.elapsed() < OPENS_WITHIN => {
                failed(format!("{program} ended with {status}"));
            }
            _ => {}
        })),
    }
}

fn sending(sender: &Sender<Message>) -> impl Fn(Message) + Send + Sync + 'static {
    let sender = sender.clone();
    // Once the interface has ended, nobody listens, and nobody has to.
    move |message| drop(sender.send(message))
}

fn moment(began: time::Instant) -> Moment {
    Moment { wall: Timestamp::now(), mono: Instant::after(began.elapsed()) }
}

fn options(settings: Settings, target: &Target, unicode: bool, keymap: Keymap) -> Options {
    Options {
        place: match target {
            Target::Sandbox { .. } => Place::Sandbox,
            Target::Remote { name, .. } => Place::Profile(name.clone()),
        },
        read_only: target.read_only(),
        country: target.country().map(str::to_owned),
        token_file: target.token_file().map(Path::to_owned),
        replies: target.replies().map(Path::to_owned),
        link: target.link().cloned(),
        theme: Theme::new(&settings),
        glyphs: if unicode { &Glyphs::UNICODE } else { &Glyphs::ASCII },
        keymap,
        settings,
    }
}

/// What is to be known of the outbox before anything is sent.
fn warnings(records: &Records, profile: &str, repeat: SignedDuration) -> Vec<String> {
    let lately = Timestamp::now().checked_sub(repeat).unwrap_or(Timestamp::MIN);
    let restored = records.restored().ok().flatten().filter(|restored| *restored > lately).map(|restored| {
        let when = restored.strftime("%Y-%m-%d %H:%M UTC");
        format!(
            "The outbox was deleted or replaced by an older copy before {when}: each send asks first, for it may have been sent."
        )
    });
    let unknown = records.unknown(Some(profile), UNKNOWN_MAX).unwrap_or_default();
    let unknown = unknown.iter().filter(|entry| entry.mark.is_none() && entry.began > lately).count();
    let unsent = records.died_unsent(profile, Timestamp::now()).unwrap_or_default().len();
    let all = unknown + unsent;
    let count = |count: usize, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        _ => Some(format!("{count} {many}")),
    };
    let unknown = count(unknown, "recent send has an unknown outcome", "recent sends have an unknown outcome");
    let unsent = count(unsent, "was not sent because the program ended", "were not sent because the program ended");
    let told: Vec<String> = unknown.into_iter().chain(unsent).collect();
    let it = if all == 1 { "it" } else { "them" };
    let told = (!told.is_empty()).then(|| format!("{}: o in Messaging shows {it}.", told.join(", ")));
    restored.into_iter().chain(told).collect()
}

/// What is kept on this machine. Where it cannot be kept, it lasts as long as the program: then why.
fn records(dir: Option<&Path>) -> Result<(Records, Option<String>), RecordsError> {
    let why = match dir.map(Records::open) {
        Some(Ok(records)) => return Ok((records, None)),
        Some(Err(error)) => error.to_string(),
        None => "no home folder".to_owned(),
    };
    tracing::error!(why, "records are kept in memory only");
    Ok((Records::in_memory()?, Some(why)))
}

/// How a sandbox that runs is reached, whose token that is, and what it charges.
type Sandbox = (ClientConfig, Option<String>, Option<Charges>);

/// Connects to the server of a target, and again after the token is read again. A sandbox starts once.
pub(super) struct Connector<L> {
    target: Target,
    /// Reads the settings and the token again.
    load: L,
    /// Set by the first connection.
    sandbox: Mutex<Option<Sandbox>>,
    connected_before: AtomicBool,
}

impl<L: Fn() -> Result<Target, String>> Connector<L> {
    pub(super) fn new(target: Target, load: L) -> Self {
        Self { target, load, sandbox: Mutex::default(), connected_before: AtomicBool::new(false) }
    }

    /// A connection. The sandbox runs on the runtime of the task channel.
    ///
    /// # Errors
    /// When the sandbox does not start, the token cannot be read, or the settings now name another server.
    pub(super) async fn connect(&self) -> Result<Connected, String> {
        let again = self.connected_before.swap(true, Ordering::Relaxed);
        match &self.target {
            Target::Sandbox { .. } => {
                let running = self.sandbox.lock().unwrap_or_else(PoisonError::into_inner).clone();
                match running {
                    Some((config, account, charges)) => {
                        Ok(Connected::new(client(config)?).of_account(account).of_charges(charges))
                    }
                    None => self.start_sandbox().await,
                }
            }
            target @ Target::Remote { base_url, token, automation_key, channel, paths, .. } => {
                let (token, automation_key) =
                    if again { reread(target, (self.load)()?)? } else { (token.clone(), automation_key.clone()) };
                let (channel, paths) = (channel.clone(), (**paths).clone());
                let config = ClientConfig::new(base_url.clone(), token);
                let client = client(ClientConfig { automation_key, channel, paths, ..config })?;
                // A URL with credentials makes no client.
                tracing::info!(base_url = client.base_url(), "connecting");
                Ok(Connected::new(client))
            }
        }
    }

    async fn start_sandbox(&self) -> Result<Connected, String> {
        let failed = |error: &dyn std::fmt::Display| format!("The sandbox cannot start: {error}.");
        let world = World::parse(DEMO).map_err(|error| failed(&error))?;
        let charges = world.users.first().map(|user| charges(user.kind));
        let options = service::Options {
            listen: ([127, 0, 0, 1], 0).into(),
            data: Data::Memory,
            world: Some(world),
            sandbox: true,
            channel: Channel::default(),
            trusted_proxies: Vec::new(),
        };
        let running = service::start(options).await.map_err(|error| failed(&error))?;
        let base_url = running.base_url.parse().map_err(|error| failed(&error))?;
        let token = running.first_token.clone().ok_or_else(|| failed(&"its world has no token"))?;
        let config = ClientConfig::new(base_url, token);
        let client = client(config.clone()).map_err(|error| failed(&error))?;
        tracing::info!(base_url = client.base_url(), "the sandbox has started");
        let account = running.account_email.clone();
        *self.sandbox.lock().unwrap_or_else(PoisonError::into_inner) = Some((config, account.clone(), charges));
        Ok(Connected::new(client).of_account(account).of_charges(charges).closed_by(running.shutdown()))
    }
}

/// What the sandbox charges a user of this kind for messages.
fn charges(kind: UserKind) -> Charges {
    #[expect(clippy::cast_precision_loss, reason = "prices are small")]
    let units = |price: Price| price.charge_micros(kind) as f64 / 1e6;
    let template = |category| units(Price::of_template(&category));
    Charges {
        unit: if kind == UserKind::Direct { BalanceUnit::Minutes } else { BalanceUnit::Credits },
        freeform: units(Price::FREEFORM),
        authentication: template(TemplateCategory::Authentication),
        utility: template(TemplateCategory::Utility),
        marketing: template(TemplateCategory::Marketing),
    }
}

fn client(config: ClientConfig) -> Result<Client, String> {
    Client::new(config).map_err(|error| error.to_string())
}

/// The token that was read again, where it belongs to the same server: one of another server must not be sent there.
fn reread(before: &Target, now: Target) -> Result<(Token, Option<Token>), String> {
    let place = |target: &Target| match target {
        Target::Sandbox { .. } => None,
        Target::Remote { name, base_url, .. } => Some((name.clone(), base_url.clone())),
    };
    let same = place(before) == place(&now);
    match now {
        Target::Remote { token, automation_key, .. } if same => Ok((token, automation_key)),
        _ => Err("the settings now name another server; restart switchboard to use it".to_owned()),
    }
}

/// The terminal, the clock and the task channel, as the interface sees them.
struct Terminal {
    began: time::Instant,
    screen: Screen,
    guard: Guard,
    tasks: tasks::Handle,
    notify: Notify,
    /// The interface's own inbox.
    inbox: Sender<Message>,
}

impl Outside for Terminal {
    fn now(&mut self) -> Moment {
        moment(self.began)
    }

    fn show(&mut self, app: &App) -> io::Result<()> {
        self.screen.show(app)
    }

    fn perform(&mut self, effect: Effect) -> io::Result<ControlFlow<()>> {
        match effect {
            Effect::Run(effect) => self.tasks.run(effect),
            Effect::Cancel(id) => self.tasks.cancel(id),
            Effect::Reconnect => self.tasks.reconnect(),
            Effect::Copy(text) => self.screen.copy(&text)?,
            Effect::Notify(text) => self.screen.notify(&text, self.notify)?,
            Effect::OpenUrl(url) => {
                let (tell, address) = (sending(&self.inbox), url.clone());
                open_url(&url, move |why| tell(Message::NotOpened { url: address, why }));
            }
            Effect::EditText(text) => {
                let edited = self.guard.lend(|| super::editor::edit(&text))?;
                self.screen.invalidate();
                sending(&self.inbox)(Message::Edited(edited));
            }
            Effect::Redraw => self.screen.invalidate(),
            Effect::Suspend => {
                self.guard.suspend()?;
                self.screen.invalidate();
            }
            Effect::Quit => return Ok(ControlFlow::Break(())),
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sandbox_charges_a_tenant_credits_and_a_direct_user_minutes() {
        let [tenant, direct] = [UserKind::Tenant, UserKind::Direct].map(charges);
        assert_eq!((tenant.unit, tenant.utility, tenant.freeform), (BalanceUnit::Credits, 0.03, 0.005));
        assert_eq!((direct.unit, direct.utility, direct.freeform), (BalanceUnit::Minutes, 0.3, 0.05));
    }

    #[test]
    fn records_that_cannot_be_opened_last_as_long_as_the_program_and_the_user_is_told() {
        let home = tempfile::tempdir().unwrap();
        let (_, problem) = records(Some(&home.path().join("state"))).unwrap();
        assert_eq!(problem, None);
        let file = home.path().join("file");
        std::fs::write(&file, "").unwrap();
        for (dir, why) in [(Some(file.as_path()), "file"), (None, "no home folder")] {
            let (records, problem) = records(dir).unwrap();
            assert!(problem.unwrap().contains(why));
            assert_eq!(records.outbox(None, 1).unwrap(), []);
        }
    }
}
