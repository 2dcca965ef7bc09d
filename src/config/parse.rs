//! From the text of the settings file to [`Settings`]: what is wrong is noted, and the rest holds.

use super::link::Link;
use super::messaging::Messaging;
use super::problem::Problem;
use super::profile::{self, Profile, TokenSource};
use super::section::{KeyValue, Problems, Section, integer};
use super::settings::{KeyOverride, Settings, Zone};
use crate::api::rules::{PER_PAGE_MAX, PER_PAGE_MIN};
use crate::api::{Channel, Paths};
use std::collections::BTreeMap;
use std::time::Duration;
use toml::de::{DeTable, DeValue};

/// What is kept for the embedded service is kept under this name.
const SANDBOX: &str = "sandbox";
/// The most alerts about conversations.
const ALERTS_MAX: usize = 16;
/// The longest refresh interval, in seconds.
const REFRESH_MAX: i64 = 3600;

impl Settings {
    /// Reads the text of a settings file. Whatever is wrong keeps its default and is one of the problems, which come
    /// in the order of their lines; where the text is no TOML at all, every setting keeps its default.
    pub fn parse(text: &str) -> (Self, Vec<Problem>) {
        let mut reader = Problems::new(text);
        let settings = match DeTable::parse(text) {
            Ok(table) => read(Section::root(&mut reader, table.into_inner())),
            Err(error) => {
                let line = reader.line(error.span().map_or(0, |span| span.start));
                let message = format!("not readable as TOML ({}); using the defaults", error.message().trim());
                return (Self::default(), vec![Problem::line(line, message)]);
            }
        };
        (settings, reader.into_problems())
    }
}

fn read(mut file: Section) -> Settings {
    let default = Settings::default();
    let refresh_interval = |value: &DeValue| match integer(value)? {
        0 => Some(None),
        seconds @ 1..=REFRESH_MAX => Some(Some(Duration::from_secs(seconds.unsigned_abs()))),
        _ => None,
    };
    let rows_per_page = |value: &DeValue| {
        if value.as_str() == Some("auto") {
            return Some(None);
        }
        let rows = u32::try_from(integer(value)?).ok()?;
        (PER_PAGE_MIN..=PER_PAGE_MAX).contains(&rows).then_some(Some(rows))
    };
    let settings = Settings {
        refresh_interval: file.read(
            "refresh_interval",
            "a whole number of seconds from 1 to 3600, or 0 for off",
            "5",
            default.refresh_interval,
            refresh_interval,
        ),
        rows_per_page: file.read(
            "rows_per_page",
            "\"auto\" or a whole number from 1 to 100",
            "50",
            default.rows_per_page,
            rows_per_page,
        ),
        theme: file.choice("theme", default.theme),
        accent: file.choice("accent", default.accent),
        glyphs: file.choice("glyphs", default.glyphs),
        time_zone: time_zone(&mut file, default.time_zone),
        mouse: file.read("mouse", "true or false", "true", default.mouse, DeValue::as_bool),
        log_level: file.choice("log_level", default.log_level),
        alerts: file.read(
            "alert",
            "a list of up to 16 texts such as \"ai:off age:<10m\"",
            "none",
            default.alerts,
            |value| {
                let texts = value.as_array()?.iter().map(|one| one.get_ref().as_str().map(str::to_owned));
                texts.collect::<Option<Vec<_>>>().filter(|texts| texts.len() <= ALERTS_MAX)
            },
        ),
        messaging: Messaging::read(&mut file),
        keys: keys(&mut file),
        profiles: profiles(&mut file),
        profile: None,
        file: None,
    };
    let profile = active(&mut file, &settings.profiles);
    file.finish();
    Settings { profile, ..settings }
}

fn time_zone(file: &mut Section, default: Zone) -> Zone {
    let Some(entry) = file.take("time_zone") else { return default };
    match entry.value.as_str() {
        Some("local") => Zone::Local,
        Some(name) if !name.is_empty() => Zone::Named { name: name.to_owned(), line: entry.line },
        _ => {
            file.refuse(&entry, "must be \"local\" or the name of a time zone", "\"local\"");
            default
        }
    }
}

fn keys(file: &mut Section) -> BTreeMap<String, KeyOverride> {
    let Some(mut table) = file.table("keys") else { return BTreeMap::new() };
    let mut keys = BTreeMap::new();
    for entry in table.rest() {
        let bound = match &entry.value {
            DeValue::String(key) => Some(vec![key.to_string()]),
            DeValue::Array(list) => list.iter().map(|key| key.get_ref().as_str().map(str::to_owned)).collect(),
            _ => None,
        };
        match bound {
            Some(bound) => {
                keys.insert(entry.key, KeyOverride { line: entry.line, keys: bound });
            }
            None => table.refuse(&entry, "must be a key or a list of keys", "the default keys"),
        }
    }
    keys
}

fn profiles(file: &mut Section) -> BTreeMap<String, Profile> {
    let Some(mut table) = file.table("profiles") else { return BTreeMap::new() };
    let mut profiles = BTreeMap::new();
    for entry in table.rest() {
        let (name, line) = (entry.key.clone(), entry.line);
        if name == SANDBOX {
            table.note(line, &name, "is reserved for the embedded service; this profile is ignored");
        } else if let Some(section) = table.enter(entry)
            && let Some(profile) = profile(section, line)
        {
            profiles.insert(name, profile);
        }
    }
    profiles
}

fn profile(mut section: Section, line: usize) -> Option<Profile> {
    let given = section.take("base_url");
    let base_url = match given.as_ref().map(|entry| entry.value.as_str()) {
        None => Err("is missing".to_owned()),
        Some(None) => Err("must be a string".to_owned()),
        Some(Some(text)) => profile::base_url(text),
    };
    let place = given.map_or(line, |entry| entry.line);
    let base_url =
        base_url.map_err(|why| section.note(place, "base_url", format!("{why}; this profile is ignored"))).ok();
    let token = secret(&mut section, ["token", "token_file", "token_env"]);
    let automation = ["automation_key", "automation_key_file", "automation_key_env"];
    let automation_key = secret(&mut section, automation);
    // Wrong is true: a slip in this value must not open a server for changes.
    let wrong = section.has("read_only");
    let read_only = section.read("read_only", "true or false", "true, which is safe", wrong, DeValue::as_bool);
    let wanted = "the channel's word: 2 to 32 lowercase letters and digits";
    let word = |value: &DeValue| value.as_str().and_then(|word| word.parse().ok());
    let channel = section.read("channel", wanted, "\"msgapp\"", Channel::default(), word);
    let country = section.read("country", "a two-letter country code", "none", None, |value| country(value).map(Some));
    let replies = section.read("replies", "the path of a file", "none", None, |value| {
        value.as_str().filter(|path| !path.trim().is_empty()).map(|path| Some(path.into()))
    });
    let web = link(&mut section);
    let paths = paths(&mut section);
    section.finish();
    let base_url = base_url?;
    Some(Profile { line, base_url, token, automation_key, read_only, channel, paths, country, replies, link: web })
}

fn link(profile: &mut Section) -> Option<Link> {
    let entry = profile.take("link")?;
    let link = entry.value.as_str().ok_or("must be a text").and_then(Link::parse);
    link.map_err(|must| profile.refuse(&entry, must, "none")).ok()
}

fn paths(profile: &mut Section) -> Paths {
    let Some(mut table) = profile.table("paths") else { return Paths::default() };
    let mut path = |key| {
        let own = |value: &DeValue| value.as_str()?.parse().ok().map(Some);
        table.read(key, "a path such as \"/user/me\"", "the usual path", None, own)
    };
    let paths = Paths {
        account: path("account"),
        senders: path("senders"),
        send_freeform: path("send_freeform"),
        conversation: path("conversation"),
    };
    table.finish();
    paths
}

fn country(value: &DeValue) -> Option<String> {
    let letters = value.as_str()?;
    let is_code = letters.len() == 2 && letters.bytes().all(|letter| letter.is_ascii_alphabetic());
    is_code.then(|| letters.to_ascii_uppercase())
}

/// The one way in which a profile gives a secret: in the file, in one of its own, in a variable. What a wrong one holds
/// is never shown: it may be the secret.
fn secret(section: &mut Section, keys: [&'static str; 3]) -> Option<TokenSource> {
    let [inline, file, variable] = keys;
    let mut given: Vec<KeyValue> = keys.into_iter().filter_map(|key| section.take(key)).collect();
    if let [first, .., last] = given.as_slice() {
        let line = first.line.max(last.line);
        section.note(line, inline, format!("give only one of {inline}, {file} and {variable}; using none of them"));
        return None;
    }
    let entry = given.pop()?;
    let source = match (entry.key.as_str(), entry.value.as_str()) {
        (_, None | Some("")) => Err("must be a non-empty string"),
        (key, Some(text)) if key == inline => {
            profile::token(text).map(|token| TokenSource::Inline { token, line: entry.line })
        }
        (key, Some(path)) if key == file => Ok(TokenSource::File(path.into())),
        (_, Some(name)) => Ok(TokenSource::Variable(name.to_owned())),
    };
    source.map_err(|why| section.note(entry.line, &entry.key, format!("{why}; using none"))).ok()
}

fn active(file: &mut Section, profiles: &BTreeMap<String, Profile>) -> Option<String> {
    let entry = file.take("profile")?;
    if let Some(name) = entry.value.as_str()
        && profiles.contains_key(name)
    {
        return Some(name.to_owned());
    }
    let known = match profiles.len() {
        0 => "none is configured".to_owned(),
        _ => profiles.keys().cloned().collect::<Vec<_>>().join(", "),
    };
    file.refuse(&entry, &format!("must be the name of a valid profile ({known})"), "the sandbox");
    None
}
