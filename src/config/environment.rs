//! What the process inherits, as a plain value: nothing else in the program asks the process for it, but for the home of
//! a path that is typed while it runs.

use directories::ProjectDirs;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The environment variables and the folders of the user.
///
/// It has no `Debug`, since a variable may hold a token.
#[derive(Clone, Default)]
pub struct Environment {
    vars: HashMap<String, String>,
    config_dir: Option<PathBuf>,
    state_dir: Option<PathBuf>,
}

impl Environment {
    /// That of the running process, with the folders of the XDG rules.
    pub fn of_process() -> Self {
        let vars =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let dirs = ProjectDirs::from("", "", "switchboard");
        Self {
            vars: vars.collect(),
            config_dir: dirs.as_ref().map(|dirs| dirs.config_dir().to_owned()),
            state_dir: dirs.as_ref().map(|dirs| dirs.state_dir().unwrap_or(dirs.data_local_dir()).to_owned()),
        }
    }

    /// One made up, with its settings and its state in the folders given.
    pub fn new<'a>(
        vars: impl IntoIterator<Item = (&'a str, &'a str)>,
        config_dir: impl Into<PathBuf>,
        state_dir: impl Into<PathBuf>,
    ) -> Self {
        Self {
            vars: vars.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            config_dir: Some(config_dir.into()),
            state_dir: Some(state_dir.into()),
        }
    }

    /// A variable; an empty one counts as unset.
    pub fn var(&self, name: &str) -> Option<&str> {
        self.vars.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Where the settings file lies unless a flag says otherwise; `None` without a home.
    pub fn config_file(&self) -> Option<PathBuf> {
        self.config_dir.as_ref().map(|dir| dir.join("config.toml"))
    }

    /// The path as a person writes it: with the home folder as `~`.
    pub fn abbreviated(&self, path: &Path) -> String {
        match self.var("HOME").and_then(|home| path.strip_prefix(home).ok()) {
            Some(below) => format!("~/{}", below.display()),
            None => path.display().to_string(),
        }
    }

    /// The folder for logs and whatever else the program remembers; `None` without a home. It may not exist yet.
    pub fn state_dir(&self) -> Option<&Path> {
        self.state_dir.as_deref()
    }

    /// Whether the user asks for no colours (<https://no-color.org>).
    pub fn no_color(&self) -> bool {
        self.var("NO_COLOR").is_some()
    }

    /// Whether the locale's characters are UTF-8.
    pub fn is_utf8(&self) -> bool {
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| self.var(name)).unwrap_or_default();
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_variable_that_is_set_decides() {
        let utf8 = |vars: &[(&str, &str)]| Environment::new(vars.iter().copied(), "", "").is_utf8();
        assert!(utf8(&[("LANG", "de_DE.UTF-8")]));
        assert!(utf8(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
        assert!(!utf8(&[("LC_ALL", "C"), ("LANG", "en_US.UTF-8")]));
        assert!(!utf8(&[]));
    }

    #[test]
    fn an_empty_variable_is_unset() {
        let env = Environment::new([("NO_COLOR", "")], "", "");
        assert!(!env.no_color());
    }
}
