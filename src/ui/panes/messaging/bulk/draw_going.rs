//! A batch on its way, on screen.

use super::super::compose::words::{pretty, styled};
use super::draw::Page;
use super::going::{Going, Results};
use super::{Sight, words};
use crate::ui::text::clean;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The widest bar.
const BAR: usize = 50;

/// A row with what is wrong with it.
pub(super) fn trouble(line: u64, phone: &str, why: &str, style: Style, sight: &Sight<'_>) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!("line {line:<6} "), sight.options.theme.dim),
        Span::raw(format!("{:<20} ", clean(&pretty(phone)))),
        Span::styled(clean(why).into_owned(), style),
    ])
}

pub(super) fn going(going: &Going, columns: usize, sight: &Sight<'_>) -> Page {
    let (theme, glyphs) = (&sight.options.theme, sight.options.glyphs);
    let shown = going.shown();
    let done = shown.accepted + shown.refused + shown.unknown;
    let (wide, steps) = (columns.saturating_sub(18).min(BAR), glyphs.gauge.len());
    let filled = (done * wide * steps).checked_div(shown.total).unwrap_or(wide * steps);
    let full = glyphs.gauge.last().copied().unwrap_or_default().repeat(filled / steps);
    let part = (filled % steps).checked_sub(1).and_then(|at| glyphs.gauge.get(at)).copied().unwrap_or_default();
    let rest = glyphs.track.repeat(wide.saturating_sub(filled.div_ceil(steps)));
    let mut head = vec![Line::from(vec![
        Span::styled(format!("{full}{part}"), theme.good),
        Span::styled(rest, theme.dim),
        Span::styled(format!("  {done} of {}", shown.total), theme.strong),
    ])];
    let (said, style) = match going.trouble() {
        _ if going.is_over() && shown.left > 0 => {
            (format!("{} cancelled: {} not sent", glyphs.cross, shown.left), theme.warning)
        }
        _ if going.is_over() => (format!("{} done", glyphs.full), theme.good),
        _ if going.is_cancelled() => {
            (format!("{} cancelled: {} still on their way", glyphs.half, shown.in_flight), theme.warning)
        }
        Some(why) => (format!("{} paused by itself: {why}. Space goes on.", glyphs.pause), theme.failed),
        None if going.is_paused() => (format!("{} paused; space goes on", glyphs.pause), theme.warning),
        None => {
            let rate = shown.rate.map(|rate| format!("{rate:.1} a second, ")).unwrap_or_default();
            let eta = shown.eta.map(|eta| format!("about {} left", words::span(eta))).unwrap_or_default();
            (format!("{} under way: {rate}{eta}", glyphs.half), Style::new())
        }
    };
    head.extend(styled(&[(said, style)], columns.max(1)));
    if let Some(left) = going.waits(sight.now.mono) {
        let said = format!("{} not sent yet: the server asked to wait, {}", glyphs.alert, words::span(left));
        head.extend(styled(&[(said, theme.warning)], columns.max(1)));
    }
    let mut figures = vec![
        (format!("{} {} accepted  ", glyphs.full, shown.accepted), theme.good),
        (format!("{} {} refused  ", glyphs.cross, shown.refused), theme.failed),
        (format!("{} {} unknown  ", glyphs.alert, shown.unknown), theme.warning),
        (format!("{} on their way  {} left", shown.in_flight, shown.left), theme.dim),
    ];
    if going.bad() > 0 {
        figures.push((format!("  {} bad", going.bad()), theme.dim));
    }
    head.extend(styled(&figures, columns.max(1)));
    let mut foot = Vec::new();
    if !going.unknown.is_empty() {
        let said = "Unknown: whether these were sent cannot be told from here, so they are not sent again. The outbox checks them one by one.";
        foot.extend(styled(&[(said.to_owned(), theme.warning)], columns.max(1)));
    }
    let results = match &going.results {
        Results::NotYet => None,
        Results::Writing => Some(("The results are being written.".to_owned(), theme.dim)),
        Results::Written(path) => Some((format!("The results are in {}", path.display()), theme.strong)),
        Results::Failed(why) => Some((format!("The results could not be written: {why}"), theme.failed)),
    };
    if let Some(results) = results {
        foot.extend(styled(&[results], columns.max(1)));
    }
    Page { head, list: going.unknown.len() + going.refused.len(), foot }
}
