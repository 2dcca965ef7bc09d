//! What the mouse does.

use crate::support::pure::{self, Pure};
use crate::support::screen::Screen;
use crate::support::story::Story;
use switchboard::ui::text::width;

const SIZE: (u16, u16) = (120, 40);

/// The cell where this text begins.
fn place(screen: &Screen, text: &str) -> (u16, u16) {
    let lines = screen.lines();
    let (y, line) = lines.iter().enumerate().find(|(_, line)| line.contains(text)).unwrap();
    let x = width(&line[..line.find(text).unwrap()]);
    (u16::try_from(x).unwrap(), u16::try_from(y).unwrap())
}

fn clicks_on(story: &mut Story<Pure>, text: &str) {
    let (x, y) = place(&story.screen(), text);
    story.clicks(x, y);
}

#[test]
fn a_click_on_a_columns_name_sorts_by_it_and_again_the_other_way_round() {
    let mut story = pure::story(SIZE);
    story.sees("server's order").sees_no_more("UPDATED ▾");
    clicks_on(&mut story, "COST");
    story.sees("COST ▾").sees_no_more("server's order");
    clicks_on(&mut story, "COST");
    story.sees("COST ▴");
    clicks_on(&mut story, "UPDATED");
    story.sees("UPDATED ▾").sees_no_more("COST ▴");
}

#[test]
fn a_click_into_the_inspector_lets_it_have_the_keys() {
    let mut story = pure::story(SIZE);
    story.clicks(110, 20).sees("esc back");
    let row = story.row(2);
    story.clicks(110, 21).sees("esc back").clicks(10, row).sees("open").sees_selected(2);
}

#[test]
fn a_click_beside_a_text_closes_it_and_one_within_does_not() {
    for (key, title) in [("?", "Open the selected conversation"), ("!", "No messages")] {
        let mut story = pure::story(SIZE);
        story.press(key).sees(title);
        let (x, y) = place(&story.screen(), title);
        story.clicks(x, y).sees(title).clicks(0, 0).sees_no_more(title).sees("page 1 of 3");
    }
}

#[test]
fn a_click_into_the_details_of_a_request_lets_them_have_the_keys() {
    let mut story = pure::story((80, 24));
    story.press("n 8 a enter").sees("Succeeded").clicks(40, 18);
    story.press("down").sees("page=3").press("esc").sees("Succeeded").press("down").sees("page=2");
}
