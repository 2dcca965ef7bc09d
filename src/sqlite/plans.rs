//! A check of every statement that runs: in debug builds each is explained when it is first prepared, so whatever the
//! tests run has an index, or a comment in the statement that says why it needs none: `/* scans: 12 languages */`.

use rusqlite::{Connection, Result};
use std::collections::{BTreeSet, HashSet};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Begins the comment that allows a statement to scan or sort; the reason follows.
const ALLOWED: &str = "/* scans: ";

/// Statements that were explained before, in any database of the process.
static CHECKED: LazyLock<Mutex<HashSet<String>>> = LazyLock::new(Mutex::default);

/// Checks a statement the first time that it is prepared.
///
/// # Panics
/// Where it scans or sorts without a reason, or has a reason and does neither.
///
/// # Errors
/// Where the statement is not valid.
pub(super) fn check(connection: &Connection, sql: &str) -> Result<()> {
    // What an insert of values shows are checks of foreign keys, which run only where one is broken.
    let is_insert_of_values = sql.starts_with("INSERT ") && !sql.contains("SELECT ");
    if is_insert_of_values || checked().contains(sql) {
        return Ok(());
    }
    let plan = plan(connection, sql)?;
    let slow = slow_steps(&plan);
    let plan = plan.join("\n");
    assert!(slow.is_empty() || sql.contains(ALLOWED), "needs an index, or a reason: {sql}\n{plan}");
    assert!(!slow.is_empty() || !sql.contains(ALLOWED), "has a reason to scan and does not: {sql}\n{plan}");
    checked().insert(sql.to_owned());
    Ok(())
}

fn checked() -> MutexGuard<'static, HashSet<String>> {
    CHECKED.lock().unwrap_or_else(PoisonError::into_inner)
}

fn plan(connection: &Connection, sql: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}"))?;
    // Plans do not hang on values: parameters stay null.
    let steps = statement.raw_query();
    steps.mapped(|row| row.get(3)).collect()
}

/// The steps that read all rows of a table or an index, sort, or build an index to throw it away.
fn slow_steps(plan: &[String]) -> Vec<&str> {
    let made = |step: &str| {
        let name = step.strip_prefix("CO-ROUTINE ").or_else(|| step.strip_prefix("MATERIALIZE "))?;
        Some(name.to_owned())
    };
    // Their rows were found by other steps of the plan.
    let subqueries: BTreeSet<String> = plan.iter().filter_map(|step| made(step)).collect();
    let scans = |step: &str| {
        step.strip_prefix("SCAN ").is_some_and(|scanned| {
            let of_rows = subqueries.contains(scanned.split(" USING ").next().unwrap_or(scanned));
            !of_rows && !scanned.contains("CONSTANT ROW") && !scanned.contains("VIRTUAL TABLE")
        })
    };
    // The smallest or largest of all rows is searched, the plan says, and without an index reads them all.
    let searches_all = |step: &str| step.starts_with("SEARCH ") && !step.contains(" USING ");
    let slow =
        |step: &&str| scans(step) || searches_all(step) || step.contains("TEMP B-TREE") || step.contains("AUTOMATIC");
    plan.iter().map(String::as_str).filter(slow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b INTEGER)").unwrap();
        connection
    }

    #[test]
    fn a_statement_that_reads_the_ends_of_its_index_passes() {
        check(&table(), "SELECT id FROM t WHERE id > $1 ORDER BY id DESC LIMIT 1").unwrap();
        check(&table(), "SELECT id FROM (SELECT id FROM t WHERE id > $1 LIMIT 5) AS page, (SELECT 1) AS one").unwrap();
    }

    #[test]
    #[should_panic(expected = "needs an index, or a reason")]
    fn a_statement_that_scans_a_table_panics() {
        drop(check(&table(), "SELECT id FROM t WHERE a = $1"));
    }

    #[test]
    #[should_panic(expected = "needs an index, or a reason")]
    fn a_statement_that_sorts_panics() {
        drop(check(&table(), "SELECT id FROM t WHERE id > $1 ORDER BY a"));
    }

    #[test]
    #[should_panic(expected = "needs an index, or a reason")]
    fn a_statement_that_makes_its_own_index_panics() {
        drop(check(&table(), "SELECT x.id FROM t AS x JOIN t AS y ON y.a = x.b WHERE x.id < $1"));
    }

    #[test]
    #[should_panic(expected = "needs an index, or a reason")]
    fn a_statement_that_looks_for_a_minimum_in_all_rows_panics() {
        drop(check(&table(), "SELECT MIN(b) FROM t WHERE a = $1"));
    }

    #[test]
    fn a_reason_allows_a_scan() {
        check(&table(), "SELECT a FROM t WHERE a = $1 /* scans: a test */").unwrap();
    }

    #[test]
    #[should_panic(expected = "does not")]
    fn a_reason_without_a_scan_panics() {
        drop(check(&table(), "SELECT a FROM t WHERE id = $1 /* scans: a test */"));
    }
}
