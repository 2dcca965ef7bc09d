//! The states of the Messaging pane that look different from each other.

use super::scenes::{Scene, only, remote, shown, told, unreachable, with};
use crate::support::canned::{Canned, Mood, hostile};
use crate::support::desk::Desk;
use crate::support::pure::Pure;
use crate::support::story::Clocked as _;
use jiff::SignedDuration;
use std::time::Duration;
use switchboard::records::{ProfileData, Watched};
use switchboard::ui::Options;
use switchboard::ui::theme::{Glyphs, Theme};

const HOUR: u64 = 3600;
const MINUTE: u64 = 60;

/// A server with these changes, and nothing else.
fn desk(change: impl FnOnce(&mut Desk)) -> Canned {
    let mut server = Canned::default();
    change(&mut server.desk);
    server
}

/// Only Noah is watched, whose window has three hours and twelve minutes left.
fn noah(size: (u16, u16), seconds: u64) -> Pure {
    let noah = Watched { sender_id: 1, phone: "+14155550123".to_owned(), name: Some("Noah Smith".to_owned()) };
    let kept = ProfileData { watched: Some(vec![noah]), ..ProfileData::default() };
    let stage = Pure::connected(size, remote(), desk(|desk| desk.kept = kept));
    told(stage, |story| {
        story.press("3");
    })
    .after(seconds)
}

pub const SCENES: &[Scene] = &[
    ("messaging", |size| {
        shown(size, |story| {
            story.press("3");
        })
    }),
    ("messaging senders", |size| {
        shown(size, |story| {
            story.press("3 tab down");
        })
    }),
    ("messaging templates", |size| {
        shown(size, |story| {
            story.press("3 shift-tab j j j");
        })
    }),
    ("messaging templates narrowed", |size| {
        shown(size, |story| {
            story.press("3 shift-tab /").types("utility order");
        })
    }),
    ("messaging windows narrowed", |size| {
        shown(size, |story| {
            story.press("3 /").types("mar").press("enter");
        })
    }),
    ("messaging nobody found", |size| {
        shown(size, |story| {
            story.press("3 /").types("zzz");
        })
    }),
    ("messaging a number with a fault", |size| {
        shown(size, |story| {
            story.press("3 a").types("030 90").press("enter");
        })
    }),
    ("messaging a number", |size| {
        shown(size, |story| {
            story.press("3 a").types("+49 30 901820 77");
        })
    }),
    ("messaging without a list of senders", |size| {
        with(size, desk(|desk| desk.senders = None), |story| {
            story.press("3 tab a").types("1").press("enter a").types("7").press("enter");
        })
    }),
    ("messaging no senders are listed", |size| {
        with(size, desk(|desk| desk.senders = None), |story| {
            story.press("3 tab");
        })
    }),
    ("messaging nobody is watched", |size| {
        with(size, only(Vec::new()), |story| {
            story.press("3");
        })
    }),
    ("messaging starting", |size| {
        told(Pure::starting(size, Options::default(), Canned::default()), |story| {
            story.press("3");
        })
    }),
    ("messaging loading", |size| {
        with(size, Canned { mood: Mood::Silent, ..Canned::default() }, |story| {
            story.press("3").0.pass(Duration::from_millis(200));
        })
    }),
    ("messaging failing", |size| {
        with(size, Canned { mood: unreachable(), ..Canned::default() }, |story| {
            story.press("esc 3");
        })
    }),
    ("messaging not refreshed", |size| {
        let mut stage = shown(size, |story| {
            story.press("3");
        });
        stage.server.mood = unreachable();
        told(stage, |story| {
            story.passes(70).press("esc");
        })
    }),
    ("messaging with a clock that is off", |size| {
        with(size, desk(|desk| desk.ahead = Some(SignedDuration::from_secs(185))), |story| {
            story.press("3");
        })
    }),
    ("messaging form", |size| {
        shown(size, |story| {
            story.press("3 j s");
        })
    }),
    ("messaging outbox", |size| {
        shown(size, |story| {
            story.press("3 o");
        })
    }),
    ("messaging hostile", |size| {
        let watched = hostile().into_iter().zip(0..).filter_map(|(row, at)| {
            let name = row.assistant_name.known()?.clone();
            Some(Watched { sender_id: 1, phone: format!("+4930{at:06}"), name: Some(name) })
        });
        let kept = ProfileData { watched: Some(watched.collect()), ..ProfileData::default() };
        let mut server = desk(|desk| desk.kept = kept);
        let evil = "\u{1b}[2J\u{202e}evil 受付センター \u{7} ".repeat(9);
        for template in server.desk.templates.values_mut().flat_map(|list| &mut list.rows) {
            template.name = evil.clone().into();
            template.language = evil.clone().into();
            template.body_text = format!("{{{{1}}}} {evil} {{{{9}}}}").into();
            template.variables = vec![evil.clone()].into();
        }
        for sender in server.desk.senders.iter_mut().flat_map(|list| list.iter_mut()) {
            sender.display_name = evil.clone().into();
        }
        with(size, server, |story| {
            story.press("3");
        })
    }),
    ("messaging ascii", |size| {
        let options = Options { theme: Theme::mono(), glyphs: &Glyphs::ASCII, ..Options::default() };
        told(Pure::connected(size, options, Canned::default()), |story| {
            story.press("3");
        })
    }),
    // One window on its way.
    ("countdown 1 open", |size| noah(size, 0)),
    ("countdown 2 closing within the hour", |size| noah(size, 2 * HOUR + 20 * MINUTE)),
    ("countdown 3 closing within ten minutes", |size| noah(size, 3 * HOUR + 5 * MINUTE + 7)),
    ("countdown 4 expired", |size| noah(size, 5 * HOUR)),
    ("countdown 5 open again", |size| {
        let mut stage = noah(size, 5 * HOUR);
        let now = stage.now.wall;
        stage.server.desk.writes("+14155550123", now);
        stage.after(20 * MINUTE)
    }),
];
