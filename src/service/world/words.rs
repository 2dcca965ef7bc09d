//! The words a world file may use. Unlike the words on the wire, one that is not listed is a mistake.

use crate::api::{
    AssistantMode, AssistantStatus, AssistantType, DocumentStatus, DocumentType, QualityRating, SenderStatus,
    TemplateCategory, TemplateStatus, ToolMethod,
};
use serde::{Deserialize, Deserializer, de};

/// A value written as one word of a fixed list.
pub(super) trait Word: Clone + 'static {
    /// Every word there is.
    fn all() -> &'static [Self];
    /// The word itself.
    fn word(&self) -> &str;
}

/// Reads a word of the list, and names the list where it is none.
pub(super) struct Listed<T>(pub(super) T);

impl<'de, T: Word> Deserialize<'de> for Listed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        T::all().iter().find(|known| known.word() == text).cloned().map(Self).ok_or_else(|| {
            let known: Vec<_> = T::all().iter().map(Word::word).collect();
            de::Error::custom(format!("unknown word \"{text}\", expected one of: {}", known.join(", ")))
        })
    }
}

/// Declares an enum of words.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// Every one there is.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word, the same in the world file and on the wire.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl Word for $name {
            fn all() -> &'static [Self] {
                Self::ALL
            }

            fn word(&self) -> &str {
                self.as_str()
            }
        }
    };
}

/// Takes the words that the contract lists, and no others.
macro_rules! wire_words {
    ($($name:ident),+) => {
        $(impl Word for $name {
            fn all() -> &'static [Self] {
                Self::KNOWN
            }

            fn word(&self) -> &str {
                self.as_str()
            }
        })+
    };
}

wire_words!(AssistantType, AssistantMode, AssistantStatus, DocumentType, DocumentStatus);
wire_words!(SenderStatus, QualityRating, TemplateCategory, TemplateStatus, ToolMethod);

words! {
    /// What a user's balance counts.
    UserKind {
        /// Credits.
        Tenant = "tenant",
        /// Minutes.
        Direct = "direct",
    }
}
