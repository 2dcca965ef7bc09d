//! A file of recipients.

use super::terms::{agree, ask, cost, on_terminal};
use super::{
    Args, BAD_ROWS, INTERRUPTED, REFUSED, SendContext, SendError, UNKNOWN, minute, say, tell, tell_json, warn,
};
use crate::cli::outbox::{harmless_json, json};
use crate::messaging::batch::{BadRow, BatchKey, Checked, Mapping, RowHint, Table, check};
use crate::messaging::{Instant, Outcome};
use crate::records::{BatchOf, Entry, Reserved, StorageReply, StorageRequest};
use crate::tasks::{Answer, Batch, Earlier, Event, Progress, Report, Sheet, Start, TaskId, Work};
use crate::ui::terminal::hangup;
use jiff::{SignedDuration, Timestamp};
use serde_json::json as object;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::collections::{HashMap, HashSet};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{self, Duration};
use uuid::Uuid;

/// Told where a file is resumed.
const OTHER_TEXT: &str = "the template's text has changed since this file was last sent";
/// How soon an interruption is noticed.
const ATTENTION: Duration = Duration::from_millis(100);
/// A second signal within this time counts as the first one.
const TWICE: Duration = Duration::from_secs(1);
/// Between two looks at the progress.
const PROGRESS: Duration = Duration::from_millis(200);

pub(super) fn send(mut ready: SendContext, args: &Args, file: &Path) -> Result<ExitCode, SendError> {
    let reserve =
        |path| Reserved::new(path).map_err(|fault| SendError::Usage(format!("--results {fault}; nothing was sent")));
    let results = args.results.as_deref().map(reserve).transpose()?;
    let Answer::Stored(StorageReply::File(bytes)) = ready.wire.ask(StorageRequest::ReadFile(file.to_owned()))? else {
        return Err(SendError::odd());
    };
    let table = Table::read(&bytes).map_err(|fault| SendError::Usage(format!("--csv {}: {fault}", file.display())))?;
    let mapping = mapping(&ready, args, &table)?;
    let key = BatchKey::new(args.sender, args.template, &mapping, &bytes);
    let text = ready.letter.preview.body();
    let mut earlier = Earlier::new(key, (args.template, text), ready.repeat, Timestamp::now());
    while let Some(task) = earlier.wants() {
        earlier.found(ready.wire.ask(task)?);
    }
    let Checked { good, bad, hints } = check(&table, &mapping, &ready.letter);
    for row in &bad {
        tell_bad(args, row)?;
    }
    for hint in hints.iter().filter(|_| args.dry_run) {
        tell_hint(args, hint)?;
    }
    if let Some(names) = mapping.unused_in_words(&table.header) {
        warn(&format!("not used by the template: {names}"));
    }
    if args.dry_run {
        summary_of_dry_run(args, (good.len(), bad.len()), &hints, &mapping.unused(&table.header))?;
        if let Some(words) = sent_already(&earlier) {
            say(&words);
        }
        if earlier.start(false, Vec::new()).is_other_text {
            warn(&OTHER_TEXT);
        }
        return Ok(if bad.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(BAD_ROWS) });
    }
    if good.is_empty() {
        say("nothing was sent: the file has no valid row");
        return Ok(ExitCode::from(BAD_ROWS));
    }
    let Start { run, rows: good, skipped, skipped_last, known, already, is_other_text, again } =
        earlier.start(args.again, good);
    agree_to_skip(args, &earlier, (&skipped, skipped_last), ready.repeat)?;
    if args.resume {
        can_resume(&ready, &earlier, run, !already.is_empty() || !known.is_empty())?;
    } else if !args.again {
        ready.remembers(None)?;
    }
    ready.records.claim(run).map_err(|error| SendError::Failed(format!("nothing was sent: {error}")))?;
    let sheet = Sheet {
        profile: ready.profile.clone(),
        sender: ready.sender_phone(),
        template: ready.template.clone(),
        is_code: ready.is_code,
        kept_text: ready.keep_text.then(|| ready.letter.preview.clone()),
    };
    let batch = Batch::new(run, sheet, good, already, again);
    let progress = batch.progress();
    let elsewhere = known.values().filter(|entry| entry.outcome.is_none()).count();
    if elsewhere > 0 {
        say(&format!(
            "another program is sending this template to {elsewhere} of these recipients; their rows wait for it"
        ));
    }
    if args.json {
        let before = already.iter().filter_map(|entry| Some((entry.intent.row.as_ref()?.line, &entry.intent, entry)));
        let before = before.filter(|(.., entry)| entry.outcome.is_some() && !entry.was_not_sent());
        for (line, intent, entry) in before {
            tell_skipped(line, (&intent.phone, intent.name.as_deref()), entry)?;
        }
        for row in &skipped {
            if let Some(entry) = known.get(&row.line) {
                tell_skipped(row.line, (&row.phone, Some(&row.name)), entry)?;
            }
        }
    }
    if progress.left > 0 {
        if is_other_text {
            agree_to_text(args)?;
        }
        let mut terms = terms(&ready, &batch, (bad.len(), skipped.len()));
        terms.extend(RowHint::summary(&hints).map(|summary| ("note", summary)));
        agree(args, &terms, &question(progress.left))?;
        let of = BatchOf {
            batch: run,
            sender_id: args.sender,
            template: ready.template.clone(),
            path: file.to_owned(),
            mapping,
            rows: progress.total,
        };
        let text = ready.letter.preview.body().to_owned();
        ready.wire.ask(StorageRequest::SaveBatch { of: of.into(), text })?;
    }
    let mut drive = Drive::new(ready, args, batch)?;
    let end = drive.run();
    let text = drive.batch.results_csv(&bad, &skipped);
    let written = results.map_or(Ok(()), |results| results.write(&text));
    let code = drive.report(args, bad.len(), skipped.len());
    end.and(written.map_err(|fault| SendError::Failed(format!("the results: {fault}"))))?;
    code
}

/// What was sent before is only skipped where that was asked for: it may be a mistake that it is sent at all.
fn agree_to_skip(
    args: &Args,
    earlier: &Earlier,
    (skipped, last): (&[BadRow], Option<Timestamp>),
    repeat: SignedDuration,
) -> Result<(), SendError> {
    if args.again || args.resume {
        return Ok(());
    }
    if let Some(words) = sent_already(earlier) {
        return Err(SendError::Usage(format!("{words}; --resume skips them, --again sends to all")));
    }
    let Some(last) = last else { return Ok(()) };
    Err(SendError::Usage(format!(
        "{} of these recipients were sent this template within {}, the last on {}; --resume skips them, \
         --again sends to all",
        skipped.len(),
        within(repeat),
        minute(last)
    )))
}

/// Those who were sent this before have read another text: that is never agreed to by `--yes`.
fn agree_to_text(args: &Args) -> Result<(), SendError> {
    if args.yes || !on_terminal() {
        let how = "confirm it on a terminal, without --yes, or send the new text to all with --again";
        return Err(SendError::Usage(format!("nothing was sent: {OTHER_TEXT}; {how}")));
    }
    ask(&[("note", OTHER_TEXT.to_owned())], "Send the others the new text?")
}

/// Whether the outbox can tell who was reached by the run that is resumed. `is_known`: it has something of the file or its
/// recipients.
fn can_resume(ready: &SendContext, earlier: &Earlier, run: Uuid, is_known: bool) -> Result<(), SendError> {
    ready.remembers(Some(run))?;
    if !is_known {
        return Err(SendError::Usage(format!(
            "nothing was sent: the outbox in {} knows nothing of this file (run {run}, charged to {}); without --resume it is \
             sent from its beginning",
            ready.state_dir.display(),
            earlier.account()
        )));
    }
    Ok(())
}

/// How much of this file was sent and when, in a sentence; `None` where nothing was.
fn sent_already(earlier: &Earlier) -> Option<String> {
    let (count, last) = earlier.of_this_file()?;
    Some(format!("{count} {} of this file {} sent already, the last on {}", rows(count), were(count), minute(last)))
}

/// The columns as they are called, then as the flags say.
fn mapping(ready: &SendContext, args: &Args, table: &Table) -> Result<Mapping, SendError> {
    let mut mapping = Mapping::guess(&table.header, ready.letter.preview.variables());
    for pair in &args.columns {
        let wrong = |why: &str| SendError::Usage(format!("--map {pair:?}: {why}"));
        let Some((column, target)) = pair.rsplit_once('=') else {
            return Err(wrong("is not of the form COLUMN=TARGET"));
        };
        let exact = table.header.iter().position(|name| name == column.trim());
        let alike = || table.header.iter().position(|name| name.eq_ignore_ascii_case(column.trim()));
        let Some(column) = exact.or_else(alike) else {
            return Err(wrong(&format!("unknown column; the file has: {}", table.header.join(", "))));
        };
        let Some(target) = mapping.target(target) else {
            let variables = ready.letter.preview.variables().iter().map(String::as_str);
            let targets: Vec<&str> = ["phone", "name"].into_iter().chain(variables).collect();
            return Err(wrong(&format!("unknown target; expected one of: {}", targets.join(", "))));
        };
        mapping.set(target, Some(column));
    }
    let missing: Vec<String> = mapping.missing().into_iter().map(|target| mapping.human(target)).collect();
    if missing.is_empty() {
        return Ok(mapping);
    }
    Err(SendError::Usage(format!(
        "no column for: {}; map one with --map COLUMN=TARGET. The file has: {}",
        missing.join(", "),
        table.header.join(", ")
    )))
}

fn terms(ready: &SendContext, batch: &Batch, (bad, skipped): (usize, usize)) -> Vec<(&'static str, String)> {
    let Progress { total, left, eta, .. } = batch.progress();
    let mut terms = vec![
        ("to", format!("{left} {}", if left == 1 { "recipient" } else { "recipients" })),
        ("from", ready.sender_for_people()),
        ("template", ready.template.name.clone()),
    ];
    if let Some(first) = batch.first_left() {
        let text = ready.letter.preview.text_of(&first.message.variables);
        terms.push(("the first", format!("{}: {text}", first.message.recipient_phone)));
    }
    terms.push(("cost", cost(ready, left)));
    terms.push(("takes", format!("about {}", span(eta.unwrap_or_default()))));
    let before = total - left + skipped;
    if before > 0 {
        terms.push(("skipped", format!("{before} {} sent before", rows(before))));
    }
    if bad > 0 {
        terms.push(("left out", format!("{bad} bad {}", rows(bad))));
    }
    terms
}

fn question(left: usize) -> String {
    if left == 1 { "Send this message?".to_owned() } else { format!("Send these {left} messages?") }
}

fn rows(count: usize) -> &'static str {
    if count == 1 { "row" } else { "rows" }
}

fn were(count: usize) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

/// `40 s`, `12 min`.
fn span(span: Duration) -> String {
    match span.as_secs() {
        seconds @ ..100 => format!("{} s", seconds.max(1)),
        seconds => format!("{} min", seconds.div_ceil(60)),
    }
}

/// `a day`, `48 hours`.
fn within(span: SignedDuration) -> String {
    match span.as_hours() {
        1 => "an hour".to_owned(),
        24 => "a day".to_owned(),
        hours => format!("{hours} hours"),
    }
}

fn tell_bad(args: &Args, row: &BadRow) -> Result<(), SendError> {
    let BadRow { line, phone, name, reasons } = row;
    if args.json {
        let reasons: Vec<_> = reasons.iter().map(ToString::to_string).collect();
        let row = object!({"line": line, "phone": phone, "name": name, "outcome": "bad row", "reasons": reasons});
        return tell_json(&harmless_json(&row.to_string()));
    }
    tell(&format!("line {line}  {phone}  {}", row.why()));
    Ok(())
}

/// A row that does not leave, since its person was sent the same before.
fn tell_skipped(line: u64, (phone, name): (&str, Option<&str>), earlier: &Entry) -> Result<(), SendError> {
    let word = match &earlier.outcome {
        Some(Outcome::Refused(_)) => "refused",
        Some(Outcome::Unknown { .. }) if earlier.mark.is_none() => "perhaps sent",
        _ => "sent",
    };
    let reason = format!("{word} before, on {}", minute(earlier.began));
    let entry: serde_json::Value = serde_json::from_str(&json(earlier).unwrap_or_default()).unwrap_or_default();
    let row = object!({"line": line, "phone": phone, "name": name.filter(|name| !name.is_empty()), "outcome": "skipped",
        "reasons": [reason], "earlier": entry});
    tell_json(&harmless_json(&row.to_string()))
}

fn tell_hint(args: &Args, hint: &RowHint) -> Result<(), SendError> {
    let RowHint { line, phone, hint } = hint;
    if args.json {
        let row = object!({"line": line, "phone": phone, "outcome": "good row", "hint": hint});
        return tell_json(&harmless_json(&row.to_string()));
    }
    tell(&format!("line {line}  {phone}  {hint}"));
    Ok(())
}

fn summary_of_dry_run(
    args: &Args,
    (good, bad): (usize, usize),
    hints: &[RowHint],
    unused: &[&str],
) -> Result<(), SendError> {
    if args.json {
        let lines: Vec<u64> = hints.iter().map(|hint| hint.line).collect();
        let counts = object!({"dry_run": true, "rows": good + bad, "good": good, "bad": bad, "hints": lines.len(),
            "hint_lines": lines, "unused_columns": unused});
        return tell_json(&harmless_json(&object!({"summary": counts}).to_string()));
    }
    tell(&format!("{good} {} can be sent, {bad} cannot", rows(good)));
    if let Some(summary) = RowHint::summary(hints) {
        tell(&summary);
    }
    Ok(())
}

/// Sets `interrupted` at the first signal to end. A later one ends the program at once, and what is in flight then is
/// unknown; but not within a second, for `timeout` and terminals send the same signal twice.
fn watch_signals(interrupted: Arc<AtomicBool>) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup()))?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let mut first: Option<time::Instant> = None;
        for _ in signals.forever() {
            if first.is_some_and(|first| first.elapsed() >= TWICE) {
                signal_hook::low_level::exit(i32::from(INTERRUPTED));
            }
            first.get_or_insert_with(time::Instant::now);
            interrupted.store(true, Ordering::Relaxed);
        }
    })?;
    Ok(())
}

/// A batch on its way.
struct Drive<'a> {
    ready: SendContext,
    args: &'a Args,
    batch: Batch,
    began: time::Instant,
    /// The rows on their way: line, number and name.
    lines: HashMap<TaskId, (u64, String, Option<String>)>,
    /// The lines that were told to wait for another program.
    waits: HashSet<u64>,
    interrupted: Arc<AtomicBool>,
    trouble: Option<String>,
    shown: Option<Instant>,
}

impl<'a> Drive<'a> {
    fn new(ready: SendContext, args: &'a Args, batch: Batch) -> Result<Self, SendError> {
        let interrupted = Arc::new(AtomicBool::new(false));
        watch_signals(Arc::clone(&interrupted))
            .map_err(|error| SendError::Failed(format!("nothing was sent: {error}")))?;
        let (began, lines, waits) = (time::Instant::now(), HashMap::new(), HashSet::new());
        Ok(Self { ready, args, batch, began, lines, waits, interrupted, trouble: None, shown: None })
    }

    fn now(&self) -> Instant {
        Instant::after(self.began.elapsed())
    }

    /// Sends until all has landed, or nothing more is to leave and what has left has landed.
    fn run(&mut self) -> Result<(), SendError> {
        let mut stopping = false;
        loop {
            let now = self.now();
            if self.interrupted.load(Ordering::Relaxed) && !stopping {
                stopping = true;
                self.batch.cancel();
                self.lines.keys().for_each(|id| self.ready.wire.take_back(*id));
                self.clear();
                say("stopping once messages in flight are answered; interrupt again to stop now");
            }
            if let Some(trouble) = self.batch.trouble() {
                self.trouble = Some(trouble.to_owned());
                self.batch.cancel();
            }
            while let Some(sending) = self.batch.next(now) {
                let line = sending.intent.row.as_ref().map_or(0, |row| row.line);
                let row = (line, sending.intent.phone.clone(), sending.intent.name.clone());
                let id = self.ready.wire.give(Work::Send(Box::new(sending)));
                self.lines.insert(id, row);
            }
            if self.batch.is_over() {
                self.clear();
                return Ok(());
            }
            self.show(now);
            let wait = self.batch.next_at().map_or(ATTENTION, |at| (at - now).min(ATTENTION));
            match self.ready.wire.next(wait)? {
                Some(Event::Done(report)) => self.done(report),
                Some(Event::Unwritten(words)) => {
                    self.clear();
                    say(&words);
                }
                Some(Event::Tried { attempt, .. }) => {
                    if let Some(wait) = attempt.retry_in {
                        self.clear();
                        say(&format!("waiting: the server's rate limit allows the next try in {}", span(wait)));
                    }
                }
                _ => {}
            }
        }
    }

    fn done(&mut self, report: Report) {
        let Some((line, phone, name)) = self.lines.remove(&report.id) else { return };
        match report.result {
            Ok(Answer::Sent(entry)) => {
                self.batch.landed(&entry, self.now());
                if self.args.json && entry.outcome.is_some() {
                    self.told(tell_json(&json(&entry).unwrap_or_default()));
                } else if let Some(outcome) = entry.outcome.as_ref().filter(|outcome| !is_accepted(outcome)) {
                    self.clear();
                    tell(&format!("line {line}  {}  {}", entry.intent.phone, outcome.words()));
                }
            }
            Ok(Answer::Recent(earlier)) => {
                if earlier.outcome.is_none() && self.waits.insert(line) {
                    self.clear();
                    say(&format!("line {line}  {phone}  waits: another program is sending the same to this person"));
                }
                if self.args.json && earlier.outcome.is_some() {
                    self.told(tell_skipped(line, (&phone, name.as_deref()), &earlier));
                }
                self.batch.repeats(line, &earlier, self.now());
            }
            Ok(Answer::Forgotten(_)) => {
                self.batch.failed(line, "the outbox was deleted or replaced, and cannot tell who was sent this");
            }
            Ok(_) => self.batch.failed(line, "internal error: a reply was lost"),
            Err(failure) => self.batch.failed(line, &failure.kind.to_string()),
        }
    }

    /// Sends nothing more once its output cannot be written.
    fn told(&mut self, told: Result<(), SendError>) {
        if let Err(failure) = told {
            self.trouble = Some(failure.to_string());
            self.batch.cancel();
        }
    }

    /// The progress, on a terminal alone, in one line that is written over.
    fn show(&mut self, now: Instant) {
        let due = self.shown.is_none_or(|shown| now >= shown + PROGRESS);
        if !due || !io::stderr().is_terminal() {
            return;
        }
        self.shown = Some(now);
        let Progress { total, accepted, refused, unknown, skipped: _, left, rate, eta, in_flight } =
            self.batch.progress();
        let done = total - left - in_flight;
        let rate = rate.map(|rate| format!(" · {rate:.1}/s")).unwrap_or_default();
        let eta = eta.map(|eta| format!(" · {} left", span(eta))).unwrap_or_default();
        let mut stderr = io::stderr();
        let line = format!(
            "\r\x1b[K{done} of {total} · {accepted} accepted · {refused} refused · {unknown} unknown{rate}{eta}"
        );
        let _ = stderr.write_all(line.as_bytes()).and_then(|()| stderr.flush());
    }

    fn clear(&mut self) {
        if self.shown.take().is_some() {
            let _ = io::stderr().write_all(b"\r\x1b[K");
        }
    }

    fn report(&self, args: &Args, bad: usize, skipped: usize) -> Result<ExitCode, SendError> {
        let Progress { total, accepted, refused, unknown, left, skipped: stopped, .. } = self.batch.progress();
        let (total, skipped) = (total - stopped, skipped + stopped);
        if args.json {
            let counts = object!({"rows": total + bad + skipped, "accepted": accepted, "refused": refused, "unknown": unknown,
                "not_sent": left, "bad": bad, "skipped": skipped, "stopped": self.trouble});
            tell_json(&object!({"summary": counts}).to_string())?;
        } else {
            let bad = if bad > 0 { format!(", {bad} bad") } else { String::new() };
            let left = if left > 0 { format!(", {left} not sent") } else { String::new() };
            let skipped = if skipped > 0 { format!(", {skipped} skipped") } else { String::new() };
            tell(&format!("{accepted} accepted, {refused} refused, {unknown} unknown{left}{bad}{skipped}"));
            for (line, phone, why) in self.batch.unknown() {
                tell(&format!("line {line}  {phone}  outcome unknown, not resent: {why}"));
            }
        }
        if let Some(trouble) = &self.trouble {
            say(&format!("stopped: {trouble}"));
        }
        if left > 0 {
            let how =
                if self.batch.has_entries() { "--resume sends them" } else { "run the command again to send them" };
            say(&format!("{left} {} not sent; {how}", if left == 1 { "row was" } else { "rows were" }));
        }
        Ok(match () {
            () if self.interrupted.load(Ordering::Relaxed) => ExitCode::from(INTERRUPTED),
            () if unknown > 0 => ExitCode::from(UNKNOWN),
            () if refused > 0 => ExitCode::from(REFUSED),
            () if left > 0 => ExitCode::FAILURE,
            () if bad > 0 => ExitCode::from(BAD_ROWS),
            () => ExitCode::SUCCESS,
        })
    }
}

fn is_accepted(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Accepted(_))
}
