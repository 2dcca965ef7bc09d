use super::*;
use axum::body::HttpBody as _;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// Rows by their keys, as a table has them.
type Table = Vec<(i64, Value)>;

fn rows(texts: &[String]) -> Table {
    (1..).zip(texts).map(|(key, text)| (key, json!({"id": key, "type": "msgapp", "text": text}))).collect()
}

/// The rows after the last one, for as long as the piece takes them.
fn read(table: &Table, piece: &mut Piece) -> Result<(), StoreError> {
    let after = piece.last().unwrap_or(0);
    for (key, row) in table.iter().filter(|(key, _)| *key > after) {
        if !piece.takes_next() {
            break;
        }
        piece.push(*key, row)?;
    }
    Ok(())
}

/// The answer with some rows, whole.
fn whole(table: &Table) -> Value {
    let rows: Vec<_> = table.iter().map(|(_, row)| row).collect();
    json!({"status": true, "data": rows, "links": [], "to": table.len()})
}

fn list_of(
    channel: &Channel,
    read: impl FnMut(&mut Piece) -> Result<(), StoreError> + Send + 'static,
) -> Result<Response, ApiError> {
    list(channel, |count| json!({"status": true, "data": [], "links": [], "to": count}), read)
}

/// What is sent of an answer, until it is over or breaks.
fn sent(response: Response) -> (Vec<Bytes>, bool) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(async {
        let (mut parts, mut stream) = (Vec::new(), response.into_body().into_data_stream());
        while let Some(part) = stream.next().await {
            let Ok(part) = part else { return (parts, false) };
            parts.push(part);
        }
        (parts, true)
    })
}

fn long(rows_count: usize) -> Table {
    rows(&vec!["x".repeat(1000); rows_count])
}

proptest! {
    #![proptest_config(crate::testing::properties())]

    #[test]
    fn any_list_is_sent_as_it_would_be_written_whole_in_parts_of_bounded_size(
        texts in proptest::collection::vec(("\\PC{0,2}|[\u{0}-\u{1f}]", 1_usize..10_000), 0..20),
        word in "msgapp|whatsapp",
    ) {
        let texts: Vec<_> = texts.into_iter().map(|(text, times)| text.repeat(times)).collect();
        let (channel, table): (Channel, _) = (word.parse().unwrap(), rows(&texts));
        let expected = whole(&table).to_string().into_bytes();
        let expected = channel.spell_body(&expected).map_or(expected, String::into_bytes);
        let response = list_of(&channel, move |piece| read(&table, piece)).unwrap();
        let exact = response.body().size_hint().exact();
        let (parts, ended) = sent(response);
        prop_assert!(ended);
        prop_assert!(parts.concat() == expected);
        if expected.len() < PIECE_BYTES {
            prop_assert_eq!(exact, Some(expected.len() as u64), "one piece, of a known length");
        }
        if exact.is_none() {
            prop_assert!(parts.iter().all(|part| part.len() <= PIECE_BYTES));
        }
    }
}

#[test]
fn a_page_of_small_rows_is_sent_at_once() {
    let table = rows(&vec!["short".to_owned(); 100]);
    let expected = whole(&table).to_string();
    let response = list_of(&Channel::default(), move |piece| read(&table, piece)).unwrap();
    assert_eq!(response.body().size_hint().exact(), Some(expected.len() as u64));
    assert_eq!(sent(response).0.concat(), expected.as_bytes());
}

#[tokio::test]
async fn a_piece_is_read_once_those_before_it_are_taken() {
    let (table, reads) = (long(1000), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&reads);
    let response = list_of(&Channel::default(), move |piece| {
        counted.fetch_add(1, Ordering::Relaxed);
        read(&table, piece)
    });
    let mut stream = response.unwrap().into_body().into_data_stream();
    let (mut bytes, mut taken) = (0, 0);
    while let Some(part) = stream.next().await {
        bytes += part.unwrap().len();
        taken += 1;
        let held = reads.load(Ordering::Relaxed) * PIECE_BYTES;
        assert!(held <= bytes + 2 * PIECE_BYTES, "part {taken}: {bytes} sent, about {held} read");
    }
    assert!(bytes > 1_000_000 && taken > 15);
}

#[test]
fn rows_that_come_and_go_meanwhile_neither_repeat_nor_break_the_list() {
    let table = Arc::new(Mutex::new(long(500)));
    let response = list_of(&Channel::default(), move |piece| {
        let mut table = table.lock().unwrap();
        read(&table, piece)?;
        // The row that was read last goes, one that was not read goes, and another comes at the end.
        let last = piece.last().unwrap_or(0);
        table.retain(|(key, _)| *key != last && *key != last + 2);
        let newest = table.last().map_or(1, |(key, _)| *key + 1);
        if newest < 520 {
            table.push((newest, json!({"id": newest})));
        }
        Ok(())
    });
    let (parts, ended) = sent(response.unwrap());
    assert!(ended && parts.len() > 2);
    let answer: Value = serde_json::from_slice(&parts.concat()).unwrap();
    let ids: Vec<_> = answer["data"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect();
    assert!(ids.windows(2).all(|two| two[0] < two[1]), "{ids:?}");
    assert_eq!(answer["to"], ids.len());
    assert!(ids.contains(&500) && ids.last() > Some(&500));
}

#[test]
fn an_answer_whose_later_rows_cannot_be_read_breaks() {
    let table = long(500);
    let response = list_of(&Channel::default(), move |piece| {
        if piece.count() > 200 { Err(StoreError::Unreadable("row")) } else { read(&table, piece) }
    });
    let (parts, ended) = sent(response.unwrap());
    assert!(!ended && !parts.is_empty());
    assert!(serde_json::from_slice::<Value>(&parts.concat()).is_err());
}

#[test]
fn an_answer_whose_first_rows_cannot_be_read_is_an_error() {
    let refused = list_of(&Channel::default(), |_| Err(StoreError::Unreadable("row")));
    assert_eq!(refused.unwrap_err().into_response().status(), 500);
}
