//! How long a page of a long list takes: `cargo bench --bench paging [CONVERSATIONS]`, a million where none are given.

use std::error::Error;
use std::time::{Duration, Instant};
use switchboard::api::{ConversationFilter, ConversationType};
use switchboard::service::Data;
use switchboard::service::store::Store;
use switchboard::service::world::{DEMO, Generate, World};

const ROUNDS: usize = 50;
const PER_PAGE: u32 = 15;
/// Pages all over the list, each asked for once, so that no part of the database is warm by itself.
const SPREAD: u64 = 4000;

fn main() -> Result<(), Box<dyn Error>> {
    let conversations = std::env::args().skip(1).find_map(|arg| arg.parse().ok()).unwrap_or(1_000_000);
    let mut world = World::parse(DEMO)?;
    world.users.truncate(1);
    for user in &mut world.users {
        user.generate = Some(Generate { conversations, calls: 0, seed: 42 });
    }
    let folder = tempfile::tempdir()?;
    for data in [Data::Memory, Data::File(folder.path().join("paging.db"))] {
        let store = Store::open(&data)?;
        let start = Instant::now();
        store.fill(&world, jiff::Timestamp::now())?;
        let place = if data == Data::Memory { "in memory" } else { "in a file" };
        println!("{conversations} conversations {place}, filled in {:.1?}", start.elapsed());
        for (name, filter) in filters(&store)? {
            let total = store.conversations(1, &filter, 0, 1)?.total;
            let last = total.saturating_sub(1) / u64::from(PER_PAGE) * u64::from(PER_PAGE);
            let times = [0, total / 4, total / 2, last].map(|offset| measure(&store, &filter, offset));
            let [first, quarter, middle, last] = times;
            let (p50, p99) = spread(&store, &filter, total)?;
            println!(
                "{name:24} {total:>8} rows   first {:>9.1?}  quarter {:>9.1?}  middle {:>9.1?}  last {:>9.1?}  \
                 anywhere {p50:>9.1?}, p99 {p99:>9.1?}",
                first?, quarter?, middle?, last?
            );
        }
    }
    Ok(())
}

fn filters(store: &Store) -> Result<[(&'static str, ConversationFilter); 6], Box<dyn Error>> {
    let all = ConversationFilter::default();
    let today = jiff::Zoned::now().with_time_zone(jiff::tz::TimeZone::UTC).date();
    let by_type = ConversationFilter { kind: Some(ConversationType::Msgapp), ..all.clone() };
    let both = |id| ConversationFilter { assistant_id: Some(id), ..by_type.clone() };
    let messages = |id: &i64| store.conversations(1, &both(*id), 0, 1).is_ok_and(|page| page.total > 0);
    let messenger = (1..100).find(messages).ok_or("no assistant has messaging conversations")?;
    let by_both = both(messenger);
    let by_assistant = ConversationFilter { kind: None, ..by_both.clone() };
    let (from, to) = (today.checked_sub(jiff::Span::new().days(30))?, today.checked_sub(jiff::Span::new().days(20))?);
    let by_date = ConversationFilter { date_from: Some(from), date_to: Some(to), ..all.clone() };
    let by_everything = ConversationFilter { date_from: Some(from), date_to: Some(to), ..by_both.clone() };
    Ok([
        ("all", all),
        ("type", by_type),
        ("assistant", by_assistant),
        ("assistant, type", by_both),
        ("dates", by_date),
        ("assistant, type, dates", by_everything),
    ])
}

/// The median of several rounds.
fn measure(store: &Store, filter: &ConversationFilter, offset: u64) -> Result<Duration, Box<dyn Error>> {
    let mut times = Vec::with_capacity(ROUNDS);
    for _ in 0..ROUNDS {
        let start = Instant::now();
        store.conversations(1, filter, offset, PER_PAGE)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times.get(ROUNDS / 2).copied().ok_or_else(|| "no rounds".into())
}

/// Half of all pages take less than the first, and 99 in 100 less than the second.
fn spread(store: &Store, filter: &ConversationFilter, total: u64) -> Result<(Duration, Duration), Box<dyn Error>> {
    let pages = total.div_ceil(u64::from(PER_PAGE)).max(1);
    let mut times = Vec::new();
    for nth in 0..SPREAD {
        let start = Instant::now();
        store.conversations(1, filter, nth * 7919 % pages * u64::from(PER_PAGE), PER_PAGE)?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let at = |percent: usize| times.get(times.len() * percent / 100).copied().ok_or("no pages");
    Ok((at(50)?, at(99)?))
}
