use super::*;
use crate::ui::terminal::encode::Encoder;
use crate::ui::theme::{Glyphs, Theme};
use crate::ui::widgets::input::TextInput;
use crate::ui::{Instant, Moment, Options, action::Motion};
use jiff::{Timestamp, tz::TimeZone};
use proptest::prelude::*;

#[derive(Debug, Clone)]
struct Item {
    name: String,
    count: u64,
}

const COLUMNS: [Column<Item>; 4] = [
    Column {
        title: "NAME",
        width: Width::Fill(8),
        right: false,
        drop: 0,
        field: Some(0),
        sort: Sorting::Up(|one, other| one.name.cmp(&other.name)),
        cell: |item, _| Cell::text(&item.name),
    },
    Column {
        title: "MESSAGES",
        width: Width::Content { min: 2, max: 20 },
        right: true,
        drop: 0,
        field: None,
        sort: Sorting::Down(|one, other| one.count.cmp(&other.count)),
        cell: |item, _| Cell::number(item.count.to_string(), format!("{}k", item.count / 1000)),
    },
    Column {
        title: "STATE",
        width: Width::Content { min: 4, max: 6 },
        right: false,
        drop: 1,
        field: None,
        sort: Sorting::None,
        cell: |item, view| Cell::text(if item.count > 5 { "● online" } else { "○" }).style(view.options.theme.good),
    },
    Column {
        title: "KIND",
        width: Width::Fixed(6),
        right: false,
        drop: 2,
        field: None,
        sort: Sorting::None,
        cell: |_, view| Cell::text("widget").style(view.options.theme.dim),
    },
];

fn items(counts: &[u64]) -> Vec<Item> {
    let names = ["Reception", "Order bot", "受付センター", "Sales desk", "Réception FR"];
    counts
        .iter()
        .zip(names.iter().cycle())
        .map(|(count, name)| Item { name: (*name).to_owned(), count: *count })
        .collect()
}

fn refresh(state: &mut ListState<u64>, rows: &[Item], height: usize) {
    state.refresh(rows, |_| true, |item| item.count, |item| vec![Cow::from(&item.name)], compare(&COLUMNS), height);
}

fn with_view<T>(options: &Options, run: impl FnOnce(&View<'_>) -> T) -> T {
    run(&View::plain(options, Moment { wall: Timestamp::UNIX_EPOCH, mono: Instant::START }, &TimeZone::UTC))
}

fn drawn(state: &ListState<u64>, rows: &[Item], size: (u16, u16), options: &Options) -> Buffer {
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buffer = Buffer::empty(area);
    with_view(options, |view| Table { columns: &COLUMNS, rows, state, view, area }.draw(true, &mut buffer));
    buffer
}

fn lines(buffer: &Buffer) -> Vec<String> {
    let line = |y| {
        let mut skip = 0;
        let cells = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).filter(|symbol| {
            let shown = skip == 0;
            skip = if shown { width(symbol).saturating_sub(1) } else { skip - 1 };
            shown
        });
        cells.collect::<String>().trim_end().to_owned()
    };
    (0..buffer.area.height).map(line).collect()
}

#[test]
fn a_table_shows_header_rows_marker_and_scroll_bar() {
    let rows = items(&[9, 1_234_567, 3, 4, 5]);
    let mut state = ListState::default();
    refresh(&mut state, &rows, 3);
    state.step(Motion::Down, 3);
    assert_eq!(
        lines(&drawn(&state, &rows, (50, 4), &Options::default())),
        [
            "  NAME                 MESSAGES  STATE     KIND",
            "  Reception                   9  ● online  widget▐",
            " ▌Order bot             1234567  ● online  widget",
            "  受付センター                3  ○         widget",
        ]
    );
}

#[test]
fn columns_go_then_numbers_are_abbreviated_then_texts_are_cut() {
    let rows = items(&[9, 1_234_567]);
    let mut state = ListState::default();
    refresh(&mut state, &rows, 3);
    let row = |width| lines(&drawn(&state, &rows, (width, 3), &Options::default())).swap_remove(2);
    assert_eq!(row(37), "  Order bot  1234567  ● onl…  widget");
    assert_eq!(row(32), "  Order b…  1234k  ● o…  widget");
    assert_eq!(row(30), "  Order bot   1234567  ● onl…");
    assert_eq!(row(24), "  Order b…  1234k  ● o…");
    assert_eq!(row(14), "  Ord…  1234k");
    assert_eq!(row(8), "  Orde…");
}

#[test]
fn the_arrow_is_never_cut_and_tells_the_order() {
    let rows = items(&[9, 70, 3]);
    let mut state = ListState::default();
    with_view(&Options::default(), |view| learn(&COLUMNS, &rows, &mut state, view));
    assert!(sort_by(&COLUMNS, &mut state, 1) && !sort_by(&COLUMNS, &mut state, 2));
    refresh(&mut state, &rows, 9);
    for (columns, header) in [(60, "MESSAGES ▾"), (28, "  ▾"), (40, "MESS… ▾")] {
        let shown = lines(&drawn(&state, &rows, (columns, 4), &Options::default()));
        assert!(shown[0].contains(header), "{columns}: {}", shown[0]);
        assert!(shown[1].contains("70") && shown[3].contains('3'), "largest first");
    }
    sort_by(&COLUMNS, &mut state, 1);
    assert!(lines(&drawn(&state, &rows, (60, 4), &Options::default()))[0].contains("MESSAGES ▴"));
    sort_next(&COLUMNS, &mut state);
    assert_eq!(state.sort(), None, "after the last column comes the order of the server");
    sort_next(&COLUMNS, &mut state);
    assert!(lines(&drawn(&state, &rows, (60, 4), &Options::default()))[0].contains("NAME ▴"), "A to Z first");
}

#[test]
fn a_click_on_a_title_finds_its_column() {
    let (rows, state, options) = (items(&[9]), ListState::<u64>::default(), Options::default());
    let area = Rect::new(4, 2, 50, 5);
    let at = |x, y| {
        let table = |view: &View<'_>| {
            Table { columns: &COLUMNS, rows: &rows, state: &state, view, area }.header_at(Position { x, y })
        };
        with_view(&options, table)
    };
    assert_eq!((at(6, 2), at(48, 2), at(3, 2), at(6, 3)), (Some(0), Some(3), None, None));
}

#[test]
fn the_selected_row_is_marked_across_its_width() {
    let rows = items(&[9, 8]);
    let mut state = ListState::default();
    refresh(&mut state, &rows, 3);
    let mono = Options { theme: Theme::mono(), glyphs: &Glyphs::ASCII, ..Options::default() };
    for options in [Options::default(), mono] {
        let buffer = drawn(&state, &rows, (40, 3), &options);
        let Style { bg, add_modifier, .. } = options.theme.row;
        for x in 1..40 {
            let cell = &buffer[(x, 1)];
            assert!(bg.is_none_or(|bg| cell.bg == bg) && cell.modifier.contains(add_modifier), "{x}");
            assert!(bg.is_none_or(|bg| buffer[(x, 2)].bg != bg), "only that row");
        }
    }
}

#[test]
fn matched_letters_are_marked_in_their_column() {
    let rows = items(&[9, 8, 7]);
    let mut state = ListState::default();
    state.narrow = TextInput::new("付ー");
    refresh(&mut state, &rows, 3);
    let options = Options::default();
    let buffer = drawn(&state, &rows, (50, 3), &options);
    let marked = (0..50).filter(|x| buffer[(*x, 1)].modifier.contains(options.theme.matched.add_modifier));
    assert_eq!(marked.collect::<Vec<_>>(), [4, 5, 12, 13]);
}

#[test]
fn columns_only_grow_until_the_page_is_turned() {
    let mut state = ListState::<u64>::default();
    let options = Options::default();
    with_view(&options, |view| {
        learn(&COLUMNS, &items(&[1_234_567]), &mut state, view);
        learn(&COLUMNS, &items(&[3]), &mut state, view);
        assert_eq!(state.needs[1], (7, 5));
        state.turn();
        learn(&COLUMNS, &items(&[3]), &mut state, view);
        assert_eq!(state.needs[1], (1, 1));
    });
}

#[test]
fn a_move_costs_few_bytes() {
    let rows = items(&(0..60).map(|at| at * 977).collect::<Vec<_>>());
    let mut state = ListState::default();
    refresh(&mut state, &rows, 38);
    let (mut encoder, mut sizes) = (Encoder::default(), Vec::new());
    for _ in 0..60 {
        let buffer = drawn(&state, &rows, (76, 39), &Options::default());
        sizes.push(encoder.encode(buffer, None).len());
        state.step(Motion::Down, 38);
    }
    // The first draws all, and where the list scrolls it does so anew.
    let worst = sizes[1..38].iter().max();
    assert!(worst.is_some_and(|worst| *worst < 280), "{sizes:?}");
}

proptest! {
    #[test]
    fn columns_never_overlap_and_numbers_have_room(
        needs in proptest::collection::vec((0u16..30, 0u16..12), 4), room in 0u16..90
    ) {
        let needs: Vec<_> = needs.iter().map(|(full, least)| (*full.max(least), *least)).collect();
        let mut x = 0;
        for (place, (_, least)) in arrange(&COLUMNS, &needs, room).into_iter().zip(&needs) {
            let Some((first, width)) = place else { continue };
            prop_assert!(first >= x && first + width <= room && width >= (*least).max(1));
            x = first + width + GAP;
        }
    }

    #[test]
    fn a_number_is_whole_or_abbreviated(
        counts in proptest::collection::vec(0u64..10_000_000, 1..6), columns in 0u16..80, learns: bool
    ) {
        let rows = items(&counts);
        let mut state = ListState::default();
        if learns {
            with_view(&Options::default(), |view| learn(&COLUMNS, &rows, &mut state, view));
        }
        refresh(&mut state, &rows, 9);
        let shown = lines(&drawn(&state, &rows, (columns, 10), &Options::default()));
        let header = arrange(&COLUMNS, &[], columns.saturating_sub(3))[1].is_some();
        for (line, item) in shown[1..].iter().zip(&rows) {
            let whole = [item.count.to_string(), format!("{}k", item.count / 1000)];
            let words: Vec<_> = line.split_whitespace().collect();
            let digits = words.iter().filter(|word| word.starts_with(|char: char| char.is_ascii_digit()));
            for word in digits {
                prop_assert!(whole.iter().any(|whole| whole == word), "{line:?} {header}");
            }
        }
    }

    #[test]
    fn the_bar_lies_in_its_area(offset in 0usize..50, height in 0u16..20, length in 0usize..60) {
        let area = Rect::new(1, 1, 3, height);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 5, 22));
        let offset = offset.min(length.saturating_sub(height.into()));
        bar(&mut buffer, area, (offset, height.into(), length), "#", Style::new());
        let cells: Vec<_> = (0..22).filter(|y| buffer[(3, *y)].symbol() == "#").collect();
        prop_assert_eq!(cells.is_empty(), length <= usize::from(height) || height == 0);
        prop_assert!(cells.iter().all(|y| area.contains((3, *y).into())));
        if !cells.is_empty() && height > 2 {
            prop_assert_eq!(cells[0] == area.y, offset == 0);
        }
    }
}
