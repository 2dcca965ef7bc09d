//! `switchboard config`: the settings file as it is shipped, and the actions that `[keys]` can rebind.

use super::{USAGE, columns, refuse};
use crate::config::{DEFAULT_FILE, Environment, Flags, Settings};
use crate::ui::keymap::Keymap;
use clap::{Args as ClapArgs, Subcommand};
use serde_json::json;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

/// Print the default settings file, or the actions and their keys.
#[derive(Debug, ClapArgs)]
pub struct Args {
    #[command(subcommand)]
    topic: Option<Topic>,
}

#[derive(Debug, Subcommand)]
enum Topic {
    /// List every action with its keys in force, its scope and its description.
    Keys {
        /// Read the settings from this file.
        #[arg(long, value_name = "FILE")]
        config: Option<PathBuf>,
        /// Print one JSON object per line.
        #[arg(long)]
        json: bool,
    },
}

/// Prints what was asked for: 0, or 2 where the file of `--config` cannot be read.
///
/// # Errors
/// Where stdout cannot be written.
pub fn run(args: Args, env: &Environment) -> color_eyre::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let Some(Topic::Keys { config, json }) = args.topic else {
        out.write_all(DEFAULT_FILE.as_bytes())?;
        return Ok(ExitCode::SUCCESS);
    };
    let (settings, problems) = match Settings::load(&Flags { config, ..Flags::default() }, env) {
        Ok(loaded) => loaded,
        Err(mistake) => return Ok(refuse(&mistake, ExitCode::from(USAGE))),
    };
    let (keymap, misnamed) = Keymap::with_overrides(&settings.keys);
    let misnamed = misnamed.into_iter().map(|problem| problem.in_file(settings.file.as_deref()));
    problems.into_iter().chain(misnamed).for_each(|problem| eprintln!("warning: {problem}"));
    out.write_all(if json { lines(&keymap) } else { table(&keymap) }.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

fn table(keymap: &Keymap) -> String {
    let head = ["ACTION", "KEYS", "SCOPE", "DESCRIPTION"].map(str::to_owned);
    let rows = keymap.bindings().map(|(binding, keys)| {
        let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
        [binding.name.to_owned(), keys.join(" "), binding.scope.title.to_owned(), binding.says.to_owned()]
    });
    columns(&std::iter::once(head).chain(rows).collect::<Vec<_>>(), 0)
}

fn lines(keymap: &Keymap) -> String {
    let line = |(binding, keys): (&crate::ui::action::Binding, &[crate::ui::input::Key])| {
        let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
        let scope = binding.scope.title;
        format!("{}\n", json!({"action": binding.name, "keys": keys, "scope": scope, "description": binding.says}))
    };
    keymap.bindings().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::KeyOverride;
    use crate::ui::registry;

    fn keymap() -> Keymap {
        let keys = KeyOverride { line: 1, keys: vec!["x".to_owned(), "ctrl-q".to_owned()] };
        Keymap::with_overrides(&[("quit".to_owned(), keys)].into()).0
    }

    #[test]
    fn keys_lists_every_action_with_its_keys_in_force() {
        let table = table(&keymap());
        assert_eq!(table.lines().count(), registry::bindings().len() + 1);
        let quit = table.lines().find(|line| line.starts_with("quit ")).unwrap();
        assert_eq!(quit.split_whitespace().collect::<Vec<_>>(), ["quit", "x", "ctrl-q", "All", "panes", "Quit"]);
        let starts: Vec<_> = table.lines().map(|line| line.find("  ").unwrap()).collect();
        assert!(starts.iter().all(|start| *start > 0));
    }

    #[test]
    fn keys_as_json_has_one_object_per_line() {
        let lines = lines(&keymap());
        let quit = lines.lines().find(|line| line.contains("\"quit\"")).unwrap();
        let quit: serde_json::Value = serde_json::from_str(quit).unwrap();
        assert_eq!(
            quit,
            json!({"action": "quit", "keys": ["x", "ctrl-q"], "scope": "All panes", "description": "Quit"})
        );
    }
}
