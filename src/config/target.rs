//! Which server to talk to: flags beat the environment, the environment beats the file.

use super::choice::LogLevel;
use super::environment::Environment;
use super::link::Link;
use super::problem::Problem;
use super::profile::{self, Profile};
use super::settings::Settings;
use crate::api::{Channel, Paths, Token};
use std::path::{Path, PathBuf};
use url::Url;

/// The environment variable with the base URL.
pub const BASE_URL_VARIABLE: &str = "SWITCHBOARD_BASE_URL";
/// The environment variable with the token.
pub const TOKEN_VARIABLE: &str = "SWITCHBOARD_TOKEN";

/// What the command line says about settings and the server.
#[derive(Debug, Clone, Default)]
pub struct Flags {
    /// The sandbox, whatever else is set.
    pub demo: bool,
    /// The name of a profile.
    pub profile: Option<String>,
    /// A base URL, as it was typed.
    pub base_url: Option<String>,
    /// The settings file.
    pub config: Option<PathBuf>,
    /// Nothing may be created, changed, sent or deleted.
    pub read_only: bool,
    /// How much is logged.
    pub log_level: Option<LogLevel>,
}

/// The server to talk to.
#[expect(clippy::large_enum_variant, reason = "there is one of it")]
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// The embedded service with simulated people.
    Sandbox {
        /// Whether nothing may be created, changed, sent or deleted.
        read_only: bool,
    },
    /// A server elsewhere.
    Remote {
        /// The profile's name, or the URL's host and port where no profile was named.
        name: String,
        /// The root of the API, without a slash at its end.
        base_url: Url,
        /// The token that goes with it.
        token: Token,
        /// The file that the token was read from; `None` where it came from elsewhere.
        token_file: Option<PathBuf>,
        /// The key that turns the AI of conversations off and on; `None` where the token does that.
        automation_key: Option<Token>,
        /// Whether nothing may be created, changed, sent or deleted.
        read_only: bool,
        /// The messaging channel's word at this server.
        channel: Channel,
        /// Where it has the operations that the spec leaves open.
        paths: Box<Paths>,
        /// The country of phone numbers without a plus, as its two letters (ISO 3166).
        country: Option<String>,
        /// The file of canned replies.
        replies: Option<PathBuf>,
        /// Where a conversation is found on the web.
        link: Option<Link>,
    },
}

impl Target {
    /// Whether nothing may be created, changed, sent or deleted there.
    pub fn read_only(&self) -> bool {
        let (Self::Sandbox { read_only } | Self::Remote { read_only, .. }) = self;
        *read_only
    }

    /// The file that its token was read from; `None` where it came from elsewhere.
    pub fn token_file(&self) -> Option<&Path> {
        match self {
            Self::Sandbox { .. } => None,
            Self::Remote { token_file, .. } => token_file.as_deref(),
        }
    }

    /// The country of phone numbers without a plus, as its two letters (ISO 3166).
    pub fn country(&self) -> Option<&str> {
        match self {
            Self::Sandbox { .. } => None,
            Self::Remote { country, .. } => country.as_deref(),
        }
    }

    /// The file of canned replies.
    pub fn replies(&self) -> Option<&Path> {
        if let Self::Remote { replies, .. } = self { replies.as_deref() } else { None }
    }

    /// Where a conversation is found on the web.
    pub fn link(&self) -> Option<&Link> {
        if let Self::Remote { link, .. } = self { link.as_ref() } else { None }
    }
}

/// A mistake on the command line or in the environment: the program says it and does not start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UsageError {
    /// The settings file that `--config` names cannot be read.
    #[error("--config: {} cannot be read: {why}", .path.display())]
    Config {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// `--profile` names none that can be used.
    #[error("--profile: no valid profile {name:?}{}{}", listed(.known), because(.problem.as_deref()))]
    UnknownProfile {
        /// The name given.
        name: String,
        /// The names there are.
        known: Vec<String>,
        /// The problem of the settings file that may be the reason.
        problem: Option<Box<Problem>>,
    },
    /// An invalid base URL.
    #[error("{origin}: the base URL {why}")]
    BaseUrl {
        /// The flag or variable that gives it.
        origin: &'static str,
        /// What is wrong with it.
        why: String,
    },
    /// A missing or unreadable token.
    #[error("{origin}: {why}")]
    Token {
        /// The flag or variable that needs it.
        origin: &'static str,
        /// What is wrong.
        why: String,
    },
}

fn listed(known: &[String]) -> String {
    if known.is_empty() { " (none is configured)".to_owned() } else { format!(" (known: {})", known.join(", ")) }
}

fn because(problem: Option<&Problem>) -> String {
    problem.map(|problem| format!("; {problem}")).unwrap_or_default()
}

/// Finds the server. A profile that only the file chose and that has no usable token gives the sandbox and a problem.
///
/// `base` is the folder of the settings file; `problems` are those of the file so far.
///
/// # Errors
/// A mistake in a flag or an environment variable.
pub fn resolve(
    flags: &Flags,
    env: &Environment,
    settings: &Settings,
    base: &Path,
    problems: &[Problem],
) -> Result<(Target, Option<Problem>), UsageError> {
    let sandbox = Target::Sandbox { read_only: flags.read_only };
    if flags.demo {
        return Ok((sandbox, None));
    }
    let named = flags.profile.as_ref().map(|name| named(name, settings, problems)).transpose()?;
    let typed = match (&flags.base_url, named) {
        (Some(url), _) => Some((url.as_str(), "--base-url")),
        (None, Some(_)) => None,
        (None, None) => env.var(BASE_URL_VARIABLE).map(|url| (url, BASE_URL_VARIABLE)),
    };
    let remote = |name: &str, base_url: &Url, (token, token_file): FoundToken, profile: Option<&Profile>| {
        let key = profile.and_then(|profile| Some((profile, profile.automation_key.as_ref()?.read(env, base))));
        let (automation_key, problem) = match key {
            None => (None, None),
            Some((_, Ok(key))) => (Some(key), None),
            Some((profile, Err(why))) => {
                let key = format!("profiles.{name}.automation_key");
                (None, Some(Problem::key(profile.line, key, format!("{why}; using the token"))))
            }
        };
        let target = Target::Remote {
            name: name.to_owned(),
            base_url: base_url.clone(),
            token,
            token_file,
            automation_key,
            read_only: flags.read_only || profile.is_some_and(|profile| profile.read_only),
            channel: profile.map(|profile| profile.channel.clone()).unwrap_or_default(),
            paths: profile.map(|profile| Box::new(profile.paths.clone())).unwrap_or_default(),
            country: profile.and_then(|profile| profile.country.clone()),
            replies: profile.and_then(|profile| Some(profile::located(profile.replies.as_ref()?, env, base))),
            link: profile.and_then(|profile| profile.link.clone()),
        };
        (target, problem)
    };

    if let Some((text, origin)) = typed {
        let url = profile::base_url(text).map_err(|why| UsageError::BaseUrl { origin, why })?;
        let of_profile = named.and_then(|(_, profile)| token_of(profile, env, base));
        let token = of_profile
            .or_else(|| token_of_environment(env))
            .unwrap_or_else(|| Err(format!("a base URL needs a token: set {TOKEN_VARIABLE}")))
            .map_err(|why| UsageError::Token { origin, why })?;
        let profile = named.map(|(_, profile)| profile);
        return Ok(remote(&authority(&url), &url, token, profile));
    }
    if let Some((name, profile)) = named {
        let token = token_of(profile, env, base)
            .or_else(|| token_of_environment(env))
            .unwrap_or_else(|| Err(no_token(name)))
            .map_err(|why| UsageError::Token { origin: "--profile", why })?;
        return Ok(remote(name, &profile.base_url, token, Some(profile)));
    }
    let Some((name, profile)) = settings.profile.as_ref().and_then(|name| settings.profiles.get_key_value(name)) else {
        return Ok((sandbox, None));
    };
    let token =
        token_of_environment(env).or_else(|| token_of(profile, env, base)).unwrap_or_else(|| Err(no_token(name)));
    match token {
        Ok(token) => Ok(remote(name, &profile.base_url, token, Some(profile))),
        Err(why) => {
            let problem = Problem::key(profile.line, format!("profiles.{name}"), format!("{why}; using the sandbox"));
            Ok((sandbox, Some(problem)))
        }
    }
}

fn named<'s>(name: &str, settings: &'s Settings, problems: &[Problem]) -> Result<(&'s str, &'s Profile), UsageError> {
    let found = settings.profiles.get_key_value(name).map(|(name, profile)| (name.as_str(), profile));
    found.ok_or_else(|| UsageError::UnknownProfile {
        name: name.to_owned(),
        known: settings.profiles.keys().cloned().collect(),
        problem: problems.first().cloned().map(Box::new),
    })
}

/// A token, and the file that it was read from.
type FoundToken = (Token, Option<PathBuf>);

fn token_of(profile: &Profile, env: &Environment, base: &Path) -> Option<Result<FoundToken, String>> {
    let source = profile.token.as_ref()?;
    Some(source.read(env, base).map(|token| (token, source.file(env, base))))
}

fn token_of_environment(env: &Environment) -> Option<Result<FoundToken, String>> {
    let text = env.var(TOKEN_VARIABLE)?;
    let token = profile::token(text).map_err(|why| format!("the environment variable {TOKEN_VARIABLE} {why}"));
    Some(token.map(|token| (token, None)))
}

fn no_token(name: &str) -> String {
    format!("the profile {name:?} has no token: add token_file, or set {TOKEN_VARIABLE}")
}

fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}
