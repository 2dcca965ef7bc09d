//! Which key does what, where: the table of actions with the user's own keys laid over it.

use super::action::{Action, BINDINGS, Binding, Scope};
use super::input::Key;
use std::collections::HashMap;

/// The keys in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    /// One entry for each row of [`BINDINGS`], in its order.
    keys: Vec<Vec<Key>>,
    lookup: HashMap<(Scope, Key), usize>,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::with_overrides([]).0
    }
}

impl Keymap {
    /// The default keys with the user's laid over them: by action name, all the keys that it shall have.
    ///
    /// An unknown name, a text that is no key, or a key that is given twice in one place is told and skipped.
    pub fn with_overrides<'a>(overrides: impl IntoIterator<Item = (&'a str, &'a [String])>) -> (Self, Vec<String>) {
        let mut problems = Vec::new();
        let read = |text: &str| text.parse::<Key>();
        let mut keys: Vec<Vec<Key>> =
            BINDINGS.iter().map(|binding| binding.keys.iter().filter_map(|key| read(key).ok()).collect()).collect();
        let mut own = vec![false; BINDINGS.len()];
        for (name, texts) in overrides {
            let Some(at) = BINDINGS.iter().position(|binding| binding.name == name) else {
                problems.push(format!("keys: there is no action \"{name}\""));
                continue;
            };
            let mut given = Vec::new();
            for text in texts {
                match read(text) {
                    Ok(key) => given.push(key),
                    Err(problem) => problems.push(format!("keys: {name}: {problem}")),
                }
            }
            if !given.is_empty() || texts.is_empty() {
                (keys[at], own[at]) = (given, true);
            }
        }
        // The user's keys are entered first, so a default that clashes with one gives way to it.
        let mut lookup = HashMap::new();
        let order = (0..BINDINGS.len()).filter(|at| own[*at]).chain((0..BINDINGS.len()).filter(|at| !own[*at]));
        for at in order {
            keys[at].retain(|key| match lookup.insert((BINDINGS[at].scope, *key), at) {
                None => true,
                Some(first) => {
                    lookup.insert((BINDINGS[at].scope, *key), first);
                    if own[at] {
                        problems.push(format!(
                            "keys: {key} is already \"{}\"; \"{}\" goes without it",
                            BINDINGS[first].name, BINDINGS[at].name
                        ));
                    }
                    false
                }
            });
        }
        (Self { keys, lookup }, problems)
    }

    /// What a key does where these scopes hold, the narrowest first.
    pub fn action(&self, scopes: &[Scope], key: Key) -> Option<Action> {
        scopes.iter().find_map(|scope| self.lookup.get(&(*scope, key))).map(|at| BINDINGS[*at].action)
    }

    /// The rows of the table that hold in a scope, with the keys in force.
    pub fn in_scope(&self, scope: Scope) -> impl Iterator<Item = (&'static Binding, &[Key])> {
        BINDINGS
            .iter()
            .zip(&self.keys)
            .filter(move |(binding, _)| binding.scope == scope)
            .map(|(b, k)| (b, k.as_slice()))
    }

    /// The first key of an action where these scopes hold.
    pub fn first_key(&self, scopes: &[Scope], action: Action) -> Option<Key> {
        scopes
            .iter()
            .flat_map(|scope| self.in_scope(*scope))
            .find(|(binding, _)| binding.action == action)
            .and_then(|(_, keys)| keys.first().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::action::Turn;

    const LIST: &[Scope] = &[Scope::Conversations, Scope::Moving, Scope::Everywhere];

    #[test]
    fn no_default_key_is_given_twice_in_one_place() {
        for (binding, keys) in BINDINGS.iter().zip(&Keymap::default().keys) {
            assert_eq!(keys.len(), binding.keys.len(), "a key of {} is taken or unreadable", binding.name);
        }
        let mut names: Vec<_> = BINDINGS.iter().map(|binding| binding.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), BINDINGS.len(), "names are unique");
    }

    #[test]
    fn no_required_key_needs_alt() {
        assert!(BINDINGS.iter().all(|binding| binding.keys.iter().all(|key| !key.contains("alt"))));
    }

    #[test]
    fn the_users_keys_replace_the_defaults_and_win_a_clash() {
        let own = ["j".to_owned()];
        let (keymap, problems) = Keymap::with_overrides([("next-page", own.as_slice())]);
        assert_eq!(problems, Vec::<String>::new());
        assert_eq!(keymap.action(LIST, Key::char('j')), Some(Action::Turn(Turn::Next)));
        assert_eq!(keymap.action(LIST, Key::char('n')), None);
    }

    #[test]
    fn what_cannot_be_used_is_told_and_skipped() {
        let (bad, taken) = (["hyper-x".to_owned()], ["f".to_owned()]);
        let (keymap, problems) = Keymap::with_overrides([
            ("fly", taken.as_slice()),
            ("next-page", bad.as_slice()),
            ("filter", taken.as_slice()),
            ("narrow", taken.as_slice()),
        ]);
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert_eq!(keymap.action(LIST, Key::char('n')), Some(Action::Turn(Turn::Next)));
        assert_eq!(keymap.action(LIST, Key::char('f')), Some(Action::Narrow), "the first in the table keeps it");
    }
}
