//! The task channel, for a caller that waits.

use super::SendError;
use crate::cli::dashboard::Connector;
use crate::config::Target;
use crate::tasks::{self, Answer, Effect, Event, Handle, Origin, Task, TaskId};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

/// How long the end waits for what is in flight; all has landed by then, but for a second Ctrl-C.
const GRACE: Duration = Duration::from_secs(2);

/// The task channel and what it tells. It is ended when this is dropped.
pub(super) struct TaskClient {
    tasks: Handle,
    inbox: Receiver<Event>,
    last: u64,
}

impl TaskClient {
    /// Connects to this server.
    pub(super) fn start(config: tasks::Config, target: Target) -> io::Result<Self> {
        let (sender, inbox) = channel();
        let events = Arc::new(move |event| drop(sender.send(event)));
        let connector = Arc::new(Connector::new(target.clone(), move || Ok(target.clone())));
        let connect = move || {
            let connector = Arc::clone(&connector);
            async move { connector.connect().await }
        };
        let tasks = tasks::start(config, connect, events)?;
        Ok(Self { tasks, inbox, last: 0 })
    }

    /// Gives work; its answer comes as an event of this name.
    pub(super) fn give(&mut self, task: impl Into<Task>) -> TaskId {
        self.last += 1;
        let id = TaskId(self.last);
        self.tasks.run(Effect::new(id, Origin::new("send"), task));
        id
    }

    /// Keeps a message from leaving, where it has not left; its answer still comes.
    pub(super) fn take_back(&self, id: TaskId) {
        self.tasks.take_back(id);
    }

    /// The next event, if one comes in time.
    pub(super) fn next(&self, timeout: Duration) -> Result<Option<Event>, SendError> {
        match self.inbox.recv_timeout(timeout) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(SendError::odd()),
        }
    }

    /// Asks, and waits for the answer; other events meanwhile are lost.
    pub(super) fn ask(&mut self, task: impl Into<Task>) -> Result<Answer, SendError> {
        let id = self.give(task);
        loop {
            match self.inbox.recv().map_err(|_| SendError::odd())? {
                Event::Done(report) if report.id == id => {
                    return report.result.map_err(|failure| SendError::Failed(failure.kind.to_string()));
                }
                _ => {}
            }
        }
    }
}

impl Drop for TaskClient {
    fn drop(&mut self) {
        self.tasks.shutdown(GRACE);
    }
}
