//! A text in the user's own editor.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Opens a text in `$VISUAL`, `$EDITOR` or `vi`, and returns it as it was left. The file that holds it meanwhile can be
/// read by its owner only, and is deleted.
///
/// # Errors
/// Why there is no new text, in words without a full stop. A file that cannot be read as text stays, and is named.
pub fn edit(text: &str) -> Result<String, String> {
    let named = ["VISUAL", "EDITOR"].into_iter().filter_map(|name| std::env::var(name).ok());
    let editor = named.into_iter().find(|editor| !editor.trim().is_empty()).unwrap_or_else(|| "vi".to_owned());
    let (mut file, path) = create().map_err(|error| format!("no file can be made for the editor ({error})"))?;
    let result = file
        .write_all(text.as_bytes())
        .map_err(|error| format!("the text cannot be written to {} ({error})", path.display()))
        .and_then(|()| run(&editor, &path));
    if let Err(why) = result {
        // The text is still in its field.
        let _ = std::fs::remove_file(&path);
        return Err(why);
    }
    let edited =
        std::fs::read_to_string(&path).map_err(|error| format!("{} cannot be read ({error})", path.display()))?;
    let _ = std::fs::remove_file(&path);
    // Editors end the last line; the user did not.
    let ended = !text.ends_with('\n') && edited.ends_with('\n');
    Ok(edited[..edited.len() - usize::from(ended)].to_owned())
}

fn create() -> io::Result<(File, PathBuf)> {
    let dir = std::env::temp_dir();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut number = 0;
    loop {
        let path = dir.join(format!("switchboard-{}-{number}.txt", std::process::id()));
        match options.open(&path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 100 => number += 1,
            result => return result.map(|file| (file, path)),
        }
    }
}

/// Runs the editor as a shell does: its variable may hold options.
fn run(editor: &str, path: &Path) -> Result<(), String> {
    let status = Command::new("sh").arg("-c").arg(format!("{editor} \"$1\"")).arg("sh").arg(path).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the editor \"{editor}\" ended with {status}")),
        Err(error) => Err(format!("the editor \"{editor}\" cannot be started ({error})")),
    }
}
