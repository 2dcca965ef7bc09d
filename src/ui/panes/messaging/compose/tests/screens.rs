//! How it looks.

use super::*;
use crate::records::Used;

fn both(name: &str, show: impl Fn(Bench) -> Bench) {
    for (width, height) in [(80, 24), (120, 40)] {
        let bench = show(Bench::new(width, height));
        insta::assert_snapshot!(format!("{name}_{width}x{height}"), bench.below_tabs());
    }
}

#[test]
fn the_form_as_it_opens() {
    both("form", |bench| bench.form(preset(MARIA, "Maria Souza")));
}

#[test]
fn the_form_with_values_offered() {
    both("form_offers", |mut bench| {
        let used = |value: &str| Used { template_id: 1, variable: "date".to_owned(), value: value.to_owned() };
        bench.known.used = vec![used("3 December"), used("4 December")];
        let mut bench = bench.form(preset(ANA, "Ana Lima"));
        bench.press("enter enter");
        bench
    });
}

#[test]
fn the_form_with_faults() {
    both("form_faults", |bench| {
        let mut bench = bench.form(Preset::default());
        bench.press("login enter ctrl-u tab +4912 tab tab tab enter");
        bench
    });
}

#[test]
fn the_box_that_asks() {
    both("confirm", |bench| {
        let mut bench = bench.form(preset(MARIA, "Maria Souza"));
        bench.press("enter enter 3 space December enter");
        bench
    });
}

#[test]
fn the_box_with_a_long_text() {
    both("confirm_long", |bench| {
        let mut bench = bench.editor(preset(MARIA, "Maria Souza"));
        for line in 0..30 {
            bench.paste(&format!(
                "{line}. A line of a text that is far longer than anybody should write to a customer.\n"
            ));
        }
        bench.press("tab enter down");
        bench
    });
}

#[test]
fn the_hold() {
    for (width, height) in [(80, 24), (120, 40), (40, 12)] {
        let mut bench = Bench::new(width, height).form(preset(MARIA, "Maria Souza"));
        bench.press("enter enter 3 space December enter").confirm().wait(1_200);
        let screen = bench.screen();
        let notice = screen.lines().rev().nth(1).unwrap_or_default();
        insta::assert_snapshot!(format!("hold_{width}x{height}"), notice);
    }
}

#[test]
fn words_of_ones_own() {
    both("freeform", |bench| {
        let mut bench = bench.editor(preset(JOERG, "Jörg Brandt"));
        bench.press("Hallo space Jörg, enter enter").paste("wir sind bis 18 Uhr da.\n\nViele Grüße");
        bench
    });
}

#[test]
fn words_of_ones_own_without_a_window() {
    both("freeform_shut", |bench| bench.editor(preset(ANA, "Ana Lima")));
}

#[test]
fn the_form_in_ascii() {
    let mut bench = Bench::new(80, 24);
    bench.options = ascii(bench.options);
    let bench = bench.form(preset(MARIA, "Maria Souza"));
    insta::assert_snapshot!("form_ascii_80x24", bench.below_tabs());
}
