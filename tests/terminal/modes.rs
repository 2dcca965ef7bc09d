//! The modes of the terminal in what a program wrote.

/// A mode that was turned on or off: `(number, on)`.
pub type Switch = (u16, bool);

/// A frame is written between these; it is no mode that lasts.
const SYNCHRONISED: u16 = 2026;
/// The cursor, which is on at the start; all others are off.
const CURSOR: u16 = 25;

/// All switches of modes (`CSI ? number h` and `l`), in order.
pub fn switches(bytes: &[u8]) -> Vec<Switch> {
    let text = String::from_utf8_lossy(bytes);
    let switch = |rest: &str| {
        let end = rest.find(|letter: char| !letter.is_ascii_digit())?;
        let on = match rest.as_bytes().get(end)? {
            b'h' => true,
            b'l' => false,
            _ => return None,
        };
        Some((rest[..end].parse().ok()?, on))
    };
    text.split("\x1b[?").skip(1).filter_map(switch).filter(|(mode, _)| *mode != SYNCHRONISED).collect()
}

/// Checks that what was turned on was turned off again in reverse, and the cursor shows; says what was on.
pub fn check_undone(bytes: &[u8]) -> Vec<u16> {
    let all = switches(bytes);
    let cursor = all.iter().rfind(|(mode, _)| *mode == CURSOR);
    assert!(cursor.is_none_or(|(_, on)| *on), "the cursor stays hidden: {all:?}");
    let lasting = |on: bool| all.iter().filter(move |(mode, is)| *mode != CURSOR && *is == on).map(|(mode, _)| *mode);
    let (on, mut off): (Vec<u16>, Vec<u16>) = (lasting(true).collect(), lasting(false).collect());
    off.reverse();
    assert_eq!(off, on, "turned off in reverse: {all:?}");
    on
}

#[test]
fn a_mode_left_on_or_undone_out_of_order_is_found() {
    let fails = |bytes: &str| std::panic::catch_unwind(|| check_undone(bytes.as_bytes())).is_err();
    assert_eq!(
        check_undone(b"\x1b[?1049h\x1b[?25l\x1b[?2004hx\x1b[?2026hy\x1b[?2026l\x1b[?2004l\x1b[?25h\x1b[?1049l"),
        [1049, 2004]
    );
    assert!(fails("\x1b[?1049h\x1b[?2004h\x1b[?1049l\x1b[?2004l"));
    assert!(fails("\x1b[?1049h\x1b[?2004h\x1b[?2004l"));
    assert!(fails("\x1b[?25l"));
}
