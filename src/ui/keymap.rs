//! Which key does what, where: the tables of bindings with the user's own keys laid over them.

use super::action::{Action, Binding, Scope};
use super::input::Key;
use crate::config::{KeyOverride, Problem, nearest};
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

/// The way out that no setting can take away.
pub const ALWAYS_QUITS: Key = Key::ctrl('c');

/// The keys in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    bindings: Vec<&'static Binding>,
    /// The keys of each of them, in the same order.
    keys: Vec<Vec<Key>>,
    lookup: HashMap<(Scope, Key), usize>,
}

impl Keymap {
    /// The default keys with the user's laid over them, and the problems of those, by line.
    ///
    /// An unknown action, an unreadable key, or a key that two actions of one scope claim is a problem and skipped.
    pub fn new(bindings: Vec<&'static Binding>, overrides: &BTreeMap<String, KeyOverride>) -> (Self, Vec<Problem>) {
        let mut problems = Vec::new();
        let mut keys: Vec<Vec<Key>> =
            bindings.iter().map(|binding| binding.keys.iter().filter_map(|key| key.parse().ok()).collect()).collect();
        // The line of each action whose keys are the user's own.
        let mut own = vec![None; bindings.len()];
        for (name, &KeyOverride { line, keys: ref texts }) in overrides {
            let mut problem = |text: &str| problems.push(Problem::key(line, format!("keys.{name}"), text));
            let Some(at) = bindings.iter().position(|binding| binding.name == name) else {
                let meant = nearest(name, bindings.iter().map(|binding| binding.name));
                let meant = meant.map(|meant| format!("did you mean {meant}?"));
                let lists = || "`switchboard config keys` lists all actions".to_owned();
                problem(&format!("is not an action; {}", meant.unwrap_or_else(lists)));
                continue;
            };
            let mut given = Vec::new();
            for text in texts {
                match text.parse::<Key>() {
                    Ok(ALWAYS_QUITS) if bindings[at].action != Action::Quit => {
                        problem(&format!("{ALWAYS_QUITS} always quits"));
                    }
                    Ok(key) => given.push(key),
                    Err(no_key) => problem(&no_key.to_string()),
                }
            }
            if !given.is_empty() || texts.is_empty() {
                (keys[at], own[at]) = (given, Some(line));
            }
        }
        give_way(&bindings, &mut keys, &own);
        // The user's keys are entered first, so a default that clashes with one gives way to it.
        let mut lookup = HashMap::new();
        let (first, then): (Vec<_>, Vec<_>) = (0..bindings.len()).partition(|at| own[*at].is_some());
        for at in first.into_iter().chain(then) {
            keys[at].retain(|key| match lookup.entry((bindings[at].scope, *key)) {
                Entry::Vacant(free) => {
                    free.insert(at);
                    true
                }
                Entry::Occupied(taken) => {
                    if let Some(line) = own[at] {
                        let (name, first) = (bindings[at].name, bindings[*taken.get()].name);
                        let message = format!("{key} is already \"{first}\"");
                        problems.push(Problem::key(line, format!("keys.{name}"), message));
                    }
                    false
                }
            });
        }
        problems.sort_by_key(|problem| problem.line);
        (Self { bindings, keys, lookup }, problems)
    }

    /// What a key does where these scopes hold, the narrowest first.
    pub fn action(&self, scopes: &[Scope], key: Key) -> Option<Action> {
        scopes.iter().find_map(|scope| self.lookup.get(&(*scope, key))).map(|at| self.bindings[*at].action)
    }

    /// True where an action changes something on the server, if it is done where these scopes hold.
    pub fn writes(&self, scopes: &[Scope], action: Action) -> bool {
        let row = |scope: &Scope| self.bindings.iter().find(|row| row.scope == *scope && row.action == action);
        scopes.iter().find_map(row).is_some_and(|row| row.writes)
    }

    /// All bindings with their keys in force, in the order of their tables.
    pub fn bindings(&self) -> impl Iterator<Item = (&'static Binding, &[Key])> {
        self.bindings.iter().copied().zip(self.keys.iter().map(Vec::as_slice))
    }

    /// The rows of the table that hold where these scopes do, the narrowest first, each with those of its keys that do
    /// what it says there: a key that a narrower scope has taken is not among them.
    pub fn listed(&self, scopes: &[Scope]) -> impl Iterator<Item = (&'static Binding, Vec<Key>)> {
        let rows = move |scope: &Scope| {
            let scope = *scope;
            self.bindings.iter().copied().zip(&self.keys).filter(move |(binding, _)| binding.scope == scope)
        };
        scopes.iter().flat_map(rows).map(move |(binding, keys)| {
            let leads_here = |key: &Key| self.action(scopes, *key) == Some(binding.action);
            (binding, keys.iter().copied().filter(leads_here).collect())
        })
    }

    /// The first key that does this where these scopes hold.
    pub fn first_key(&self, scopes: &[Scope], action: Action) -> Option<Key> {
        self.listed(scopes).filter(|(binding, _)| binding.action == action).find_map(|(_, keys)| keys.first().copied())
    }
}

/// Takes a default key away where the user has given it to something that holds in a wider scope: what a person writes
/// down for everywhere holds everywhere.
fn give_way(bindings: &[&'static Binding], keys: &mut [Vec<Key>], own: &[Option<usize>]) {
    let given = (0..bindings.len()).filter(|at| own[*at].is_some());
    let given: Vec<_> = given.flat_map(|at| keys[at].iter().map(move |key| (bindings[at], *key))).collect();
    for (at, binding) in bindings.iter().enumerate().filter(|(at, _)| own[*at].is_none()) {
        keys[at].retain(|key| {
            let goes_wider = |wider: &Binding| wider.scope.breadth > binding.scope.breadth;
            !given.iter().any(|(wider, taken)| taken == key && goes_wider(wider) && wider.action != binding.action)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::action::Turn;
    use crate::ui::panes::{activity, conversations, messaging};
    use crate::ui::registry;

    const LIST: &[Scope] = &[conversations::LIST, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
    const NARROW: [Scope; 4] = [conversations::LIST, conversations::INSPECTOR, messaging::PARTS, activity::LIST];

    #[test]
    fn no_default_key_is_given_twice_in_one_place() {
        for (binding, keys) in Keymap::default().bindings() {
            assert_eq!(keys.len(), binding.keys.len(), "a key of {} is taken or unreadable", binding.name);
        }
        let mut names: Vec<_> = registry::bindings().iter().map(|binding| binding.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), registry::bindings().len(), "names are unique");
    }

    #[test]
    fn no_required_key_needs_alt() {
        assert!(registry::bindings().iter().all(|binding| binding.keys.iter().all(|key| !key.contains("alt"))));
    }

    fn with(keys: &[(&str, usize, &str)]) -> (Keymap, Vec<Problem>) {
        let given = |&(name, line, keys): &(&str, usize, &str)| {
            let keys = keys.split(' ').map(str::to_owned).collect();
            (name.to_owned(), KeyOverride { line, keys })
        };
        Keymap::with_overrides(&keys.iter().map(given).collect())
    }

    #[test]
    fn the_users_keys_replace_the_defaults_and_win_a_clash() {
        let (keymap, problems) = with(&[("next-page", 1, "j")]);
        assert_eq!(problems, []);
        assert_eq!(keymap.action(LIST, Key::char('j')), Some(Action::Turn(Turn::Next)));
        assert_eq!(keymap.action(LIST, Key::char('n')), None);
    }

    #[test]
    fn a_key_given_for_everywhere_is_taken_from_the_defaults_of_every_pane() {
        let (keymap, problems) = with(&[("quit", 1, "x")]);
        assert_eq!(problems, []);
        for narrow in NARROW {
            let scopes = [narrow, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
            assert_eq!(keymap.action(&scopes, Key::char('x')), Some(Action::Quit), "{narrow:?}");
        }
        assert_eq!(keymap.first_key(LIST, Action::Quit), Some(Key::char('x')));
        assert_eq!(keymap.first_key(LIST, Action::ClearFilters), None);
    }

    #[test]
    fn the_users_own_key_of_a_pane_stays_there_beside_the_same_key_for_everywhere() {
        let (keymap, _) = with(&[("quit", 1, "x"), ("clear-filters", 2, "x")]);
        assert_eq!(keymap.action(LIST, Key::char('x')), Some(Action::ClearFilters));
        assert_eq!(keymap.first_key(LIST, Action::Quit), None, "no key of the list quits, so none is named");
    }

    #[test]
    fn every_key_that_is_listed_does_what_it_says() {
        let (keymap, _) = with(&[("next-page", 1, "j q esc")]);
        for narrow in NARROW {
            let scopes = [narrow, Scope::MOVING, Scope::PANES, Scope::EVERYWHERE];
            for (binding, keys) in keymap.listed(&scopes) {
                for key in keys {
                    assert_eq!(keymap.action(&scopes, key), Some(binding.action), "{key} in {narrow:?}");
                }
            }
        }
    }

    #[test]
    fn what_cannot_be_used_is_told_with_its_line_and_skipped() {
        let (keymap, problems) = with(&[
            ("next_page", 9, "f"),
            ("next-page", 7, "hyper-x"),
            ("filter", 6, "f"),
            ("narrow", 8, "f"),
            ("copy", 10, "ctrl-c"),
            ("fly", 11, "f"),
        ]);
        let said: Vec<_> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(said[0], "line 6: keys.filter: f is already \"narrow\"");
        assert!(said[1].starts_with("line 7: keys.next-page: "), "{said:?}");
        assert_eq!(said[2], "line 9: keys.next_page: is not an action; did you mean next-page?");
        assert_eq!(said[3], "line 10: keys.copy: ctrl-c always quits");
        assert_eq!(said[4], "line 11: keys.fly: is not an action; `switchboard config keys` lists all actions");
        assert_eq!(keymap.action(LIST, Key::char('n')), Some(Action::Turn(Turn::Next)));
        assert_eq!(keymap.action(LIST, Key::char('f')), Some(Action::Narrow), "the first in the table keeps it");
        assert_eq!(keymap.first_key(LIST, Action::Copy), Some(Key::char('y')));
    }
}
