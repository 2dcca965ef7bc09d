use super::*;
use crate::ui::action::TextEdit;
use crate::ui::input::Key;
use crate::ui::message::{Instant, Moment};
use crate::ui::options::Options;
use crate::ui::pane::View;
use crate::ui::widgets::input::TextInput;
use jiff::tz::TimeZone;
use proptest::prelude::*;
use ratatui::buffer::Buffer;
use unicode_segmentation::GraphemeCursor;

const FAMILY: &str = "👩🏽‍👩🏿‍👧🏻‍👦🏼";

fn line(name: &str, value: &str) -> Field {
    Field::line(name, name, value)
}

fn kinds() -> Vec<Item> {
    vec![Item::new("", "all"), Item::new("in", "inbound"), Item::new("out", "outbound")]
}

fn barred(key: &str, name: &str, reason: &str) -> Item {
    Item { barred: Some(reason.to_owned()), ..Item::new(key, name) }
}

fn row_count(form: &Form) -> usize {
    form.field("headers").map_or(0, Field::row_count)
}

fn people() -> Vec<Item> {
    vec![
        Item::new("", "any"),
        Item::new("7", "Reception").about("outbound"),
        barred("8", "Night desk", "offline"),
        Item::new("9", "Support").about("chat"),
    ]
}

/// A form with a control of every kind.
fn every_kind() -> Form {
    Form::new(vec![
        line("name", "").required().hint("what people call it"),
        Field::choice("kind", "Type", kinds(), ""),
        Field::picker("assistant", "Assistant", people(), "7"),
        Field::toggle("active", "Active", true),
        Field::text("body", "Message", "", 1..=4, Some(4096)),
        Field::rows("headers", "Headers", vec![line("name", "").required(), line("value", "")]),
        Field::file("file", "File", ""),
    ])
}

fn press(form: &mut Form, keys: &str) -> FormEvent {
    let mut event = FormEvent::Ignored;
    for key in keys.split(' ') {
        event = match key {
            "tab" => form.act(Action::Field(FieldStep::Next)),
            "shift-tab" => form.act(Action::Field(FieldStep::Previous)),
            "up" => form.act(Action::Field(FieldStep::Up)),
            "down" => form.act(Action::Field(FieldStep::Down)),
            "enter" => form.act(Action::Field(FieldStep::Enter)),
            "right" if form.takes_text() => form.act(Action::Text(TextEdit::Right)),
            "right" => form.act(Action::Field(FieldStep::Change)),
            "left" if form.takes_text() => form.act(Action::Text(TextEdit::Left)),
            "left" => form.act(Action::Field(FieldStep::ChangeBack)),
            "backspace" => form.act(Action::Text(TextEdit::Backspace)),
            "undo" => form.act(Action::Text(TextEdit::Undo)),
            "redo" => form.act(Action::Text(TextEdit::Redo)),
            "word" => form.act(Action::Text(TextEdit::DeleteWord)),
            "clear" => form.act(Action::Text(TextEdit::DeleteLine)),
            "home" => form.act(Action::Text(TextEdit::Start)),
            "add" => form.act(Action::Field(FieldStep::AddRow)),
            "remove" => form.act(Action::Field(FieldStep::RemoveRow)),
            "row-up" => form.act(Action::Field(FieldStep::RowUp)),
            "submit" => form.act(Action::Submit),
            "esc" => form.act(Action::Back),
            "space" => form.text(&Input::Key(Key::char(' '))),
            word => word.chars().map(|char| form.text(&Input::Key(Key::char(char)))).last().unwrap(),
        };
    }
    event
}

fn with_view<T>(draw: impl FnOnce(&View<'_>) -> T) -> T {
    let now = Moment { wall: jiff::Timestamp::UNIX_EPOCH, mono: Instant::START };
    draw(&View::plain(&Options::default(), now, &TimeZone::UTC))
}

fn screen(form: &Form, width: u16, height: u16) -> Vec<String> {
    let area = Rect::new(0, 0, width, height);
    let mut buffer = Buffer::empty(area);
    if let Some(cursor) = with_view(|view| form.draw(view, area, &mut buffer)) {
        assert!(area.contains(cursor), "{cursor:?}");
    }
    rows_of(&buffer)
}

fn rows_of(buffer: &Buffer) -> Vec<String> {
    let row = |y| (0..buffer.area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..buffer.area.height).map(row).collect()
}

// Text of one line.

#[test]
fn backspace_removes_a_whole_grapheme() {
    for grapheme in [FAMILY, "🇩🇪", "e\u{301}", "受", "ß"] {
        let mut form = Form::new(vec![line("name", &format!("a{grapheme}"))]);
        assert_eq!(press(&mut form, "backspace"), FormEvent::Changed);
        assert_eq!(form.text_of("name"), "a", "{grapheme}");
    }
}

#[test]
fn cursor_steps_over_whole_graphemes() {
    let mut form = Form::new(vec![line("name", &format!("x{FAMILY}🇩🇪"))]);
    press(&mut form, "left left a");
    assert_eq!(form.text_of("name"), format!("xa{FAMILY}🇩🇪"));
}

#[test]
fn typing_before_a_combining_mark_keeps_the_cursor_on_an_edge() {
    let mut form = Form::new(vec![line("name", "\u{301}")]);
    press(&mut form, "home e x");
    assert_eq!(form.text_of("name"), "e\u{301}x");
}

#[test]
fn paste_into_a_line_has_no_line_breaks_and_no_control_characters() {
    let mut form = Form::new(vec![line("name", "to ")]);
    form.text(&Input::Paste("one\ntwo\u{1b}[2J\r\n".to_owned()));
    assert_eq!(form.text_of("name"), "to one two\u{fffd}[2J");
}

#[test]
fn paste_over_the_limit_is_cut_and_says_so() {
    let mut form = Form::new(vec![line("name", "ab")]);
    assert_eq!(form.text(&Input::Paste("受".repeat(2000))), FormEvent::Changed);
    assert_eq!(form.text_of("name").chars().count(), 2 + (4096 - 2) / 3);
    let shown = screen(&form, 80, 3);
    assert!(shown[1].contains("Cut: a line holds 4 KiB; the rest was not inserted."), "{shown:?}");
    press(&mut form, "backspace");
    assert_eq!(screen(&form, 80, 3)[1], "");
}

#[test]
fn undo_takes_back_a_word_and_redo_repeats_it() {
    let mut form = Form::new(vec![line("name", "")]);
    press(&mut form, "one space two");
    press(&mut form, "undo");
    assert_eq!(form.text_of("name"), "one");
    press(&mut form, "undo undo");
    assert_eq!(form.text_of("name"), "");
    press(&mut form, "redo redo");
    assert_eq!(form.text_of("name"), "one two");
}

#[test]
fn long_line_scrolls_to_the_cursor() {
    let mut form = Form::new(vec![line("n", "受付0123456789")]);
    assert_eq!(screen(&form, 15, 1), ["▌ n  123456789"]);
    press(&mut form, "home");
    assert_eq!(screen(&form, 15, 1), ["▌ n  受 付 012345"]);
}

#[test]
fn cursor_stays_in_a_narrow_field() {
    let field = TextInput::new("a rather long text with 受付");
    let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 1));
    let cursor = field.draw(&mut buffer, Rect::new(0, 0, 8, 1), ratatui::style::Style::new()).unwrap();
    assert!(cursor.x < 8);
    assert!(buffer.content().iter().any(|cell| cell.symbol() == "付"), "the end is in view");
}

// Suggested values.

#[test]
fn first_character_replaces_a_suggested_value() {
    let mut form = Form::new(vec![line("phone", "")]);
    assert!(form.suggest("phone", "+34 610 48 38 42"));
    assert!(!form.is_dirty());
    press(&mut form, "+ 4 9");
    assert_eq!(form.text_of("phone"), "+49");
    assert!(!form.suggest("phone", "+1"), "an edited value stays");
    press(&mut form, "undo");
    assert_eq!(form.text_of("phone"), "+34 610 48 38 42");
}

#[test]
fn paste_replaces_a_suggested_value_and_backspace_deletes_it() {
    let mut form = Form::new(vec![line("phone", "")]);
    form.suggest("phone", "+34610483842");
    form.text(&Input::Paste("+491234".to_owned()));
    assert_eq!(form.text_of("phone"), "+491234");
    let mut form = Form::new(vec![line("phone", "")]);
    form.suggest("phone", "+34610483842");
    press(&mut form, "backspace");
    assert_eq!(form.text_of("phone"), "");
}

#[test]
fn moving_the_cursor_keeps_a_suggested_value() {
    let mut form = Form::new(vec![line("phone", "")]);
    form.suggest("phone", "+346");
    assert_eq!(press(&mut form, "left"), FormEvent::Moved);
    press(&mut form, "1");
    assert_eq!(form.text_of("phone"), "+3416");
}

// Suggestions.

#[test]
fn down_marks_a_suggestion_and_enter_takes_it() {
    let mut form = Form::new(vec![line("phone", ""), line("name", "")]);
    form.offer("phone", vec![Item::new("+341", "José"), Item::new("+342", "Maria"), barred("+3", "x", "no")]);
    assert_eq!(screen(&form, 40, 3), ["▌ phone   +341", "           José", "           Maria"]);
    assert_eq!(press(&mut form, "down down enter"), FormEvent::Changed);
    assert_eq!((form.text_of("phone"), form.focused()), ("+342", "name"));
}

#[test]
fn barred_suggestion_is_not_taken() {
    let mut form = Form::new(vec![line("phone", ""), line("name", "")]);
    form.offer("phone", vec![barred("+3", "x", "blocked")]);
    press(&mut form, "down enter");
    assert_eq!(form.text_of("phone"), "");
}

#[test]
fn tab_completes_a_path_before_it_leaves() {
    let mut form = Form::new(vec![Field::file("file", "File", "/sr"), line("x", "")]);
    form.offer("file", vec![Item::new("/srv/ada/", "ada/"), Item::new("/srv/adam/", "adam/")]);
    assert_eq!(press(&mut form, "tab"), FormEvent::Changed);
    assert_eq!(form.text_of("file"), "/srv/ada");
    assert_eq!(press(&mut form, "tab"), FormEvent::Focused);
    assert_eq!(form.focused(), "x");
}

// Text of several lines.

#[test]
fn enter_breaks_a_line_and_a_paste_keeps_its_lines() {
    let mut form = Form::new(vec![Field::text("body", "Body", "ab", 3..=8, None)]);
    assert_eq!(press(&mut form, "enter left left"), FormEvent::Moved);
    form.text(&Input::Paste("1\r\n2\t3".to_owned()));
    assert_eq!(form.text_of("body"), "a1\n2 3b\n");
    assert_eq!(press(&mut form, "submit"), FormEvent::Submit);
}

#[test]
fn up_and_down_move_by_drawn_rows_then_leave() {
    let text = Field::text("b", "b", "one two three four", 3..=8, None);
    let mut form = Form::new(vec![line("a", ""), text, line("c", "")]);
    form.resize(Rect::new(0, 0, 14, 5));
    form.focus("b");
    assert_eq!(press(&mut form, "up |"), FormEvent::Changed);
    assert_eq!(form.text_of("b"), "one two thre|e four");
    press(&mut form, "undo up up");
    assert_eq!(form.focused(), "a");
    form.focus("b");
    press(&mut form, "down down down");
    assert_eq!(form.focused(), "c");
}

#[test]
fn clear_and_home_stay_on_the_line_of_a_text() {
    let mut form = Form::new(vec![Field::text("b", "b", "one\ntwo", 3..=8, None)]);
    press(&mut form, "home x");
    assert_eq!(form.text_of("b"), "one\nxtwo");
    press(&mut form, "clear");
    assert_eq!(form.text_of("b"), "one\n");
}

// Choices, toggles, pickers.

#[test]
fn arrows_change_a_choice_around_and_a_toggle() {
    let mut form = every_kind();
    form.focus("kind");
    press(&mut form, "right");
    assert_eq!(form.text_of("kind"), "in");
    press(&mut form, "left left");
    assert_eq!(form.text_of("kind"), "out");
    form.focus("active");
    assert_eq!(press(&mut form, "right"), FormEvent::Changed);
    assert_eq!(form.text_of("active"), "false");
}

#[test]
fn picker_takes_the_best_match_on_enter_and_on_leaving() {
    let mut form = every_kind();
    form.focus("assistant");
    assert_eq!(press(&mut form, "s u p enter"), FormEvent::Changed);
    assert_eq!((form.text_of("assistant"), form.focused()), ("9", "active"));
    form.focus("assistant");
    assert_eq!(press(&mut form, "r e c tab"), FormEvent::Changed);
    assert_eq!(form.text_of("assistant"), "7");
}

#[test]
fn picker_refuses_a_barred_item_and_esc_ends_the_search_first() {
    let mut form = every_kind();
    form.focus("assistant");
    assert_eq!(press(&mut form, "n i g h t enter"), FormEvent::Ignored);
    assert_eq!(form.focused(), "assistant");
    assert_eq!(press(&mut form, "esc"), FormEvent::Moved);
    assert_eq!(press(&mut form, "esc"), FormEvent::Cancel);
    assert_eq!(form.text_of("assistant"), "7");
}

#[test]
fn passing_through_a_picker_changes_nothing() {
    let mut form = every_kind();
    form.focus("assistant");
    assert_eq!(press(&mut form, "enter"), FormEvent::Focused);
    assert_eq!(form.text_of("assistant"), "7");
}

// Rows.

#[test]
fn rows_are_added_reordered_and_removed() {
    let mut form = every_kind();
    form.focus("headers");
    press(&mut form, "add o n e tab 1 add t w o row-up");
    assert_eq!(row_count(&form), 2);
    assert_eq!((form.text_of("headers.0.name"), form.text_of("headers.1.name")), ("two", "one"));
    assert_eq!(form.focused(), "headers.0.name");
    press(&mut form, "remove remove");
    assert_eq!((row_count(&form), form.focused()), (0, "headers"));
}

#[test]
fn setting_a_cell_adds_its_rows_and_values_read_back() {
    let mut form = every_kind();
    form.set("headers.1.value", "x");
    assert!(form.is_dirty());
    assert_eq!(row_count(&form), 2);
    let mut other = every_kind();
    for (path, value) in form.values() {
        other.set(&path, &value);
    }
    assert_eq!(other.values(), form.values());
}

// Errors and focus.

#[test]
fn focus_goes_around_through_all_cells() {
    let mut form = every_kind();
    form.set("headers.0.name", "X");
    let mut seen = vec![form.focused().to_owned()];
    while press(&mut form, "tab") == FormEvent::Focused && form.focused() != "name" {
        seen.push(form.focused().to_owned());
    }
    let order = ["name", "kind", "assistant", "active", "body", "headers.0.name", "headers.0.value", "file"];
    assert_eq!(seen, order);
    press(&mut form, "shift-tab");
    assert_eq!(form.focused(), "file");
}

#[test]
fn errors_show_once_the_field_was_left() {
    let mut form = Form::new(vec![line("from", "x"), line("to", "y").eager()]);
    assert!(form.set_errors(vec![Fault::new("from", "Bad from."), Fault::new("to", "Bad to.")]).is_empty());
    assert_eq!(screen(&form, 30, 3), ["▌ from  x", "  to    y", "        ✕ Bad to."]);
    press(&mut form, "tab");
    assert_eq!(screen(&form, 30, 3), ["  from  ✕ Bad from.", "▌ to    y", "        ✕ Bad to."]);
}

#[test]
fn submit_goes_to_the_first_bad_field_unless_it_is_on_one() {
    let mut form = Form::new(vec![line("a", ""), line("b", ""), line("c", "")]);
    form.set_errors(vec![Fault::new("a", "Bad."), Fault::new("c", "Bad.")]);
    form.focus("b");
    assert_eq!(press(&mut form, "submit"), FormEvent::Focused);
    assert_eq!(form.focused(), "a");
    form.focus("c");
    assert_eq!(press(&mut form, "enter"), FormEvent::Moved);
    assert_eq!(form.focused(), "c");
    form.set_errors(Vec::new());
    assert_eq!(press(&mut form, "submit"), FormEvent::Submit);
}

#[test]
fn empty_required_field_is_visible_and_not_submitted() {
    let mut form = every_kind();
    assert_eq!(screen(&form, 60, 1), ["▌ name        required · what people call it"]);
    form.focus("file");
    assert_eq!(press(&mut form, "submit"), FormEvent::Focused);
    assert_eq!(form.focused(), "name");
    assert_eq!(screen(&form, 60, 2)[1], "             ✕ This field is required.");
}

#[test]
fn refused_value_shows_at_once_and_does_not_block_the_next_try() {
    let mut form = every_kind();
    form.set("name", "Ada");
    form.set("headers.0.name", "X");
    form.focus("file");
    let said = vec![
        Fault::new("headers.0.name", "The name is taken."),
        Fault::new("headers.0.name.raw", "Odd."),
        Fault::new("quota", "Too many."),
    ];
    let rest = form.set_refused(said);
    assert_eq!(rest.iter().map(|fault| fault.sentence.as_str()).collect::<Vec<_>>(), ["Too many."]);
    assert_eq!(form.focused(), "headers.0.name");
    let shown = screen(&form, 60, 12);
    assert!(shown.iter().any(|row| row.ends_with("✕ The name is taken.")), "{shown:#?}");
    assert_eq!(press(&mut form, "submit"), FormEvent::Submit);
}

#[test]
fn errors_and_warnings_stand_in_whole() {
    let mut form = Form::new(vec![line("phone", "+44 770463398").eager()]);
    form.set_warnings(vec![Fault::new("phone", "No number of the United Kingdom is this long.")]);
    let shown = screen(&form, 30, 5);
    assert_eq!(shown[0], "▌ phone  +44 770463398");
    assert_eq!(
        shown[1..4].join(" ").split_whitespace().collect::<Vec<_>>().join(" "),
        "▲ No number of the United Kingdom is this long."
    );
    assert_eq!(press(&mut form, "submit"), FormEvent::Submit);
}

#[test]
fn change_of_a_value_ends_its_errors() {
    let mut form = Form::new(vec![line("a", "").eager(), line("b", "").eager()]);
    form.set_errors(vec![Fault::new("a", "Bad a."), Fault::new("b", "Bad b.")]);
    press(&mut form, "x");
    assert_eq!(screen(&form, 30, 3), ["▌ a  x", "  b", "     ✕ Bad b."]);
}

// Screen and mouse.

#[test]
fn form_is_drawn_at_three_widths() {
    let mut form = every_kind();
    form.set("name", "Front desk");
    form.set("headers.0.name", "X-Key");
    form.set("body", "Hi there, see you at three");
    form.focus("body");
    assert_eq!(
        screen(&form, 60, 9),
        [
            "  name       Front desk",
            "  Type       [all] inbound  outbound",
            "  Assistant  Reception  outbound",
            "  Active     ● yes",
            "▌ Message    Hi there, see you at three",
            "             26 / 4,096",
            "  Headers",
            "    1 name   X-Key",
            "      value",
        ]
    );
    assert_eq!(
        screen(&form, 34, 7),
        [
            "  name       Front desk",
            "  Type       [all]",
            "  Assistant  Reception  outbound",
            "  Active     ● yes",
            "▌ Message    Hi there, see you at",
            "             three",
            "             26 / 4,096",
        ]
    );
    assert_eq!(
        screen(&form, 24, 5),
        [
            "  Assis… Reception  out…",
            "  Active ● yes",
            "▌ Messa… Hi there, see",
            "         you at three",
            "         26 / 4,096"
        ]
    );
}

#[test]
fn focused_field_with_its_error_is_in_view_at_24x5() {
    let mut form = every_kind();
    let paths: Vec<_> = form.stops().into_iter().map(|at| form.fields[at].name.clone()).collect();
    let faults = || paths.iter().map(|path| Fault::new(path.clone(), "This is wrong.")).collect();
    form.set_errors(faults());
    press(&mut form, "submit");
    for path in &paths {
        form.focus(path);
        let shown = screen(&form, 24, 5);
        assert!(shown.iter().any(|row| row.starts_with('▌')), "{path}: {shown:#?}");
        let at = shown.iter().position(|row| row.starts_with('▌')).unwrap();
        assert!(shown[at..].iter().any(|row| row.contains("✕ This is")), "{path}: {shown:#?}");
    }
}

#[test]
fn click_focuses_and_places_the_cursor() {
    let mut form = Form::new(vec![line("a", ""), line("b", "受付 x")]);
    form.resize(Rect::new(2, 1, 40, 5));
    assert_eq!(form.click(9, 2), FormEvent::Focused);
    press(&mut form, "|");
    assert_eq!(form.text_of("b"), "受|付 x");
    assert_eq!(form.click(9, 20), FormEvent::Ignored);
}

#[test]
fn click_takes_an_item() {
    let mut form = every_kind();
    form.focus("assistant");
    form.resize(Rect::new(0, 0, 60, 20));
    let row = screen(&form, 60, 20).iter().position(|row| row.contains("Support")).unwrap();
    assert_eq!(form.click(20, u16::try_from(row).unwrap()), FormEvent::Changed);
    assert_eq!(form.text_of("assistant"), "9");
}

#[test]
fn dialog_is_as_high_as_its_form() {
    let mut dialog = FormDialog::new("Create a key", "create", Form::new(vec![line("label", "").required()]));
    let area = Rect::new(0, 0, 40, 7);
    dialog.resize(&Options::default(), area);
    let mut buffer = Buffer::empty(area);
    let cursor = with_view(|view| dialog.draw(view, area, &mut buffer));
    assert_eq!(
        rows_of(&buffer)[2..5],
        [
            "┌─ Create a key ───────────────────────┐",
            "│ ▌ label   required                   │",
            "└──────────────────────────────────────┘"
        ]
    );
    assert_eq!(cursor, Some(Position { x: 11, y: 3 }));
    assert_eq!(dialog.form.click(5, 3), FormEvent::Moved);
}

proptest! {
    #[test]
    fn no_edit_breaks_the_text_and_redo_reverses_undo(
        steps in proptest::collection::vec(0usize..24, 0..60), start in ".{0,20}", multi_line: bool, width in 8u16..40
    ) {
        use TextEdit as E;
        let edits = [
            E::Left, E::Right, E::WordLeft, E::WordRight, E::Start, E::End, E::Backspace, E::Delete, E::DeleteWord,
            E::DeleteLine, E::DeleteToEnd, E::Undo, E::Redo,
        ];
        let typed = ["a", "\u{301}", "🇩", "🇪", "\u{200d}", "👩", "受", " ", FAMILY, "\n", "one two\nthree"];
        let field = if multi_line { Field::text("t", "t", &start, 3..=8, None) } else { line("t", &start) };
        let mut form = Form::new(vec![line("x", ""), field]);
        form.resize(Rect::new(0, 0, width, 6));
        form.focus("t");
        for step in steps {
            match typed.get(step) {
                Some(text) => form.text(&Input::Paste((*text).to_owned())),
                None => form.act(Action::Text(edits[step - typed.len()])),
            };
            let now = form.fields[1].text.clone();
            let edge = GraphemeCursor::new(now.cursor(), now.value().len(), true).is_boundary(now.value(), 0);
            prop_assert_eq!(edge, Ok(true));
            let mut again = now.clone();
            if again.act(E::Undo) == FormEvent::Changed {
                again.act(E::Redo);
                prop_assert_eq!(&again, &now);
            }
        }
        screen(&form, width, 6);
    }

    #[test]
    fn every_action_at_every_size_leaves_a_focus(
        steps in proptest::collection::vec(0usize..20, 0..60), width in 0u16..50, height in 0u16..9
    ) {
        let keys = ["tab", "shift-tab", "up", "down", "enter", "right", "left", "backspace", "undo", "redo", "add",
            "remove", "row-up", "submit", "esc", "n", "受", "space", "word", "clear"];
        let mut form = every_kind();
        form.resize(Rect::new(0, 0, width, height));
        for step in steps {
            press(&mut form, keys[step]);
            prop_assert!(form.stops().contains(&form.focus));
        }
        form.click(width / 2, height / 2);
        screen(&form, width, height);
    }
}
