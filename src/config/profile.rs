//! Profiles: a server's base URL with a token, and the ways in which a token is kept.

use super::environment::Environment;
use super::link::Link;
use crate::api::{Channel, Paths, Token};
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use url::Url;

/// A longer file, in bytes, holds no token.
const TOKEN_FILE_MAX: u64 = 16 * 1024;

/// A server that the settings file names.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// The line in the file where it begins.
    pub line: usize,
    /// The root of the API, without a slash at its end.
    pub base_url: Url,
    /// Where its token is; `None` where only the environment can give one.
    pub token: Option<TokenSource>,
    /// Where the key is that turns the AI of conversations off and on; `None` where the token does that.
    pub automation_key: Option<TokenSource>,
    /// Whether nothing may be created, changed, sent or deleted.
    pub read_only: bool,
    /// The messaging channel's word at this server.
    pub channel: Channel,
    /// Where it has the operations that the spec leaves open.
    pub paths: Paths,
    /// The country of phone numbers without a plus, as its two letters (ISO 3166).
    pub country: Option<String>,
    /// The file of canned replies; a relative path starts at the settings file's folder, `~/` at the user's home.
    pub replies: Option<PathBuf>,
    /// Where a conversation is found on the web.
    pub link: Option<Link>,
}

/// Where a profile's token is kept.
#[derive(Debug, Clone, PartialEq)]
pub enum TokenSource {
    /// In the settings file itself.
    Inline {
        /// The token.
        token: Token,
        /// Its line in the file.
        line: usize,
    },
    /// In a file of its own; a relative path starts at the settings file's folder, `~/` at the user's home.
    File(PathBuf),
    /// In the environment variable of this name.
    Variable(String),
}

impl TokenSource {
    /// Fetches the token. `base` is the settings file's folder.
    ///
    /// # Errors
    /// A sentence that says what is wrong; it never holds the token.
    pub fn read(&self, env: &Environment, base: &Path) -> Result<Token, String> {
        match self {
            Self::Inline { token, .. } => Ok(token.clone()),
            Self::Variable(name) => {
                let text = env.var(name).ok_or_else(|| format!("the environment variable {name} is not set"))?;
                token(text).map_err(|why| format!("the environment variable {name} {why}"))
            }
            Self::File(_) => {
                let path = self.file(env, base).unwrap_or_default();
                read_token_file(&path).map_err(|why| format!("the token file {} {why}", path.display()))
            }
        }
    }
}

impl TokenSource {
    /// The token's file, where it has one of its own. `base` is the settings file's folder.
    pub fn file(&self, env: &Environment, base: &Path) -> Option<PathBuf> {
        let Self::File(path) = self else { return None };
        Some(located(path, env, base))
    }
}

/// A path of the settings file: a relative one starts at its folder, `base`, and `~/` at the user's home.
pub fn located(path: &Path, env: &Environment, base: &Path) -> PathBuf {
    match (path.strip_prefix("~"), env.var("HOME")) {
        (Ok(rest), Some(home)) => Path::new(home).join(rest),
        _ => base.join(path),
    }
}

fn read_token_file(path: &Path) -> Result<Token, String> {
    token(&private_file(path)?).map_err(str::to_owned)
}

/// The text of a file that holds a secret.
///
/// # Errors
/// What is wrong with the file, such as `is readable by others…`; never what it holds.
pub fn private_file(path: &Path) -> Result<String, String> {
    let cannot_read = |error: std::io::Error| format!("cannot be read: {error}");
    let file = File::open(path).map_err(cannot_read)?;
    let metadata = file.metadata().map_err(cannot_read)?;
    if !metadata.is_file() {
        return Err("is not a file".to_owned());
    }
    if !is_private(metadata.permissions().mode()) {
        return Err("is readable by others; restrict it to yourself (chmod 600)".to_owned());
    }
    let mut text = String::new();
    file.take(TOKEN_FILE_MAX).read_to_string(&mut text).map_err(cannot_read)?;
    Ok(text)
}

/// Whether a file's mode keeps everybody but its owner out.
pub fn is_private(mode: u32) -> bool {
    const OTHERS: u32 = 0o077;
    mode & OTHERS == 0
}

/// Takes a token as it was given: one word of visible ASCII, since it must fit into a header.
///
/// # Errors
/// What it is instead, without showing it.
pub fn token(text: &str) -> Result<Token, &'static str> {
    let text = text.trim();
    if text.is_empty() {
        return Err("is empty");
    }
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err("has no token: expected one word of visible ASCII characters");
    }
    Ok(Token::new(text))
}

/// Reads a base URL: http or https, with a host, and nothing but a path behind it.
///
/// # Errors
/// What is wrong, without showing the text: it may hold a password.
pub fn base_url(text: &str) -> Result<Url, String> {
    let mut url = Url::parse(text.trim()).map_err(|error| format!("is not a URL ({error})"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("must begin with http:// or https://".to_owned());
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not contain a user name or password; configure the token separately".to_owned());
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err("must not contain ? or #".to_owned());
    }
    let path = url.path().trim_end_matches('/').to_owned();
    url.set_path(&path);
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Settings;
    use std::fs::{Permissions, set_permissions, write};

    #[test]
    fn a_base_url_is_http_without_credentials_or_query() {
        assert_eq!(base_url(" https://example.com/api/ ").unwrap().as_str(), "https://example.com/api");
        assert_eq!(base_url("http://127.0.0.1:8787/api").unwrap().as_str(), "http://127.0.0.1:8787/api");
        for wrong in ["example.com/api", "ftp://example.com", "https://", "https://h/a?x=1", "https://h/a#b", ""] {
            assert!(base_url(wrong).is_err(), "{wrong}");
        }
        let why = base_url("https://ada:hunter2@example.com").unwrap_err();
        assert!(!why.contains("hunter2"), "{why}");
    }

    #[test]
    fn a_token_is_one_visible_word() {
        assert_eq!(token(" 7|abc\n").unwrap().expose(), "7|abc");
        for wrong in ["", " \n", "two words", "line\nline", "tökén", "a\u{1b}b"] {
            assert!(token(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn a_token_file_must_be_its_owners_alone() {
        let dir = tempfile::tempdir().unwrap();
        let env = Environment::default();
        let source = TokenSource::File("live.token".into());
        let path = dir.path().join("live.token");
        write(&path, "7|abc\n").unwrap();

        set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        assert!(source.read(&env, dir.path()).unwrap_err().contains("chmod 600"));

        set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        assert_eq!(source.read(&env, dir.path()).unwrap().expose(), "7|abc");
    }

    #[test]
    fn a_token_file_below_home_is_found() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("live.token");
        write(&path, "7|abc").unwrap();
        set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        let env = Environment::new([("HOME", home.path().to_str().unwrap())], "", "");
        let token = TokenSource::File("~/live.token".into()).read(&env, Path::new("elsewhere"));
        assert_eq!(token.unwrap().expose(), "7|abc");
    }

    #[test]
    fn a_token_that_is_not_there_is_named_by_its_place() {
        let env = Environment::new([("EMPTY", "")], "", "");
        let missing = TokenSource::Variable("EMPTY".to_owned()).read(&env, Path::new("")).unwrap_err();
        assert_eq!(missing, "the environment variable EMPTY is not set");
        let missing = TokenSource::File("gone".into()).read(&env, Path::new("folder")).unwrap_err();
        assert!(missing.starts_with("the token file folder/gone cannot be read"), "{missing}");
    }

    #[test]
    fn a_profile_may_name_canned_replies_and_the_web_address_of_conversations() {
        let parsed = |lines: &str| {
            let (settings, problems) = Settings::parse(&format!("[profiles.live]\nbase_url = 'http://h'\n{lines}\n"));
            let problem = problems.first().map(ToString::to_string).unwrap_or_default();
            let profile = &settings.profiles["live"];
            (profile.replies.clone(), profile.link.as_ref().map(|link| link.of("a/b")), problem)
        };
        let (replies, link, problem) = parsed("replies = 'r.toml'\nlink = 'https://example.com/c/{id}'");
        assert_eq!((replies, problem.as_str()), (Some(PathBuf::from("r.toml")), ""));
        assert_eq!(link.as_deref(), Some("https://example.com/c/a%2Fb"));
        for (wrong, told) in [
            ("link = 'https://example.com/'", "line 3: profiles.live.link: must have {id} once"),
            ("link = 'file:///{id}'", "line 3: profiles.live.link: must begin with http:// or https://"),
            ("link = 7", "line 3: profiles.live.link: must be a text"),
            ("replies = ''", "line 3: profiles.live.replies: must be the path of a file"),
        ] {
            let (replies, link, problem) = parsed(wrong);
            assert_eq!((replies, link), (None, None));
            assert!(problem.starts_with(told), "{problem}");
        }
    }
}
