//! Settings that take one word out of a few.

/// A setting with a fixed set of words.
pub trait Choice: Copy + 'static {
    /// Every value, in the order in which they are offered.
    const ALL: &'static [Self];

    /// The word in the settings file.
    fn word(self) -> &'static str;

    /// The value that a word stands for.
    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.word() == word)
    }

    /// The words, for a sentence.
    fn words() -> String {
        Self::ALL.iter().map(|choice| choice.word()).collect::<Vec<_>>().join(", ")
    }
}

/// Declares an enum that is a [`Choice`]; the variant marked `#[default]` is the default.
macro_rules! choice {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl Choice for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }
    };
}

choice! {
    /// Where colours come from.
    ThemeChoice {
        /// The terminal's own 16 colours.
        #[default]
        Terminal = "terminal",
        /// None.
        Mono = "mono",
    }
}

choice! {
    /// One of the terminal's 16 colours; the discriminant is its ANSI number.
    Colour {
        /// ANSI 0.
        Black = "black",
        /// ANSI 1.
        Red = "red",
        /// ANSI 2.
        Green = "green",
        /// ANSI 3.
        Yellow = "yellow",
        /// ANSI 4.
        Blue = "blue",
        /// ANSI 5.
        Magenta = "magenta",
        /// ANSI 6.
        #[default]
        Cyan = "cyan",
        /// ANSI 7.
        White = "white",
        /// ANSI 8.
        BrightBlack = "bright-black",
        /// ANSI 9.
        BrightRed = "bright-red",
        /// ANSI 10.
        BrightGreen = "bright-green",
        /// ANSI 11.
        BrightYellow = "bright-yellow",
        /// ANSI 12.
        BrightBlue = "bright-blue",
        /// ANSI 13.
        BrightMagenta = "bright-magenta",
        /// ANSI 14.
        BrightCyan = "bright-cyan",
        /// ANSI 15.
        BrightWhite = "bright-white",
    }
}

choice! {
    /// Which characters lines and marks are made of.
    GlyphsChoice {
        /// Unicode where the locale is UTF-8, else ASCII.
        #[default]
        Auto = "auto",
        /// Unicode.
        Unicode = "unicode",
        /// ASCII only.
        Ascii = "ascii",
    }
}

choice! {
    /// How much is logged.
    LogLevel {
        /// Nothing; no file is made.
        Off = "off",
        /// What failed.
        Error = "error",
        /// And what looks wrong.
        Warn = "warn",
        /// And what happened.
        #[default]
        Info = "info",
        /// And how.
        Debug = "debug",
        /// And every step.
        Trace = "trace",
    }
}

choice! {
    /// How alerts leave the screen.
    Notify {
        /// Not at all.
        #[default]
        Off = "off",
        /// By the terminal's bell.
        Bell = "bell",
        /// And by a notification in the words of iTerm2, Windows Terminal and others.
        Osc9 = "osc9",
        /// And by a notification in the words of rxvt, foot and others.
        Osc777 = "osc777",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads_back<T: Choice + PartialEq + std::fmt::Debug>() {
        for choice in T::ALL {
            assert_eq!(T::from_word(choice.word()), Some(*choice));
        }
        assert_eq!(T::from_word("fuchsia"), None);
    }

    #[test]
    fn every_word_reads_back() {
        reads_back::<ThemeChoice>();
        reads_back::<Colour>();
        reads_back::<GlyphsChoice>();
        reads_back::<LogLevel>();
        reads_back::<Notify>();
    }

    #[test]
    fn colours_are_numbered_as_terminals_number_them() {
        assert_eq!(Colour::ALL.len(), 16);
        assert_eq!(Colour::Cyan as u8, 6);
        assert_eq!(Colour::BrightWhite as u8, 15);
    }
}
