//! CSV files: read as spreadsheets write them, written so that spreadsheets run no formula.

use super::Mapping;
use crate::api::rules;
use csv::{ReaderBuilder, StringRecord, WriterBuilder};
use std::borrow::Cow;

/// The most rows of a file.
pub const ROWS_MAX: usize = 100_000;
/// The delimiters; the first wins a tie.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];
/// What starts a formula in a spreadsheet, also as it is typed in East Asia.
const FORMULA: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// A file of recipients as it was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// The names of the columns, without blanks around them.
    pub header: Vec<String>,
    /// The rows that are not empty, in the order of the file.
    pub rows: Vec<TableRow>,
}

/// A row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableRow {
    /// The line it begins on, from 1.
    pub line: u64,
    /// As many cells as the header has, without blanks around them.
    pub cells: Vec<String>,
    /// Set if it has more or fewer cells than the header.
    pub fault: Option<String>,
}

/// Why a file cannot be read at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TableFault {
    /// There is nothing in it.
    #[error("the file is empty; its first line names the columns")]
    Empty,
    /// It has other characters than UTF-8.
    #[error("line {0} is not in UTF-8; save the file as \"CSV UTF-8\"")]
    NotUtf8(u64),
    /// An unclosed quote: row ends are ambiguous.
    #[error("line {0}: a quote is opened and never closed")]
    OpenQuote(u64),
    /// It has a header and nothing else.
    #[error("the file has no rows below the names of its columns")]
    NoRows,
    /// More rows than [`ROWS_MAX`].
    #[error("the file has more than {ROWS_MAX} rows; split it")]
    TooLong,
    /// The names of the columns are missing: the first row would be taken for them, and its recipient left out.
    #[error("line {0} looks like data: the header is missing; begin the file with a line that names the columns")]
    NoHeader(u64),
}

impl Table {
    /// Reads a file: a header and rows, with commas, semicolons or tabs between the cells.
    ///
    /// # Errors
    /// Where the file is not of this form.
    pub fn read(bytes: &[u8]) -> Result<Self, TableFault> {
        let text = str::from_utf8(bytes).map_err(|error| {
            let before = &bytes[..error.valid_up_to()];
            TableFault::NotUtf8(1 + String::from_utf8_lossy(before).matches('\n').count() as u64)
        })?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (delimiter, text, line) = match told_delimiter(text) {
            Some((delimiter, rest)) => (delimiter, rest, 2),
            None => (delimiter(text), text, 1),
        };
        let mut reader =
            ReaderBuilder::new().delimiter(delimiter).flexible(true).has_headers(false).from_reader(text.as_bytes());
        let mut lines = Lines { text, at: 0, line };
        let mut table: Option<Self> = None;
        let mut record = StringRecord::new();
        while matches!(reader.read_record(&mut record), Ok(true)) {
            let begin = record.position().map_or(0, |position| usize::try_from(position.byte()).unwrap_or(usize::MAX));
            let line = lines.of_record(begin);
            let cells: Vec<String> = record.iter().map(|cell| cell.trim().to_owned()).collect();
            if cells.iter().all(String::is_empty) {
                continue;
            }
            match &mut table {
                None if looks_like_data(&cells) => return Err(TableFault::NoHeader(line)),
                None => table = Some(Self { header: cells, rows: Vec::new() }),
                Some(table) if table.rows.len() == ROWS_MAX => return Err(TableFault::TooLong),
                Some(table) => table.rows.push(TableRow::new(line, cells, table.header.len())),
            }
        }
        // A quote that is never closed takes all that follows into one cell of the last record.
        if ends_in_quotes(&text[lines.at..], char::from(delimiter)) {
            return Err(TableFault::OpenQuote(lines.line));
        }
        match table {
            None => Err(TableFault::Empty),
            Some(table) if table.rows.is_empty() => Err(TableFault::NoRows),
            Some(table) => Ok(table),
        }
    }
}

impl TableRow {
    fn new(line: u64, mut cells: Vec<String>, columns: usize) -> Self {
        // Cells without anything in them at the end of a row are what spreadsheets leave behind.
        let told = cells.iter().rposition(|cell| !cell.is_empty()).map_or(0, |last| last + 1);
        let fault = match cells.len() {
            count if told > columns => Some(format!("has {count} cells for {columns} columns")),
            count if count < columns => Some(format!("has {count} cells for {columns} columns")),
            _ => None,
        };
        cells.resize(columns, String::new());
        Self { line, cells, fault }
    }
}

/// The delimiter that Excel's first line names, as in `sep=;`, and what is below that line.
fn told_delimiter(text: &str) -> Option<(u8, &str)> {
    let end = text.find(['\r', '\n']).unwrap_or(text.len());
    let (first, rest) = text.split_at(end);
    // Saved once more as a file, the line has cells and quotes like any other.
    let first = first.trim().trim_matches('"');
    let named = first.get(..4).filter(|start| start.eq_ignore_ascii_case("sep=")).map(|_| &first.as_bytes()[4..])?;
    let delimiter = *named.first().unwrap_or(&b'\t');
    let is_alone = named.iter().all(|byte| *byte == delimiter);
    let rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\r', '\n'])).unwrap_or(rest);
    (is_alone && delimiter.is_ascii() && !delimiter.is_ascii_alphanumeric()).then_some((delimiter, rest))
}

/// Whether a first row holds a recipient: it has a phone number, and no cell that is called like one's column.
fn looks_like_data(cells: &[String]) -> bool {
    let is_number = |cell: &String| {
        let digits = cell.chars().filter(char::is_ascii_digit).count();
        // A date may head a column.
        let is_date = digits == 8 && cell.split(['-', '.', '/']).count() == 3;
        let is_bare = cell.chars().all(|letter| letter.is_ascii_digit() || " +-.()/\u{a0}".contains(letter));
        (7..=15).contains(&digits) && is_bare && !is_date
    };
    cells.iter().any(is_number) && !Mapping::names_a_phone(cells)
}

/// The delimiter that is found most often in the first line, quoted text apart.
fn delimiter(text: &str) -> u8 {
    let first = text.trim_start().lines().next().unwrap_or_default();
    let mut counts = [0; DELIMITERS.len()];
    let mut quoted = false;
    for byte in first.bytes() {
        quoted ^= byte == b'"';
        if let Some(at) = DELIMITERS.iter().position(|delimiter| !quoted && *delimiter == byte) {
            counts[at] += 1;
        }
    }
    let most = (0..DELIMITERS.len()).rev().max_by_key(|at| counts[*at]).unwrap_or(0);
    DELIMITERS[most]
}

/// Tells lines from places in the text, which only grow.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of the record that was read from this place on: empty lines are skipped with it.
    fn of_record(&mut self, begin: usize) -> u64 {
        let bytes = self.text.as_bytes();
        let ends_line = |at: usize| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        };
        while self.at < bytes.len() && (self.at < begin || matches!(bytes[self.at], b'\r' | b'\n')) {
            self.line += u64::from(ends_line(self.at));
            self.at += 1;
        }
        self.line
    }
}

/// Whether the last record ends within quotes.
fn ends_in_quotes(record: &str, delimiter: char) -> bool {
    let (mut quoted, mut begins) = (false, true);
    for letter in record.chars() {
        match letter {
            '"' if quoted => quoted = false,
            // A quote in the middle of a cell that is not quoted is a character; behind a closing one it is a quote.
            '"' if begins => quoted = true,
            _ => {}
        }
        begins = !quoted && (letter == delimiter || letter == '"' || letter == '\n' || letter == '\r');
    }
    quoted
}

/// Writes a file of these rows, in which no cell is a formula.
pub fn write_csv<'a, 'c, H: AsRef<str>>(
    header: &'a [H],
    rows: impl IntoIterator<Item = impl IntoIterator<Item = &'c str>> + 'a,
) -> String {
    let mut writer = WriterBuilder::new().from_writer(Vec::new());
    // Writing into memory does not fail, and every row has a cell.
    let _ = writer.write_record(header.iter().map(AsRef::as_ref));
    for row in rows {
        let _ = writer.write_record(row.into_iter().map(|cell| no_formula(cell).into_owned()));
    }
    writer.into_inner().ok().and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}

/// A cell with a `'` in front where a spreadsheet could run it as a formula. A phone number in E.164 stays as it is: it is a
/// plus and digits.
fn no_formula(cell: &str) -> Cow<'_, str> {
    // Some readers drop blanks and invisible characters in front.
    let begin = cell.trim_start_matches(|letter: char| {
        letter.is_whitespace() || letter.is_control() || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{feff}')
    });
    let is_formula = begin.starts_with(FORMULA) || cell.starts_with(['\t', '\r']);
    if is_formula && rules::e164("phone", cell).is_err() { format!("'{cell}").into() } else { cell.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(text: &str) -> Table {
        Table::read(text.as_bytes()).unwrap()
    }

    fn rows(table: &Table) -> Vec<(u64, Vec<&str>)> {
        table.rows.iter().map(|row| (row.line, row.cells.iter().map(String::as_str).collect())).collect()
    }

    #[test]
    fn a_file_is_read_as_spreadsheets_write_it() {
        let table = read(
            "\u{feff}Phone; Name ;\"Due; date\"\r\n+4930901820;Jörg;\"3 May\r\nnoon\"\r\n\r\n;;\r\n+15551234567;\"Ada \"\"A\"\"\";x;;\r\n",
        );
        assert_eq!(table.header, ["Phone", "Name", "Due; date"]);
        assert_eq!(
            rows(&table),
            [(2, vec!["+4930901820", "Jörg", "3 May\r\nnoon"]), (6, vec!["+15551234567", "Ada \"A\"", "x"])]
        );
        assert!(table.rows.iter().all(|row| row.fault.is_none()));
    }

    #[test]
    fn lines_are_told_as_an_editor_counts_them() {
        for end in ["\n", "\r\n", "\r"] {
            let text = format!("{end}{end}phone{end}1{end}{end}\"2{end}2\"{end}3{end}{end}4");
            let lines: Vec<u64> = read(&text).rows.iter().map(|row| row.line).collect();
            assert_eq!(lines, [4, 6, 8, 10], "{end:?}");
        }
    }

    #[test]
    fn the_delimiter_is_found_in_the_first_line() {
        for (text, columns) in
            [("a,b;c\n1,2", 2), ("a;b,c;d\n1", 3), ("a\tb\n1", 2), ("a\n1", 1), ("\"a;b;c\",d\n1", 2)]
        {
            assert_eq!(read(text).header.len(), columns, "{text}");
        }
    }

    #[test]
    fn excels_line_with_the_delimiter_is_read_and_counted() {
        for text in
            ["sep=;\r\nphone;a,b\r\n+1;x,y\r\n", "\u{feff}SEP=;\nphone;a,b\n+1;x,y", "\"sep=;\"\nphone;a,b\n+1;x,y"]
        {
            let table = read(text);
            assert_eq!(
                (&table.header[..], rows(&table)),
                (&["phone", "a,b"].map(str::to_owned)[..], vec![(3, vec!["+1", "x,y"])])
            );
        }
        assert_eq!(read("sep=\t\nphone\tname\n+1\tx").header, ["phone", "name"]);
        assert_eq!(read("sep=,phone\n1,2").header, ["sep=", "phone"], "a header like any other");
        assert_eq!(read("separator,phone\n1,2").header, ["separator", "phone"]);
        assert!(Table::read(b"sep=;").is_err() && Table::read("sep=é\na".as_bytes()).is_ok());
    }

    #[test]
    fn a_first_row_with_a_number_is_no_header() {
        let fault = "line 1 looks like data: the header is missing; begin the file with a line that names the columns";
        for first in ["+4930901820,Ada", "Ada,(11) 91234-5678", "07704 633987", "Ada,004930901820,x"] {
            assert_eq!(
                Table::read(format!("{first}\n+4930901821,Bo\n").as_bytes()).unwrap_err().to_string(),
                fault,
                "{first}"
            );
        }
        assert!(Table::read(b"sep=;\n\n+4930901820;Ada\nx;y").unwrap_err().to_string().starts_with("line 3 "));
        for header in
            ["phone,1,2", "who,2026-11-21", "21.11.2026,who", "number,+4930901820", "a,12345", "who,A4930901820"]
        {
            assert!(Table::read(format!("{header}\n+4930901821,Bo,x\n").as_bytes()).is_ok(), "{header}");
        }
    }

    #[test]
    fn a_row_of_another_length_is_at_fault_and_the_others_are_read() {
        let table = read("phone,name\n+1\n+2,b,c\n+3,d\n");
        let faults: Vec<_> = table.rows.iter().map(|row| row.fault.as_deref()).collect();
        assert_eq!(faults, [Some("has 1 cells for 2 columns"), Some("has 3 cells for 2 columns"), None]);
        assert!(table.rows.iter().all(|row| row.cells.len() == 2));
    }

    #[test]
    fn what_is_no_such_file_is_told() {
        let fault = |bytes: &[u8]| Table::read(bytes).unwrap_err().to_string();
        assert_eq!(fault(b" \n\n"), "the file is empty; its first line names the columns");
        assert_eq!(fault(b"phone\n"), "the file has no rows below the names of its columns");
        assert_eq!(fault(b"phone\n+1\nJ\xf6rg\n"), "line 3 is not in UTF-8; save the file as \"CSV UTF-8\"");
        assert_eq!(fault(b"phone,name\n+1,a\n+2,\"b\n+3,c\n"), "line 3: a quote is opened and never closed");
        let long = "1\n".repeat(ROWS_MAX + 1);
        assert_eq!(fault(format!("phone\n{long}").as_bytes()), "the file has more than 100000 rows; split it");
        assert_eq!(read(&format!("phone\n{}", &long[2..])).rows.len(), ROWS_MAX);
    }

    #[test]
    fn nothing_that_is_written_is_a_formula() {
        let row = ["+4930901820", "=1+1", "@x", "-2", "+3", "fine"];
        let text =
            write_csv(&["phone", "a", "b", "c", "d", "e"], [row, ["+49 30", " =1", "+4930901820", "", "-", "+"]]);
        let rows = "+4930901820,'=1+1,'@x,'-2,'+3,fine\n'+49 30,' =1,+4930901820,,'-,'+\n";
        assert_eq!(text, format!("phone,a,b,c,d,e\n{rows}"));
    }

    proptest! {
        #![proptest_config(crate::testing::properties())]

        #[test]
        fn what_is_written_is_read_again(
            rows in prop::collection::vec(prop::collection::vec("[a-z\", ;\n]{0,8}", 3), 1..9)
        ) {
            let header = ["phone", "b", "c"];
            let cells = rows.iter().map(|row| row.iter().map(String::as_str));
            let table = Table::read(write_csv(&header, cells).as_bytes());
            let trimmed = rows.iter().map(|row| row.iter().map(|cell| cell.trim().to_owned()).collect::<Vec<_>>());
            let expected: Vec<_> = trimmed.filter(|row| row.iter().any(|cell| !cell.is_empty())).collect();
            let read = table.map_or_else(|_| Vec::new(), |table| table.rows.into_iter().map(|row| row.cells).collect());
            prop_assert_eq!(read, expected);
        }

        #[test]
        fn no_cell_of_any_column_starts_a_formula(
            cells in prop::collection::vec("[ \t\r\u{feff}]?[=+@\u{ff1d}-]?[0-9A-Z(),;!'\" \n]{0,16}", 1..6),
        ) {
            let header: Vec<&str> = ["phone", "line", "name", "detail", "text"][..cells.len()].to_vec();
            let text = write_csv(&header, [cells.iter().map(String::as_str)]);
            let mut reader = ReaderBuilder::new().from_reader(text.as_bytes());
            let written = reader.records().next().map_or_else(StringRecord::new, Result::unwrap);
            for (cell, written) in cells.iter().zip(&written) {
                let starts = written.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).starts_with(FORMULA);
                prop_assert!(!starts || rules::e164("phone", written).is_ok(), "{:?}", written);
                prop_assert_eq!(written.strip_prefix('\'').filter(|_| !cell.starts_with('\'')).unwrap_or(written), cell);
            }
        }

        #[test]
        fn no_file_crashes_the_reader_and_every_line_lies_in_it(text in "[a\",;\t\r\n\u{feff}é]{0,60}", bytes: Vec<u8>) {
            let _ = Table::read(&bytes);
            if let Ok(table) = Table::read(text.as_bytes()) {
                let lines = text.replace("\r\n", "\n").replace('\r', "\n").split('\n').count() as u64;
                let mut last = 0;
                for row in table.rows {
                    prop_assert!(row.line > last && row.line <= lines, "{} of {}", row.line, lines);
                    last = row.line;
                    prop_assert_eq!(row.cells.len(), table.header.len());
                }
            }
        }
    }
}
