//! Settings as a user meets them: the shipped file, a file with mistakes, and which server is chosen.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, its helpers too")]

use std::fs::{Permissions, set_permissions, write};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::time::Duration;
use switchboard::api::{Channel, Paths, Token};
use switchboard::config::{
    DEFAULT_FILE, Environment, Flags, LogLevel, Messaging, Notify, Settings, Start, Target, ThemeChoice, UsageError,
    Zone,
};

/// A user with folders of their own.
struct User {
    home: tempfile::TempDir,
}

impl User {
    fn new() -> Self {
        Self { home: tempfile::tempdir().unwrap() }
    }

    fn with_settings(text: &str) -> Self {
        let user = Self::new();
        write(user.file(), text).unwrap();
        set_permissions(user.file(), Permissions::from_mode(0o600)).unwrap();
        user
    }

    fn file(&self) -> PathBuf {
        self.home.path().join("config.toml")
    }

    fn start(&self, flags: &Flags, vars: &[(&str, &str)]) -> Result<Start, UsageError> {
        let home = [("HOME", self.home.path().to_str().unwrap())];
        let vars = vars.iter().copied().chain(home);
        let env = Environment::new(vars, self.home.path(), self.home.path().join("state"));
        Start::load(flags, &env)
    }

    fn starts(&self, flags: &Flags, vars: &[(&str, &str)]) -> Start {
        self.start(flags, vars).unwrap()
    }

    fn fails(&self, flags: &Flags, vars: &[(&str, &str)]) -> String {
        self.start(flags, vars).unwrap_err().to_string()
    }
}

fn problems(text: &str) -> Vec<String> {
    Settings::parse(text).1.iter().map(ToString::to_string).collect()
}

fn profile(name: &str) -> Flags {
    Flags { profile: Some(name.to_owned()), ..Flags::default() }
}

fn base_url(url: &str) -> Flags {
    Flags { base_url: Some(url.to_owned()), ..Flags::default() }
}

fn remote(name: &str, base_url: &str, token: &str, read_only: bool) -> Target {
    let (name, base_url, token) = (name.to_owned(), base_url.parse().unwrap(), Token::new(token));
    Target::Remote {
        token_file: None,
        automation_key: None,
        name,
        base_url,
        token,
        read_only,
        channel: Channel::default(),
        paths: Box::default(),
        country: None,
        replies: None,
        link: None,
    }
}

const TWO_PROFILES: &str = "profile = 'live'\n\
    [profiles.live]\nbase_url = 'https://live.test/api'\ntoken = 'live-token'\n\
    [profiles.trial]\nbase_url = 'https://trial.test/api'\ntoken_env = 'TRIAL'\nread_only = true\n";

mod the_shipped_file {
    use super::*;

    #[test]
    fn says_what_the_program_does_by_itself() {
        let (settings, problems) = Settings::parse(DEFAULT_FILE);
        assert_eq!(problems, []);
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn holds_every_key_that_is_known() {
        // Each default is written out in the file, so that taking out any line of it can be told by the line's key.
        let (with_slips, problems) = Settings::parse(&DEFAULT_FILE.replace(" = ", "x = "));
        assert_eq!(with_slips, Settings::default());
        let said: Vec<String> = problems.iter().map(|problem| problem.message.clone()).collect();
        for key in [
            "refresh_interval",
            "rows_per_page",
            "theme",
            "accent",
            "glyphs",
            "time_zone",
            "mouse",
            "log_level",
            "hold_seconds",
            "repeat_hours",
            "keep_text",
            "alerts",
            "notify",
        ] {
            assert!(said.contains(&format!("is not a setting; did you mean {key}?")), "{key}: {said:?}");
        }
    }

    #[test]
    fn has_examples_that_hold_when_they_are_uncommented() {
        let example = |line: &&str| line.starts_with("# ") && (line.contains(" = ") || line.starts_with("# ["));
        let mut lines: Vec<String> = DEFAULT_FILE.lines().filter(example).map(|line| line[2..].to_owned()).collect();
        let keys = lines.iter().position(|line| line.starts_with("quit")).unwrap();
        lines.insert(keys, "[keys]".to_owned());
        let (settings, problems) = Settings::parse(&lines.join("\n"));
        assert_eq!(problems, [], "{lines:?}");
        assert_eq!(settings.profile.as_deref(), Some("live"));
        assert_eq!(settings.profiles["live"].country.as_deref(), Some("DE"));
        assert_eq!(settings.keys["quit"].keys, ["q", "ctrl-c"]);
    }

    #[test]
    fn is_printed_by_a_command() {
        let output = Command::new(env!("CARGO_BIN_EXE_switchboard")).arg("config").output().unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), DEFAULT_FILE);
    }
}

mod a_settings_file {
    use super::*;

    #[test]
    fn may_set_everything() {
        let (settings, problems) = Settings::parse(
            "refresh_interval = 0\nrows_per_page = 'auto'\ntheme = 'mono'\naccent = 'bright-red'\nglyphs = 'ascii'\n\
             time_zone = 'Europe/Berlin'\nmouse = false\nlog_level = 'off'\nkeys.quit = 'x'\n\
             [messaging]\nhold_seconds = 0\nrepeat_hours = 168\nkeep_text = true\nwatch_batches = false\nalerts = [10, 240, 10]\nnotify = 'osc777'\n",
        );
        assert_eq!(problems, []);
        assert_eq!(settings.refresh_interval, None);
        assert_eq!(settings.rows_per_page, None);
        assert_eq!(settings.theme, ThemeChoice::Mono);
        assert_eq!(settings.accent as u8, 9);
        assert_eq!(settings.time_zone, Zone::Named { name: "Europe/Berlin".to_owned(), line: 6 });
        assert!(!settings.mouse);
        assert_eq!(settings.log_level, LogLevel::Off);
        let Messaging { hold, repeat, keep_text, watch_batches, alerts, notify } = settings.messaging;
        assert_eq!((hold, keep_text, watch_batches, notify), (Duration::ZERO, true, false, Notify::Osc777));
        assert_eq!(repeat.as_hours(), 168);
        assert_eq!(alerts, [240, 10].map(|minutes| Duration::from_secs(minutes * 60)), "the longest first, each once");
        assert_eq!((settings.keys["quit"].line, settings.keys["quit"].keys.as_slice()), (9, &["x".to_owned()][..]));
    }

    #[test]
    fn with_a_wrong_value_keeps_the_rest() {
        let (settings, problems) = Settings::parse("mouse = false\n\nrefresh_interval = \"fast\"\ntheme = 'mono'\n");
        assert_eq!(settings.refresh_interval, Some(Duration::from_secs(5)));
        assert_eq!((settings.mouse, settings.theme), (false, ThemeChoice::Mono));
        let said: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            ["line 3: refresh_interval: must be a whole number of seconds from 1 to 3600, or 0 for off, is \"fast\"; \
              using 5"]
        );
    }

    #[test]
    fn is_held_to_its_bounds() {
        for (text, holds) in [
            ("refresh_interval = 1", true),
            ("refresh_interval = 3600", true),
            ("refresh_interval = 3601", false),
            ("refresh_interval = -1", false),
            ("refresh_interval = 2.5", false),
            ("refresh_interval = 99999999999999999999999", false),
            ("rows_per_page = 1", true),
            ("rows_per_page = 0x64", true),
            ("rows_per_page = 101", false),
            ("rows_per_page = 0", false),
            ("rows_per_page = 'all'", false),
            ("accent = 'mauve'", false),
            ("accent = 6", false),
            ("mouse = 'yes'", false),
            ("time_zone = ''", false),
            ("time_zone = 1", false),
            ("keys.quit = 5", false),
            ("keys.quit = ['q', 5]", false),
            ("keys.quit = []", true),
            ("keys = 'vim'", false),
            ("messaging.hold_seconds = 0", true),
            ("messaging.hold_seconds = 60", true),
            ("messaging.hold_seconds = 61", false),
            ("messaging.hold_seconds = -1", false),
            ("messaging.repeat_hours = 1", true),
            ("messaging.repeat_hours = 168", true),
            ("messaging.repeat_hours = 0", false),
            ("messaging.repeat_hours = 169", false),
            ("messaging.repeat_hours = 1.5", false),
            ("messaging.keep_text = 'no'", false),
            ("messaging.alerts = []", true),
            ("messaging.alerts = [1, 1440]", true),
            ("messaging.alerts = [1, 2, 3, 4, 5, 6, 7, 8, 9]", false),
            ("messaging.alerts = [0]", false),
            ("messaging.alerts = [1441]", false),
            ("messaging.alerts = [60, '10']", false),
            ("messaging.alerts = 60", false),
            ("messaging.notify = true", false),
            ("messaging = 'off'", false),
            ("profiles = 3", false),
            ("profiles.live = 3", false),
            ("profile = 'nobody'", false),
        ] {
            assert_eq!(problems(text).len(), usize::from(!holds), "{text}: {:?}", problems(text));
        }
    }

    #[test]
    fn with_an_unknown_key_is_told_what_was_meant() {
        let said =
            problems("refresh_intervall = 5\nflavour = 1\n[profiles.live]\nbase_url = 'http://h'\nreadonly = true\n");
        assert_eq!(
            said,
            [
                "line 1: refresh_intervall: is not a setting; did you mean refresh_interval?",
                "line 2: flavour: is not a setting",
                "line 5: profiles.live.readonly: is not a setting; did you mean read_only?",
            ]
        );
    }

    #[test]
    fn that_is_no_toml_gives_the_defaults_and_its_line() {
        let (settings, problems) = Settings::parse("mouse = false\ntheme = \n");
        assert_eq!(settings, Settings::default());
        assert_eq!(problems.len(), 1);
        assert_eq!(problems[0].line, Some(2));
        assert!(problems[0].message.ends_with("using the defaults"), "{}", problems[0]);
    }

    #[test]
    fn never_has_its_tokens_repeated() {
        for text in [
            "profiles.a.base_url = 'http://h'\nprofiles.a.token = 's3cret s3cret'",
            "profiles.a.base_url = 'http://h'\nprofiles.a.token = ['s3cret']",
            "profiles.a.base_url = 'http://h'\nprofiles.a.tokn = 's3cret'",
            "profiles.a.base_url = 'http://ada:s3cret@h'",
            "profiles.a.base_url = 'http://h'\nprofiles.a.token = 's3cret'\nprofiles.a.token_env = 'X'",
            "[profiles.a]\ntoken = 's3cret",
            "[profiles.a]\ntoken = s3cret",
        ] {
            let (settings, problems) = Settings::parse(text);
            assert!(!problems.is_empty(), "{text}");
            assert!(!format!("{settings:?} {problems:?}").contains("s3cret"), "{text}: {problems:?}");
        }
    }

    #[test]
    fn may_tell_where_open_operations_are() {
        let at = |path: &str| {
            let text = format!("[profiles.live]\nbase_url = 'http://h'\n[profiles.live.paths]\nsenders = '{path}'\n");
            let (settings, problems) = Settings::parse(&text);
            (settings.profiles["live"].paths.clone(), problems)
        };
        let (paths, problems) = at("/v2/numbers");
        assert_eq!((paths.senders, problems.len()), (Some("/v2/numbers".parse().unwrap()), 0));
        let (paths, problems) = at("http://elsewhere/");
        assert_eq!(paths, Paths::default());
        assert!(problems[0].to_string().starts_with("line 4: profiles.live.paths.senders: must be"), "{}", problems[0]);
        let (_, problems) = Settings::parse("[profiles.live]\nbase_url = 'http://h'\npaths.sender = '/a'\n");
        assert!(problems[0].to_string().contains("senders"), "{}", problems[0]);
    }

    #[test]
    fn is_not_called_like_the_sandbox() {
        let (settings, problems) = Settings::parse("[profiles.sandbox]\nbase_url = 'http://h'\n");
        assert!(settings.profiles.is_empty());
        assert!(problems[0].to_string().starts_with("line 1: profiles.sandbox: is reserved"), "{}", problems[0]);
    }

    #[test]
    fn may_name_the_word_of_its_messaging_channel() {
        let (settings, problems) = Settings::parse("[profiles.live]\nbase_url = 'http://h'\nchannel = 'whatsapp'\n");
        assert_eq!((settings.profiles["live"].channel.word(), problems.len()), ("whatsapp", 0));
        let (settings, problems) = Settings::parse("[profiles.live]\nbase_url = 'http://h'\nchannel = 'Two words'\n");
        assert!(settings.profiles["live"].channel.is_neutral());
        assert!(problems[0].to_string().starts_with("line 3: profiles.live.channel: must be"), "{}", problems[0]);
    }

    #[test]
    fn may_name_the_country_of_numbers_without_a_plus() {
        let parsed = |country: &str| {
            let text = format!("[profiles.live]\nbase_url = 'http://h'\ncountry = {country}\n");
            let (settings, problems) = Settings::parse(&text);
            let problem = problems.first().map(ToString::to_string).unwrap_or_default();
            (settings.profiles["live"].country.clone(), problem)
        };
        assert_eq!(parsed("'de'"), (Some("DE".to_owned()), String::new()));
        for wrong in ["'DEU'", "'D'", "'49'", "'ÄÖ'", "49"] {
            let (country, problem) = parsed(wrong);
            assert_eq!(country, None);
            assert!(
                problem.starts_with("line 3: profiles.live.country: must be a two-letter country code"),
                "{problem}"
            );
        }
    }

    #[test]
    fn with_a_wrong_read_only_keeps_the_server_from_changes() {
        let (settings, problems) = Settings::parse("[profiles.live]\nbase_url = 'http://h'\nread_only = 'yes'\n");
        assert!(settings.profiles["live"].read_only);
        assert_eq!(problems[0].line, Some(3));
    }

    fn untouched() -> Settings {
        Settings { file: Some("~/config.toml".to_owned()), ..Settings::default() }
    }

    #[test]
    fn that_is_missing_is_no_problem() {
        let start = User::new().starts(&Flags::default(), &[]);
        assert_eq!((start.settings, start.problems), (untouched(), vec![]));
    }

    #[test]
    fn that_cannot_be_read_is_a_problem_and_no_obstacle() {
        let user = User::new();
        std::fs::create_dir(user.file()).unwrap();
        let start = user.starts(&Flags::default(), &[]);
        assert_eq!(start.settings, untouched());
        assert!(start.problems[0].to_string().contains("config.toml: cannot be read"), "{:?}", start.problems);
    }

    #[test]
    fn that_a_flag_names_must_be_there() {
        let flags = Flags { config: Some("nowhere/else.toml".into()), ..Flags::default() };
        let said = User::new().fails(&flags, &[]);
        assert!(said.starts_with("--config: nowhere/else.toml cannot be read"), "{said}");
    }

    #[test]
    fn that_a_flag_names_is_used_in_place_of_the_other() {
        let user = User::with_settings("mouse = false");
        let other = user.home.path().join("other.toml");
        write(&other, "theme = 'mono'").unwrap();
        let settings = user.starts(&Flags { config: Some(other), ..Flags::default() }, &[]).settings;
        assert_eq!((settings.mouse, settings.theme), (true, ThemeChoice::Mono));
    }
}

proptest::proptest! {
    #[test]
    fn no_text_of_a_settings_file_panics(text in ".*", key in "[a-z_.]{1,20}", value in "[^\n]{0,20}") {
        let _ = (Settings::parse(&text), Settings::parse(&format!("{key} = {value}")));
    }
}

mod the_log {
    use super::*;
    use switchboard::config::logs;

    #[test]
    fn is_written_below_the_state_folder_and_belongs_to_the_user_alone() {
        let home = tempfile::tempdir().unwrap();
        let state = home.path().join("made/on/demand");
        let guard = logs::start(LogLevel::Info, &state).unwrap();
        assert!(guard.is_on());
        tracing::info!(target: "switchboard::tests", "it happened");
        assert!(logs::start(LogLevel::Info, &state).is_err(), "a process has one log");
        drop(guard);

        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let file = state.join(logs::FILE_NAME);
        assert_eq!((mode(&state), mode(&file)), (0o700, 0o600));
        assert!(std::fs::read_to_string(file).unwrap().contains("it happened"));
    }
}

mod flags_and_environment {
    use super::*;

    #[test]
    fn beat_the_file() {
        let user = User::with_settings("theme = 'terminal'\nlog_level = 'error'\n");
        let flags = Flags { log_level: Some(LogLevel::Trace), ..Flags::default() };
        let settings = user.starts(&flags, &[("NO_COLOR", "1")]).settings;
        assert_eq!((settings.theme, settings.log_level), (ThemeChoice::Mono, LogLevel::Trace));
    }

    #[test]
    fn decide_whether_unicode_is_drawn() {
        let unicode =
            |file: &str, locale: &str| User::with_settings(file).starts(&Flags::default(), &[("LANG", locale)]).unicode;
        assert!(unicode("", "de_DE.UTF-8"));
        assert!(!unicode("", "C"));
        assert!(unicode("glyphs = 'unicode'", "C"));
        assert!(!unicode("glyphs = 'ascii'", "de_DE.UTF-8"));
    }
}

mod the_server {
    use super::*;

    fn target(user: &User, flags: &Flags, vars: &[(&str, &str)]) -> Target {
        let start = user.starts(flags, vars);
        assert_eq!(start.problems, []);
        start.target
    }

    #[test]
    fn is_the_sandbox_where_nothing_is_configured() {
        let user = User::new();
        assert_eq!(target(&user, &Flags::default(), &[]), Target::Sandbox { read_only: false });
        let read_only = Flags { read_only: true, ..Flags::default() };
        assert!(target(&user, &read_only, &[]).read_only());
    }

    #[test]
    fn is_the_sandbox_with_demo_whatever_else_is_set() {
        let user = User::with_settings(TWO_PROFILES);
        let flags = Flags { demo: true, ..base_url("https://other.test") };
        let vars = [("SWITCHBOARD_BASE_URL", "https://env.test"), ("SWITCHBOARD_TOKEN", "t")];
        assert_eq!(target(&user, &flags, &vars), Target::Sandbox { read_only: false });
    }

    #[test]
    fn is_the_active_profile_of_the_file() {
        let user = User::with_settings(TWO_PROFILES);
        let found = target(&user, &Flags::default(), &[]);
        assert_eq!(found, remote("live", "https://live.test/api", "live-token", false));
    }

    #[test]
    fn finds_its_canned_replies_beside_the_settings_file_or_below_the_users_home() {
        let found = |path: &str| {
            let user = User::with_settings(
                &TWO_PROFILES.replace("[profiles.trial]", &format!("replies = '{path}'\n[profiles.trial]")),
            );
            let folder = user.file().parent().unwrap().to_owned();
            (target(&user, &profile("live"), &[]).replies().unwrap().to_owned(), folder)
        };
        // The user's home is where the settings are.
        for named in ["replies.toml", "~/replies.toml"] {
            let (path, folder) = found(named);
            assert_eq!(path, folder.join("replies.toml"));
        }
        assert_eq!(found("/etc/replies.toml").0, PathBuf::from("/etc/replies.toml"));
    }

    #[test]
    fn is_the_profile_that_a_flag_names_and_keeps_its_own_token() {
        let user = User::with_settings(TWO_PROFILES);
        let vars =
            [("SWITCHBOARD_BASE_URL", "https://env.test"), ("SWITCHBOARD_TOKEN", "env"), ("TRIAL", "trial-token")];
        let found = target(&user, &profile("trial"), &vars);
        assert_eq!(found, remote("trial", "https://trial.test/api", "trial-token", true));
    }

    #[test]
    fn is_the_url_of_the_environment_before_that_of_the_file() {
        let user = User::with_settings(TWO_PROFILES);
        let vars = [("SWITCHBOARD_BASE_URL", "http://127.0.0.1:8787/api"), ("SWITCHBOARD_TOKEN", "env")];
        let found = target(&user, &Flags::default(), &vars);
        assert_eq!(found, remote("127.0.0.1:8787", "http://127.0.0.1:8787/api", "env", false));
        let found = target(&user, &base_url("https://flag.test/api/"), &vars);
        assert_eq!(found, remote("flag.test", "https://flag.test/api", "env", false));
    }

    #[test]
    fn takes_the_token_of_the_environment_before_that_of_the_file() {
        let user = User::with_settings(TWO_PROFILES);
        let found = target(&user, &Flags::default(), &[("SWITCHBOARD_TOKEN", "env")]);
        assert_eq!(found, remote("live", "https://live.test/api", "env", false));
    }

    #[test]
    fn never_gets_the_token_of_a_profile_that_was_not_named_with_its_url() {
        let user = User::with_settings(TWO_PROFILES);
        let said = user.fails(&base_url("https://other.test"), &[]);
        assert_eq!(said, "--base-url: a base URL needs a token: set SWITCHBOARD_TOKEN");
        let said = user.fails(&Flags::default(), &[("SWITCHBOARD_BASE_URL", "https://other.test")]);
        assert_eq!(said, "SWITCHBOARD_BASE_URL: a base URL needs a token: set SWITCHBOARD_TOKEN");
        let named = Flags { profile: Some("live".to_owned()), ..base_url("https://other.test") };
        assert_eq!(target(&user, &named, &[]), remote("other.test", "https://other.test", "live-token", false));
    }

    #[test]
    fn is_read_only_where_flag_or_profile_say_so() {
        let user = User::with_settings(TWO_PROFILES);
        let flags = Flags { read_only: true, ..Flags::default() };
        assert!(target(&user, &flags, &[]).read_only());
        assert!(target(&user, &profile("trial"), &[("TRIAL", "t")]).read_only());
        assert!(!target(&user, &Flags::default(), &[]).read_only());
    }

    #[test]
    fn must_be_one_that_exists() {
        let user = User::with_settings(TWO_PROFILES);
        let said = user.fails(&profile("lvie"), &[]);
        assert_eq!(said, "--profile: no valid profile \"lvie\" (known: live, trial)");
        let broken = User::with_settings("[profiles.live\n");
        let said = broken.fails(&profile("live"), &[]);
        assert!(said.contains("config.toml:1: not readable as TOML"), "{said}");
    }

    #[test]
    fn must_have_a_url_without_credentials() {
        let said = User::new().fails(&base_url("https://ada:s3cret@h/api"), &[("SWITCHBOARD_TOKEN", "t")]);
        assert!(said.starts_with("--base-url: the base URL must not contain a user name"), "{said}");
        assert!(!said.contains("s3cret"), "{said}");
    }

    #[test]
    fn is_the_sandbox_with_a_problem_where_the_files_own_choice_cannot_be_used() {
        let user =
            User::with_settings("profile = 'live'\n[profiles.live]\nbase_url = 'https://h'\ntoken_file = 'gone'\n");
        let start = user.starts(&Flags::default(), &[]);
        assert_eq!(start.target, Target::Sandbox { read_only: false });
        let said = start.problems[0].to_string();
        assert!(said.starts_with("~/config.toml:2: profiles.live: the token file "), "{said}");
        assert!(said.ends_with("; using the sandbox"), "{said}");
    }

    #[test]
    fn is_not_given_a_token_that_others_could_read() {
        let user = User::with_settings(TWO_PROFILES);
        set_permissions(user.file(), Permissions::from_mode(0o644)).unwrap();
        let start = user.starts(&Flags::default(), &[]);
        assert_eq!(start.target, Target::Sandbox { read_only: false });
        let said: Vec<String> = start.problems.iter().map(ToString::to_string).collect();
        assert_eq!(
            said[0],
            "~/config.toml:4: profiles.live.token: is ignored because others can read this file (chmod 600, or use token_file)"
        );
        assert!(said[1].contains("the profile \"live\" has no token"), "{said:?}");
    }
}

mod the_program {
    use super::*;

    fn run(args: &[&str], vars: &[(&str, &str)]) -> Output {
        let home = tempfile::tempdir().unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_switchboard"));
        command.args(args).env_clear().env("HOME", home.path()).envs(vars.iter().copied()).output().unwrap()
    }

    #[test]
    fn tells_a_mistake_in_a_sentence_and_ends_with_2() {
        for (args, vars, said) in [
            (&["--profile", "nobody"][..], &[][..], "error: --profile: no valid profile \"nobody\""),
            (&["--base-url", "https://h"], &[], "error: --base-url: a base URL needs a token"),
            (&[], &[("SWITCHBOARD_BASE_URL", "gopher://h")], "error: SWITCHBOARD_BASE_URL: the base URL must begin"),
            (&["--config", "nowhere.toml"], &[], "error: --config: nowhere.toml cannot be read"),
            (&["--no-such-flag"], &[], "error: unexpected argument '--no-such-flag'"),
            (&["--demo", "config"], &[], "error: "),
        ] {
            let output = run(args, vars);
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
            assert!(stderr.starts_with(said), "{args:?}: {stderr}");
            assert!(output.stdout.is_empty());
        }
    }

    #[test]
    fn names_its_files_and_variables_in_the_help() {
        let help = String::from_utf8(run(&["--help"], &[]).stdout).unwrap();
        for named in ["config.toml", "switchboard.log", "SWITCHBOARD_BASE_URL", "SWITCHBOARD_TOKEN", "NO_COLOR"] {
            assert!(help.contains(named), "{named}: {help}");
        }
    }
}
