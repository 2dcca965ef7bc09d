//! Roles by meaning and how each looks. The terminal's own sixteen colours, or none at all.

use crate::config::{Settings, ThemeChoice};
use ratatui::style::{Color, Modifier, Style};

/// How each role is drawn. No two states differ by colour alone: a glyph and a word go with each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Theme {
    /// The focus, and the name of what is selected there; nothing else.
    pub accent: Style,
    /// What matters.
    pub strong: Style,
    /// What supports it.
    pub dim: Style,
    /// A state that is as it should be.
    pub good: Style,
    /// A state to keep an eye on.
    pub warning: Style,
    /// A state that is wrong.
    pub failed: Style,
    /// What changed a moment ago.
    pub fresh: Style,
    /// Letters that match what was typed.
    pub matched: Style,
    /// The selected row of the list that has the focus, over whatever its cells look like.
    pub row: Style,
    /// The selected row of another list.
    pub row_unfocused: Style,
    /// The badge of the profile.
    pub badge: Style,
    /// A string in JSON.
    pub json_string: Style,
    /// A number or a word in JSON.
    pub json_scalar: Style,
}

impl Theme {
    /// The theme that the settings choose, in their accent colour.
    pub fn new(settings: &Settings) -> Self {
        match settings.theme {
            ThemeChoice::Terminal => Self::terminal(Color::Indexed(settings.accent as u8)),
            ThemeChoice::Mono => Self::mono(),
        }
    }

    /// The terminal's own colours, with this one for the focus.
    pub const fn terminal(accent: Color) -> Self {
        let bold = Style::new().add_modifier(Modifier::BOLD);
        Self {
            accent: Style::new().fg(accent).add_modifier(Modifier::BOLD),
            strong: Style::new().add_modifier(Modifier::BOLD),
            dim: Style::new().add_modifier(Modifier::DIM),
            good: Style::new().fg(Color::Green),
            warning: Style::new().fg(Color::Yellow),
            failed: Style::new().fg(Color::Red).add_modifier(Modifier::BOLD),
            fresh: Style::new().fg(Color::Green).add_modifier(Modifier::BOLD),
            matched: Style::new().fg(accent).add_modifier(Modifier::UNDERLINED),
            // Both colours are set: what is readable on a grey is not the terminal's own foreground on every terminal.
            row: Style::new().fg(Color::White).bg(Color::DarkGray).remove_modifier(Modifier::DIM),
            row_unfocused: bold.remove_modifier(Modifier::DIM),
            badge: Style::new().add_modifier(Modifier::REVERSED),
            json_string: Style::new().fg(Color::Green),
            json_scalar: Style::new().fg(Color::Magenta),
        }
    }

    /// No colours: bold, dim, underlined and reversed carry the meaning.
    pub const fn mono() -> Self {
        let (plain, bold) = (Style::new(), Style::new().add_modifier(Modifier::BOLD));
        Self {
            accent: bold,
            good: plain,
            warning: bold,
            failed: bold,
            fresh: bold,
            matched: Style::new().add_modifier(Modifier::UNDERLINED),
            row: Style::new().add_modifier(Modifier::REVERSED).remove_modifier(Modifier::DIM),
            json_string: plain,
            json_scalar: bold,
            // The rest has no colour in any theme.
            ..Self::terminal(Color::Reset)
        }
    }
}

/// The signs of the interface; each has a twin in ASCII.
#[derive(Debug, PartialEq, Eq)]
pub struct Glyphs {
    /// Beside the selected row.
    pub marker: &'static str,
    /// Connected, done.
    pub full: &'static str,
    /// Not connected.
    pub hollow: &'static str,
    /// Under way.
    pub half: &'static str,
    /// Needs attention.
    pub alert: &'static str,
    /// Failed, or removes something.
    pub cross: &'static str,
    /// Paused.
    pub pause: &'static str,
    /// Sorted downwards.
    pub down: &'static str,
    /// Sorted upwards.
    pub up: &'static str,
    /// A horizontal line.
    pub horizontal: &'static str,
    /// A vertical line.
    pub vertical: &'static str,
    /// Something was cut.
    pub ellipsis: &'static str,
    /// Between parts of a sentence.
    pub dot: &'static str,
    /// Nothing to show.
    pub none: &'static str,
    /// The Return key.
    pub enter: &'static str,
    /// A placeholder of a row that is loading.
    pub placeholder: &'static str,
    /// The steps of a spinner.
    pub spinner: &'static [&'static str],
    /// The left and right edge of the badge.
    pub badge: [&'static str; 2],
    /// What something leads to.
    pub arrow: &'static str,
    /// The left and right edge of a placeholder in a text.
    pub placeholders: [&'static str; 2],
    /// The steps in which a cell of a gauge fills.
    pub gauge: &'static [&'static str],
    /// A cell of a gauge that is empty.
    pub track: &'static str,
    /// The part of a scroll bar that stands for what is in view.
    pub bar: &'static str,
}

impl Glyphs {
    /// For terminals that show Unicode.
    pub const UNICODE: Self = Self {
        marker: "▌",
        full: "●",
        hollow: "○",
        half: "◐",
        alert: "▲",
        cross: "✕",
        pause: "‖",
        down: "▾",
        up: "▴",
        horizontal: "─",
        vertical: "│",
        ellipsis: "…",
        dot: "·",
        none: "–",
        enter: "↵",
        placeholder: "░",
        spinner: &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"],
        badge: ["▐", "▌"],
        arrow: "→",
        placeholders: ["⟨", "⟩"],
        gauge: &["╸", "━"],
        track: "─",
        bar: "▐",
    };

    /// For those that do not.
    pub const ASCII: Self = Self {
        marker: ">",
        full: "*",
        hollow: "o",
        half: "~",
        alert: "^",
        cross: "x",
        pause: "=",
        down: "v",
        up: "^",
        horizontal: "-",
        vertical: "|",
        ellipsis: "~",
        dot: "-",
        none: "-",
        enter: "Enter",
        placeholder: ".",
        spinner: &["|", "/", "-", "\\"],
        badge: ["[", "]"],
        arrow: "->",
        placeholders: ["<", ">"],
        gauge: &["="],
        track: ".",
        bar: "#",
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_no_role_has_one() {
        let mono = Theme::mono();
        for style in
            [mono.accent, mono.good, mono.warning, mono.failed, mono.fresh, mono.json_string, mono.badge, mono.row]
        {
            assert_eq!((style.fg, style.bg), (None, None));
        }
    }

    #[test]
    fn the_ascii_signs_are_ascii() {
        let shown = format!("{:?}", Glyphs::ASCII);
        assert!(shown.is_ascii(), "{shown}");
    }
}
