//! The states of the app that look different from each other, each with the way that leads there.

use crate::support::canned::{self, Canned, Mood, Paging};
use crate::support::pure::Pure;
use crate::support::story::{Clocked as _, Story};
use std::time::Duration;
use switchboard::api::ErrorBody;
use switchboard::client::FailureKind;
use switchboard::tasks::Event;
use switchboard::ui::theme::{Glyphs, Theme};
use switchboard::ui::{Message, Options, Place};

/// A state with its name.
pub type Scene = (&'static str, fn((u16, u16)) -> Pure);

pub fn told(mut stage: Pure, tell: fn(&mut Story<Pure>)) -> Pure {
    let mut story = Story(stage);
    tell(&mut story);
    stage = story.0;
    stage
}

pub fn shown(size: (u16, u16), tell: fn(&mut Story<Pure>)) -> Pure {
    told(Pure::connected(size, Options::default(), Canned::default()), tell)
}

pub fn with(size: (u16, u16), server: Canned, tell: fn(&mut Story<Pure>)) -> Pure {
    told(Pure::connected(size, Options::default(), server), tell)
}

pub fn remote() -> Options {
    Options { place: Place::Profile("live".to_owned()), read_only: true, ..Options::default() }
}

pub fn unreachable() -> Mood {
    Mood::Failing(FailureKind::Unreachable("connection refused".to_owned()))
}

/// What the server says to a token that it does not know.
fn refused() -> Mood {
    let body = Some(ErrorBody::message("Unauthenticated."));
    Mood::Failing(FailureKind::Status { status: 401, body, retry_after: None })
}

/// The server has no conversations, or none but these.
pub fn only(rows: Vec<switchboard::api::Conversation>) -> Canned {
    Canned { rows, ..Canned::default() }
}

/// All of them.
pub fn all() -> impl Iterator<Item = &'static Scene> {
    SCENES.iter().chain(super::desk::SCENES).chain(super::bulk::SCENES).chain(super::messaging_compose::SCENES)
}

const SCENES: &[Scene] = &[
    ("conversations", |size| shown(size, |_| {})),
    ("changed rows", |size| {
        let mut stage = shown(size, |_| {});
        for at in [1, 4] {
            stage.server.rows[at].message_count = 99.into();
        }
        told(stage, |story| {
            story.press("j j").passes(5);
        })
    }),
    ("another page", |size| {
        shown(size, |story| {
            story.press("n j j j");
        })
    }),
    ("inspector", |size| {
        shown(size, |story| {
            story.press("enter");
        })
    }),
    ("inspector raw", |size| {
        shown(size, |story| {
            story.press("j j v v");
        })
    }),
    ("filter form", |size| {
        shown(size, |story| {
            story.press("f right tab");
        })
    }),
    ("filter form with a fault", |size| {
        shown(size, |story| {
            story.press("f").types("m").press("tab").types("rec").press("tab").types("2026-13-01");
        })
    }),
    ("filtered", |size| {
        shown(size, |story| {
            story
                .press("f")
                .types("m")
                .press("tab")
                .types("Reception")
                .press("tab")
                .types("2026-11-01..")
                .press("enter");
        })
    }),
    ("narrowing", |size| {
        shown(size, |story| {
            story.press("/").types("recep");
        })
    }),
    ("narrowed to nothing", |size| {
        shown(size, |story| {
            story.press("/").types("zzz");
        })
    }),
    ("help", |size| {
        shown(size, |story| {
            story.press("?");
        })
    }),
    ("palette", |size| {
        shown(size, |story| {
            story.press(":").types("page").press("down");
        })
    }),
    ("jump with a fault", |size| {
        shown(size, |story| {
            story.press("#").types("77").press("enter");
        })
    }),
    ("activity", |size| {
        shown(size, |story| {
            story.press("n N 8");
        })
    }),
    ("activity with polls", |size| {
        shown(size, |story| {
            story.press("n N 8 a enter");
        })
    }),
    ("activity narrowed", |size| {
        shown(size, |story| {
            story.press("r n N 8 a /").types("page");
        })
    }),
    ("activity with details", |size| {
        let server = Canned { mood: unreachable(), ..Canned::default() };
        with(size, server, |story| {
            story.press("8 enter");
        })
    }),
    ("a request under way", |size| {
        let server = Canned { mood: Mood::Silent, ..Canned::default() };
        with(size, server, |story| {
            story.press("8 enter").passes(1);
        })
    }),
    ("sandbox starting", |size| Pure::starting(size, Options::default(), Canned::default())),
    ("connecting", |size| Pure::starting(size, remote(), Canned::default())),
    ("no server", |size| {
        let mut stage = Pure::starting(size, Options::default(), Canned::default());
        stage.waiting.clear();
        let reason = "The sandbox does not start: cannot listen on 127.0.0.1:0: address in use.".to_owned();
        stage.tell(Message::Task(Event::NotConnected { reason }));
        stage
    }),
    ("loading", |size| {
        let server = Canned { mood: Mood::Silent, ..Canned::default() };
        with(size, server, |story| story.0.pass(Duration::from_millis(200)))
    }),
    ("loading another page", |size| {
        let mut stage = shown(size, |_| {});
        stage.server.mood = Mood::Silent;
        told(stage, |story| {
            story.press("N").0.pass(Duration::from_millis(200));
        })
    }),
    ("no conversations", |size| with(size, only(Vec::new()), |_| {})),
    ("no match", |size| {
        shown(size, |story| {
            story.press("f").types("t").press("tab").types("Sales").press("tab tab").types("2020-01-01").press("enter");
        })
    }),
    ("first load fails", |size| with(size, Canned { mood: unreachable(), ..Canned::default() }, |_| {})),
    ("offline", |size| {
        let mut stage = shown(size, |_| {});
        stage.server.mood = unreachable();
        told(stage, |story| {
            story.passes(5).passes(2).press("esc");
        })
    }),
    ("asking again", |size| {
        let mut stage = shown(size, |_| {});
        stage.server.mood = unreachable();
        let mut stage = told(stage, |story| {
            story.passes(5).press("esc");
        });
        stage.server.mood = Mood::Silent;
        told(stage, |story| {
            story.press("r").passes(1);
        })
    }),
    ("an error is unread", |size| {
        let mut stage = shown(size, |_| {});
        stage.server.mood = unreachable();
        told(stage, |story| {
            story.passes(5);
        })
    }),
    ("messages", |size| {
        let mut stage = shown(size, |_| {});
        stage.tell(Message::Problem("settings, line 3: refresh_interval: 0.5 is no whole number".to_owned()));
        stage.server.mood = refused();
        told(stage, |story| {
            story.passes(70).press("!");
        })
    }),
    ("token refused", |size| {
        told(Pure::connected(size, remote(), Canned { mood: refused(), ..Canned::default() }), |_| {})
    }),
    ("paused", |size| {
        shown(size, |story| {
            story.press("space").passes(3600);
        })
    }),
    ("a toast", |size| {
        shown(size, |story| {
            story.press("o o");
        })
    }),
    ("paged by cursor", |size| {
        let server = Canned { paging: Paging::Cursor, ..Canned::default() };
        with(size, server, |story| {
            story.press("n #");
        })
    }),
    ("ascii without colours", |size| {
        let options = Options { theme: Theme::mono(), glyphs: &Glyphs::ASCII, ..Options::default() };
        let mut stage = Pure::connected(size, options, Canned::default());
        stage.server.rows[0].message_count = 99.into();
        told(stage, |story| {
            story.passes(5).press("j");
        })
    }),
    ("hostile rows", |size| with(size, only(canned::hostile()), |_| {})),
    ("hostile inspector", |size| {
        with(size, only(canned::hostile()), |story| {
            story.press("j j enter");
        })
    }),
    ("hostile raw", |size| {
        with(size, only(canned::hostile()), |story| {
            story.press("v v pgdn");
        })
    }),
    ("hostile words", |size| {
        let words = "\u{1b}[2J\u{1b}]52;c;aGk=\u{7} \u{202e}evil 受付 ".repeat(9);
        let body = Some(ErrorBody::message(words.clone()));
        let mood = Mood::Failing(FailureKind::Status { status: 500, body, retry_after: None });
        let options = Options { place: Place::Profile(words.clone()), ..Options::default() };
        let assistants = vec![words.clone(), "受".repeat(200), String::new()];
        let mut stage =
            Pure::connected(size, options, Canned { assistants, rows: canned::hostile(), ..Canned::default() });
        stage.tell(Message::Problem(words));
        stage.server.mood = mood;
        told(stage, |story| {
            story.passes(6).press("f tab").pastes("\u{1b}[31m受\u{202e}x\u{7}");
        })
    }),
];
