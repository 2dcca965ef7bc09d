//! How long a page of a long list takes: `cargo bench --bench paging [ROWS]`, a million conversations and as many calls where
//! no number is given.

use std::error::Error;
use std::time::{Duration, Instant};
use switchboard::api::{CallFilter, CallStatus, Channel, ConversationFilter, ConversationType};
use switchboard::service::store::{Store, StoreError};
use switchboard::service::world::{DEMO, Generate, World};
use switchboard::service::{Data, Piece};

const ROUNDS: usize = 50;
/// However slow a page is, it is not asked for longer than this.
const LONGEST: Duration = Duration::from_secs(1);
const PER_PAGE: u32 = 15;
/// Pages drawn from all there are, so that no part of the database is warm by itself.
const DRAWN: u64 = 4000;

/// A list with a filter: reads the page after so many rows, and tells how many there are in all.
type Read<'a> = Box<dyn Fn(u64) -> Result<u64, StoreError> + 'a>;

fn main() -> Result<(), Box<dyn Error>> {
    let rows = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(1_000_000);
    let mut world = World::parse(DEMO)?;
    world.users.truncate(1);
    for user in &mut world.users {
        user.generate = Some(Generate { conversations: rows, calls: rows, seed: 42 });
    }
    let folder = tempfile::tempdir()?;
    for data in [Data::Memory, Data::File(folder.path().join("paging.db"))] {
        let store = Store::open(&data)?;
        let start = Instant::now();
        store.fill(&world, jiff::Timestamp::now())?;
        let place = if data == Data::Memory { "in memory" } else { "in a file" };
        println!("{rows} conversations and calls {place}, filled in {:.1?}", start.elapsed());
        for (name, read) in lists(&store)? {
            let total = read(0)?;
            let last = total.saturating_sub(1) / u64::from(PER_PAGE) * u64::from(PER_PAGE);
            let times = [0, total / 4, total / 2, last].map(|offset| measure(&read, offset));
            let [first, quarter, middle, last] = times;
            let (p50, p99) = drawn(&read, total)?;
            println!(
                "{name:32} {total:>8} rows   first {:>9.1?}  quarter {:>9.1?}  middle {:>9.1?}  last {:>9.1?}  \
                 anywhere {p50:>9.1?}, p99 {p99:>9.1?}",
                first?, quarter?, middle?, last?
            );
        }
    }
    Ok(())
}

fn piece() -> Piece {
    Piece::new(&Channel::default())
}

fn lists(store: &Store) -> Result<Vec<(&'static str, Read<'_>)>, Box<dyn Error>> {
    let all = ConversationFilter::default();
    let today = jiff::Zoned::now().with_time_zone(jiff::tz::TimeZone::UTC).date();
    let by_type = ConversationFilter { kind: Some(ConversationType::Msgapp), ..all.clone() };
    let both = |id| ConversationFilter { assistant_id: Some(id), ..by_type.clone() };
    let messages = |id: &i64| store.conversations(1, &both(*id), 0, 1, |_| Ok(())).is_ok_and(|page| page.total > 0);
    let messenger = (1..100).find(messages).ok_or("no assistant has messaging conversations")?;
    let by_both = both(messenger);
    let by_assistant = ConversationFilter { kind: None, ..by_both.clone() };
    let (from, to) = (today.checked_sub(jiff::Span::new().days(30))?, today.checked_sub(jiff::Span::new().days(20))?);
    let by_date = ConversationFilter { date_from: Some(from), date_to: Some(to), ..all.clone() };
    let by_everything = ConversationFilter { date_from: Some(from), date_to: Some(to), ..by_both.clone() };

    let id = store.calls(1, &CallFilter::default(), 0, 1, &mut piece())?.ids().first().copied();
    let call = id.map(|id| store.call(1, id)).transpose()?.flatten();
    let phone_number = call.and_then(|call| call.client_phone_number.known().cloned());
    let of_number = CallFilter { phone_number, ..CallFilter::default() };
    let busy = CallFilter { status: Some(CallStatus::Busy), ..CallFilter::default() };
    let of_days = CallFilter { date_from: Some(from), date_to: Some(to), ..CallFilter::default() };
    let busy_of_days = CallFilter { status: Some(CallStatus::Busy), ..of_days.clone() };
    let conversations = |filter: ConversationFilter| -> Read<'_> {
        Box::new(move |offset| Ok(store.conversations(1, &filter, offset, PER_PAGE, |_| Ok(()))?.total))
    };
    let calls = |filter: CallFilter| -> Read<'_> {
        Box::new(move |offset| Ok(store.calls(1, &filter, offset, PER_PAGE, &mut piece())?.total))
    };
    Ok(vec![
        ("conversations", conversations(all)),
        ("of a type", conversations(by_type)),
        ("of an assistant", conversations(by_assistant)),
        ("of assistant and type", conversations(by_both)),
        ("of days", conversations(by_date)),
        ("of assistant, type and days", conversations(by_everything)),
        ("calls", calls(CallFilter::default())),
        ("calls of a status", calls(busy)),
        ("calls of a number", calls(of_number)),
        ("calls of days", calls(of_days)),
        ("calls of status and days", calls(busy_of_days)),
    ])
}

/// The median of several rounds.
fn measure(read: &Read<'_>, offset: u64) -> Result<Duration, Box<dyn Error>> {
    let begin = Instant::now();
    let mut times = Vec::with_capacity(ROUNDS);
    while times.len() < ROUNDS && begin.elapsed() < LONGEST {
        let start = Instant::now();
        read(offset)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times.get(times.len() / 2).copied().ok_or_else(|| "no rounds".into())
}

/// Half of all pages take less than the first, and 99 in 100 less than the second.
fn drawn(read: &Read<'_>, total: u64) -> Result<(Duration, Duration), Box<dyn Error>> {
    let pages = total.div_ceil(u64::from(PER_PAGE)).max(1);
    let (begin, mut rng, mut times) = (Instant::now(), fastrand::Rng::with_seed(1), Vec::new());
    for _ in 0..DRAWN {
        let start = Instant::now();
        read(rng.u64(0..pages) * u64::from(PER_PAGE))?;
        times.push(start.elapsed());
        if begin.elapsed() > LONGEST {
            break;
        }
    }
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().ok_or("no pages");
    Ok((at(50)?, at(99)?))
}
