//! What the user is told: toasts that go by themselves, and errors that stay until they have been read.

use super::message::{Instant, Moment};
use std::time::Duration;

/// How long a toast stays.
const TOAST: Duration = Duration::from_secs(4);
/// How many errors are kept to be read again.
const KEPT: usize = 50;

/// An error or a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What failed, why, and what to press.
    pub text: String,
    /// When it was told.
    pub at: Moment,
    /// False until it was dismissed or seen in the list of messages.
    pub read: bool,
    /// True where it is shown before others: somebody may act wrongly who does not know it.
    pub urgent: bool,
}

/// Toasts and problems.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Notices {
    toast: Option<(String, Instant)>,
    problems: Vec<Problem>,
}

impl Notices {
    /// Tells a result for a few seconds.
    pub fn toast(&mut self, text: impl Into<String>, now: Moment) {
        self.toast = Some((text.into(), now.mono + TOAST));
    }

    /// Tells a problem until it is read. The same problem again while it is unread says nothing new.
    pub fn problem(&mut self, text: impl Into<String>, at: Moment) {
        self.add(text.into(), at, false);
    }

    /// Tells a problem that is shown before others.
    pub fn urgent(&mut self, text: impl Into<String>, at: Moment) {
        self.add(text.into(), at, true);
    }

    fn add(&mut self, text: String, at: Moment, urgent: bool) {
        if self.problems.iter().any(|problem| !problem.read && problem.text == text) {
            return;
        }
        if self.problems.len() == KEPT {
            let read = self.problems.iter().position(|problem| problem.read);
            let usual = || self.problems.iter().position(|problem| !problem.urgent);
            self.problems.remove(read.or_else(usual).unwrap_or(0));
        }
        self.problems.push(Problem { text, at, read: false, urgent });
    }

    /// Lets toasts go whose time is over.
    pub fn tick(&mut self, now: Moment) {
        self.toast.take_if(|(_, until)| *until <= now.mono);
    }

    /// When the toast goes.
    pub fn next_change(&self) -> Option<Instant> {
        self.toast.as_ref().map(|(_, until)| *until)
    }

    /// The toast that is shown.
    pub fn current_toast(&self) -> Option<&str> {
        self.toast.as_ref().map(|(text, _)| text.as_str())
    }

    /// The unread problem that is shown, the newest of the urgent ones or of all, and how many are unread.
    pub fn unread(&self) -> Option<(&Problem, usize)> {
        let count = self.problems.iter().filter(|problem| !problem.read).count();
        Some((&self.problems[self.shown()?], count))
    }

    /// Dismisses the problem that is shown; false where there was none.
    pub fn dismiss(&mut self) -> bool {
        self.shown().map(|at| self.problems[at].read = true).is_some()
    }

    fn shown(&self) -> Option<usize> {
        let unread = self.problems.iter().enumerate().filter(|(_, problem)| !problem.read);
        unread.max_by_key(|(at, problem)| (problem.urgent, *at)).map(|(at, _)| at)
    }

    /// All problems have been seen.
    pub fn read_all(&mut self) {
        self.problems.iter_mut().for_each(|problem| problem.read = true);
    }

    /// The problems, the newest first.
    pub fn problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().rev()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(seconds: u64) -> Moment {
        Moment { wall: jiff::Timestamp::UNIX_EPOCH, mono: Instant::after(Duration::from_secs(seconds)) }
    }

    #[test]
    fn a_toast_goes_by_itself_and_a_problem_does_not() {
        let mut notices = Notices::default();
        notices.toast("copied", moment(0));
        notices.problem("no answer", moment(0));
        notices.tick(moment(4));
        assert_eq!(notices.current_toast(), None);
        assert_eq!(notices.unread().map(|(problem, count)| (problem.text.as_str(), count)), Some(("no answer", 1)));
        assert!(notices.dismiss());
        assert_eq!(notices.unread(), None);
        assert_eq!(notices.problems().count(), 1, "it can be read again");
    }

    #[test]
    fn the_newest_problem_is_shown_and_urgent_ones_before_it() {
        let mut notices = Notices::default();
        let shown = |notices: &Notices| notices.unread().map(|(problem, count)| (problem.text.clone(), count));
        notices.problem("refused", moment(0));
        notices.urgent("unknown", moment(1));
        for number in 0..KEPT {
            notices.problem(format!("refused {number}"), moment(2));
        }
        assert_eq!(shown(&notices), Some(("unknown".to_owned(), KEPT)), "many others do not push it out");
        assert!(notices.dismiss());
        assert_eq!(shown(&notices), Some(("refused 49".to_owned(), KEPT - 1)));
    }

    #[test]
    fn a_problem_that_repeats_is_told_once() {
        let mut notices = Notices::default();
        notices.problem("no answer", moment(0));
        notices.problem("no answer", moment(5));
        assert_eq!(notices.unread().map(|(_, count)| count), Some(1));
    }
}
