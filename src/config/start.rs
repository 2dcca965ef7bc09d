//! Everything that is decided before the first frame, read in one go.

use super::choice::{GlyphsChoice, ThemeChoice};
use super::environment::Environment;
use super::problem::Problem;
use super::profile::{TokenSource, is_private};
use super::settings::Settings;
use super::target::{Flags, Target, UsageError, resolve};
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// A settings file longer than this, in bytes, is some other file.
const FILE_MAX: u64 = 1024 * 1024;

/// What the program starts with.
#[derive(Debug, Clone, PartialEq)]
pub struct Start {
    /// The settings, with flags and environment laid over the file.
    pub settings: Settings,
    /// The server to talk to.
    pub target: Target,
    /// Whether characters beyond ASCII may be drawn.
    pub unicode: bool,
    /// The mistakes in the settings file, for the user to read.
    pub problems: Vec<Problem>,
    /// The folder of the log and the records; `None` without a home. It may not exist yet.
    pub state_dir: Option<PathBuf>,
}

impl Settings {
    /// Reads the settings file without choosing a server, which takes no token.
    ///
    /// # Errors
    /// Where the file that `--config` names cannot be read.
    pub fn load(flags: &Flags, env: &Environment) -> Result<(Self, Vec<Problem>), UsageError> {
        Ok(SettingsFile::open(flags, env)?.settings())
    }
}

impl Start {
    /// Reads the settings file and decides. A file that is wrong, or unreadable without having been named by a flag,
    /// is told in the problems.
    ///
    /// # Errors
    /// A mistake on the command line or in the environment.
    pub fn load(flags: &Flags, env: &Environment) -> Result<Self, UsageError> {
        let file = SettingsFile::open(flags, env)?;
        let (mut settings, mut problems) = file.settings();
        if env.no_color() {
            settings.theme = ThemeChoice::Mono;
        }
        settings.log_level = flags.log_level.unwrap_or(settings.log_level);
        let (target, problem) = resolve(flags, env, &settings, &file.folder, &problems)?;
        problems.extend(problem.map(|problem| problem.in_file(settings.file.as_deref())));
        let unicode = match settings.glyphs {
            GlyphsChoice::Unicode => true,
            GlyphsChoice::Ascii => false,
            GlyphsChoice::Auto => env.is_utf8(),
        };
        Ok(Self { settings, target, unicode, problems, state_dir: env.state_dir().map(Path::to_owned) })
    }
}

/// The settings file as it was found.
struct SettingsFile {
    /// As a problem names it.
    name: Option<String>,
    folder: PathBuf,
    text: String,
    private: bool,
    problem: Option<Problem>,
}

impl SettingsFile {
    fn open(flags: &Flags, env: &Environment) -> Result<Self, UsageError> {
        let Some(path) = flags.config.clone().or_else(|| env.config_file()) else {
            return Ok(Self { name: None, folder: PathBuf::new(), text: String::new(), private: true, problem: None });
        };
        let folder = path.parent().map(Path::to_owned).unwrap_or_default();
        let name = Some(env.abbreviated(&path));
        match read(&path) {
            Ok((text, private)) => Ok(Self { name, folder, text, private, problem: None }),
            Err(error) if flags.config.is_some() => Err(UsageError::Config { path, why: error.to_string() }),
            Err(error) => {
                let problem = (error.kind() != io::ErrorKind::NotFound)
                    .then(|| Problem::file(format!("cannot be read: {error}; using the defaults")));
                Ok(Self { name, folder, text: String::new(), private: true, problem })
            }
        }
    }

    /// The settings, without the tokens that others could read.
    fn settings(&self) -> (Settings, Vec<Problem>) {
        let (mut settings, mut problems) = Settings::parse(&self.text);
        problems.extend(self.problem.clone());
        if !self.private {
            for (name, profile) in &mut settings.profiles {
                for (key, source) in [("token", &mut profile.token), ("automation_key", &mut profile.automation_key)] {
                    if let Some(TokenSource::Inline { line, .. }) = *source {
                        *source = None;
                        let why =
                            format!("is ignored because others can read this file (chmod 600, or use {key}_file)");
                        problems.push(Problem::key(line, format!("profiles.{name}.{key}"), why));
                    }
                }
            }
        }
        settings.file.clone_from(&self.name);
        let problems = problems.into_iter().map(|problem| problem.in_file(self.name.as_deref())).collect();
        (settings, problems)
    }
}

/// A file's text, and whether its owner alone can read it.
fn read(path: &Path) -> io::Result<(String, bool)> {
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let mut text = String::new();
    let length = file.take(FILE_MAX + 1).read_to_string(&mut text)?;
    if length as u64 > FILE_MAX {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    Ok((text, is_private(metadata.permissions().mode())))
}
