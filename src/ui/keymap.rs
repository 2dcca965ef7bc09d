//! Which key does what, where: the tables of bindings with the user's own keys laid over them.

use super::action::{Action, Binding, Scope};
use super::input::Key;
use crate::config::{KeyOverride, Problem, nearest};
use std::collections::{BTreeMap, HashMap};

/// The way out that no setting can take away.
pub const ALWAYS_QUITS: Key = Key::ctrl('c');

/// A binding with its keys in force.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    binding: &'static Binding,
    keys: Vec<Key>,
    /// The line of the settings that gives the keys; `None` for the default keys.
    line: Option<usize>,
}

/// The keys in force.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keymap {
    rows: Vec<Row>,
    lookup: HashMap<(Scope, Key), &'static Binding>,
}

impl Keymap {
    /// The default keys with the user's laid over them, and the problems of those, by line.
    ///
    /// An unknown action, an unreadable key, or a key that two actions of one scope claim is a problem and skipped.
    pub fn new(bindings: Vec<&'static Binding>, overrides: &BTreeMap<String, KeyOverride>) -> (Self, Vec<Problem>) {
        let default = |binding: &Binding| binding.keys.iter().filter_map(|key| key.parse().ok()).collect();
        let rows = bindings.into_iter().map(|binding| Row { binding, keys: default(binding), line: None });
        let (mut rows, mut problems): (Vec<_>, _) = (rows.collect(), Vec::new());
        for (name, KeyOverride { line, keys }) in overrides {
            let mut problem = |text: &str| problems.push(Problem::key(*line, format!("keys.{name}"), text));
            let Some(at) = rows.iter().position(|row| row.binding.name == name) else {
                let meant = nearest(name, rows.iter().map(|row| row.binding.name));
                let meant = meant.map(|meant| format!("did you mean {meant}?"));
                let lists = || "`switchboard config keys` lists all actions".to_owned();
                problem(&format!("is not an action; {}", meant.unwrap_or_else(lists)));
                continue;
            };
            let mut given = Vec::new();
            for text in keys {
                match text.parse::<Key>() {
                    Ok(ALWAYS_QUITS) if rows[at].binding.action != Action::Quit => {
                        problem(&format!("{ALWAYS_QUITS} always quits"));
                    }
                    Ok(key) => given.push(key),
                    Err(no_key) => problem(&no_key.to_string()),
                }
            }
            if !given.is_empty() || keys.is_empty() {
                (rows[at].keys, rows[at].line) = (given, Some(*line));
            }
        }
        give_way(&mut rows);
        // The user's keys are entered first, so a default that clashes with one gives way to it.
        let mut lookup = HashMap::new();
        let (own, default): (Vec<_>, Vec<_>) = rows.iter_mut().partition(|row| row.line.is_some());
        for Row { binding, keys, line } in own.into_iter().chain(default) {
            keys.retain(|key| {
                let first = *lookup.entry((binding.scope, *key)).or_insert(*binding);
                if let Some(line) = line.filter(|_| first != *binding) {
                    let message = format!("{key} is already \"{}\"", first.name);
                    problems.push(Problem::key(line, format!("keys.{}", binding.name), message));
                }
                first == *binding
            });
        }
        problems.sort_by_key(|problem| problem.line);
        (Self { rows, lookup }, problems)
    }

    /// What a key does where these scopes hold, the narrowest first.
    pub fn action(&self, scopes: &[Scope], key: Key) -> Option<Action> {
        scopes.iter().find_map(|scope| self.lookup.get(&(*scope, key))).map(|binding| binding.action)
    }

    /// True where an action changes something on the server, if it is done where these scopes hold.
    pub fn writes(&self, scopes: &[Scope], action: Action) -> bool {
        let row =
            |scope: &Scope| self.rows.iter().find(|row| row.binding.scope == *scope && row.binding.action == action);
        scopes.iter().find_map(row).is_some_and(|row| row.binding.writes)
    }

    /// All bindings with their keys in force, in the order of their tables.
    pub fn bindings(&self) -> impl Iterator<Item = (&'static Binding, &[Key])> {
        self.rows.iter().map(|row| (row.binding, row.keys.as_slice()))
    }

    /// The bindings that hold where these scopes do, the narrowest first, each with those of its keys that do what it
    /// says there: a key that a narrower scope has taken is not among them.
    pub fn listed(&self, scopes: &[Scope]) -> impl Iterator<Item = (&'static Binding, impl Iterator<Item = Key>)> {
        let rows = scopes.iter().flat_map(move |scope| self.bindings().filter(move |(row, _)| row.scope == *scope));
        rows.map(move |(binding, keys)| {
            let leads_here = move |key: &Key| self.action(scopes, *key) == Some(binding.action);
            (binding, keys.iter().copied().filter(leads_here))
        })
    }

    /// The first key that does this where these scopes hold.
    pub fn first_key(&self, scopes: &[Scope], action: Action) -> Option<Key> {
        self.listed(scopes).filter(|(binding, _)| binding.action == action).find_map(|(_, mut keys)| keys.next())
    }
}

/// Takes a default key away where the user has given it to something that holds in a wider scope: what a person writes
/// down for everywhere holds everywhere.
fn give_way(rows: &mut [Row]) {
    let own = rows.iter().filter(|row| row.line.is_some());
    let own: Vec<_> = own.flat_map(|row| row.keys.iter().map(|key| (row.binding, *key))).collect();
    for Row { binding, keys, .. } in rows.iter_mut().filter(|row| row.line.is_none()) {
        let wider = |other: &Binding| other.scope.breadth > binding.scope.breadth && other.action != binding.action;
        keys.retain(|key| !own.iter().any(|(other, taken)| taken == key && wider(other)));
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
